package object

import "bytes"

// Character classes (ISO 32000-2:2020, 7.2.3). All other characters are regular.
const (
	space = 1 << iota
	delimiter
)

var class = func() (t [256]uint8) {
	for _, c := range "\x00\t\n\f\r " {
		t[c] = space
	}
	for _, c := range "()<>[]{}/%" {
		t[c] = delimiter
	}
	return t
}()

// IsSpace reports whether c is white space (7.2.3, table 1).
func IsSpace(c byte) bool { return class[c] == space }

// IsRegular reports whether c is neither white space nor a delimiter.
func IsRegular(c byte) bool { return class[c] == 0 }

// SkipSpace returns the first position at or after p in b that is neither white
// space nor inside a comment; len(b) if there is none.
func SkipSpace(b []byte, p int) int { return skipSpace(b, p) }

func skipSpace(b []byte, p int) int {
	for p < len(b) {
		switch c := b[p]; {
		case c > '%': // neither white space nor a comment: the usual case
			return p
		case class[c] == space:
			p++
		case c == '%':
			for p < len(b) && b[p] != '\n' && b[p] != '\r' {
				p++
			}
		default:
			return p
		}
	}
	return p
}

func skipRegular(b []byte, p int) int {
	for i, c := range b[p:] {
		if class[c] != 0 {
			return p + i
		}
	}
	return len(b)
}

// Parse parses the object at or after position p of b. It returns the object and the position after the object. It
// skips white space and comments before the object. A dictionary followed by the keyword stream is a stream. "n g R" is
// a reference. The error is a *Malformed with an Offset in b.
func Parse(b []byte, p int) (Object, int, error) {
	s := scanner{b: b}
	p = skipSpace(b, p)
	end := s.skip(p, 0)
	if end < 0 {
		return Object{}, p, &Malformed{Offset: int64(s.at), Reason: s.reason}
	}
	kind := nested(b[:end], p)
	if kind == Null {
		o, _ := view(b[:end], p)
		return o, end, nil
	}
	if kind == Dictionary && bytes.HasPrefix(b[skipSpace(b, end):], []byte("stream")) {
		kind = Stream
	}
	return Object{raw: b[p:end], kind: kind}, end, nil
}

// nested returns the kind of the array or dictionary that starts at p; Null for any other object.
func nested(b []byte, p int) Kind {
	switch {
	case b[p] == '[':
		return Array
	case b[p] == '<' && b[p+1] == '<':
		return Dictionary
	}
	return Null
}

// A scanner finds the ends of objects and checks whether they are well formed.
type scanner struct {
	b      []byte
	at     int // position of the error
	reason string
}

func (s *scanner) fail(p int, reason string) int {
	s.at, s.reason = p, reason
	return -1
}

// skip returns the position after the object that starts at p, or -1.
func (s *scanner) skip(p, depth int) int {
	if p >= len(s.b) {
		return s.fail(p, "data ends where an object should be")
	}
	if depth > MaxDepth {
		return s.fail(p, "arrays and dictionaries nested too deep")
	}
	switch c := s.b[p]; c {
	case '/':
		return skipRegular(s.b, p+1)
	case '(':
		return s.skipLiteral(p)
	case '<':
		if p+1 < len(s.b) && s.b[p+1] == '<' {
			return s.skipDict(p, depth)
		}
		if i := bytes.IndexByte(s.b[p:], '>'); i >= 0 {
			return p + i + 1
		}
		return s.fail(p, "hexadecimal string not closed")
	case '[':
		return s.skipArray(p, depth)
	default:
		return s.skipWord(p)
	}
}

func (s *scanner) skipLiteral(p int) int {
	// Most strings have neither escapes nor parentheses.
	if i := bytes.IndexByte(s.b[p:], ')'); i < 0 {
		return s.fail(p, "literal string not closed")
	} else if body := s.b[p+1 : p+i]; bytes.IndexByte(body, '\\') < 0 && bytes.IndexByte(body, '(') < 0 {
		return p + i + 1
	}
	start, open := p, 0
	for ; p < len(s.b); p++ {
		switch s.b[p] {
		case '\\':
			p++
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return p + 1
			}
		}
	}
	return s.fail(start, "literal string not closed")
}

func (s *scanner) skipDict(p, depth int) int {
	start := p
	p = skipSpace(s.b, p+2)
	for p < len(s.b) {
		switch s.b[p] {
		case '/':
			p = skipSpace(s.b, skipRegular(s.b, p+1))
			if p = s.skip(p, depth+1); p < 0 {
				return -1
			}
			p = skipSpace(s.b, p)
		case '>':
			if p+1 < len(s.b) && s.b[p+1] == '>' {
				return p + 2
			}
			return s.fail(p, "lone > in a dictionary")
		default:
			return s.fail(p, "dictionary key is not a name")
		}
	}
	return s.fail(start, "dictionary not closed")
}

