package source

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func makeFolder(t testing.TB, dir string) string {
	query := "q?x=1&y=%2F"
	if runtime.GOOS == "windows" {
		query = strings.Replace(query, "?", "@", 1)
	}
	for _, p := range site {
		sourcetest.WriteFile(t, p.body, dir, map[string]string{
			"http://h.example/":                 "http/h.example/index.html",
			"http://h.example/a.png":            "http/h.example/a.png",
			"http://h.example:8080/q?x=1&y=%2F": "http/" + sourcetest.HostName("h.example:8080") + "/" + query,
			"https://h.example/":                "https/h.example/index.html",
			"http://h.example/empty":            "http/h.example/empty",
		}[p.url])
	}
	return dir
}

func makeManifest(t testing.TB, dir string) string {
	list := localfile.ByteOrderMark + "# made by hand\r\n\r\n"
	for i, p := range site {
		name := fmt.Sprintf("files/%d", i)
		sourcetest.WriteFile(t, p.body, dir, name)
		list += fmt.Sprintf("%s\t%s\t%s\r\n", p.url, name, p.mediaType)
	}
	return sourcetest.WriteFile(t, list, dir, "list.txt")
}

// oddURLs are the paths that TestWget requests from its server.
var oddURLs = []string{
	"/", "/a%2Fb", "/q?x=1&y=a/b", "/q?x=%2F%3F", "/sp%20ace", "/e?", "/d/?k", "/c/d", "/pct%3Fz", "/%e2%82%ac%7f%01",
	"/%C3%83",
	"/a//b2", "/x;p=1:2*", "/k%25zz", "/x+y@z", "/t%5Cu%7Cv", "/dir/", "/dir/sub.html?a=b?c",
}

// TestWget: files stored by the real wget are found by the URLs that it requested.
func TestWget(t *testing.T) {
	wget := webcapturetest.Program(t, "wget")
	// Unlike a ServeMux, this does not clean paths.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/page" {
			fmt.Fprintf(w, `<a href="/linked">, <img src="img?1">`)
			return
		}
		fmt.Fprintf(w, "this is %s", r.RequestURI)
	}))
	defer server.Close()
	run := func(t *testing.T, arg ...string) Source {
		t.Helper()
		dir := t.TempDir()
		c := exec.Command(wget, append([]string{"--no-config", "--no-proxy", "-nv", "-P", dir}, arg...)...)
		c.Env = append(os.Environ(), "LANG=C.UTF-8") // names depend on it
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("wget: %v\n%s", err, out)
		}
		return opened(t, "", dir)
	}
	for _, options := range [][]string{
		{"-x"},
		{"-x", "--protocol-directories"},
		{"-x", "--restrict-file-names=windows"},
		{"-x", "--restrict-file-names=windows,ascii"},
		{"-x", "--restrict-file-names=ascii"},
		{"-x", "--restrict-file-names=nocontrol"},
		{"-r", "-l1"},
		{"-x", "-nH"},
		{"-x", "-E"},
	} {
		t.Run(strings.Join(options, " "), func(t *testing.T) {
			arg := options
			for _, url := range oddURLs {
				arg = append(arg, server.URL+url)
			}
			s := run(t, arg...)
			for _, url := range oddURLs {
				list := sourcetest.Lookup(t, s, server.URL+url)
				if len(list) != 1 {
					t.Errorf("%s: found %d times, want once", url, len(list))
					continue
				}
				if got := sourcetest.MustRead(t, list[0].Bodies[0]); got != "this is "+url {
					t.Errorf("%s: %q", url, got)
				}
			}
			if got := s.Stats(); got.Kept != len(oddURLs) {
				t.Errorf("Stats() = %+v", got)
			}
		})
	}
	t.Run("page with its files", func(t *testing.T) {
		s := run(t, "-p", "-E", "-k", "-K", server.URL+"/page")
		list := sourcetest.Lookup(t, s, server.URL+"/page")
		if len(list) != 2 {
			t.Fatalf("found %d times, want as it was and with changed links", len(list))
		}
		want := `<a href="/linked">, <img src="img?1">`
		if got := sourcetest.MustRead(t, list[0].Bodies[0]); got != want || list[0].Uncertain {
			t.Errorf("first %q, uncertain %v", got, list[0].Uncertain)
		}
		if got := sourcetest.MustRead(t, list[1].Bodies[0]); got == want || !list[1].Uncertain {
			t.Errorf("then %q, uncertain %v", got, list[1].Uncertain)
		}
		if got := sourcetest.MustRead(t,
			sourcetest.Lookup(t, s, server.URL+"/img?1")[0].Bodies[0]); got != "this is /img?1" {
			t.Errorf("the image: %q", got)
		}
	})
}

