package show

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/export"
	"github.com/webcap-tools/webcap/webcapture/find"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// queries are six queries: found, missed, another capture, another form, and two without a match.
var queries = []find.Query{
	{Text: "http://a/", Key: "http://a/"}, {Text: "http://b/", Key: "http://b/"}, {Text: "http://c/", Key: "http://c/"},
	{Text: "http://d/", Key: "http://d/"}, {Text: "HTTP://E/\x1b", Key: "http://e/"},
	{Text: "http://f/", Key: "http://f/"},
}

// matches has the matches of the queries. The first query is found and missed.
func matches() []find.Match {
	all := captured()
	return []find.Match{
		{Query: 0, Answer: find.Missed, Capture: all[3]},
		{Query: 0, Answer: find.Found, Capture: all[1]},
		{Query: 1, Answer: find.Missed, Capture: all[0]},
		{Query: 1, Answer: find.Missed, Capture: &catalog.Capture{Kind: catalog.Page, ID: "\x00\xff"}},
		{Query: 2, Answer: find.OtherCapture, Capture: &catalog.Capture{Kind: catalog.Page, URL: "http://x/",
			Pages: []catalog.PageRange{{First: 3, Last: 3}}}},
		{Query: 3, Answer: find.OtherForm, Capture: &catalog.Capture{Kind: catalog.Image, URL: "https://d/",
			Pages: []catalog.PageRange{{First: 3, Last: 4}}}},
	}
}

