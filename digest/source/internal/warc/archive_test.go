package warc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

func FuzzWARC(f *testing.F) {
	for _, p := range sourcetest.Packings {
		f.Add(p.Pack(sourcetest.SampleArchive.Records))
	}
	f.Add([]byte("http://a/ 1.1.1.1 20200101000000 text/html 4\nbody\n"))
	path := filepath.Join(f.TempDir(), "fuzz.warc")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := capture.Open([]capture.File{New(path)}, &capture.Stats{})
		if err != nil {
			return
		}
		for url := range sourcetest.SampleArchive.Want {
			sourcetest.Describe(s, url)
		}
		n := 0
		for _, err := range s.All {
			n++
			if err != nil && !strings.Contains(err.Error(), body.ErrHeader.Error()) &&
				!strings.Contains(err.Error(), "a revisit of") && !strings.Contains(err.Error(), "a split record") {
				t.Errorf("what was indexed cannot be read: %v", err)
			}
		}
		if kept := s.Stats().Kept; kept != n {
			t.Errorf("%d kept, %d listed", kept, n)
		}
	})
}

// A record that has changed since it was indexed is an error, and no other data.
func TestRecordThatChanged(t *testing.T) {
	data := sourcetest.PageRecord("http://a/1", "one")
	path := sourcetest.ArchiveFile(t, "a.warc", []byte(data))
	s := open(t, path)
	for name, changed := range map[string]string{
		"no length":   strings.Replace(data, "Content-Length: ", "Content-Length: x", 1),
		"no record":   strings.Repeat("x", len(data)),
		"nothing":     "",
		"reply's end": strings.ReplaceAll(data, "\r\n\r\none", "\r\nX: yz"),
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			if got := sourcetest.Describe(s, "http://a/1"); !strings.HasPrefix(got, "error: "+path+", byte 0: ") ||
				name == "no length" && !strings.Contains(got, reasonLength) {
				t.Errorf("%s: %s", name, got)
			}
		})
	}
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	c := sourcetest.LookupOne(t, s, "http://a/1")
	for _, n := range []int{len(data) - len("one\r\n\r\n"), 20} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if err := os.Truncate(path, int64(n)); err != nil {
				t.Fatal(err)
			}
			got, err := sourcetest.ReadAll(c)
			if !errors.Is(err, errCutOff) || n == 20 && !strings.HasPrefix(err.Error(), path+", byte 0: ") {
				t.Errorf("a record of which %d bytes are left: %q, %v", n, got, err)
			}
		})
	}
}

// TestRecordBeforeFailure: a record is read, although the disk fails after it.
func TestRecordBeforeFailure(t *testing.T) {
	data := sourcetest.PageRecord("http://a/1", "one")
	p := &Part{Path: "x", Size: int64(2 * len(data)), data: failingAfter{strings.NewReader(data + data), int64(len(data))}}
	if s, err := p.read(nil, 0); err != nil || string(s.url) != "http://a/1" {
		t.Errorf("%+v, %v", s, err)
	}
	at := int64(len(data))
	if s, err := p.read(nil, at); localfile.PathError(err) == nil {
		t.Errorf("the next record: %+v, %v; want the error of the disk", s, err)
	}
	p.Size = int64(len(data))
	if s, err := p.read(nil, at); !errors.Is(err, io.EOF) {
		t.Errorf("after the end: %+v, %v; want the end", s, err)
	}
}

// TestListWithoutFile: if one of the files is gone, its records are errors, and those of the other file are listed.
func TestListWithoutFile(t *testing.T) {
	gone := sourcetest.ArchiveFile(t, "a.warc", []byte(sourcetest.PageRecord("http://a/1", "one")))
	other := sourcetest.ArchiveFile(t, "b.warc", []byte(sourcetest.PageRecord("http://a/2", "two")))
	a, err := capture.Open([]capture.File{New(gone), New(other)}, &capture.Stats{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	sourcetest.Equal(t, "captures", listed(t, a), []string{"error", `http://a/2 "two"`})
}
