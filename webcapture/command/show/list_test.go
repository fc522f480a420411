package show

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
)

// What could not be read is told in one way, bytes that are not text included.
func TestUnreadInJSON(t *testing.T) {
	u := audit.Unread{Place: audit.Place{Part: "Info"}, Err: errors.New("name a\xffb")}
	var out bytes.Buffer
	w := NewListJSON(&out)
	if err := w.Unread(u); err != nil {
		t.Fatal(err)
	}
	if want := `"reason":"name a\\xffb"`; !strings.Contains(out.String(), want) {
		t.Errorf("%s is not in %s", want, out.String())
	}
}

// A list of nothing has its arrays all the same, and the summary counts what there is.
func TestListJSON(t *testing.T) {
	for _, unread := range []int{0, 2} {
		var out bytes.Buffer
		w := NewListJSON(&out)
		if err := w.Begin(&Listing{Report: &audit.Report{Path: "a.pdf"}, Version: "v1"}); err != nil {
			t.Fatal(err)
		}
		for range unread {
			if err := w.Unread(audit.Unread{Err: errors.New("torn")}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(true); err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Schema                       string
			Entries, ContentSets, Unread []any
			Summary                      struct {
				Unread   int
				Complete bool
			}
		}
		if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
		if doc.Schema != listSchema || doc.Entries == nil || doc.ContentSets == nil || len(doc.Unread) != unread || doc.Summary.Unread != unread || !doc.Summary.Complete {
			t.Errorf("%d parts could not be read:\n%s", unread, out.String())
		}
	}
}
