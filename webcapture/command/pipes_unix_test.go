//go:build unix

package command

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// Results can go to a named pipe, which stays one. webcap does not wait for data in it.
func TestResultsToAPipe(t *testing.T) {
	site, err := filepath.Abs(root + "/testdata/site.pdf")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, name := range []string{"pipe.txt", "pipe.csv"} {
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Fatal(err)
		}
		pipe, err := os.OpenFile(name, os.O_RDWR, 0) // does not wait for the other end
		if err != nil {
			t.Fatal(err)
		}
		defer pipe.Close()
		code, stderr := run(nil, io.Discard, "audit", "--config", "none", site, "-o", name)
		b := make([]byte, 1<<16)
		n, err := pipe.Read(b)
		if code != exitClean || err != nil || !strings.Contains(string(b[:n]), "site.pdf") {
			t.Errorf("%s: exit %d, it says %q; %v, the pipe has %q", name, code, stderr, err, b[:n])
		}
		if info, err := os.Lstat(name); err != nil || info.Mode().Type() != fs.ModeNamedPipe {
			t.Errorf("%s: the pipe is %v, %v", name, info, err)
		}
	}
}

// A pipe that no program writes ends each command that opens it, with a message.
func TestPipesWithoutAWriter(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the time limit of pipes")
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	site := root + "/testdata/site.pdf"
	var all sync.WaitGroup // all wait at the same time
	for _, args := range [][]string{
		{"diff", "--timeout", "2s", pipe, site}, {"rewrite", pipe}, {"rewrite", "--from", pipe, site}, {"report", pipe},
		{"keep", pipe, pipe + ".pdf", "--", "true"}, {"audit", pipe}, {"audit", "--files-from", pipe},
		{"audit", "--config", pipe, site}, {"audit", "--baseline", pipe, site}, {"audit", "--password-file", pipe, site},
		{"find", "--urls-from", pipe, site}, {"export", "--against", pipe, "-o", pipe + ".warc", site},
	} {
		all.Go(func() {
			var stdout strings.Builder
			code, stderr := run(nil, &stdout, args...)
			if code != exitUsage && code != exitFailed ||
				!strings.Contains(stdout.String()+stderr, "no program opened this pipe") {
				t.Errorf("%v: exit %d, it says %q", args, code, stderr)
			}
		})
	}
	all.Wait()
}

// A file that the disk does not store is not installed. A pipe stands for it, because it cannot be synchronized.
func TestInstallFailsToSync(t *testing.T) {
	r, err := createResult(filepath.Join(t.TempDir(), "a.json"))
	if err != nil {
		t.Fatal(err)
	}
	r.f.Close()
	var in *os.File
	if in, r.f, err = os.Pipe(); err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer r.drop()
	err = r.install()
	if _, missing := os.Stat(r.path); err == nil || missing == nil {
		t.Errorf("%v, the file is there: %v", err, missing == nil)
	}
}
