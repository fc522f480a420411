//go:build unix

package infile

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A pipe without a writer gives an error, and one with a writer is read.
func TestOpenPipe(t *testing.T) {
	pipe := func(name string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := syscall.Mkfifo(path, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	path := pipe("deserted")
	if f, err := open(path, time.Millisecond); err == nil || !strings.HasSuffix(err.Error(), errNoWriter.Error()) {
		t.Fatalf("without a writer: %v, %v", f, err)
	}
	path = pipe("written")
	go os.WriteFile(path, []byte("text"), 0)
	f, err := open(path, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if b, err := io.ReadAll(f); string(b) != "text" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
}
