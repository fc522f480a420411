package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// table returns the output of a format for records.
func table(t *testing.T, f report.Format, o report.Options, end report.End, records ...*report.Record) []byte {
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
	return out.Bytes()
}

// rowsOf returns the rows of a table for records.
func rowsOf[T any](t *testing.T, name string, end report.End, records ...*report.Record) []T {
	t.Helper()
	rows, _ := tableFile[T](t, name, end, records...)
	return rows
}

// tableFile is rowsOf, but also returns the file.
func tableFile[T any](t *testing.T, name string, end report.End, records ...*report.Record) ([]T, *parquet.File) {
	t.Helper()
	i := slices.IndexFunc(Format.Files, func(f report.Format) bool { return f.Name == name })
	out := table(t, Format.Files[i], report.Options{Head: report.Head{Version: "v1"}}, end, records...)
	rows, err := parquet.Read[T](bytes.NewReader(out), int64(len(out)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(out), int64(len(out)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return rows, file
}

// day is the time of the audits in these tests.
var day = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

// listed returns a record with entries for these URLs, in this order.
func listed(path string, urls ...string) *report.Record {
	rep := &audit.Report{Facts: webcapture.Facts{Present: true, HasURLS: true, URLS: len(urls)}, Entries: &audit.Entries{}}
	for i, url := range urls {
		rep.Entries.Add(audit.EntryOutline{
			Key: nametree.Key(url), Set: object.Ref{Num: uint32(i + 5)}, Subtype: webcapture.PageSet,
			ID: "0123456789abcdef", URL: url, Created: day,
		})
	}
	return &report.Record{Path: path, Report: rep}
}

// proven returns a record with identities of all kinds, and an ignored finding.
func proven(one *rule.Rule) *report.Record {
	set := func(n uint32) rule.Place { return rule.Place{Set: object.Ref{Num: n}} }
	const key = "0123456789abcdef"
	return &report.Record{
		Path: "proven.pdf",
		Report: &audit.Report{
			Facts: webcapture.Facts{Present: true, HasURLS: true, URLS: 3},
			Findings: rule.FindingsOf(
				rule.Finding{Rule: one, Place: rule.Place{Tree: "IDS", Key: key}, Message: "something is wrong",
					Fix: &rule.Fix{Action: rule.RemoveEntry, Old: key}},
				rule.Finding{Rule: one, Place: set(5), Message: "something is wrong"},
				rule.Finding{Rule: one, Place: set(5), Message: "something else is wrong"},
			),
			Identities: []rule.Identity{{Place: set(5), Proof: rule.Verified}, {Place: set(6), Proof: rule.Mismatch},
				{Place: set(7), Proof: rule.NotCheckable}},
		},
		Ignored: []report.Ignored{{Finding: rule.Finding{Rule: one, Place: set(7), Message: "accepted"},
			Reason: "agreed, until 2030"}},
	}
}

// The tables have the same content as other formats: findings, ignored ones, identities, unread parts, failures,
// and whether the results are incomplete.
func TestTablesSayAll(t *testing.T) {
	one := &rule.Rule{ID: "WC302", Title: "A title.", Level: rule.Warning}
	records := []*report.Record{
		proven(one),
		{Path: "gone.pdf", Err: errors.New("it is gone")},
		{Path: "part.pdf", Report: &audit.Report{Facts: webcapture.Facts{Present: true},
			Unread: []rule.Unread{{Place: rule.Place{Tree: "URLS"}, Err: errors.New("it is torn")}}}},
	}
	inputs, file := tableFile[inputRow](t, "inputs.parquet", report.Interrupted, records...)
	if len(inputs) != 3 {
		t.Fatalf("%d inputs", len(inputs))
	}
	in, gone, part := inputs[0], inputs[1], inputs[2]
	if in.Outcome != "findings" || *in.Warnings != 3 || *in.Errors != 0 || *in.Ignored != 1 || *in.Mismatch != 1 ||
		*in.Verified != 1 || *in.NotCheckable != 1 || *in.URLS != 3 {
		t.Errorf("%+v", in)
	}
	if gone.Outcome != "error" || gone.Reason == nil || *gone.Reason != "it is gone" || gone.Errors != nil || gone.Encrypted != nil {
		t.Errorf("%+v", gone)
	}
	if part.Outcome != "partial" || !strings.Contains(*part.Reason, "it is torn") || *part.Unread != 1 ||
		part.URLS != nil || part.Verified != nil {
		t.Errorf("%+v", part)
	}
	for key, want := range map[string]string{"webcap.complete": "false", "webcap.end": "interrupted",
		"webcap.version": "v1"} {
		t.Run(key, func(t *testing.T) {
			if got, _ := file.Lookup(key); got != want {
				t.Errorf("%s is %q, want %q", key, got, want)
			}
		})
	}
	findings := rowsOf[findingRow](t, "findings.parquet", report.Complete, records...)
	var said []string
	for _, f := range findings {
		reason := ""
		if f.Ignored != nil {
			reason = *f.Ignored
		}
		said = append(said, fmt.Sprintf("%s %s %q %d %s %s %s", f.Rule, f.Level, value(f.Key), value(f.Set), value(f.Fix), f.Message, reason))
	}
	want := []string{
		`WC302 warning "0123456789abcdef" 0 remove-entry something is wrong `,
		`WC302 warning "" 5  something is wrong `,
		`WC302 warning "" 5  something else is wrong `,
		`WC302 warning "" 7  accepted agreed, until 2030`,
	}
	if !slices.Equal(said, want) {
		t.Errorf("findings\n%s\nwant\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"))
	}
}

// An input in an archive has both names in separate columns, for any names.
func TestTablesTellArchives(t *testing.T) {
	rec := listed("a!b.zip!c!d/e.pdf", "http://a.example/")
	rec.Archive = "a!b.zip"
	rec.Report.Findings = rule.FindingsOf(rule.Finding{Rule: &rule.Rule{ID: "WC302", Level: rule.Error}})
	in, f, e := rowsOf[inputRow](t, "inputs.parquet", report.Complete, rec)[0],
		rowsOf[findingRow](t, "findings.parquet", report.Complete, rec)[0],
		rowsOf[entryRow](t, "entries.parquet", report.Complete, rec)[0]
	for i, got := range [][2]*string{{in.Archive, in.Member}, {f.Archive, f.Member}, {e.Archive, e.Member}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got[0] == nil || got[1] == nil || *got[0] != "a!b.zip" || *got[1] != "c!d/e.pdf" {
				t.Errorf("archive %v, member %v", got[0], got[1])
			}
		})
	}
	rec.Archive = ""
	if in := rowsOf[inputRow](t, "inputs.parquet", report.Complete, rec)[0]; in.Archive != nil || in.Member != nil {
		t.Errorf("a file with ! in its name is in an archive: %q", *in.Archive)
	}
}

