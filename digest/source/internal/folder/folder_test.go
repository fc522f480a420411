package folder

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

func TestFileNames(t *testing.T) {
	// The names that wget 1.21.3 writes, with --restrict-file-names=unix and =windows.
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
		{"http://h/x%2541?x%2541", "h/x%41?x%41", "h/x%41@x%41"},
		{"http://h/x%2541?x%2541", "h/xA?x%41", "h/xA@x%41"},                // versions that decode twice
		{"http://h/%80%9F%A0", "h/%80%9F\xa0", "h/%80%9F\xa0"},              // before wget knew of UTF-8
		{"http://h/sp%20ace?a%20b", "h/sp%20ace?a%20b", "h/sp%20ace@a%20b"}, // escapes left alone
	} {
		t.Run(row.url, func(t *testing.T) {
			for _, want := range []string{row.unix, row.windows} {
				if runtime.GOOS == "windows" && strings.Contains(want, ":") {
					continue // no file there has such a name
				}
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
		})
	}
}

func TestFileNamesAreLocal(t *testing.T) {
	for _, url := range []string{
		"http://../x", "http://..:80/x", "http://a@../x", "http://.../x", "http://./../x", "http://h/../../x",
		"http://h/%2e%2e%2f..", "http://[..]/..", "..://../..",
		"http:///x", "http://h/\x00", "http://h/%00", "file:///etc/passwd", "http://h/..\\..\\x", "//h/x", "x",
	} {
		t.Run(url, func(t *testing.T) {
			for _, n := range fileNames(url) {
				if !filepath.IsLocal(n.path) || strings.ContainsRune(n.path, 0) {
					t.Errorf("fileNames(%q) has %q", url, n.path)
				}
			}
		})
	}
}

// TestNamedStopsAtLimit: maxNamedLooks limits the files under all keys of a URL together. The last file would match
// best.
func TestNamedStopsAtLimit(t *testing.T) {
	f := &folder{}
	for i := range maxNamedLooks { // the first key, which has the query
		f.names.add(fmt.Sprintf("x%d/a?q", i))
	}
	f.names.add("b/a") // the second key
	f.names.complete()
	if list := f.named("http://h.example/b/a?q"); len(list) != maxNamed || slices.Contains(list, "b/a") {
		t.Errorf("named returns %d files, first %q; want %d files without b/a", len(list), list[0], maxNamed)
	}
}

// TestManifestSaysWhereDataAre: lines that name the same file have the same Data, even if the paths differ.
func TestManifestSaysWhereDataAre(t *testing.T) {
	dir := t.TempDir()
	file := sourcetest.WriteFile(t, "x", dir, "a.gif")
	s, err := openManifest(sourcetest.WriteFile(t, "http://h/1\ta.gif\nhttp://h/2\t"+file+"\n", dir, "list"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, url := range []string{"http://h/1", "http://h/2"} {
		t.Run(url, func(t *testing.T) {
			for c, err := range s.Lookup(url) {
				if err != nil || c.Data != file || c.Where == file {
					t.Errorf("%s: data in %q, where %q, %v", url, c.Data, c.Where, err)
				}
			}
		})
	}
}

func TestManifest(t *testing.T) {
	dir := t.TempDir()
	sourcetest.WriteFile(t, "data", dir, "a.png")
	sourcetest.WriteFile(t, "secret", filepath.Dir(dir), "secret")
	long := strings.Repeat("x", (1<<20)+1)
	path := sourcetest.WriteFile(t,
		"\n# list\r\nhttp://h/a?b\ta.png\r\nHTTP://h:80/a?b\ta.png\tx/y; z=1\nhttp://h/no\tno\nno "+
			"tab\n/rel\ta.png\nhttp://h/s\t../secret\nhttp://h/d\t.\nhttp://h/n\ta\x00b\nhttp://h/e\t\n"+
			long+"\nhttp://h/after\ta.png\n", dir, "list.tsv")
	s := opened(t, path)
	list := sourcetest.Lookup(t, s, "http://h/a?b#c")
	if len(list) != 2 {
		t.Fatalf("found %d times, want 2", len(list))
	}
	for i, want := range []struct{ url, mediaType, where string }{
		{"http://h/a?b", "image/png", path + ", line 3: a.png"},
		{"HTTP://h:80/a?b", "x/y; z=1", path + ", line 4: a.png"},
	} {
		t.Run(want.url, func(t *testing.T) {
			if c := list[i]; c.URL != want.url || c.MediaType != want.mediaType || c.Where != want.where || c.Uncertain {
				t.Errorf("%+v, want %+v", c, want)
			}
			sourcetest.Equal(t, "forms", sourcetest.ReadForms(t, list[i]), []string{"as stored: data"})
		})
	}
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{
		"3 × a line that is not of the form URL, tab, file, with an absolute URL",
		"1 × a file that cannot be read",
		fmt.Sprintf("1 × a line longer than %d bytes, and all later lines", (1 << 20)),
		"1 × a missing file",
		"1 × a path that is not a file",
	})
	if got := s.Stats(); got.Files != 1 || got.Kept != 3 || got.Skipped[3].First != path+", line 5" ||
		got.Skipped[2].First != path+", line 12" {
		t.Errorf("Stats() = %+v", got)
	}
	if list := sourcetest.Lookup(t, s, "http://h/s"); len(list) != 1 ||
		sourcetest.MustRead(t, list[0].Bodies[0]) != "secret" {
		t.Errorf("a file next to the folder of the manifest is found %d times, want 1", len(list))
	}
	for _, useless := range []string{"http://h/no\tno\n", long + "\n"} {
		t.Run(useless, func(t *testing.T) {
			if s, err := openManifest(sourcetest.WriteFile(t, useless, dir, "useless.tsv")); err == nil ||
				!strings.HasPrefix(err.Error(), "no usable line") {
				t.Errorf("%.20q opens as %v: %v", useless, s, err)
			}
		})
	}
	twice := opened(t, sourcetest.WriteFile(t,
		"http://h/a\ta.png\nhttp://h/a\t./a.png\nhttp://h/a\ta.png\tx/y\nhttp://h/a\ta.png\tx/y\n", dir, "twice.tsv"))
	if list := sourcetest.Lookup(t, twice, "http://h/a"); len(list) != 2 {
		t.Errorf("a file that is named again is found %d times, want once for each of two media types", len(list))
	}
	absolute := opened(t, sourcetest.WriteFile(t, "http://h/a\t"+filepath.Join(dir, "a.png")+"\n", t.TempDir(),
		"list.tsv"))
	if list := sourcetest.Lookup(t, absolute, "http://h/a"); len(list) != 1 ||
		sourcetest.MustRead(t, list[0].Bodies[0]) != "data" {
		t.Errorf("a file with an absolute path is found %d times, want 1", len(list))
	}
}
