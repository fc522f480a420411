package report

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
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

// A table has each finding after the level, the rule, and the headline of its block. No line is too long or contains
// control characters.
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
		rest := spaces.ReplaceAllString(out, "")
		has := func(text string) {
			if r := []rune(text); len(r) > 2500 {
				text = string(r[:2500]) + "…"
			}
			_, after, ok := strings.Cut(rest, spaces.ReplaceAllString(text, ""))
			if !ok {
				t.Fatalf("%q is not in %q, at the end of\n%s", text, rest, out)
			}
			rest = after
		}
		for _, block := range [][]rule.Finding{{findings[0], findings[3]}, findings[2:3], findings[1:2]} {
			r := block[0].Rule
			has(r.Level.String() + r.ID + strings.TrimSuffix(r.Problem+", "+r.Cause, ", "))
			for _, f := range block {
				has(shown(f.Place.String() + ": " + f.Message))
			}
		}
	})
}

// spaces matches what line breaks may add or remove.
var spaces = regexp.MustCompile(`[ \n]+`)

// isUneven reports whether a character may have another width on a terminal than an ASCII character.
func isUneven(r rune) bool { return r > '~' }

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
