package localfile_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestUnreadableBeginning: a file without permissions has no beginning, not an empty one. A named pipe is not
// regular, so callers do not open it and wait for a writer.
func TestUnreadableBeginning(t *testing.T) {
	t.Chdir(t.TempDir()) // the user without rights may not pass the folders above
	file := sourcetest.WriteFile(t, "x", "locked")
	if err := os.Chmod(file, 0); err != nil {
		t.Fatal(err)
	}
	sourcetest.AsNobody(t, func() {
		if got := localfile.Beginning(file); got != nil {
			t.Errorf("a file without permissions: %q", got)
		}
	})
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := localfile.Regular(pipe); err == nil || err.Error() != "not a regular file" {
		t.Errorf("a named pipe: %v", err)
	}
}
