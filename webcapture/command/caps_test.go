package command

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestWhatIsNotDecodedIsOneLine: commands without findings also report in one line how many objects were skipped
// because the streams of a file decode to too much data.
func TestWhatIsNotDecodedIsOneLine(t *testing.T) {
	bombs := webcapturetest.Bombs()
	b := bombs[slices.IndexFunc(bombs,
		func(b webcapturetest.Bomb) bool { return b.Name == "300 object streams of 15 MB" })]
	var data bytes.Buffer
	if err := b.Write(&data); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bomb.pdf")
	if err := os.WriteFile(path, data.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range webcapturetest.Sample(2, [][]string{{"list", "--tree", path}, {"name", "find", path}}) {
		var out strings.Builder
		code, stderr := run(nil, &out, args...)
		if code != exitFailed || !strings.Contains(stderr, "1 part could not be read, the first: file: "+b.Cap) {
			t.Errorf("%s: exit %d, %s", args[0], code, stderr)
		}
		if n := strings.Count(out.String(), "takes more than"); n > 1 {
			t.Errorf("%s says %d times that streams decode to too much", args[0], n)
		}
	}
}

// TestCapsAreListed: docs/caps.md lists each cap with the reason given in the code.
func TestCapsAreListed(t *testing.T) {
	var files []string
	for _, p := range listed(t, "") {
		file := filepath.Join(root, filepath.FromSlash(local(p.ImportPath)), "caps.go")
		if _, err := os.Stat(file); err == nil {
			files = append(files, file)
		}
	}
	if len(files) < 6 {
		t.Fatalf("only %q have caps", files)
	}
	var b strings.Builder
	for _, file := range files {
		name, _ := filepath.Rel(root, filepath.Dir(file))
		fmt.Fprintf(&b, "\n### `%s`\n", filepath.ToSlash(name))
		for _, g := range capsIn(t, file) {
			if g.about != "" {
				fmt.Fprintf(&b, "\n%s\n", g.about)
			}
			fmt.Fprintln(&b)
			for _, c := range g.caps {
				if g.about == "" && c.reason == "" {
					t.Errorf("%s: %s has no reason", file, c.name)
				}
				line := fmt.Sprintf("- `%s = %s`: %s", c.name, c.value, strings.TrimPrefix(c.reason, c.name+" is "))
				fmt.Fprintln(&b, strings.TrimSuffix(line, ": "))
			}
		}
	}
	fresh(t, "caps.md", "caps: made by go test ./webcapture/command -run Caps -update", b.String()+"\n")
}

// capGroup is a group of caps that are declared together.
type capGroup struct {
	about string
	caps  []capOf
}

// capOf is the documentation of a cap.
type capOf struct{ name, value, reason string }

// capsIn returns the caps of a file: its constants, and the fields of its variables.
func capsIn(t *testing.T, file string) []capGroup {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	positions := token.NewFileSet()
	tree, err := parser.ParseFile(positions, file, text, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	source := func(n ast.Node) string {
		return string(text[positions.Position(n.Pos()).Offset:positions.Position(n.End()).Offset])
	}
	comments := ast.NewCommentMap(positions, tree, tree.Comments)
	var groups []capGroup
	for _, d := range tree.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		group := capGroup{about: reason(g.Doc)}
		for _, s := range g.Specs {
			v, ok := s.(*ast.ValueSpec)
			if !ok || len(v.Values) != 1 {
				continue
			}
			if of, ok := v.Values[0].(*ast.CompositeLit); ok {
				group.caps = append(group.caps, fields(of, comments, source)...)
				continue
			}
			group.caps = append(group.caps, capOf{v.Names[0].Name, source(v.Values[0]), reason(v.Doc, v.Comment)})
		}
		if len(group.caps) > 0 {
			groups = append(groups, group)
		}
	}
	return groups
}

// fields returns the caps that are fields of a value.
func fields(value *ast.CompositeLit, comments ast.CommentMap, source func(ast.Node) string) []capOf {
	var list []capOf
	for _, e := range value.Elts {
		if f, ok := e.(*ast.KeyValueExpr); ok {
			list = append(list, capOf{source(f.Key), source(f.Value), reason(comments[f]...)})
		}
	}
	return list
}

// reason returns the text of comments on one line.
func reason(comments ...*ast.CommentGroup) string {
	var words []string
	for _, c := range slices.DeleteFunc(comments, func(c *ast.CommentGroup) bool { return c == nil }) {
		words = append(words, strings.Join(strings.Fields(c.Text()), " "))
	}
	return strings.Join(words, " ")
}
