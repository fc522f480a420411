package suppress

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/report"
)

var today = time.Date(2024, 2, 29, 23, 0, 0, 0, time.UTC)

func ruleOf(id string) *rule.Rule {
	r, ok := audit.Lookup(id)
	if !ok {
		panic(id)
	}
	return r
}

// found returns a finding about a key.
func found(id string, k nametree.Key) rule.Finding {
	return rule.Finding{Rule: ruleOf(id), Place: rule.Place{Tree: "URLS", Key: k}, Message: "about " + k.String()}
}

func record(path string, list ...rule.Finding) *report.Record {
	return &report.Record{Path: path, Report: &audit.Report{Path: path, Facts: webcapture.Facts{Present: true},
		Findings: rule.Findings(list)}}
}

func start(t *testing.T, opt Options) *Filter {
	t.Helper()
	if opt.Root == "" {
		opt.Root = t.TempDir()
	}
	opt.Base, opt.Today = opt.Root, today
	tr, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func messages[F any](list iter.Seq2[int, F], message func(F) string) string {
	var out []string
	for _, f := range list {
		out = append(out, message(f))
	}
	return strings.Join(out, "; ")
}

func kept(rec *report.Record) string {
	return messages(slices.All(rec.Report.Findings), func(f rule.Finding) string { return f.Rule.ID + " " + f.Message })
}

func ignored(rec *report.Record) string {
	return messages(slices.All(rec.Ignored), func(i report.Ignored) string {
		return i.Rule.ID + " " + i.Message + ": " +
			i.Reason
	})
}

func TestApply(t *testing.T) {
	root := t.TempDir()
	hostile := nametree.Key("\x00\xff(")
	for _, tt := range []struct {
		name  string
		entry Entry
		want  string // expected Ignored of the record
	}{
		{"rule", Entry{Rules: []string{"WC204"}}, "WC204 about (a): why; WC204 about <00ff28>: why"},
		{"beginning of an ID", Entry{Rules: []string{"WC2"}}, "WC204 about (a): why; WC204 about <00ff28>: why"},
		{"group", Entry{Rules: []string{"IDS"}}, "WC303 about (a): why"},
		{"several", Entry{Rules: []string{"WC204", "ids"}},
			"WC204 about (a): why; WC303 about (a): why; WC204 about <00ff28>: why"},
		{"key", Entry{Key: new(hostile)}, "WC204 about <00ff28>: why"},
		{"another key", Entry{Key: new(nametree.Key("A"))}, ""},
		{"no key", Entry{Key: new(nametree.Key(""))}, ""},
		{"rule and key", Entry{Rules: []string{"ids"}, Key: new(nametree.Key("a"))}, "WC303 about (a): why"},
		{"path", Entry{Rules: []string{"WC303"}, Path: "archive/**/*.pdf"}, "WC303 about (a): why"},
		{"literal path", Entry{Rules: []string{"WC303"}, Path: "archive/19/\xff.pdf"}, "WC303 about (a): why"},
		{"any byte", Entry{Rules: []string{"WC303"}, Path: "archive/19/?.pdf"}, "WC303 about (a): why"},
		{"another path", Entry{Path: "archive/*.pdf"}, ""},
		{"last day", Entry{Rules: []string{"WC303"}, Until: time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)},
			"WC303 about (a): why"},
		{"expired", Entry{Rules: []string{"WC303"}, Until: time.Date(2024, 2, 28, 0, 0, 0, 0, time.UTC)}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.entry.Reason = "why"
			rec := record(filepath.Join(root, "archive/19/\xff.pdf"), found("WC204", "a"), found("WC303", "a"),
				found("WC204", hostile))
			before := kept(rec)
			start(t, Options{Entries: []Entry{tt.entry}, Root: root}).Apply(rec)
			if got := ignored(rec); got != tt.want {
				t.Errorf("ignored: %s, want %s", got, tt.want)
			}
			if n := len(rec.Ignored) + len(rec.Report.Findings); n != 3 {
				t.Errorf("%d findings, some are lost: %s", n, before)
			}
		})
	}
}

