package source

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

var update = flag.Bool("update", false, "rewrite the table of sources in docs/sources.md")

// TestDocument keeps the table of sources in docs/sources.md up to date with kinds.
func TestDocument(t *testing.T) {
	var b strings.Builder
	b.WriteString("\n| kind | what |\n|---|---|\n")
	for _, k := range Kinds() {
		i := slices.IndexFunc(kinds, func(e kindEntry) bool { return e.Kind == k })
		fmt.Fprintf(&b, "| `%s` | %s |\n", k, kinds[i].About)
	}
	b.WriteString("\n")

	const path = "../../docs/sources.md"
	const begin, end = "<!-- sources: made by go test ./digest/source -update -->\n", "<!-- end -->"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(data), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no table of sources", path)
	}
	doc := head + begin + b.String() + end + tail
	if *update {
		if err := os.WriteFile(path, []byte(doc), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if doc != string(data) {
		t.Errorf("%s does not have the kinds of sources as they are: go test ./digest/source -update", path)
	}
}

// Every kind has what docs need, and a file name or a folder by which Open recognizes it, except a list of files.
func TestEveryKindIsComplete(t *testing.T) {
	for _, e := range kinds {
		if e.About == "" || strings.HasSuffix(e.About, ".") {
			t.Errorf("%s: about %q: want one line", e.Kind, e.About)
		}
	}
	written := map[Kind]bool{}
	for _, name := range sourcetest.Kinds() {
		path, err := sourcetest.Write(t.TempDir(), name,
			[]sourcetest.Resource{{URL: "http://h.example/a.html", MediaType: "text/html", Body: []byte("body")}})
		if err != nil {
			t.Fatal(err)
		}
		if sourcetest.MustRead(t, sourcetest.LookupOne(t, opened(t, "", path), "http://h.example/a.html")) != "body" {
			t.Errorf("%s does not come back", name)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if e := kindOf(path, info.IsDir()); e != nil {
			written[e.Kind] = true
		}
	}
	if len(written) != len(kinds) {
		t.Errorf("sourcetest writes sources of the kinds %v", written)
	}
}

// TestArchiveNames: the names of archive files, in any case; Heritrix appends .open.
func TestArchiveNames(t *testing.T) {
	for name, want := range map[string]bool{
		"a.warc": true, "A.WARC.GZ": true, "a.warc.zst.open": true, "a.arc": true, "a.ARC.gz.open": true, "a.arc.open": true,
		"a.arc.zst": false, "a.gz": false, "warc": false, "a.warc.gz.old": false, "": false,
	} {
		t.Run(name, func(t *testing.T) {
			if got := kindNamed(strings.ToLower(name)); (got == WARC) != want {
				t.Errorf("kind %q", got)
			}
		})
	}
}
