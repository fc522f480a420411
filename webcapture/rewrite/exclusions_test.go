package rewrite

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// found returns a problem of a rewritten file: a new finding at a place.
func found(t *testing.T, at rule.Place) error {
	t.Helper()
	r, ok := audit.Lookup("WC509")
	if !ok {
		t.Fatal("no such rule")
	}
	return &newFinding{rule.Finding{Rule: r, Place: at, Message: "wrong"}}
}

// repairOf returns a step with one finding.
func repairOf(t *testing.T, f rule.Finding) Step {
	t.Helper()
	if f.Rule = ruleWith(t, rule.ChangeKey); f.Fix == nil {
		f.Fix = &rule.Fix{Action: rule.ChangeKey}
	}
	return Step{Action: rule.ChangeKey, Tree: f.Place.Tree, Place: &f.Place, findings: []*rule.Finding{&f}}
}

// restoring returns a step that restores a content set of an original.
func restoring(original string, set uint32, at rule.Place) Step {
	return Step{Action: rule.Restore, Tree: at.Tree, Place: &at, restored: restoredSet{original, refTo(set)}}
}

// TestExcludeCauses: the first call excludes the changes about the subject of a problem, the next ones those of the
// last round, and all.
func TestExcludeCauses(t *testing.T) {
	const objects = "names: << /URLS << /Names [ (before) 20 0 R (other) 21 0 R ] >> >>\n" + info + setA + setB
	const renamed = "names: << /URLS << /Names [ (after) [ 21 0 R 20 0 R ] (other) 21 0 R ] >> >>\n" + info + setA + setB
	before, after := plannerOf(t, objects, Options{}).state, plannerOf(t, renamed, Options{}).state
	steps := map[string]Step{
		"restores":  restoring("o.pdf", 5, rule.Place{Set: refTo(20)}),
		"set":       repairOf(t, rule.Finding{Place: rule.Place{Set: refTo(20)}}),
		"fix":       repairOf(t, rule.Finding{Fix: &rule.Fix{Action: rule.AddKey, Set: refTo(20)}}),
		"key":       repairOf(t, rule.Finding{Place: rule.Place{Tree: "URLS", Key: "before"}}),
		"new key":   repairOf(t, rule.Finding{Fix: &rule.Fix{Action: rule.ChangeKey, New: "after"}}),
		"old key":   repairOf(t, rule.Finding{Fix: &rule.Fix{Action: rule.ChangeKey, Old: "before"}}),
		"tree":      repairOf(t, rule.Finding{Place: rule.Place{Tree: "IDS", Key: "third"}}),
		"other":     repairOf(t, rule.Finding{Place: rule.Place{Tree: "URLS", Key: "other"}}),
		"elsewhere": restoring("o.pdf", 6, rule.Place{Set: refTo(21)}),
	}
	for name, c := range map[string]struct {
		problem error
		want    [][]string // groups in the order of calls
	}{
		"a content set": {found(t, rule.Place{Tree: "IDS", Set: refTo(20)}), [][]string{
			{"fix", "key", "new key", "old key", "restores", "set"}, {"elsewhere", "other", "tree"}, nil}},
		"a key": {found(t, rule.Place{Tree: "IDS", Key: "third"}), [][]string{{"tree"},
			{"elsewhere", "fix", "key", "new key", "old key", "other", "restores", "set"}}},
		"an object": {found(t, rule.Place{Tree: "Dests", Object: refTo(20)}), [][]string{
			{"fix", "key", "new key", "old key", "restores", "set"}, {"elsewhere", "other", "tree"}}},
		"no finding": {errors.New("it cannot be written"), [][]string{
			{"elsewhere", "fix", "key", "new key", "old key", "other", "restores", "set", "tree"}}},
		"no finding, and a last round": {errEndless, [][]string{
			{"other", "tree"}, {"elsewhere", "fix", "key", "new key", "old key", "restores", "set"}}},
	} {
		t.Run(name, func(t *testing.T) {
			e := exclusions{}
			plan := &combinedPlan{after: after, last: &draft{}, steps: slices.Collect(maps.Values(steps))}
			if c.problem == errEndless {
				plan.last.steps = []Step{steps["other"], steps["tree"]}
			}
			for n, want := range c.want {
				was := maps.Clone(e)
				if err := e.excludeCauses(plan, before, []error{c.problem}); err != nil {
					t.Fatal(err)
				}
				var got []string
				for name, s := range steps {
					if ch := s.changes()[0]; e[ch] != "" && was[ch] == "" {
						got = append(got, name)
					}
				}
				if slices.Sort(got); !slices.Equal(got, want) {
					t.Errorf("call %d excludes %v, want %v", n+1, got, want)
				}
			}
		})
	}
}

// TestBlameGivesTheReason: an excluded repair names the finding that it would cause. For a content set of an original,
// the finding alone is the reason.
func TestBlameGivesTheReason(t *testing.T) {
	s := plannerOf(t, "names: << >>\n"+info+setA, Options{}).state
	set, page := rule.Place{Set: refTo(20)}, rule.Place{Object: refTo(10)}
	repair, both := repairOf(t, rule.Finding{Place: set}), repairOf(t, rule.Finding{Place: page})
	restored := restoring("o.pdf", 5, set)
	plan := &combinedPlan{after: s, last: &draft{}, steps: []Step{repair, both, restored}}
	e := exclusions{}
	first, second := found(t, set), found(t, page)
	for _, problem := range []error{first, second, errors.New("it cannot be written")} {
		if err := e.excludeCauses(plan, s, []error{problem}); err != nil {
			t.Fatal(err)
		}
	}
	const atSet, atPage = "content set 20 0 R: warning: wrong [WC509]", "object 10 0 R: warning: wrong [WC509]"
	for want, step := range map[string]Step{
		"This repair would cause a new finding: " + atSet + ".":  repair,
		"This repair would cause a new finding: " + atPage + ".": both,
		atSet: restored,
	} {
		if got := e[step.changes()[0]]; got != want {
			t.Errorf("%v is excluded because %q, want %q", step, got, want)
		}
	}
	if got := fmt.Sprint(e.leftOut("o.pdf"), e.leftOut("other.pdf")); got != "map[5 0 R:"+atSet+"] map[]" {
		t.Errorf("the excluded content sets are %s", got)
	}
}
