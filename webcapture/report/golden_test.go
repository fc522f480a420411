package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout/layouttest"
)

// The formats for other programs are tested together, with golden files of the same records. These formats have
// their own tests and golden files.
var apart = []string{"table", "json", "ndjson", "html"}

func forPrograms() []Format {
	return slices.DeleteFunc(slices.Clone(all), func(f Format) bool { return slices.Contains(apart, f.Name) })
}

// rendered returns the output of a format for records.
func rendered(t testing.TB, f Format, o Options, end End, records ...*Record) string {
	t.Helper()
	var out bytes.Buffer
	w := f.New(&out, o)
	for _, r := range records {
		if err := w.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(end); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// resultsIn returns the results in a format.
func resultsIn(t testing.TB, format string, o Options, end End, records ...*Record) string {
	t.Helper()
	i := slices.IndexFunc(all, func(f Format) bool { return f.Name == format })
	if i < 0 {
		t.Fatalf("there is no format %s", format)
	}
	return rendered(t, all[i], o, end, records...)
}

// goldenFile returns the file of testdata/report for an output: a prefix, the name of the output, and an optional
// extension.
func goldenFile(t *testing.T, begin, output string) string {
	t.Helper()
	name := filepath.Join(golden, begin+strings.ReplaceAll(output, " ", "."))
	found, err := filepath.Glob(name + ".*")
	if err != nil {
		t.Fatal(err)
	}
	if len(found) > 1 {
		t.Fatalf("more than one file shows %s: %q", output, found)
	}
	return append(found, name)[0]
}

// allRecords returns the recorded results, and one more record with features that they lack.
func allRecords(t testing.TB) (Options, []*Record) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(golden, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	var records []*Record
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, rec)
	}
	o := Options{Head: r.Head(), Base: "/srv/site", Time: day}
	o.Configuration = []string{"3 rules disabled by .webcap.yaml"}
	return o, append(records, provenRecord(o.Rules[0]))
}

// provenRecord returns a record with keys, identifiers, all kinds of identities, and an ignored finding, below
// /srv/site.
func provenRecord(one *rule.Rule) *Record {
	id := "\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"
	set := func(n uint32) rule.Place { return rule.Place{Set: object.Ref{Num: n}, ID: "0123456789abcdef"} }
	pair := rule.Place{Tree: "IDS", Node: &rule.NodePlace{Ref: object.Ref{Num: 8}, Index: 2}, Key: "0123456789abcdef"}
	return &Record{
		Path: "/srv/site/sub folder/proven 100%.pdf",
		Report: &audit.Report{
			Facts:  webcapture.Facts{Present: true, HasURLS: true, HasIDS: true, URLS: 3, IDS: 3},
			Counts: audit.Counts{PageSets: 2, ImageSets: 1},
			Findings: rule.Findings{
				rule.Finding{Rule: one, Place: pair, Message: "something is wrong",
					Fix: &rule.Fix{Action: rule.RemoveEntry, Old: pair.Key}},
				rule.Finding{Rule: one, Place: set(5), Message: "something is wrong"},
				rule.Finding{Rule: one, Place: set(5), Message: "something else is wrong"},
			},
			Identities: []rule.Identity{
				{Place: set(5), Subtype: webcapture.PageSet, ID: "0123456789abcdef", URL: "http://a.example/",
					Proof: rule.Verified, Where: "a.warc, record 3", Reading: "the file itself", Text: "as UTF-8"},
				{Place: set(6), Subtype: webcapture.ImageSet, ID: "0123456789abcdef", URL: "http://a.example/i",
					Proof: rule.Mismatch, Where: "a.warc, record 4", Reason: "the MD5 of the source is <00>"},
				{Place: set(7), Subtype: webcapture.PageSet, ID: nametree.Key(id), Proof: rule.NotCheckable,
					Reason: "no source has the URL"},
			},
		},
		Ignored: []Ignored{{rule.Finding{Rule: one, Place: set(7), Message: "accepted"}, "agreed, until 2030"}},
	}
}

// Results of each format describe the effect of the configuration, and list ignored findings.
func TestConfigurationIsSaid(t *testing.T) {
	o, records := allRecords(t)
	for _, f := range all {
		t.Run(f.Name, func(t *testing.T) {
			for _, want := range map[bool][]string{
				false: {"3 rules disabled by .webcap.yaml, 1 finding ignored"},
				true:  {`"configuration":["3 rules disabled by .webcap.yaml"]`, `"ignored":1`},
			}[f.Name == "json" || f.Name == "ndjson"] {
				out := rendered(t, f, o, Complete, records...)
				if !strings.Contains(strings.NewReplacer("\n", " ", `\.`, ".").Replace(out), want) {
					t.Errorf("%s does not say %q", f.Name, want)
				}
			}
		})
	}
}

func TestFormatsGolden(t *testing.T) {
	o, records := allRecords(t)
	for _, f := range forPrograms() {
		layouttest.Golden(t, goldenFile(t, "report.", f.Name), rendered(t, f, o, Complete, records...))
		// Output without inputs is also valid for the next program.
		layouttest.Golden(t, goldenFile(t, "empty.", f.Name), rendered(t, f, Options{}, Complete))
	}
}

