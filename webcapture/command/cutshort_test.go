//go:build linux

package command

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestCutShortAtAnyTime truncates a mapped file at a random moment of a run, a thousand times. Each run ends with a
// line that reports it and exit code 3, or as with the whole file if it was done before. A file truncated before it
// is opened is a damaged file, about which rewrite has one more message. Tests in internal/pdffile cover each of
// the reads.
func TestCutShortAtAnyTime(t *testing.T) {
	if !webcapturetest.All() {
		t.Skip("takes minutes; needs WEBCAP_TEST_ALL")
	}
	dir := t.TempDir()
	path, other, out := filepath.Join(dir, "a.pdf"), filepath.Join(dir, "b.pdf"), filepath.Join(dir, "out.pdf")
	size := writeFile(t, other, cleanFile(3<<20))
	whole, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i, args := range [][]string{{"audit", path}, {"list", path}, {"diff", path, other},
		{"rewrite", path, "--full", "-o", out}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			run := func(cut func()) (code int, stderr []byte, took time.Duration) {
				os.Remove(out)
				if err := os.WriteFile(path, whole, 0o600); err != nil {
					t.Fatal(err)
				}
				var b bytes.Buffer
				c := exec.Command("webcap", args...)
				c.Stderr = &b
				start := time.Now()
				if err := c.Start(); err != nil {
					t.Fatal(err)
				}
				cut()
				if err, exit := c.Wait(), (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
					t.Fatal(err)
				}
				return c.ProcessState.ExitCode(), b.Bytes(), time.Since(start)
			}
			usual, _, took := run(func() {})
			failed := 0
			for range 250 {
				wait, to := time.Duration(random.Int64N(int64(took))), random.Int64N(size)
				code, stderr, _ := run(func() {
					time.Sleep(wait)
					if err := os.Truncate(path, to); err != nil {
						t.Error(err)
					}
				})
				switch {
				case code == exitFailed && bytes.Count(stderr, []byte("\nwebcap: ")) <= 1 &&
					!bytes.Contains(stderr, []byte("goroutine")):
					failed++
				case code != usual:
					t.Errorf("%q, cut to %d bytes after %v of %v: exit %d: %s", args[0], to, wait, took, code, stderr)
				}
			}
			t.Logf("%-8s exit %d in %d of 250 runs", args[0], exitFailed, failed)
		})
	}
}
