package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"net/url"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// sarifSchemas are the schema of OASIS, and ours, which has the requirements of GitHub and only members that we
// write.
var sarifSchemas = sync.OnceValues(func() (list []*jsonschema.Schema, err error) {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	oasis, err := oasisSchema()
	if err != nil {
		return nil, err
	}
	const url = "https://schema.test/sarif-schema-2.1.0.json"
	if err := c.AddResource(url, oasis); err != nil {
		return nil, err
	}
	for _, name := range []string{url, filepath.Join(golden, "schemas", "sarif-github.schema.json")} {
		s, err := c.Compile(name)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
})

// oasisSchema returns the schema of the standard, a constant of the module go-sarif.
func oasisSchema() (any, error) {
	of := reflect.TypeFor[sarif.Run]().PkgPath()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", of).Output()
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		return nil, err
	}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.CONST {
			text, err := strconv.Unquote(d.Specs[0].(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value)
			if err != nil {
				return nil, err
			}
			return jsonschema.UnmarshalJSON(strings.NewReader(text))
		}
	}
	return nil, errors.New("there is no schema in go-sarif")
}

// validSARIF reports the errors of schemas about a document.
func validSARIF(t *testing.T, doc string) error {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(doc))
	if err != nil {
		return err
	}
	schemas, err := sarifSchemas()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range schemas {
		if err := s.Validate(value); err != nil {
			return err
		}
	}
	return nil
}

func sarifOf(t testing.TB, o Options, end End, records ...*Record) string {
	t.Helper()
	return resultsIn(t, "sarif", o, end, records...)
}

func TestSARIFIsValid(t *testing.T) {
	o, records := allRecords(t)
	docs := map[string]string{
		"nothing":  sarifOf(t, Options{}, Interrupted),
		"recorded": sarifOf(t, o, Complete, records...),
		"no base":  sarifOf(t, Options{Head: o.Head}, Complete, records...),
		"all rules": sarifOf(t, Options{Head: Head{Version: "v1.2.3", Rules: audit.Rules()}, Base: `C:\site`}, Complete,
			&Record{Path: `..\a b\c.pdf`, Report: records[1].Report}),
	}
	for _, s := range hostile {
		docs[s] = sarifOf(t, o, Complete, hostileRecords(s)...)
	}
	for name, doc := range docs {
		t.Run(name, func(t *testing.T) {
			if err := validSARIF(t, doc); err != nil {
				t.Errorf("%.80q: %v", name, err)
			}
		})
	}
}

// The schema rejects documents that GitHub rejects.
func TestSARIFSchemaRefuses(t *testing.T) {
	o, records := allRecords(t)
	whole := sarifOf(t, o, Complete, records...)
	for _, change := range [][2]string{
		{`"version":"2.1.0"`, `"version":"2.0.0"`},
		{`"results":[`, `"results":null,"x":[`},
		{`"startLine":1`, `"startLine":0`},
		{`"uri":"archive/broken.pdf"`, `"uri":"../broken.pdf"`},
		{`"uri":"archive/broken.pdf"`, `"uri":"a b.pdf"`},
		{`"primaryLocationLineHash"`, `"hash"`},
		{`"kind":"external"`, `"kind":"other"`},
		{`"level":"error"`, `"level":"fatal"`},
		{`"executionSuccessful":false,`, ``},
	} {
		t.Run(change[0], func(t *testing.T) {
			broken := strings.Replace(whole, change[0], change[1], 1)
			if broken == whole {
				t.Errorf("%s is not in the output", change[0])
			}
			if validSARIF(t, broken) == nil {
				t.Errorf("with %s instead of %s it is valid", change[1], change[0])
			}
		})
	}
}

// A sarifLog has the fields of SARIF that tests read.
type sarifLog struct {
	Runs []struct {
		Tool struct {
			Driver struct{ Rules []struct{ ID string } }
		}
		Results []struct {
			RuleID              string
			Level               string
			Message             struct{ Text string }
			PartialFingerprints map[string]string
			Suppressions        []struct{ Kind, Justification string }
			Locations           []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI, URIBaseID string }
				}
			}
		}
		Invocations []struct {
			ExecutionSuccessful        bool
			ToolExecutionNotifications []struct {
				Level      string
				Message    struct{ Text string }
				Descriptor struct{ ID string }
			}
		}
	}
}

func readSARIF(t testing.TB, doc string) sarifLog {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal([]byte(doc), &log); err != nil {
		t.Fatal(err)
	}
	return log
}

