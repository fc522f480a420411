package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
)

// asDocument returns a constructor of JSON writers.
func asDocument(h Head) func(io.Writer) Writer {
	return func(w io.Writer) Writer { return newJSON(w, Options{Head: h}) }
}

// rewritten reads results, and returns them as written in a format.
func rewritten(t *testing.T, results []byte, format string) []byte {
	t.Helper()
	var out bytes.Buffer
	f := all[slices.IndexFunc(all, func(f Format) bool { return f.Name == format })]
	render(t, results, func(h Head) Writer { return f.New(&out, Options{Head: h}) })
	return out.Bytes()
}

// both returns the recorded results in both formats.
func both(t *testing.T) map[string][]byte {
	t.Helper()
	return map[string][]byte{"json": recorded(t), "ndjson": rewritten(t, recorded(t), "ndjson")}
}

func TestRoundTrip(t *testing.T) {
	forms := both(t)
	for from, results := range forms {
		for to, want := range forms {
			if got := rewritten(t, results, to); !bytes.Equal(got, want) {
				t.Errorf("%s that was read and written as %s differs:\n%s", from, to, got)
			}
		}
	}
}

// Each part of a record survives in both formats.
func TestRoundTripOfEverything(t *testing.T) {
	one := &rule.Rule{ID: "WC302", Title: "A title.", Problem: "A problem", Clause: "a clause", Level: rule.Warning}
	foreign := &rule.Rule{ID: "WC999", Title: "A rule of another day.", Problem: "A problem of another day",
		Clause: "none", Level: rule.Note}
	head := Head{
		Version: "v1",
		Rules:   []*rule.Rule{one, foreign},
		Sources: []Source{
			{Name: "warc:a", Stats: source.Stats{Files: 1, Kept: 2,
				Skipped: []source.Skip{{Reason: "r", Count: 3, First: "f"}}}},
			{Name: "warc:b"},
		},
	}
	finding := rule.Finding{Rule: one, Place: rule.Place{Part: "SpiderInfo", Page: 3},
		Message: "a \"message\"\u2028 with\x1b all"}
	var want bytes.Buffer
	if err := writeAll(asDocument(head)(&want), []*Record{
		{
			Path: "line\nend \xff.pdf",
			Report: &audit.Report{
				Facts:      webcapture.Facts{Present: true, HasIDS: true, Notices: []string{"n"}},
				Findings:   rule.Findings{finding, rule.Finding{Rule: foreign}},
				Unread:     []rule.Unread{{Place: finding.Place, Err: errors.New("u")}},
				Omitted:    []rule.Omitted{{Rule: one, Count: 5}, {Rule: foreign, Count: 7}},
				Identities: []rule.Identity{{ID: "\x00", URL: "http://a/", Proof: rule.Mismatch, Where: "w", Reason: "r"}},
			},
			Ignored: []Ignored{{finding, "known since long"}},
		},
		{Path: "empty.pdf", Report: &audit.Report{Facts: webcapture.Facts{Present: true}, Identities: []rule.Identity{}}},
		{Path: "none.pdf", Report: &audit.Report{Identities: []rule.Identity{}}},
		{Path: "folder", Err: ErrNoFiles},
		{Path: "", Err: errors.New("two\nlines")},
	}); err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"json", "ndjson"} {
		t.Run(form, func(t *testing.T) {
			if got := rewritten(t, rewritten(t, want.Bytes(), form), "json"); !bytes.Equal(got, want.Bytes()) {
				t.Errorf("through %s:\n%s\nwant\n%s", form, got, want.String())
			}
		})
	}
	if !strings.Contains(want.String(), `"findings":{"error":0,"warning":6,"note":8}`) {
		t.Errorf("what is omitted does not count in:\n%s", want.String())
	}
	if !strings.Contains(want.String(), `"ignored":{"reason":"known since long"}}]}`) {
		t.Errorf("what is ignored is not in:\n%s", want.String())
	}
}

