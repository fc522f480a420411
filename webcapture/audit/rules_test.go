package audit

import (
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// builtInTests are rules with a case that is made by a test, since it is too
// large for a file, or needs other options; the value names the test.
var builtInTests = map[string]string{
	"WC114": "TestTreeSize",
	"WC119": "TestHugeLeaf",
	"WC419": "TestStrictCounts",
	"WC607": "TestOldVersion",
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
	groups := Groups()
	group, last := 0, ""
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
			if !strings.HasSuffix(s.text, ".") || strings.TrimSpace(s.text) != s.text || strings.Contains(s.text, "  ") {
				t.Errorf("%s: %s is no sentence: %q", r.ID, s.name, s.text)
			}
		}
		if r.Clause == "" {
			t.Errorf("%s has no clause", r.ID)
		}
		if r.Level < Note || r.Level > Error {
			t.Errorf("%s has the level %d", r.ID, r.Level)
		}
		checks := 0
		for _, has := range []bool{
			r.CheckTree != nil, r.CheckURL != nil, r.CheckID != nil,
			r.CheckValue != nil, r.CheckSet != nil, r.CheckLinks != nil, r.CheckInfo != nil, r.CheckIdentity != nil,
			r.CheckPage != nil || r.CheckImage != nil || r.CheckMember != nil || r.CheckDocument != nil,
		} {
			if has {
				checks++
			}
		}
		if checks != 1 {
			t.Errorf("%s has %d checks, not one", r.ID, checks)
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

// TestRepairsAreTold holds what rules say of their repair against what their
// findings carry: a rule with a repair has a case with a fix, one without has
// none.
func TestRepairsAreTold(t *testing.T) {
	fixes := map[string]int{}
	for _, path := range caseFiles(t) {
		c, err := readCase(path)
		if err != nil {
			continue // TestCases reports it
		}
		rep, err := Bytes("", c.pdf(t, webcapturetest.Layout{}), Options{now: auditTime})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for _, f := range rep.Findings {
			if f.Fix != nil {
				fixes[f.Rule.ID]++
			}
		}
	}
	for _, r := range Rules() {
		if none := strings.HasPrefix(r.Repair, "None"); none != (fixes[r.ID] == 0) {
			t.Errorf("%s says %q, and has %d findings with a fix", r.ID, r.Repair, fixes[r.ID])
		}
		if onRequest := strings.HasPrefix(r.Repair, "On request"); onRequest != r.OnRequest {
			t.Errorf("%s says %q, OnRequest is %v", r.ID, r.Repair, r.OnRequest)
		}
	}
}
