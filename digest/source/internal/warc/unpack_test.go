package warc

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestLongMembers: records in a long member are found, whether the member is intact, damaged, followed by other data,
// or ends within a record.
func TestLongMembers(t *testing.T) {
	long := sourcetest.PageRecord("http://a/long", strings.Repeat("x", (1<<20)))
	record := func(n int) string {
		return sourcetest.PageRecord(fmt.Sprintf("http://a/%d", n), fmt.Sprintf("file %d", n))
	}
	all := long + record(1) + record(2) + record(3)
	cut := sourcetest.Gzip(all)
	sum := sourcetest.Gzip(all)
	sum[len(sum)-8] ^= 1
	for name, data := range map[string][]byte{
		"gzip": sourcetest.Gzip(all),
		"gzip, and others": append(append(sourcetest.Gzip(record(4)), sourcetest.Gzip(all)...),
			sourcetest.Gzip(record(5))...),
		"gzip, and something":    append(sourcetest.Gzip(all), "something else"...),
		"gzip, cut off":          cut[:len(cut)-20],
		"gzip, with a wrong sum": sum,
		"three long ones": append(append(sourcetest.Gzip(all), sourcetest.Gzip(strings.ReplaceAll(all, "a/", "b/"))...),
			sourcetest.Gzip(strings.ReplaceAll(all, "a/", "c/"))...),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("TMPDIR", dir)
			s := openBytes(t, "a.warc", data)
			for n := range 3 {
				if got := sourcetest.Describe(s, fmt.Sprintf("http://a/%d", n+1)); n < 2 && !strings.Contains(got,
					fmt.Sprintf(`"file %d"`, n+1)) {
					t.Errorf("record %d: %s", n+1, got)
				}
			}
			if lost := strings.HasPrefix(name, "gzip, ") && name != "gzip, and others"; s.Stats().Lost != lost {
				t.Errorf("lost: %v, want %v", s.Stats().Lost, lost)
			}
			damaged := "1 " + errDamage.Error()
			if skips := map[string]string{"gzip, cut off": damaged, "gzip, with a wrong sum": damaged,
				"gzip, and something": damaged}[name]; sourcetest.SkipLine(s) != skips {
				t.Errorf("skipped %q, want %q", sourcetest.SkipLine(s), skips)
			}
			if got := s.Stats(); got.Bytes != int64(len(data)) || got.Files != 1 {
				t.Errorf("%+v", got)
			}
			s.Close()
			if n := sourcetest.FileCount(t, dir); n != 0 {
				t.Errorf("%d temporary files after Close", n)
			}
		})
	}
}

// failingAfter is a file whose disk fails after some bytes.
type failingAfter struct {
	io.ReaderAt
	good int64
}

func (f failingAfter) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) <= f.good {
		return f.ReaderAt.ReadAt(p, at)
	}
	n, _ := f.ReaderAt.ReadAt(p[:max(f.good-at, 0)], at)
	return n, &fs.PathError{Op: "read", Path: "x", Err: syscall.EIO}
}

// TestLongMembersWithoutFile: if the temporary file cannot be made, the file cannot be opened.
func TestLongMembersWithoutFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(dir, "missing"))
	t.Setenv("TMP", filepath.Join(t.TempDir(), "missing"))
	data := sourcetest.Gzip(sourcetest.PageRecord("http://a/long", strings.Repeat("x", 1<<20)) +
		sourcetest.PageRecord("http://a/1", "one"))
	if _, err := capture.Open([]capture.File{New(sourcetest.WriteFile(t, string(data), dir, "a.warc.gz"))},
		&capture.Stats{}); localfile.PathError(err) == nil {
		t.Errorf("%v, want the error of the disk", err)
	}
}

// TestLargeMemberIsNoBomb: a large member of incompressible data, and the member after it, are within the budget.
func TestLargeMemberIsNoBomb(t *testing.T) {
	noise := make([]byte, 8<<20)
	rand.New(rand.NewSource(1)).Read(noise)
	data := append(sourcetest.Gzip(string(noise)), sourcetest.Gzip("next")...)
	p := &Part{Path: "x", Size: int64(len(data)), gzip: true, data: bytes.NewReader(data)}
	rest, err := p.unpack(0, &capture.Scan{Meter: meter.New(p.Size)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	got := make([]byte, rest.Size)
	if _, err := rest.data.ReadAt(got, 0); string(got) != string(noise)+"next" || err != nil {
		t.Errorf("%d bytes and %v, want %d", len(got), err, len(noise)+4)
	}
}