func TestNewRefuses(t *testing.T) {
	for i, tt := range []struct {
		entry Entry
		want  string
	}{
		{Entry{Rules: []string{"WC204"}}, "an entry needs a reason"},
		{Entry{Reason: "why"}, "an entry needs a rule, a path or a key"},
		{Entry{Reason: "why", Path: "a["}, `path: "a[" is not a pattern`},
		{Entry{Reason: "why", Path: "./a/**"},
			`path: "./a/**" matches no file; remove ., .. and a slash at the end`},
		{Entry{Reason: "why", Path: "../a"},
			`path: "../a" matches no file; remove ., .. and a slash at the end`},
		{Entry{Reason: "why", Path: "a/"},
			`path: "a/" matches no file; remove ., .. and a slash at the end`},
		{Entry{Reason: "why", Rules: []string{"WC204", "WC999"}}, `rule: "WC999" is neither a rule nor a group`},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			tt.entry.Where = "file:3"
			_, err := New(Options{Entries: []Entry{tt.entry}})
			if want := "file:3: " + tt.want; err == nil || err.Error() != want {
				t.Errorf("New(%+v): %v, want %s", tt.entry, err, want)
			}
		})
	}
}

func TestRemarksOnExpired(t *testing.T) {
	entry := Entry{Where: "file:1", Rules: []string{"WC204"}, Reason: "why",
		Until: time.Date(2024, 2, 28, 0, 0, 0, 0, time.UTC)}
	tr := start(t, Options{Entries: []Entry{entry}})
	if got, want := tr.Remarks(), []string{"file:1: expired on 2024-02-28"}; !slices.Equal(got, want) {
		t.Errorf("remarks: %q, want %q", got, want)
	}
	rec := record("a.pdf", found("WC204", "a"))
	if tr.Apply(rec); len(rec.Ignored) > 0 {
		t.Errorf("ignored: %s", ignored(rec))
	}
}

// If several entries match, the reason is that of the first one in force.
func TestFirstReason(t *testing.T) {
	tr := start(t, Options{Entries: []Entry{
		{Where: "file:1", Rules: []string{"WC303"}, Reason: "another rule"},
		{Where: "file:2", Rules: []string{"WC204"}, Reason: "first"},
		{Where: "file:3", Key: new(nametree.Key("a")), Reason: "second"},
	}})
	rec := record("a.pdf", found("WC204", "a"))
	tr.Apply(rec)
	if got, want := ignored(rec), "WC204 about (a): first"; got != want {
		t.Errorf("ignored: %s, want %s", got, want)
	}
}

