package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
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
)

// A goldenFormat is a format that other programs read, with the files of testdata/report
// that show it.
type goldenFormat struct {
	name  string
	files []string
	open  func(w []io.Writer, o Options) Writer // a writer for each file
}

var goldenFormats = []goldenFormat{
	{"markdown", []string{"report.md"}, func(w []io.Writer, o Options) Writer { return NewMarkdown(w[0], o) }},
	{"csv", []string{"report.csv"}, func(w []io.Writer, o Options) Writer { return NewCSV(w[0], o) }},
	{"sarif", []string{"report.sarif"}, func(w []io.Writer, o Options) Writer { return NewSARIF(w[0], o) }},
	{"junit", []string{"report.junit.xml"}, func(w []io.Writer, o Options) Writer { return NewJUnit(w[0], o) }},
	{"gitlab", []string{"report.gitlab.json"}, func(w []io.Writer, o Options) Writer { return NewGitLab(w[0], o) }},
	{"github", []string{"report.github.txt", "report.github.md"}, func(w []io.Writer, o Options) Writer { return NewGitHub(w[0], w[1], o) }},
}

// rendered returns the files of a format that has been given records.
func (f *goldenFormat) rendered(t testing.TB, o Options, complete bool, records ...*Record) []string {
	t.Helper()
	bufs, ws := make([]bytes.Buffer, len(f.files)), make([]io.Writer, len(f.files))
	for i := range bufs {
		ws[i] = &bufs[i]
	}
	w := f.open(ws, o)
	for _, r := range records {
		if err := w.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(complete); err != nil {
		t.Fatal(err)
	}
	var out []string
	for i := range bufs {
		out = append(out, bufs[i].String())
	}
	return out
}

// allRecords returns the recorded results, and a record with what these do not have.
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
	o := Options{Head: r.Head(), Base: "/srv/site"}
	return o, append(records, provenRecord(o.Rules[0]))
}

// provenRecord returns a record with keys, identifiers, identities of every kind
// and a finding that is ignored, below /srv/site.
func provenRecord(rule *audit.Rule) *Record {
	id := "\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"
	set := func(n uint32) audit.Place { return audit.Place{Set: object.Ref{Num: n}, ID: "0123456789abcdef"} }
	pair := audit.Place{Tree: "IDS", Node: &audit.NodePlace{Ref: object.Ref{Num: 8}, Index: 2}, Key: "0123456789abcdef"}
	return &Record{
		Path: "/srv/site/sub folder/proven 100%.pdf",
		Report: &audit.Report{
			Facts: webcapture.Facts{Present: true, HasURLS: true, HasIDS: true, URLS: 3, IDS: 3}, PageSets: 2, ImageSets: 1,
			Findings: []audit.Finding{
				{Rule: rule, Place: pair, Message: "something is wrong", Fix: &audit.Fix{Action: audit.RemoveEntry, Old: pair.Key}},
				{Rule: rule, Place: set(5), Message: "something is wrong"},
				{Rule: rule, Place: set(5), Message: "something else is wrong"},
			},
			Identities: []audit.Identity{
				{Place: set(5), Subtype: webcapture.PageSet, ID: "0123456789abcdef", URL: "http://a.example/", Proof: audit.Verified, Where: "a.warc, record 3", Reading: "the file itself", Text: "as UTF-8"},
				{Place: set(6), Subtype: webcapture.ImageSet, ID: "0123456789abcdef", URL: "http://a.example/i", Proof: audit.Mismatch, Where: "a.warc, record 4", Reason: "the MD5 of the source is <00>"},
				{Place: set(7), Subtype: webcapture.PageSet, ID: nametree.Key(id), Proof: audit.NotCheckable, Reason: "no source has the URL"},
			},
		},
		Ignored: []Ignored{{audit.Finding{Rule: rule, Place: set(7), Message: "nobody minds"}, "agreed, until 2030"}},
	}
}

func TestFormatsGolden(t *testing.T) {
	o, records := allRecords(t)
	for _, f := range goldenFormats {
		for i, got := range f.rendered(t, o, true, records...) {
			file := filepath.Join(golden, f.files[i])
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the output differs from %s (-update rewrites it):\n%s", file, got)
			}
		}
	}
}

