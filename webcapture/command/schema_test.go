package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// publishedSchemas are the schemas in docs/schema, as published and in a strict version without unnamed members.
type publishedSchemas struct {
	open, strict map[string]*jsonschema.Schema
	names        map[string]map[string]bool // of members, by schema
	unused       map[string]map[string]bool // those that no output has had
}

func readSchemas(t *testing.T) *publishedSchemas {
	t.Helper()
	files, err := filepath.Glob(root + "/docs/schema/*.schema.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d schemas, %v", len(files), err)
	}
	p := &publishedSchemas{names: map[string]map[string]bool{}, unused: map[string]map[string]bool{}}
	open, strict := jsonschema.NewCompiler(), jsonschema.NewCompiler()
	add := func(c *jsonschema.Compiler, name string, doc any) {
		if err := c.AddResource("https://schema.test/"+name, doc); err != nil {
			t.Fatal(err)
		}
	}
	var list []string
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(f)
		list = append(list, name)
		members := map[string]bool{}
		for _, c := range []*jsonschema.Compiler{open, strict} {
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if c == strict {
				closeObjects(doc, members)
			}
			add(c, name, doc)
		}
		p.names[name], p.unused[name] = members, maps.Clone(members)
	}
	compile := func(c *jsonschema.Compiler) map[string]*jsonschema.Schema {
		all := map[string]*jsonschema.Schema{}
		for _, name := range list {
			s, err := c.Compile("https://schema.test/" + name)
			if err != nil {
				t.Fatal(err)
			}
			all[name] = s
		}
		return all
	}
	p.open, p.strict = compile(open), compile(strict)
	return p
}

// closeObjects forbids members that a schema does not name, and records those that it names. A schema that only
// names a member for others, next to oneOf, stays open.
func closeObjects(schema any, members map[string]bool) {
	switch s := schema.(type) {
	case map[string]any:
		if properties, ok := s["properties"].(map[string]any); ok {
			if s["oneOf"] == nil {
				s["additionalProperties"] = false
			}
			for name := range properties {
				members[name] = true
			}
		}
		for _, v := range s {
			closeObjects(v, members)
		}
	case []any:
		for _, v := range s {
			closeObjects(v, members)
		}
	}
}

// check validates a document by both versions of a schema.
func (p *publishedSchemas) check(t *testing.T, name, what string, doc []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		t.Fatalf("%s: %v\n%s", what, err, doc)
	}
	if err := p.open[name].Validate(v); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	if err := p.strict[name].Validate(v); err != nil {
		t.Errorf("%s has what %s does not name: %v", what, name, err)
	}
	p.use(name, v)
}

func (p *publishedSchemas) use(name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for member, value := range v {
			delete(p.unused[name], member)
			p.use(name, value)
		}
	case []any:
		for _, value := range v {
			p.use(name, value)
		}
	}
}

// webcap runs the program and returns its output.
func webcap(t *testing.T, args ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	if code, stderr := run(strings.NewReader(""), &out, args...); code == exitUsage {
		t.Fatalf("webcap %s: %s", strings.Join(args, " "), stderr)
	}
	return out.Bytes()
}

