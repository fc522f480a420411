//go:build unix

package command

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/report/format"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// The signals that interrupt a program, except ignored ones, as after nohup; and the time after which a program
// hangs.
var (
	endings = slices.DeleteFunc([]syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP},
		func(s syscall.Signal) bool { return signal.Ignored(s) })
	hang = time.Minute
)

// interrupted runs the program in a folder, sends a signal at the given moment, and returns the exit code and the
// messages. Temporary files go to the folder, too.
func interrupted(t *testing.T, dir string, s os.Signal, now func() bool, args ...string) (int, string) {
	t.Helper()
	return interruptedInto(t, nil, dir, s, now, args...)
}

// interruptedInto is interrupted with a given standard output; nil for none.
func interruptedInto(t *testing.T, stdout *os.File, dir string, s os.Signal, now func() bool, args ...string) (int,
	string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hang)
	defer cancel()
	c := exec.CommandContext(ctx, "webcap", args...)
	c.Dir, c.Env = dir, append(os.Environ(), "TMPDIR="+dir)
	var said bytes.Buffer
	c.Stderr = &said
	if stdout != nil {
		c.Stdout = stdout
	}
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

// moments returns functions that report whether it is time for a signal: at random moments within the duration of a
// command, more of them if WEBCAP_TEST_ALL is set, and when a temporary file or a backup appears.
func moments(dir string, took time.Duration) []func() bool {
	r := rand.New(rand.NewPCG(1, 2))
	n := 2
	if webcapturetest.All() {
		n = 12
	}
	var list []func() bool
	for range n {
		var begin time.Time
		after := time.Duration(r.Int64N(int64(took)))
		list = append(list, func() bool {
			if begin.IsZero() {
				begin = time.Now()
			}
			return time.Since(begin) >= after
		})
	}
	return append(list, isThere(dir, ".*.tmp"), isThere(dir, "*.bak"))
}

// isThere returns a function that reports whether a folder has a file with such a name.
func isThere(dir, pattern string) func() bool {
	return func() bool {
		found, _ := filepath.Glob(filepath.Join(dir, pattern))
		return len(found) > 0
	}
}

// fullPipe returns the write end of a full pipe: a program that writes its results there blocks, and cannot
// complete its output.
func fullPipe(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	for b := make([]byte, 1<<16); err == nil; {
		w.SetWriteDeadline(time.Now().Add(time.Millisecond))
		_, err = w.Write(b)
	}
	return w
}

// damagedSets returns a file of many sets that is worth a full rewrite: its cross-reference data is damaged.
func damagedSets(t *testing.T, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := webcapturetest.WriteSets(&b, n, webcapturetest.Options{Leaf: 64}, webcapturetest.Layout{}); err != nil {
		t.Fatal(err)
	}
	return bytes.Replace(b.Bytes(), []byte("trailer"), []byte("trialer"), 1)
}

// After an interrupted rewrite, the file is either the old or the new one, and there are no other files.
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
		if code, said := interrupted(t, dir, nil, func() bool { return false }, "audit", "--fail-on", "error",
			path); code != exitClean {
			t.Errorf("the new file: exit %d: %s", code, said)
		}
	}
	if kept == 0 {
		t.Error("no moment was early enough")
	}
}

// An interrupted rewrite of several files says how many files it has written, also ahead of the first file.
func TestRewriteOfSeveralIsInterrupted(t *testing.T) {
	dir := t.TempDir()
	const files, workers = 60, 4
	for i := range files {
		n := 50
		if i == 0 {
			n = 20000 // the others are written before it
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d.pdf", i)), damagedSets(t, n), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	count := func() int {
		backups, _ := filepath.Glob(filepath.Join(dir, "*.bak"))
		return len(backups)
	}
	code, said := interrupted(t, dir, syscall.SIGTERM, func() bool { return count() > workers }, "rewrite", "--full",
		"--in-place", "-j", fmt.Sprint(workers), ".")
	backups := count()
	_, number, _ := strings.Cut(said, "webcap: interrupted, ")
	n, text := 0, ""
	fmt.Sscanf(number, "%d %s", &n, &text)
	// A forced exit does not wait for the count of files that have just been written.
	if code != exitFailed || n == 0 || n > backups || n < backups-workers || backups == files {
		t.Errorf("exit %d, %d files were written: %s", code, backups, said)
	}
}

// After an interrupted audit, results are either the old ones or those of the whole audit, and there are no other
// files.
func TestOutputsAreInterrupted(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "in.pdf"), damagedSets(t, 5000), 0o666); err != nil {
		t.Fatal(err)
	}
	const old = "old"
	args, files := []string{"audit", "in.pdf", "in.pdf", "in.pdf"}, []string(nil)
	for _, f := range format.All() {
		name := "out" + extensionOf(f.Name)
		files, args = append(files, name), append(args, "--output", name)
	}
	for i, now := range moments(dir, 400*time.Millisecond) {
		for _, name := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(old), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		s := endings[i%len(endings)]
		code, said := interrupted(t, dir, s, now, args...)
		if got := names(t, dir); !slices.Equal(got, slices.Sorted(slices.Values(append(files, "in.pdf")))) {
			t.Errorf("%v: exit %d, files %v", s, code, got)
		}
		for _, name := range files {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if whole := !strings.Contains(said, "interrupted"); string(data) != old && (!whole || code == -1) {
				t.Errorf("%s, %v: exit %d, %d bytes of results: %s", name, s, code, len(data), said)
			}
		}
	}
}

// A blocked command ends after an interrupt: it leaves no temporary file and reports the work done.
func TestBlockedIsInterrupted(t *testing.T) {
	for _, f := range format.All() {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			code, said := interruptedInto(t, fullPipe(t), dir, syscall.SIGTERM, isThere(dir, ".*.tmp"), "audit",
				"no.pdf", "-f", "ndjson", "--output", "out"+extensionOf(f.Name))
			if got := names(t, dir); code != exitFailed || len(got) > 0 ||
				!strings.Contains(said, "not complete: no input is in them") {
				t.Errorf("exit %d, files %v: %s", code, got, said)
			}
		})
	}
	t.Run("rewrite", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "in.pdf"), damagedSets(t, 10), 0o666); err != nil {
			t.Fatal(err)
		}
		code, said := interruptedInto(t, fullPipe(t), dir, syscall.SIGINT, isThere(dir, "out.pdf"), "rewrite", "--full",
			"in.pdf", "-o", "out.pdf")
		if got := names(t, dir); code != exitFailed || !slices.Equal(got, []string{"in.pdf", "out.pdf"}) ||
			!strings.HasSuffix(said, "interrupted, out.pdf is written\n") {
			t.Errorf("exit %d, files %v: %s", code, got, said)
		}
	})
}

// An interrupt ends a command that waits for input.
func TestWaitingIsInterrupted(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"audit", "pipe"}, {"list", "pipe"}, {"rewrite", "pipe"}, {"diff", "pipe", "pipe"},
		{"report", "pipe"}, {"audit", "x.pdf", "--baseline", "pipe"}, {"audit", "x.pdf", "--password-file", "pipe"},
		{"audit", "x.pdf", "--config", "pipe"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			begin := time.Now()
			now := func() bool { return time.Since(begin) > 300*time.Millisecond } // it waits by then; earlier the signal counts as well
			if code, said := interrupted(t, dir, syscall.SIGTERM, now, args...); code != exitFailed && code != -1 ||
				code == exitFailed && !strings.Contains(said, errInterrupted.Error()) {
				t.Errorf("%v: exit %d: %s", args, code, said)
			}
		})
	}
}
