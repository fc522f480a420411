package command

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// A file that cannot get its name is an error, and no file is left of it.
func TestResultCannotBeInstalled(t *testing.T) {
	t.Chdir(t.TempDir())
	err := writeResult("a.warc", func(w io.Writer) error { return os.MkdirAll(filepath.Join("a.warc", "in"), 0o777) })
	if err == nil || !strings.HasPrefix(err.Error(), "a.warc: ") {
		t.Errorf("a folder has its name: %v", err)
	}
	failed := errors.New("failed")
	if err := writeResult("b.warc", func(io.Writer) error { return failed }); err != failed {
		t.Errorf("%v, want %v", err, failed)
	}
	left, err := filepath.Glob(".webcap-*")
	if _, errB := os.Stat("b.warc"); errB == nil || len(left) > 0 || err != nil {
		t.Errorf("files are left: %v, %v", left, err)
	}
}

// An export writes its records, and an index next to them only on request.
func TestExportNames(t *testing.T) {
	t.Chdir(t.TempDir())
	for line, want := range map[string][]string{"-o a.warc.gz": {"a.warc.gz"}, "-o a.b.warc": {"a.b.warc"},
		"-o b.cdxj -o a.warc.gz": {"a.warc.gz", "b.cdxj"}, "-o b.cdxj": nil, "-o a.warc -o b.warc": nil,
		"-o a.gz": nil, "-o a.warc.zip": nil, "-o warc": nil} {
		withOptions(t, "export in "+line, func(_ *program, c *cli.Context) {
			if names, err := exportNames(c); !slices.Equal(names, want) || (err != nil) != (want == nil) {
				t.Errorf("%s: %q, %v, want %q", line, names, err, want)
			}
		})
	}
}

// callbackReader calls then at the end of the text, and returns the error that then returns.
type callbackReader struct {
	text io.Reader
	then func() error
}

func (r callbackReader) Read(b []byte) (int, error) {
	n, err := r.text.Read(b)
	if err != nil {
		err = r.then()
	}
	return n, err
}

// An interrupted export leaves no file. If only the list of paths fails, the captures so far are there.
func TestExportIsInterrupted(t *testing.T) {
	for _, tt := range []struct {
		interrupt, list error
		want, said      string
		files           int
	}{
		{nil, io.EOF, "", "", 3},
		{errInterrupted, io.EOF, "interrupted, the results are not complete", "", 1},
		{nil, errors.New("bad disk"), "", "webcap: cannot read the list of files: -: bad disk\n", 3},
	} {
		t.Chdir(t.TempDir())
		fileOfSets(t, "a.pdf", 1)
		ctx, cancel := context.WithCancelCause(t.Context())
		p := &program{stdout: bufio.NewWriter(io.Discard), stderr: new(strings.Builder)}
		p.stdin = callbackReader{strings.NewReader("a.pdf\n"), func() error {
			if tt.interrupt != nil {
				cancel(tt.interrupt)
			}
			return tt.list
		}}
		got := ""
		if err := p.run(ctx, strings.Fields("webcap export -o a.warc -o a.cdxj --files-from -")); err != nil {
			got = err.Error()
		}
		cancel(nil)
		files, err := os.ReadDir(".")
		if got != tt.want || said(p) != tt.said || p.partial != (tt.said != "") || len(files) != tt.files || err != nil {
			t.Errorf("%v, %v: %s, it says %q, %d files, %v", tt.interrupt, tt.list, got, said(p), len(files), err)
		}
	}
}
