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
)

func makeFolder(t testing.TB, dir string) string {
	for _, p := range site {
		write(t, p.body, dir, map[string]string{
			"http://h.example/":                 "http/h.example/index.html",
			"http://h.example/a.png":            "http/h.example/a.png",
			"http://h.example:8080/q?x=1&y=%2F": "http/h.example:8080/q?x=1&y=%2F",
			"https://h.example/":                "https/h.example/index.html",
			"http://h.example/empty":            "http/h.example/empty",
		}[p.url])
	}
	return dir
}

func makeManifest(t testing.TB, dir string) string {
	list := byteOrderMark + "# made by hand\r\n\r\n"
	for i, p := range site {
		name := fmt.Sprintf("files/%d", i)
		write(t, p.body, dir, name)
		list += fmt.Sprintf("%s\t%s\t%s\r\n", p.url, name, p.mediaType)
	}
	return write(t, list, dir, "list.txt")
}

func TestFileNames(t *testing.T) {
	// What wget 1.21.3 writes, and for windows, what it writes for that.
	for _, row := range []struct{ url, unix, windows string }{
		{"http://H.example", "h.example/index.html", "h.example/index.html"},
		{"http://u:p@h:8080/a/", "h:8080/a/index.html", "h+8080/a/index.html"},
		{"http://h:80/a", "h/a", "h/a"},
		{"https://h:443/a", "h/a", "h/a"},
		{"http://[::1]:81/a", "::1:81/a", "::1+81/a"},
		{"http://h/a%2Fb", "h/a%2Fb", "h/a%2Fb"},
		{"http://h/q?x=1&y=a/b", "h/q?x=1&y=a%2Fb", "h/q@x=1&y=a%2Fb"},
		{"http://h/q?x=%2F%3F", "h/q?x=%2F?", "h/q@x=%2F%3F"},
		{"http://h/sp%20ace", "h/sp ace", "h/sp ace"},
		{"http://h/sp ace", "h/sp ace", "h/sp ace"},
		{"http://h/e?", "h/e?", "h/e@"},
		{"http://h?k", "h/index.html?k", "h/index.html@k"},
		{"http://h/%E2%82%AC%7F%01", "h/€%7F%01", "h/€%7F%01"},
		{"http://h/%C3%83", "h/Ã", "h/Ã"},
		{"http://h/%C3%83", "h/\xc3%83", "h/\xc3%83"}, // before wget knew of UTF-8
		{"http://h/%c3%83", "h/%C3%83", "h/%C3%83"},   // ascii
		{"http://h/a//b", "h/a/b", "h/a/b"},
		{"http://h/x/../y", "h/y", "h/y"},
		{"http://h/%2E%2E/zz", "h/%2E%2E/zz", "h/%2E%2E/zz"},
		{"http://h/%2e%2e/zz", "h/%2E%2E/zz", "h/%2E%2E/zz"},
		{"http://h/f%2f..%2fg", "h/f%2F..%2Fg", "h/f%2F..%2Fg"},
		{"http://h/x;p=1:2*", "h/x;p=1:2*", "h/x;p=1%3A2%2A"},
		{"http://h/t%5Cu%7Cv", "h/t\\u|v", "h/t%5Cu%7Cv"},
		{"http://h/k%25zz", "h/k%zz", "h/k%zz"},
		{"http://h/%80%9F%A0", "h/%80%9F\xa0", "h/%80%9F\xa0"},              // before wget knew of UTF-8
		{"http://h/sp%20ace?a%20b", "h/sp%20ace?a%20b", "h/sp%20ace@a%20b"}, // escapes left alone
	} {
		for _, want := range []string{row.unix, row.windows} {
			ok := false
			var all []string
			for _, n := range fileNames(row.url) {
				ok = ok || n.path == want && !n.uncertain
				all = append(all, n.path)
			}
			if !ok {
				t.Errorf("fileNames(%q) = %q, want %q in it", row.url, all, want)
			}
		}
	}
}

