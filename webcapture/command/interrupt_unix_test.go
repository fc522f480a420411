//go:build unix

package command

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// The signals that end a program in order, and what it means that one does not: a hang.
var (
	endings = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	hang    = time.Minute
)

// interrupted runs the program in a folder, sends a signal when the time has come, and
// returns the exit code and what it said. Temporary files go to the folder, too.
func interrupted(t *testing.T, dir string, s os.Signal, now func() bool, args ...string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	c := exec.CommandContext(ctx, "webcap", args...)
	c.Dir, c.Env = dir, append(os.Environ(), "TMPDIR="+dir)
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		c.Wait()
	}()
	for sent := false; ; time.Sleep(time.Millisecond) {
		if !sent && now() {
			c.Process.Signal(s)
			sent = true
		}
		select {
		case <-ended:
			if ctx.Err() != nil {
				t.Fatalf("%v does not end %v", s, args)
			}
			return c.ProcessState.ExitCode(), said.String()
		default:
		}
	}
}

// names returns the names in a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// moments returns functions that say when a signal comes: at some moments of a command
// that takes so long, and when a temporary file is there.
func moments(dir string, took time.Duration) []func() bool {
	r := rand.New(rand.NewPCG(1, 2))
	var list []func() bool
	for range 6 {
		var begin time.Time
		after := time.Duration(r.Int64N(int64(took)))
		list = append(list, func() bool {
			if begin.IsZero() {
				begin = time.Now()
			}
			return time.Since(begin) >= after
		})
	}
	return append(list, func() bool {
		found, _ := filepath.Glob(filepath.Join(dir, ".*.tmp"))
		return len(found) > 0
	}, func() bool {
		found, _ := filepath.Glob(filepath.Join(dir, "*.bak"))
		return len(found) > 0
	})
}

// damagedSets returns a file of many sets that is worth to be written anew: its
// cross-reference data is damaged.
func damagedSets(t *testing.T, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := webcapturetest.WriteSets(&b, n, webcapturetest.Options{Leaf: 64}, webcapturetest.Layout{}); err != nil {
		t.Fatal(err)
	}
	return bytes.Replace(b.Bytes(), []byte("trailer"), []byte("trialer"), 1)
}

// Whenever a rewrite is interrupted, the file is what it was or the new one, and nothing
// else is left.
func TestRewriteIsInterrupted(t *testing.T) {
	old := damagedSets(t, 5000)
	args := []string{"rewrite", "--full", "--in-place", "in.pdf"}
	dir := t.TempDir()
	path := filepath.Join(dir, "in.pdf")
	put := func() {
		os.Remove(path + ".bak")
		if err := os.WriteFile(path, old, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put()
	begin := time.Now()
	if code, said := interrupted(t, dir, nil, func() bool { return false }, args...); code != exitClean {
		t.Fatalf("exit %d: %s", code, said)
	}
	took := time.Since(begin)
	kept := 0
	for i, now := range moments(dir, took) {
		s := endings[i%len(endings)]
		put()
		code, said := interrupted(t, dir, s, now, args...)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got := names(t, dir)
		if bytes.Equal(data, old) {
			kept++
			if code != exitFailed && code != -1 || !slices.Equal(got, []string{"in.pdf"}) {
				t.Errorf("%v, moment %d: exit %d, files %v: %s", s, i, code, got, said)
			}
			continue
		}
		bak, err := os.ReadFile(path + ".bak")
		if !slices.Equal(got, []string{"in.pdf", "in.pdf.bak"}) || err != nil || !bytes.Equal(bak, old) {
			t.Errorf("%v, moment %d: exit %d, files %v: %s", s, i, code, got, said)
		}
		if code, said := interrupted(t, dir, nil, func() bool { return false }, "audit", "--fail-on", "error", path); code != exitClean {
			t.Errorf("the new file: exit %d: %s", code, said)
		}
	}
	if kept == 0 {
		t.Error("no moment was early enough")
	}
}

// Whenever an audit is interrupted, results that were there stay, or are those of the
// whole audit, and nothing else is left.
func TestOutputsAreInterrupted(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "in.pdf"), damagedSets(t, 5000), 0o666); err != nil {
		t.Fatal(err)
	}
	for i, f := range report.Formats() {
		if f.Grows {
			continue
		}
		out := filepath.Join(dir, "out")
		for j, now := range moments(dir, 400*time.Millisecond)[3:7] {
			const old = "old"
			if err := os.WriteFile(out, []byte(old), 0o666); err != nil {
				t.Fatal(err)
			}
			s := endings[(i+j)%len(endings)]
			code, said := interrupted(t, dir, s, now, "audit", "in.pdf", "in.pdf", "in.pdf", "--output", f.Name+":out")
			data, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			if got := names(t, dir); !slices.Equal(got, []string{"in.pdf", "out"}) {
				t.Errorf("%s, %v: exit %d, files %v", f.Name, s, code, got)
			}
			if whole := !strings.Contains(said, "interrupted"); string(data) != old && (!whole || code == -1) {
				t.Errorf("%s, %v: exit %d, %d bytes of results: %s", f.Name, s, code, len(data), said)
			}
		}
	}
}

// An index of a source is there as a whole, or not at all.
func TestSourceIndexIsInterrupted(t *testing.T) {
	dir := t.TempDir()
	path, err := sourcetest.Clean(t.TempDir(), "warc.gz", 20<<20)
	if err != nil {
		t.Fatal(err)
	}
	indexes := filepath.Join(dir, "indexes")
	for i, now := range slices.Concat(moments(indexes, 400*time.Millisecond), moments(indexes, 50*time.Millisecond)) {
		os.RemoveAll(indexes)
		code, said := interrupted(t, dir, endings[i%len(endings)], now, "audit", "no.pdf", "--source", path, "--source-index", "indexes")
		if found, _ := filepath.Glob(filepath.Join(indexes, ".*")); len(found) > 0 {
			t.Errorf("exit %d, files %v: %s", code, found, said)
		}
		// What is there is used.
		if code, said := interrupted(t, dir, nil, func() bool { return false }, "audit", "no.pdf", "--source", path, "--source-index", "indexes"); code != exitFailed || strings.Contains(said, "index") {
			t.Errorf("afterwards: exit %d: %s", code, said)
		}
	}
}

// A command that waits for what does not come heeds a signal.
func TestWaitingIsInterrupted(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"audit", "pipe"}, {"list", "pipe"}, {"rewrite", "pipe"}, {"diff", "pipe", "pipe"}, {"digest", "pipe"}, {"name", "find", "pipe"},
		{"report", "pipe"}, {"audit", "x.pdf", "--baseline", "pipe"}, {"audit", "x.pdf", "--password-file", "pipe"}, {"audit", "x.pdf", "--config", "pipe"},
	} {
		begin := time.Now()
		now := func() bool { return time.Since(begin) > 300*time.Millisecond } // it waits by then; earlier the signal counts as well
		if code, said := interrupted(t, dir, syscall.SIGTERM, now, args...); code != exitFailed && code != -1 || code == exitFailed && !strings.Contains(said, errInterrupted.Error()) {
			t.Errorf("%v: exit %d: %s", args, code, said)
		}
	}
}
