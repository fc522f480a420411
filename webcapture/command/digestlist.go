package command

// Lists of identifiers in the format of md5sum.

import (
	"bufio"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// sumLine returns a line in the format of md5sum. It escapes bytes that would end the line, and marks a line with
// escapes by a backslash at its start.
func (p *program) sumLine(id digest.ID, name string) string {
	mark, name := escapedName(name)
	if p.width > 0 {
		name = layout.Printable(name)
	}
	return mark + id.String() + "  " + name
}

var nameEscapes = []string{`\`, `\\`, "\n", `\n`, "\r", `\r`}

func escapedName(name string) (mark, escaped string) {
	if !strings.ContainsAny(name, "\\\n\r") {
		return "", name
	}
	return `\`, strings.NewReplacer(nameEscapes...).Replace(name)
}

// unescapedName reverses escapedName; ok is false if a backslash does not begin an escape.
func unescapedName(s string) (name string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		if i++; i == len(s) {
			return "", false
		}
		switch s[i] {
		case '\\':
			b.WriteByte('\\')
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		default:
			return "", false
		}
	}
	return b.String(), true
}

// parseSum reads a line of a list. The line has 32 hexadecimal digits, a blank, a blank or an asterisk, and a name;
// or, as on BSD, MD5 (name) = digits.
func parseSum(line string) (id digest.ID, name string, ok bool) {
	line, escaped := strings.CutPrefix(strings.TrimLeft(line, " \t"), `\`)
	var digits string
	if rest, bsd := strings.CutPrefix(line, "MD5 ("); bsd {
		end := strings.LastIndex(rest, ") = ")
		if end < 0 {
			return id, "", false
		}
		name, digits = rest[:end], rest[end+len(") = "):]
	} else {
		n := hex.EncodedLen(len(id))
		if len(line) < n+3 || line[n] != ' ' || line[n+1] != ' ' && line[n+1] != '*' {
			return id, "", false
		}
		digits, name = line[:n], line[n+2:]
	}
	id, err := digest.Parse(digits)
	if err != nil || name == "" {
		return digest.ID{}, "", false
	}
	if escaped {
		name, ok = unescapedName(name)
		return id, name, ok
	}
	return id, name, true
}

// checkCounts counts the lines of a list by outcome.
type checkCounts struct {
	fromStdin                               bool // the list is standard input, so it cannot list standard input
	lines, malformed, unreadable, different int
}

// check checks the files in the lists.
func (d *digester) check(ctx context.Context, lists []string) error {
	for _, list := range lists {
		n := checkCounts{fromStdin: list == batch.Stdin}
		end := d.p.working("checking %s", list)
		var stop error
		err := d.open(ctx, list, func(r io.Reader) error {
			lines := bufio.NewScanner(r)
			lines.Buffer(nil, maxLine)
			for stop == nil && lines.Scan() {
				if line := lines.Text(); !strings.HasPrefix(line, "#") { // # begins a comment, as in md5sum
					stop = d.checkLine(ctx, line, &n)
				}
			}
			if lines.Err() == bufio.ErrTooLong {
				return fmt.Errorf("not a list: a line is longer than %d bytes", maxLine)
			}
			return lines.Err()
		})
		end()
		if isEnd(err) {
			stop = err
		}
		if stop != nil {
			return stop
		}
		d.sayChecked(list, n, err)
	}
	return nil
}

// maxLine is the maximum length of a line in a list of digests or names.
const maxLine = 1 << 20

// sayChecked reports the problems of a list and records them in the outcome of the run.
func (d *digester) sayChecked(list string, n checkCounts, err error) {
	if n.malformed > 0 {
		d.p.say("%s: %s not of the form DIGEST NAME", list, isAre(n.malformed, "line"))
	}
	if n.different > 0 {
		d.p.say("%s: %s not agree", list, doesDo(n.different, "digest"))
		d.p.wrong = true
	}
	if n.unreadable > 0 {
		d.p.say("%s: %s could not be read", list, layout.Count(n.unreadable, "file"))
		d.p.partial = true
	}
	switch {
	case err != nil:
		d.p.say("%s", layout.OneLine(err))
		d.p.partial = true
	case n.lines == 0:
		d.p.say("%s: no digests to check", list)
		d.p.partial = true
	}
}

func isAre(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return layout.Count(n, noun) + " are"
}

func doesDo(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " does"
	}
	return layout.Count(n, noun) + " do"
}

// checkLine checks one line of a list. The error is a write error, or that of the context.
func (d *digester) checkLine(ctx context.Context, line string, n *checkCounts) error {
	id, name, ok := parseSum(line)
	if !ok || n.fromStdin && name == batch.Stdin {
		n.malformed++
		return nil
	}
	n.lines++
	var reading string
	var missing []page.Reference
	err := d.open(ctx, name, func(r io.Reader) (err error) {
		reading, missing, ok, err = d.match(name, r, id)
		return err
	})
	verdict := "OK"
	switch {
	case isEnd(err):
		return err
	case err != nil:
		n.unreadable++
		verdict = "FAILED open or read"
		d.p.say("%s", layout.OneLine(err))
	case !ok:
		n.different++
		verdict = "FAILED"
		d.sayMissing(name, missing)
	case reading != "":
		verdict += " (" + reading + ")"
	}
	mark, name := escapedName(name)
	if d.p.width > 0 {
		name = layout.Printable(name)
	}
	if err := d.p.printf("%s%s: %s\n", mark, name, verdict); err != nil {
		return cannotWrite(err)
	}
	return nil
}