// Entries have the URL for look-ups, with its host, and the unchanged key.
func TestEntryRows(t *testing.T) {
	const id = "\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"
	rec := listed("a.pdf", "HTTP://WWW.A.Example:80/x#y", "", "\xff", "file:///a")
	rec.Report.Entries.Add(audit.EntryOutline{Tree: webcapture.IDS, Key: id, Subtype: webcapture.ImageSet, ID: id,
		URL: "http://b.example/i", Retrieved: day, Expires: day.Add(time.Hour)})
	rec.Report.Entries.Add(audit.EntryOutline{Tree: webcapture.IDS, Key: "k"})
	null := func(s *string) string {
		if s == nil {
			return "-"
		}
		return fmt.Sprintf("%q", *s)
	}
	var got []string
	for _, r := range rowsOf[entryRow](t, "entries.parquet", report.Complete, rec) {
		got = append(got, fmt.Sprintf("%s %s %s %q %d %q %s %d %d %d", null(r.Host), null(r.URL), r.Tree, r.Key, value(r.Set),
			value(r.Kind), value(r.ID), value(r.Created).Year(), value(r.Retrieved).Year(), value(r.Expires).Hour()))
	}
	slices.Sort(got)
	want := []string{
		`"b.example" "http://b.example/i" IDS "\x00\x11\"3DUfw\x88\x99\xaa\xbb\xcc\xdd\xee\xff" 0 "image set" 00112233445566778899aabbccddeeff 1 2001 5`,
		`"www.a.example" "http://www.a.example/x" URLS "HTTP://WWW.A.Example:80/x#y" 5 "page set" 30313233343536373839616263646566 2001 1 0`,
		`- "" URLS "" 6 "page set" 30313233343536373839616263646566 2001 1 0`,
		`- "\\xff" URLS "\xff" 7 "page set" 30313233343536373839616263646566 2001 1 0`,
		`- "file:///a" URLS "file:///a" 8 "page set" 30313233343536373839616263646566 2001 1 0`,
		`- - IDS "k" 0 ""  1 1 0`,
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("rows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A finding about a content set has the URL of the set, if its entries are known.
func TestFindingRowsHaveURLs(t *testing.T) {
	rec := listed("a.pdf", "http://a.example/1", "http://a.example/2")
	one := &rule.Rule{ID: "WC302", Level: rule.Error}
	rec.Report.Findings = rule.FindingsOf(
		rule.Finding{Rule: one, Place: rule.Place{Set: object.Ref{Num: 6}}},
		rule.Finding{Rule: one, Place: rule.Place{Tree: "URLS", Key: "HTTP://B.Example"}},
		rule.Finding{Rule: one, Place: rule.Place{Tree: "IDS", Key: "HTTP://B.Example"}},
	)
	var got []string
	for _, r := range rowsOf[findingRow](t, "findings.parquet", report.Complete, rec) {
		got = append(got, value(r.URL))
	}
	if want := []string{"http://a.example/2", "http://b.example", ""}; !slices.Equal(got, want) {
		t.Errorf("URLs %q, want %q", got, want)
	}
}

// Rows that exceed the memory are sorted and complete, and temporary files are removed.
func TestEntriesAreSorted(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	var out bytes.Buffer
	w := &tableWriter[entryRow]{to: newSortedWriter[entryRow](&out, 100, entryOrder()), rows: entryRows}
	const n = 5000
	urls := make([]string, n)
	for i := range urls {
		urls[i] = fmt.Sprintf("http://%d.example/%04d", i%7, i)
	}
	rand.New(rand.NewSource(1)).Shuffle(n, func(i, k int) { urls[i], urls[k] = urls[k], urls[i] })
	for i := range 10 {
		rec := listed(fmt.Sprintf("%d.pdf", i), urls[i*n/10:(i+1)*n/10]...)
		rec.Report.Entries.Add(audit.EntryOutline{Tree: webcapture.IDS, Key: "k"})
		if err := w.Add(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(report.Complete); err != nil {
		t.Fatal(err)
	}
	rows, err := parquet.Read[entryRow](bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil || len(rows) != n+10 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	hosted := 0
	for i, r := range rows {
		if r.URL == nil {
			continue
		}
		if hosted++; hosted > 1 && (*rows[i-1].Host > *r.Host || *rows[i-1].Host == *r.Host && *rows[i-1].URL >= *r.URL) {
			t.Fatalf("row %d is %s after %s", i, *r.URL, *rows[i-1].URL)
		}
	}
	if hosted != n || rows[0].URL != nil && rows[n].URL != nil {
		t.Errorf("%d rows have a URL, want %d, side by side", hosted, n)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left in the folder for temporary files: %v, %v", left, err)
	}
}

// An unusable folder for temporary files is an error.
func TestEntriesNeedATemporaryFolder(t *testing.T) {
	t.Setenv("TMPDIR", "/gone/for/ever")
	t.Setenv("TMP", "/gone/for/ever")
	w := newEntries(io.Discard, report.Options{})
	err := errors.Join(w.Add(listed("a.pdf", "http://a.example/")), w.Close(report.Complete))
	if err == nil || !strings.Contains(err.Error(), "temporary file") {
		t.Errorf("the error is %v", err)
	}
}

// Row groups have statistics of hosts, so a reader of one host skips most of a file.
func TestEntriesHaveStatistics(t *testing.T) {
	_, file := tableFile[entryRow](t, "entries.parquet", report.Complete,
		listed("a.pdf", "http://b.example/", "http://a.example/"))
	group := file.RowGroups()[0]
	if sorting := group.SortingColumns(); len(sorting) == 0 || sorting[0].Path()[0] != "host" {
		t.Errorf("the file does not say that it is sorted: %v", sorting)
	}
	least, greatest, ok := group.ColumnChunks()[0].(*parquet.FileColumnChunk).Bounds()
	if !ok || least.String() != "a.example" || greatest.String() != "b.example" {
		t.Errorf("hosts from %v to %v, %v", least, greatest, ok)
	}
}

// A hostile name is text in a table, for any bytes.
func FuzzTables(f *testing.F) {
	for _, s := range []string{"", "a\x00\x1b[31m\x7f", "\xff\xfe\xc0\xaf", "\u202eevil", "\ufffe\ufffd\U0001ffff",
		"[::1]:x/%", strings.Repeat("long ", 3000)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		rec := listed(s, s, "http://"+s+"/")
		rec.Archive = s
		at := rule.Place{Part: s, Tree: s, Key: nametree.Key(s), ID: nametree.Key(s)}
		finding := rule.Finding{Rule: &rule.Rule{ID: s, Title: s}, Place: at, Message: s}
		rec.Report.Findings = rule.FindingsOf(finding)
		rec.Report.Producer, rec.Report.Unread = s, []rule.Unread{{Place: at, Err: errors.New(s)}}
		rec.Ignored = []report.Ignored{{Finding: finding, Reason: s}}
		records := []*report.Record{rec, {Path: s, Err: errors.New(s)}}
		for _, file := range Format.Files {
			out := table(t, file, report.Options{Head: report.Head{Version: s}}, report.Complete, records...)
			if _, err := parquet.OpenFile(bytes.NewReader(out), int64(len(out))); err != nil {
				t.Errorf("%s of %q: %v", file.Name, s, err)
			}
		}
		for _, r := range rowsOf[entryRow](t, "entries.parquet", report.Complete, records...) {
			if want := []string{s, "http://" + s + "/"}; !slices.Contains(want, string(r.Key)) {
				t.Errorf("key %q, want one of %q", r.Key, want)
			}
		}
	})
}

// value returns a value, and the zero value for null.
func value[T any](of *T) T {
	if of == nil {
		return *new(T)
	}
	return *of
}
