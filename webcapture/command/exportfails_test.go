package command

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// An export writes one file, whose name says that it has records.
func TestExportName(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, ok := range map[string]bool{"a.warc.gz": true, "a.b.warc": true, "b.cdxj": false, "a.gz": false,
		"a.warc.zip": false, "warc": false} {
		withOptions(t, "export in -o "+name, func(_ *program, c *cli.Context) {
			if got, err := exportName(c); (err == nil) != ok || ok && got != name {
				t.Errorf("%s: %q, %v", name, got, err)
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
		{nil, io.EOF, "", "", 2},
		{errInterrupted, io.EOF, "interrupted, the results are not complete", "", 1},
		{nil, errors.New("bad disk"), "", "webcap: cannot read the list of files: -: bad disk\n", 2},
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
		if err := p.run(ctx, strings.Fields("webcap export -o a.warc --files-from -")); err != nil {
			got = err.Error()
		}
		cancel(nil)
		files, err := os.ReadDir(".")
		if got != tt.want || said(p) != tt.said || p.partial != (tt.said != "") || len(files) != tt.files || err != nil {
			t.Errorf("%v, %v: %s, it says %q, %d files, %v", tt.interrupt, tt.list, got, said(p), len(files), err)
		}
	}
}
