package source

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/zipfile"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestARCWithLongURL: an ARC record is found even if its URL is very long.
func TestARCWithLongURL(t *testing.T) {
	for _, n := range []int{100, 2 << 10, 3 << 10, 60 << 10} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			url := "http://a/" + strings.Repeat("u", n)
			record := func(url, body string) string {
				reply := "HTTP/1.1 200 OK\r\n\r\n" + body
				return fmt.Sprintf("%s 127.0.0.1 20200101000000 text/html %d\n%s\n", url, len(reply), reply)
			}
			s := openBytes(t, "a.arc", []byte(record("http://a/1", "one")+record(url, "long")+record("http://a/2", "two")))
			for _, u := range []string{"http://a/1", url, "http://a/2"} {
				sourcetest.LookupOne(t, s, u)
			}
			if got := sourcetest.SkipLine(s); got != "" {
				t.Errorf("a URL of %d bytes: skipped %s", n, got)
			}
		})
	}
}

// TestMissing: errors for missing files are distinguished from errors of the disk.
func TestMissing(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := root.WriteFile("file", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"none", "file/below", strings.Repeat("x", 300), "../outside", "a\x00b"} {
		t.Run(name, func(t *testing.T) {
			if _, err := root.Stat(name); err == nil || !localfile.Missing(err) {
				t.Errorf("%.20q: %v is not for what is missing", name, err)
			}
		})
	}
	for i, errno := range []error{syscall.EIO, syscall.EACCES, syscall.EMFILE, syscall.ENOMEM} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if err := (&fs.PathError{Op: "stat", Path: "x", Err: errno}); localfile.Missing(err) {
				t.Errorf("%v is for what is missing", err)
			}
		})
	}
}

// A damaged entry of a zip is reported as such, and not as an index that does not match.
func TestDamagedEntryIsNoMisfit(t *testing.T) {
	var body strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&body, "%x", i*i)
	}
	long := sourcetest.PageRecord("http://a/2", body.String())
	line := func(url, file string, offset int) string {
		return fmt.Sprintf("a)/ 20200101000000 {\"url\": %q, \"offset\": \"%d\", \"filename\": %q}\n", url, offset,
			file)
	}
	b := sourcetest.Zip(t,
		sourcetest.ZipEntry{Name: "archive/a.warc", Data: []byte(sourcetest.PageRecord("http://a/1", "one")),
			Deflated: false},
		sourcetest.ZipEntry{Name: "archive/b.warc", Data: []byte(long + sourcetest.PageRecord("http://a/3", "three")),
			Deflated: true},
		sourcetest.ZipEntry{Name: "indexes/index.cdxj",
			Data: []byte(line("http://a/1", "a.warc", 0) + line("http://a/2", "b.warc", 0) + line("http://a/3",
				"b.warc", len(long))), Deflated: false})
	b[len(b)/2] = 0xff
	b[len(b)/2+1] = 0xff
	s := openBytes(t, "a.wacz", b)
	sourcetest.LookupOne(t, s, "http://a/1")
	if got := sourcetest.SkipLine(s); got != "1 a damaged or unsupported entry of the zip file" {
		t.Errorf("skipped %s", got)
	}
}

// A WACZ file with a directory that is too large is refused, with the limit.
func TestMaxZipDirectory(t *testing.T) {
	for n, want := range map[int]string{1: "", 40_000: (&zipfile.DirectoryError{Limit: zipfile.MaxDirectory}).Error()} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			list := []sourcetest.ZipEntry{{Name: "archive/a.warc", Data: []byte(sourcetest.PageRecord("http://a/", "one")),
				Deflated: false}}
			for i := range n {
				list = append(list, sourcetest.ZipEntry{Name: fmt.Sprintf("x/%d", i), Data: nil, Deflated: false})
			}
			path := filepath.Join(t.TempDir(), "x")
			if err := os.WriteFile(path, sourcetest.Zip(t, list...), 0o666); err != nil {
				t.Fatal(err)
			}
			s, err := Open("", path, Options{})
			if err == nil {
				s.Close()
			}
			if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
				t.Errorf("%d entries: %v, want %q", n, err, want)
			}
		})
	}
}
