package source

import (
	"archive/zip"
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/httrack"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
	"github.com/webcap-tools/webcap/digest/source/internal/wacz"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// FuzzSpool reads a cache of WWWOFFLE with two files of arbitrary bytes: one for the URL, one for the response.
func FuzzSpool(f *testing.F) {
	f.Add("http://h/a", "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\nbody")
	f.Add("http://h/a?x", "HTTP/1.0 302 Found\r\nLocation: /b\r\nDate: Mon, 01 Jan 2001 00:00:00 GMT\r\n\r\n")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, url, reply string) {
		dir := t.TempDir()
		sum := md5.Sum([]byte(url))
		h := strings.ReplaceAll(base64.RawStdEncoding.EncodeToString(sum[:]), "/", "-")
		sourcetest.WriteFile(t, url, dir, "http", "h", "U"+h)
		sourcetest.WriteFile(t, reply, dir, "http", "h", "D"+h)
		s, err := Open(WWWOFFLE, dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		stats := s.Stats()
		sourcetest.Describe(s, url)
		sourcetest.Describe(s, "http://h/a")
		if stats.Kept+skipped(stats) == 0 {
			t.Errorf("neither kept nor skipped: %+v", stats)
		}
	})
}

func skipped(s Stats) (n int) {
	for _, k := range s.Skipped {
		n += k.Count
	}
	return n
}

// FuzzFolder looks up any URL in a folder with files of various names. All results must be in that folder.
func FuzzFolder(f *testing.F) {
	dir := f.TempDir()
	names := []string{"h/index.html", "h/a", "h/a.1", "h/a.orig", "h/b@c=d.html", "h/%2e%2e/x", "h+80/x"}
	if runtime.GOOS != "windows" {
		names = append(names, "h/b?c=d", "h:80/x")
	}
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(dir, "in", filepath.Dir(name)), 0o755); err != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "in", name), nil, 0o644); err != nil {
			f.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "outside"), nil, 0o644); err != nil {
		f.Fatal(err)
	}
	s, err := Open(Folder, filepath.Join(dir, "in"), Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { s.Close() })
	for _, url := range []string{"http://h/", "http://h/a", "http://h/b?c=d", "http://h/../../outside",
		"file:///outside", "http://h:80/x", "http://../outside", "http://h/\x00"} {
		f.Add(url)
	}
	f.Fuzz(func(t *testing.T, url string) {
		for c, err := range s.Lookup(url) {
			if err == nil && (c.URL != url || strings.Contains(c.Where, "outside") || len(c.Bodies) == 0) {
				t.Errorf("%q is found: %+v", url, c)
			}
		}
	})
}

// FuzzCDX reads a WACZ file whose index is any text. The results must have the requested URL.
func FuzzCDX(f *testing.F) {
	data := sourcetest.ZipEntry{Name: "archive/data.warc.gz", Data: sourcetest.Packings[1].Pack(waczRecords),
		Deflated: false}
	f.Add(waczIndex(cdxjLine))
	f.Add(" CDX N b a m s k r M S V g\n" +
		strings.Repeat("h)/ 20200101000000 http://h/ text/html 200 A - - 10 0 data.warc.gz\n", 2))
	f.Add("h)/ 2020 {\"url\": \"http://h/\", \"offset\": -1, \"length\": \"9223372036854775807\", \"filename\": " +
		"\"data.warc.gz\"}\n")
	f.Fuzz(func(t *testing.T, index string) {
		s, err := wacz.Open(sourcetest.ArchiveFile(t, "a.wacz",
			sourcetest.Zip(t, data, sourcetest.ZipEntry{Name: "indexes/index.cdxj", Data: []byte(index),
				Deflated: false})), capture.Options{})
		if err != nil {
			return
		}
		defer s.Close()
		for url := range waczWant {
			for c, err := range s.Lookup(url) {
				if err == nil && urlkey.Of(c.URL) != urlkey.Of(url) {
					t.Errorf("%s leads to %s", url, c.URL)
				}
			}
		}
	})
}

// FuzzHTTrack reads a mirror whose cache has one entry of any name, with any header and data, and one octet of the
// cache is any other. What is kept is found, and nothing outside of the mirror is.
func FuzzHTTrack(f *testing.F) {
	const meta = "HTTP/1.1 200 OK\r\nX-In-Cache: 1\r\nX-Size: 4\r\n"
	f.Add("http://h/", meta, "page", 1<<20, byte(0))
	f.Add("h/a", "HTTP/1.1 200 OK\r\nX-In-Cache: 0\r\nX-Size: 6\r\nX-Save: ../secret\r\n", "", 1<<20, byte(0))
	f.Add("http://h/a", "HTTP/1.1 302 Found\r\nLocation: /\r\n", "", 28, byte(0xff))
	dir := f.TempDir()
	sourcetest.WriteFile(f, "secret", dir, "secret")
	f.Fuzz(func(t *testing.T, name, meta, data string, at int, octet byte) {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Extra: []byte(meta)})
		if err == nil && !strings.HasSuffix(name, "/") {
			_, err = io.WriteString(w, data)
		}
		if err != nil || z.Close() != nil {
			return
		}
		if at >= 0 && at < b.Len() {
			b.Bytes()[at] = octet
		}
		s, err := httrack.Open(sourcetest.WriteFile(t, b.String(), dir, "m", "hts-cache", "new.zip"), capture.Options{})
		if err != nil {
			return
		}
		defer s.Close()
		n := 0
		for c, err := range All(s) {
			if n++; err != nil {
				continue
			}
			for _, body := range c.Bodies {
				if data, err := sourcetest.ReadAll(body); err == nil && string(data) == "secret" &&
					strings.Contains(c.Where, "in the file") {
					t.Errorf("%s is outside of the mirror", c.Where)
				}
			}
			if sourcetest.Describe(s, c.URL) == "" {
				t.Errorf("%q is not found", c.URL)
			}
		}
		if n != s.Stats().Kept || n == 0 {
			t.Errorf("%d of %d are listed", n, s.Stats().Kept)
		}
	})
}

// FuzzAlike takes any two URLs: those that are equal in canonical form are alike.
func FuzzAlike(f *testing.F) {
	for _, line := range alikeURLs {
		f.Add(line[0], line[len(line)-1])
	}
	f.Add("./V:", "V:")
	f.Fuzz(func(t *testing.T, a, b string) {
		alike := Alike(a)
		if got := Alike(urlkey.Of(a)); got != alike &&
			urlkey.Of(urlkey.Of(a)) == urlkey.Of(a) { // ./V: becomes V:, which has a scheme
			t.Errorf("Alike(%q) = %q, and %q of its canonical form", a, alike, got)
		}
		if urlkey.Of(a) == urlkey.Of(b) && alike != Alike(b) {
			t.Errorf("%q and %q are equal, and not alike", a, b)
		}
	})
}
