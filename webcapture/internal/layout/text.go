package layout

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns s fit for one line of a terminal: what is not a printable
// character, control bytes and invalid UTF-8 among it, is replaced by the escape
// that a Go string has for it.
func Printable(s string) string {
	if isPrintable(s) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// Cell returns s fit for a cell of a spreadsheet: printable, and with an apostrophe before
// what a spreadsheet would take for a formula.
func Cell(s string) string {
	s = Printable(s)
	for _, begin := range [...]string{"=", "+", "-", "@", "＝", "＋", "－", "＠"} {
		if strings.HasPrefix(s, begin) {
			return "'" + s
		}
	}
	return s
}

func isPrintable(s string) bool {
	for _, r := range s {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// OneLine returns the text of an error on one printable line.
func OneLine(err error) string {
	return Printable(strings.ReplaceAll(strings.TrimRight(err.Error(), "\n"), "\n", "; "))
}

// Wrap breaks s into lines of at most width characters, at spaces, and within URLs after
// a slash, a question mark or an ampersand. What cannot be broken there, such as a
// string in hexadecimal, has a line of its own, however long, so that it copies as one
// piece. A literal string of a PDF is kept together if a line has room for it. With a width
// of 0 nothing is broken.
func Wrap(s string, width int) []string {
	if width <= 0 {
		return []string{s}
	}
	var lines []string
	from := 0
	for utf8.RuneCountInString(s[from:]) > width {
		end := breakAt(s, from, width)
		if end == len(s) {
			break
		}
		lines = append(lines, strings.TrimRight(s[from:end], " "))
		from = len(s) - len(strings.TrimLeft(s[end:], " "))
	}
	if from == len(s) && len(lines) > 0 { // nothing but spaces was left
		return lines
	}
	return append(lines, s[from:])
}

// breakAt returns where the line of s ends that begins at from: at the last place that
// leaves at most width characters, or else at the first place there is.
func breakAt(s string, from, width int) int {
	end, n := 0, 0 // where the line may end, and the characters up to i
	blank := true  // these are spaces
	for i := from; i < len(s); {
		unit := unitOf(s[i:], width)
		n += utf8.RuneCountInString(unit)
		i += len(unit)
		if n > width && end > 0 {
			return end
		}
		blank = blank && unit == " "
		if !blank && (i == len(s) || s[i] == ' ' || isURLBreak(s, i)) {
			end = i
		}
		if n > width && end > 0 {
			return end
		}
	}
	return len(s)
}

// unitOf returns what begins s and is not broken: a literal string that fits in a line, or
// a character.
func unitOf(s string, width int) string {
	if end := literalEnd(s); end > 0 && utf8.RuneCountInString(s[:end]) <= width {
		return s[:end]
	}
	_, size := utf8.DecodeRuneInString(s)
	return s[:size]
}

// literalEnd returns where a literal string ends that s begins with, in which parentheses
// are escaped; 0 if there is none.
func literalEnd(s string) int {
	if s[0] != '(' {
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '(':
			return 0
		case ')':
			return i + 1
		}
	}
	return 0
}

// isURLBreak reports whether s[:i] ends with a character after which a URL may be broken.
func isURLBreak(s string, i int) bool {
	if strings.IndexByte("/?&", s[i-1]) < 0 || s[i] == '/' {
		return false
	}
	return strings.Contains(s[strings.LastIndexByte(s[:i], ' ')+1:i-1], "://")
}

// ShortenMiddle returns s with what is too long for n characters cut out of its
// middle.
func ShortenMiddle(s string, n int) string {
	long := utf8.RuneCountInString(s)
	if long <= n {
		return s
	}
	head := n * 2 / 3
	return s[:cut(s, head)] + "…" + s[cut(s, long-(n-head-1)):]
}

// cut returns where in s the character with index n begins; s has more than n.
func cut(s string, n int) int {
	for i := range s {
		if n--; n < 0 {
			return i
		}
	}
	return len(s)
}

// Count returns n with a noun, which gets an s unless n is 1.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