// Nothing outside of the folder is read, and nothing that is not a file.
func TestFolderKeepsInside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links take a privilege, and there are no pipes in folders")
	}
	dir := t.TempDir()
	sourcetest.WriteFile(t, "secret", dir, "secret")
	root := filepath.Join(dir, "root")
	sourcetest.WriteFile(t, "in", root, "h", "in")
	sourcetest.WriteFile(t, "deep", root, "h", "deep", "index.html")
	for name, target := range map[string]string{"out": "../../secret", "abs": filepath.Join(dir, "secret"),
		"up": "../..", "self": "self", "alias": "in"} {
		t.Run(name, func(t *testing.T) {
			if err := os.Symlink(target, filepath.Join(root, "h", name)); err != nil {
				t.Fatal(err)
			}
		})
	}
	if err := exec.Command("mkfifo", filepath.Join(root, "h", "pipe")).Run(); err != nil {
		t.Fatal(err)
	}
	s := opened(t, Folder, root)
	for _, url := range []string{
		"http://h/out", "http://h/abs", "http://h/self", "http://h/up/secret", "http://h/pipe", "http://h/../../secret",
		"http://h/%2e%2e/%2e%2e/secret",
		"http://h/..%2f..%2fsecret", "http://../secret", "http://h/%00", "http://h/in%00", "http://h/in/x",
		"http://h/deep",
	} {
		t.Run(url, func(t *testing.T) {
			if list := sourcetest.Lookup(t, s, url); len(list) > 0 {
				t.Errorf("Lookup(%q) = %s", url, list[0].Where)
			}
		})
	}
	if got := sourcetest.MustRead(t, sourcetest.LookupOne(t, s, "http://h/alias").Bodies[0]); got != "in" {
		t.Errorf("a link inside: %q", got)
	}
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s),
		[]string{"4 × a broken link, or a link out of the folder", "1 × neither a file nor a folder"})
}

// TestFolderUncertain: files whose names wget may have changed are found, and are uncertain.
func TestFolderUncertain(t *testing.T) {
	dir := t.TempDir()
	sourcetest.WriteFile(t, "", dir, "h", "page.html")
	sourcetest.WriteFile(t, "", dir, "h", "style.css")
	sourcetest.WriteFile(t, "", dir, "withoutBrackets", "x")
	sourcetest.WriteFile(t, "", dir, "h", "both", "x")
	sourcetest.WriteFile(t, "", dir, "h", "both.1")
	sourcetest.WriteFile(t, "", dir, "h", "exact.png")
	sourcetest.WriteFile(t, "", dir, "h", "folder", "index.html")
	s := opened(t, Folder, dir)
	for _, row := range []struct {
		url, mediaType string
		uncertain      bool
	}{
		{"http://h/page", "text/html", true},
		{"http://h/page.html", "text/html", false},
		{"http://h/style", "text/css", true},
		{"http://else/withoutBrackets/x", "", true},
		{"http://h/both", "", true},
		{"http://h/exact.png", "image/png", false},
		{"http://h/folder/", "text/html", false},
	} {
		t.Run(row.url, func(t *testing.T) {
			c := sourcetest.LookupOne(t, s, row.url)
			if kind, _, _ := strings.Cut(c.MediaType, ";"); c.Uncertain != row.uncertain || kind != row.mediaType {
				t.Errorf("%s: uncertain %v, media type %q", row.url, c.Uncertain, c.MediaType)
			}
		})
	}
	if list := sourcetest.Lookup(t, s,
		"file://else/h/exact.png"); len(list) != 1 { // it matches as the end of the path, and as a name of wget -nH
		t.Errorf("a file that has two reasons to be tried is found %d times", len(list))
	}
	sourcetest.WriteFile(t, "", dir, "h", "other.1")
	if list := sourcetest.Lookup(t, s, "http://h/other"); len(list) > 0 {
		t.Errorf("a name with .1 is tried where no folder has the name without: %s", list[0].Where)
	}
	if list := sourcetest.Lookup(t, s, "http://h/Page"); len(list) > 0 {
		t.Errorf("case does not count: %s", list[0].Where)
	}
}

// A file changed by -k is uncertain next to the file kept by -K.
func TestFolderBackups(t *testing.T) {
	dir := t.TempDir()
	sourcetest.WriteFile(t, "as it was", dir, "h", "a.html.orig")
	sourcetest.WriteFile(t, "changed", dir, "h", "a.html")
	s := opened(t, Folder, dir)
	var got []string
	for _, c := range sourcetest.Lookup(t, s, "http://h/a.html") {
		kind, _, _ := strings.Cut(c.MediaType, ";")
		got = append(got, fmt.Sprint(kind, " ", c.Uncertain, " ", sourcetest.MustRead(t, c.Bodies[0])))
	}
	sourcetest.Equal(t, "found", got, []string{"text/html false as it was", "text/html true changed"})
}

