package digest

import (
	"cmp"
	"iter"
	"slices"
	"strings"
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

// Form is a way to make a name unique with an identifier, by a reading of the standard or as real files do it. In names
// of fields, the standard writes a byte as two letters from A to P, high half first. It does not say whether the
// original name is also written in letters.
type Form int

const (
	DestinationSuffix Form = iota // destination, standard: original name + identifier
	DestinationPrefix             // destination, Acrobat 6 to 11: identifier + original name
	FieldWhole                    // field, first reading: original name in letters + identifier in letters
	FieldID                       // field, second reading: original name + identifier in letters
	FieldRoot                     // parent of the fields of a page set, Acrobat 5: only the identifier, in letters
)

// Forms returns all forms, first those of destinations.
func Forms() []Form {
	return []Form{DestinationSuffix, DestinationPrefix, FieldWhole, FieldID, FieldRoot}
}

// String returns a name of the form.
func (f Form) String() string {
	return [...]string{"destination-suffix", "destination-prefix", "field-whole", "field-id", "field-root"}[f]
}

// OfField reports whether the form is for names of form fields.
func (f Form) OfField() bool { return f >= FieldWhole }

// Name returns the unique name for original and id. FieldRoot ignores original.
func (f Form) Name(original string, id ID) string {
	switch f {
	case DestinationPrefix:
		return Escape(id) + original
	case FieldWhole:
		return letters(original + Escape(id))
	case FieldID:
		return original + letters(Escape(id))
	case FieldRoot:
		return letters(Escape(id))
	}
	return original + Escape(id)
}

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

func letters(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteByte('A' + s[i]>>4)
		b.WriteByte('A' + s[i]&15)
	}
	return b.String()
}

// fromLetters is the inverse of letters; ok is false if s is not valid.
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

// Match is a way to split a unique name. An identifier in letters before the rest of a name has no Form of its own; for
// such a match, Form and Place do not agree.
type Match struct {
	Original string
	ID       ID
	Place    Place // Prefix if there is no Original
	Form     Form
}

// Splits yields each well-formed way to split a destination name. Matches with the escaped identifier before the
// original name, as in real files, come first; then those with the identifier after it. Most names of 16 bytes or more
// have a match by chance.
func Splits(name string) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		if id, rest, ok := Unescape(name); ok && !yield(Match{rest, id, Prefix, DestinationPrefix}) {
			return
		}
		for n := len(ID{}); n <= min(2*len(ID{}), len(name)-1); n++ {
			cut := len(name) - n
			if id, rest, ok := Unescape(name[cut:]); ok && rest == "" &&
				!yield(Match{name[:cut], id, Suffix, DestinationSuffix}) {
				return
			}
		}
	}
}

// FieldSplits is Splits for names of form fields. FieldWhole comes first: an original name that consists of letters
// from A to P is first yielded as the bytes that these letters encode. An identifier in letters that was not escaped is
// yielded only if the name contains nothing else.
func FieldSplits(name string) iter.Seq[Match] {
	return func(yield func(Match) bool) {
		if whole, ok := fromLetters(name); ok {
			for m := range Splits(whole) {
				m.Form = FieldWhole
				if m.Original == "" {
					m.Form = FieldRoot
				}
				if !yield(m) {
					return
				}
			}
			if id, ok := FromBytes([]byte(whole)); ok && Escape(id) != whole &&
				!yield(Match{"", id, Prefix, FieldRoot}) {
				return
			}
		}
		size := len(ID{})
		for n := 2 * size; n <= min(4*size, len(name)-1); n += 2 {
			for _, p := range []Place{Prefix, Suffix} {
				encoded, original := name[:n], name[n:]
				if p == Suffix {
					encoded, original = name[len(name)-n:], name[:len(name)-n]
				}
				escaped, _ := fromLetters(encoded)
				if id, rest, ok := Unescape(escaped); ok && rest == "" && !yield(Match{original, id, p, FieldID}) {
					return
				}
			}
		}
	}
}

// Split splits a destination name into the original name and a known identifier. It returns the first match of Splits
// whose identifier is known; ok is false if there is none. known reports whether a content set has this identifier.
func Split(name string, known func(ID) bool) (m Match, ok bool) { return first(Splits(name), known) }

// SplitField is Split for names of form fields.
func SplitField(name string, known func(ID) bool) (m Match, ok bool) {
	return first(FieldSplits(name), known)
}

func first(splits iter.Seq[Match], known func(ID) bool) (m Match, ok bool) {
	for m := range splits {
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
