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

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
	"github.com/webcap-tools/webcap/digest/tempfile"
)

// TestLongMembers: repeated look-ups in a long member give the same results, whether the member is intact, damaged,
// followed by other data, or ends within a record.
func TestLongMembers(t *testing.T) {
	long := sourcetest.PageRecord("http://a/long", strings.Repeat("x", (1<<20)))
	record := func(n int) string {
		return sourcetest.PageRecord(fmt.Sprintf("http://a/%d", n), fmt.Sprintf("file %d", n))
	}
	all := long + record(1) + record(2) + record(3)
	middle := len(all) - len("3\r\n\r\n")
	cut := sourcetest.Gzip(all)
	sum := sourcetest.Gzip(all)
	sum[len(sum)-8] ^= 1
	for name, data := range map[string][]byte{
		"gzip":                  sourcetest.Gzip(all),
		"zstd":                  sourcetest.Zstd(nil, []string{all}),
		"zstd, a record in two": sourcetest.Zstd(nil, []string{all[:middle], all[middle:]}),
		"gzip, a record in two": append(sourcetest.Gzip(all[:middle]), sourcetest.Gzip(all[middle:])...),
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
			want := map[string]string{}
			for round := range 4 + 2 {
				for n := range 6 {
					for _, host := range []string{"a", "b", "c"} {
						url := fmt.Sprintf("http://%s/%d", host, n)
						if got := sourcetest.Describe(s, url); round == 0 {
							want[url] = got
						} else if got != want[url] {
							t.Fatalf("%s, round %d:\n got %swant %s", url, round, got, want[url])
						}
					}
				}
			}
			if !strings.Contains(want["http://a/1"], `"file 1"`) {
				t.Errorf("http://a/1: %s", want["http://a/1"])
			}
			a := s.(*Archive)
			if a.long.file == nil {
				t.Error("there is no temporary file")
			}
			for e := range a.index.entries.all() {
				again := a.parts[e.part]
				again.long = nil
				if got, want := rest(t, &a.parts[e.part], e.position), rest(t, &again, e.position); got != want {
					t.Errorf("from %v: %d bytes and what comes after them, want %d", e.position, len(got), len(want))
				}
			}
			s.Close()
			if n := sourcetest.FileCount(t, dir); n != 0 {
				t.Errorf("%d temporary files after Close", n)
			}
		})
	}
}

// rest returns all data from a position on, and the error at the end.
func rest(t *testing.T, p *Part, at position) string {
	in, err := newMemberReader(p, at, (64 << 10))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if len(in.peek(1)) > 0 && in.position() != at && at.skip > 0 { // the data after an empty member are in the next
		t.Errorf("position %+v, want %+v", in.position(), at)
	}
	data, err := io.ReadAll(in)
	return fmt.Sprintf("%s\n%v", data, err)
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

// TestLongMembersWithoutFile: if the temporary file cannot be made or written, look-ups decode the member each time.
func TestLongMembersWithoutFile(t *testing.T) {
	text := strings.Repeat("x", minLong) + "the end"
	data := sourcetest.Gzip(text)
	closed, err := tempfile.New()
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for name, l := range map[string]*longMembers{"not made": {}, "not written": {file: closed}} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "missing"))
			t.Setenv("TMP", filepath.Join(t.TempDir(), "missing"))
			p := &Part{Path: "x", Size: int64(len(data)), codec: gzipMembers, Zip: bytes.NewReader(data), long: l}
			for n := range freeLooks + 2 {
				if got := rest(t, p, position{skip: minLong}); got != "the end\n<nil>" {
					t.Errorf("look-up %d: %.99q", n, got)
				}
			}
			if !l.failed {
				t.Error("the member is kept")
			}
		})
	}
}

// TestLargeMemberIsNoBomb: a large member of incompressible data, and the member after it, are within the limit of
// decoded data, whether the large one is decoded or kept.
func TestLargeMemberIsNoBomb(t *testing.T) {
	noise := make([]byte, body.MaxBody/MaxRatio+minLong)
	rand.New(rand.NewSource(1)).Read(noise)
	data := append(sourcetest.Gzip(string(noise)), sourcetest.Gzip("next")...)
	l := &longMembers{}
	defer l.Close()
	p := &Part{Path: "x", Size: int64(len(data)), codec: gzipMembers, Zip: bytes.NewReader(data), long: l}
	want := string(noise[minLong:]) + "next\n<nil>"
	for n := range freeLooks + 2 {
		if got := rest(t, p, position{skip: minLong}); got != want {
			t.Errorf("look-up %d: %d bytes and the error, want %d", n, len(got), len(want))
		}
	}
}