// Each format includes for each input its outcome, and if present: findings, ignored findings, identities, unread
// parts, and that the results are incomplete.
func TestFormatsSayAll(t *testing.T) {
	one := &rule.Rule{ID: "WC302", Title: "A title.", Level: rule.Warning}
	records := []*Record{
		provenRecord(one),
		{Path: "gone.pdf", Err: errors.New("it is gone")},
		{Path: "part.pdf", Report: &audit.Report{Facts: webcapture.Facts{Present: true},
			Unread: []rule.Unread{{Place: rule.Place{Tree: "URLS"}, Err: errors.New("it is torn")}}}},
	}
	for _, f := range forPrograms() {
		out := rendered(t, f, Options{Head: Head{Rules: []*rule.Rule{one}}, Base: "/srv/site"}, Interrupted, records...)
		for _, want := range []string{
			"something is wrong", "something else is wrong", "ignored", "1 differs", "it is gone", "it is torn", "interrupted",
		} {
			if f.Name == "sarif" && want == "ignored" {
				want = `"suppressions":[{"kind":"external","justification":"agreed, until 2030"}]`
			}
			if !strings.Contains(out, want) {
				t.Errorf("%s does not say %q:\n%s", f.Name, want, out)
			}
		}
		if complete := rendered(t, f, Options{}, Complete, records...); strings.Contains(complete, "interrupted") {
			t.Errorf("%s says of complete results that the audit was interrupted", f.Name)
		}
	}
}

// hostile lists texts for names. Some have characters with a special meaning in an output format; others are empty,
// very long, or not UTF-8.
var hostile = []string{
	"a\x00\x01\x1b[31m\x7f", "\xff\xfe\xc0\xaf", "a\r\nb\u2028c\u0085", "\u202eevil", "\ufffe\ufffd\U0001ffff",
	"`code` | cell <script>alert(1)</script> [link](http://evil.example/) ![i](x) http://evil.example www.evil.example a@evil.example",
	"::error::x", "##[add-mask]x", "%0A::set-output name=a::b", "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1", "\"',;\n=2",
	"]]><x/>&amp;<!--", "{0} {{", "../../etc/passwd", "/", "", ".", "http://evil.example/", "C:\\x", "\\\\host\\x",
	strings.Repeat("long ", 3000),
}

// hostileRecords returns records with s in all places that quote a file or its name.
func hostileRecords(s string) []*Record {
	one := &rule.Rule{ID: "WC302", Title: "A title.", Level: rule.Error}
	foreign := &rule.Rule{ID: s, Title: s, Problem: s, Level: rule.Note}
	at := rule.Place{Part: s, Key: nametree.Key(s), ID: nametree.Key(s)}
	findings := []rule.Finding{{Rule: one, Place: at, Message: s}, {Rule: foreign, Place: at, Message: "key (x) " + s}}
	return []*Record{
		{Path: s, Report: &audit.Report{
			Facts:    webcapture.Facts{Present: true, WithoutXRef: true, Notices: []string{s}},
			Findings: rule.Findings(findings),
			Unread:   []rule.Unread{{Place: at, Err: errors.New(s)}},
			Identities: []rule.Identity{{Place: at, ID: nametree.Key(s), URL: nametree.Key(s), Where: s, Reading: s, Reason: s,
				Text:  s,
				Proof: rule.Mismatch}},
		}, Ignored: []Ignored{{findings[0], s}}},
		{Path: s, Err: errors.New(s)},
	}
}

// fuzzHostile calls check with text that a file may have in a name.
func fuzzHostile(f *testing.F, check func(t *testing.T, s string)) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(check)
}

// For any bytes, the output is text; other tests parse it.
func FuzzFormats(f *testing.F) {
	fuzzHostile(f, func(t *testing.T, s string) {
		for _, f := range forPrograms() {
			out := rendered(t, f, Options{Head: Head{Version: s, Configuration: []string{s}}, Base: "/srv"}, Complete,
				hostileRecords(s)...)
			if !utf8.ValidString(out) {
				t.Errorf("%s of %q is not UTF-8", f.Name, s)
			}
			isJSON := json.Valid([]byte(out))
			for _, r := range out {
				if r != '\n' && !unicode.IsPrint(r) && (!isJSON || r < ' ' || unicode.Is(unicode.Bidi_Control, r)) {
					t.Errorf("%s of %q holds %q", f.Name, s, r)
					break
				}
			}
		}
	})
}

// The memory of a writer does not grow with the number of records. SARIF has a limit.
func TestFormatsHoldOneRecord(t *testing.T) {
	rec := manyFindings(500)[0]
	for _, f := range forPrograms() {
		if f.Name == "sarif" {
			continue
		}
		w := f.New(io.Discard, Options{})
		var total uint64
		measure := func(n int) uint64 {
			for range n {
				if err := w.Add(rec); err != nil {
					t.Fatal(err)
				}
			}
			return heapInUse()
		}
		first := measure(20)
		total = measure(100)
		if total > first+4<<20 {
			t.Errorf("%s holds %d bytes after 10,000 findings, %d after 60,000", f.Name, first, total)
		}
		if err := w.Close(Complete); err != nil {
			t.Fatal(err)
		}
	}
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