func TestFileNamesAreLocal(t *testing.T) {
	for _, url := range []string{
		"http://../x", "http://..:80/x", "http://a@../x", "http://.../x", "http://./../x", "http://h/../../x", "http://h/%2e%2e%2f..", "http://[..]/..", "..://../..",
		"http:///x", "http://h/\x00", "http://h/%00", "file:///etc/passwd", "http://h/..\\..\\x", "//h/x", "x",
	} {
		for _, n := range fileNames(url) {
			if !filepath.IsLocal(n.path) || strings.ContainsRune(n.path, 0) {
				t.Errorf("fileNames(%q) has %q", url, n.path)
			}
		}
	}
}

// oddURLs are what the server of TestWget is asked for.
var oddURLs = []string{
	"/", "/a%2Fb", "/q?x=1&y=a/b", "/q?x=%2F%3F", "/sp%20ace", "/e?", "/d/?k", "/c/d", "/pct%3Fz", "/%e2%82%ac%7f%01", "/%C3%83",
	"/a//b2", "/x;p=1:2*", "/k%25zz", "/x+y@z", "/t%5Cu%7Cv", "/dir/", "/dir/sub.html?a=b?c",
}

// What the real wget stores is found by the URL that it was asked for.
func TestWget(t *testing.T) {
	wget, err := exec.LookPath("wget")
	if err != nil {
		t.Skip("needs wget")
	}
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
		if out, err := exec.Command(wget, append([]string{"--no-config", "--no-proxy", "-nv", "-P", dir}, arg...)...).CombinedOutput(); err != nil {
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
				list := found(t, s, server.URL+url)
				if len(list) != 1 {
					t.Errorf("%s: found %d times, want once", url, len(list))
					continue
				}
				if got := read(t, list[0].Bodies[0]); got != "this is "+url {
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
		list := found(t, s, server.URL+"/page")
		if len(list) != 2 {
			t.Fatalf("found %d times, want as it was and with changed links", len(list))
		}
		want := `<a href="/linked">, <img src="img?1">`
		if got := read(t, list[0].Bodies[0]); got != want || list[0].Uncertain {
			t.Errorf("first %q, uncertain %v", got, list[0].Uncertain)
		}
		if got := read(t, list[1].Bodies[0]); got == want || !list[1].Uncertain {
			t.Errorf("then %q, uncertain %v", got, list[1].Uncertain)
		}
		if got := read(t, found(t, s, server.URL+"/img?1")[0].Bodies[0]); got != "this is /img?1" {
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
	write(t, "secret", dir, "secret")
	root := filepath.Join(dir, "root")
	write(t, "in", root, "h", "in")
	write(t, "deep", root, "h", "deep", "index.html")
	for name, target := range map[string]string{"out": "../../secret", "abs": filepath.Join(dir, "secret"), "up": "../..", "self": "self", "alias": "in"} {
		if err := os.Symlink(target, filepath.Join(root, "h", name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := exec.Command("mkfifo", filepath.Join(root, "h", "pipe")).Run(); err != nil {
		t.Fatal(err)
	}
	s := opened(t, Folder, root)
	for _, url := range []string{
		"http://h/out", "http://h/abs", "http://h/self", "http://h/up/secret", "http://h/pipe", "http://h/../../secret", "http://h/%2e%2e/%2e%2e/secret",
		"http://h/..%2f..%2fsecret", "http://../secret", "http://h/%00", "http://h/in%00", "http://h/in/x", "http://h/deep",
	} {
		if list := found(t, s, url); len(list) > 0 {
			t.Errorf("Lookup(%q) = %s", url, list[0].Where)
		}
	}
	if got := read(t, one(t, s, "http://h/alias").Bodies[0]); got != "in" {
		t.Errorf("a link inside: %q", got)
	}
	equal(t, "skipped", skips(s), []string{"4 × a link that leads out of the folder, or nowhere", "1 × neither a file nor a folder"})
}

// Names that wget changed for reasons of its own are tried, and said to be uncertain.
func TestFolderUncertain(t *testing.T) {
	dir := t.TempDir()
	write(t, "", dir, "h", "page.html")
	write(t, "", dir, "h", "style.css")
	write(t, "", dir, "withoutBrackets", "x")
	write(t, "", dir, "h", "both", "x")
	write(t, "", dir, "h", "both.1")
	write(t, "", dir, "h", "exact.png")
	write(t, "", dir, "h", "folder", "index.html")
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
		c := one(t, s, row.url)
		if kind, _, _ := strings.Cut(c.MediaType, ";"); c.Uncertain != row.uncertain || kind != row.mediaType {
			t.Errorf("%s: uncertain %v, media type %q", row.url, c.Uncertain, c.MediaType)
		}
	}
	if list := found(t, s, "file://else/h/exact.png"); len(list) != 1 { // by its end, and as what wget -nH names
		t.Errorf("a file that has two reasons to be tried is found %d times", len(list))
	}
	write(t, "", dir, "h", "other.1")
	if list := found(t, s, "http://h/other"); len(list) > 0 {
		t.Errorf("a name with .1 is tried where no folder has the name without: %s", list[0].Where)
	}
	if list := found(t, s, "http://h/Page"); len(list) > 0 {
		t.Errorf("case does not count: %s", list[0].Where)
	}
}

// What -k changed is uncertain beside the file that -K kept.
func TestFolderBackups(t *testing.T) {
	dir := t.TempDir()
	write(t, "as it was", dir, "h", "a.html.orig")
	write(t, "changed", dir, "h", "a.html")
	s := opened(t, Folder, dir)
	var got []string
	for _, c := range found(t, s, "http://h/a.html") {
		kind, _, _ := strings.Cut(c.MediaType, ";")
		got = append(got, fmt.Sprint(kind, " ", c.Uncertain, " ", read(t, c.Bodies[0])))
	}
	equal(t, "found", got, []string{"text/html false as it was", "text/html true changed"})
}

// Lines that name one file have their data in one place, however they name it.
func TestManifestSaysWhereDataAre(t *testing.T) {
	dir := t.TempDir()
	file := write(t, "x", dir, "a.gif")
	s, err := openManifest(write(t, "http://h/1\ta.gif\nhttp://h/2\t"+file+"\n", dir, "list"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, url := range []string{"http://h/1", "http://h/2"} {
		for c, err := range s.Lookup(url) {
			if err != nil || c.Data != file || c.Where == file {
				t.Errorf("%s: data in %q, where %q, %v", url, c.Data, c.Where, err)
			}
		}
	}
}

func TestManifest(t *testing.T) {
	dir := t.TempDir()
	write(t, "data", dir, "a.png")
	write(t, "secret", filepath.Dir(dir), "secret")
	long := strings.Repeat("x", maxManifestLine+1)
	path := write(t, "\n# list\r\nhttp://h/a?b\ta.png\r\nHTTP://h:80/a?b\ta.png\tx/y; z=1\nhttp://h/no\tno\nno tab\n/rel\ta.png\nhttp://h/s\t../secret\nhttp://h/d\t.\nhttp://h/n\ta\x00b\nhttp://h/e\t\n"+long+"\nhttp://h/after\ta.png\n", dir, "list.tsv")
	s := opened(t, "", path)
	list := found(t, s, "http://h/a?b#c")
	if len(list) != 2 {
		t.Fatalf("found %d times, want 2", len(list))
	}
	for i, want := range []struct{ url, mediaType, where string }{
		{"http://h/a?b", "image/png", path + ", line 3: a.png"},
		{"HTTP://h:80/a?b", "x/y; z=1", path + ", line 4: a.png"},
	} {
		if c := list[i]; c.URL != want.url || c.MediaType != want.mediaType || c.Where != want.where || c.Uncertain {
			t.Errorf("%+v, want %+v", c, want)
		}
		equal(t, "forms", forms(t, list[i]), []string{"as stored: data"})
	}
	equal(t, "skipped", skips(s), []string{
		"3 × a line that is not an absolute URL, a tab and a file",
		"1 × a file that cannot be read",
		"1 × a file that is not there",
		fmt.Sprintf("1 × a line with more than %d bytes, and what follows it", maxManifestLine),
		"1 × the name of something other than a file",
	})
	if got := s.Stats(); got.Files != 1 || got.Kept != 3 || got.Skipped[2].First != path+", line 5" || got.Skipped[3].First != path+", line 12" {
		t.Errorf("Stats() = %+v", got)
	}
	if list := found(t, s, "http://h/s"); len(list) != 1 || read(t, list[0].Bodies[0]) != "secret" {
		t.Errorf("a file beside the folder of the manifest is found %d times, want 1", len(list))
	}
	for _, useless := range []string{"http://h/no\tno\n", long + "\n"} {
		if s, err := openManifest(write(t, useless, dir, "useless.tsv")); err == nil || !strings.HasPrefix(err.Error(), "no line is of use") {
			t.Errorf("%.20q opens as %v: %v", useless, s, err)
		}
	}
	twice := opened(t, "", write(t, "http://h/a\ta.png\nhttp://h/a\t./a.png\nhttp://h/a\ta.png\tx/y\nhttp://h/a\ta.png\tx/y\n", dir, "twice.tsv"))
	if list := found(t, twice, "http://h/a"); len(list) != 2 {
		t.Errorf("a file that is named again is found %d times, want once for each of two media types", len(list))
	}
	absolute := opened(t, "", write(t, "http://h/a\t"+filepath.Join(dir, "a.png")+"\n", t.TempDir(), "list.tsv"))
	if list := found(t, absolute, "http://h/a"); len(list) != 1 || read(t, list[0].Bodies[0]) != "data" {
		t.Errorf("a file with an absolute path is found %d times, want 1", len(list))
	}
}

// A folder has what file: URLs lead to, and may be a copy of where they lead.
func TestFolderOfLocalFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, "data", dir, "docs", "a b.txt")
	write(t, "top", dir, "top.txt")
	abs := filepath.ToSlash(dir)
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
		if list := found(t, s, row.url); len(list) != 1 || list[0].Uncertain != row.uncertain || read(t, list[0].Bodies[0]) != row.body {
			t.Errorf("%s: %+v, want %q, uncertain %v", row.url, list, row.body, row.uncertain)
		}
	}
	for _, url := range []string{"file://" + abs + "/../secret", "file://" + abs + "/docs", "file:///", "file://", "file:///%00", "file:" + strings.Repeat("/..", 1000)} {
		if list := found(t, s, url); len(list) != 0 {
			t.Errorf("%q is found: %+v", url, list)
		}
	}
}

// The end of a path is one of whole names.
func TestFolderOfLocalFilesTakesWholeNames(t *testing.T) {
	dir := t.TempDir()
	write(t, "", dir, "op.txt")
	s := opened(t, Folder, dir)
	if list := found(t, s, "file:///C|/Users/top.txt"); len(list) > 0 {
		t.Errorf("top.txt is taken for %s", list[0].Where)
	}
	one(t, s, "file:///C|/Users/op.txt")
}

func TestURLOf(t *testing.T) {
	dir := t.TempDir()
	write(t, "", dir, "www.example.com", "d", "a b.html")
	write(t, "", dir, "https", "h:8080", "x")
	write(t, "", dir, "docs", "x")
	list := write(t, "http://h/listed\tdocs/x\n", dir, "list.tsv")
	both := Join(opened(t, Folder, list), opened(t, Folder, dir))
	abs := filepath.ToSlash(dir)
	for _, row := range []struct {
		src  Source
		name string
		want string
	}{
		{both, "www.example.com/d/a b.html", "http://www.example.com/d/a%20b.html"},
		{both, "https/h:8080/x", "https://h:8080/x"},
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
		if got := URLOf(row.src, filepath.Join(dir, row.name)); got != row.want {
			t.Errorf("URLOf(%q) = %q, want %q", row.name, got, row.want)
		}
		t.Chdir(dir)
		if got := URLOf(row.src, filepath.FromSlash(row.name)); got != row.want {
			t.Errorf("URLOf(%q), a path that is relative, = %q, want %q", row.name, got, row.want)
		}
	}
}
