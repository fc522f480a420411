package har

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// An error of the disk is not damage in the file.
func TestDiskFailsInParts(t *testing.T) {
	for n := range strings.Index(sourcetest.BlinkPage, "An epilogue") {
		if err := NewMHTML("x").scan(&capture.Scan{},
			io.NewSectionReader(sourcetest.FailingFile{Data: sourcetest.BlinkPage[:n]}, 0,
				1<<62)); !errors.Is(err, sourcetest.ErrDisk) {
			t.Fatalf("after %d bytes: %v", n, err)
		}
	}
}
