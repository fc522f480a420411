package show

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/export"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// day returns the time that a text says.
func day(text string) time.Time {
	d, err := time.Parse("2006-01-02 15:04", text)
	if err != nil {
		panic(err)
	}
	return d
}

// captured returns captures with all their parts, with few, and with texts that must be escaped.
func captured() []*catalog.Capture {
	return []*catalog.Capture{
		{Kind: catalog.Image, URL: "http://i/"},
		{Kind: catalog.Page, URL: "http://b/", Canonical: "http://b/", ID: "0123456789abcdef", Title: "=T",
			ContentType: "text/html", TS: catalog.Date{Stored: "D:2003", Time: day("2003-05-14 10:30")},
			Captured: day("2003-05-14 10:30"), Object: object.Ref{Num: 5, Gen: 1},
			Pages: []catalog.PageRange{{First: 1, Last: 2}, {First: 4, Last: 4}}, Members: make([]object.Ref, 3),
			Submitted: true, Sources: []catalog.Source{{URL: "http://b/", Submitted: "GET"}, {URL: "http://b/2"}}},
		{Kind: catalog.Page, URL: "http://a/\x1b", TS: catalog.Date{Stored: "May", Fault: "no date"}},
		{Kind: catalog.Other, URL: "http://o/", Captured: day("2001-01-01 00:00")},
	}
}

// present is the record of a file with a content database.
func present(path string, unread ...rule.Unread) *report.Record {
	return &report.Record{Path: path, SHA256: "ab", Size: 9, Report: &audit.Report{Facts: webcapture.Facts{Present: true},
		Unread: unread}}
}