// The members of a record may have any order, and lists for a file that could not be audited are rejected.
func TestMembersInAnyOrder(t *testing.T) {
	const head = `{"schema":"webcap.audit/1","tool":{},"rules":[{"id":"WC303","level":"error","clause":"c","title":"T."}],"inputs":[{`
	const finding = `"findings":[{"rule":"WC303","level":"error","place":{"text":"catalog"},"message":"m"}]`
	_, list, _ := readAll([]byte(head + finding + `,"later":{"a":[1]},"file":{},"outcome":"findings","path":"a.pdf"}]`))
	if len(list) != 1 || list[0].Path != "a.pdf" || list[0].Report == nil || len(list[0].Report.Findings) != 1 {
		t.Errorf("read as %+v", list)
	}
	for _, part := range []string{finding,
		`"identities":[{"place":{"text":"catalog"},"kind":"content set","id":{"hex":"00"},"proof":"verified"}]`} {
		t.Run(part, func(t *testing.T) {
			if _, list, err := readAll([]byte(head + part + `,"outcome":"error","reason":"r","path":"a.pdf"}]`)); !errors.Is(err,
				jsondoc.ErrFormat) {
				t.Errorf("%s without a file: read as %+v, %v", part, list, err)
			}
		})
	}
}

// Older results without problems of rules get the problem of the current rule, or the title.
func TestReaderKnowsProblems(t *testing.T) {
	known, _ := audit.Lookup("WC303")
	head := `{"schema":"webcap.audit/1","tool":{},"rules":[{"id":"WC303","level":"error","clause":"c","title":"Old."},{"id":"WC999","level":"error","clause":"c","title":"Other."}],"inputs":[],"summary":{}}`
	r, err := NewReader(strings.NewReader(head))
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Head().Rules; got[0].Problem != known.Problem || got[1].Problem != "Other." {
		t.Errorf("problems %q and %q, want %q and the title", got[0].Problem, got[1].Problem, known.Problem)
	}
}

// readAll returns the records of results, and the final error.
func readAll(results []byte) (*Reader, []*Record, error) {
	r, err := NewReader(bytes.NewReader(results))
	var list []*Record
	for err == nil {
		var rec *Record
		if rec, err = r.Next(); err == nil {
			list = append(list, rec)
		}
	}
	return r, list, err
}

// Results truncated at any position are never complete.
func TestReaderNoticesTruncation(t *testing.T) {
	for name, whole := range both(t) {
		whole = bytes.TrimRight(whole, "\n")
		for n := 0; n < len(whole); n += 23 {
			if _, _, err := readAll(whole[:n]); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Fatalf("%s: the first %d of %d bytes: %v, want that they end too early", name, n, len(whole), err)
			}
		}
	}
}

// The lines of an interrupted audit are read up to their end.
func TestReaderKeepsWhatIsThere(t *testing.T) {
	whole := both(t)["ndjson"]
	_, all, _ := readAll(whole)
	cut := whole[:bytes.LastIndex(whole, []byte(`{"type":"summary"`))]
	r, list, err := readAll(cut)
	if err != io.ErrUnexpectedEOF || r.End() == Complete || len(list) != len(all) {
		t.Errorf("without a summary: %d records, complete %v, %v; want all %d", len(list), r.End(), err, len(all))
	}
}

// Missing or repeated lines make results incomplete.
func TestReaderCountsLines(t *testing.T) {
	lines := slices.Collect(strings.Lines(string(both(t)["ndjson"])))
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, `{"type":"finding"`) })
	for name, text := range map[string]string{
		"missing": strings.Join(slices.Delete(slices.Clone(lines), at, at+1), ""),
		"twice":   strings.Join(slices.Insert(slices.Clone(lines), at, lines[at]), ""),
	} {
		t.Run(name, func(t *testing.T) {
			if r, _, err := readAll([]byte(text)); err != io.EOF || r.End() == Complete {
				t.Errorf("a line %s: %v, complete %v; want the end, and false", name, err, r.End())
			}
		})
	}
}