// SARIF has the findings of the records, with the same fingerprints.
func TestSARIFHasEveryFinding(t *testing.T) {
	o, records := allRecords(t)
	run := readSARIF(t, sarifOf(t, o, Complete, records...)).Runs[0]
	type found struct {
		rule.Finding
		fingerprint string
		ignored     bool
	}
	var all []found
	for _, r := range records {
		names, ignored := fingerprints(r, FingerprintPath(r.Path, o.Base, ""))
		if r.Report == nil {
			continue
		}
		for i, f := range r.Report.Findings {
			all = append(all, found{f, names[i], false})
		}
		for i := range r.Ignored {
			all = append(all, found{r.Ignored[i].Finding, ignored[i], true})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { // the highest level first, and ignored findings last
		if a.ignored != b.ignored {
			return oneIf(a.ignored) - oneIf(b.ignored)
		}
		return int(b.Level()) - int(a.Level())
	})
	if len(all) != len(run.Results) {
		t.Fatalf("%d results, want %d", len(run.Results), len(all))
	}
	for i, f := range all {
		got := run.Results[i]
		if got.RuleID != f.Rule.ID || got.Level != f.Level().String() ||
			got.PartialFingerprints["primaryLocationLineHash"] != f.fingerprint {
			t.Errorf("result %v, want %v with fingerprint %s", got, f.Finding, f.fingerprint)
		}
		if f.ignored != (len(got.Suppressions) == 1) {
			t.Errorf("%v: suppressions %v", f.Finding, got.Suppressions)
		}
	}
	if run.Invocations[0].ExecutionSuccessful {
		t.Error("the execution is called successful, though inputs could not be read")
	}
	o.Sources = nil // one of them could not be read
	if clean := readSARIF(t, sarifOf(t, o, Complete, records[0])).Runs[0]; !clean.Invocations[0].ExecutionSuccessful {
		t.Error("the execution is not called successful, though there is nothing to mind")
	}
}

// Errors come first in any order of input, then warnings, and ignored findings last; the number of omitted ones is
// reported for each.
func TestSARIFKeepsTheWorst(t *testing.T) {
	note, warning := &rule.Rule{ID: "WC103", Level: rule.Note}, &rule.Rule{ID: "WC202", Level: rule.Warning}
	notes, mixed := manyFindings(5)[0], manyFindings(4)[0]
	change(notes, 5, func(f *rule.Finding) { f.Rule = note })
	change(mixed, 2, func(f *rule.Finding) { f.Rule = warning })
	mixed.Ignored = []Ignored{{mixed.Report.Findings[3], "known"}}
	for _, tt := range []struct {
		max          int
		levels, left string
	}{
		{1, "error ", "9 results and 0 notifications"},
		{3, "error error warning ", "7 results and 0 notifications"},
		{6, "error error warning warning note note ", "4 results and 0 notifications"},
		{9, "error error warning warning note note note note note ", "1 result and 0 notifications"},
		{10, "error error warning warning note note note note note error ", ""},
	} {
		t.Run(fmt.Sprint(tt.max), func(t *testing.T) {
			var out strings.Builder
			w := newSARIF(&out, Options{})
			w.max = tt.max
			if err := writeAll(w, []*Record{notes, mixed}); err != nil {
				t.Fatal(err)
			}
			run := readSARIF(t, out.String()).Runs[0]
			levels := ""
			for _, r := range run.Results {
				levels += r.Level + " "
			}
			if levels != tt.levels {
				t.Errorf("of at most %d results: %s, want %s", tt.max, levels, tt.levels)
			}
			left := ""
			for _, n := range run.Invocations[0].ToolExecutionNotifications {
				if what, ok := strings.CutPrefix(n.Message.Text, "omitted, because GitHub accepts at most 25000 results: "); ok {
					left += what
				}
			}
			if left != tt.left {
				t.Errorf("of at most %d results %q are left out, want %q", tt.max, left, tt.left)
			}
		})
	}
}

// Results beyond the cap are counted.
func TestSARIFIsCapped(t *testing.T) {
	rec := manyFindings(10)[0]
	note := &rule.Rule{ID: "WC103", Title: "A note.", Level: rule.Note}
	change(rec, 6, func(f *rule.Finding) { f.Rule = note })
	rec.Ignored = []Ignored{{rec.Report.Findings[0], "known"}}
	for range 12 {
		rec.Report.Unread = append(rec.Report.Unread, rule.Unread{Err: errors.New("gone")})
	}
	var out strings.Builder
	w := newSARIF(&out, Options{})
	w.max = 7
	if err := writeAll(w, []*Record{rec, rec}); err != nil {
		t.Fatal(err)
	}
	run := readSARIF(t, out.String()).Runs[0]
	if len(run.Results) != 7 {
		t.Errorf("%d results, want 7", len(run.Results))
	}
	said := ""
	for _, n := range run.Invocations[0].ToolExecutionNotifications[7:] {
		said += n.Message.Text + "\n"
	}
	for _, want := range []string{": 15 results and 17 notifications\n", "2 files"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(said, want) {
				t.Errorf("%q is not in\n%s", want, said)
			}
		})
	}
}

