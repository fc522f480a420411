package har

import (
	"errors"
	"io"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// An error of the disk is not damage in the file.
func TestDiskFailsInParts(t *testing.T) {
	for n := range len(sourcetest.BlinkPage) {
		if err := NewMHTML("x").scan(&capture.Scan{},
			io.NewSectionReader(sourcetest.FailingFile{Data: sourcetest.BlinkPage[:n]}, 0,
				localfile.ToEnd)); !errors.Is(err, sourcetest.ErrDisk) {
			t.Fatalf("after %d bytes: %v", n, err)
		}
	}
}
