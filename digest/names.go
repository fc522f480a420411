package digest

import (
	"cmp"
	"iter"
	"slices"
	"unicode/utf8"
)

// Names are bytes in Go strings, not yet written as PDF strings. A backslash in a name is one byte; a PDF literal
// string escapes it as two.

// Place is the position of the identifier in a unique name.
type Place int

const (
	Suffix Place = iota // after the original name, as in the standard
	Prefix              // before it, as in Acrobat 6 to 11
)

// In names of fields, the standard writes a byte as two letters from A to P, high half first. It does not say whether
// the original name is also written in letters.

// Escape returns the form of an identifier in names: 00 becomes \0, 2E (a full stop) \p, 5C (a backslash) \\, and
// other bytes stay (ISO 32000-2:2020, table 387). The result has 16 to 32 bytes.
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

// Unescape reads an escaped identifier at the start of s and returns the rest of s. It accepts only the output of
// Escape: if ok is true, Escape(id) + rest == s.
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

// fromLetters decodes bytes that are written as letters; ok is false if s is not valid.
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

// Match is a way to split a unique name into an original name and an identifier.
type Match struct {
	ID    ID
	Place Place // Prefix if there is no original name
}

// Splits yields each well-formed way to split a destination name. Matches with the escaped identifier before the
// original name, as in real files, come first; then those with the identifier after it. Most names of 16 bytes or more
// have a match by chance.
func Splits(name string) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		if id, _, ok := Unescape(name); ok && !yield(Match{id, Prefix}) {
			return
		}
		for n := len(ID{}); n <= min(2*len(ID{}), len(name)-1); n++ {
			if id, rest, ok := Unescape(name[len(name)-n:]); ok && rest == "" && !yield(Match{id, Suffix}) {
				return
			}
		}
	}
}

// FieldSplits is Splits for names of form fields. Ways to split a name that is written in letters as a whole come
// first. An identifier in letters that was not escaped is yielded only if the name contains nothing else.
func FieldSplits(name string) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		if whole, ok := fromLetters(name); ok {
			for m := range Splits(whole) {
				if !yield(m) {
					return
				}
			}
			if id, ok := FromBytes([]byte(whole)); ok && Escape(id) != whole && !yield(Match{id, Prefix}) {
				return
			}
		}
		size := len(ID{})
		for n := 2 * size; n <= min(4*size, len(name)-1); n += 2 {
			for _, m := range []Match{{Place: Prefix}, {Place: Suffix}} {
				encoded := name[:n]
				if m.Place == Suffix {
					encoded = name[len(name)-n:]
				}
				escaped, _ := fromLetters(encoded)
				id, rest, ok := Unescape(escaped)
				if m.ID = id; ok && rest == "" && !yield(m) {
					return
				}
			}
		}
	}
}

// Split searches a destination name for a known identifier. It returns the first match of Splits whose identifier is
// known; ok is false if there is none. known reports whether a content set has this identifier.
func Split(name string, known func(ID) bool) (m Match, ok bool) {
	for m := range Splits(name) {
		if known(m.ID) {
			return m, true
		}
	}
	return Match{}, false
}

// Likeliest sorts matches by likelihood, for callers that know no identifiers. Identifiers that look least like text
// come first. This is a guess: a short name followed by the start of a digest may also look like a digest.
func Likeliest(splits iter.Seq[Match]) []Match {
	list := slices.Collect(splits)
	weight := func(m Match) int {
		if !m.ID.LooksDigested() {
			return 0
		}
		return unlikeText(m.ID)
	}
	slices.SortStableFunc(list, func(a, b Match) int { return cmp.Compare(weight(b), weight(a)) })
	return list
}

// LooksDigested reports whether the 16 bytes of id are likely to be a digest rather than text in some encoding.
func (id ID) LooksDigested() bool {
	byteOrderMark := id[0] == 0xfe && id[1] == 0xff || id[0] == 0xff && id[1] == 0xfe
	return unlikeText(id) >= 5 && !byteOrderMark && !utf8.Valid(id[:])
}

// unlikeText returns the number of bytes that are not printable ASCII: ten on average for a digest.
func unlikeText(id ID) int {
	n := 0
	for _, c := range id {
		if c < 0x20 || c > 0x7e {
			n++
		}
	}
	return n
}
