package report

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/layout/layouttest"
)

// FuzzTable reads tables like somebody before a terminal: rows begin with a level and a
// rule, lines below belong to them, the columns are where they were in the row before,
// and what stands there is what was found. No line is too long, or does anything.
func FuzzTable(f *testing.F) {
	for i, s := range hostile {
		f.Add(s, "a message that is long enough to be broken "+s, uint8(i*13))
		if i%2 == 0 {
			f.Add(strings.Repeat(s, 3), "key (x)  is  not y "+s, uint8(0))
		}
	}
	f.Add("\xe6\xe6\xe6\xe6\xe6\xe6", strings.Repeat("word ", 11)+"-1", uint8(143)) // wider as it is shown
	f.Fuzz(func(t *testing.T, place, message string, width uint8) {
		place, message = place[:min(len(place), 1<<10)], message[:min(len(message), 1<<12)]
		var findings []audit.Finding
		for i, id := range []string{"WC302", "WC204", "WC126", "WC302"} {
			rule, ok := audit.Lookup(id)
			if !ok {
				t.Fatalf("%s is not a rule", id)
			}
			at := []audit.Place{{Part: place}, {}, {Part: "pages"}, {Key: nametree.Key(place)}}[i]
			findings = append(findings, audit.Finding{Rule: rule, Place: at, Message: []string{message, "short", "", message + message}[i]})
		}
		const path = "a.pdf"
		rep := &audit.Report{
			Facts:      webcapture.Facts{Present: true, Repaired: true, Notices: []string{message}},
			Findings:   audit.FindingsOf(findings...),
			Unread:     []audit.Unread{{Place: audit.Place{Part: place}, Err: errors.New(message)}},
			Identities: []audit.Identity{{URL: place, Where: message, Reason: message, Proof: audit.Mismatch}},
		}
		write := func(colour bool) string {
			var out bytes.Buffer
			w := newTable(&out, Options{Width: int(width), Colour: colour})
			if err := errors.Join(w.Add(&Record{Path: path, Report: rep}), w.Close(true)); err != nil {
				t.Fatal(err)
			}
			return out.String()
		}
		out := write(false)
		if painted := write(true); regexp.MustCompile("\x1b\\[[0-9]+m").ReplaceAllString(painted, "") != out {
			t.Errorf("%q with colours, want\n%s", painted, out)
		}
		limit := int(width)
		if limit > 0 {
			limit = max(limit, 40)
		}
		if strings.ContainsFunc(shown(place), isUneven) {
			limit = 0 // columns are aligned as terminals show them, so that lines have any number of characters
		}
		layouttest.Lines(t, out, limit)
		checkRows(t, strings.Split(out, "\n"), findings)
	})
}

// rowStart begins a row of findings: the level, the rule, and what is beside them.
var rowStart = regexp.MustCompile(`^(  (?:error|warning|note) +WC[0-9]{3}(?:  |$))(.*)$`)

// checkRows holds the rows before the first line that is empty against findings.
func checkRows(t *testing.T, lines []string, findings []audit.Finding) {
	t.Helper()
	var rows [][]string // lines without the labels
	labels := ""
	for _, l := range lines[:slices.Index(lines, "")] {
		if m := rowStart.FindStringSubmatch(l); m != nil {
			if start := strings.Repeat(" ", len(m[1])); m[2] != "" {
				if labels != "" && labels != start {
					t.Errorf("a row begins at %d, others at %d: %s", len(start), len(labels), l)
				}
				labels = start
			}
			rows = append(rows, []string{m[2]})
		} else if rest, ok := strings.CutPrefix(l, labels); ok && labels != "" {
			rows[len(rows)-1] = append(rows[len(rows)-1], rest)
		} else if len(rows) > 0 {
			break
		}
	}
	if len(rows) != len(findings) {
		t.Fatalf("%d rows for %d findings:\n%s", len(rows), len(findings), strings.Join(lines, "\n"))
	}
	column := 0 // of messages, if places have one of their own; what is wider, or narrower, than others is not measured
	for _, f := range findings {
		place := shown(f.Place.String())
		if strings.ContainsFunc(place, isUneven) {
			column = 0
			break
		}
		column = max(column, len(place)+2)
	}
	for i, f := range findings {
		place, message := shown(f.Place.String()), shown(f.Message)
		together := strings.TrimSuffix(strings.TrimPrefix(place+": "+message, ": "), ": ")
		if !isText(strings.Join(rows[i], ""), together) && !isColumns(rows[i], column, place, message) {
			t.Errorf("row %d is\n%s\nwant %q, %q", i, strings.Join(rows[i], "\n"), place, message)
		}
	}
}

// isText returns whether got is what a cell has room for of want. Where lines were broken
// shows only as a space that is more or less.
func isText(got, want string) bool {
	if r := []rune(want); len(r) > 400 {
		want = string(r[:400]) + "…"
	}
	return strings.ReplaceAll(got, " ", "") == strings.ReplaceAll(want, " ", "")
}

// isUneven returns whether a character may take another place on a terminal than one of ASCII.
func isUneven(r rune) bool { return r > '~' }

// isColumns returns whether lines hold a place, and beside it, from a column on, a message.
func isColumns(lines []string, column int, place, message string) bool {
	first, ok := strings.CutPrefix(lines[0], strings.TrimRight(place, " "))
	if !ok || !isText(first+strings.Join(lines[1:], ""), message) {
		return false
	}
	for i, l := range lines {
		if i == 0 {
			l = strings.Repeat(" ", len(place)) + l[min(len(l), len(place)):]
		}
		if strings.Trim(l[:min(len(l), column)], " ") != "" {
			return false
		}
	}
	return true
}

// shown returns what people see of s: for what is not printable, what Go has for it in strings.
func shown(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		_, size := utf8.DecodeRuneInString(s)
		quoted := strings.Trim(strconv.Quote(s[:size]), `"`)
		switch {
		case s[0] == '"' || s[0] == '\\':
			quoted = s[:1]
		case len(quoted) == 2 && quoted[0] == '\\': // \n and the like
			quoted = fmt.Sprintf(`\x%02x`, s[0])
		}
		b.WriteString(quoted)
		s = s[size:]
	}
	return b.String()
}
