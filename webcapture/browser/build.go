//go:build !js

package main

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	markup "html"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"text/template"

	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/report/html"
)

//go:generate go run . -o out/webcap.html

//go:embed page
var pageFiles embed.FS

// scripts are the parts of the page's script, in order.
var scripts = []string{"common.js", "engine.js", "intake.js", "keys.js", "audit.js", "repair.js", "captures.js"}

// maxProgram is the maximum size of the compressed program in bytes.
const maxProgram = 6_000_000

// pageParts is the data for the template of the page: texts of this repository or of the Go toolchain, and base64.
type pageParts struct {
	Version, Go, Licence          string
	Policy, Style, Script, Worker string
	Program, Sample               string
}

// main builds the page. It runs in the folder of this package, or with -C.
func main() {
	out := flag.String("o", "out/webcap.html", "the page")
	root := flag.String("C", ".", "the folder of this package")
	flag.StringVar(&version, "version", version, "the version of webcap")
	flag.Parse()
	if err := build(*root, *out); err != nil {
		fmt.Fprintln(os.Stderr, "browser:", err)
		os.Exit(1)
	}
}

// build writes the page to a file.
func build(root, out string) error {
	p, err := newPage(root)
	if err != nil {
		return err
	}
	t, err := template.ParseFS(pageFiles, "page/page.tmpl")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil {
		return err
	}
	var text bytes.Buffer
	return errors.Join(t.Execute(&text, p), os.WriteFile(out, text.Bytes(), 0o666))
}

func newPage(root string) (*pageParts, error) {
	program, err := program(root)
	if err != nil {
		return nil, err
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	start, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	licence, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "LICENSE"))
	if err != nil {
		return nil, err
	}
	sample, err := os.ReadFile(filepath.Join(root, "../../testdata/site-optimized.pdf"))
	if err != nil {
		return nil, err
	}
	p := &pageParts{
		Version: version, Go: runtime.Version(), Licence: strings.TrimSpace(string(licence)),
		Style: html.Style + file("page.css"), Script: "\"use strict\";\n(() => {\n" + joined(scripts...) + "})();\n",
		Worker:  file("files.js") + string(start) + file("worker.js"),
		Program: base64.StdEncoding.EncodeToString(program), Sample: base64.StdEncoding.EncodeToString(sample),
	}
	for _, text := range []string{p.Script, p.Worker, p.Style} {
		if strings.Contains(text, "</") {
			return nil, errors.New("a script or style sheet has an end tag in it")
		}
	}
	p.Policy, err = policy(p)
	return p, err
}

// policy returns the Content-Security-Policy of the page. A framed document inherits this policy, and also has its
// own. So the policy names the scripts and style sheets of both.
func policy(p *pageParts) (string, error) {
	pages := []string{html.Policy(p.Style, p.Script)}
	for _, write := range []func(io.Writer) error{
		func(w io.Writer) error { return html.Format.New(w, report.Options{}).Close(report.Complete) },
		func(w io.Writer) error { return show.NewCaptureWriter("html", w, 0, version).Close(true) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return "", err
		}
		pages = append(pages, markup.UnescapeString(b.String()))
	}
	hashes := func(directive string) string {
		var list []string
		for _, text := range pages {
			list = append(list, regexp.MustCompile(directive + ` ('sha256-[^']+')`).FindStringSubmatch(text)[1])
		}
		slices.Sort(list)
		return strings.Join(slices.Compact(list), " ")
	}
	return "default-src 'none'; script-src 'wasm-unsafe-eval' " + hashes("script-src") + "; style-src " +
		hashes("style-src") + "; worker-src blob:; img-src data:; base-uri 'none'; form-action 'none'", nil
}

// program builds this package as WebAssembly, and returns the compressed program.
func program(root string) ([]byte, error) {
	folder, err := os.MkdirTemp("", "webcap-browser-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "webcap.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -X main.version="+version,
		"-o", path, ".")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0", "GOFLAGS=")
	if err := cmd.Run(); err != nil {
		return nil, err
	}
	code, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(code); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if out.Len() > maxProgram {
		return nil, fmt.Errorf("the program has %d bytes, compressed, and may have %d", out.Len(), maxProgram)
	}
	return out.Bytes(), nil
}

// file returns the content of a file of the page.
func file(name string) string {
	b, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		panic(err) // cannot happen: the file is embedded
	}
	return string(b)
}

func joined(names ...string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(file(name))
	}
	return b.String()
}
