package mhtml

import (
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// A file without permissions does not open, and the error says why.
func TestLockedFile(t *testing.T) {
	t.Chdir(t.TempDir())
	sourcetest.WriteFile(t, sourcetest.BlinkPage, "x")
	if err := os.Chmod("x", 0); err != nil {
		t.Fatal(err)
	}
	sourcetest.AsNobody(t, func() {
		if s, err := Open("x"); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%v, %v, want a denied permission", s, err)
		}
	})
}
