package rewrite

import (
	"bytes"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Of a step that says what a finding says nothing but the number of that is kept, and what
// can be asked of it alone is what the whole step says.
func TestStepsAreKeptAsNumbers(t *testing.T) {
	const n = 300
	var file bytes.Buffer
	o := webcapturetest.Options{Leaf: 64, TextIDs: true}
	if err := webcapturetest.WriteSets(&file, n, o, webcapturetest.Layout{}); err != nil {
		t.Fatal(err)
	}
	p := planOf(t, file.Bytes(), Options{})
	if p.Steps.Len() != n {
		t.Fatalf("%d steps, want %d", p.Steps.Len(), n)
	}
	var last audit.Place
	for i, s := range p.Steps.All() {
		if p.Steps.list[i].own != nil {
			t.Fatalf("step %d is kept whole: %v", i, s)
		}
		if s.Action != audit.ChangeKey || s.Action != p.Steps.Action(i) || !slices.Equal(s.Rules, p.Steps.Rules(i)) || len(s.Rules) != 1 {
			t.Errorf("step %d is %v of %v, alone %v of %v", i, s.Action, s.Rules, p.Steps.Action(i), p.Steps.Rules(i))
		}
		if i > 0 && last.Compare(s.Place) >= 0 {
			t.Errorf("step %d comes after %v", i, last)
		}
		last = s.Place
	}
	rep, err := p.verifyFile(opened(t, written(t, p), Options{}))
	if err != nil || rep.Count(audit.Error) > 0 {
		t.Errorf("%v: %v", err, rep)
	}
}

// Steps come in the order of their places, those of options after those of findings, and
// findings about one place share a step if their remedy is one.
func TestStepsAreOrdered(t *testing.T) {
	change, other := audit.Fix{Action: audit.RemoveEntry, Old: "a"}, audit.Fix{Action: audit.RemoveEntry, Old: "b"}
	rules := audit.Rules()
	set := func(n uint32) audit.Place { return audit.PlaceOfContent(&webcapture.Content{Ref: object.Ref{Num: n}}) }
	findings := audit.FindingsOf(
		audit.Finding{Rule: rules[0], Place: set(1), Fix: &change}, audit.Finding{Rule: rules[1], Place: set(1), Fix: &other},
		audit.Finding{Rule: rules[2], Place: set(1), Fix: &change}, audit.Finding{Rule: rules[2], Place: set(1), Fix: &change},
		audit.Finding{Rule: rules[3], Place: set(2), Fix: &change},
	)
	l := Steps{findings: findings}
	l.Add(Step{Action: audit.Rebuild, Place: set(2)})
	l.Add(Step{Action: audit.Rebuild, Place: set(1)})
	l.Add(Step{Action: audit.RewriteTree, Place: set(1), findings: []int32{1}})
	l.gather([]int32{4, 3, 2, 1, 0})
	l.sort()
	const want = "content set 1 0 R: remove-entry (a) goes\n" +
		"content set 1 0 R: remove-entry (b) goes\n" +
		"content set 1 0 R: rewrite-tree\n" +
		"content set 1 0 R: rebuild\n" +
		"content set 2 0 R: remove-entry (a) goes\n" +
		"content set 2 0 R: rebuild"
	if got := l.String(); got != want {
		t.Errorf("steps\n%s\nwant\n%s", got, want)
	}
	if got := l.Rules(0); !slices.Equal(got, []*audit.Rule{rules[0], rules[2]}) {
		t.Errorf("the first step is of %v", got)
	}
}
