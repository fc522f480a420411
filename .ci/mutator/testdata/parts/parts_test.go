package parts

import (
	"testing"

	"github.com/webcap-tools/webcap/.ci/mutator/testdata/library"
)

func TestParts(t *testing.T) {
	t.Run("right", func(t *testing.T) {
		if library.Positive(2) != 2 {
			t.Error("wrong")
		}
	})
	t.Run("wrong", func(t *testing.T) {
		if library.Positive(-1) != -1 {
			t.Error("it is 0")
		}
	})
}
