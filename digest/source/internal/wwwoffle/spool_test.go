package wwwoffle

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

const ok = "HTTP/1.0 200 OK\r\n\r\n"

func opened(t testing.TB, path string) *spool {
	t.Helper()
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s.(*spool)
}

// urls returns the URLs that an iterator yields. For an error, it returns "error".
func urls(seq func(func(*capture.Candidate, error) bool)) (list []string) {
	for c, err := range seq {
		if err != nil {
			list = append(list, "error")
		} else {
			list = append(list, c.URL)
		}
	}
	return list
}

// A look-up yields the forms of the URL, and LookupAlike only other URLs that are alike.
func TestLookupsExcludeEachOther(t *testing.T) {
	dir := t.TempDir()
	for _, url := range []string{"http://h/a", "http://h/a/", "https://h/a", "http://h/b", "http://h/c?"} {
		sourcetest.StorePage(t, dir, "", url, ok)
	}
	s := opened(t, dir)
	for _, row := range []struct {
		url         string
		same, alike []string
	}{
		{"http://h/a", []string{"http://h/a"}, []string{"http://h/a/", "https://h/a"}},
		{"http://h/a/", []string{"http://h/a/"}, []string{"http://h/a", "https://h/a"}},
		{"http://h/b/", nil, []string{"http://h/b"}},
		{"http://h/d", nil, nil},
	} {
		t.Run(row.url, func(t *testing.T) {
			sourcetest.Equal(t, "Lookup", urls(s.Lookup(row.url)), row.same)
			alike := urls(s.LookupAlike(row.url))
			slices.Sort(alike)
			sourcetest.Equal(t, "LookupAlike", alike, row.alike)
		})
	}
}

// A host without entries is not remembered, because WWWOFFLE may still be writing its files.
func TestNewEntriesAreFound(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, dir string){
		"no folder":    func(*testing.T, string) {},
		"empty folder": func(t *testing.T, dir string) { sourcetest.WriteFile(t, "", dir, "http", "h", "x") },
		"a D file without its U file": func(t *testing.T, dir string) {
			page := sourcetest.StorePage(t, dir, "", "http://h/a", ok)
			if err := os.Remove(filepath.Join(dir, "http", "h", "U"+page)); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			sourcetest.StorePage(t, dir, "", "http://other/", ok)
			prepare(t, dir)
			s := opened(t, dir)
			sourcetest.Equal(t, "before", urls(s.LookupAlike("http://h/a/")), nil)
			sourcetest.StorePage(t, dir, "", "http://h/a", ok)
			sourcetest.Equal(t, "after", urls(s.LookupAlike("http://h/a/")), []string{"http://h/a"})
		})
	}
}

// lists counts how often each folder is listed. The first lists of a folder end with an error of the disk.
type lists struct {
	fs.FS
	count map[string]int
	fails map[string]int // number of lists with an error, by folder
}

func (l *lists) ReadDir(folder string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(l.FS, folder)
	if l.count[folder]++; err == nil && l.count[folder] <= l.fails[folder] {
		err = syscall.EIO
	}
	return list, err
}

// A folder with entries is listed once. If the list breaks off, each look-up says so, and the next one lists it again.
func TestHostIsListedOnce(t *testing.T) {
	dir := t.TempDir()
	sourcetest.StorePage(t, dir, "", "http://h/a", ok)
	for name, c := range map[string]struct {
		fails int
		want  []string
		read  int
	}{
		"whole":      {0, []string{"http://h/a"}, 1},
		"broken off": {3, []string{"error", "http://h/a"}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			s := opened(t, dir)
			l := &lists{s.lists, map[string]int{}, map[string]int{"http/h": c.fails}}
			s.lists = l
			for range 3 {
				sourcetest.Equal(t, "captures", urls(s.LookupAlike("http://h/a/")), c.want)
			}
			if got := l.count["http/h"]; got != c.read {
				t.Errorf("the folder was listed %d times, want %d", got, c.read)
			}
		})
	}
}

// An error of the folder of a protocol is counted, even if the folder can be listed afterwards.
func TestListOfHostsFailsOnce(t *testing.T) {
	dir := t.TempDir()
	sourcetest.StorePage(t, dir, "", "http://h/a", ok)
	s := opened(t, dir)
	s.lists = &lists{s.lists, map[string]int{}, map[string]int{"http": 1}}
	if got := s.Stats(); !got.Lost {
		t.Errorf("Stats() = %+v, want a lost part", got)
	}
}

