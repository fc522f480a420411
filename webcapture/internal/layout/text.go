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

// Wrap breaks s into lines of at most width characters. It breaks at spaces, and within URLs after a slash, a
// question mark, or an ampersand. A longer piece without such a position, for example a hexadecimal string, stays
// whole, so that it can be copied. Wrap does not break a PDF reference, nor a literal string that fits on a line. A
// literal string with a URL is broken like a URL, and also at spaces if necessary. With a width of 0, Wrap breaks
// nothing.
func Wrap(s string, width int) []string {
	if width <= 0 || utf8.RuneCountInString(s) <= width {
		return []string{s}
	}
	var lines []string
	line, n := "", 0 // n is the number of characters in line
	from := 0
	for _, end := range ends(s, width) {
		piece := s[from:end]
		from = end
		if line != "" && n+utf8.RuneCountInString(strings.TrimRight(piece, " ")) > width {
			lines = append(lines, strings.TrimRight(line, " "))
			line, n = "", 0
		}
		line += piece
		n += utf8.RuneCountInString(piece)
	}
	return append(lines, strings.TrimRight(line, " "))
}

// ends returns the positions where s may be broken, after spaces and within URLs, and the end of s.
func ends(s string, width int) []int {
	var list []int
	var inner []int // positions after spaces in PDF code since the last end; used only as a last resort
	add := func(end int) {
		from := 0
		if len(list) > 0 {
			from = list[len(list)-1]
		}
		if utf8.RuneCountInString(strings.TrimRight(s[from:end], " ")) > width {
			list = append(list, inner...)
		}
		list, inner = append(list, end), nil
	}
	code := 0 // end of the PDF code at i, which is not broken at spaces
	room := 0 // end of the PDF code at i, if it fits on a line
	host := 0 // start of the host of the URL at i; 0 outside URLs
	for i := len(s) - len(strings.TrimLeft(s, " ")); i < len(s); {
		if i >= code && (i == 0 || s[i-1] != '\\') { // an escaped parenthesis does not begin a string
			switch n := codeEnd(s[i:]); {
			case n == 0:
			case utf8.RuneCountInString(s[i:i+n]) <= width:
				code, room = i+n, i+n
			case beginsWithURL(s[i : i+n]):
				code = i + n
			}
		}
		if i >= room && strings.HasPrefix(s[i:], "://") {
			host = i + len("://")
		}
		i++
		switch {
		case i == len(s):
		case s[i] == ' ':
			next := len(s) - len(strings.TrimLeft(s[i:], " "))
			if i < code {
				inner = append(inner, next)
				continue
			}
			i, host = next, 0
			add(i)
		case host > 0 && i > max(host, room) && breaksURL(s, i):
			add(i)
		}
	}
	if len(list) == 0 || list[len(list)-1] != len(s) {
		add(len(s))
	}
	return list
}

// beginsWithURL reports whether the first word of s has a scheme and a host.
func beginsWithURL(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	return strings.Contains(word, "://")
}

// breaksURL reports whether a URL in s may be broken before s[i].
func breaksURL(s string, i int) bool {
	return strings.IndexByte("/?&", s[i-1]) >= 0 && strings.IndexByte("/)", s[i]) < 0
}

var reference = regexp.MustCompile(`^[0-9]{1,10} [0-9]{1,5} R\b`)

// codeEnd returns the end of the PDF code at the start of s, or 0. The code is a reference, or a literal string
// without unescaped parentheses in it.
func codeEnd(s string) int {
	switch {
	case '0' <= s[0] && s[0] <= '9':
		return len(reference.FindString(s))
	case s[0] != '(':
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
