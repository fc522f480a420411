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

// Every kind has what docs need, and is written by sourcetest in at least one way, which Open recognizes.
func TestEveryKindIsComplete(t *testing.T) {
	written := map[Kind]bool{}
	for _, name := range sourcetest.Kinds() {
		path, err := sourcetest.Write(t.TempDir(), name,
			[]sourcetest.Resource{{URL: "http://h.example/a.html", MediaType: "text/html", Body: []byte("body")}})
		if err != nil {
			t.Fatal(err)
		}
		if sourcetest.MustRead(t, sourcetest.LookupOne(t, opened(t, "", path),
			"http://h.example/a.html")) != "body" {
			t.Errorf("%s does not come back", name)
		}
		i := slices.IndexFunc(kinds, func(e kindEntry) bool { return e.Is(path) })
		written[kinds[i].Kind] = true
	}
	for _, e := range kinds {
		if !written[e.Kind] {
			t.Errorf("sourcetest writes no source of kind %s", e.Kind)
		}
		if e.About == "" || strings.HasSuffix(e.About, ".") {
			t.Errorf("%s: about %q: want one line", e.Kind, e.About)
		}
	}
}