// Every format says of every input what became of it, where there is anything to
// mind: findings, what is ignored, identities, what could not be checked, and that
// this is not all.
func TestFormatsSayAll(t *testing.T) {
	rule := &audit.Rule{ID: "WC302", Title: "A title.", Level: audit.Warning}
	records := []*Record{
		provenRecord(rule),
		{Path: "gone.pdf", Err: errors.New("it is gone")},
		{Path: "part.pdf", Report: &audit.Report{Facts: webcapture.Facts{Present: true}, Unread: []audit.Unread{{Place: audit.Place{Tree: "URLS"}, Err: errors.New("it is torn")}}}},
	}
	for _, f := range goldenFormats {
		out := strings.Join(f.rendered(t, Options{Head: Head{Rules: []*audit.Rule{rule}}, Base: "/srv/site"}, false, records...), "\n")
		for _, want := range []string{
			"something is wrong", "something else is wrong", "ignored", "1 mismatch", "it is gone", "it is torn", "interrupted",
		} {
			if f.name == "sarif" && want == "ignored" {
				want = `"suppressions":[{"kind":"external","justification":"agreed, until 2030"}]`
			}
			if f.name == "junit" && want == "1 mismatch" {
				want = "mismatch: image set"
			}
			if !strings.Contains(out, want) {
				t.Errorf("%s does not say %q:\n%s", f.name, want, out)
			}
		}
		if complete := strings.Join(f.rendered(t, Options{}, true, records...), "\n"); strings.Contains(complete, "interrupted") {
			t.Errorf("%s says of complete results that the audit was interrupted", f.name)
		}
	}
}

// hostile is what a file may put into a name, and what formats make something of.
var hostile = []string{
	"a\x00\x01\x1b[31m\x7f", "\xff\xfe\xc0\xaf", "a\r\nb\u2028c\u0085", "\u202eevil", "\ufffe\ufffd\U0001ffff",
	"`code` | cell <script>alert(1)</script> [link](http://evil.example/) ![i](x) http://evil.example www.evil.example a@evil.example",
	"::error::x", "##[add-mask]x", "%0A::set-output name=a::b", "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1", "\"',;\n=2",
	"]]><x/>&amp;<!--", "{0} {{", "../../etc/passwd", "/", "", ".", "http://evil.example/", "C:\\x", "\\\\host\\x", strings.Repeat("long ", 3000),
}

// hostileRecords returns records with s wherever a file, or its name, is quoted.
func hostileRecords(s string) []*Record {
	rule := &audit.Rule{ID: "WC302", Title: "A title.", Level: audit.Error}
	foreign := &audit.Rule{ID: s, Title: s, Level: audit.Note}
	at := audit.Place{Part: s, Key: nametree.Key(s), ID: nametree.Key(s)}
	findings := []audit.Finding{{Rule: rule, Place: at, Message: s}, {Rule: foreign, Place: at, Message: "key (x) " + s}}
	return []*Record{
		{Path: s, Report: &audit.Report{
			Facts: webcapture.Facts{Present: true, Repaired: true, Notices: []string{s}}, Findings: findings,
			Unread:     []audit.Unread{{Place: at, Err: errors.New(s)}},
			Identities: []audit.Identity{{Place: at, ID: nametree.Key(s), URL: s, Where: s, Reading: s, Reason: s, Text: s, Proof: audit.Mismatch}},
		}, Ignored: []Ignored{{findings[0], s}}},
		{Path: s, Err: errors.New(s)},
	}
}

// Whatever the bytes, the output is text, of which other tests read what they can.
func TestFormatsOfHostileBytes(t *testing.T) {
	for _, s := range hostile {
		for _, f := range goldenFormats {
			for i, out := range f.rendered(t, Options{Head: Head{Version: s}, Base: "/srv"}, true, hostileRecords(s)...) {
				if !utf8.ValidString(out) {
					t.Errorf("%s of %q is not UTF-8", f.files[i], s)
				}
				isJSON := f.name == "sarif" || f.name == "gitlab"
				for _, r := range out {
					if r != '\n' && !unicode.IsPrint(r) && (!isJSON || r < ' ') {
						t.Errorf("%s of %q holds %q", f.files[i], s, r)
						break
					}
				}
			}
		}
	}
}

// An output without inputs is one that the next program can read.
func TestFormatsWithoutInputs(t *testing.T) {
	for i, want := range []string{
		"# Web Capture audit\n\n## Summary\n\n0 files\n",
		strings.Join(csvHeader, ",") + "\nsummary,,complete,,,,,\"0 files; 0 errors, 0 warnings, 0 notes\",,,,,,\n",
		`"results":[` + "\n],\n",
		`<testsuite name="webcap" tests="1" failures="0" errors="0" skipped="0">`,
		"[\n]\n",
		"",
	} {
		if got := goldenFormats[i].rendered(t, Options{}, true)[0]; !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s without inputs is %q, want %q", goldenFormats[i].name, got, want)
		}
	}
}

func TestFormatsReturnEveryWriteError(t *testing.T) {
	rule := &audit.Rule{ID: "WC302", Title: "A title.", Level: audit.Error}
	records := []*Record{provenRecord(rule), {Path: "b.pdf", Err: errors.New("gone")}}
	for _, f := range goldenFormats {
		whole := f.rendered(t, Options{}, true, records...)
		for file, text := range whole {
			for n := 0; n < len(text); n += 7 {
				ws := slices.Repeat([]io.Writer{io.Discard}, len(f.files))
				ws[file] = &limited{n}
				if err := writeAll(f.open(ws, Options{}), records); !errors.Is(err, errFull) {
					t.Fatalf("%s: with room for %d of %d bytes the error is %v", f.files[file], n, len(text), err)
				}
			}
		}
	}
}

