package show

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/catalog"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Text from a file is escaped, and the page names omitted rows.
func TestCaptureHTML(t *testing.T) {
	var out bytes.Buffer
	w := NewCaptureWriter("html", &out, 0, "1.0")
	const n = maxPageRows + 5
	var list []*catalog.Capture
	for i := range n {
		c := &catalog.Capture{Kind: catalog.Image, URL: catalog.Text(fmt.Sprintf("http://a.example/%d", i)), Title: "<script>\x1b</script>"}
		if i == n-1 {
			c.Kind = catalog.Page
		}
		list = append(list, c)
	}
	rows := rowsOf(t, w, list)
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
		"later inputs are missing": 1, "\x1b": 0} {
		if n := strings.Count(got, text); n != count {
			t.Errorf("%q is there %d times, want %d", text, n, count)
		}
	}
}
