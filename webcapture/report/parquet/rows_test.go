package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// columnsOf returns the columns of a row that are not null, as "name=value".
func columnsOf(row any) string {
	var list []string
	v := reflect.ValueOf(row)
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("parquet"), ",")
		f := v.Field(i)
		if f.Kind() == reflect.Pointer {
			if f.IsNil() {
				continue
			}
			f = f.Elem()
		}
		list = append(list, fmt.Sprintf("%s=%v", name, f.Interface()))
	}
	return strings.Join(list, " ")
}

// The columns of an input are those that docs/tables.md describes. What is unknown is null.
func TestInputRows(t *testing.T) {
	one := func(l rule.Level) rule.Finding { return rule.Finding{Rule: &rule.Rule{ID: "WC302", Level: l}} }
	facts := webcapture.Facts{Size: 20, Version: "1.4", Encrypted: true, Present: true, HasURLS: true, HasIDS: true,
		URLS: 3, IDS: 4}
	const none = "encrypted=false repaired=false errors=0 warnings=0 notes=0 ignored=0 unread=0"
	for _, test := range []struct {
		name, want string
		rec        report.Record
	}{
		{"all columns",
			"path=a.pdf outcome=findings size=10 sha256=00 seconds=1.5 pdf_version=1.4 encrypted=true repaired=false " +
				"producer=P creator=C urls=3 ids=4 page_sets=5 " +
				"image_sets=6 errors=1 warnings=2 notes=0 ignored=0 unread=0 " +
				"verified=0 mismatch=1 not_checkable=0 entries_left=7",
			report.Record{Path: "a.pdf", Size: 10, SHA256: "00", Seconds: 1.5, Report: &audit.Report{Facts: facts,
				Producer: "P", Creator: "C",
				PageSets: 5, ImageSets: 6, Findings: rule.FindingsOf(one(rule.Error), one(rule.Warning),
					one(rule.Warning)),
				Identities: []rule.Identity{{Proof: rule.Mismatch}}, Entries: &audit.Entries{Left: 7}}}},
		{"size of the report, repaired",
			"path=a.pdf outcome=clean size=20 pdf_version=1.5 encrypted=false repaired=true page_sets=0 " +
				"image_sets=0 errors=0 warnings=0 notes=0 ignored=0 unread=0",
			report.Record{Path: "a.pdf", Report: &audit.Report{Facts: webcapture.Facts{Size: 20, Version: "1.5",
				Repaired: true, Present: true}}}},
		{"IDS only, a note",
			"path=a.pdf outcome=findings pdf_version= encrypted=false repaired=false ids=0 page_sets=0 image_sets=0 " +
				"errors=0 warnings=0 notes=1 ignored=0 unread=0", report.Record{Path: "a.pdf", Report: &audit.Report{
				Facts: webcapture.Facts{Present: true, HasIDS: true}, Findings: rule.FindingsOf(one(rule.Note))}}},
		{"no database", "path=a.pdf outcome=none pdf_version=1.4 " + none,
			report.Record{Path: "a.pdf", Report: &audit.Report{Facts: webcapture.Facts{Version: "1.4"},
				Identities: []rule.Identity{}}}},
		{"failed", "path=a.pdf outcome=error reason=it is gone size=10", report.Record{Path: "a.pdf", Size: 10,
			Err: errors.New("it is gone")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows := rowsOf[inputRow](t, "inputs.parquet", report.Complete, &test.rec)
			if got := columnsOf(rows[0]); got != test.want {
				t.Errorf("columns\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// A finding has the place in words. A finding without a key has no key, not an empty one.
func TestPlaceOfFindingRows(t *testing.T) {
	place := rule.Place{Set: object.Ref{Num: 6}}
	rec := listed("a.pdf")
	rec.Report.Findings = rule.FindingsOf(rule.Finding{Rule: &rule.Rule{ID: "WC302", Level: rule.Error}, Place: place})
	r := rowsOf[findingRow](t, "findings.parquet", report.Complete, rec)[0]
	if r.Place != place.String() || r.Place == "" || r.Key != nil || r.Tree != nil {
		t.Errorf("place %q, key %v, tree %v", r.Place, r.Key, r.Tree)
	}
}

// A finding about a content set has the URL of the first entry that leads to the set, also if the finding is ignored. A
// finding about no set has no URL, even if the entries have a direct set.
func TestURLsOfSets(t *testing.T) {
	rec := listed("a.pdf", "http://a.example/1", "http://a.example/2")
	add := func(num uint32, url string) {
		rec.Report.Entries.Add(audit.EntryOutline{Tree: webcapture.IDS, Set: object.Ref{Num: num}, URL: url})
	}
	add(5, "http://a.example/again")
	add(9, "")
	add(9, "http://a.example/second")
	add(0, "http://a.example/direct")
	at := func(num uint32) rule.Finding {
		return rule.Finding{Rule: &rule.Rule{ID: "WC302", Level: rule.Error},
			Place: rule.Place{Set: object.Ref{Num: num}}}
	}
	rec.Report.Findings = rule.FindingsOf(at(5), at(9), at(0), at(99))
	rec.Ignored = []report.Ignored{{Finding: at(6)}}
	var got []string
	for _, r := range rowsOf[findingRow](t, "findings.parquet", report.Complete, rec) {
		got = append(got, fmt.Sprint(value(r.Set), " ", value(r.URL)))
	}
	want := []string{"5 http://a.example/1", "9 http://a.example/second", "0 ", "99 ", "6 http://a.example/2"}
	if !slices.Equal(got, want) {
		t.Errorf("URLs %q, want %q", got, want)
	}
	rec.Report.Entries = nil
	if r := rowsOf[findingRow](t, "findings.parquet", report.Complete, rec)[0]; r.URL != nil {
		t.Errorf("without entries, the URL is %s", *r.URL)
	}
}

// The URL of an entry of URLS is its key, not that of the content set to which it leads.
func TestURLOfEntry(t *testing.T) {
	rec := listed("a.pdf")
	rec.Report.Entries.Add(audit.EntryOutline{Key: "http://a.example/", URL: "http://b.example/"})
	if r := rowsOf[entryRow](t, "entries.parquet", report.Complete, rec)[0]; value(r.URL) != "http://a.example/" {
		t.Errorf("the URL is %s", value(r.URL))
	}
}

// The metadata say whether the results are complete, and how a configuration and ignored findings changed them.
func TestMetadata(t *testing.T) {
	plain, ignoring := listed("a.pdf"), proven(&rule.Rule{ID: "WC302", Level: rule.Error})
	configured := report.Head{Version: "v1", Configuration: []string{"3 rules disabled"}}
	for _, test := range []struct {
		name string
		head report.Head
		rec  *report.Record
		end  report.End
		want []string
	}{
		{"complete", report.Head{Version: "v1"}, plain, report.Complete, []string{"webcap.version=v1",
			"webcap.complete=true"}},
		{"interrupted", report.Head{Version: "v1"}, plain, report.Interrupted,
			[]string{"webcap.version=v1", "webcap.complete=false", "webcap.end=interrupted"}},
		{"configured", configured, plain, report.Complete,
			[]string{"webcap.version=v1", "webcap.complete=true", "webcap.configuration=3 rules disabled"}},
		{"ignored", report.Head{Version: "v1"}, ignoring, report.Complete,
			[]string{"webcap.version=v1", "webcap.complete=true", "webcap.configuration=1 finding ignored"}},
	} {
		for _, format := range Format.Files {
			t.Run(test.name+" "+format.Name, func(t *testing.T) {
				out := table(t, format, report.Options{Head: test.head}, test.end, test.rec)
				checkMetadata(t, out, test.want)
			})
		}
	}
}

func checkMetadata(t *testing.T, out []byte, want []string) {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(out), int64(len(out)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, kv := range f.Metadata().KeyValueMetadata {
		got = append(got, kv.Key+"="+kv.Value)
	}
	slices.Sort(got)
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Errorf("metadata %q, want %q", got, want)
	}
}

// A Table has its rows in order, the version, and whether it is complete.
func TestTable(t *testing.T) {
	type row struct {
		N int64 `parquet:"n"`
	}
	for _, n := range []int64{0, 1, batchRows - 1, batchRows, batchRows + 1, 3 * batchRows} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var b bytes.Buffer
			table := NewTable[row](&b, "1.0")
			for i := range n {
				if err := table.Add(row{i}); err != nil {
					t.Fatal(err)
				}
				if len(table.batch) != int((i+1)%batchRows) {
					t.Fatalf("%d of %d rows wait for more", len(table.batch), i+1)
				}
			}
			if err := table.Close(n > 0); err != nil {
				t.Fatal(err)
			}
			checkMetadata(t, b.Bytes(), []string{"webcap.version=1.0", fmt.Sprintf("webcap.complete=%v", n > 0)})
			rows, err := parquet.Read[row](bytes.NewReader(b.Bytes()), int64(b.Len()))
			if err != nil || int64(len(rows)) != n {
				t.Fatalf("%d rows, want %d: %v", len(rows), n, err)
			}
			for i, r := range rows {
				if r.N != int64(i) {
					t.Fatalf("row %d is %d", i, r.N)
				}
			}
		})
	}
}

var errFailed = errors.New("failed by the test")

// batches is a rowWriter that keeps the sizes of its writes. The write with this number fails; later ones succeed.
type batches struct {
	sizes    []int
	failsAt  int
	metadata int
}

func (b *batches) Write(rows []findingRow) (int, error) {
	if b.sizes = append(b.sizes, len(rows)); len(b.sizes)-1 == b.failsAt {
		return 0, errFailed
	}
	return len(rows), nil
}

func (b *batches) SetKeyValueMetadata(string, string) { b.metadata++ }

func (b *batches) Close() error { return nil }

// Rows are written in batches. After an error, Add and Close return it, and no rows follow.
func TestBatches(t *testing.T) {
	findings := make([]rule.Finding, 3*batchRows+1)
	for i := range findings {
		findings[i].Rule = &rule.Rule{ID: "WC302", Level: rule.Error}
	}
	rec := listed("a.pdf")
	rec.Report.Findings = rule.FindingsOf(findings...)
	for _, test := range []struct {
		failsAt     int
		sizes       []int
		addErr, end error
	}{
		{-1, []int{batchRows, batchRows, batchRows, 1}, nil, nil},
		{1, []int{batchRows, batchRows}, errFailed, errFailed},
		{3, []int{batchRows, batchRows, batchRows, 1}, nil, errFailed},
	} {
		to := &batches{failsAt: test.failsAt}
		w := &tableWriter[findingRow]{to: to, rows: findingRows}
		if err := w.Add(rec); err != test.addErr {
			t.Errorf("write %d failed: Add returns %v, want %v", test.failsAt, err, test.addErr)
		}
		if err := w.Close(report.Complete); err != test.end || (err == nil) != (to.metadata > 0) {
			t.Errorf("write %d failed: Close returns %v after %d metadata, want %v", test.failsAt, err, to.metadata,
				test.end)
		}
		if !slices.Equal(to.sizes, test.sizes) {
			t.Errorf("write %d failed: batches %v, want %v", test.failsAt, to.sizes, test.sizes)
		}
	}
}

// failOnce is a writer whose call with this number fails; later calls succeed.
type failOnce struct{ calls, at int }

func (w *failOnce) Write(b []byte) (int, error) {
	if w.calls++; w.calls-1 == w.at {
		return 0, errFailed
	}
	return len(b), nil
}

// If any write to a file fails, even once, its writer returns the error.
func TestWriteErrors(t *testing.T) {
	type row struct {
		N    int64  `parquet:"n"`
		Text string `parquet:"text"`
	}
	writers := map[string]func(io.Writer) error{"table": func(to io.Writer) error {
		table := NewTable[row](to, "1.0")
		for i := range int64(rowGroup + batchRows) {
			if err := table.Add(row{i, "text"}); err != nil {
				return err
			}
		}
		return table.Close(true)
	}}
	rec := proven(&rule.Rule{ID: "WC302", Level: rule.Error})
	rec.Report.Entries = listed("a.pdf", "http://a.example/").Report.Entries
	for _, format := range Format.Files {
		writers[format.Name] = func(to io.Writer) error {
			w := format.New(to, report.Options{})
			if err := w.Add(rec); err != nil {
				return err
			}
			return w.Close(report.Complete)
		}
	}
	for name, write := range writers {
		t.Run(name, func(t *testing.T) {
			whole := &failOnce{at: -1}
			if err := write(whole); err != nil {
				t.Fatal(err)
			}
			step := max(1, whole.calls/30)
			for n := 0; n < whole.calls; n += step {
				if err := write(&failOnce{at: n}); !errors.Is(err, errFailed) {
					t.Errorf("write %d of %d failed, and the error is %v", n, whole.calls, err)
				}
			}
		})
	}
}

// Errors of temporary files say so. The end of a file is not an error. After PutBuffer, a file is closed.
func TestTemporaryFiles(t *testing.T) {
	var r runs
	f := r.GetBuffer().(*runFile)
	if _, err := f.Write([]byte("abc")); err != nil {
		t.Fatal(err)
	}
	if at, err := f.Seek(1, io.SeekStart); at != 1 || err != nil {
		t.Errorf("Seek: %d, %v", at, err)
	}
	b := make([]byte, 3)
	if n, err := f.Read(b); string(b[:n]) != "bc" || err != nil {
		t.Errorf("Read: %q, %v", b[:n], err)
	}
	if _, err := f.Read(b); err != io.EOF {
		t.Errorf("Read at the end: %v", err)
	}
	if n, err := f.ReadAt(b[:2], 0); string(b[:n]) != "ab" || err != nil {
		t.Errorf("ReadAt: %q, %v", b[:n], err)
	}
	r.PutBuffer(f)
	r.PutBuffer(&runFile{err: errFailed})
	for name, do := range map[string]func(f *runFile) error{
		"Write":  func(f *runFile) error { _, err := f.Write(b); return err },
		"Read":   func(f *runFile) error { _, err := f.Read(b); return err },
		"ReadAt": func(f *runFile) error { _, err := f.ReadAt(b, 0); return err },
		"Seek":   func(f *runFile) error { _, err := f.Seek(0, io.SeekStart); return err },
	} {
		if err := do(f); err == nil || !strings.HasPrefix(err.Error(), "temporary file: ") {
			t.Errorf("%s of a closed file: %v", name, err)
		}
		if err := do(&runFile{err: errFailed}); !errors.Is(err, errFailed) ||
			err.Error() != "temporary file: "+errFailed.Error() {
			t.Errorf("%s of a file that was not made: %v", name, err)
		}
	}
}
