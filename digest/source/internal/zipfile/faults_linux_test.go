package zipfile

import (
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestFailedOpenClosesFile: a file that is not a zip file does not stay open.
func TestFailedOpenClosesFile(t *testing.T) {
	name := sourcetest.WriteFile(t, "text", t.TempDir(), "a.zip")
	before := sourcetest.Descriptors(t)
	if _, err := Open(name, MaxDirectory); err == nil {
		t.Fatal("a text file opens as a zip file")
	}
	if after := sourcetest.Descriptors(t); after != before {
		t.Errorf("%d files are open after a failed Open, want %d", after, before)
	}
}
