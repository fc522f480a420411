package folder

import (
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
)

// opened opens a folder or a list, and closes it when the test ends.
func opened(t testing.TB, path string) capture.Source {
	t.Helper()
	s, err := Open(path, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("closing %s: %v", path, err)
		}
	})
	return s
}
