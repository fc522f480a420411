package canon_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/canon"
)

var update = flag.Bool("update", false, "rewrite the generated tables in docs")

// compared are the URLs of the document's table: typical tasks of the profiles, and URLs on which they differ.
var compared = []string{
	"HTTP://WWW.Example.COM/",
	"http://example.com",
	"http://example.com:80/",
	"https://example.com:443/",
	"http://example.com:080/a",
	"http://example.com./",
	"http://User:PW@Example.com/",
	"http://example.com/a#top",
	"http://example.com/a/./b/../c",
	"http://example.com/../a",
	"http://example.com/a//../b",
	"http://example.com/a;v=1/../b",
	"http://example.com/%7Ejoe/%2E%2e/x",
	"http://example.com/a b",
	"http://example.com/caf\xc3\xa9",
	"http://example.com/%e4%zz",
	"http://example.com/?q=a b&amp;c=%2b/../d",
	"http://0177.0.0.1/",
	"file://LOCALHOST/etc/../x",
	"ftp://FTP.example.com:21/a;type=A",
}

// TestDocument compares the generated tables in docs with the code.
func TestDocument(t *testing.T) {
	for _, part := range []struct{ page, name, text string }{
		{"canonicalization.md", "profiles", profilesTable()},
		{"canonicalization-steps.md", "steps", stepsTables()},
		{"canonicalization-steps.md", "urls", urlsTable()},
	} {
		t.Run(part.name, func(t *testing.T) {
			path := "../docs/" + part.page
			doc, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			begin, end := "<!-- "+part.name+": made by go test ./canon -update -->\n", "<!-- end -->"
			head, rest, ok := strings.Cut(string(doc), begin)
			got, tail, closed := strings.Cut(rest, end)
			switch {
			case !ok || !closed:
				t.Errorf("%s has no part %q", path, part.name)
			case got == part.text:
			case !*update:
				t.Errorf("%s does not match the code; run go test ./canon -update", path)
			default:
				if err := os.WriteFile(path, []byte(head+begin+part.text+end+tail), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func profilesTable() string {
	var b strings.Builder
	b.WriteString("\n| profile | what it is | by |\n|---|---|---|\n")
	for _, p := range canon.Profiles() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.Name(), cell(p.Doc()), cell(p.Clause()))
	}
	return b.String() + "\n"
}

func stepsTables() string {
	var b strings.Builder
	for _, p := range canon.Profiles() {
		fmt.Fprintf(&b, "\n### %s\n\n| step | what it does | by |\n|---|---|---|\n", p.Name())
		for _, s := range p.Steps() {
			fmt.Fprintf(&b, "| %c | %s | %s |\n", s.Letter, cell(s.Title), cell(s.Clause))
		}
	}
	return b.String() + "\n"
}

// urlsTable has a row for each form of a URL, with the profiles that produce it.
func urlsTable() string {
	var b strings.Builder
	b.WriteString("\n| URL | becomes | by |\n|---|---|---|\n")
	for _, url := range compared {
		var forms []string // in the order of the first profile that produces them
		by := map[string][]string{}
		for _, p := range canon.Profiles() {
			form := string(p.Append(nil, []byte(url)))
			if by[form] == nil {
				forms = append(forms, form)
			}
			by[form] = append(by[form], p.Name())
		}
		first := code(url)
		for _, form := range forms {
			names := strings.Join(by[form], ", ")
			if len(forms) == 1 {
				names = "all"
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", first, code(form), names)
			first = ""
		}
	}
	return b.String() + "\n"
}

// code shows a URL, with escapes for bytes that are not printable ASCII.
func code(url string) string {
	var b strings.Builder
	for _, c := range []byte(url) {
		if c < ' ' || c > '~' {
			fmt.Fprintf(&b, `\x%02x`, c)
		} else {
			b.WriteByte(c)
		}
	}
	return "`" + cell(b.String()) + "`"
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
