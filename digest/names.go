package digest

import "strings"

// Names are bytes in Go strings, before they are written as PDF strings: a
// backslash here is one byte, and writing it as a literal string doubles it.

// A Place is where a unique name has the identifier.
type Place int

const (
	Suffix Place = iota // behind the original name, as the standard says
	Prefix              // before it, as Acrobat 6 to 11 do
)

// A FieldReading is a way to read what the standard says of field names, where
// bytes become letters. It does not say which bytes.
type FieldReading int

const (
	WholeName FieldReading = iota // those of original name and identifier
	OnlyID                        // those of the identifier
)

// Escape returns an identifier as it stands in a name: 00 as \0, 2E (a full
// stop) as \p, 5C (a backslash) as \\, other bytes as they are (ISO 32000-2:2020,
// table 387). It has 16 to 32 bytes.
func Escape(id ID) string {
	b := make([]byte, 0, 2*len(id))
	for _, c := range id {
		switch c {
		case 0:
			b = append(b, '\\', '0')
		case '.':
			b = append(b, '\\', 'p')
		case '\\':
			b = append(b, '\\', '\\')
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// Unescape reads the escaped identifier that s begins with and returns the rest
// of s. It is strict: if ok, then Escape(id) + rest is s.
func Unescape(s string) (id ID, rest string, ok bool) {
	rest = s
	for i := range id {
		if rest == "" {
			return ID{}, "", false
		}
		c := rest[0]
		rest = rest[1:]
		switch c {
		case 0, '.':
			return ID{}, "", false
		case '\\':
			if rest == "" {
				return ID{}, "", false
			}
			switch rest[0] {
			case '0':
				c = 0
			case 'p':
				c = '.'
			case '\\':
			default:
				return ID{}, "", false
			}
			rest = rest[1:]
		}
		id[i] = c
	}
	return id, rest, true
}

// DestinationName returns the unique name of a named destination.
func DestinationName(original string, id ID, p Place) string {
	if p == Prefix {
		return Escape(id) + original
	}
	return original + Escape(id)
}

// FieldName returns the unique name of a form field: the bytes of its original
// name and of the escaped identifier, with two letters from A to P for each
// byte, high half first. FieldName("", id, r) is the name that Acrobat 5 gives
// to the field above those of a page set.
func FieldName(original string, id ID, r FieldReading) string {
	if r == OnlyID {
		return original + letters(Escape(id))
	}
	return letters(original + Escape(id))
}

func letters(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteByte('A' + s[i]>>4)
		b.WriteByte('A' + s[i]&15)
	}
	return b.String()
}

// fromLetters undoes letters.
func fromLetters(s string) (string, bool) {
	if len(s)%2 == 1 {
		return "", false
	}
	b := make([]byte, len(s)/2)
	for i := range b {
		hi, lo := s[2*i]-'A', s[2*i+1]-'A'
		if hi > 15 || lo > 15 {
			return "", false
		}
		b[i] = hi<<4 | lo
	}
	return string(b), true
}

// A Match says what a unique name was made of.
type Match struct {
	Original string
	ID       ID
	Place    Place
}

// Split takes a destination name apart. It is unique in the sense of the
// standard if it has the escaped form of a known identifier before or behind
// it; the former, which real files have, wins. Known reports whether an
// identifier is that of a content set; without it, nearly every name of 16
// bytes or more would have an identifier in it.
func Split(name string, known func(ID) bool) (m Match, ok bool) {
	if id, rest, ok := Unescape(name); ok && known(id) {
		return Match{rest, id, Prefix}, true
	}
	for n := len(ID{}); n <= min(2*len(ID{}), len(name)); n++ {
		cut := len(name) - n
		if id, rest, ok := Unescape(name[cut:]); ok && rest == "" && known(id) {
			return Match{name[:cut], id, Suffix}, true
		}
	}
	return Match{}, false
}

// SplitField is to names of form fields as Split is to destination names, under
// both readings. WholeName goes first: an original name that under OnlyID is
// nothing but an even number of letters from A to P comes out as the bytes that
// these stand for. An identifier that became letters without being escaped is
// recognized if there is nothing else in the name.
func SplitField(name string, known func(ID) bool) (m Match, ok bool) {
	if whole, ok := fromLetters(name); ok {
		if m, ok := Split(whole, known); ok {
			return m, true
		}
		if id, ok := FromBytes([]byte(whole)); ok && known(id) {
			return Match{"", id, Prefix}, true
		}
	}
	size := len(ID{})
	for n := 2 * size; n <= min(4*size, len(name)); n += 2 {
		for _, p := range []Place{Prefix, Suffix} {
			encoded, original := name[:n], name[n:]
			if p == Suffix {
				encoded, original = name[len(name)-n:], name[:len(name)-n]
			}
			escaped, _ := fromLetters(encoded)
			if id, rest, ok := Unescape(escaped); ok && rest == "" && known(id) {
				return Match{original, id, p}, true
			}
		}
	}
	return Match{}, false
}