// A candidate has the properties of the response in its D file. The size is unknown if WWWOFFLE compressed the body.
func TestCandidate(t *testing.T) {
	packed := string(sourcetest.Gzip("body"))
	dir := t.TempDir()
	for url, reply := range map[string]string{
		"http://h/page": "HTTP/1.0 200 OK\nContent-Type: text/html\nDate: Mon, 01 Jan 2024 00:00:00 GMT\n\nbody",
		"http://h/lost": "HTTP/1.0 404 Not Found\n\nbody!",
		"http://h/old":  "HTTP/1.0 301 Moved\nLocation: /page\n\nsee there",
		"http://h/own":  "HTTP/1.0 200 OK\nContent-Encoding: gzip\nPragma: wwwoffle-compressed\n\n" + packed,
		"http://h/gzip": "HTTP/1.0 200 OK\nContent-Encoding: gzip\nPragma: no-cache\n\n" + packed,
		"http://h/note": "HTTP/1.0 200 OK\nContent-Encoding: gzip\nX-Note: wwwoffle-compressed\n\n" + packed,
	} {
		sourcetest.StorePage(t, dir, "", url, reply)
	}
	s := opened(t, dir)
	for url, want := range map[string]string{
		"http://h/page": `200 "text/html", 4 bytes, "as stored", on 2024-01-01`,
		"http://h/lost": `404 "", 5 bytes, "as stored", failed`,
		"http://h/old":  `301 "", 9 bytes, to /page`,
		"http://h/own":  `200 "", -1 bytes, "gzip decoded", "as stored"`,
		"http://h/gzip": fmt.Sprintf(`200 "", %d bytes, "as stored", "gzip decoded"`, len(packed)),
		"http://h/note": fmt.Sprintf(`200 "", %d bytes, "as stored", "gzip decoded"`, len(packed)),
	} {
		t.Run(url, func(t *testing.T) {
			c := sourcetest.LookupOne(t, s, url)
			got := fmt.Sprintf("%d %q, %d bytes", c.Status, c.MediaType, c.Size)
			for _, b := range c.Bodies {
				got += fmt.Sprintf(", %q", b.Form)
			}
			if c.Failed {
				got += ", failed"
			}
			if c.Redirect != "" {
				got += ", to " + c.Redirect
			}
			if !c.Time.IsZero() {
				got += ", on " + c.Time.Format(time.DateOnly)
			}
			if got != want || c.URL != url {
				t.Errorf("%s: %s, want %s", c.URL, got, want)
			}
		})
	}
}

// Stats count the pairs of files of hosts and older copies. A copy in lasttime that is also the current copy counts
// once, and the copies after it count as well.
func TestStats(t *testing.T) {
	dir := t.TempDir()
	var list []string
	for i := range 9 {
		url := fmt.Sprint("http://h/", i)
		list = append(list, sourcetest.StorePage(t, dir, "", url, ok+"now"))
		sourcetest.StorePage(t, dir, "lasttime", url, ok+"older")
	}
	slices.Sort(list)
	link := filepath.Join(dir, "lasttime", "D"+list[4]) // with copies before and after it
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(dir, "http", "h", "D"+list[4]), link); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "lasttime", "U"+list[0])); err != nil {
		t.Fatal(err)
	}
	sourcetest.StorePage(t, dir, "lasttime", "http://", ok+"a URL without a host")
	s := opened(t, dir)
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{"1 × a D file without its U file"})
	got := s.Stats()
	want := int64(9*len(ok+"now") + 7*len(ok+"older") + len(ok+"a URL without a host"))
	if got.Files != 18 || got.Kept != 17 || got.Bytes != want || got.Lost {
		t.Errorf("Stats() = %+v, want 18 files with %d bytes in the 17 kept", got, want)
	}
}

// Only regular files are read as U files.
func TestFolderInPlaceOfUFile(t *testing.T) {
	dir := t.TempDir()
	sourcetest.StorePage(t, dir, "", "http://h/good", ok)
	file := filepath.Join(dir, "http", "h", "U"+sourcetest.StorePage(t, dir, "", "http://h/a", ok))
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	sourcetest.WriteFile(t, "", file, "x")
	s := opened(t, dir)
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{"1 × a D file without its U file"})
	sourcetest.Equal(t, "captures", urls(s.List), []string{"http://h/good"})
}

// A body that has been deleted since the look-up is reported as missing.
func TestDeletedBody(t *testing.T) {
	dir := t.TempDir()
	name := sourcetest.StorePage(t, dir, "", "http://h/a", ok)
	c := sourcetest.LookupOne(t, opened(t, dir), "http://h/a")
	if err := os.Remove(filepath.Join(dir, "http", "h", "D"+name)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Bodies[0].Open(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open() = %v, want that the file does not exist", err)
	}
}
