package command

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
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

// An error names the file that failed as the user did, and not its copy from an archive.
func TestDiffNamesTheFile(t *testing.T) {
	t.Chdir(t.TempDir())
	fileOfSets(t, "a.pdf", 1)
	site, err := os.ReadFile("a.pdf")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range map[string][]byte{"a.pdf": site, "bad.pdf": []byte("%PDF-1.4\n")} {
		if w, err := z.Create(name); err == nil {
			w.Write(text)
		}
	}
	if err := errors.Join(z.Close(), os.WriteFile("b.zip", b.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
	for files, want := range map[string]string{
		"a.pdf a.pdf": "", "b.zip!a.pdf a.pdf": "",
		"b.zip!bad.pdf a.pdf":       "b.zip!bad.pdf: ",
		"a.pdf b.zip!bad.pdf":       "b.zip!bad.pdf: ",
		"b.zip!a.pdf b.zip!bad.pdf": "b.zip!bad.pdf: ",
		"b.zip!bad.pdf b.zip!a.pdf": "b.zip!bad.pdf: ",
		"a.pdf gone.pdf":            "gone.pdf: ",
		"a.pdf b.zip!gone.pdf":      "b.zip!gone.pdf: ",
	} {
		code, stderr := run(nil, io.Discard, strings.Fields("diff "+files)...)
		if want != "" {
			want = "webcap: " + want
		}
		if (code == exitClean) != (want == "") || !strings.HasPrefix(stderr, want) || strings.Count(stderr, "\n") > 1 {
			t.Errorf("%s: exit %d, it says %q, want %q", files, code, stderr, want)
		}
	}
}
