package command

import (
	"bufio"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// fileOfSets writes a PDF file with n page sets to the working directory.
func fileOfSets(t *testing.T, name string, n int) {
	t.Helper()
	data := webcapturetest.Sets(n, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// An interrupt of a comparison is not an error of one of the files.
func TestDiffIsInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	fileOfSets(t, "a.pdf", 1)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errInterrupted)
	p := &program{stdout: bufio.NewWriter(io.Discard), stderr: new(strings.Builder)}
	if err := p.run(ctx, []string{"webcap", "diff", "a.pdf", "a.pdf"}); err != errInterrupted || said(p) != "" {
		t.Errorf("%v, it says %q", err, said(p))
	}
}

// Wherever a read of a file fails, a comparison reports the file, and never calls it the same.
func TestReadsOfDiffFail(t *testing.T) {
	t.Chdir(t.TempDir())
	fileOfSets(t, "a.pdf", 2)
	failing := func(at int) (code, reads int, stderr string) {
		ctx := webcapturetest.NewFailingReads()
		ctx.FailAt(at, true)
		p := &program{stdout: bufio.NewWriter(io.Discard), stderr: new(strings.Builder)}
		code = p.exit(p.run(ctx, strings.Fields("webcap diff --timeout 0 a.pdf a.pdf")))
		return code, ctx.Reads(), said(p)
	}
	code, reads, stderr := failing(0)
	if code != exitClean || reads < 5 {
		t.Fatalf("exit %d after %d reads, it says %q", code, reads, stderr)
	}
	for at := 1; at <= reads; at += 1 + reads/50 {
		if code, _, stderr := failing(at); code != exitFailed || !strings.Contains(stderr, "webcap: a.pdf: ") {
			t.Errorf("read %d of %d fails: exit %d, it says %q", at, reads, code, stderr)
		}
	}
}
