package nametree

import "testing"

// Values of all kinds survive.
func TestValuesOfEntriesAreKept(t *testing.T) {
	tree := mustRead(t, `root: << /Names [ (a) 1 (b) 1 (c) 1 0 R (d) 1 (e) 1.0
		(f) null (g) null (h) (1) (i) /1 (j) [1] (k) << /A 1 >> (l) true ] >>`)
	want := []string{"1", "1", "1 0 R", "1", "1.0", "null", "null", "(1)", "/1", "[1]", "<< /A 1 >>", "true"}
	for i, e := range tree.Entries() {
		if got := string(e.Value.Append(nil)); got != want[i] || e.Pair != i {
			t.Errorf("pair %d has the value %s, want that of pair %d, %s", e.Pair, got, i, want[i])
		}
	}
	if tree.Len() != len(want) {
		t.Errorf("%d entries, want %d", tree.Len(), len(want))
	}
}
