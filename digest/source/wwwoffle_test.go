package source

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/source/internal/folder"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

func makeSpool(t testing.TB, dir string) string {
	for i, p := range site {
		eol := []string{"\r\n", "\n"}[i%2]
		url := string(canon.WWWOFFLE29.Append(nil, []byte(p.url)))
		sourcetest.StorePage(t, dir, "", url, "HTTP/1.0 200 OK"+eol+"Content-Type: "+p.mediaType+eol+eol+p.body)
	}
	return dir
}

// Pages are found under the names of every version and, if none of these is there, by the URLs in the U files.
func TestSpoolVersions(t *testing.T) {
	dir := t.TempDir()
	const ok = "HTTP/1.0 200 OK\r\n\r\n"
	for _, url := range []string{
		"http://h/p;a%2Bb?x=1",       // 2.6 only: 2.9 would write p;a+b
		"http://h/args?a=1&b",        // 2.9, and 2.9e of a URL without &amp;
		"http://h/amp?a=1&amp;b",     // 2.9e
		"http://h:80/old",            // no version: the default port is there
		"ftp://me:pw@f/x",            // with userinfo
		"http://[0:0:0:0:0:0:0:1]/6", // an address, written in full
		"https://s/gnutls",           // built with GnuTLS
		"https://u@t:443/plain",      // built without GnuTLS
	} {
		t.Run(url, func(t *testing.T) {
			sourcetest.StorePage(t, dir, "", url, ok+url)
		})
	}
	sourcetest.StorePage(t, dir, "http/h!81", "http://h:81/cygwin", ok+"cygwin")
	// The files go to the folder without the default port, which is where look-ups search.
	if err := os.Rename(filepath.Join(dir, "http", sourcetest.SpoolName("h:80")), filepath.Join(dir, "http", "tmp")); err != nil {
		t.Fatal(err)
	}
	name := canon.CacheName([]byte("http://h:80/old"))
	for _, letter := range []string{"U", "D"} {
		t.Run(letter, func(t *testing.T) {
			if err := os.Rename(filepath.Join(dir, "http", "tmp", letter+name),
				filepath.Join(dir, "http", "h", letter+name)); err != nil {
				t.Fatal(err)
			}
		})
	}
	s := opened(t, "", dir)
	for _, row := range []struct{ url, body string }{
		{"http://H/p;a%2Bb?x=1", "http://h/p;a%2Bb?x=1"},
		{"http://h/args?a=1&b#c", "http://h/args?a=1&b"},
		{"http://h/amp?a=1&amp;b", "http://h/amp?a=1&amp;b"},
		{"http://h/old", "http://h:80/old"},
		{"ftp://me:pw@f/x", "ftp://me:pw@f/x"},
		{"http://[0:0:0:0:0:0:0:1]/6", "http://[0:0:0:0:0:0:0:1]/6"},
		{"http://h:81/cygwin", "cygwin"},
		{"https://s:443/gnutls", "https://s/gnutls"},
		{"https://u@t/plain", "https://u@t:443/plain"},
		{"https://u@t:443/plain", "https://u@t:443/plain"},
	} {
		t.Run(row.url, func(t *testing.T) {
			sourcetest.Equal(t, row.url, sourcetest.ReadForms(sourcetest.LookupOne(t, s, row.url)),
				[]string{fmt.Sprintf("stored %q", row.body)})
		})
	}
}

