package source

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func makeManifest(t testing.TB, dir string) string {
	list := localfile.ByteOrderMark + "# made by hand\r\n\r\n"
	for i, p := range site {
		name := fmt.Sprintf("files/%d", i)
		sourcetest.WriteFile(t, p.body, dir, name)
		list += fmt.Sprintf("%s\t%s\r\n", p.url, name)
	}
	return sourcetest.WriteFile(t, list, dir, "list.txt")
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
	if got := sourcetest.MustRead(t, sourcetest.LookupOne(t, s, "http://h/in")); got != "in" {
		t.Errorf("a file inside: %q", got)
	}
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s),
		[]string{"6 × a symbolic link, or another file that is not regular"})
}

// TestFolderOfLocalFiles: file: URLs of files in the folder are found.
func TestFolderOfLocalFiles(t *testing.T) {
	dir := t.TempDir()
	sourcetest.WriteFile(t, "data", dir, "docs", "a b.txt")
	abs := slashed(dir)
	s := opened(t, Folder, dir)
	for url, want := range map[string]int{
		"file://" + abs + "/docs/a%20b.txt": 1, "FILE://localhost" + abs + "/docs/a b.txt": 1,
		"file:///C|/Users/me/docs/a%20b.txt": 0, "file://" + abs + "/../secret": 0, "file://" + abs + "/docs": 0,
		"file:///": 0, "file://": 0, "file:///%00": 0, "file:" + strings.Repeat("/..", 1000): 0,
	} {
		t.Run(url, func(t *testing.T) {
			list := sourcetest.Lookup(t, s, url)
			if len(list) != want || want == 1 && (list[0].Doubt != "" || sourcetest.MustRead(t, list[0]) != "data") {
				t.Errorf("%+v, want %d", list, want)
			}
		})
	}
}

// slashed returns an absolute path in the form of a file: URL, with a slash at the beginning.
func slashed(path string) string { return "/" + strings.TrimPrefix(filepath.ToSlash(path), "/") }

// wgetSite has the paths on the server of TestWget. The first page has links to all of them.
var wgetSite = []string{
	"/", "/d/p%25q.html", "/d/e/Page.html?x=1&y=2", "/dir/", "/dir/deep/", "/i/A.gif", "/j/A.gif", "/show.php?id=3",
	"/noext", "/d/p%20q", "/s.css", "/UPPER/Case.HTML", "/d/a%40b", "/d/caf%C3%A9", "/a%2Fb", "/q?x=1&y=a/b",
	"/q?x=%2F%3F", "/e?", "/pct%3Fz", "/%e2%82%ac%7f%01", "/a//b2", "/x;p=1:2*", "/x+y@z", "/t%5Cu%7Cv",
}

// TestWget: the files of the real wget are found by their URLs.
func TestWget(t *testing.T) {
	wget := webcapturetest.Program(t, "wget")
	body := func(uri string) string {
		if uri == "/" {
			return `<a href="` + strings.Join(wgetSite, `"><a href="`) + `">`
		}
		return "this is " + uri
	}
	// Unlike a ServeMux, this does not clean paths.
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch {
		case strings.HasSuffix(r.URL.Path, ".gif"):
			w.Header().Set("Content-Type", "image/gif")
		case strings.HasSuffix(r.URL.Path, ".css"):
			w.Header().Set("Content-Type", "text/css")
		case r.URL.Path == "/robots.txt":
			w.WriteHeader(http.StatusNotFound)
			return
		}
		fmt.Fprint(w, body(r.RequestURI))
	}))
	defer server.Close()
	// changed has the URL whose only copy has changed links.
	for _, row := range []struct{ options, changed string }{
		{"-r", ""}, {"-r -E", ""}, {"-r -E -k", "/"},
	} {
		t.Run(row.options, func(t *testing.T) {
			dir := t.TempDir()
			arg := append([]string{"--no-config", "--no-proxy", "-nv", "-P", dir}, strings.Fields(row.options)...)
			c := exec.Command(wget, append(arg, server.URL+"/")...)
			c.Env = append(os.Environ(), "LANG=C.UTF-8", "LC_ALL=C.UTF-8") // names depend on it
			if out, err := c.CombinedOutput(); err != nil && !strings.Contains(string(out), "404") {
				t.Fatalf("wget: %v\n%s", err, out)
			}
			s := opened(t, "", dir)
			for _, uri := range wgetSite {
				ok := false
				for c, err := range Find(s, server.URL+uri) {
					ok = ok || err == nil && sourcetest.MustRead(t, c) == body(uri)
				}
				if ok != (uri != row.changed) {
					t.Errorf("%s: found %v", uri, ok)
				}
			}
		})
	}
}
