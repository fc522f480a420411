package audit_test

import (
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestNothingLeftIsNotClean: the first 200 bytes of a file are a catalog whose name
// dictionary is gone. Its content is unknown.
func TestNothingLeftIsNotClean(t *testing.T) {
	pdf := webcapturetest.Sets(3, webcapturetest.Options{Images: 1}).Bytes(webcapturetest.Layout{})
	rep, err := audit.Bytes(t.Context(), "cut.pdf", pdf[:200], audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range rep.Unread {
		if strings.Contains(u.Err.Error(), "object 4 0: not found; the cross-reference data") {
			return
		}
	}
	t.Errorf("unread: %v", rep.Unread)
}
