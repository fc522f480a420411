package nametree

import "testing"

// Direct values of all kinds survive; equal values of consecutive entries are stored once.
func TestValuesOfEntriesAreKept(t *testing.T) {
	tree := mustRead(t, `root: << /Names [ (a) 1 (b) 1 (c) 1 0 R (d) 1 (e) 1.0 (f) null (g) null (h) (1) (i) /1 (j) [1] (k) << /A 1 >> (l) true ] >>`, caps)
	want := []string{"1", "1", "1 0 R", "1", "1.0", "null", "null", "(1)", "/1", "[1]", "<< /A 1 >>", "true"}
	for i, e := range tree.Entries() {
		if got := string(e.Value.Append(nil)); got != want[i] || e.Pair != i {
			t.Errorf("pair %d has the value %s, want that of pair %d, %s", e.Pair, got, i, want[i])
		}
	}
	if n := len(tree.direct); tree.Len() != len(want) || n != 8 {
		t.Errorf("%d entries, for which %d values are kept", tree.Len(), n)
	}
}
