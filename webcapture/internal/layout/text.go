package layout

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns s in a form for one line of a terminal. Unprintable characters, control bytes, and invalid
// UTF-8 become Go escapes.
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

// Cell returns s in a form for a cell of a spreadsheet: printable, and with an apostrophe before text that a
// spreadsheet would take for a formula.
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

// Wrap breaks s into lines of at most width characters. It breaks at spaces only: a longer word, such as a URL or a
// hexadecimal string, stays whole, so that it can be copied. With a width of 0, Wrap breaks nothing.
func Wrap(s string, width int) []string {
	if width <= 0 || utf8.RuneCountInString(s) <= width {
		return []string{s}
	}
	var lines []string
	line, n := "", 0 // n is the number of characters in line
	for _, w := range word.FindAllString(s, -1) {
		if line != "" && n+utf8.RuneCountInString(strings.TrimRight(w, " ")) > width {
			lines = append(lines, strings.TrimRight(line, " "))
			line, n = "", 0
		}
		line += w
		n += utf8.RuneCountInString(w)
	}
	return append(lines, strings.TrimRight(line, " "))
}

// word matches a word and the spaces around it.
var word = regexp.MustCompile(`^ *[^ ]* *|[^ ]+ *`)

// ShortenMiddle shortens s to n characters by cutting its middle.
func ShortenMiddle(s string, n int) string {
	long := utf8.RuneCountInString(s)
	if long <= n {
		return s
	}
	head := n * 2 / 3
	return s[:cut(s, head)] + "…" + s[cut(s, long-(n-head-1)):]
}

// cut returns the byte position of the character with index n, or len(s) if there is none.
func cut(s string, n int) int {
	for i := range s {
		if n--; n < 0 {
			return i
		}
	}
	return len(s)
}

// Count returns n with a noun in singular or plural.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
