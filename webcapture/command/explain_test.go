package command

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout/layouttest"
)

func TestVerbatim(t *testing.T) {
	const text = "one two three four five six seven eight\n\nshort\n"
	for _, row := range []struct {
		name  string
		width int
		want  string
	}{
		{"file", 0, "  one two three four five six seven eight\n\n  short\n"},
		{"wide", 80, "  one two three four five six seven eight\n\n  short\n"},
		{"narrow", 30, "  one two three four five six\n    seven eight\n\n  short\n"},
		{"very narrow", 5, "  one two three four\n    five six seven eight\n\n  short\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var b strings.Builder
			p := &program{stdout: bufio.NewWriter(&b), width: row.width}
			p.verbatim(text)
			p.stdout.Flush()
			if got := b.String(); got != row.want {
				t.Errorf("got\n%s\nwant\n%s", got, row.want)
			}
		})
	}
}

// TestExplainFits: no explanation is wider than its window.
func TestExplainFits(t *testing.T) {
	var b strings.Builder
	p := &program{stdout: bufio.NewWriter(&b), width: 72}
	for _, r := range audit.Rules() {
		p.explainRule(r)
	}
	p.stdout.Flush()
	layouttest.Lines(t, b.String(), p.width)
}

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

// Words search symptoms and rules. Rules without a symptom follow after a blank line.
func TestExplainWords(t *testing.T) {
	for _, words := range []string{"viewer", "misses", "canonical"} {
		var out bytes.Buffer
		code, stderr := run(nil, &out, "explain", words)
		if code != exitClean {
			t.Fatalf("%s: exit %d: %s", words, code, stderr)
		}
		symptoms, rules := audit.SymptomsWith([]string{words}), rulesWith([]string{words})
		var want []string
		for i, s := range symptoms {
			if i > 0 {
				want = append(want, "")
			}
			want = append(want, s.What)
			for _, r := range s.Rules() {
				want = append(want, fmt.Sprintf("  %s  %-7s  %s", r.ID, r.Level, r.Problem))
			}
		}
		if len(symptoms) > 0 && len(rules) > 0 {
			want = append(want, "")
		}
		for _, r := range rules {
			want = append(want, fmt.Sprintf("%s  %-7s  %s", r.ID, r.Level, r.Problem))
			if text := strings.ToLower(r.Title + r.Problem); !strings.Contains(text, words) {
				t.Errorf("%s: rule %s lacks the word", words, r.ID)
			}
		}
		if got := out.String(); got != strings.Join(want, "\n")+"\n" {
			t.Errorf("%s: got\n%swant\n%s", words, got, strings.Join(want, "\n"))
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
