package audit

import (
	"fmt"
	"maps"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// The subject of a finding is the URL of its content set, with the pages or the size of the image. A finding has no
// subject if there is no URL, or if the URL has a user name.
func TestSubjects(t *testing.T) {
	wrong := "<00>" // an ID of another length breaks a rule about the set, or the key
	const atX = "<< /AU (http://a.example/x) >>"
	set := func(subtype, o, si string) string {
		return "5 0 obj << /S /" + subtype + " /ID " + wrong + " /O " + o + " /R 1 /SI " + si + " >>"
	}
	subject := func(text string) map[string]string { return map[string]string{"content set 5 0 R": text} }
	for _, tt := range []struct {
		name, objects string
		want          map[string]string
	}{
		{"page set", "5 0 obj << /S /SPS /ID " + wrong + " /O [ 6 0 R 7 0 R ] /SI << /AU (http://a.example/x) >> >>", map[string]string{"content set 5 0 R": "http://a.example/x, pages 1 to 2"}},
		{"one page", "5 0 obj << /S /SPS /ID " + wrong + " /O [ 7 0 R ] /SI << /AU (http://a.example/x) >> >>", map[string]string{"content set 5 0 R": "http://a.example/x, page 2"}},
		{"image set", "5 0 obj << /S /SIS /ID " + wrong + " /O [ 8 0 R ] /R 1 /SI << /AU (http://a.example/i) >> >>", map[string]string{"content set 5 0 R": "http://a.example/i, 4 × 3"}},
		{"user name", "5 0 obj << /S /SPS /ID " + wrong + " /O [ 7 0 R ] /SI << /AU (http://me:secret@a.example/x) >> >>", nil},
		{"no members", set("SPS", "[ ]", atX), subject("http://a.example/x")},
		{"a page outside the page tree", set("SPS", "[ 6 0 R 8 0 R ]", atX), subject("http://a.example/x")},
		{"a direct member", set("SPS", "[ 6 0 R null ]", atX), subject("http://a.example/x")},
		{"an image without size", set("SIS", "[ 6 0 R 8 0 R ]", atX), subject("http://a.example/x")},
		{"an image of an unknown height", set("SIS", "[ 9 0 R ]", atX) + "\n9 0 obj << /Width 4 /Height (3) >>",
			subject("http://a.example/x")},
		{"an unreadable image", set("SIS", "[ 9 0 R ]", atX) + "\n9 0 obj << /Width 4 /Height 3 ] >>", map[string]string{}},
		{"a URL with other bytes", set("SPS", "[ 7 0 R ]", "<< /AU (http://a.example/\\344) >>"),
			subject(`(http://a.example/\344), page 2`)},
		{"the second source", set("SPS", "[ 7 0 R ]", "[ << >> "+atX+" ]"), subject("http://a.example/x, page 2")},
		{"not a content set", "5 0 obj << /Type /Page /SI " + atX + " >>", nil},
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

// The first twenty findings of a rule have a subject and a position, and findings about private data have no subject.
func TestSubjectsAreForTheFirstFindings(t *testing.T) {
	const n = 30
	text, names := "", ""
	for i := range n {
		names += fmt.Sprintf("(http://a.example/%02d) %d 0 R ", i, 10+i)
		text += fmt.Sprintf("%d 0 obj << /S /SPS /ID (%d) /O [ ] /SI << /AU (http://a.example/x) >> >>\n", 10+i, i)
	}
	text = "names: << /URLS << /Names [ " + names + "] >> >>\n" + text
	sets := func(id string) *rule.Rule {
		return &rule.Rule{ID: id, CheckSet: func(p *rule.Pass, s *rule.Set) { p.Reportf(s.At(), nil, "a set") }}
	}
	keys := &rule.Rule{ID: "WC201", CheckURL: func(p *rule.Pass, e *rule.Entry) { p.Reportf(e.At(), nil, "a key") }}
	for _, tt := range []struct {
		name                string
		rules               []*rule.Rule
		subjects, positions int
	}{
		{"sets", []*rule.Rule{sets("WC401")}, 20, 0},
		{"private data", []*rule.Rule{sets("WC701")}, 0, 0},
		{"sets and private data", []*rule.Rule{sets("WC401"), sets("WC701")}, 20, 0},
		{"keys", []*rule.Rule{keys}, 20, 20},
		{"two rules", []*rule.Rule{keys, sets("WC401")}, 40, 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rep := auditText(t, text, plainLayout, Options{Rules: tt.rules})
			if len(rep.Subjects) != tt.subjects || len(rep.Positions) != tt.positions || len(rep.Findings) != n*len(tt.rules) {
				t.Errorf("%d subjects, %d positions of %d findings, want %d and %d", len(rep.Subjects), len(rep.Positions),
					len(rep.Findings), tt.subjects, tt.positions)
			}
		})
	}
}

// An entry has the subject of the first content set in its value.
func TestSubjectsOfEntries(t *testing.T) {
	for value, want := range map[string]string{
		"5 0 R": "http://a.example/5", "[ 5 0 R 6 0 R ]": "http://a.example/5", "[ 6 0 R 5 0 R ]": "http://a.example/6",
		"[ 7 0 R 5 0 R ]": "", "[ ]": "", "7 0 R": "", "8 0 R": "", "null": "", "(x)": "",
		"<< /S /SPS /ID <00> /SI << /AU (http://a.example/direct) >> >>": "http://a.example/direct",
	} {
		t.Run(value, func(t *testing.T) {
			keys := &rule.Rule{ID: "WC201", CheckURL: func(p *rule.Pass, e *rule.Entry) { p.Reportf(e.At(), nil, "a key") }}
			rep := auditText(t, "names: << /URLS << /Names [ (http://a.example/) "+value+" ] >> >>\n"+
				"5 0 obj << /S /SPS /ID <00> /SI << /AU (http://a.example/5) >> >>\n"+
				"6 0 obj << /S /SPS /ID <00> /SI << /AU (http://a.example/6) >> >>\n"+
				"7 0 obj << /SI << /AU (http://a.example/7) >> >>\n8 0 obj << /S /SPS /ID 9 0 R /SI << /AU (x) >> >>\n"+
				"9 0 obj << /Broken ] >>\n", plainLayout, Options{Rules: []*rule.Rule{keys}})
			if got := rep.Subjects["URLS, entry 1"]; got != want || len(rep.Findings) != 1 {
				t.Errorf("%q, want %q; all are %q", got, want, rep.Subjects)
			}
		})
	}
}

// A position counts nodes in their order, and entries and kids from 1. It has the total number if all of them could be
// read.
func TestPositions(t *testing.T) {
	for _, tt := range []struct{ name, ids, objects, place, want string }{
		{"entry of the root", "<< /Names [ " + idA + " 5 0 R " + idA + " 5 0 R ] >>", "", "IDS, entry 2", "entry 2 of 2 in the root of /IDS"},
		{"first entry of the root", "<< /Names [ <00> 5 0 R " + idA + " 5 0 R ] >>", "", "IDS, entry 1",
			"entry 1 of 2 in the root of /IDS"},
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
