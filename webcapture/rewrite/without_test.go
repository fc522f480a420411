package rewrite

import (
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
)

// A plan without some steps repairs the others, and leaves exactly the findings of these.
func TestWithout(t *testing.T) {
	const damaged = "../../testdata/site-optimized.pdf"
	whole, err := Open(t.Context(), damaged, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var keys []int
	for i, s := range whole.Steps {
		if s.Rules[0] == "WC303" && len(keys) < 2 {
			keys = append(keys, i)
		}
	}
	less, err := whole.Without(t.Context(), keys)
	if err != nil {
		t.Fatal(err)
	}
	defer less.Close()
	if len(less.Steps) != len(whole.Steps)-2 || len(less.Left) != 2 || less.Left[0].Reason != "Not selected." {
		t.Fatalf("without %v:\n%s", keys, describe(less))
	}
	again, err := less.Without(t.Context(), []int{1})
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Left) != 3 {
		t.Errorf("without a third step:\n%s", describe(again))
	}
	out := filepath.Join(t.TempDir(), "out.pdf")
	if _, err := less.Install(t.Context(), Target{Path: out}); err != nil {
		t.Fatal(err)
	}
	rep, err := audit.File(t.Context(), out, audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(rep.Findings); n != 2 || rep.Findings[0].Rule.ID != "WC303" {
		t.Errorf("%d findings remain, want the 2 that were left out", n)
	}
}

// The plan without any step has none, and nothing is written for it.
func TestWithoutAll(t *testing.T) {
	whole, err := Open(t.Context(), "../../testdata/site-optimized.pdf", Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all []int
	for i := range whole.Steps {
		all = append(all, i)
	}
	none, err := whole.Without(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	defer none.Close()
	if !none.Empty() || none.Worthwhile(Target{}) || len(none.Left) != len(all) {
		t.Errorf("without all:\n%s", describe(none))
	}
}

// Without leaves the plan as it is: two plans made of it each lack only their own steps.
func TestWithoutTwice(t *testing.T) {
	whole, err := Open(t.Context(), "../../testdata/site-optimized.pdf", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	parent, err := whole.Without(t.Context(), []int{0})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		less, err := parent.Without(t.Context(), []int{i})
		if err != nil {
			t.Fatal(err)
		}
		if len(less.Steps) != len(whole.Steps)-2 {
			t.Errorf("without steps 0 and %d of %d, the plan is\n%s", i+1, len(whole.Steps), describe(less))
		}
	}
}
