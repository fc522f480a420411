package source

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

var aWARC = sourcetest.PageRecord("http://warc/", "x")

// wherever returns the names of the files that a look-up yields.
func wherever(t testing.TB, dir string, seq func(func(*capture.Candidate, error) bool)) string {
	t.Helper()
	var list []string
	for c, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		where, _, _ := strings.Cut(c.Where, ", found as ")
		name, err := filepath.Rel(dir, where)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, filepath.ToSlash(name))
	}
	return strings.Join(list, " ")
}

// A folder opens if it has sources, or files that are found by name. A guessed folder needs the folder of a host.
func TestOpenFolder(t *testing.T) {
	const one, two = "1 of 1", "2 of 2" // captures, and files
	for name, row := range map[string]struct {
		files          map[string]string
		found, guessed string // what Stats say; "-" if the folder does not open
	}{
		"sources":           {map[string]string{"a.har": aHAR}, one, one},
		"text":              {map[string]string{"a.txt": "x"}, one, "-"},
		"image":             {map[string]string{"a.png": "x"}, one, "-"},
		"host":              {map[string]string{"h.example/a": "x", "b": "x"}, two, two},
		"sources and text":  {map[string]string{"a.har": aHAR, "a.txt": "x"}, two, one},
		"sources and image": {map[string]string{"a.har": aHAR, "a.png": "x"}, two, one},
		"sources and host": {map[string]string{"a.har": aHAR, "b.har": aHAR + " ", "c.warc": aWARC, "h.example/a": "x"},
			"4 of 4", "4 of 4"},
		"damaged archives": {map[string]string{"a.har": aHAR, "b.warc": "no record"}, "1 of 2",
			"1 of 2"},
		"nothing": {nil, "-", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, row.files)
			for i, want := range []string{row.found, row.guessed} {
				s, err := Open([]Kind{Folder, ""}[i], dir)
				got := "-"
				if err == nil {
					got = fmt.Sprintf("%d of %d", s.Stats().Kept, s.Stats().Files)
					s.Close()
				}
				if got != want {
					t.Errorf("guessed %v: %q, %v, want %q", i == 1, got, err, want)
				}
			}
		})
	}
	s := opened(t, Folder, tree(t, map[string]string{"a.har": aHAR, "b.warc": "no record"}))
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{"1 × a range of bytes that is not a record"})
}

// With -E, wget adds extensions to names. All of these files are found.
func TestVariants(t *testing.T) {
	for name, row := range map[string]struct{ files, want string }{
		"plain":   {"h/a", "h/a"},
		"with -E": {"h/a.html h/a.css", "h/a.css h/a.html"},
		"others":  {"h/b h/a.png h/a.1 h/a.1.html h/a.orig", ""},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"h.example/x": "x"}
			for _, name := range strings.Fields(row.files) {
				files[name] = "x"
			}
			dir := tree(t, files)
			if got := wherever(t, dir, opened(t, Folder, dir).Lookup("http://h/a")); got != row.want {
				t.Errorf("%s, want %s", got, row.want)
			}
		})
	}
}

// TestNamesOfURLs has names that wget 1.21.3 writes on Unix.
func TestNamesOfURLs(t *testing.T) {
	for url, name := range map[string]string{
		"http://H.example":                "h.example/index.html",
		"http://h:8080/a/":                "h:8080/a/index.html",
		"https://h:443/a":                 "h/a",
		"http://h/a%2Fb":                  "h/a%2Fb",
		"http://h/q?x=1&y=a/b":            "h/q?x=1&y=a%2Fb",
		"http://h/q?x=%2F%3F":             "h/q?x=%2F?",
		"http://h/sp%20ace":               "h/sp ace",
		"http://h/e?":                     "h/e?",
		"http://h?k":                      "h/index.html?k",
		"http://h/%E2%82%AC%7F%01":        "h/€%7F%01",
		"http://h/a//b":                   "h/a/b",
		"http://h/x/../y":                 "h/y",
		"http://h/x;p=1:2*":               "h/x;p=1:2*",
		"http://h/t%5Cu%7Cv":              "h/t\\u|v",
		"http://h/k%25zz":                 "h/k%zz",
		"http://h/a,b%2Cc":                "h/a,b,c",
		"http://192.168.0.1/a":            "192.168.0.1/a",
		"http://xn--bcher-kva.xn--p1ai/a": "xn--bcher-kva.xn--p1ai/a",
	} {
		t.Run(url, func(t *testing.T) {
			dir := tree(t, map[string]string{name: "x"})
			if got := wherever(t, dir, Find(opened(t, Folder, dir), url)); got != name {
				t.Errorf("%s, want %s", got, name)
			}
		})
	}
}

// The entries of a list are listed in its order. Look-ups keep to their URLs, and can stop.
func TestManifestLookups(t *testing.T) {
	dir := tree(t, map[string]string{"1": "a", "2": "bb", "3": "ccc"})
	path := sourcetest.WriteFile(t, "\ufeffhttp://h/a/\t1\nhttp://h/a\t2\nhttp://h/b\t3\nhttp://h/a\t3\n"+
		"\ufeffhttp://h/a\t1\nhttps://h/a\t2\n", dir, "list")
	s := opened(t, Folder, path)
	lines := func(seq func(func(*capture.Candidate, error) bool)) (list []string) {
		for c := range seq {
			list = append(list, strings.TrimPrefix(c.Where, path+", line "))
		}
		return list
	}
	sourcetest.Equal(t, "List", lines(s.All), []string{"1: 1", "2: 2", "3: 3", "4: 3", "6: 2"})
	sourcetest.Equal(t, "Lookup", lines(s.Lookup("http://h/a")), []string{"2: 2", "4: 3"})
	sourcetest.Equal(t, "alike", lines(s.Lookup("https://h/a/")), []string{"1: 1, found as http://h/a/",
		"2: 2, found as http://h/a", "4: 3, found as http://h/a", "6: 2, found as https://h/a"})
	sourcetest.ExpectStops(t, "List", 5, s.All)
	sourcetest.ExpectStops(t, "Lookup", 2, s.Lookup("http://h/a"))
	if got := s.Stats(); got.Kept != 5 || got.Bytes != 1+2+3 {
		t.Errorf("Stats() = %+v, want 5 lines with 6 bytes of files", got)
	}
	if c := sourcetest.LookupOne(t, s, "http://h/b"); c.Size != 3 {
		t.Errorf("%d bytes, want 3", c.Size)
	}
}

// The file of a URL is tried below each folder that has a folder of the host, and nowhere else.
func TestLookupBelowFolders(t *testing.T) {
	dir := tree(t, map[string]string{
		"h.example/a.png": "1", "x/h.example/a.png": "2", "y/z/h.example/a.png": "3",
		"i.example/h.example/a.png": "4", "a.png": "5", "x/a.png": "6", "h/b.png": "7", "x/h/b.png": "8",
	})
	s := opened(t, Folder, dir)
	for url, want := range map[string]string{
		"http://h.example/a.png": "h.example/a.png x/h.example/a.png y/z/h.example/a.png",
		"https://h/b.png":        "h/b.png", // a name that is not clearly that of a host
		"http://j.example/a.png": "",
	} {
		if got := wherever(t, dir, Find(s, url)); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
	sourcetest.ExpectStops(t, "Lookup", 3, s.Lookup("http://h.example/a.png"))
}
