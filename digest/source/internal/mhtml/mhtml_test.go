package mhtml

import (
	"errors"
	"io"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// An error of the disk is not damage in the file.
func TestDiskFailsInParts(t *testing.T) {
	for n := range len(sourcetest.BlinkPage) {
		m := &mhtml{path: "x", parts: map[string][]namedPart{}}
		if err := m.index(io.NewSectionReader(sourcetest.FailingFile{Data: sourcetest.BlinkPage[:n]}, 0,
			localfile.ToEnd)); !errors.Is(err, sourcetest.ErrDisk) {
			t.Fatalf("after %d bytes: %v", n, err)
		}
	}
}
