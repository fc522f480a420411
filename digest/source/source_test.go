package source

import (
	"crypto/md5"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// opened opens a source and closes it when the test ends.
func opened(t testing.TB, kind Kind, path string) Source {
	t.Helper()
	s, err := Open(kind, path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("closing %s: %v", path, err)
		}
	})
	return s
}

// site has the captures that tests store as sources and read back. One body has every octet, another many lines.
var site = []struct{ url, mediaType, body string }{
	{"http://h.example/", "text/html", "<img src=a.png>\r\n"},
	{"http://h.example/a.png", "image/png", everyOctet()},
	{"http://h.example:8080/q?x=1&y=%2F", "text/plain", strings.Repeat("line = 1\r\n--x\r\n", 9000)},
	{"https://h.example/", "text/plain", "another scheme"},
	{"http://h.example/empty", "text/plain", ""},
}

func everyOctet() string {
	b := make([]byte, 1<<16)
	for i := range b {
		b[i] = byte(i * i >> 4)
	}
	return "\x89PNG\r\n\x1a\n" + string(b)
}

// makers write site as a source of each kind except WARC and WACZ, and return its path.
var makers = []struct {
	kind Kind
	make func(t testing.TB, dir string) string
}{
	{Folder, makeManifest},
	{HAR, makeHAR},
	{MHTML, makeMHTML},
	{WWWOFFLE, makeSpool},
}

// Each stored body is found, byte for byte, by several spellings of its URL and by concurrent look-ups.
func TestRoundTrip(t *testing.T) {
	for i, m := range makers {
		t.Run(fmt.Sprint(i, " ", m.kind), func(t *testing.T) {
			s := opened(t, m.kind, m.make(t, t.TempDir()))
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					for _, p := range site {
						for _, url := range []string{p.url, p.url + "#top", "HTTP" + strings.TrimPrefix(p.url, "http"),
							strings.Replace(p.url, "h.example", "H.Example", 1)} {
							n := 0
							for c, err := range s.Lookup(url) {
								if n > 0 && err == nil && strings.Contains(c.Where, ", found as ") {
									break
								}
								n++
								if err != nil || c.Body == nil {
									t.Errorf("Lookup(%q): %v", url, err)
									continue
								}
								if got := sourcetest.MustReadStored(t,
									c); md5.Sum([]byte(got)) != md5.Sum([]byte(p.body)) {
									t.Errorf("Lookup(%q) = %.40q, want %.40q", url, got, p.body)
								}
								if !strings.HasPrefix(c.MediaType, p.mediaType) && m.kind != Folder {
									t.Errorf("Lookup(%q): media type %q, want %q", url, c.MediaType, p.mediaType)
								}
								if c.Where == "" {
									t.Errorf("Lookup(%q): no place", url)
								}
							}
							if n != 1 {
								t.Errorf("Lookup(%q) finds %d things, want 1", url, n)
							}
						}
					}
				})
			}
			all.Wait()
			for _, url := range []string{"http://h.example/b", "http://h.example", "", "x", "http://",
				"mailto:a@h.example", "http:///../..", "http://../", "http://h.example/" + strings.Repeat("a", 5000)} {
				if list := sourcetest.Lookup(t, s, url); len(list) > 0 && url != "http://h.example" {
					t.Errorf("Lookup(%q) = %s", url, list[0].Where)
				}
			}
			if got := s.Stats(); got.Kept != len(site) || got.Skipped != nil {
				t.Errorf("Stats() = %+v, want %d kept", got, len(site))
			}
		})
	}
}

// TestUnknownKind: a file of another name is no source without a kind.
func TestUnknownKind(t *testing.T) {
	path := sourcetest.WriteFile(t, "http://h/\tx\n", t.TempDir(), "list.txt")
	if _, err := Open("", path); err == nil || !strings.Contains(err.Error(), "cannot tell") {
		t.Error(err)
	}
}

func TestSplitSpec(t *testing.T) {
	for _, row := range []struct {
		spec string
		kind Kind
		path string
	}{
		{"har:a.har", HAR, "a.har"},
		{"folder:C:\\x", Folder, "C:\\x"},
		{"mhtml:", MHTML, ""},
		{"C:\\x", "", "C:\\x"},
		{"a:b", "", "a:b"},
		{"a", "", "a"},
		{"har", "", "har"},
		{"folder", "", "folder"},
	} {
		t.Run(row.spec, func(t *testing.T) {
			if kind, path := SplitSpec(row.spec); kind != row.kind || path != row.path {
				t.Errorf("SplitSpec(%q) = %q, %q", row.spec, kind, path)
			}
		})
	}
}

