package show

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/digest/source"
)

// hostile is a record in which each text would move a cursor, or be a formula.
func hostile() *SourceRecord {
	url := "http://h/\x1b[2J/" + strings.Repeat("long/", 30)
	return SourceRecordOf(&source.Candidate{URL: url, MediaType: "=a\x1b/b; c", Where: "f\x1b.warc, byte 1",
		Redirect: "\x1b", Status: 200, Size: 4, Time: time.Unix(0, 0), Doubt: "why\x1b"}, url+"\x9b")
}

// Text from a source cannot move the cursor of a terminal, and lines fit if they can be broken.
func TestSourceTable(t *testing.T) {
	for _, width := range []int{0, 40, 80, 400} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			var b bytes.Buffer
			w := NewSourceList("table", &b, width)
			for range 2 {
				if err := w.Add(hostile()); err != nil {
					t.Fatal(err)
				}
			}
			out := b.String()
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			if strings.Contains(out, "\x1b") || strings.Contains(out, "\x9b") || !strings.Contains(out, "DATE") ||
				strings.Count(out, "1970-01-01T00:00:00Z") != 2 {
				t.Errorf("width %d:\n%s", width, out)
			}
			if width == 0 && len(lines) != 3 {
				t.Errorf("%d lines in a file, want 3:\n%s", len(lines), out)
			}
			for _, l := range lines {
				if n := utf8.RuneCountInString(l); width > 0 && n > max(width, 64) && strings.Contains(strings.TrimSpace(l), " ") {
					t.Errorf("width %d, a line of %d:\n%s", width, n, l)
				}
			}
		})
	}
}

func TestSourceJSON(t *testing.T) {
	var j bytes.Buffer
	if err := NewSourceList("json", &j, 0).Add(hostile()); err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(j.String(), `"time"`)
	if got != `:"1970-01-01T00:00:00Z","status":200,"mediaType":"=a\u001b/b; c","bytes":4,"redirect":{"hex":"1b"},"doubt":"why\u001b","where":{"hex":"661b2e776172632c20627974652031"}}`+"\n" {
		t.Errorf("JSON: %s", got)
	}
}

// A row of the table has a hyphen for each unknown part. It names redirects, other keys, and doubtful data.
func TestSourceTableRows(t *testing.T) {
	at := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	plain := source.Candidate{URL: "http://h/", Where: "a.warc", Size: -1}
	all := source.Candidate{URL: "http://h/", Where: "a.warc", Size: 7, Time: at, Status: 301, MediaType: "text/html; a=b",
		Redirect: "http://i/", Doubt: "why"}
	const head = "DATE                  STATUS  TYPE                       BYTES  URL  PLACE\n"
	for _, tt := range []struct {
		name string
		rec  *SourceRecord
		want string
	}{
		{"unknown", SourceRecordOf(&plain, "http://h/"),
			"-                          -  -                              -  http://h/  a.warc\n"},
		{"everything", SourceRecordOf(&all, "http://k/"),
			"2020-01-02T03:04:05Z     301  text/html              " +
				"        7  http://h/ to http://i/ (key http://k/)  a.warc, doubtful: why\n"},
		{"no bytes", SourceRecordOf(&source.Candidate{URL: "u", Where: "w"}, "u"),
			"-                          -  -                              0  u  w\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b, j bytes.Buffer
			err := errors.Join(NewSourceList("table", &b, 0).Add(tt.rec), NewSourceList("json", &j, 0).Add(tt.rec))
			if err != nil || b.String() != head+tt.want {
				t.Errorf("%v, got\n%swant\n%s", err, b.String(), head+tt.want)
			}
			for _, member := range []string{"time", "status", "mediaType", "redirect", "doubt"} {
				if got := strings.Contains(j.String(), `"`+member+`":`); got != (tt.name == "everything") {
					t.Errorf("the document has %s: %v", member, got)
				}
			}
			if got := strings.Contains(j.String(), `"bytes":`); got != (tt.name != "unknown") {
				t.Errorf("the document has bytes: %v", got)
			}
		})
	}
}

// A list ends with totals: the numbers of records and files, and what was not read.
func TestSourceTotals(t *testing.T) {
	stats := source.Stats{Files: 2, Bytes: 1, Skipped: []source.Skip{
		{Reason: "r", Count: 3, First: "f\x1b", Capped: true}}}
	var table, lines bytes.Buffer
	for out, list := range map[*bytes.Buffer]*SourceList{&table: NewSourceList("table", &table, 0),
		&lines: NewSourceList("json", &lines, 0)} {
		for range 2 {
			if err := list.Add(hostile()); err != nil {
				t.Fatal(err)
			}
		}
		list.Skip()
		list.Skip()
		out.Reset()
		if err := list.Close(stats); err != nil {
			t.Fatal(err)
		}
	}
	const text = "\nTotal: 2 records in 2 files of 1 byte; 2 more could not be read\n"
	if table.String() != text {
		t.Errorf("got\n%swant\n%s", table.String(), text)
	}
	const want = `{"total":{"records":2,"unread":2,"files":2,"bytes":1,` +
		`"skipped":[{"reason":"r","count":3,"first":"f\u001b","capped":true}]}}` + "\n"
	if lines.String() != want {
		t.Errorf("got\n%swant\n%s", lines.String(), want)
	}
}

// Without records, a table stays empty. The totals of JSON are there, so that a reader knows that the list is complete.
func TestSourceTotalsOfNothing(t *testing.T) {
	var table, lines bytes.Buffer
	if err := errors.Join(NewSourceList("table", &table, 0).Close(source.Stats{}),
		NewSourceList("json", &lines, 0).Close(source.Stats{})); err != nil || table.Len() > 0 ||
		!strings.HasPrefix(lines.String(), `{"total":`) {
		t.Errorf("%v, %q, %q", err, table.String(), lines.String())
	}
}
