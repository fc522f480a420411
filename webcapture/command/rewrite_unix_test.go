//go:build unix

package command

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// watcher lists the contents of a folder whenever something is written to it.
type watcher struct {
	folder string
	n      int // bytes
	seen   []string
}

func (w *watcher) Write(b []byte) (int, error) {
	list, err := os.ReadDir(w.folder)
	for _, e := range list {
		w.seen = append(w.seen, e.Name())
	}
	w.n += len(b)
	return len(b), err
}

// TestNoFileIsLeftOfAClosedPipe: writing to standard output may end the program, so temporary files must be removed
// before.
func TestNoFileIsLeftOfAClosedPipe(t *testing.T) {
	for _, broken := range []bool{true, false} {
		t.Run(fmt.Sprint(broken), func(t *testing.T) { // with something to do, and without
			path := filepath.Join(t.TempDir(), "large.pdf") // smaller output is written only at the end
			doc := webcapturetest.Sets(3000, webcapturetest.Options{TextIDs: broken})
			if err := os.WriteFile(path, doc.Bytes(webcapturetest.Layout{}), 0o600); err != nil {
				t.Fatal(err)
			}
			w := &watcher{folder: t.TempDir()}
			t.Setenv("TMPDIR", w.folder)
			code := Run([]string{"webcap", "rewrite", path, "-o", "-"}, strings.NewReader(""), w, io.Discard)
			if code != 0 || w.n == 0 || len(w.seen) > 0 {
				t.Errorf("broken: %v: code %d, %d bytes, and there was %q", broken, code, w.n, w.seen)
			}
		})
	}
}