// If nothing in a source can be read, the error of Open has one line and the path.
func TestOpenFails(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	if err := os.MkdirAll(filepath.Join(empty, "http", "h"), 0o755); err != nil {
		t.Fatal(err)
	}
	missing := "no such file"
	if runtime.GOOS == "windows" {
		missing = "" // in the language of the system
	}
	for _, row := range []struct {
		kind Kind
		path string
		want string
	}{
		{"", filepath.Join(dir, "no"), missing},
		{Folder, filepath.Join(dir, "no"), missing},
		{Folder, empty, ": no WARC, ARC, WACZ"},
		{Folder, sourcetest.WriteFile(t, "# nothing\nhttp://h/ x\n", dir, "list"), "line 2: a line that is not of the form"},
		{HAR, empty, "a folder, whose sources may be of any kind"},
		{HAR, sourcetest.WriteFile(t, `{"log": {"entries": [{"request"`, dir, "cut.har"), "the JSON is damaged"},
		{HAR, sourcetest.WriteFile(t, `{"log": {"entries": []}}`, dir, "empty.har"), "it has no records"},
		{HAR, sourcetest.WriteFile(t, `{"log": [1]}`, dir, "other.har"), "not have the structure of a HAR file"},
		{HAR, sourcetest.WriteFile(t, `{"log": {"entries": {"a": 1}}}`, dir, "object.har"), "not have the structure of a HAR file"},
		{HAR, sourcetest.WriteFile(t, `{"log": {"entries": 7}}`, dir, "number.har"), "not have the structure of a HAR file"},
		{HAR, sourcetest.WriteFile(t, `[]`, dir, "list.har"), "not have the structure of a HAR file"},
		{MHTML, sourcetest.WriteFile(t, "text", dir, "text.mht"), "text.mht: the file does not begin with the header of a message"},
		{MHTML, sourcetest.WriteFile(t, "Content-Type: multipart/related; boundary=b\n\nb", dir, "none.mht"),
			"it has no records"},
		{WWWOFFLE, empty, "it has no records"},
	} {
		t.Run(string(row.kind), func(t *testing.T) {
			s, err := Open(row.kind, row.path)
			if err == nil {
				s.Close()
				t.Errorf("%s %s opens", row.kind, row.path)
			} else if msg := err.Error(); !strings.Contains(msg, row.want) || !strings.Contains(msg, row.path) ||
				strings.Contains(msg, "\n") {
				t.Errorf("%s %s: %q, want %q in it", row.kind, row.path, msg, row.want)
			}
		})
	}
}

// Redirects are followed, in any number of steps up to a limit, to each place once.
func TestFind(t *testing.T) {
	type entry struct{ url, location, body string }
	entries := []entry{
		{"http://h/a", "b", ""},
		{"http://h/b", "http://i/c?d", ""},
		{"http://i/c?d", "", "end"},
		{"http://h/loop", "/loop#x", ""},
		{"http://h/ping", "/pong", ""},
		{"http://h/pong", "/ping", ""},
		{"http://h/pong", "", "a body too"},
		{"http://h/away", "http://elsewhere/", ""},
	}
	for i := range 30 {
		entries = append(entries, entry{fmt.Sprintf("http://h/%d", i), fmt.Sprintf("%d", i+1), ""})
	}
	entries = append(entries, entry{"http://h/30", "", "thirty"})
	var list []string
	for _, e := range entries {
		t.Run(e.url, func(t *testing.T) {
			if e.location != "" {
				list = append(list, fmt.Sprintf(`{"request": {"method": "GET", "url": %q}, "response": {"status": 302, `+
					`"redirectURL": %q, "content": {}}}`, e.url, e.location))
			} else {
				list = append(list, fmt.Sprintf(`{"request": {"method": "GET", "url": %q}, "response": {"status": 200, `+
					`"content": {"text": %q}}}`, e.url, e.body))
			}
		})
	}
	s := opened(t, HAR, sourcetest.WriteFile(t, `{"log": {"entries": [`+strings.Join(list, ",\n")+`]}}`, t.TempDir(),
		"x.har"))
	for _, row := range []struct{ url, want string }{
		{"http://h/a", "end"},
		{"http://h/b", "end"},
		{"http://i/c?d", "end"},
		{"http://h/loop", ""},
		{"http://h/ping", "a body too"},
		{"http://h/away", `it redirects to "http://elsewhere/", which no source has`},
		{"http://h/20", "thirty"},
		{"http://h/19", ""},
	} {
		t.Run(row.url, func(t *testing.T) {
			var got []string
			for c, err := range Find(s, row.url) {
				if err != nil {
					t.Fatal(err)
				}
				if c.Body == nil {
					got = append(got, c.Doubt)
					continue
				}
				got = append(got, sourcetest.MustRead(t, c))
			}
			if strings.Join(got, "|") != row.want {
				t.Errorf("Find(%q) = %q, want %q", row.url, got, row.want)
			}
		})
	}
}
