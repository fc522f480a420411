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
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout/layouttest"
)

// FuzzTable parses tables: blocks begin with a level, a rule, and a headline, and the findings follow, in columns
// if there is room. No line is too long or contains control characters.
func FuzzTable(f *testing.F) {
	for i, s := range hostile {
		f.Add(s, "a message that is long enough to be broken "+s, uint8(i*13))
		if i%2 == 0 {
			f.Add(strings.Repeat(s, 3), "key (x)  is  not y "+s, uint8(0))
		}
	}
	f.Add("\xe6\xe6\xe6\xe6\xe6\xe6", strings.Repeat("word ", 11)+"-1", uint8(143)) // wider as it is shown
	f.Add("[a\xf8\xcdPk](http://evil.](x) ", "a message (of two) words", uint8(1))  // an escaped parenthesis
	f.Fuzz(func(t *testing.T, place, message string, width uint8) {
		place, message = place[:min(len(place), 1<<10)], message[:min(len(message), 1<<12)]
		if strings.TrimSpace(message) == "" && (message != "" || strings.TrimSpace(place) == "") {
			return // a finding says something
		}
		var findings []rule.Finding
		for i, id := range []string{"WC302", "WC204", "WC126", "WC302"} {
			one, ok := audit.Lookup(id)
			if !ok {
				t.Fatalf("%s is not a rule", id)
			}
			at := []rule.Place{{Part: place}, {}, {Part: "pages"}, {Key: nametree.Key(place)}}[i]
			findings = append(findings, rule.Finding{Rule: one, Place: at,
				Message: []string{message, "short", "", message + message}[i]})
		}
		const path = "a.pdf"
		rep := &audit.Report{
			Facts:      webcapture.Facts{Present: true, WithoutXRef: true, Notices: []string{message}},
			Findings:   rule.Findings(findings),
			Unread:     []rule.Unread{{Place: rule.Place{Part: place}, Err: errors.New(message)}},
			Identities: []rule.Identity{{URL: nametree.Key(place), Where: message, Reason: message, Proof: rule.Mismatch}},
		}
		write := func(colour bool) string {
			var out bytes.Buffer
			w := newTable(&out, Options{Width: int(width), Colour: colour})
			if err := errors.Join(w.Add(&Record{Path: path, Report: rep}), w.Close(Complete)); err != nil {
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
		headline := func(i int) string {
			return strings.TrimSuffix(findings[i].Rule.Problem+", "+findings[i].Rule.Cause, ", ")
		}
		checkBlocks(t, strings.Split(out, "\n"), int(width), []wantBlock{
			{findings[0].Rule, headline(0) + ": 2 times", []rule.Finding{findings[0], findings[3]}},
			{findings[2].Rule, headline(2), findings[2:3]},
			{findings[1].Rule, headline(1), findings[1:2]},
		})
	})
}

// rowStart matches the start of a row of findings: the level, the rule, and the text next to them.
var rowStart = regexp.MustCompile(`^(  (?:error|warning|note) +WC[0-9]{3}(?:  |$))(.*)$`)

// checkBlocks compares the blocks before the first empty line with findings: for each rule a headline, and then the
// findings.
func checkBlocks(t *testing.T, lines []string, width int, blocks []wantBlock) {
	t.Helper()
	lines = lines[1:slices.Index(lines, "")]
	for len(lines) > 0 && rowStart.FindString(lines[0]) == "" {
		lines = lines[1:] // of the headline of the file, and its structure
	}
	for _, b := range blocks {
		m := rowStart.FindStringSubmatch(lines[0])
		if m == nil || strings.Fields(m[1])[1] != b.rule.ID || len(m[1]) != len(indent) {
			t.Fatalf("%q does not begin a block of %s", lines[0], b.rule.ID)
		}
		rows := []string{m[2]}
		for lines = lines[1:]; len(lines) > 0 && strings.HasPrefix(lines[0],
			strings.Repeat(" ", len(indent))); lines = lines[1:] {
			rows = append(rows, lines[0][len(indent):])
		}
		all := strings.Join(rows, "\n")
		rows, ok := cutLines(rows, func(l []string) bool { return isText(strings.Join(l, ""), b.headline) })
		if !ok {
			t.Fatalf("the headline %q is not in\n%s", b.headline, all)
		}
		column := b.column()
		for _, f := range b.findings {
			place, message := shown(f.Place.String()), shown(f.Message)
			if width > 0 {
				message = longString.ReplaceAllString(message, "$1…$2")
			}
			together := strings.TrimSuffix(strings.TrimPrefix(place+": "+message, ": "), ": ")
			rows, ok = cutLines(rows, func(l []string) bool {
				return isText(strings.Join(l, ""), together) || isColumns(l, column, place, message)
			})
			if !ok {
				t.Fatalf("%q, %q is not where it should be in\n%s", place, message, all)
			}
		}
		if len(rows) > 0 {
			t.Fatalf("%q is more than was found in\n%s", rows, all)
		}
	}
}

// A wantBlock has the expected lines of a block.
type wantBlock struct {
	rule     *rule.Rule
	headline string
	findings []rule.Finding
}

// column returns the column of messages if places have a separate column; 0 if unknown, because characters of
// unusual width are not measured.
func (b wantBlock) column() int {
	column := 0
	for _, f := range b.findings {
		place := shown(f.Place.String())
		if strings.ContainsFunc(place, isUneven) {
			return 0
		}
		column = max(column, len(place)+2)
	}
	return column
}

// longString matches a shortened hexadecimal string, and the rest of it.
var longString = regexp.MustCompile(`(<[0-9a-f]{8})[0-9a-f]{8,}([0-9a-f]{4}>)`)

// cutLines returns the lines after the expected ones.
func cutLines(lines []string, wanted func([]string) bool) (rest []string, ok bool) {
	for n := range lines {
		if wanted(lines[:n+1]) {
			return lines[n+1:], true
		}
	}
	return lines, false
}

// isText reports whether got is the part of want that fits into a cell. Line breaks may add or remove a space.
func isText(got, want string) bool {
	if r := []rune(want); len(r) > 2500 {
		want = string(r[:2500]) + "…"
	}
	return strings.ReplaceAll(got, " ", "") == strings.ReplaceAll(want, " ", "")
}

// isUneven reports whether a character may have another width on a terminal than an ASCII character.
func isUneven(r rune) bool { return r > '~' }

// isColumns reports whether lines contain a place and, from a column on, a message.
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

// shown returns s with Go escapes for unprintable characters.
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
