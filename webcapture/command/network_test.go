package command

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// entrances are the modules through which packages of the standard library come in that reach the network, with what
// for. What they have of it is not called, so it is not linked.
var entrances = map[string]string{
	"github.com/pdfcpu/pdfcpu":         "asks for lists of revoked certificates where signatures are validated, and for images at URLs where files are made",
	"github.com/parquet-go/parquet-go": "has identifiers that are made of the address of a network card",
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

// No package but the one for queues, and the program, imports what could reach the network, but for what a few modules
// have of it besides.
func TestImportsOfTheNetwork(t *testing.T) {
	used := map[string]bool{}
	for _, i := range networkImports(t, module+"/...") {
		if i.from == module || i.from == module+"/webcapture/cluster" {
			continue
		}
		known := false
		for entrance := range entrances {
			if i.to == entrance || strings.HasPrefix(i.to, entrance+"/") {
				known, used[entrance] = true, true
			}
		}
		if !known {
			t.Errorf("%s imports %s, which can reach the network", i.from, i.to)
		}
	}
	for entrance := range entrances {
		if !used[entrance] {
			t.Errorf("nothing of the network comes through %s", entrance)
		}
	}
}

// Nothing outside the package for queues talks to another machine: what its dependencies have of the kind is not linked.
func TestNothingDialsOrListens(t *testing.T) {
	if !webcapturetest.All() {
		t.Skip("linking takes seconds; needs WEBCAP_TEST_ALL")
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

func main() { web.Get("http://localhost/") }
`
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := networkImports(t, file); len(got) != 1 || got[0].to != "net/http" {
		t.Errorf("it imports %q", got)
	}
	if webcapturetest.All() && len(linked(t, file)) == 0 {
		t.Error("nothing is linked that reaches another machine")
	}
}

// A networkImport is one, of a package outside of the module, that depends on net.
type networkImport struct{ from, to string }

// networkImports returns those of packages.
func networkImports(t *testing.T, packages string) (list []networkImport) {
	t.Helper()
	c := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports,DepOnly", packages)
	c.Dir = root
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	reaches := map[string]bool{"net": true}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; { // what a package depends on comes before it
		var p struct {
			ImportPath string
			Imports    []string
			DepOnly    bool
		}
		if err := dec.Decode(&p); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		for _, to := range p.Imports {
			if !reaches[to] {
				continue
			}
			reaches[p.ImportPath] = true
			if !p.DepOnly && !strings.HasPrefix(to, module) {
				list = append(list, networkImport{p.ImportPath, to})
			}
		}
	}
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