func TestSpoolOlderCopies(t *testing.T) {
	dir := t.TempDir()
	const url = "http://h/a"
	reply := func(day int) string {
		return fmt.Sprintf("HTTP/1.0 200 OK\r\nDate: Mon, %02d Jan 2024 00:00:00 GMT\r\n\r\n%d", day, day)
	}
	for i, folder := range []string{"prevtime10", "prevtime9", "prevtime2", "prevtime1", "lasttime", ""} {
		t.Run(folder, func(t *testing.T) {
			sourcetest.StorePage(t, dir, folder, url, reply(i+1))
		})
	}
	sourcetest.StorePage(t, dir, "prevtime1", "http://gone/", reply(9))
	sourcetest.StorePage(t, dir, "mine", "http://gone/", reply(10)) // a folder that WWWOFFLE does not make
	got := func(s Source, url string) []string {
		var list []string
		for _, c := range sourcetest.Lookup(t, s, url) {
			list = append(list, fmt.Sprint(c.Time.Day(), " ", filepath.Base(filepath.Dir(c.Where)), " ",
				sourcetest.MustRead(t, c)))
		}
		return list
	}
	s := opened(t, "", dir)
	sourcetest.Equal(t, "copies", got(s, url),
		[]string{"1 prevtime10 1", "2 prevtime9 2", "3 prevtime2 3", "4 prevtime1 4", "5 lasttime 5", "6 h 6"})
	sourcetest.Equal(t, "a host that is gone", got(s, "http://gone"), []string{"9 prevtime1 9"})
	if n := s.Stats().Kept; n != 7 {
		t.Errorf("%d kept, want 7", n)
	}
}

func TestSpoolSkips(t *testing.T) {
	dir := t.TempDir()
	const ok = "HTTP/1.0 200 OK\r\n\r\nx"
	store := func(url, reply string) string { return sourcetest.StorePage(t, dir, "", url, reply) }
	host := filepath.Join(dir, "http", "h")
	remove := func(letter, name string) {
		if err := os.Remove(filepath.Join(host, letter+name)); err != nil {
			t.Fatal(err)
		}
	}
	store("http://h/good", ok)
	store("http://h/f?!POST:abcdefghijklmnopqrstuv.0123abcd", ok)
	store("http://h/f?a=1!POST:abcdefghijklmnopqrstuv.0123abcd", ok)
	store("http://h/f?!PUT:abcdefghijklmnopqrstuv.0123abcd", ok)
	remove("U", store("http://h/no-u", ok))
	remove("D", store("http://h/no-d", ok))
	store("http://h/empty", "")
	folder := filepath.Join(host, "D"+store("http://h/folder", ok))
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	sourcetest.WriteFile(t, "", folder, "x")
	sourcetest.WriteFile(t, "", host, "L"+store("http://h/locked", ok))
	store("http://h/error", "HTTP/1.0 503 WWWOFFLE Remote Host Error\r\n\r\nx")
	store("http://h/gone", "HTTP/1.0 404 WWWOFFLE Requested Resource Gone\r\n\r\nx")
	sourcetest.WriteFile(t, "http://h/other", host, "U"+store("http://h/disagree", ok))
	sourcetest.WriteFile(t, "http://h/good\n", host, "U"+store("http://h/newline", ok))
	store("http://h/garbage", strings.Repeat("\x00\xff", 999))
	store("http://h/text", "no status line\n\nx")
	store("http://h/part", "HTTP/1.0 206 Partial\r\n\r\nx")
	store("http://h/moved", "HTTP/1.0 301 Moved\nLocation: good\n\nx")
	sourcetest.WriteFile(t, ok, host, "Dnot-a-name")
	sourcetest.WriteFile(t, ok, dir, "http", "a file next to the folders of hosts")
	sourcetest.WriteFile(t, ok, host, "D"+canon.CacheName([]byte("http://h/good"))+"~")
	s := opened(t, "", dir)
	for _, url := range []string{
		"http://h/no-u", "http://h/no-d", "http://h/empty", "http://h/locked",
		"http://h/disagree", "http://h/other",
		"http://h/newline", "http://h/garbage", "http://h/text", "http://h/part",
		"http://h/f", "http://h/f?", "http://../good",
	} {
		t.Run(url, func(t *testing.T) {
			if list := sourcetest.Lookup(t, s, url); len(list) > 0 {
				t.Errorf("Lookup(%q) = %s", url, list[0].Where)
			}
		})
	}
	for _, url := range []string{"http://h/error", "http://h/gone"} { // errors that WWWOFFLE made
		if c := sourcetest.LookupOne(t, s, url); c.Doubt == "" {
			t.Errorf("%s is certain", url)
		}
	}
	if c := sourcetest.LookupOne(t, s, "http://h/moved"); c.Redirect != "good" || c.Body != nil {
		t.Errorf("%+v", c)
	}
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{
		"3 × a D file that does not begin with the header of a reply",
		"2 × a U file whose URL does not match its name",
		"1 × a D file without its U file",
		"1 × a file that WWWOFFLE was writing (it is locked)",
		"1 × a part of a file (status 206)",
	})
	if got := s.Stats(); got.Kept != 7 || got.Files != 15 || !strings.HasPrefix(got.Skipped[0].First, host) {
		t.Errorf("Stats() = %+v", got)
	}
}