// searched writes the matches of two files in a format; the second could not be read.
func searched(t *testing.T, format string, complete bool) string {
	t.Helper()
	var out bytes.Buffer
	w := NewFindWriter(format, &out, 0, "v1", queries)
	one := present("a\x1b.pdf", rule.Unread{Err: errors.New("bad")})
	for _, err := range []error{w.Add(one, matches()), w.Add(&report.Record{Path: "b.pdf", Err: errors.New("gone")}, nil),
		w.Add(present("c.pdf"), matches()[:1]), w.Close(complete)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// The text says for each match whether a viewer finds it, and lists the queries without a match.
func TestFindText(t *testing.T) {
	const want = `a\x1b.pdf: 6 matches
  ANSWER                               CAPTURED          KIND   PAGES  TYPE       URL         TITLE
  a viewer misses it                   2001-01-01 00:00  other                    http://o/
  found                                2003-05-14 10:30  page   1-2,4  text/html  http://b/   =T
  a viewer misses it                   -                 image                    http://i/
  a viewer misses it                   -                 page                     ID 00ff
  the key leads to this other capture  -                 page   3                 http://x/
  captured under another form          -                 image  3-4               https://d/

c.pdf: 1 match
  ANSWER              CAPTURED          KIND   PAGES  TYPE  URL        TITLE
  a viewer misses it  2001-01-01 00:00  other               http://o/

A viewer misses 4 captures; webcap audit says why.

not found in 2 files: HTTP://E/\x1b (looked up as http://e/)
not found in 2 files: http://f/

Total of 6 in 2 files: 1 found, 1 missed, 1 other capture, 1 other form, 2 not found
`
	if got := searched(t, "table", true); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	const cut = "\nThe list is incomplete: later inputs are missing.\n"
	if got := searched(t, "table", false); got != want+cut {
		t.Errorf("interrupted: got\n%s", got)
	}
	for found, want := range map[bool]string{false: "not found in 1 file: http://a/\n",
		true: "a.pdf: 1 match\n  ANSWER  CAPTURED          KIND  PAGES  TYPE       URL        TITLE\n" +
			"  found   2003-05-14 10:30  page  1-2,4  text/html  http://b/  =T\n\nSearched 1 file.\n"} {
		var out bytes.Buffer
		w := NewFindWriter("table", &out, 0, "", queries[:1])
		var list []find.Match
		if found {
			list = matches()[1:2]
		}
		if err := errors.Join(w.Add(present("a.pdf"), list), w.Close(true)); err != nil || out.String() != want {
			t.Errorf("of one query: %v, got\n%swant\n%s", err, out.String(), want)
		}
	}
}

// JSON and NDJSON have the same files, matches, and summary.
func TestFindJSON(t *testing.T) {
	type file struct {
		Path, Outcome, Reason string
		MatchCount            int
		Unread, Matches       []map[string]any
	}
	var doc struct {
		Files   []file
		Summary json.RawMessage
	}
	if err := json.Unmarshal([]byte(searched(t, "json", true)), &doc); err != nil {
		t.Fatal(err)
	}
	const sum = `{"files":2,"matches":7,"queries":6,"found":1,"notFound":["HTTP://E/\u001b","http://f/"],"complete":true}`
	if string(doc.Summary) != sum {
		t.Errorf("summary %s, want %s", doc.Summary, sum)
	}
	if len(doc.Files) != 3 || len(doc.Files[0].Matches) != 6 || doc.Files[0].Outcome != "partial" ||
		len(doc.Files[0].Unread) != 1 || doc.Files[0].MatchCount != 6 || doc.Files[1].Outcome != "error" ||
		doc.Files[1].Reason != "gone" || doc.Files[1].Matches == nil || doc.Files[2].Outcome != "searched" {
		t.Fatalf("files %+v", doc.Files)
	}
	m := doc.Files[0].Matches
	if m[2]["query"] != "http://b/" || m[2]["answer"] != "missed" {
		t.Errorf("match %v", m[2])
	}
	lines := strings.Split(strings.TrimSuffix(searched(t, "ndjson", true), "\n"), "\n")
	if len(lines) != 3+7+1 || lines[10] != `{"summary":`+sum+"}" {
		t.Fatalf("%d lines, the last is %s", len(lines), lines[len(lines)-1])
	}
	for i, line := range lines[1:7] {
		var got map[string]any
		if err := json.Unmarshal([]byte(line), &got); err != nil || got["path"] != `a\x1b.pdf` && got["path"] != "a\x1b.pdf" {
			t.Errorf("line %d: %v, %s", i+2, err, line)
		}
		delete(got, "path")
		delete(got, "sha256")
		if fmt.Sprint(got) != fmt.Sprint(m[i]) {
			t.Errorf("line %d: %v, want %v", i+2, got, m[i])
		}
	}
	var out bytes.Buffer
	if err := NewFindWriter("json", &out, 0, "", queries).Close(false); err != nil || !json.Valid(out.Bytes()) {
		t.Errorf("without files: %v, %s", err, out.String())
	}
}

// CSV has a row for each match, for each file without one, and for each query without one.
func TestFindCSV(t *testing.T) {
	want := strings.Join(findHeader, ",") + `
a\x1b.pdf,ab,partial,http://a/,missed,2001-01-01 00:00,http://o/,other,,,,,,
a\x1b.pdf,ab,partial,http://a/,found,2003-05-14 10:30,http://b/,page,"1-2,4",'=T,http://b/,30313233343536373839616263646566,5 1 R,
a\x1b.pdf,ab,partial,http://b/,missed,,http://i/,image,,,,,,
a\x1b.pdf,ab,partial,http://b/,missed,,,page,,,,00ff,,
a\x1b.pdf,ab,partial,http://c/,other capture,,http://x/,page,3,,,,,
a\x1b.pdf,ab,partial,http://d/,other form,,https://d/,image,3-4,,,,,
b.pdf,,error,,,,,,,,,,,gone
c.pdf,ab,searched,http://a/,missed,2001-01-01 00:00,http://o/,other,,,,,,
,,,HTTP://E/\x1b,not found,,,,,,,,,
,,,http://f/,not found,,,,,,,,,
`
	if got := searched(t, "csv", true); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// An export lists what it wrote and what it left out, for each file and in total.
func TestExportTable(t *testing.T) {
	var out bytes.Buffer
	table := NewExportTable(&out, 0)
	for _, r := range []*export.Records{
		{}, {Pages: 1, Images: 2}, {Pages: 1, Left: []export.Left{{Reason: "no date", First: "http://a/\x1b", Count: 1}}},
		{Left: []export.Left{{Reason: "no date", First: "content set 5 1 R", Count: 2},
			{Reason: "no page", First: "http://b/", Count: 3}}},
	} {
		if err := table.Add("a.pdf", r); err != nil {
			t.Fatal(err)
		}
	}
	if err := table.Close("a.warc"); err != nil || table.Records() != 4 {
		t.Errorf("%d records, %v", table.Records(), err)
	}
	const want = `a.pdf: 1 page set and 2 image sets exported
a.pdf: 1 page set and 0 image sets exported
  not exported: http://a/\x1b: no date
a.pdf: 0 page sets and 0 image sets exported
  not exported: content set 5 1 R and 1 more: no date
  not exported: http://b/ and 2 more: no page

a.warc: 2 page sets and 2 image sets of 3 files, 6 captures not exported
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	out.Reset()
	table = NewExportTable(&out, 0)
	if err := errors.Join(table.Add("a.pdf", &export.Records{Pages: 2}), table.Close("b.warc")); err != nil ||
		!strings.HasSuffix(out.String(), "\n\nb.warc: 2 page sets and 0 image sets\n") {
		t.Errorf("%v, of one file: %s", err, out.String())
	}
}

// The headline of a plan says what the file has, how many steps repair it, and how many findings are left.
func TestPlanHeadlines(t *testing.T) {
	unread := []rule.Unread{{Err: errors.New("bad")}}
	full := planned(t)
	for _, tt := range []struct {
		present, steps, left, unread bool
		want                         string
	}{
		{false, false, false, false, "no Web Capture content database: nothing to rewrite"},
		{false, false, false, true, "no Web Capture content database in what could be read: nothing to rewrite"},
		{true, false, false, false, "nothing to repair"},
		{true, false, false, true, "nothing to repair"},
		{true, false, true, false, "nothing to repair, 3 findings left"},
		{true, true, false, false, "29 steps"},
		{false, true, false, false, "29 steps"},
		{true, true, true, true, "29 steps, 3 findings left"},
	} {
		r := planned(t)
		r.Plan.Report = &audit.Report{Facts: webcapture.Facts{Present: tt.present}}
		if tt.unread {
			r.Plan.Report.Unread = unread
		}
		if !tt.steps {
			r.Plan.Steps = nil
		}
		if r.Plan.Left = nil; tt.left {
			r.Plan.Left = full.Plan.Left
		}
		got := r.headline()
		if before, text, ok := strings.Cut(got, ": "); ok &&
			!strings.HasPrefix(before, "no Web Capture content database in") &&
			text != "nothing to rewrite" {
			got = text
		}
		if got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
		var out bytes.Buffer
		if err := WritePlan(&out, r, 0); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), "Left as they are:\n"); (n > 0) != tt.left {
			t.Errorf("%+v:\n%s", tt, out.String())
		}
	}
}