// listed writes files with captures in a format, and returns the output.
func listed(t *testing.T, format string, width int, complete bool, files map[*report.Record][]*catalog.Capture,
	order []*report.Record) string {
	t.Helper()
	var out bytes.Buffer
	w := NewCaptureWriter(format, &out, width, "v1")
	for _, rec := range order {
		rows := rowsOf(t, w, files[rec])
		defer rows.Close()
		if err := w.Add(rec, rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(complete); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Captures come by kind. Empty columns are left out. A file without captures is one line.
func TestCaptureTable(t *testing.T) {
	one, gone := present("a.pdf", rule.Unread{Place: rule.Place{Part: "Info"}, Err: errors.New("bad")}),
		&report.Record{Path: "b\x1b.pdf", Err: errors.New("gone")}
	none, empty := &report.Record{Path: "c.pdf", Report: &audit.Report{}}, present("d.pdf")
	files := map[*report.Record][]*catalog.Capture{one: captured()}
	const total = "4 captures (2 page sets, 1 image set, 1 other set)"
	for _, tt := range []struct {
		name     string
		order    []*report.Record
		complete bool
		want     string
	}{
		{"all", []*report.Record{one, gone, none, empty}, false,
			"a.pdf: " + total + ", captured 2001-01-01 to 2003-05-14\n" +
				"  CAPTURED          KIND   PAGES  TYPE       URL            TITLE\n" +
				"  2003-05-14 10:30  page   1-2,4  text/html  http://b/      =T\n" +
				"  May (not a date)  page                     http://a/\\x1b\n" +
				"  -                 image                    http://i/\n" +
				"  2001-01-01 00:00  other                    http://o/\n" +
				"  missing: could not check Info: bad\n\n" +
				"b\\x1b.pdf: gone\n\nc.pdf: no Web Capture content database\n\nd.pdf: 0 captures\n\n" +
				"Total: " + total + " in 4 files, 2 of them not read completely\n\nwebcap audit checks these captures.\n\n" +
				"The list is incomplete: later inputs are missing.\n"},
		{"no file", nil, true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := listed(t, "table", 0, tt.complete, files, tt.order); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

// Each row of a large file is in the table once, in aligned batches.
func TestCaptureTableOfManyRows(t *testing.T) {
	rec := present("a.pdf")
	var list []*catalog.Capture
	for i := range 2*tableBatch + 1 {
		list = append(list, &catalog.Capture{Kind: catalog.Page, URL: catalog.Text(fmt.Sprintf("http://h/%05d", i))})
	}
	lines := strings.Split(listed(t, "table", 0, true, map[*report.Record][]*catalog.Capture{rec: list},
		[]*report.Record{rec}), "\n")
	for i := range list {
		if got := strings.Fields(lines[i+2]); len(got) != 3 || got[2] != string(list[i].URL) {
			t.Fatalf("row %d is %q", i, lines[i+2])
		}
	}
}

// On a terminal, a long URL and a title without room are on the next lines.
func TestCaptureTableOnTerminal(t *testing.T) {
	rec := present("a.pdf")
	url, title := "http://h/"+strings.Repeat("x", 60), strings.Repeat("t", 50)
	files := map[*report.Record][]*catalog.Capture{rec: {{Kind: catalog.Page, ContentType: "text/html", URL: catalog.Text(url),
		Title: title}}}
	const heads, row = "  CAPTURED  KIND  PAGES  TYPE       URL", "  -         page         text/html"
	folded := heads + strings.Repeat(" ", 68) + "TITLE\n" + row + "  " + url + "\n      " + title + "\n"
	whole := heads + strings.Repeat(" ", 68) + "TITLE\n" + row + "  " + url + "  " + title + "\n"
	for _, tt := range []struct {
		width int
		want  string
	}{
		{80, heads + "\n      TITLE\n" + row + "\n      " + url + "\n      " + title + "\n"},
		{132, folded},
		{160, whole},
		{0, whole},
	} {
		t.Run(fmt.Sprint(tt.width), func(t *testing.T) {
			got := listed(t, "table", tt.width, true, files, []*report.Record{rec})
			if _, rows, _ := strings.Cut(got, "\n"); rows != tt.want+"\nwebcap audit checks these captures.\n" {
				t.Errorf("got\n%swant\n%s", rows, tt.want)
			}
			for line := range strings.Lines(got) {
				if n := len([]rune(strings.TrimSpace(line))); tt.width > 0 && n > tt.width {
					t.Errorf("a line of %d characters: %s", n, line)
				}
			}
		})
	}
}

// CSV has a row for each capture, and one for a file without captures.
func TestCaptureCSV(t *testing.T) {
	one, none := present("=a.pdf"), &report.Record{Path: "c.pdf", Report: &audit.Report{}}
	files := map[*report.Record][]*catalog.Capture{one: captured()}
	out := listed(t, "csv", 0, true, files, []*report.Record{one, none})
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	const id = "30313233343536373839616263646566"
	want := []string{strings.Join(captureHeader, "|"),
		"'=a.pdf|ab|listed|2003-05-14 10:30|http://b/|page|1-2,4|'=T|text/html|http://b/|" + id + "|5 1 R|D:2003|true|3|",
		`'=a.pdf|ab|listed|May (not a date)|http://a/\x1b|page|||||||May|false|0|`,
		"'=a.pdf|ab|listed||http://i/|image||||||||false|0|",
		"'=a.pdf|ab|listed|2001-01-01 00:00|http://o/|other||||||||false|0|",
		"c.pdf||none" + strings.Repeat("|", len(captureHeader)-3)}
	var got []string
	for _, row := range rows {
		got = append(got, strings.Join(row, "|"))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if out := listed(t, "csv", 0, true, nil, nil); out != strings.Join(captureHeader, ",")+"\n" {
		t.Errorf("without files: %q", out)
	}
}

// JSON and NDJSON have the same captures. The summary says how many there are, and whether files are missing.
func TestCaptureJSON(t *testing.T) {
	one, gone := present("a.pdf", rule.Unread{Err: errors.New("bad")}),
		&report.Record{Path: "b.pdf", Err: errors.New("gone")}
	files := map[*report.Record][]*catalog.Capture{one: captured()}
	order := []*report.Record{one, gone}
	var doc struct {
		Files []struct {
			Path, SHA256, Outcome, Reason string
			CaptureCount                  int
			Unread, Captures              []map[string]any
		}
		Summary map[string]any
	}
	if err := json.Unmarshal([]byte(listed(t, "json", 0, false, files, order)), &doc); err != nil {
		t.Fatal(err)
	}
	a, b := doc.Files[0], doc.Files[1]
	if len(doc.Files) != 2 || a.Outcome != "partial" || a.CaptureCount != 4 || len(a.Captures) != 4 ||
		len(a.Unread) != 1 ||
		b.Outcome != "error" || b.Reason != "gone" || b.Captures == nil || len(b.Captures)+len(b.Unread) > 0 {
		t.Errorf("%+v", doc.Files)
	}
	if got := fmt.Sprint(doc.Summary); got != "map[captures:4 complete:false files:2]" {
		t.Errorf("summary %s", got)
	}
	lines := strings.Split(strings.TrimSuffix(listed(t, "ndjson", 0, true, files, order), "\n"), "\n")
	if len(lines) != 7 || lines[6] != `{"summary":{"files":2,"captures":4,"complete":true}}` {
		t.Fatalf("%d lines, want 7; the last is %s", len(lines), lines[len(lines)-1])
	}
	const head = `{"schema":"webcap.captures/2","path":"a.pdf","sha256":"ab","size":9,"outcome":"partial",` +
		`"captureCount":4,`
	if !strings.HasPrefix(lines[0], head) {
		t.Errorf("the line of the file is %s", lines[0])
	}
	for i, line := range lines[1:5] {
		var c map[string]any
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if c["path"] != "a.pdf" || c["sha256"] != "ab" {
			t.Errorf("line %d: %s", i+2, line)
		}
		delete(c, "path")
		delete(c, "sha256")
		if fmt.Sprint(c) != fmt.Sprint(a.Captures[i]) {
			t.Errorf("line %d: %s, want %v", i+2, line, a.Captures[i])
		}
	}
	var empty map[string]any
	if err := json.Unmarshal([]byte(listed(t, "json", 0, true, nil, nil)), &empty); err != nil {
		t.Errorf("without files: %v", err)
	} else if files, ok := empty["files"].([]any); !ok || len(files) > 0 {
		t.Errorf("without files: %v", empty)
	}
}

// rowsOf returns the rows of captures.
func rowsOf(t *testing.T, w *CaptureWriter, list []*catalog.Capture) *CaptureRows {
	t.Helper()
	rows, err := w.Rows(func(yield func(*catalog.Capture, error) bool) {
		for _, c := range list {
			if !yield(c, nil) {
				return
			}
		}
	}, func(int) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// titles is a format with titles as rows.
var titles = &CaptureWriter{encode: func(d *jsondoc.Document, c *catalog.Capture) { d.Text(c.Title) }}

// Rows come by kind. A caller that stops reading them gets no more.
func TestCaptureRows(t *testing.T) {
	list := captured()
	for _, c := range list {
		c.Title = string(c.URL)
	}
	rows := rowsOf(t, titles, list)
	defer rows.Close()
	var texts []string
	for row, err := range rows.all() {
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(row))
	}
	if !slices.Equal(texts, []string{"http://b/", "http://a/\x1b", "http://i/", "http://o/"}) || rows.Count != 4 {
		t.Errorf("rows %q", texts)
	}
	for range rows.all() {
		break // the loop would panic if the iterator continued
	}
}

// The page has missing parts, and the number of files without a table.
func TestCaptureHTMLOfManyFiles(t *testing.T) {
	one := present("a.pdf", rule.Unread{Place: rule.Place{Part: "Info"}, Err: errors.New("bad")})
	files := map[*report.Record][]*catalog.Capture{one: captured()}
	order := []*report.Record{one, {Path: "gone.pdf", Err: errors.New("gone")}}
	for i := range maxPageFiles + 1 {
		order = append(order, present(fmt.Sprint("empty", i, ".pdf")))
	}
	got := listed(t, "html", 0, true, files, order)
	for text, n := range map[string]int{"could not check Info: bad": 1,
		"4 captures (2 page sets, 1 image set, 1 other set) in 2003 files": 2, "empty1997.pdf": 1,
		"leaves out 3 files": 1, "not shown": 0, "captured 2001-01-01 to 2003-05-14": 1,
		"empty1998.pdf": 0, "later inputs are missing": 0} {
		if found := strings.Count(got, text); found != n {
			t.Errorf("%q is there %d times, want %d", text, found, n)
		}
	}
	const row = `<tr data-kind="page"><td class="date">2003-05-14 10:30</td>` +
		`<td class="">page</td><td class="">1-2,4</td>` +
		`<td class="">text/html</td><td class="path">http://b/</td>` +
		`<td class="">=T</td></tr>` + "\n"
	if strings.Count(got, row) != 1 {
		t.Errorf("%s is not there once", row)
	}
}

// A nearlyFullDisk accepts some bytes.
type nearlyFullDisk struct{ room int }

func (d *nearlyFullDisk) Write(b []byte) (int, error) {
	if d.room -= len(b); d.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// Text, CSV, and NDJSON of a file are written at once, and errors of writing are returned.
func TestWritersOfCapturesAndMatches(t *testing.T) {
	rec := present("a.pdf")
	add := map[string]func(io.Writer) error{}
	for _, format := range []string{"table", "csv", "ndjson"} {
		add["find "+format] = func(w io.Writer) error { return NewFindWriter(format, w, 0, "", queries).Add(rec, matches()) }
		add["list "+format] = func(out io.Writer) error {
			w := NewCaptureWriter(format, out, 0, "")
			rows := rowsOf(t, w, captured()[1:2])
			defer rows.Close()
			return w.Add(rec, rows)
		}
	}
	for _, format := range []string{"html", "json"} {
		add["list "+format] = func(out io.Writer) error {
			w := NewCaptureWriter(format, out, 0, "")
			return errors.Join(w.Add(rec, new(CaptureRows)), w.Close(true))
		}
	}
	add["find json"] = func(w io.Writer) error {
		f := NewFindWriter("json", w, 0, "", queries)
		return errors.Join(f.Add(rec, matches()), f.Close(true))
	}
	add["export"] = func(w io.Writer) error { return NewExportTable(w, 0).Add("a.pdf", &export.Records{Pages: 1}) }
	add["export, end"] = func(w io.Writer) error { return NewExportTable(w, 0).Close("a.warc") }
	add["source table"] = func(w io.Writer) error { return NewSourceList("table", w, 0).Add(hostile()) }
	add["source csv"] = func(w io.Writer) error { return NewSourceList("csv", w, 0).Add(hostile()) }
	add["source json"] = func(w io.Writer) error { return NewSourceList("json", w, 0).Add(hostile()) }
	add["source totals"] = func(w io.Writer) error { return NewSourceList("json", w, 0).Close(source.Stats{}) }
	for name, add := range add {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := add(&out); err != nil || out.Len() == 0 {
				t.Errorf("%d bytes are written, %v", out.Len(), err)
			}
			for room := 0; room < out.Len(); room += 1 + out.Len()/9 {
				if err := add(&nearlyFullDisk{room}); !errors.Is(err, errFull) {
					t.Errorf("with room for %d of %d bytes: %v", room, out.Len(), err)
				}
			}
		})
	}
}

// The dates of a file are one day, or the first and the last.
func TestSpanOfDates(t *testing.T) {
	var n captureCounts
	for _, tt := range []struct{ date, want string }{
		{"2003-05-14 10:30", ", captured 2003-05-14"},
		{"2003-05-14 23:59", ", captured 2003-05-14"},
		{"2003-05-15 00:00", ", captured 2003-05-14 to 2003-05-15"},
	} {
		n.note(&catalog.Capture{Kind: catalog.Page, Captured: day(tt.date)})
		if got := n.span(); got != tt.want {
			t.Errorf("with %s: %q, want %q", tt.date, got, tt.want)
		}
	}
}
