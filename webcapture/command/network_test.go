package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// networked are the packages that depend on net, or what is below it: queues, the command line, and what this has of
// modules that import net for what is not called here. pdfcpu asks for lists of revoked certificates
// where signatures are validated, and parquet-go has identifiers that are made of the address of a network card.
var networked = []string{"", "webcapture/cluster", "webcapture/command", "webcapture/command/parquet", "webcapture/command/pdfcpu"}

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

// No other package of the module depends on anything that could reach the network.
func TestImportsOfTheNetwork(t *testing.T) {
	all := networkOf(t, module+"/...")
	for _, name := range networked {
		if _, ok := all[strings.TrimSuffix(module+"/"+name, "/")]; !ok {
			t.Errorf("there is no package %q", name)
		}
	}
	for name, found := range all {
		if has, may := len(found) > 0, slices.Contains(networked, local(name)); has && !may {
			t.Errorf("%s depends on %q", name, found)
		} else if may && !has {
			t.Errorf("%s depends on nothing of the network: it is not to be listed", name)
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
	found := networkOf(t, file)
	if len(found) != 1 {
		t.Errorf("%d packages, want the program", len(found))
	}
	for name, got := range found {
		if !slices.Contains(got, "net/http") || !slices.Contains(got, "net") {
			t.Errorf("%s depends on %q", name, got)
		}
	}
	if webcapturetest.All() && len(linked(t, file)) == 0 {
		t.Error("nothing is linked that reaches another machine")
	}
}

// networkOf returns, of each of packages, what of the network it depends on: net, and what is below it but for two
// packages that know how URLs and addresses are written, and nothing else.
func networkOf(t *testing.T, packages string) map[string][]string {
	t.Helper()
	c := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Deps " "}}`, packages)
	c.Dir = root
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		found[words[0]] = slices.DeleteFunc(words[1:], func(path string) bool {
			return path != "net" && !strings.HasPrefix(path, "net/") || path == "net/url" || path == "net/netip"
		})
	}
	return found
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