func TestReaderIgnoresWhatIsNew(t *testing.T) {
	for _, text := range []string{
		`{"schema":"webcap.audit/1","new":{"a":[1]},"rules":[],"inputs":[{"path":"a","outcome":"error","new":1}],"new":1,
			"summary":{"inputs":1,"outcomes":{"error":1,"new":0},"complete":true},"new":2}`,
		`{"type":"head","schema":"webcap.audit/1","new":1}
			{"type":"new"}

			{"path":"a","outcome":"error","t\u0079pe":"inp\u0075t"}
			{"type":"new","path":"b"}
			{"type":"summary","inputs":1,"outcomes":{"error":1},"complete":true}`,
	} {
		t.Run(text, func(t *testing.T) {
			if r, list, err := readAll([]byte(text)); err != io.EOF || r.End() != Complete || len(list) != 1 {
				t.Errorf("%s\n%d records, %v, want one and the end", text, len(list), err)
			}
		})
	}
}

var where = regexp.MustCompile(`^not the results of webcap audit(|, after reading up to byte [0-9]+|: line [0-9]+ is not (JSON|valid at this place))$`)

func TestReaderRefuses(t *testing.T) {
	const head, lines = `{"schema":"webcap.audit/1","tool":{},"rules":[],"inputs":`,
		`{"type":"head","schema":"webcap.audit/1","rules":[]}`
	for _, text := range []string{
		`[]`, `{}`, `x`, `{"schema":"webcap.audit/2"}`, `{"schema":7}`, `{"tool":{}}`, `{"schema":"webcap.audit/1"}`,
		`{"schema":"webcap.audit/1","tool":{},"rules":[{"level":"bad"}],"inputs":[]}`,
		head + `[{"path":"a","outcome":"clean"}],"summary":{}}`,
		head + `[{"path":"a","outcome":"findings","file":{},"findings":[{"rule":"WC1"}]}],"summary":{}}`,
		head + `[{"path":"a","pathHex":"x","outcome":"error"}],"summary":{}}`,
		head + `[7],"summary":{}}`,
		head + `[]}`,
		head + `[],"summary":{"complete":true}} {}`,
		`{"schema" "webcap.audit/1"}`,
		head + `7}`, head + `{}}`,
		head + `[],x}`, head + `[],"summary":7}`, head + `[],"other":x,"summary":{}}`, head + `[],"summary":{}]`, head +
			`[]]`,
		lines + `{"type":7}`, lines + `{"type":"input","path":7}`, lines + `{"type":"summary","inputs":"all"}`,
		`{"type":"input"}`, `{"type":"finding","schema":"webcap.audit/1","rules":[]}`,
		`{"tool":"webcap.audit/1","rules":[],"inputs":[]}`, `{"type":"head","tool":"webcap.audit/1"}`,
		lines + `7`,
		lines + `{"type":"input","path":"a","outcome":"clean"}`,
		lines + `{"type":"finding","path":"a"}`,
		lines + `{"type":"input","path":"a","outcome":"clean","file":{}}{"type":"finding","path":"b","rule":"WC1"}`,
		lines + `{"type":"input","path":"a","outcome":"clean","file":{}}{"type":"finding","path":"a","rule":"WC1"}`,
		lines + `{"type":"input","path":"a","outcome":"clean","file":{}}{"type":"identity","path":"a","proof":"no"}`,
		lines + `{"type":"input","path":"a","outcome":"clean","file":{}}{"type":"identity","path":"a","proof":"verified","id":{"hex":"x"}}`,
		lines + `{"type":"input","path":"a","outcome":"clean","file":{}}{"type":"identity","path":"a","proof":"verified","id":{},"url":{"hex":"x"}}`,
		lines + `{"type":"input","path":"a","outcome":"clean","file":{}}{"type":"identity","path":"a","proof":"verified","place":{"key":{"hex":"x"}}}`,
		lines + `{"type":"input","path":"a","outcome":"clean","file":{}}{"type":"ignored","path":"a","rule":"WC1"}`,
		lines + `{"type":"summary","complete":true}{"type":"input","path":"a","outcome":"error"}`,
	} {
		t.Run(text, func(t *testing.T) {
			_, records, err := readAll([]byte(strings.ReplaceAll(text, `}{"type"`, "}\n{\"type\"")))
			if slices.Contains(records, nil) {
				t.Errorf("%s: a record that is neither there nor an error", text)
			}
			if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s is read to its end: %v", text, err)
			}
			if said := err.Error(); !where.MatchString(said) && !strings.Contains(said, "results in the format ") {
				t.Errorf("%s: the error does not say what is wrong, and where: %v", text, err)
			}
		})
	}
}

