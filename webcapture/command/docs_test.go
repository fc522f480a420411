package command

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pages returns the README and the pages in docs and its folders, by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	paths := []string{"../../README.md"}
	for _, f := range filesBelow(t, "../../docs") {
		if strings.HasSuffix(f, ".md") {
			paths = append(paths, "../../docs/"+f)
		}
	}
	texts := map[string]string{}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		texts[p] = string(text)
	}
	return texts
}

var (
	codeSpan    = regexp.MustCompile("`([^`\n]+)`")
	placeholder = regexp.MustCompile(`<[a-z]+>|nnn`)
	goFile      = regexp.MustCompile(`^(?:[\w.-]+/)*[\w*-]+\.go$`)
	ofProject   = regexp.MustCompile(`^(?:canon|digest|nametree|webcapture|testdata|docs|\.ci)(?:/[\w.*-]+)*/?$`)
	goName      = regexp.MustCompile(`^(?:\*?\w+(?:\.[A-Z]\w*)+|Test[A-Z]\w*)$`)
	linkTo      = regexp.MustCompile(`\]\(([^):#]*)(#[^)]*)?\)`)
	heading     = regexp.MustCompile(`(?m)^#+ (.*)$`)
	anchor      = regexp.MustCompile(`(?m)^<a id="([^"]+)"></a>$`)
	noAnchor    = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestDocsNameWhatIsThere: a file or folder of the project that a page names in code
// spans exists, and so do tests, and what is named like Type.Method or package.Function.
// A file may be named without the folders above its package; a star, and a word in
// angle brackets, stand for some part of a name.
func TestDocsNameWhatIsThere(t *testing.T) {
	files, names := filesBelow(t, "../.."), goNames(t)
	for page, text := range pages(t) {
		for _, m := range codeSpan.FindAllStringSubmatch(text, -1) {
			if file := placeholder.ReplaceAllString(m[1], "*"); isNoFile(files, file) || isNoName(names, m[1]) {
				t.Errorf("%s names %s, which is not there", page, m[1])
			}
		}
	}
}

// TestDocsLinkToWhatIsThere: every page, folder and heading that a page links to
// exists.
func TestDocsLinkToWhatIsThere(t *testing.T) {
	all := pages(t)
	headings := map[string][]string{}
	for page, text := range all {
		headings[filepath.Clean(page)] = anchors(text)
	}
	for page, text := range all {
		for _, m := range linkTo.FindAllStringSubmatch(text, -1) {
			to := filepath.Clean(page)
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(page), m[1])
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, which is not there", page, m[1])
			}
			if m[2] != "" && !slices.Contains(headings[to], m[2]) {
				t.Errorf("%s links to %s%s, and there is no such heading", page, m[1], m[2])
			}
		}
	}
}

// anchors returns the anchors of a page, each with #: those that GitHub makes for headings, and explicit ones.
func anchors(text string) []string {
	var list []string
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		plain := noAnchor.ReplaceAllString(strings.ToLower(m[1]), "")
		list = append(list, "#"+strings.ReplaceAll(plain, " ", "-"))
	}
	for _, m := range anchor.FindAllStringSubmatch(text, -1) {
		list = append(list, "#"+m[1])
	}
	return list
}

// filesBelow returns the paths of files and folders, with slashes.
func filesBelow(t *testing.T, root string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if rel, e := filepath.Rel(root, p); e == nil {
			list = append(list, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// isNoFile reports whether a text looks like the path of a file or folder of the project, but there is none.
func isNoFile(files []string, text string) bool {
	if !goFile.MatchString(text) && !ofProject.MatchString(text) {
		return false
	}
	wanted := strings.TrimSuffix(text, "/")
	return !slices.ContainsFunc(files, func(f string) bool {
		if goFile.MatchString(text) {
			f = lastParts(f, 1+strings.Count(wanted, "/"))
		}
		ok, _ := path.Match(wanted, f)
		return ok
	})
}

// lastParts returns the last n names of a path, or all if it has fewer.
func lastParts(p string, n int) string {
	parts := strings.Split(p, "/")
	return strings.Join(parts[max(0, len(parts)-n):], "/")
}

// isNoName reports whether a text looks like the name of a test, or of a member of a package or type of the project,
// but there is none.
func isNoName(names map[string]bool, text string) bool {
	text = strings.TrimPrefix(text, "*")
	owner, member, dotted := strings.Cut(text, ".")
	switch {
	case !goName.MatchString(text):
		return false
	case !dotted:
		return !names[text]
	case !names[owner]:
		return false // of another project
	}
	member, method, more := strings.Cut(member, ".")
	return !names[owner+"."+member] || more && !names["."+method]
}

// goNames returns the names that the code declares: those of packages, and each other name in three forms: alone,
// after its package or type (Type.Name), and after a dot (.Name).
func goNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, file := range filesBelow(t, "../..") {
		if !strings.HasSuffix(file, ".go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("../..", file), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		names[f.Name.Name] = true
		for _, d := range f.Decls {
			addNames(names, f.Name.Name, d)
		}
	}
	return names
}

// receiver returns the name of the type of a receiver.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr: // a generic type with its parameter
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// addNames adds the names of a declaration in a package.
func addNames(names map[string]bool, pkg string, d ast.Decl) {
	add := func(owner string, list ...*ast.Ident) {
		for _, id := range list {
			names[id.Name], names[owner+"."+id.Name], names["."+id.Name] = true, true, true
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		owner := pkg
		if d.Recv != nil {
			owner = receiver(d.Recv.List[0].Type)
		}
		add(owner, d.Name)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				add(pkg, spec.Names...)
			case *ast.TypeSpec:
				add(pkg, spec.Name)
				if s, ok := spec.Type.(*ast.StructType); ok {
					for _, f := range s.Fields.List {
						add(spec.Name.Name, f.Names...)
					}
				}
			}
		}
	}
}

// TestImportPictureIsFresh: docs/packages.md draws who imports whom as it is in
// the code.
func TestImportPictureIsFresh(t *testing.T) {
	fresh(t, "packages.md", "imports: made by go test ./webcapture/command -run Picture -update",
		"```\n"+picture(imports(t))+"```\n")
}

// fresh fails the test unless a part of a page in docs, between two comments, is want. With -update, it writes want
// there.
func fresh(t *testing.T, page, comment, want string) {
	t.Helper()
	page = root + "/docs/" + page
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- "+comment+" -->\n", "<!-- end -->"
	before, rest, ok := strings.Cut(string(text), begin)
	got, after, ok2 := strings.Cut(rest, end)
	switch {
	case !ok || !ok2:
		t.Errorf("%s has no place for %q", page, comment)
	case got == want:
	case !*update:
		t.Errorf("a part of %s is not fresh; run this test with -update:\n%s", page, want)
	default:
		if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// imports returns, for each package of the module, the packages of the module that it imports outside of tests.
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

// picture lists packages except those for tests, each above all that it imports. Next to a package are its imports,
// except those to which another of its imports leads.
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

// direct returns the imports of a package to which no other of its imports leads.
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
