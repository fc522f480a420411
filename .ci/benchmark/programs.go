package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/pdfcpu/pdfcpu/pkg/api"
)

// program is a peer, that is, a program to compare with webcap, or a part of the system.
type program struct {
	name    string
	version string   // "" if the program is missing
	command []string // command and first arguments
}

// finders describe how to find each peer: its command, and a command that prints its version.
var finders = []struct {
	name    string
	command []string
	version []string
}{
	{"qpdf", []string{"qpdf"}, []string{"qpdf", "--version"}},
	{"mutool", []string{"mutool"}, []string{"mutool", "-v"}},
	{"pikepdf", []string{"/usr/bin/python3", "testdata/bench/walk.py"},
		[]string{"/usr/bin/python3", "-c", "import pikepdf; print(pikepdf.__version__)"}},
	{"Node.js", []string{"node", "testdata/bench/urls.mjs"}, []string{"node", "--version"}},
	{"Python", []string{"python3", "testdata/bench/urls.py"}, []string{"python3", "--version"}},
	{"warcio.js", []string{"node", "testdata/warc/index.mjs"}, []string{"sed", "-n", "s/.*\"version\": *//p",
		"testdata/warc/node_modules/warcio/package.json"}},
	{"warcio", []string{"python3", "-m", "warcio.cli", "index"}, []string{"python3", "-m", "warcio.cli", "--version"}},
	{"gunzip", []string{"gunzip"}, []string{"gunzip", "--version"}},
	{"md5sum", []string{"md5sum"}, []string{"md5sum", "--version"}},
	{"sha256sum", []string{"sha256sum"}, []string{"sha256sum", "--version"}},
}

var number = regexp.MustCompile(`\d+(?:\.\d+)+`)

// findPrograms returns all peers, including missing ones.
func findPrograms(work string) map[string]program {
	found := map[string]program{}
	for _, f := range finders {
		p := program{name: f.name, command: f.command}
		if out, err := exec.Command(f.version[0], f.version[1:]...).CombinedOutput(); err == nil {
			p.version = number.FindString(string(out))
		}
		found[f.name] = p
	}
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	info, _ := debug.ReadBuildInfo()
	found["net/url"] = program{"net/url", strings.TrimPrefix(info.GoVersion, "go"), []string{self, "peer", "net/url"}}
	found["pdfcpu"] = program{"pdfcpu", "", []string{self, "peer", "pdfcpu"}}
	for _, m := range info.Deps {
		if m.Path == "github.com/pdfcpu/pdfcpu" {
			found["pdfcpu"] = program{"pdfcpu", strings.TrimPrefix(m.Version, "v"), found["pdfcpu"].command}
		}
	}
	findLibraries(found, work)
	findPDFBox(found, work)
	return found
}

// findLibraries builds the peers that are separate modules, if their modules are available.
func findLibraries(found map[string]program, work string) {
	const dir = "testdata/bench/urls"
	binary := filepath.Join(work, "urls")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Dir = dir
	ok := build.Run() == nil
	mod, _ := os.ReadFile(filepath.Join(dir, "go.mod"))
	for name, module := range map[string]string{"purell": "PuerkitoBio/purell", "whatwg-url": "nlnwa/whatwg-url"} {
		p := program{name: name, command: []string{binary, name}}
		if _, rest, has := strings.Cut(string(mod), module+" v"); has && ok {
			p.version = number.FindString(rest)
		}
		found[name] = p
	}
}

// findPDFBox compiles the program that walks a file with PDFBox 1.8. It uses the path at which Debian installs PDFBox.
func findPDFBox(found map[string]program, work string) {
	const jars = "/usr/share/java/pdfbox.jar:/usr/share/java/commons-logging.jar:/usr/share/java/fontbox.jar"
	p := program{name: "PDFBox", command: []string{"java", "-cp", jars + ":" + work, "Walk"}}
	if exec.Command("javac", "-cp", jars, "-d", work, "testdata/bench/Walk.java").Run() == nil {
		out, _ := exec.Command("java", "-cp", jars, "org.apache.pdfbox.Version").CombinedOutput()
		p.version = number.FindString(string(out))
	}
	found["PDFBox"] = p
}

// runPeer does the work of a peer that is a Go package: pdfcpu validates files, or net/url parses URLs.
func runPeer(args []string) error {
	if args[0] == "pdfcpu" {
		api.DisableConfigDir()
		failed := 0
		for _, path := range args[1:] {
			if err := api.ValidateFile(path, nil); err != nil {
				failed++
			}
		}
		if failed == len(args)-1 {
			return fmt.Errorf("pdfcpu rejects all of %d files", failed)
		}
		return nil
	}
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		u, err := url.Parse(string(bytes.TrimSpace(in.Bytes())))
		if err != nil {
			return err
		}
		u.Fragment, u.RawFragment = "", ""
		out.WriteString(u.String())
		out.WriteByte('\n')
	}
	return out.Flush()
}
