package command

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/find"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// writePDF writes a file with the objects in text.
func writePDF(t *testing.T, path, text string) {
	t.Helper()
	doc, err := webcapturetest.Parse(text)
	if err == nil {
		err = os.WriteFile(path, doc.Bytes(webcapturetest.Layout{}), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// fileReader is the part of a command that reads an open file.
type fileReader struct {
	name string
	do   func(ctx context.Context, f *webcapture.File) error
}

// openedFiles are the parts of commands that read open files.
func openedFiles(t *testing.T) []fileReader {
	query, err := find.Parse("http://a.example/")
	if err != nil {
		t.Fatal(err)
	}
	return []fileReader{
		{"list", func(_ context.Context, f *webcapture.File) error {
			l := &captureLister{writer: show.NewCaptureWriter("ndjson", io.Discard, 0, "v1")}
			rows, _, err := l.read(f)
			if err == nil {
				rows.Close()
			}
			return err
		}},
		{"keys", func(_ context.Context, f *webcapture.File) error {
			l := &keyLister{writer: show.NewKeyWriter("ndjson", io.Discard, 0, "v1"), opt: audit.Options{Keys: true}}
			rows, _, err := l.read(f)
			if err == nil {
				rows.Close()
			}
			return err
		}},
		{"find", func(_ context.Context, f *webcapture.File) error {
			_, err := find.New([]find.Query{query}).Search(f)
			return err
		}},
	}
}

// A disk that fails at one read of an open file, and works again afterwards, is not taken for damage of the file: the
// error is that of the disk.
func TestSingleFailedRead(t *testing.T) {
	t.Chdir(t.TempDir())
	writePDF(t, "a.pdf", uniqueNames)
	for _, o := range openedFiles(t) {
		t.Run(o.name, func(t *testing.T) {
			reads := webcapturetest.NewFailingReads()
			once := func(at int) error {
				reads.FailAt(0, false)
				f, err := webcapture.Open(reads, "a.pdf", webcapture.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				reads.FailAt(at, false)
				return o.do(t.Context(), f)
			}
			if err := once(0); err != nil {
				t.Fatal(err)
			}
			n := reads.Reads()
			if n < 2 {
				t.Fatalf("%d reads", n)
			}
			for at := 1; at <= n; at++ {
				if err := once(at); !errors.Is(err, webcapturetest.ErrRead) {
					t.Errorf("read %d of %d: %v, want %v", at, n, err, webcapturetest.ErrRead)
				}
			}
		})
	}
}
