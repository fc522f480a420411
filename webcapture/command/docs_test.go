package command

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pages returns the README and the pages in docs, by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, p := range append(paths, "../../README.md") {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		texts[p] = string(text)
	}
	return texts
}

var (
	codeSpan = regexp.MustCompile("`([^`\n]+)`")
	goFile   = regexp.MustCompile(`^(?:[\w.-]+/)*[\w-]+\.go$`)
	folder   = regexp.MustCompile(`^(?:canon|digest|nametree|webcapture|testdata|docs|\.ci)(?:/[\w.-]+)*/?$`)
	linkTo   = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
)

// TestDocsNameWhatIsThere: a file or folder of the project that a page names in code
// spans, and every page that it links to, exists. A file may be named without the
// folders above its package.
func TestDocsNameWhatIsThere(t *testing.T) {
	var files strings.Builder
	err := filepath.WalkDir("../..", func(p string, d fs.DirEntry, err error) error {
		fmt.Fprintf(&files, "/%s\n", filepath.ToSlash(p))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	exists := func(p string) bool {
		_, err := os.Stat(p)
		return err == nil
	}
	for page, text := range pages(t) {
		for _, m := range codeSpan.FindAllStringSubmatch(text, -1) {
			isThere := !goFile.MatchString(m[1]) || strings.Contains(files.String(), "/"+m[1]+"\n")
			if folder.MatchString(m[1]) && !goFile.MatchString(m[1]) {
				isThere = exists(filepath.Join("../..", m[1]))
			}
			if !isThere {
				t.Errorf("%s names %s, which is not there", page, m[1])
			}
		}
		for _, m := range linkTo.FindAllStringSubmatch(text, -1) {
			if !exists(filepath.Join(filepath.Dir(page), m[1])) {
				t.Errorf("%s links to %s, which is not there", page, m[1])
			}
		}
	}
}

// TestImportPictureIsFresh: docs/architecture.md draws who imports whom as it is in
// the code.
func TestImportPictureIsFresh(t *testing.T) {
	const page, begin, end = "../../docs/architecture.md", "<!-- imports: made by go test ./webcapture/command -run Picture -update -->\n```\n", "```\n<!-- end -->"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := bytes.Cut(text, []byte(begin))
	_, after, ok2 := bytes.Cut(rest, []byte(end))
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the picture", page)
	}
	want := slices.Concat(before, []byte(begin+picture(imports(t))+end), after)
	if bytes.Equal(text, want) {
		return
	}
	if !*update {
		t.Fatalf("the picture in %s is not fresh; run this test with -update", page)
	}
	if err := os.WriteFile(page, want, 0o644); err != nil {
		t.Fatal(err)
	}
}

// imports returns the packages of the module with those of it that they import, in
// code that is not for tests.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, p := range listed(t) {
		name := local(p.ImportPath)
		all[name] = nil
		for _, i := range p.Imports {
			if strings.HasPrefix(i, module) {
				all[name] = append(all[name], local(i))
			}
		}
	}
	return all
}

// picture draws packages in rows, each above all that it imports. Beside a package
// is what it imports, without what is imported through that anyway.
func picture(imports map[string][]string) string {
	rows := map[int][]string{}
	for name := range imports {
		if !strings.HasSuffix(name, "test") {
			n := height(imports, name)
			rows[n] = append(rows[n], name)
		}
	}
	var b strings.Builder
	for _, n := range slices.Backward(slices.Sorted(maps.Keys(rows))) {
		slices.Sort(rows[n])
		for _, name := range rows[n] {
			title := name
			if name == "" {
				title = "main.go"
			}
			line := fmt.Sprintf("%2d  %-27s", n, title)
			if direct := direct(imports, name); len(direct) > 0 {
				line += " → " + strings.Join(direct, ", ")
			}
			fmt.Fprintln(&b, strings.TrimRight(line, " "))
		}
	}
	return b.String()
}

// height returns the number of arrows on the longest way down from a package.
func height(imports map[string][]string, name string) int {
	n := 0
	for _, i := range imports[name] {
		n = max(n, 1+height(imports, i))
	}
	return n
}

// direct returns what a package imports and no other of its imports leads to.
func direct(imports map[string][]string, name string) []string {
	var list []string
	for _, i := range imports[name] {
		through := slices.ContainsFunc(imports[name], func(j string) bool { return j != i && leadsTo(imports, j, i) })
		if !through {
			list = append(list, i)
		}
	}
	slices.Sort(list)
	return list
}

func leadsTo(imports map[string][]string, from, to string) bool {
	return slices.ContainsFunc(imports[from], func(i string) bool { return i == to || leadsTo(imports, i, to) })
}
