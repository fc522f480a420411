package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

const module = "github.com/webcap-tools/webcap"

// arrows lists the packages of the module that each package may import; docs/packages.md draws the picture. An
// unlisted package fails the test.
var arrows = map[string][]string{
	"":                {"webcapture/command"},
	"canon":           {},
	"digest":          {},
	"digest/meter":    {},
	"digest/tempfile": {},
	"digest/source": {"digest/meter",
		"digest/source/internal/body", "digest/source/internal/capture", "digest/source/internal/folder",
		"digest/source/internal/har", "digest/source/internal/localfile", "digest/source/internal/urlkey",
		"digest/source/internal/warc"},
	"digest/source/internal/body":    {"digest", "digest/source/internal/localfile"},
	"digest/source/internal/capture": {"digest/meter", "digest/source/internal/body", "digest/source/internal/urlkey"},
	"digest/source/internal/folder": {"canon", "digest/source/internal/body", "digest/source/internal/capture",
		"digest/source/internal/localfile", "digest/source/internal/urlkey"},
	"digest/source/internal/har": {"digest/source/internal/body", "digest/source/internal/capture",
		"digest/source/internal/localfile", "digest/source/internal/urlkey"},
	"digest/source/internal/localfile": {},
	"digest/source/internal/urlkey":    {"canon"},
	"digest/source/internal/warc": {"digest/meter", "digest/source/internal/body", "digest/source/internal/capture",
		"digest/source/internal/localfile", "digest/source/internal/urlkey", "digest/tempfile"},
	"digest/source/sourcetest": {"digest/source/internal/body", "digest/source/internal/capture",
		"digest/source/internal/urlkey"},
	"digest/page":                 {"canon", "digest", "digest/meter", "digest/source"},
	"nametree/object":             {},
	"nametree/object/objecttest":  {"nametree/object"},
	"nametree":                    {"nametree/object"},
	"webcapture/internal/pdffile": {"digest/meter", "webcapture/internal/infile", "nametree/object"},
	"webcapture/webcapturetest":   {},
	"webcapture": {"digest/meter", "digest", "nametree", "nametree/object",
		"webcapture/internal/infile", "webcapture/internal/pdffile"},
	"webcapture/audit/rule": {"digest/meter", "webcapture", "canon", "digest", "nametree", "nametree/object"},
	"webcapture/audit/internal/engine": {"digest/meter", "webcapture/audit/rule", "webcapture", "canon", "digest",
		"digest/page",
		"digest/source", "nametree", "nametree/object"},
	"webcapture/audit/internal/checks": {"digest/meter", "webcapture/audit/rule", "webcapture", "canon", "digest",
		"nametree",
		"nametree/object"},
	"webcapture/audit": {"digest/meter", "webcapture/audit/rule",
		"webcapture/audit/internal/engine", "webcapture/audit/internal/checks", "webcapture", "digest/source",
		"nametree", "nametree/object"},
	"webcapture/audit/audittest": {"webcapture", "nametree/object", "webcapture/webcapturetest"},
	"webcapture/catalog":         {"digest/meter", "webcapture/audit/rule", "webcapture", "canon", "nametree", "nametree/object"},
	"webcapture/keys": {"webcapture/catalog", "webcapture/audit", "webcapture/audit/rule", "webcapture", "nametree",
		"nametree/object"},
	"webcapture/find": {"digest/meter", "webcapture/catalog", "webcapture/audit/rule", "webcapture", "canon", "digest",
		"nametree", "nametree/object"},
	"webcapture/export": {"digest/meter", "webcapture/catalog", "webcapture/audit/rule", "webcapture", "canon", "digest",
		"webcapture/internal/layout", "webcapture/internal/spool", "nametree/object"},
	"webcapture/match": {"digest/meter", "webcapture/internal/infile", "webcapture/audit/rule", "webcapture",
		"nametree/object"},
	"webcapture/rewrite/restore": {"webcapture/internal/infile", "webcapture/audit/rule", "webcapture/match", "webcapture",
		"digest", "nametree", "nametree/object"},
	"webcapture/rewrite": {"webcapture/rewrite/restore", "digest/tempfile",
		"webcapture/internal/oserror", "webcapture/audit", "webcapture/audit/rule", "webcapture", "canon", "nametree", "nametree/object"},
	"webcapture/diff": {"webcapture/match", "webcapture/internal/layout", "webcapture/internal/oserror",
		"webcapture/audit", "webcapture/audit/rule", "webcapture", "digest", "nametree", "nametree/object"},
	"webcapture/internal/layout":            {},
	"webcapture/internal/oserror":           {},
	"webcapture/internal/infile":            {},
	"webcapture/internal/jsondoc":           {"webcapture/internal/layout", "webcapture/audit/rule"},
	"webcapture/internal/layout/layouttest": {},
	"webcapture/batch/batchtest":            {"webcapture/audit/audittest", "webcapture/webcapturetest"},
	"webcapture/cluster":                    {"webcapture/batch", "webcapture/report"},
	"webcapture/internal/phrase": {"webcapture/internal/layout", "webcapture/audit",
		"webcapture/audit/rule"},
	"webcapture/internal/spool": {"digest/tempfile"},
	"webcapture/report": {"webcapture/internal/spool", "webcapture/internal/phrase",
		"webcapture/internal/oserror", "webcapture/internal/layout", "webcapture/internal/jsondoc", "canon",
		"digest/source", "webcapture/audit", "webcapture/audit/rule", "webcapture",
		"nametree", "nametree/object"},
	"webcapture/report/html": {"webcapture/report", "webcapture/internal/spool",
		"webcapture/internal/phrase", "webcapture/internal/layout", "webcapture/audit", "webcapture/audit/rule",
		"webcapture", "nametree", "nametree/object"},
	"webcapture/report/format": {"webcapture/report", "webcapture/report/html"},
	"webcapture/command/show": {"webcapture/report/html", "webcapture/catalog", "webcapture/export", "webcapture/find",
		"webcapture/keys", "webcapture/internal/spool", "webcapture/report",
		"webcapture/internal/oserror", "webcapture/internal/phrase",
		"digest/source", "webcapture/internal/layout", "webcapture/internal/jsondoc", "canon", "digest", "digest/page",
		"webcapture/rewrite", "webcapture/diff", "webcapture/audit", "webcapture/audit/rule", "webcapture", "nametree",
		"nametree/object"},
	"webcapture/browser": {"webcapture", "webcapture/audit", "webcapture/audit/rule",
		"webcapture/catalog", "webcapture/command/show", "webcapture/diff", "webcapture/find",
		"webcapture/internal/layout", "webcapture/internal/oserror", "webcapture/keys", "webcapture/report",
		"webcapture/report/format", "webcapture/report/html", "webcapture/rewrite"},
	"webcapture/suppress": {"nametree", "nametree/object", "webcapture/audit",
		"webcapture/audit/rule", "webcapture/internal/phrase", "webcapture/report"},
	"webcapture/batch/archive": {"digest/meter", "digest/source", "digest/tempfile", "webcapture/report"},
	"webcapture/batch": {"webcapture/internal/oserror", "digest/tempfile",
		"webcapture/batch/archive", "webcapture/internal/infile", "webcapture/audit",
		"webcapture/audit/rule", "webcapture/report", "webcapture"},
	"webcapture/command/manual":   {"webcapture/internal/layout"},
	"webcapture/command/terminal": {"webcapture/internal/layout"},
	"webcapture/command": {"digest/meter", "webcapture/catalog", "webcapture/export", "webcapture/find", "webcapture/keys",
		"webcapture/command/manual", "webcapture/command/terminal",
		"webcapture/report/format", "webcapture/internal/phrase", "digest/tempfile", "webcapture/internal/infile",
		"webcapture/internal/oserror", "canon", "digest", "digest/page", "digest/source", "nametree", "nametree/object",
		"webcapture", "webcapture/audit", "webcapture/audit/rule", "webcapture/rewrite", "webcapture/diff",
		"webcapture/report", "webcapture/command/show", "webcapture/batch", "webcapture/batch/archive",
		"webcapture/cluster", "webcapture/suppress", "webcapture/internal/layout",
		"webcapture/internal/jsondoc", "webcapture/internal/spool"},
}

