package rewrite

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Each key that changes has a step of its own, in the order of places.
func TestStepsOfManyKeys(t *testing.T) {
	const n = 300
	var file bytes.Buffer
	o := webcapturetest.Options{Leaf: 64, TextIDs: true}
	if err := webcapturetest.WriteSets(&file, n, o, webcapturetest.Layout{}); err != nil {
		t.Fatal(err)
	}
	p := planOf(t, file.Bytes(), Options{})
	if len(p.Steps) != n {
		t.Fatalf("%d steps, want %d", len(p.Steps), n)
	}
	for i, s := range p.Steps {
		if s.Action != rule.ChangeKey || len(s.Rules) != 1 {
			t.Errorf("step %d is %v of %v", i, s.Action, s.Rules)
		}
		if i > 0 && p.Steps[i-1].Place.Compare(*s.Place) >= 0 {
			t.Errorf("step %d comes after %v", i, p.Steps[i-1].Place)
		}
	}
	rep, err := p.verifyFile(opened(t, written(t, p), Options{}))
	if err != nil {
		t.Fatal(err)
	}
	if n := rep.Count(rule.Error); n > 0 {
		t.Errorf("%d errors are left", n)
	}
}

// Steps come in the order of their places, those of options after those of findings, and
// findings about one place share a step if their remedy is one.
func TestStepsAreOrdered(t *testing.T) {
	change, other := rule.Fix{Action: rule.RemoveEntry, Old: "a"}, rule.Fix{Action: rule.RemoveEntry, Old: "b"}
	rules := audit.Rules()
	set := func(n uint32) rule.Place {
		return rule.PlaceOfContent(&webcapture.Content{Ref: object.Ref{Num: n}})
	}
	atSet1, atSet2 := set(1), set(2)
	findings := rule.Findings{
		rule.Finding{Rule: rules[0], Place: set(1), Fix: &change},
		rule.Finding{Rule: rules[1], Place: set(1), Fix: &other},
		rule.Finding{Rule: rules[2], Place: set(1), Fix: &change},
		rule.Finding{Rule: rules[2], Place: set(1), Fix: &change},
		rule.Finding{Rule: rules[3], Place: set(2), Fix: &change},
	}
	p := newPlanner(state{opened(t, pdf(t, stripped), Options{}), new(webcapture.Database),
		&audit.Report{Findings: findings}}, Options{})
	p.add(Step{Action: rule.Rebuild, Place: &atSet2})
	p.add(Step{Action: rule.Rebuild, Place: &atSet1})
	p.add(Step{Action: rule.RewriteTree, Place: &atSet1, findings: []*rule.Finding{p.finding(1)}})
	for i := range p.asks {
		p.asks[i] = true
	}
	p.gather()
	p.sort()
	var got []string
	for _, s := range p.steps {
		got = append(got, s.String())
	}
	want := []string{
		"content set 1 0 R: remove-entry (a) is removed",
		"content set 1 0 R: rewrite-tree",
		"content set 1 0 R: remove-entry (b) is removed",
		"content set 1 0 R: rebuild",
		"content set 2 0 R: remove-entry (a) is removed",
		"content set 2 0 R: rebuild",
	}
	if !slices.Equal(got, want) {
		t.Errorf("steps\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got, want := p.steps[0].Rules, []string{rules[0].ID, rules[2].ID}; !slices.Equal(got, want) {
		t.Errorf("the first step is of %v, want %v", got, want)
	}
}

// TestStepsAreChosen: a step is the user's choice if the fix of one of its findings is. Other steps are not, also if
// they make the same change at another place.
func TestStepsAreChosen(t *testing.T) {
	change := rule.Fix{Action: rule.RemoveEntry, Old: "a"}
	choice := change
	choice.Chosen = true
	set := func(n uint32) rule.Place { return rule.Place{Set: refTo(n)} }
	rules := audit.Rules()
	findings := rule.Findings{
		rule.Finding{Rule: rules[0], Place: set(1), Fix: &choice}, rule.Finding{Rule: rules[1], Place: set(1), Fix: &change},
		rule.Finding{Rule: rules[0], Place: set(2), Fix: &change}, rule.Finding{Rule: rules[1], Place: set(2), Fix: &choice},
		rule.Finding{Rule: rules[0], Place: set(3), Fix: &change}, rule.Finding{Rule: rules[0], Place: set(3), Fix: &choice},
		rule.Finding{Rule: rules[0], Place: set(4), Fix: &change}, rule.Finding{Rule: rules[1], Place: set(4), Fix: &change},
		rule.Finding{Rule: rules[0], Place: set(5), Fix: &choice},
	}
	p := newPlanner(state{opened(t, pdf(t, stripped), Options{}), new(webcapture.Database),
		&audit.Report{Findings: findings}}, Options{})
	for i := range p.asks {
		p.asks[i] = i < 8 // no step is for the last finding
	}
	p.gather()
	var got []string
	for _, s := range p.steps {
		got = append(got, fmt.Sprint(s.Place, " ", s.Chosen, len(s.Rules)))
	}
	want := []string{"content set 1 0 R true 2", "content set 2 0 R true 2", "content set 3 0 R true 1",
		"content set 4 0 R false 2"}
	if !slices.Equal(got, want) {
		t.Errorf("the steps are %q, want %q", got, want)
	}
}

// TestWhatStepsSay: the text of a step tells its change, with the key that the profile and the base give.
func TestWhatStepsSay(t *testing.T) {
	p := &planner{base: rule.Base{URL: "http://base/x/"}}
	for name, c := range map[string]struct {
		tree string
		fix  rule.Fix
		want string // the action, and the change
	}{
		"a new key of URLS": {"", rule.Fix{Action: rule.AddKey, Tree: "URLS", New: "HTTP://a/", Set: refTo(2)},
			"add-key (http://a/) 2 0 R"},
		"a relative key of URLS": {"", rule.Fix{Action: rule.AddKey, Tree: "URLS", New: "a", Set: refTo(2)},
			"add-key (http://base/x/a) 2 0 R"},
		"a new key of IDS": {"", rule.Fix{Action: rule.AddKey, Tree: "IDS", New: "HTTP://a/", Set: refTo(2)},
			"add-key (HTTP://a/) 2 0 R"},
		"a key of URLS": {"URLS", rule.Fix{Action: rule.ChangeKey, Old: "a", New: "HTTP://b/"},
			"change-key (a) becomes (http://b/)"},
		"a relative key": {"URLS", rule.Fix{Action: rule.MakeAbsolute, Old: "a", New: "http://base/x/a"},
			"change-key (a) becomes (http://base/x/a)"},
		"a key of IDS": {"IDS", rule.Fix{Action: rule.ChangeKey, Old: "a", New: "HTTP://b/"},
			"change-key (a) becomes (HTTP://b/)"},
		"a destination": {"", rule.Fix{Action: rule.RenameDestination, Old: "a", New: "b"},
			"rename-destination (a) becomes (b)"},
		"a source":      {"", rule.Fix{Action: rule.ChangeSource, Old: "a", New: "b"}, "change-source (a) becomes (b)"},
		"an ID":         {"", rule.Fix{Action: rule.ChangeID, Old: "a", New: "b"}, "change-id (a) becomes (b)"},
		"an entry":      {"URLS", rule.Fix{Action: rule.RemoveEntry, Old: "a"}, "remove-entry (a) is removed"},
		"a double key":  {"URLS", rule.Fix{Action: rule.MergeEntries, Old: "a"}, "merge-entries (a) is removed"},
		"a content set": {"", rule.Fix{Action: rule.RemoveSet, Set: refTo(2)}, "remove-set 2 0 R is removed"},
		"a value":       {"URLS", rule.Fix{Action: rule.TidyValue, Old: "a", New: "b"}, "tidy-value"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &rule.Finding{Place: rule.Place{Tree: c.tree}, Fix: &c.fix}
			s := p.stepOf(0, f)
			s.Place = &rule.Place{}
			if got := s.String(); got != "catalog: "+c.want {
				t.Errorf("the step says %q, want %q", got, c.want)
			}
		})
	}
}

// TestLeave: leave removes only the selected steps, and records their errors and warnings, but no notes.
func TestLeave(t *testing.T) {
	note, _ := audit.Lookup("WC224")
	other, _ := audit.Lookup("WC204")
	if note.Level != rule.Note || other.Level == rule.Note {
		t.Fatal("the rules have other levels")
	}
	step := func(tree string) Step {
		return Step{Action: rule.ChangeKey, Tree: tree, Place: &rule.Place{Tree: tree},
			findings: []*rule.Finding{{Rule: note}, {Rule: other, Message: tree}}}
	}
	d := &draft{steps: []Step{step("URLS"), step("IDS"), {Place: &rule.Place{}}}}
	d.leave(func(s Step) bool { return s.Tree == "IDS" }, "why")
	if len(d.steps) != 2 || d.steps[0].Tree != "URLS" || d.steps[1].Tree != "" {
		t.Errorf("the steps are\n%s", stepLines(d.steps))
	}
	if len(d.left) != 1 || d.left[0].Finding.Rule != other || d.left[0].Finding.Message != "IDS" ||
		d.left[0].Reason != "why" {
		t.Errorf("left: %v", d.left)
	}
}
