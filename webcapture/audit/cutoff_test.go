package audit_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestBothReadings: if a file continues after its last complete revision, the report also describes the file without
// the newer bytes.
func TestBothReadings(t *testing.T) {
	list := []webcapturetest.Resource{{URL: bodyURL, MediaType: "text/plain", Body: capturedText}}
	data := webcapturetest.Site(list, webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{})
	for _, row := range []struct{ name, more, want string }{
		{"nothing", "", ""},
		{"a catalog", "1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n",
			"; without the newer bytes the file has 1 URLS and 1 IDS"},
	} {
		t.Run(row.name, func(t *testing.T) {
			rep, err := audit.Bytes("x.pdf", append(bytes.Clone(data), row.more...), audit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got string
			for _, u := range rep.Unread {
				got += u.Err.Error()
			}
			if !strings.HasSuffix(got, row.want) || (row.want == "") != (got == "") {
				t.Errorf("unread %q, want %q at its end", got, row.want)
			}
		})
	}
}