func (s *scanner) skipArray(p, depth int) int {
	start := p
	p = skipSpace(s.b, p+1)
	for p < len(s.b) {
		if s.b[p] == ']' {
			return p + 1
		}
		if p = s.skip(p, depth+1); p < 0 {
			return -1
		}
		p = skipSpace(s.b, p)
	}
	return s.fail(start, "array not closed")
}

func (s *scanner) skipWord(p int) int {
	if _, _, q := parseRef(s.b, p); q > 0 {
		return q
	}
	end := skipRegular(s.b, p)
	switch word := s.b[p:end]; {
	case len(word) == 0:
		return s.fail(p, "unexpected "+string(s.b[p:p+1]))
	case isNumeric(word), string(word) == "true", string(word) == "false", string(word) == "null":
		return end
	}
	return s.fail(p, "unknown keyword")
}

// view returns the object at p, which skip has checked, and the position after it.
func view(b []byte, p int) (Object, int) {
	switch c := b[p]; c {
	case '/':
		end := skipRegular(b, p+1)
		return Object{raw: b[p:end], kind: Name}, end
	case '(':
		s := scanner{b: b}
		end := s.skipLiteral(p)
		return Object{raw: b[p:end], kind: String}, end
	case '<', '[':
		if kind := nested(b, p); kind != Null {
			end := skipNested(b, p)
			return Object{raw: b[p:end], kind: kind}, end
		}
		end := p + bytes.IndexByte(b[p:], '>') + 1
		return Object{raw: b[p:end], kind: String}, end
	case 't', 'f':
		end := skipRegular(b, p)
		return Object{raw: b[p:end], kind: Boolean}, end
	case 'n':
		return Object{}, skipRegular(b, p)
	}
	if num, gen, q := parseRef(b, p); q > 0 {
		return Object{raw: b[p:q], kind: Reference, num: num, gen: gen}, q
	}
	end := skipRegular(b, p)
	if !isInteger(b[p:end]) {
		return Object{raw: b[p:end], kind: Real}, end
	}
	return Object{raw: b[p:end], kind: Integer}, end
}

// skipNested returns the position after the array or dictionary at p. skip has checked it, so counting delimiters
// is enough.
func skipNested(b []byte, p int) int {
	s := scanner{b: b}
	for depth := 0; ; {
		for class[b[p]] != delimiter {
			p++
		}
		switch b[p] {
		case '[':
			depth++
		case ']':
			depth--
		case '(':
			p = s.skipLiteral(p) - 1
		case '%':
			p = skipSpace(b, p) - 1
		case '<':
			if b[p+1] != '<' {
				p += bytes.IndexByte(b[p:], '>')
				break
			}
			p++
			depth++
		case '>':
			p++
			depth--
		}
		if p++; depth == 0 {
			return p
		}
	}
}

func isInteger(word []byte) bool {
	if word[0] == '+' || word[0] == '-' {
		word = word[1:]
	}
	for _, c := range word {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(word) > 0
}

// isNumeric reports whether word consists of characters that occur in numbers. Files contain spellings such as
// "0.00-35"; Number decides whether a spelling has a value.
func isNumeric(word []byte) bool {
	for _, c := range word {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' {
			return false
		}
	}
	return true
}

// parseRef reads "n g R" at p and returns the position after it; after is 0 if there is no reference at p.
func parseRef(b []byte, p int) (num uint32, gen uint16, after int) {
	n, q := parseUint(b, p, 1<<32-1)
	if q == 0 {
		return 0, 0, 0
	}
	g, end := parseUint(b, skipSpace(b, q), 1<<16-1)
	if end == 0 {
		return 0, 0, 0
	}
	q = skipSpace(b, end)
	if q == end || q >= len(b) || b[q] != 'R' || (q+1 < len(b) && class[b[q+1]] == 0) {
		return 0, 0, 0
	}
	return uint32(n), uint16(g), q + 1
}

// parseUint reads up to ten digits at p and returns the position after them. end is 0 if there are no digits or more
// than ten, or if the number exceeds limit.
func parseUint(b []byte, p int, limit uint64) (n uint64, end int) {
	start := p
	for p < len(b) && b[p]-'0' <= 9 {
		n = n*10 + uint64(b[p]-'0') // ten digits cannot overflow
		p++
	}
	if p == start || p-start > 10 || n > limit {
		return 0, 0
	}
	return n, p
}
