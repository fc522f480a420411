package audit

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/checks"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// builtInTests are rules with a case that is made by a test, since it is too
// large for a file, or needs other options; the value names the test.
var builtInTests = map[string]string{
	"WC114": "TestTreeSize", "WC512": "TestRoundTrip",
}

// TestRulesHaveCases walks all rules: each has a case that breaks it, and one
// that does not.
func TestRulesHaveCases(t *testing.T) {
	broken, kept := map[string]int{}, map[string]int{}
	for _, path := range caseFiles(t) {
		c, err := readCase(path)
		if err != nil {
			continue // TestCases reports it
		}
		into := broken
		if c.ok {
			into = kept
		}
		for _, id := range c.rules {
			if _, ok := Lookup(id); !ok {
				t.Errorf("%s: there is no rule %s", c.name, id)
			}
			into[id]++
		}
	}
	for _, r := range Rules() {
		if _, ok := builtInTests[r.ID]; broken[r.ID] == 0 && !ok {
			t.Errorf("no case breaks %s: %s", r.ID, r.Title)
		}
		if kept[r.ID] == 0 {
			t.Errorf("no ok- case for %s: %s", r.ID, r.Title)
		}
	}
}

// TestRulesAreComplete makes sure that every rule says what documentation and
// reports need.
func TestRulesAreComplete(t *testing.T) {
	groups := rule.Groups()
	group, last := 0, ""
	problems := make(map[string]string)
	for _, r := range Rules() {
		if r.ID <= last || len(r.ID) != len("WC000") {
			t.Errorf("%s comes after %s", r.ID, last)
		}
		last = r.ID
		for group < len(groups) && !strings.HasPrefix(r.ID, groups[group].Prefix) {
			group++
		}
		if group == len(groups) {
			t.Fatalf("%s is in no group, or the groups are not in order", r.ID)
		}
		for _, s := range []struct{ name, text string }{{"Title", r.Title}, {"Doc", r.Doc}, {"Repair", r.Repair}} {
			if !strings.HasSuffix(s.text, ".") || strings.TrimSpace(s.text) != s.text ||
				strings.Contains(s.text, "  ") {
				t.Errorf("%s: %s is not a sentence: %q", r.ID, s.name, s.text)
			}
		}
		for _, s := range []struct{ name, text string }{{"Problem", r.Problem}, {"Cause", r.Cause}} {
			if strings.HasSuffix(s.text, ".") || strings.TrimSpace(s.text) != s.text ||
				strings.ContainsAny(s.text, ":\n") {
				t.Errorf("%s: %s is not a part of a headline: %q", r.ID, s.name, s.text)
			}
		}
		if c := r.Problem; c == "" || c[0] < 'A' || c[0] > 'Z' {
			t.Errorf("%s: Problem does not begin a headline: %q", r.ID, c)
		}
		if c := r.Cause; c != "" && (c[0] < 'a' || c[0] > 'z') {
			t.Errorf("%s: Cause does not follow a comma: %q", r.ID, c)
		}
		if other := problems[r.Problem]; other != "" {
			t.Errorf("%s and %s have one Problem: %s", other, r.ID, r.Problem)
		}
		problems[r.Problem] = r.ID
		if r.Clause == "" {
			t.Errorf("%s has no clause", r.ID)
		}
		if r.Level < rule.Note || r.Level > rule.Error {
			t.Errorf("%s has the level %d", r.ID, r.Level)
		}
		if !slices.Contains([]bool{
			r.CheckTree != nil, r.CheckURL != nil, r.CheckValue != nil, r.CheckSet != nil, r.CheckLinks != nil,
			r.CheckInfo != nil, r.CheckIdentity != nil,
			r.CheckPage != nil, r.CheckImage != nil, r.CheckMember != nil, r.CheckDocument != nil,
		}, true) {
			t.Errorf("%s has no check", r.ID)
		}
		if found, ok := Lookup(r.ID); !ok || found != r {
			t.Errorf("Lookup(%q) = %v, %t", r.ID, found, ok)
		}
	}
	if _, ok := Lookup("WC000"); ok {
		t.Error("Lookup finds a rule that does not exist")
	}
	rules := Rules()
	rules[0] = nil
	if Rules()[0] == nil {
		t.Error("Rules returns its own slice")
	}
}

const mayFollowFile = "../../testdata/mayfollow.tsv"