// owners lists the only packages that may import each external module, in tests too. All others import only the
// standard library.
var owners = map[string][]string{
	"github.com/pdfcpu/pdfcpu": {"webcapture/internal/pdffile", "webcapture", "webcapture/audit", "webcapture/batch",
		"webcapture/report", "webcapture/report/html", "webcapture/rewrite", "webcapture/browser"}, // all but two in tests
	"github.com/edsrzf/mmap-go": {"webcapture/internal/pdffile"},
	"github.com/klauspost/compress": {"webcapture/internal/pdffile", "digest/source",
		"digest/source/sourcetest", "digest/source/internal/body", "digest/source/internal/warc",
		"webcapture/batch/archive", "webcapture/batch/batchtest", "webcapture/command",
		"webcapture/audit", "webcapture/export"},
	"github.com/andybalholm/brotli": {"digest/source/internal/body", "webcapture/audit"},
	"golang.org/x/net": {"canon", "digest/page", "digest/source/internal/urlkey",
		"digest/source/internal/har"},
	"golang.org/x/text": {"digest/page", "digest/source/internal/har", "webcapture/audit/rule",
		"webcapture/audit/internal/checks", "webcapture/internal/pdffile"},
	"github.com/tdewolff/parse/v2":      {"digest/page"},
	"github.com/urfave/cli/v2":          {"webcapture/command", "webcapture/command/manual"},
	"github.com/xrash/smetrics":         {"webcapture/command"},
	"github.com/olekukonko/tablewriter": {"webcapture/internal/layout"},
	"golang.org/x/term":                 {"webcapture/command/terminal"},
	"golang.org/x/sys": {"digest/tempfile", "webcapture/command", "webcapture/command/terminal",
		"webcapture/batch", "webcapture/cluster"}, // the last in tests
	"golang.org/x/sync":                     {"webcapture/batch"},
	"github.com/nats-io":                    {"webcapture/cluster"},
	"github.com/KimMachineGun/automemlimit": {"webcapture/command"},
	"go.yaml.in/yaml/v4":                    {"webcapture/command"},
	"github.com/bmatcuk/doublestar":         {"webcapture/suppress", "webcapture/batch"},
	"github.com/rogpeppe/go-internal":       {"webcapture/command"},
	"golang.org/x/tools": {"webcapture/audit", "webcapture/command", "webcapture/rewrite",
		"webcapture/diff"}, // the last in tests
	"github.com/santhosh-tekuri/jsonschema": {"webcapture/report", "webcapture/command"},
	"github.com/owenrumney/go-sarif":        {"webcapture/report"},
	"github.com/chromedp":                   {"webcapture/report/html", "webcapture/browser"},
}

