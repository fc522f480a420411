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

// Wrap breaks s at spaces, or within words that are longer than a line, so that
// no line has more than width characters. With a width of 0 it breaks nothing.
func Wrap(s string, width int) []string {
	if width <= 0 {
		return []string{s}
	}
	var lines []string
	for utf8.RuneCountInString(s) > width {
		end := cut(s, width)
		if space := strings.LastIndexByte(s[:end+1], ' '); space > 0 {
			end = space
		}
		lines = append(lines, strings.TrimRight(s[:end], " "))
		s = strings.TrimLeft(s[end:], " ")
	}
	if s == "" && len(lines) > 0 { // nothing but spaces was left
		return lines
	}
	return append(lines, s)
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
