package report

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Colors do not change the text, for any width.
func TestTableColour(t *testing.T) {
	colours := regexp.MustCompile("\x1b\\[[0-9]+m")
	for _, width := range []int{0, 40, 80, 200} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			var plain, painted bytes.Buffer
			for _, row := range []struct {
				out    *bytes.Buffer
				colour bool
			}{{&plain, false}, {&painted, true}} {
				if err := writeAll(newTable(row.out, Options{Width: width, Colour: row.colour}), manyFindings(30)); err != nil {
					t.Fatal(err)
				}
			}
			if !strings.Contains(painted.String(), "\x1b[") {
				t.Error("no colours")
			}
			if got := colours.ReplaceAllString(painted.String(), ""); got != plain.String() {
				t.Errorf("width %d: without its colours the table is\n%s\nwant\n%s", width, got, plain.String())
			}
			if strings.Contains(plain.String(), "\x1b") {
				t.Errorf("width %d: colours that were not asked for", width)
			}
		})
	}
}

// Ignored findings are counted next to the others, but separately.
func TestTableIgnored(t *testing.T) {
	one, _ := audit.Lookup("WC204")
	f := rule.Finding{Rule: one, Message: "m"}
	out := resultsIn(t, "table", Options{Verbose: true}, Complete,
		&Record{Path: "a.pdf", Report: &audit.Report{Facts: webcapture.Facts{Present: true}}, Ignored: []Ignored{{f, "why"}}},
		&Record{Path: "b.pdf", Report: &audit.Report{Facts: webcapture.Facts{Present: true}, Findings: rule.Findings{f}},
			Ignored: []Ignored{{f, "why"}, {f, "why"}}})
	for _, want := range []string{": clean, 1 ignored\n", ": 1 error, 2 ignored\n", "\n1 error, 0 warnings, 0 notes:\n",
		"\n3 findings ignored.\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

// The table mentions SpiderInfo only if it exists: a file without a name dictionary has no visible object of Web
// Capture, and no SpiderInfo either.
func TestTableTellsSpiderInfoFromNothing(t *testing.T) {
	missing := []rule.Unread{{Err: errors.New("the name dictionary is not in the file")}}
	for i, row := range []struct {
		present bool
		want    string
	}{
		{true, ": no URLS, no IDS, only traces of a database: checked in part: 1 part could not be checked\n"},
		{false, ": no Web Capture content database in what could be read: checked in part: 1 part could not be checked\n"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var out bytes.Buffer
			rec := &Record{Path: "a.pdf", Report: &audit.Report{Facts: webcapture.Facts{Present: row.present}, Unread: missing}}
			if err := writeAll(newTable(&out, Options{}), []*Record{rec}); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(out.String(), row.want) {
				t.Errorf("%q is not in\n%s", row.want, out.String())
			}
		})
	}
}

// The first content sets with each proof are shown, and the number of others.
func TestTableOfManyIdentities(t *testing.T) {
	for _, row := range []struct {
		n    int
		more string
	}{{maxShown, ""}, {maxShown + 1, "… and 1 more; --format json lists all"}} {
		t.Run(fmt.Sprint(row.n), func(t *testing.T) {
			rep := &audit.Report{Facts: webcapture.Facts{Present: true}, Identities: make([]rule.Identity, row.n)}
			for i := range rep.Identities {
				rep.Identities[i] = rule.Identity{Proof: rule.NotCheckable, Reason: "no source has it"}
			}
			out := resultsIn(t, "table", Options{}, Complete, &Record{Path: "a.pdf", Report: rep})
			if got := strings.Count(out, "no source has it"); got != maxShown {
				t.Errorf("of %d sets %d are shown, want %d", row.n, got, maxShown)
			}
			if got := strings.Contains(out, "…"); got != (row.more != "") || !strings.Contains(out, row.more) {
				t.Errorf("of %d sets it is not said that there are more, or said for nothing:\n%s", row.n, out)
			}
		})
	}
}
