package source

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// damagedSources writes damaged or compressed sources that must be opened or read more than once. It returns their
// paths by name.
func damagedSources(t testing.TB, dir string, good sourcetest.Resource) map[string]string {
	first := sourcetest.PageRecord(good.URL, string(good.Body))
	wrong := strings.Replace(sourcetest.PageRecord("http://h.example/b", "b"), "Content-Length: ", "Content-Length: 9",
		1)
	flipped := sourcetest.Gzip(sourcetest.PageRecord("http://h.example/c", "c"))
	flipped[len(flipped)/2] ^= 4
	return map[string]string{
		"wrong length": sourcetest.WriteFile(t, first+wrong+sourcetest.PageRecord("http://h.example/c", "c"), dir,
			"length.warc"),
		"damaged member": sourcetest.WriteFile(t,
			string(sourcetest.Gzip(first))+string(flipped)+string(sourcetest.Gzip(wrong)), dir, "member.warc.gz"),
	}
}

// A machine without free file descriptors is never reported as a source that lacks the URL. No file stays open
// after any failure.
func TestTooManyOpenFiles(t *testing.T) {
	good := sourcetest.Resource{URL: "http://h.example/a.html", MediaType: "text/html", Body: []byte("body")}
	paths := damagedSources(t, t.TempDir(), good)
	for _, name := range sourcetest.Kinds() {
		path, err := sourcetest.Write(t.TempDir(), name, []sourcetest.Resource{good})
		if err != nil {
			t.Fatal(err)
		}
		paths[name] = path
	}
	delete(paths, "folder") // below, since the disk is asked at each look-up
	for name, path := range paths {
		t.Run(name, func(t *testing.T) {
			kind := kindOf(path, name == "wwwoffle").Kind
			before := sourcetest.Descriptors(t)
			for n := 0; ; n++ {
				var body string
				var err error
				sourcetest.WithDescriptors(t, n, func() { body, err = bodyOf(kind, path, good.URL) })
				if after := sourcetest.Descriptors(t); after != before {
					t.Errorf("%d files were open before, %d after, with room for %d more", before, after, n)
				}
				if err == nil && body != string(good.Body) {
					t.Fatalf("with room for %d more files, %q and no error", n, body)
				}
				if err == nil {
					return
				}
				if !errors.Is(err, syscall.EMFILE) {
					t.Errorf("with room for %d more files: %v, want that there are too many", n, err)
				}
			}
		})
	}
}

// bodyOf opens a source and returns the first body of a URL. If nothing is found and Stats count skipped files, it
// returns an error.
func bodyOf(kind Kind, path, url string) (string, error) {
	s, err := Open(kind, path)
	if err != nil {
		return "", err
	}
	defer s.Close()
	for c, err := range Find(s, url) {
		if err != nil {
			return "", err
		}
		data, err := sourcetest.ReadAll(c)
		return string(data), err
	}
	if stats := s.Stats(); len(stats.Skipped) > 0 {
		return "", fmt.Errorf("nothing is found: %v", stats.Skipped[0])
	}
	return "", nil
}

// TestFilesThatMayNotBeRead: files without read permission are counted, and the source is never complete. Paths are
// relative, because the test may not have permission to search the parent folders.
func TestFilesThatMayNotBeRead(t *testing.T) {
	t.Chdir(t.TempDir())
	sourcetest.WriteFile(t, "x", "folder", "h", "locked", "x.html")
	sourcetest.WriteFile(t, "y", "folder", "h", "y.html")
	sourcetest.WriteFile(t, "http://h/x\tfolder/h/locked/x.html\nhttp://h/y\tfolder/h/y.html\n", "list")
	name := sourcetest.StorePage(t, "spool", "", "http://h/a", "HTTP/1.0 200 OK\r\n\r\na")
	sourcetest.StorePage(t, "spool", "", "http://h/b", "HTTP/1.0 200 OK\r\n\r\nb")
	sourcetest.WriteFile(t, sourcetest.PageRecord("http://h/", "x"), "crawl", "a.warc")
	sourcetest.WriteFile(t, "", "spool", "http", "locked", "x")
	sourcetest.WriteFile(t, "", "spool", "https", "h", "x")
	for _, path := range []string{"folder/h/locked", "spool/http/locked", "spool/https", "spool/http/h/U" + name,
		"crawl"} {
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(path, 0o755)
	}
	sourcetest.AsNobody(t, func() {
		s := opened(t, Folder, "folder")
		sourcetest.Equal(t, "folder", sourcetest.SkipList(s), []string{"1 × a folder that cannot be read"})
		if s.Stats().Kept != 1 || !s.Stats().Lost {
			t.Errorf("folder: %+v", s.Stats())
		}

		s = opened(t, Folder, "list")
		sourcetest.Equal(t, "list", sourcetest.SkipList(s), []string{"1 × a missing or unreadable file"})
		sourcetest.LookupOne(t, s, "http://h/y")

		s = opened(t, WWWOFFLE, "spool")
		sourcetest.Equal(t, "spool", sourcetest.SkipList(s),
			[]string{"2 × a folder that cannot be read", "1 × files that cannot be read"})
		sourcetest.LookupOne(t, s, "http://h/b")

		if _, err := Open("", "crawl"); !errors.Is(err, os.ErrPermission) {
			t.Errorf("a folder of an archive file: %v", err)
		}
	})
}

// A pipe is not opened to see what it is: that would wait for a writer.
func TestPipesAreNotOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, kind := range Kinds() {
		if s, err := Open(kind, path); err == nil {
			s.Close()
			t.Errorf("a pipe opens as a source of kind %s", kind)
		}
	}
}

// TestManyWACZ: a package of 30,000 WACZ files opens in linear time, and keeps no file open.
func TestManyWACZ(t *testing.T) {
	open := func(n int) time.Duration {
		var list []sourcetest.ZipEntry
		for i := range n {
			list = append(list, sourcetest.ZipEntry{Name: fmt.Sprintf("%d.wacz", i),
				Data: sourcetest.Zip(t, sourcetest.ZipEntry{Name: "archive/a.warc",
					Data: []byte(sourcetest.PageRecord(fmt.Sprintf("http://a/%d", i), "x"))})})
		}
		path := sourcetest.ArchiveFile(t, "all.wacz", sourcetest.Zip(t, list...))
		begin := cpuTime(t)
		sourcetest.WithDescriptors(t, 100, func() {
			before := sourcetest.Descriptors(t)
			s := opened(t, WACZ, path)
			if got := sourcetest.Descriptors(t) - before; got > 0 {
				t.Errorf("%d files are open", got)
			}
			if got := s.Stats(); got.Files != n || got.Kept != n || got.Skipped != nil {
				t.Errorf("%+v, want %d records", got, n)
			}
			sourcetest.LookupOne(t, s, fmt.Sprintf("http://a/%d", n-1))
		})
		return cpuTime(t) - begin
	}
	const n = 30_000
	few, many := open(n/10), open(n)
	if many > 30*few {
		t.Errorf("%v for %d files, %v for %d", many, n, few, n/10)
	}
}

// cpuTime returns the processor time that the process has used.
func cpuTime(t testing.TB) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
