package source

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// httrackEntry returns an entry of the cache of HTTrack 3.49. The metadata are in the extra field of the local header.
// Only pages have data.
func httrackEntry(name, status, fields, data string) sourcetest.ZipStream {
	return sourcetest.ZipStream{Data: []byte(data), Begin: func(z *zip.Writer) (io.Writer, error) {
		inCache := 1
		if data == "" {
			inCache = 0
		}
		meta := fmt.Sprintf("HTTP/1.1 %s\r\nX-In-Cache: %d\r\nX-StatusCode: %.3s\r\n%s", status, inCache, status,
			fields)
		return z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Extra: []byte(meta)})
	}}
}

// mirror makes a mirror as HTTrack leaves it.
func mirror(t *testing.T) string {
	cache := sourcetest.ZipStreams(t, []sourcetest.ZipStream{
		httrackEntry("http://www.example.com?", "200 OK",
			"X-Size: 9\r\nContent-Type: text/html\r\nX-Save: www.example.com/index.html\r\n", "<img src='/i/a.gif?x'>"),
		httrackEntry("http://www.example.com/i/a.gif?x", "200 OK",
			"X-Size: 3\r\nContent-Type: image/gif\r\nX-Save: www.example.com/i/a89ab.gif\r\n", ""),
		httrackEntry("http://www.example.com/i/grown.gif", "200 OK",
			"X-Size: 3\r\nContent-Type: image/gif\r\nX-Save: www.example.com/i/grown.gif\r\n", ""),
		httrackEntry("http://www.example.com/i/gone.gif", "200 OK",
			"X-Size: 3\r\nX-Save: www.example.com/i/gone.gif\r\n", ""),
		httrackEntry("http://www.example.com/i/out.gif", "200 OK", "X-Size: 3\r\nX-Save: ../secret\r\n", ""),
		httrackEntry("www.example.com/old", "302 Found", "Location: /\r\n", ""),
		httrackEntry("http://www.example.com/error", "404 Not Found", "Content-Type: text/html\r\n", "no"),
		httrackEntry("http://www.example.com/part", "206 Partial", "", "pa"),
		{Data: []byte("x"), Begin: func(z *zip.Writer) (io.Writer,
			error) {
			return z.Create("http://www.example.com/other")
		}},
	})
	cache = bytes.ReplaceAll(cache, []byte("http://www.example.com?"),
		[]byte("http://www.example.com/")) // which is a folder to the writer
	dir := t.TempDir()
	sourcetest.WriteFile(t, "secret", dir, "secret")
	return filepath.Dir(filepath.Dir(sourcetest.WriteFile(t, string(cache),
		filepath.Dir(filepath.Dir(sourcetest.WriteFile(t, "log", dir, "m", "hts-log.txt"))), "m", "hts-cache",
		"new.zip")))
}

// TestHTTrack: the captures of a mirror of HTTrack are in the cache, or in files that the cache names. Other files of
// the mirror are uncertain.
func TestHTTrack(t *testing.T) {
	dir := mirror(t)
	for name, data := range map[string]string{
		"www.example.com/index.html": "<img src='i/a89ab.gif'>", "www.example.com/i/a89ab.gif": "gif",
		"www.example.com/i/grown.gif": "grown", "www.example.com/only.html": "changed",
	} {
		t.Run(name, func(t *testing.T) {
			sourcetest.WriteFile(t, data, dir, name)
		})
	}
	s := opened(t, "", dir)
	for _, row := range []struct{ url, want string }{
		{"http://www.example.com/", "<img src='/i/a.gif?x'>|<img src='i/a89ab.gif'>?"},
		{"http://www.example.com/i/a.gif?x", "gif"},
		{"https://www.example.com/i/a.gif?x", "gif?, found as http://www.example.com/i/a.gif?x"},
		{"http://www.example.com/i/grown.gif", "grown?|grown?"},
		{"http://www.example.com/old", "<img src='/i/a.gif?x'>|<img src='i/a89ab.gif'>?"},
		{"http://www.example.com/error", "no"},
		{"http://www.example.com/part", ""},
		{"http://www.example.com/only.html", "changed?"},
	} {
		t.Run(row.url, func(t *testing.T) {
			if got := strings.Join(looked(t, s, row.url), "|"); got != row.want {
				t.Errorf("%s: %q, want %q", row.url, got, row.want)
			}
		})
	}
	if got := s.Stats(); got.Found != "7 records in 1 HTTrack cache; 5 files found by name" {
		t.Errorf("found %q", got.Found)
	}
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s),
		[]string{"1 × a part of a file (status 206)", "1 × an entry whose header cannot be read"})
	for url, want := range map[string]string{"http://www.example.com/i/gone.gif": "gone.gif",
		"http://www.example.com/i/out.gif": "../secret"} {
		t.Run(url, func(t *testing.T) {
			if got := sourcetest.Describe(s, url); !strings.HasPrefix(got, "error: ") ||
				!strings.Contains(got, "the mirror does not have the file") || !strings.Contains(got, want) {
				t.Errorf("%s: %s", url, got)
			}
		})
	}
	n := 0
	for range All(s) {
		n++
	}
	if n != 12 {
		t.Errorf("%d things in all, want 7 of the cache, with two that are not there, and 5 files", n)
	}
}

// TestHTTrackDamaged: if the cache is damaged, the files of the mirror are still found.
func TestHTTrackDamaged(t *testing.T) {
	dir := mirror(t)
	sourcetest.WriteFile(t, "gif", dir, "www.example.com", "i", "a.gif")
	cache := filepath.Join(dir, "hts-cache", "new.zip")
	data, err := os.ReadFile(cache)
	if err != nil {
		t.Fatal(err)
	}
	for name, broken := range map[string][]byte{"cut off": data[:len(data)-9],
		"without headers": bytes.ReplaceAll(data, []byte("HTTP/1.1 "), []byte("HTTP?1.1 "))} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(cache, broken, 0o600); err != nil {
				t.Fatal(err)
			}
			s := opened(t, "", dir)
			sourcetest.Equal(t, name, looked(t, s, "http://www.example.com/i/a.gif"), []string{"gif?"})
			if got := sourcetest.SkipLine(s); got != "1 an unreadable HTTrack cache" {
				t.Errorf("%s: skipped %s", name, got)
			}
		})
	}
}
