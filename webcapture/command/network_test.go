package command

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Packages that can reach another machine, and what the program may use of them.
var networking = map[string][]string{
	"net": nil, "net/rpc": nil, "net/smtp": nil, "crypto/tls": nil, "log/syslog": nil,
	"net/http":          {"DetectContentType", "ParseTime"},
	"net/http/httputil": {"NewChunkedReader"},
}

// reaching are the functions through which all of net and net/http dial, listen and ask. The
// linker leaves them out of a program in which no call leads to them.
var reaching = regexp.MustCompile(`^(net\.\(\*ListenConfig\)\.Listen|net\.\(\*sysListener\)|net/http\.\(\*Client\)\.do|net/http\.\(\*Transport\)\.roundTrip|net/http\.\(\*Server\)\.Serve|crypto/tls\.\(\*Conn\)\.)`)

// withoutQueues is the program but for what main gives to it.
const withoutQueues = `package main

import (
	"os"

	"github.com/webcap-tools/webcap/webcapture/command"
)

func main() { os.Exit(command.Run(os.Args, os.Stdin, os.Stdout, os.Stderr, nil)) }
`

// Nothing outside the package for queues talks to another machine: files of the program name nothing that could, and
// what its dependencies have of the kind is not linked.
func TestNothingDialsOrListens(t *testing.T) {
	for _, file := range programFiles(t) {
		if strings.Contains(filepath.ToSlash(file), "/webcapture/cluster/") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, use := range networkUses(tree) {
			t.Errorf("%s uses %s", file, use)
		}
	}
	if !webcapturetest.All() {
		return // linking takes seconds
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(withoutQueues), 0o666); err != nil {
		t.Fatal(err)
	}
	if list := linked(t, file); len(list) > 0 {
		t.Errorf("without queues, the program has %q", list)
	}
}

// A program that asks a server is seen by both looks.
func TestNetworkIsNoticed(t *testing.T) {
	const source = `package main

import web "net/http"

func main() { web.Get("http://localhost/"); web.DetectContentType(nil) }
`
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := networkUses(tree); !slices.Equal(got, []string{"net/http.Get"}) {
		t.Errorf("its file uses %q", got)
	}
	if !webcapturetest.All() {
		return
	}
	if len(linked(t, file)) == 0 {
		t.Error("nothing is linked that reaches another machine")
	}
}

// programFiles returns the files of the module that the program is made of.
func programFiles(t *testing.T) []string {
	t.Helper()
	format := `{{if eq (print .Module) "` + module + `"}}{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}{{end}}`
	c := exec.Command("go", "list", "-deps", "-f", format, ".")
	c.Dir = root
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := strings.Fields(string(out))
	if len(files) < 100 {
		t.Fatalf("the program is made of %d files", len(files))
	}
	return files
}

// networkUses returns what a file uses of networking, and is not allowed.
func networkUses(file *ast.File) []string {
	var uses []string
	names := map[string]string{} // in the file, of packages
	for _, i := range file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		allowed, known := networking[path]
		switch {
		case !known:
		case allowed == nil, i.Name != nil && i.Name.Name == ".":
			uses = append(uses, path)
		case i.Name != nil:
			names[i.Name.Name] = path
		default:
			names[path[strings.LastIndexByte(path, '/')+1:]] = path
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := s.X.(*ast.Ident); ok {
			if path, ok := names[x.Name]; ok && !slices.Contains(networking[path], s.Sel.Name) {
				uses = append(uses, path+"."+s.Sel.Name)
			}
		}
		return true
	})
	return uses
}

// linked builds a program and returns the functions in it that reach other machines.
func linked(t *testing.T, program string) []string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "program")
	build := exec.Command("go", "build", "-o", exe, program)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command("go", "tool", "nm", exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for line := range strings.Lines(string(out)) {
		if words := strings.Fields(line); len(words) == 3 && reaching.MatchString(words[2]) {
			list = append(list, words[2])
		}
	}
	return list
}
