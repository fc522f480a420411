package source

import (
	"crypto/md5"
	"encoding/base64"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
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
		s, err := Open(WWWOFFLE, dir)
		if err != nil {
			return // nothing is usable
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
	s, err := Open(Folder, filepath.Join(dir, "in"))
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
			if err == nil && (c.URL != url || strings.Contains(c.Where, "outside") || c.Body == nil) {
				t.Errorf("%q is found: %+v", url, c)
			}
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
		alike := urlkey.Alike(a)
		if got := urlkey.Alike(urlkey.Of(a)); got != alike &&
			urlkey.Of(urlkey.Of(a)) == urlkey.Of(a) { // ./V: becomes V:, which has a scheme
			t.Errorf("Alike(%q) = %q, and %q of its canonical form", a, alike, got)
		}
		if urlkey.Of(a) == urlkey.Of(b) && alike != urlkey.Alike(b) {
			t.Errorf("%q and %q are equal, and not alike", a, b)
		}
	})
}
