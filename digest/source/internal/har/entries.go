package har

import (
	"bufio"
	"io"
	"regexp"
)

// splitter finds the objects in log.entries of a HAR file by their brackets, so a damaged entry costs only itself.
type splitter struct {
	limit  int   // maximum size of an entry
	offset int64 // offset of the first byte

	// found is called for each entry, with its offset. data is nil if the entry exceeds the limit, and valid during the
	// call.
	found func(at int64, data []byte)

	depth, level    int    // number of open brackets, and how many of the first ones lead to the entries
	quoted, escaped bool   // within a string, and after a backslash in it
	name            []byte // beginning of the last string
	start           int64  // offset of the current entry; negative outside of entries
	data            []byte // current entry
	hasEntries      bool   // log.entries was found
}

// levels are the brackets that lead to the entries, and the names of their values.
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
		}
	case s.quoted && len(s.name) <= len("entries"):
		s.name = append(s.name, c)
	case s.quoted:
	case c == '{' || c == '[':
		s.open(at, c)
	case c == '}' || c == ']':
		s.close()
	}
}

func (s *splitter) open(at int64, c byte) {
	switch {
	case s.level == len(levels) && s.depth == s.level && c == '{':
		s.start, s.data = at, append(s.data[:0], c)
	case s.level < len(levels) && s.level == s.depth && c == levels[s.level].bracket &&
		string(s.name) == levels[s.level].name:
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

// notNumbers matches NaN and Infinity, and strings, which may contain them.
var notNumbers = regexp.MustCompile(`(?s)"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)`)

// replaceNumbers replaces NaN and Infinity by 0. Some programs write these numbers, which JSON does not have.
func replaceNumbers(data []byte) []byte {
	return notNumbers.ReplaceAllFunc(data, func(m []byte) []byte {
		if m[0] == '"' {
			return m
		}
		return []byte("0")
	})
}