// TestRulesThatMayFollow compares MayFollow of all rules with a file that a person has checked. A wrong MayFollow would
// allow a rewrite to save a file with new findings.
func TestRulesThatMayFollow(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Rules that may have new findings after an action of a rewrite, made by " +
		"go test ./webcapture/audit -run MayFollow -update\n# rule\tactions\n")
	for _, r := range Rules() {
		if len(r.MayFollow) == 0 {
			continue
		}
		var actions []string
		for _, a := range r.MayFollow {
			actions = append(actions, a.String())
		}
		fmt.Fprintf(&b, "%s\t%s\n", r.ID, strings.Join(actions, " "))
	}
	if *update {
		if err := os.WriteFile(mayFollowFile, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(mayFollowFile)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(want) {
		t.Errorf("MayFollow of the rules is not that of %s: %s", mayFollowFile, firstDifference(got, string(want)))
	}
}

// TestReportFacts: Signed depends on a finding of the rule about signatures.
func TestReportFacts(t *testing.T) {
	rep := &Report{}
	if rep.Signed() {
		t.Error("a report without findings tells of a signature")
	}
	rep.Findings = append(rep.Findings, rule.Finding{Rule: checks.MemberTwice})
	if rep.Signed() {
		t.Error("another finding tells of a signature")
	}
	rep.Findings = append(rep.Findings, rule.Finding{Rule: checks.Signature})
	if !rep.Signed() {
		t.Error("a signature is not told")
	}
}

// Findings that are only counted are part of the numbers, and of the worst level.
func TestReportCounts(t *testing.T) {
	levels := map[rule.Level]*rule.Rule{}
	for l := rule.Note; l <= rule.Error; l++ {
		levels[l] = &rule.Rule{Level: l}
	}
	rep := &Report{}
	if rep.Worst() != 0 || rep.Count(rule.Note) != 0 {
		t.Errorf("no findings: worst %v, %d notes", rep.Worst(), rep.Count(rule.Note))
	}
	rep.Findings = append(rep.Findings, rule.Finding{Rule: levels[rule.Warning]})
	rep.Findings = append(rep.Findings, rule.Finding{Rule: levels[rule.Note]})
	if rep.Worst() != rule.Warning {
		t.Errorf("worst %v, want %v", rep.Worst(), rule.Warning)
	}
	rep.Omitted = []rule.Omitted{{Rule: levels[rule.Error], Count: 5}, {Rule: levels[rule.Note], Count: 7}}
	if got := [...]int{rep.Count(rule.Note), rep.Count(rule.Warning), rep.Count(rule.Error)}; got != [...]int{8, 1, 5} ||
		rep.Worst() != rule.Error {
		t.Errorf("notes, warnings, errors %v, worst %v", got, rep.Worst())
	}
	rep.CountSets(webcapture.PageSet, 1)
	rep.CountSets(webcapture.ImageSet, 2)
	rep.CountSets(webcapture.NoSubtype, 3)
	rep.CountSets(webcapture.NoSubtype, 3)
	if rep.PageSets != 1 || rep.ImageSets != 2 || rep.OtherSets != 6 {
		t.Errorf("%d page sets, %d image sets, %d others", rep.PageSets, rep.ImageSets, rep.OtherSets)
	}
}

// A name selects a group, or all rules whose IDs begin with it.
func TestSelect(t *testing.T) {
	with := func(prefix string) (ids []string) {
		for _, r := range Rules() {
			if strings.HasPrefix(r.ID, prefix) {
				ids = append(ids, r.ID)
			}
		}
		return ids
	}
	for name, want := range map[string][]string{
		"WC2": with("WC2"), "wc2": with("WC2"), "2": with("WC2"), "20": with("WC20"), "204": {"WC204"}, "WC204": {"WC204"},
		"urls": with("WC2"), "URLS": with("WC2"), "privacy": with("WC7"), "trees": with("WC1"),
		"": nil, "W": nil, "WC": nil, "wc": nil, "9": nil, "WC2041": nil, "url": nil, "-2": nil, "+2": nil,
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, r := range Select(name) {
				got = append(got, r.ID)
			}
			if !slices.Equal(got, want) {
				t.Errorf("Select(%q) = %v, want %v", name, got, want)
			}
		})
	}
}

// OverBudget is the reason why a part was omitted. Other unread parts are not such a reason.
func TestOverBudget(t *testing.T) {
	broken := rule.Unread{Err: errors.New("unreadable")}
	over := rule.Unread{Err: fmt.Errorf("a phase: %w", meter.Over{})}
	for _, tt := range []struct {
		unread []rule.Unread
		want   error
	}{{nil, nil}, {[]rule.Unread{broken}, nil}, {[]rule.Unread{broken, over}, over.Err}} {
		t.Run(fmt.Sprint(len(tt.unread)), func(t *testing.T) {
			if got := (&Report{Unread: tt.unread}).OverBudget(); got != tt.want {
				t.Errorf("OverBudget() = %v, want %v", got, tt.want)
			}
		})
	}
}