// fixtures returns files that violate all rules, and some unreadable ones.
func fixtures(t *testing.T) []string {
	t.Helper()
	files := append([]string{root + "/testdata/site.pdf", root + "/testdata/site-optimized.pdf"},
		auditCases(t, t.TempDir())...)
	sets := string(webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(webcapturetest.Layout{}))
	more := map[string]string{"before-header.pdf": "bytes before the header\n" + sets}
	if runtime.GOOS == "linux" { // others have no such names
		more["latin-1 \xe4.pdf"] = sets
	}
	folder := t.TempDir()
	for name, data := range more {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// All JSON output is valid by its schema and has only members that the schema names. All members that a schema
// names occur in output.
func TestSchemas(t *testing.T) {
	p := readSchemas(t)
	files := fixtures(t)
	for _, row := range []struct {
		name string
		test func(*testing.T, *publishedSchemas, []string)
	}{
		{"audit", checkAudits}, {"list, rewrite and diff", checkFiles}, {"journal of a rewrite", checkRewriteJournal},
		{"canon", checkCanon}, {"source", checkSources},
	} {
		t.Run(row.name, func(t *testing.T) { row.test(t, p, files) })
	}
	for name, unused := range p.unused {
		if runtime.GOOS != "linux" {
			delete(unused, "pathHex")
		}
		if len(unused) > 0 {
			t.Errorf("%s names what no output here has: %v", name, slices.Sorted(maps.Keys(unused)))
		}
	}
}

const auditSchema, linesSchema = "webcap.audit-1.schema.json", "webcap.audit-1.ndjson.schema.json"

// checkLines validates each line of a file by the schema of NDJSON.
func (p *publishedSchemas) checkLines(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for l := range bytes.Lines(text) {
		p.check(t, linesSchema, string(l), l)
	}
}

func checkAudits(t *testing.T, p *publishedSchemas, files []string) {
	dir := t.TempDir()
	lines := filepath.Join(dir, "results.ndjson")
	args := []string{"audit", "--output", filepath.Join(dir, "results.html"),
		"--source", "folder:" + root + "/testdata",
		"--format", "json", "--output", lines, "gone.pdf"}
	p.check(t, auditSchema, "the audit of all cases", webcap(t, append(args, files...)...))
	p.checkLines(t, lines)
	p.check(t, auditSchema, "an audit with a source", webcap(t, "audit", "--source", root+"/testdata/capture.warc",
		"--output", lines, "--format", "json", root+"/testdata/capture.pdf"))
	p.checkLines(t, lines)
	rest(t, p, auditSchema, linesSchema)
	baseline := filepath.Join(dir, "baseline.json")
	webcap(t, "audit", "--output", baseline, "gone.pdf")
	p.check(t, auditSchema, "an audit with a baseline",
		webcap(t, "audit", "--baseline", baseline, "--output", lines, "--format", "json", "gone.pdf"))
	p.checkLines(t, lines)
	whole := readFile(t, lines)
	cut := filepath.Join(dir, "cut.ndjson")
	writeFiles(t, map[string]string{cut: whole[:strings.LastIndex(strings.TrimSuffix(whole, "\n"), "\n")+1]})
	p.check(t, auditSchema, "results that are cut off",
		webcap(t, "report", "--output", lines, "--format", "json", cut))
	p.checkLines(t, lines)
}

func checkFiles(t *testing.T, p *publishedSchemas, files []string) {
	before := ""
	for _, file := range files {
		p.check(t, "webcap.captures-2.schema.json", "the captures of "+file, webcap(t, "list", "--format", "json", file))
		p.check(t, "webcap.find-1.schema.json", "what was found in "+file, webcap(t, "find", "--format", "json",
			"1b166c1c289461ccc1b83b806c516f31", file))
		p.check(t, "webcap.find-1.schema.json", "what was found in "+file, webcap(t, "find", "--format", "json",
			"https://example.org/archive/00000000/IMAGE.jpg", file))
		if doc := webcap(t, "keys", "--format", "json", file); len(doc) > 0 {
			p.check(t, "webcap.keys-1.schema.json", "the keys of "+file, doc)
		}
		if doc := webcap(t, "rewrite", "--format", "json", file); len(doc) > 0 {
			p.check(t, "webcap.rewrite-1.schema.json", "the plan for "+file, doc)
		}
		if before != "" {
			if doc := webcap(t, "diff", "--format", "json", before, file); len(doc) > 0 {
				p.check(t, "webcap.diff-1.schema.json", "the comparison of "+before+" and "+file, doc)
			}
		}
		before = file
	}
	p.check(t, "webcap.rewrite-1.schema.json", "a plan with another capture as the original",
		webcap(t, "rewrite", "--format", "json", "--from", files[0], root+"/testdata/capture.pdf"))
	chosen := filepath.Join(t.TempDir(), "chosen.pdf")
	doc, err := webcapturetest.Parse(`names: << /URLS << /Names [ (http://a/) 1 0 R ] >> >>
1 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ ] /SI << /AU (http://b/) >> >>`)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(chosen, doc.Bytes(webcapturetest.Layout{}), 0o666); err != nil {
		t.Fatal(err)
	}
	p.check(t, "webcap.rewrite-1.schema.json", "a plan that the user chose",
		webcap(t, "rewrite", "--format", "json", "--prefer", "sets", chosen))
	p.check(t, "webcap.diff-1.schema.json", "a comparison", webcap(t, "diff", "--format", "json", files[1], files[0]))
}

func checkRewriteJournal(t *testing.T, p *publishedSchemas, files []string) {
	out := filepath.Join(t.TempDir(), "out.pdf")
	p.check(t, "webcap.rewrite-1.schema.json", "a rewrite",
		webcap(t, "rewrite", "--format", "json", "--full", "-o", out, files[1]))
	if err := os.Remove(out); err != nil {
		t.Fatal(err)
	}
	journal := filepath.Join(t.TempDir(), "journal")
	copied := filepath.Join(filepath.Dir(out), "copy.pdf")
	data, err := os.ReadFile(files[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(copied, data, 0o666); err != nil {
		t.Fatal(err)
	}
	webcap(t, "rewrite", "--in-place", copied)
	writePDF(t, filepath.Join(filepath.Dir(out), "stays.pdf"), `names: << /URLS << /Names [ (http://a/) 1 0 R ] >> >>
1 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ ] /SI << /AU (http://b/) >> >>`)
	webcap(t, "rewrite", "--in-place", "--from", root+"/testdata/capture.pdf", filepath.Dir(out), "--journal", journal)
	p.checkLines(t, journal)
	p.check(t, auditSchema, "the journal of a rewrite", webcap(t, "report", "--format", "json", journal))
}

func checkCanon(t *testing.T, p *publishedSchemas, _ []string) {
	urls := []string{"HTTP://H:80/a/../b", "../a", "http://h/%2541", "http://h/a;b?c\xff", "file://localhost/a"}
	for _, option := range []string{"", "--explain"} {
		args := slices.Concat([]string{"canon", "--format", "json"}, strings.Fields(option), urls)
		for l := range bytes.Lines(webcap(t, args...)) {
			p.check(t, "webcap.canon-1.schema.json", option, l)
		}
	}
}

func checkSources(t *testing.T, p *publishedSchemas, _ []string) {
	path := testSource(t)
	for l := range bytes.Lines(webcap(t, "source", "list", "--format", "json", path, filepath.Dir(path))) {
		p.check(t, "webcap.source-list-1.schema.json", string(l), l)
	}
}

// rest validates documents that an audit of the fixtures does not produce.
func rest(t *testing.T, p *publishedSchemas, document, lines string) {
	t.Helper()
	one := audit.Rules()[0]
	rec := &report.Record{
		Path:    "a\xff!b",
		Archive: "a\xff",
		Report: &audit.Report{Facts: webcapture.Facts{Present: true},
			Omitted:    []rule.Omitted{{Rule: one, Count: 1}},
			Identities: []rule.Identity{{Proof: rule.Verified, Where: "w", Reading: "r", Text: "t", URL: "u"}}},
		Ignored: []report.Ignored{{Finding: rule.Finding{Rule: one}, Reason: "because"}},
		Seconds: 0.5,
	}
	late := &report.Record{Path: "b", Err: &report.TimeoutError{Reason: "given up"}}
	head := report.Head{Directory: "sub\xff", Settings: []string{"follow-links"},
		Configuration: []string{"exit-zero by .webcap.yaml"}, Sources: []report.Source{{Name: "s"}}}
	head.Sources[0].Skipped = append(head.Sources[0].Skipped,
		source.Skip{Reason: "r", Count: 1, First: "f", Capped: true})
	write := func(f report.Format) []byte {
		var out bytes.Buffer
		w := f.New(&out, report.Options{Head: head})
		for _, r := range []*report.Record{rec, late} {
			if err := w.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(report.Complete); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	p.check(t, document, "a record", write(report.JSON))
	for l := range bytes.Lines(write(report.NDJSON)) {
		p.check(t, lines, string(l), l)
	}
}

// A schema that accepts anything would pass the test above.
func TestSchemasRefuse(t *testing.T) {
	p := readSchemas(t)
	good, err := os.ReadFile(root + "/testdata/report/report.json")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := os.Open(root + "/testdata/report/report.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	defer lines.Close()
	refused := func(name string, doc map[string]any, strict bool) {
		schema := p.open[name]
		if strict {
			schema = p.strict[name]
		}
		if schema.Validate(doc) == nil {
			t.Errorf("%s takes %v", name, fmt.Sprint(doc)[:80])
		}
	}
	spoil := func(name string, doc map[string]any) {
		for _, member := range slices.Sorted(maps.Keys(doc)) {
			broken := maps.Clone(doc)
			broken[member] = map[string]any{"a": 1.5}
			if member != "type" {
				refused(name, broken, false)
			}
		}
		more := maps.Clone(doc)
		more["new"] = true
		refused(name, more, true)
		if err := p.open[name].Validate(more); err != nil {
			t.Errorf("%s does not take a new member: %v", name, err)
		}
	}
	var doc map[string]any
	if err := json.Unmarshal(good, &doc); err != nil {
		t.Fatal(err)
	}
	spoil("webcap.audit-1.schema.json", doc)
	dec := json.NewDecoder(lines)
	for {
		var line map[string]any
		if err := dec.Decode(&line); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		spoil("webcap.audit-1.ndjson.schema.json", line)
	}
}

// testSource writes a WARC file with all features that are reported.
func testSource(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	record := func(kind, url, fields, block string) {
		fmt.Fprintf(&b, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, url, fields, len(block), block)
	}
	const reply = "Content-Type: application/http\r\n"
	record("response", "http://h/a", reply+"WARC-Payload-Digest: sha1:ONE\r\nWARC-Truncated: length\r\n",
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\nit is not")
	record("response", "http://h/b", reply, "HTTP/1.1 302 Found\r\nLocation: /a\r\n\r\n")
	record("revisit", "http://h/c", "WARC-Payload-Digest: sha1:ONE\r\n", "")
	record("revisit", "http://h/d", "WARC-Payload-Digest: sha1:TWO\r\n", "")
	record("response", "http://h/e", "X: "+strings.Repeat("x", 1<<17)+"\r\n", "")
	record("resource", "http://h/f", "Content-Type: text/plain\r\n", "end")
	record("response", "http://h/g", reply,
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n")
	name := filepath.Join(t.TempDir(), "all.warc")
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}
