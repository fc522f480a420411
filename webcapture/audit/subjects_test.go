package audit

import (
	"maps"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// The subject of a finding is the URL of its content set, with the pages or the size of the image. A finding has no
// subject if there is no URL, or if the URL has a user name.
func TestSubjects(t *testing.T) {
	wrong := "<00>" // an ID of another length breaks a rule about the set, or the key
	for _, tt := range []struct {
		name, objects string
		want          map[string]string
	}{
		{"page set", "5 0 obj << /S /SPS /ID " + wrong + " /O [ 6 0 R 7 0 R ] /SI << /AU (http://a.example/x) >> >>", map[string]string{"content set 5 0 R": "http://a.example/x, pages 1 to 2"}},
		{"one page", "5 0 obj << /S /SPS /ID " + wrong + " /O [ 7 0 R ] /SI << /AU (http://a.example/x) >> >>", map[string]string{"content set 5 0 R": "http://a.example/x, page 2"}},
		{"image set", "5 0 obj << /S /SIS /ID " + wrong + " /O [ 8 0 R ] /R 1 /SI << /AU (http://a.example/i) >> >>", map[string]string{"content set 5 0 R": "http://a.example/i, 4 × 3"}},
		{"user name", "5 0 obj << /S /SPS /ID " + wrong + " /O [ 7 0 R ] /SI << /AU (http://me:secret@a.example/x) >> >>", nil},
		{"no URL", "5 0 obj << /S /SPS /ID " + wrong + " /O [ 7 0 R ] /SI << >> >>", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := "catalog: << /Type /Catalog /Pages 10 0 R /Names << /URLS << /Names [ (http://a.example/) 5 0 R ] >> /IDS << /Names [ " + idA + " 5 0 R ] >> >> >>\n" +
				"10 0 obj << /Type /Pages /Kids [ 6 0 R 7 0 R ] /Count 2 >>\n6 0 obj << /Type /Page >>\n7 0 obj << /Type /Page >>\n" +
				"8 0 obj << /Type /XObject /Subtype /Image /Width 4 /Height 3 >>\n" + tt.objects + "\n"
			doc, err := webcapturetest.Parse(d)
			if err != nil {
				t.Fatal(err)
			}
			rep := auditBytes(t, doc.Bytes(plainLayout), Options{})
			got := maps.Clone(rep.Subjects)
			maps.DeleteFunc(got, func(place, _ string) bool { return place != "content set 5 0 R" })
			if !maps.Equal(got, tt.want) || tt.want == nil && len(rep.Subjects) > 0 {
				t.Errorf("%s: %q of %q, want %q", tt.name, got, rep.Subjects, tt.want)
			}
		})
	}
}

// A position counts nodes in their order, and entries and kids from 1. It has the total number if all of them could be
// read.
func TestPositions(t *testing.T) {
	for _, tt := range []struct{ name, ids, objects, place, want string }{
		{"entry of the root", "<< /Names [ " + idA + " 5 0 R " + idA + " 5 0 R ] >>", "", "IDS, entry 2", "entry 2 of 2 in the root of /IDS"},
		{"entry of a leaf", "<< /Kids [ 6 0 R 7 0 R ] >>",
			"6 0 obj << /Limits [ <00> <00> ] /Names [ <00> 5 0 R ] >>\n7 0 obj << /Limits [ " + idA + " <ff> ] /Names [ " + idA + " 5 0 R <ff> 5 0 R ] >>\n",
			"IDS, entry 2 of node 7 0 R", "entry 2 of 2 in node 3 of 3 of /IDS"},
		{"not all read", "<< /Names [ /Name 5 0 R <00> 5 0 R ] >>", "", "IDS, entry 2", "entry 2 in the root of /IDS"},
		{"a node", "<< /Kids [ 6 0 R ] >>", "6 0 obj << /Limits [ <00> <01> ] /Names [ <00> 5 0 R ] >>\n", "IDS, node 6 0 R", "node 2 of 2 of /IDS"},
		{"the root", "<< /Limits [ <00> <00> ] /Names [ <00> 5 0 R ] >>", "", "IDS, a node without number", "the root of /IDS"},
		{"a kid", "<< /Kids [ 6 0 R null ] >>", "6 0 obj << /Limits [ <00> <00> ] /Names [ <00> 5 0 R ] >>\n", "IDS, kid 2", "kid 2 in the root of /IDS"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := webcapturetest.Parse("catalog: << /Type /Catalog /Names << /IDS " + tt.ids + " >> >>\n5 0 obj << /S /SPS /ID " + idA + " /O [ ] /SI << >> >>\n" + tt.objects)
			if err != nil {
				t.Fatal(err)
			}
			rep := auditBytes(t, doc.Bytes(plainLayout), Options{})
			if got := rep.Positions[tt.place]; got != tt.want {
				t.Errorf("%s: %q, want %q; all are %q", tt.name, got, tt.want, rep.Positions)
			}
		})
	}
}