// TestFolderOfLocalFiles: file: URLs are found in the folder itself and, uncertain, in a copy of the original folder.
func TestFolderOfLocalFiles(t *testing.T) {
	dir := t.TempDir()
	sourcetest.WriteFile(t, "data", dir, "docs", "a b.txt")
	sourcetest.WriteFile(t, "top", dir, "top.txt")
	abs := slashed(dir)
	s := opened(t, Folder, dir)
	for _, row := range []struct {
		url       string
		uncertain bool
		body      string
	}{
		{"file://" + abs + "/docs/a%20b.txt", false, "data"},
		{"FILE://localhost" + abs + "/docs/a b.txt", false, "data"},
		{"file:///C|/Users/me/docs/a%20b.txt", true, "data"},
		{"file:///C|/Users/me/top.txt", true, "top"},
	} {
		t.Run(row.url, func(t *testing.T) {
			if list := sourcetest.Lookup(t, s, row.url); len(list) != 1 || list[0].Uncertain != row.uncertain ||
				sourcetest.MustRead(t, list[0].Bodies[0]) != row.body {
				t.Errorf("%s: %+v, want %q, uncertain %v", row.url, list, row.body, row.uncertain)
			}
		})
	}
	for _, url := range []string{"file://" + abs + "/../secret", "file://" + abs + "/docs", "file:///", "file://",
		"file:///%00", "file:" + strings.Repeat("/..", 1000)} {
		t.Run(url, func(t *testing.T) {
			if list := sourcetest.Lookup(t, s, url); len(list) != 0 {
				t.Errorf("%q is found: %+v", url, list)
			}
		})
	}
}

// TestFolderOfLocalFilesTakesWholeNames: the end of a path matches only at the start of a name.
func TestFolderOfLocalFilesTakesWholeNames(t *testing.T) {
	dir := t.TempDir()
	sourcetest.WriteFile(t, "", dir, "op.txt")
	s := opened(t, Folder, dir)
	if list := sourcetest.Lookup(t, s, "file:///C|/Users/top.txt"); len(list) > 0 {
		t.Errorf("top.txt is taken for %s", list[0].Where)
	}
	sourcetest.LookupOne(t, s, "file:///C|/Users/op.txt")
}

// slashed returns an absolute path in the form of a file: URL, with a slash at the beginning.
func slashed(path string) string { return "/" + strings.TrimPrefix(filepath.ToSlash(path), "/") }

func TestURLOf(t *testing.T) {
	dir := t.TempDir()
	sourcetest.WriteFile(t, "", dir, "www.example.com", "d", "a b.html")
	port := "https/" + sourcetest.HostName("h:8080") + "/x"
	sourcetest.WriteFile(t, "", dir, port)
	sourcetest.WriteFile(t, "", dir, "docs", "x")
	list := sourcetest.WriteFile(t, "http://h/listed\tdocs/x\n", dir, "list.tsv")
	both := Join(opened(t, Folder, list), opened(t, Folder, dir))
	abs := slashed(dir)
	for _, row := range []struct {
		src  Source
		name string
		want string
	}{
		{both, "www.example.com/d/a b.html", "http://www.example.com/d/a%20b.html"},
		{both, port, "https://h:8080/x"},
		{both, "h.example+8080/x", "http://h.example:8080/x"},
		{both, "http/localhost/x", "http://localhost/x"},
		{both, "localhost/x", "http://localhost/x"},
		{both, "ftp/h.example/x", "ftp://h.example/x"},
		{both, "https/x", "file://" + abs + "/https/x"},
		{both, "www.example.com", "file://" + abs + "/www.example.com"},
		{both, ".hidden/x", "file://" + abs + "/.hidden/x"},
		{both, "docs/x", "http://h/listed"},
		{opened(t, Folder, dir), "docs/x", "file://" + abs + "/docs/x"},
		{opened(t, Folder, dir), "../out", "file://" + path.Dir(abs) + "/out"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := URLOf(row.src, filepath.Join(dir, row.name)); got != row.want {
				t.Errorf("URLOf(%q) = %q, want %q", row.name, got, row.want)
			}
			t.Chdir(dir)
			if got := URLOf(row.src, filepath.FromSlash(row.name)); got != row.want {
				t.Errorf("URLOf(%q), a path that is relative, = %q, want %q", row.name, got, row.want)
			}
		})
	}
}