// For another kind of file, the error has no position.
func TestReaderOfOtherFiles(t *testing.T) {
	for _, text := range []string{"%PDF-1.4\n", "Rule,Level\n", "PK\x03\x04", "\x00"} {
		t.Run(text, func(t *testing.T) {
			if _, err := NewReader(strings.NewReader(text)); err == nil || err.Error() != "not the results of webcap audit" {
				t.Errorf("%q: %v", text, err)
			}
		})
	}
}

// The error about a damaged line has its number.
func TestReaderTellsTheLine(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(golden, "report.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	for i := 1; i < len(lines)-2; i++ { // without the head, the summary, and the empty text after the last line
		line := lines[i]
		for damaged, reason := range map[string]string{
			"x" + string(line[1:]):            "is not JSON",
			string(line[:len(line)/2]) + "\n": "is not JSON",
			"7\n":                             "is not valid at this place",
		} {
			all := slices.Clone(lines)
			all[i] = []byte(damaged)
			_, _, err := readAll(bytes.Join(all, nil))
			l, ok := errors.AsType[*LineError](err)
			if !ok || l.Line != i+1 || l.Reason != reason {
				t.Errorf("line %d is %.30q: %v", i+1, damaged, err)
			}
		}
	}
}

// A read error is not reported as a problem of the results.
func TestReaderReturnsTheErrorOfTheSource(t *testing.T) {
	for name, whole := range both(t) {
		for n := 0; n < len(whole); n += 101 {
			r, err := NewReader(io.MultiReader(bytes.NewReader(whole[:n]), broken{}))
			for err == nil {
				_, err = r.Next()
			}
			if !errors.Is(err, errFull) {
				t.Fatalf("%s, broken after %d bytes: %v", name, n, err)
			}
		}
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errFull }

// A rule of this version gets its explanation; an unknown rule is kept.
func TestReaderCompletesRules(t *testing.T) {
	r, err := NewReader(strings.NewReader(`{"schema":"webcap.audit/1","rules":[
		{"id":"WC204","level":"note","clause":"c","title":"t"},
		{"id":"WC999","level":"error","clause":"c","title":"t"}],"inputs":[`))
	if err != nil {
		t.Fatal(err)
	}
	known, _ := audit.Lookup("WC204")
	rules := r.Head().Rules
	if len(rules) != 2 || rules[0].Doc != known.Doc || rules[0].Level != rule.Note || rules[0].Title != "t" ||
		rules[1].ID != "WC999" || rules[1].Doc != "" {
		t.Errorf("rules %+v", rules)
	}
}

// Joined results have the rules of the first, and need the same version, rules, and sources.
func TestJoin(t *testing.T) {
	open := func(version, rules, sources string) *Reader {
		r, err := NewReader(strings.NewReader(`{"type":"head","schema":"webcap.audit/1","tool":{"version":"` + version + `"},"sources":[` + sources + `],"rules":[` + rules + `]}
			{"type":"input","path":"a","outcome":"findings","file":{},"database":{}}
			{"type":"finding","path":"a","rule":"WC2","message":"m"}`))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	const one, two, src = `{"id":"WC1","level":"note"}`, `{"id":"WC2","level":"error"}`, `{"name":"s","files":1}`
	first, second := open("v1", two, src), open("v1", two, src)
	h, err := Join([]string{"a", "b"}, []*Reader{first, second})
	if err != nil || len(h.Sources) != 1 || len(h.Rules) != 1 {
		t.Errorf("Join = %+v, %v", h, err)
	}
	if rec, err := second.Next(); err != nil || rec.Report.Findings[0].Rule != h.Rules[0] {
		t.Errorf("%v, %v: the finding is not by the rule of the head", rec, err)
	}
	for want, other := range map[string]*Reader{
		"another version of webcap, v2 instead of v1": open("v2", two, src),
		"the rule WC1 (note)":                         open("v1", two+","+one, src),
		"no source s with 1 file and 0 replies":       open("v1", two, ""),
	} {
		_, err := Join([]string{"a", "b"}, []*Reader{first, other})
		if err == nil || !strings.HasSuffix(err.Error(), ": b has "+want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// For any bytes, reading ends, and the records can be written in each format, in NDJSON without loss.
func FuzzReader(f *testing.F) {
	for _, name := range []string{"report.json", "report.ndjson"} {
		b, err := os.ReadFile(filepath.Join(golden, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"schema":"webcap.audit/1","tool":{},"rules":[],"inputs":[],"summary":{"complete":true}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, list, _ := readAll(b)
		if r == nil {
			return
		}
		write := func(format Format, head Head, list []*Record, end End) []byte {
			var out bytes.Buffer
			w := format.New(&out, Options{Head: head, Width: 60})
			for _, rec := range list {
				if err := w.Add(rec); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(end); err != nil {
				t.Fatal(err)
			}
			return out.Bytes()
		}
		written := map[string][]byte{}
		for _, format := range all {
			written[format.Name] = write(format, r.Head(), list, r.End())
		}
		r, list, err := readAll(written["ndjson"])
		if err != io.EOF {
			t.Fatalf("what was written cannot be read: %v\n%s", err, written["ndjson"])
		}
		if got, want := write(JSON, r.Head(), list, r.End()), written["json"]; !bytes.Equal(got, want) {
			t.Fatalf("by way of lines:\n%s\nwant\n%s", got, want)
		}
	})
}

// Text and folders that are not UTF-8 survive a round trip: each format gives the same output.
func TestRoundTripOfAnyBytes(t *testing.T) {
	const x = "latin-1 \xe4\xff\uFFFD\n\x1b\u202e`|<b>"
	one := audit.Rules()[0]
	finding := rule.Finding{Rule: one, Place: rule.Place{Part: "SpiderInfo"}, Message: x}
	rec := &Record{
		Path: x,
		Report: &audit.Report{
			Facts: webcapture.Facts{Present: true, Notices: []string{x}}, Findings: rule.Findings{finding},
			Unread:     []rule.Unread{{Err: errors.New(x)}},
			Identities: []rule.Identity{{Proof: rule.Mismatch, Where: x, Reading: x, Reason: x, Text: x}},
		},
		Ignored: []Ignored{{finding, x}},
	}
	head := Head{
		Directory: x, Rules: []*rule.Rule{one},
		Sources: []Source{
			{Name: x, Stats: source.Stats{Skipped: []source.Skip{{Reason: x, Count: 1, First: x}}}},
			{Name: x},
		},
	}
	direct := map[string]string{}
	for _, f := range all {
		var out bytes.Buffer
		if err := writeAll(f.New(&out, Options{Head: head}), []*Record{rec}); err != nil {
			t.Fatal(err)
		}
		direct[f.Name] = out.String()
	}
	for _, from := range []string{"json", "ndjson"} {
		t.Run(from, func(t *testing.T) {
			for _, f := range all {
				if got := string(rewritten(t, []byte(direct[from]), f.Name)); got != direct[f.Name] {
					t.Errorf("%s of %s is\n%s\nwant\n%s", f.Name, from, got, direct[f.Name])
				}
			}
		})
	}
}

// A Reader returns the folder to which paths are relative.
func TestReaderKeepsDirectory(t *testing.T) {
	for _, format := range []string{"json", "ndjson"} {
		t.Run(format, func(t *testing.T) {
			r, err := NewReader(strings.NewReader(resultsIn(t, format, Options{Head: Head{Directory: "sub/folder"}}, Complete)))
			if err != nil || r.Head().Directory != "sub/folder" {
				t.Errorf("%s: the directory is %q, %v", format, r.Head().Directory, err)
			}
		})
	}
}

// Results in another version of the format are rejected, even if they look valid.
func TestReaderRefusesOtherVersions(t *testing.T) {
	for _, text := range []string{
		`{"schema":"webcap.audit/2","tool":{},"rules":[],"inputs":[],"summary":{"complete":true}}`,
		`{"type":"head","schema":"webcap.audit/2","rules":[]}`,
	} {
		t.Run(text, func(t *testing.T) {
			if _, err := NewReader(strings.NewReader(text)); err == nil ||
				!strings.Contains(err.Error(), `results in the format "webcap.audit/2"`) {
				t.Errorf("%s: %v", text, err)
			}
		})
	}
}

// Joined results from different folders have paths that begin with the folder.
func TestJoinOfSeveralFolders(t *testing.T) {
	open := func(directory string) *Reader {
		o := Options{Head: Head{Directory: directory}}
		r, err := NewReader(strings.NewReader(resultsIn(t, "ndjson", o, Complete,
			&Record{Path: "a.pdf", Err: errors.New("gone")})))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, row := range []struct{ folders, paths, directory string }{
		{"sub sub", "a.pdf a.pdf", "sub"},
		{"sub other", "sub/a.pdf other/a.pdf", ""},
	} {
		t.Run(row.folders, func(t *testing.T) {
			var readers []*Reader
			for _, folder := range strings.Fields(row.folders) {
				readers = append(readers, open(folder))
			}
			h, err := Join(make([]string, len(readers)), readers)
			if err != nil || h.Directory != row.directory {
				t.Errorf("%s: the directory is %q, %v", row.folders, h.Directory, err)
			}
			for i, want := range strings.Fields(row.paths) {
				if rec, err := readers[i].Next(); err != nil || rec.Path != want {
					t.Errorf("%s: the path is %q, want %q, %v", row.folders, rec.Path, want, err)
				}
			}
		})
	}
}

// The size of a record is limited, but not the number of records of that size.
func TestReaderBoundsRecords(t *testing.T) {
	for i, format := range []func(Head) func(io.Writer) Writer{asDocument, func(h Head) func(io.Writer) Writer {
		return func(w io.Writer) Writer { return newNDJSON(w, Options{Head: h}) }
	}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var b bytes.Buffer
			w := format(Head{})(&b)
			for range 50 {
				if err := w.Add(&Record{Path: strings.Repeat("x", 200_000), Err: errors.New("broken")}); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(Complete); err != nil {
				t.Fatal(err)
			}
			for most, want := range map[int64]int{500_000: 50, 150_000: 0} {
				n := 0
				r, err := newReader(bytes.NewReader(b.Bytes()), most)
				for err == nil {
					if _, err = r.Next(); err == nil {
						n++
					}
				}
				if n != want || (err == io.EOF) != (want > 0) ||
					want == 0 && !strings.Contains(err.Error(), "a record of more than 150000 bytes") {
					t.Errorf("records of at most %d bytes: %d are read, %v", most, n, err)
				}
			}
		})
	}
}
