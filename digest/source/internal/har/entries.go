package har

import (
	"bufio"
	"bytes"
	"io"
	"strings"
)

// splitter finds the elements of log.entries in a HAR file by their brackets, so a damaged element costs only itself.
type splitter struct {
	limit  int   // maximum size of an element
	offset int64 // offset of the first byte

	// found is called for each element, with its offset. data is nil if the element exceeds the limit, and empty if it
	// is not an object. data is valid during the call.
	found func(at int64, data []byte)

	depth, level    int    // number of open brackets, and how many of the first ones lead to the elements
	quoted, escaped bool   // within a string, and after a backslash in it
	name            []byte // beginning of the last string
	start           int64  // offset of the current element; negative outside of elements
	data            []byte // current element
	stray           bool   // the current element is not an object
	hasEntries      bool   // log.entries was found
}

// levels are the brackets that lead to the elements, and the names of their values.
var levels = [...]struct {
	bracket byte
	name    string
}{{'{', ""}, {'{', "log"}, {'[', "entries"}}

// read reads the whole file. The error is io.ErrUnexpectedEOF if brackets are open at its end.
func (s *splitter) read(r *bufio.Reader) error {
	s.start = -1
	for at := s.offset; ; at++ {
		c, err := r.ReadByte()
		switch {
		case err == io.EOF && s.depth == 0:
			return nil
		case err == io.EOF:
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		}
		s.next(at, c)
	}
}

func (s *splitter) next(at int64, c byte) {
	if s.start >= 0 && len(s.data) <= s.limit {
		s.data = append(s.data, c)
	}
	switch {
	case s.escaped:
		s.escaped = false
	case s.quoted && c == '\\':
		s.escaped = true
	case c == '"':
		if s.quoted = !s.quoted; s.quoted {
			s.name = s.name[:0]
			s.other(at)
		}
	case s.quoted && len(s.name) <= len("entries"):
		s.name = append(s.name, c)
	case s.quoted:
	case c == '{' || c == '[':
		s.open(at, c)
	case c == '}' || c == ']':
		s.close()
	case c == ',':
		s.stray = s.stray && !s.atElement()
	case strings.IndexByte(" \t\r\n", c) < 0:
		s.other(at)
	}
}

// atElement reports whether an element of log.entries may begin here.
func (s *splitter) atElement() bool { return s.level == len(levels) && s.depth == s.level }

// other notes an element that is not an object.
func (s *splitter) other(at int64) {
	if s.atElement() && !s.stray {
		s.stray = true
		s.found(at, []byte{})
	}
}

func (s *splitter) open(at int64, c byte) {
	switch {
	case s.atElement() && c == '{':
		s.start, s.data = at, append(s.data[:0], c)
	case s.atElement():
		s.other(at)
	case s.level == s.depth && c == levels[s.level].bracket && string(s.name) == levels[s.level].name:
		s.level++
		s.hasEntries = s.hasEntries || s.level == len(levels)
	}
	s.depth++
}

func (s *splitter) close() {
	s.depth = max(s.depth-1, 0)
	s.level = min(s.level, s.depth)
	if s.start < 0 || s.depth > len(levels) {
		return
	}
	data := s.data
	if len(data) > s.limit {
		data = nil
	}
	s.found(s.start, data)
	s.start = -1
}

// replaceNumbers replaces NaN and Infinity by 0. Some programs write these numbers, which JSON does not have.
func replaceNumbers(data []byte) {
	quoted := false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		default:
			for _, name := range []string{"NaN", "Infinity"} {
				if bytes.HasPrefix(data[i:], []byte(name)) {
					copy(data[i:], "0"+strings.Repeat(" ", len(name)-1))
				}
			}
		}
	}
}
