package command

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Rules are listed by group. A blank line separates groups, and each begins with its prefix and title.
func TestRulesAreListedByGroup(t *testing.T) {
	for _, list := range [][]*rule.Rule{audit.Rules(), audit.Select("urls"), nil,
		slices.Concat(audit.Select("WC204"), audit.Select("WC302"))} {
		var want strings.Builder
		seen := map[string]bool{}
		for _, r := range list {
			i := slices.IndexFunc(rule.Groups(), func(g rule.Group) bool { return strings.HasPrefix(r.ID, g.Prefix) })
			g := rule.Groups()[i]
			if !seen[g.Prefix] {
				if len(seen) > 0 {
					want.WriteString("\n")
				}
				want.WriteString(g.Prefix + "xx  " + g.Title + "\n")
			}
			seen[g.Prefix] = true
			fmt.Fprintf(&want, "  %s  %-7s  %s\n", r.ID, r.Level, r.Title)
		}
		var got strings.Builder
		p := &program{stdout: bufio.NewWriter(&got)}
		p.listRules(list)
		if p.stdout.Flush(); got.String() != want.String() {
			t.Errorf("got\n%swant\n%s", got.String(), want.String())
		}
	}
}

// A rule without examples is explained without them.
func TestRuleWithoutExamples(t *testing.T) {
	var out strings.Builder
	p := &program{stdout: bufio.NewWriter(&out)}
	p.explainRule(&rule.Rule{ID: "WC999", Title: "Title", Problem: "Problem", Doc: "Doc", Clause: "Clause"})
	p.stdout.Flush()
	if got := out.String(); strings.Contains(got, "Broken:") || strings.Contains(got, "Kept:") ||
		!strings.HasPrefix(got, "WC999  Problem\n\nRule:   Title\n") {
		t.Errorf("got\n%s", got)
	}
}

// A blank line separates symptoms.
func TestSeveralSymptoms(t *testing.T) {
	var out strings.Builder
	p := &program{stdout: bufio.NewWriter(&out)}
	list := audit.SymptomsWith(nil)
	p.listSymptoms(list)
	p.stdout.Flush()
	for i, part := range strings.Split(out.String(), "\n\n") {
		if i >= len(list) || !strings.HasPrefix(part, list[i].What+"\n  WC") {
			t.Errorf("part %d is\n%s", i, part)
		}
	}
	if n := strings.Count(out.String(), "\n\n") + 1; n != len(list) {
		t.Errorf("%d parts, want %d", n, len(list))
	}
}