// A spool is recognized by a D file.
func TestIsSpool(t *testing.T) {
	spool, other := t.TempDir(), t.TempDir()
	name := sourcetest.StorePage(t, spool, "", "http://h/a", "x")
	sourcetest.WriteFile(t, "", other, "http", "h", "U"+name)
	sourcetest.WriteFile(t, "", other, "http", "h", "Dname")
	sourcetest.WriteFile(t, "", other, "htdocs", "h", "D"+name)
	for path, want := range map[string]bool{spool: true, other: false, filepath.Join(spool, "http", "h", "D"+name): false,
		filepath.Join(spool, "no"): false} {
		t.Run(path, func(t *testing.T) {
			if got := folder.IsSpool(path); got != want {
				t.Errorf("isSpool(%s) = %v", path, got)
			}
		})
	}
}

// TestSpoolSample reads a cache that WWWOFFLE 2.9h has written. The sample is next to the repository, and not in it.
func TestSpoolSample(t *testing.T) {
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "vectors", "wwwoffle-cache-sample.tar.gz"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no sample of WWWOFFLE next to the repository")
	} else if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		switch name := filepath.Join(dir, sourcetest.SpoolName(path.Clean("/"+h.Name))); h.Typeflag {
		case tar.TypeReg:
			data, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			sourcetest.WriteFile(t, string(data), name)
		case tar.TypeLink:
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Link(filepath.Join(dir, sourcetest.SpoolName(path.Clean("/"+h.Linkname))), name); err != nil {
				t.Fatal(err)
			}
		}
	}
	s := opened(t, "", filepath.Join(dir, "spool"))
	for _, row := range []struct{ url, mediaType, body string }{
		{"http://www.example.com", "text/html", "<p>Hello</p>\r\n\n"},
		{"ftp://anonymous:me%40here@ftp.example.org/pub/file;type=i", "application/octet-stream", "FTPDATA"},
		{"http://[0:0:0:0:0:0:0:1]:8080/six", "text/plain", "six\n"},
		{"http://folded.example.com/h#x", "text/html", "body with LF-only header\n"},
		{"http://www.example.com/docs/~user/page;v=1?q=a+b&x=/", "text/plain", "body two\n"},
		{"http://www.example.com:8080/img?x", "image/png", "\x89PNG"},
		{"http://www.example.net/gone", "text/html", "nope"},
		{"http://gz.example.com/page.html", "text/html", strings.Repeat("z", 9000)},
	} {
		t.Run(row.url, func(t *testing.T) {
			list := sourcetest.Lookup(t, s, row.url)
			if len(list) == 0 {
				t.Fatal("not found")
			}
			c := list[0]
			if c.MediaType != row.mediaType {
				t.Errorf("%s: media type %q", row.url, c.MediaType)
			}
			if got := sourcetest.MustRead(t, c); got != row.body {
				t.Errorf("%s: %q, want %q", row.url, got, row.body)
			}
		})
	}
	if got := s.Stats(); got.Kept != 9 || got.Skipped != nil { // one file has two names
		t.Errorf("Stats() = %+v", got)
	}
}