// A million findings in a thousand records take no more memory than a thousand.
func TestFormatsHoldOneRecord(t *testing.T) {
	rec := manyFindings(1000)[0]
	for _, f := range goldenFormats {
		ws := slices.Repeat([]io.Writer{io.Discard}, len(f.files))
		w := f.open(ws, Options{})
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
			t.Errorf("%s holds %d bytes after 20,000 findings, %d after 120,000", f.name, first, total)
		}
		if err := w.Close(true); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMarkdownOfOnlyFailures(t *testing.T) {
	clean := &Record{Path: "clean.pdf", Report: &audit.Report{Facts: webcapture.Facts{Present: true}}}
	nothing := &Record{Path: "nothing.pdf", Report: &audit.Report{}}
	out := goldenFormats[0].rendered(t, Options{OnlyFailures: true}, true, clean, nothing, manyFindings(1)[0])[0]
	if strings.Contains(out, "clean.pdf") || strings.Contains(out, "nothing.pdf") || !strings.Contains(out, "a.pdf") {
		t.Errorf("more is shown than failures, or less:\n%s", out)
	}
	if want := "3 files: 1 clean, 1 with findings, 1 without a content database"; !strings.Contains(out, want) {
		t.Errorf("%q is not counted:\n%s", want, out)
	}
}

// A sample in docs/report-formats.md is a block of code behind a comment that
// names a file of goldenFormats.
var sample = regexp.MustCompile("(?s)<!-- sample: ([a-z.]+) -->\n```([a-z]*)\n.*?\n```\n")

// TestDocumentShowsSamples keeps the samples in docs/report-formats.md what formats
// make of a real file, of which one rule is checked, and of an input that is none.
func TestDocumentShowsSamples(t *testing.T) {
	rule, _ := audit.Lookup("WC126")
	rep, err := audit.File("../../testdata/site-optimized.pdf", audit.Options{Rules: []*audit.Rule{rule}})
	if err != nil {
		t.Fatal(err)
	}
	records := []*Record{{Path: "site-optimized.pdf", Report: rep}, {Path: "draft.pdf", Err: errors.New("not a PDF")}}
	o := Options{Head: Head{Version: "v1.0.0", Rules: []*audit.Rule{rule}}, Base: "/srv/site"}
	samples := map[string]string{}
	for _, f := range goldenFormats {
		for i, text := range f.rendered(t, o, true, records...) {
			samples[f.files[i]] = text
		}
	}
	for name, file := range map[string]string{"table": "report.txt", "json": "report.json", "ndjson": "report.ndjson", "html": "report.html"} {
		f, _ := LookupFormat(name)
		samples[file] = (&goldenFormat{name, []string{file}, func(w []io.Writer, o Options) Writer { return f.New(w[0], o) }}).rendered(t, o, true, records...)[0]
	}
	// Of the page its overview, for the rest is long.
	page := samples["report.html"]
	start, end := strings.Index(page, `<section id="overview"`), strings.Index(page, `<section id="findings"`)
	samples["report.html"] = page[start:end]
	const path = "../../docs/report-formats.md"
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	fresh := sample.ReplaceAllStringFunc(string(b), func(block string) string {
		m := sample.FindStringSubmatch(block)
		text, ok := samples[m[1]]
		if !ok {
			t.Errorf("there is no sample %s", m[1])
		}
		shown++
		return fmt.Sprintf("<!-- sample: %s -->\n```%s\n%s\n```\n", m[1], m[2], strings.TrimRight(text, "\n"))
	})
	if shown != len(samples) {
		t.Errorf("%d samples are shown of %d", shown, len(samples))
	}
	if *update {
		if err := os.WriteFile(path, []byte(fresh), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if fresh != string(b) {
		t.Errorf("%s is not fresh: -update rewrites it", path)
	}
}

func ExampleNewMarkdown() {
	rep, err := audit.File("../../testdata/site.pdf", audit.Options{})
	w := NewMarkdown(os.Stdout, Options{})
	err = errors.Join(w.Add(&Record{Path: "site.pdf", Report: rep, Err: err}), w.Close(true))
	fmt.Println(err)
	// Output:
	// # Web Capture audit
	//
	// ## `site.pdf`
	//
	// 6 URLS, 6 IDS, 3 page sets, 3 image sets, 3 images verified: clean
	//
	// ## Summary
	//
	// 1 file: 1 clean
	// <nil>
}

func heapInUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
