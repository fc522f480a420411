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
	rep, err := audit.Bytes("cut.pdf", pdf[:200], audit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range rep.Unread {
		if strings.Contains(u.Err.Error(), "the name dictionary is not in the remaining part of the file") {
			return
		}
	}
	t.Errorf("unread: %v", rep.Unread)
}

// TestNamesThatAreNoDictionary: if Names is not a readable dictionary, the report says why the content of the trees is
// unknown.
func TestNamesThatAreNoDictionary(t *testing.T) {
	for names, want := range map[string]string{
		"[ ]":   "the name dictionary is an array",
		"9 0 R": "object 9 0: the name dictionary is an integer",
		"8 0 R": "object 8 0: the name dictionary is not in the file",
		"7 0 R": "object 7 0: ",
		"<< >>": "",
	} {
		t.Run(names, func(t *testing.T) {
			d, err := webcapturetest.Parse("names: " + names + "\n9 0 obj 7\n7 0 obj << /Broken ] >>\n")
			if err != nil {
				t.Fatal(err)
			}
			rep, err := audit.Bytes("names.pdf", d.Bytes(webcapturetest.Layout{}), audit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if n := len(rep.Unread); n > 1 || n == 1 != (want != "") ||
				n == 1 && !strings.HasPrefix(rep.Unread[0].Err.Error(), want) {
				t.Errorf("Names %s: %v, want %q", names, rep.Unread, want)
			}
		})
	}
}