func TestFileURI(t *testing.T) {
	for _, tt := range []struct{ path, base, uri, root string }{
		{"a/b.pdf", "/srv", "a/b.pdf", sourceRoot},
		{"./a b/ü%.pdf", "/srv", "a%20b/%C3%BC%25.pdf", sourceRoot},
		{"c:d?e#f.pdf", "/srv", "c%3Ad%3Fe%23f.pdf", sourceRoot},
		{"\xff\n.pdf", "", "%FF%0A.pdf", sourceRoot},
		{"AZaz09-._~/[]{}@:.pdf", "/srv", "AZaz09-._~/%5B%5D%7B%7D%40%3A.pdf", sourceRoot},
		{"../x.pdf", "/srv/a", "file:///srv/x.pdf", ""},
		{`D:\a b\c.pdf`, `C:\srv`, "file:///D:/a%20b/c.pdf", ""},
		{`\\host\share\c.pdf`, `C:\srv`, "file://host/share/c.pdf", ""},
		{"\\\\ho\x00st\\c.pdf", "", "file:////ho%00st/c.pdf", ""},
		{`C:\`, "", "file:///C:/", ""},
		{`a\c.pdf`, `C:\srv`, "a/c.pdf", sourceRoot},
	} {
		t.Run(tt.path, func(t *testing.T) {
			if got := fileURI(tt.path, tt.base); got != (sarifFile{tt.uri, tt.root}) {
				t.Errorf("fileURI(%q, %q) = %v, want %s below %q", tt.path, tt.base, got, tt.uri, tt.root)
			}
		})
	}
}

// Any path has one URI, which leads back to it.
func FuzzFileURI(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, "/srv")
		f.Add(s, "")
	}
	f.Fuzz(func(t *testing.T, name, base string) {
		if base != "" && !path.IsAbs(base) {
			return
		}
		got := fileURI(name, base)
		u, err := url.Parse(got.URI)
		if err != nil {
			t.Fatalf("fileURI(%q, %q) = %v: %v", name, base, got, err)
		}
		seen, ok := Relative(name, base)
		if ok != (got.Base == sourceRoot) || ok && (u.Path != seen || u.Scheme != "" || strings.HasPrefix(seen, "/")) ||
			!ok && u.Scheme != "file" {
			t.Errorf("fileURI(%q, %q) = %v, seen %q", name, base, got, seen)
		}
		for _, s := range strings.Split(seen, "/") {
			if s == ".." {
				t.Errorf("Below(%q, %q) = %q", name, base, seen)
			}
		}
	})
}

func TestSARIFMessagesHaveNoLinks(t *testing.T) {
	if got, want := sarifMessage("key ([a](http://evil.example/)) [x]").Text,
		`key ([a\](http://evil.example/)) [x]`; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
}

// BenchmarkSARIF writes a million findings without the cap, in records of a thousand.
func BenchmarkSARIF(b *testing.B) {
	const records, each = 1000, 1000
	rep := &audit.Report{Facts: webcapture.Facts{Present: true}}
	rules := audit.Rules()
	for i := range each {
		key := nametree.Key(fmt.Sprintf("http://www.example.com/path/%d", i))
		rep.Findings = append(rep.Findings, rule.Finding{
			Rule:    rules[i%len(rules)],
			Place:   rule.Place{Tree: "URLS", Node: &rule.NodePlace{Index: i}, Key: key},
			Message: fmt.Sprintf("key %v is not canonical: step c would lower-case the scheme", key),
			Fix:     &rule.Fix{Action: rule.ChangeKey},
		})
	}
	b.ReportAllocs()
	heap := uint64(0)
	for b.Loop() {
		w := newSARIF(io.Discard, Options{Head: Head{Rules: rules}})
		w.max = records * each
		for i := range records {
			if err := w.Add(&Record{Path: fmt.Sprintf("site/%d.pdf", i), Report: rep}); err != nil {
				b.Fatal(err)
			}
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		heap = max(heap, m.HeapAlloc)
		if err := w.Close(Complete); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*records*each/b.Elapsed().Seconds(), "findings/s")
	b.ReportMetric(float64(heap)/(1<<20), "MB-heap")
}

// The driver explains the rules that this version of webcap has.
func TestSARIFExplainsRules(t *testing.T) {
	for i, row := range []struct{ rule, want *rule.Rule }{
		{&rule.Rule{ID: "WC302", Title: "A title.", Doc: "Its own words.", Repair: "Its own repair."},
			&rule.Rule{Doc: "Its own words.", Repair: "Its own repair."}},
		{&rule.Rule{ID: "WC999", Problem: "A problem"}, &rule.Rule{Doc: "A problem"}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got := sarifRuleOf(row.rule)
			if got.Full.Text != row.want.Doc || strings.Contains(got.Help.Text,
				"Repair: "+row.want.Repair) != (row.want.Repair != "") {
				t.Errorf("%s is explained by %q, %q", row.rule.ID, got.Full.Text, got.Help.Text)
			}
		})
	}
}

// A write error at any position is returned, also for results beyond the cap.
func TestSARIFReturnsWriteErrorsWhereItIsCapped(t *testing.T) {
	for i, one := range []*rule.Rule{{ID: "WC302", Level: rule.Error}, {ID: "WC103", Level: rule.Note}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			rec := manyFindings(1000)[0]
			change(rec, 1000, func(f *rule.Finding) { f.Rule = one })
			for n := 1; ; n++ {
				disk := &flaky{fails: n}
				w := newSARIF(disk, Options{})
				w.max = 900
				err := writeAll(w, []*Record{rec})
				if disk.writes < n {
					break
				}
				if !errors.Is(err, errFull) {
					t.Errorf("%v: write %d fails, and the error is %v", one.Level, n, err)
				}
			}
		})
	}
}
