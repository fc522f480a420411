package folder

import (
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
)

func openList(path string) (*capture.Index, error) {
	return capture.Open([]capture.File{NewList(path)}, &capture.Stats{})
}

// opened opens a list, and closes it when the test ends.
func opened(t testing.TB, path string) *capture.Index {
	t.Helper()
	s, err := openList(path)
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

// openedSpool opens a cache of WWWOFFLE, and closes it when the test ends.
func openedSpool(t testing.TB, path string) *capture.Index {
	t.Helper()
	s, err := capture.Open([]capture.File{NewSpool(path)}, &capture.Stats{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