// results returns records after a round trip through JSON.
func results(t *testing.T, records ...*report.Record) io.Reader {
	t.Helper()
	var out bytes.Buffer
	w := report.JSON.New(&out, report.Options{Head: report.Head{Rules: audit.Rules()}})
	for _, rec := range records {
		if err := w.Add(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(report.Complete); err != nil {
		t.Fatal(err)
	}
	return &out
}

func TestBaseline(t *testing.T) {
	root := t.TempDir()
	a, b := filepath.Join(root, "a.pdf"), filepath.Join(root, "b.pdf")
	baseline, err := ReadBaseline(results(t,
		record(a, found("WC204", "1"), found("WC204", "2"), found("WC204", "2")),
		&report.Record{Path: filepath.Join(root, "c.pdf"), Err: errors.New("gone")},
		record(b, found("WC303", "1"))), root)
	if err != nil || baseline.Len() != 4 {
		t.Fatalf("%v, %v", baseline, err)
	}
	// The third copy of a finding is new, and so is a known one in another file.
	tr := start(t, Options{Baseline: baseline, Root: root})
	rec := record(a, found("WC204", "2"), found("WC303", "1"), found("WC204", "2"), found("WC204", "2"))
	tr.Apply(rec)
	if got, want := kept(rec), "WC303 about (1); WC204 about (2)"; got != want {
		t.Errorf("kept: %s, want %s", got, want)
	}
	if got, want := ignored(rec), "WC204 about (2): in the baseline; WC204 about (2): in the baseline"; got != want {
		t.Errorf("ignored: %s, want %s", got, want)
	}
}

// The results of an audit with a baseline are a new baseline, with the findings of the first baseline and the new
// ones. Otherwise ignored findings are not included: when their entry expires, they must show.
func TestBaselineOfBaseline(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "a.pdf")
	entries := []Entry{{Rules: []string{"WC303"}, Reason: "why"}}
	list := []rule.Finding{found("WC204", "1"), found("WC204", "1"), found("WC303", "1")}
	var baseline *Baseline
	for n := range 4 {
		rec := record(path, slices.Clone(list)...)
		start(t, Options{Entries: entries, Baseline: baseline, Root: root}).Apply(rec)
		if want := min(n, 1); n > 0 && len(rec.Report.Findings) != want {
			t.Errorf("round %d: kept: %s, want %d", n, kept(rec), want)
		}
		var err error
		if baseline, err = ReadBaseline(results(t, rec), root); err != nil || baseline.Len() != 2+n {
			t.Fatalf("round %d: %v, %v", n, baseline, err)
		}
		list = append(list, found("WC204", "1")) // another copy is new in the next round
	}
	rec := record(path, slices.Clone(list)...)
	start(t, Options{Baseline: baseline, Root: root}).Apply(rec)
	if got, want := kept(rec), "WC303 about (1); WC204 about (1)"; got != want {
		t.Errorf("without the entry: kept: %s, want %s", got, want)
	}
}

func TestBaselineIsNone(t *testing.T) {
	whole, err := io.ReadAll(results(t, record("a.pdf", found("WC204", "1"))))
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{"", "PDF", "{}", string(whole[:len(whole)/2]), string(whole[:len(whole)-3])} {
		t.Run(in, func(t *testing.T) {
			if _, err := ReadBaseline(strings.NewReader(in), "/"); err == nil {
				t.Errorf("no error for %.40q", in)
			}
		})
	}
}

func TestParseKey(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"http://a.example/", "http://a.example/"},
		{"(http://a.example/)", "http://a.example/"},
		{`(\(a\\b\))`, `(a\b)`},
		{`(a\n)`, "a\n"},
		{`(Nov\375\0001)`, "Nov\xfd\x001"},
		{"(a(b))", "a(b)"},
		{"<00fF>", "\x00\xff"},
		{"<>", ""},
		{"()", ""},
		{"", ""},
		{"(<00>)", "<00>"},
	} {
		t.Run(tt.in, func(t *testing.T) {
			if got, err := ParseKey(tt.in); err != nil || string(got) != tt.want {
				t.Errorf("ParseKey(%q) = %q, %v, want %q", tt.in, got, err, tt.want)
			}
		})
	}
	for in, want := range map[string]string{"<0>": "is not a key in hexadecimal", "<00": "is not a key in hexadecimal",
		"<zz>": "is not a key in hexadecimal", "(a": "does not end with a parenthesis",
		"(": "does not end with a parenthesis", "(a))": "is not a literal string of a PDF file",
		"(a) (b)": "is not a literal string of a PDF file"} {
		t.Run(in, func(t *testing.T) {
			if got, err := ParseKey(in); err == nil || err.Error() != fmt.Sprintf("%q %s", in, want) {
				t.Errorf("ParseKey(%q) = %q, %v, want: %s", in, got, err, want)
			}
		})
	}
}

// A key printed in a report parses as the same key in an entry.
func FuzzParseKey(f *testing.F) {
	for _, s := range []string{"", "a", "(", `\`, `\(`, "\x00", "<00>", "a)", "ü", "Nov\xfd1234", "abc\r\nd", `\\012(((`,
		"line\\\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		k := nametree.Key(s)
		if got, err := ParseKey(k.String()); err != nil || got != k {
			t.Errorf("ParseKey(%s) = %q, %v, want %q", k, got, err, s)
		}
		ParseKey(s)
	})
}

func TestRelative(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{"a/b.pdf", "./a/b.pdf", "a//c/../b.pdf", filepath.Join(root, "a", "b.pdf")} {
		t.Run(in, func(t *testing.T) {
			if got := relative(root, in); got != "a/b.pdf" {
				t.Errorf("relative(%q) = %q", in, got)
			}
		})
	}
	if got := relative(filepath.Join(root, "a"), "-"); got != "-" {
		t.Errorf("standard input is %q", got)
	}
	want := filepath.ToSlash(filepath.Join(root, "b.pdf"))
	if got := relative(filepath.Join(root, "a"), "b.pdf"); got != want {
		t.Errorf("a file outside is %q, want %q", got, want)
	}
}