// listedPackage is the output of go list about a package.
type listedPackage struct {
	ImportPath                         string
	GoFiles, IgnoredGoFiles            []string
	Imports, TestImports, XTestImports []string
}

// listed returns the packages of the module.
func listed(t *testing.T) []listedPackage {
	t.Helper()
	all, err := goList()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// goList lists the packages once for all tests.
var goList = sync.OnceValues(func() (all []listedPackage, err error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,GoFiles,IgnoredGoFiles,Imports,TestImports,XTestImports",
		module+"/...").Output()
	if err != nil {
		return nil, err
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listedPackage
		if err := dec.Decode(&p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
})

func TestImportsGoOneWay(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range listed(t) {
		name := local(p.ImportPath)
		seen[name] = true
		allowed, isListed := arrows[name]
		if !isListed {
			t.Errorf("package %q is not in the list of arrows", name)
			continue
		}
		for _, path := range p.Imports {
			if strings.HasPrefix(path, module) && !slices.Contains(allowed, local(path)) {
				t.Errorf("%q imports %q: there is no such arrow", name, local(path))
			}
			if strings.HasPrefix(path, "github.com/nats-io/nats-server") {
				t.Errorf("%q imports %s: only tests link a server", name, path)
			}
		}
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") || strings.HasPrefix(path, module) {
				continue
			}
			if !owns(name, path) {
				t.Errorf("%q imports %s: it is not among those that may", name, path)
			}
		}
	}
	for name := range arrows {
		if !seen[name] {
			t.Errorf("package %q is in the list of arrows, and does not exist", name)
		}
	}
}

func local(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
}

func owns(name, path string) bool {
	for prefix, packages := range owners {
		if path == prefix || strings.HasPrefix(path, prefix+"/") {
			return slices.Contains(packages, name)
		}
	}
	return false
}
