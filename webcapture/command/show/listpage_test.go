package show

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// A bar is a day, a month, or several years, so that there are few bars; there is no timeline of one bar.
func TestTimeline(t *testing.T) {
	for _, test := range []struct{ dates, want string }{
		{"", ""},
		{"2004-04-07 2004-04-07", ""},
		{"2004-04-07 2004-04-07 2004-04-09", "2004-04-07:2 2004-04-09:1"},
		{"1969-12-31 1970-01-01", "1969-12-31:1 1970-01-01:1"},
		{"1970-01-01 1970-03-01", "1970-01-01:1 1970-03-01:1"}, // 60 days
		{"1970-01-01 1970-03-02", "1970-01:1 1970-03:1"},
		{"1970-01-31 1974-12-01", "1970-01:1 1974-12:1"}, // 60 months
		{"1970-01-31 1975-01-01", "1970:1 1975:1"},
		{"2004-04-07 2004-04-30 2004-08-01", "2004-04:2 2004-08:1"},
		{"2000-01-01 2005-01-01 2005-12-31", "2000:1 2005:2"},
		{"1900-01-01 1901-12-31 2024-01-01", "1900 to 1902:2 2023 to 2025:1"},
		{"0001-01-01 2024-01-01 2025-01-01", "0001 to 0034:1 2007 to 2040:2"},
	} {
		t.Run(test.dates, func(t *testing.T) {
			days := map[int64]int{}
			for _, text := range strings.Fields(test.dates) {
				d, err := time.Parse(time.DateOnly, text)
				if err != nil {
					t.Fatal(err)
				}
				days[floorDiv(d.Unix(), secondsADay)]++
			}
			var got []string
			for _, b := range timeline(days) {
				got = append(got, fmt.Sprintf("%s:%d", b.Name, b.Count))
				if b.X < 0 || b.X+b.Width > 100 || b.Y < 0 || b.Y+b.High > 20.01 {
					t.Errorf("%+v is outside of the drawing", b)
				}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// Text from a file is escaped, and the page names omitted rows.
func TestCaptureHTML(t *testing.T) {
	var out bytes.Buffer
	w := NewCaptureWriter("html", &out, 0, "1.0")
	const n = maxPageRows + 5
	var list []*catalog.Capture
	for i := range n {
		c := &catalog.Capture{Kind: catalog.Image, URL: fmt.Sprintf("http://a.example/%d", i), Title: "<script>\x1b</script>"}
		if i == n-1 {
			c.Kind = catalog.Page
		}
		list = append(list, c)
	}
	rows := rowsOf(t, w, list, nil)
	defer rows.Close()
	if err := w.Add(&report.Record{Path: "<b>.pdf", Report: &audit.Report{}}, rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(false); err != nil {
		t.Fatal(err)
	}
	got := out.String()
	for text, count := range map[string]int{"<tr data-kind": maxPageRows, `<tr data-kind="page"`: 1, "<script>": 1,
		"&lt;script&gt;": maxPageRows, "&lt;b&gt;.pdf": 1, "5 captures not shown": 1, "leaves out 5 captures": 1,
		"later inputs are missing": 1, "\x1b": 0, "<svg": 0} {
		if n := strings.Count(got, text); n != count {
			t.Errorf("%q is there %d times, want %d", text, n, count)
		}
	}
}
