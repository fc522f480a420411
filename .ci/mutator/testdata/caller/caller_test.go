package caller

import (
	"testing"

	"github.com/webcap-tools/webcap/.ci/mutator/testdata/library"
)

func TestPositive(t *testing.T) {
	for n, want := range map[int]int{-1: 0, 2: 2} {
		if got := library.Positive(n); got != want {
			t.Errorf("Positive(%d) is %d", n, got)
		}
	}
}
