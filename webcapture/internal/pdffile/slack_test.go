package pdffile

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// slacks returns bytes that writers leave after the last revision of a file, by name. None of them are a newer
// revision.
func slacks(data []byte) map[string]string {
	const old = "1 0 obj\n<</Type/Catalog/Pages 2 0 R/Names<<>>>>\nendobj\n"
	padded := func(s string) string { return s + strings.Repeat("\x00", 1024-(len(data)+len(s))%1024) }
	return map[string]string{
		"the end of an object, and whole ones": padded("ze 3>>\nendobj\n" + old),
		"the end of a stream, and whole ones": padded("\x80\x81\nendstream\nendobj\n" + old +
			"5 0 obj\n(old)\nendobj\n"),
		"the end of an object, and a trailer": padded("0 R>>\nendobj\n" + old +
			"trailer\n<</Root 1 0 R/Size 9>>\n"),
		"the end of an object, and one cut off": "0 R>>\nendobj\n" + old + "7 0 obj\n<</Kids[",
	}
}

// TestSlackIsNotARevision: bytes after the last complete revision are ignored, with a notice that counts them, also if
// the file is searched for objects.
func TestSlackIsNotARevision(t *testing.T) {
	for _, name := range []string{"table", "stream"} {
		data := sample(false).Bytes(sectionKinds[name])
		want := everything(opened(t, name, data, ""))
		for what, slack := range slacks(data) {
			t.Run(name+", "+what, func(t *testing.T) {
				whole := slices.Concat(data, []byte(slack))
				f, err := New(context.Background(), whole, nil)
				if err != nil {
					t.Fatal(err)
				}
				says := []string{fmt.Sprintf("webcap ignores the last %d bytes of the file: they follow the last "+
					"revision, and do not start another", len(slack))}
				if f.Repaired() || f.isCutOff || len(f.Unread()) != 1 || !slices.Equal(f.Notices(), says) {
					t.Errorf("repaired %v, unread %v, notices %q, want %q", f.Repaired(), f.Unread(), f.Notices(), says)
				}
				compare(t, "by the table", everything(f), want)
				if f, err = newFile(context.Background(), whole, true); err != nil {
					t.Fatal(err)
				}
				if f.isCutOff {
					t.Errorf("searched: %v", f.Unread())
				}
				compare(t, "searched", everything(f), want)
			})
		}
	}
}

// TestSlackThatLooksLikeARevision: the notice mentions both possibilities, a newer revision and bytes to ignore.
func TestSlackThatLooksLikeARevision(t *testing.T) {
	data := sample(false).Bytes(webcapturetest.Layout{})
	f, err := New(context.Background(), slices.Concat(data, []byte("5 0 obj\n(changed)\nendobj\n")), nil)
	if err != nil {
		t.Fatal(err)
	}
	says := "with object 5 at offset " + fmt.Sprint(len(data)) + "; without these bytes, that revision is complete"
	if !f.isCutOff || len(f.Notices()) != 1 || !strings.HasSuffix(f.Notices()[0], says) {
		t.Errorf("%v, notices %q, want %q", f.Unread(), f.Notices(), says)
	}
}

// TestNewerRevisionsAreNoSlack: a file that ends within a newer revision has unread parts.
func TestNewerRevisionsAreNoSlack(t *testing.T) {
	data := sample(false).Bytes(webcapturetest.Layout{})
	at := bytes.Index(data, []byte("\n2 0 obj"))
	old := string(data[at+1:at+bytes.Index(data[at:], []byte("endobj"))]) + "endobj\n"
	const changed = "5 0 obj\n(changed)\nendobj\n"
	for _, tt := range []struct {
		name, more string
		whole      bool
	}{
		{"a changed object", changed, false},
		{"a changed object without an end of line before it", changed, false},
		{"a changed object after many that are not", strings.Repeat(old, 40) + changed, false},
		{"a changed object after a line of something else", "junk\n" + changed, false},
		{"a changed object after the end of another", "0 R>>\nendobj\n" + changed + "7 0 obj\n<<", false},
		{"objects that are not changed", strings.Repeat(old, 40), false},
		{"the end of an object", "0 R>>\nendobj\n", true},
	} {
		for _, repair := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, searched %v", tt.name, repair), func(t *testing.T) {
				data := data
				if strings.Contains(tt.name, "without") {
					data = bytes.TrimRight(data, "\r\n")
				}
				f, err := newFile(context.Background(), slices.Concat(data, []byte(tt.more)), repair)
				if err != nil {
					t.Fatal(err)
				}
				if (len(f.Unread()) == 0) != tt.whole {
					t.Errorf("unread %v, notices %q", f.Unread(), f.Notices())
				}
			})
		}
	}
}
