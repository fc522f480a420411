package har

import (
	"bufio"
	"encoding/json"
	"io"
	"unicode/utf8"
)

// stringReader decodes a JSON string of any length piece by piece. The result is the same as that of encoding/json.
type stringReader struct {
	in   *bufio.Reader
	text string // decoded text that was not read yet
	done bool
}

// newStringReader returns a reader of the string at the start of r, without its opening quotation mark.
func newStringReader(r io.Reader) *stringReader {
	return &stringReader{in: bufio.NewReaderSize(r, 64<<10)}
}

func (s *stringReader) Read(p []byte) (int, error) {
	for s.text == "" {
		if s.done {
			return 0, io.EOF
		}
		if err := s.more(); err != nil {
			return 0, err
		}
	}
	n := copy(p, s.text)
	s.text = s.text[n:]
	return n, nil
}

// more decodes the next piece.
func (s *stringReader) more() error {
	b, err := s.in.Peek(s.in.Size())
	if err != nil && err != io.EOF {
		return err
	}
	n, done := wholeCharacters(b, err == io.EOF)
	if n == 0 && !done {
		return io.ErrUnexpectedEOF
	}
	quoted := append(append([]byte{'"'}, b[:n]...), '"')
	if err := json.Unmarshal(quoted, &s.text); err != nil {
		return err
	}
	s.done = done
	s.in.Discard(n)
	return nil
}

// isLowSurrogate reports whether an escape is the second half of a surrogate pair.
func isLowSurrogate(b []byte) bool {
	return b[0] == '\\' && b[1] == 'u' && b[2]|0x20 == 'd' && b[3]|0x20 >= 'c'
}

// wholeCharacters returns the length of the complete characters at the start of b, the next part of a string.
// Characters are escapes or UTF-8. done is true if the string ends after them. final means that no data follow b.
func wholeCharacters(b []byte, final bool) (n int, done bool) {
	const escape, pair = len(`\u0000`), len(`\ud800\udc00`)
	for n < len(b) {
		size := 1
		switch rest := b[n:]; {
		case rest[0] == '"':
			return n, true
		case rest[0] == '\\' && len(rest) < pair && !final:
			return n, false
		case rest[0] == '\\' && len(rest) > 1 && rest[1] == 'u':
			size = escape
			if len(rest) >= pair && isLowSurrogate(rest[escape:pair]) {
				size = pair
			}
		case rest[0] == '\\':
			size = 2
		case rest[0] >= utf8.RuneSelf:
			if !utf8.FullRune(rest) && !final {
				return n, false
			}
			_, size = utf8.DecodeRune(rest)
		}
		if n+size > len(b) {
			return n, false
		}
		n += size
	}
	return n, false
}
