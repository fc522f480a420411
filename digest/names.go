package digest

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// Names are bytes in Go strings, before they are written as PDF strings: a
// backslash here is one byte, and writing it as a literal string doubles it.

// Place is where a unique name has the identifier.
type Place int

const (
	Suffix Place = iota // after the original name, as the standard says
	Prefix              // before it, as Acrobat 6 to 11 do
)

// Form is a way to make a name unique with an identifier: one that the
// standard's text can mean, or one that real files have. What the standard says
// of fields is that bytes become two letters from A to P each, high half first;
// it does not say whether those of the original name do.
type Form int

const (
	DestinationSuffix Form = iota // of a destination, by the standard: its name, the identifier
	DestinationPrefix             // of a destination, by Acrobat 6 to 11: the identifier, its name
	FieldWhole                    // of a field, by one reading: letters for its name and the identifier
	FieldID                       // of a field, by the other: its name, letters for the identifier
	FieldRoot                     // of the field above those of a page set, by Acrobat 5: letters for the identifier
)

// Forms returns all forms, those of destinations first.
func Forms() []Form {
	return []Form{DestinationSuffix, DestinationPrefix, FieldWhole, FieldID, FieldRoot}
}

// String returns a name for the form.
func (f Form) String() string {
	return [...]string{"destination-suffix", "destination-prefix", "field-whole", "field-id", "field-root"}[f]
}

// OfField reports whether names of form fields have the form.
func (f Form) OfField() bool { return f >= FieldWhole }

// Name returns the unique name that original becomes, which as a FieldRoot plays
// no part in it.
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

// Match says what a unique name was made of. Form and Place differ in what is
// not of any Form as it stands: an identifier in letters before the rest of a name.
type Match struct {
	Original string
	ID       ID
	Place    Place // Prefix if there is no Original
	Form     Form
}

// Splits yields each way to take a destination name apart that is well formed:
// with the escaped form of an identifier before the original name, as in real
// files, then after it. Nearly every name of 16 bytes or more has one.
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

// FieldSplits is to names of form fields as Splits is to destination names. A
// FieldWhole goes first, so that an original name of nothing but letters from A to
// P comes out first as the bytes that these stand for. An identifier that became
// letters without being escaped is yielded if there is nothing else in the name.
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

// Split takes a destination name apart. It is unique in the sense of the
// standard if it has the escaped form of a known identifier before or after
// it; the first of Splits wins. Known reports whether an identifier is that of a
// content set.
func Split(name string, known func(ID) bool) (m Match, ok bool) { return first(Splits(name), known) }

// SplitField is to names of form fields as Split is to destination names.
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

// Likeliest returns the ways in the order in which they are likely when no
// identifier is known: the less like text their identifiers are, the more. A
// short name and the beginning of a digest may look like a digest, too.
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

// LooksDigested reports whether 16 bytes of a name are likely to be a digest,
// and not text in any encoding.
func (id ID) LooksDigested() bool {
	byteOrderMark := id[0] == 0xfe && id[1] == 0xff || id[0] == 0xff && id[1] == 0xfe
	return unlikeText(id) >= 5 && !byteOrderMark && !utf8.Valid(id[:])
}

// unlikeText returns how many bytes are not printable ASCII: of a digest, ten
// on average.
func unlikeText(id ID) int {
	n := 0
	for _, c := range id {
		if c < 0x20 || c > 0x7e {
			n++
		}
	}
	return n
}
