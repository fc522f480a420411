package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// consistentSets are content sets as most files have them: nothing is wrong.
const consistentSets = `names: << /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 5 0 R <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 8 0 R ] >> >>
spiderinfo: << /V 1.25 >>
5 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 6 0 R 7 0 R ] /SI << /AU (http://a.example/) /TS (D:20080513140330Z) >>
	/CT (text/html) /TS (D:20080513140330Z) /T (A page) /TID (0123456789abcdef) >>
6 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>
7 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>
8 0 obj << /S /SIS /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O [ 9 0 R 10 0 R ] /R [ 1 2 ] /SI << /AU (http://a.example/i) /TS (D:20080513140330Z) >>
	/TS (D:20080513140330Z) >>
`

// TestConsistentSetsCostNothing makes sure that the checks of sets by themselves do
// not allocate for sets that are right, of which there may be a million.
func TestConsistentSetsCostNothing(t *testing.T) {
	d, err := webcapturetest.Parse(consistentSets)
	if err != nil {
		t.Fatal(err)
	}
	f, err := webcapture.New(context.Background(), d.Bytes(plainLayout), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	for _, num := range []uint32{5, 8} {
		pass := rule.NewPass(db, f.NewReader(), &rule.Audit{File: f, Now: auditTime})
		p := &pass
		s := &rule.Set{Ref: object.Ref{Num: num}}
		if err := p.Reader.Read(object.MakeRef(s.Ref), &s.ContentSet); err != nil {
			t.Fatal(err)
		}
		for _, rule := range Rules() {
			if rule.CheckSet == nil {
				continue
			}
			t.Run(fmt.Sprintf("%s of %v", rule.ID, s.Ref), func(t *testing.T) {
				p.Rule = rule
				if n := testing.AllocsPerRun(10, func() { rule.CheckSet(p, s) }); n > 0 {
					t.Errorf("%v allocations", n)
				}
				if len(p.Found.Findings) > 0 {
					t.Errorf("findings: %v", p.Found.Findings)
				}
			})
		}
	}
}

// Phase is called for each part of the audit, in order. A file without a database has hardly any parts.
func TestPhasesAreAnnounced(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"a database", consistentSets, []string{"reading the name trees", "checking name trees", "checking keys",
			"checking content sets", "comparing entries with content sets",
			"checking pages and images", "comparing identifiers with sources", "sorting findings"}},
		{"both trees", "names: << /URLS << /Names [ ] >> /IDS << /Names [ ] >> >>\n5 0 obj null\n", []string{
			"reading the name trees", "checking name trees", "checking keys", "checking content sets",
			"comparing entries with content sets",
			"checking pages and images", "comparing identifiers with sources", "sorting findings"}},
		{"no database", "5 0 obj << /Type /Page >>\n", []string{"reading the name trees", "sorting findings"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			auditText(t, tt.text, plainLayout, Options{Phase: func(what string) { got = append(got, what) }})
			if !slices.Equal(got, tt.want) {
				t.Errorf("phases %q, want %q", got, tt.want)
			}
		})
	}
}

// TestPatternsAfterARepeatedPage: the search in patterns goes on after a page that is in the page tree twice.
func TestPatternsAfterARepeatedPage(t *testing.T) {
	rep := auditText(t, "catalog: << /Type /Catalog /Pages 3 0 R /Names << /URLS << /Names [ (http://a.example/) 5 0 R ] "+
		">> >> >>\n3 0 obj << /Kids [ 6 0 R 6 0 R 9 0 R ] >>\n5 0 obj << /S /SIS /O [ 7 0 R ] /R [ 0 ] /ID "+idA+fromA+
		" >>\n6 0 obj << /Type /Page >>\n9 0 obj << /Type /Page /Resources << /Pattern << /P 10 0 R >> >> >>\n"+
		"10 0 obj << /PatternType 1 /Resources << /XObject << /A 7 0 R >> >> >> stream\nx\nendstream\n"+images, plainLayout,
		Options{})
	if got := findingLines(rep); !strings.Contains(got, "R of the image is 0: only a pattern shows it") {
		t.Errorf("the findings are %s", got)
	}
}

// TestPatternsAreReadOnlyForUncountedImages: a damaged pattern is an unread part only if the images of patterns are
// needed, which is the case if R has the count 0 for an image that no page shows. Pages have no counts.
func TestPatternsAreReadOnlyForUncountedImages(t *testing.T) {
	// A page with an image that cannot be read may show any image.
	unknown := "12 0 obj << /Type /Page /Resources << /XObject << /A 13 0 R >> >> >>\n13 0 obj << /Broken ] >>\n"
	for name, c := range map[string]struct {
		set, more string
		want      bool
	}{
		"a page set":                             {"/S /SPS /O [ 6 0 R ]", "", false},
		"an image that R has":                    {"/S /SIS /O [ 7 0 R ] /R [ 1 ]", "", false},
		"a shown image":                          {"/S /SIS /O [ 8 0 R ] /R [ 0 ]", "", false},
		"an uncounted image":                     {"/S /SIS /O [ 7 0 R ] /R [ 0 ]", "", true},
		"an uncounted image, and unknown images": {"/S /SIS /O [ 7 0 R ] /R [ 0 ]", unknown, false},
	} {
		t.Run(name, func(t *testing.T) {
			rep := auditText(t, inURLS+"5 0 obj << "+c.set+" /ID "+idA+fromA+" >>\n"+images+c.more+
				"6 0 obj << /Type /Page /Resources << /XObject << /A 8 0 R >> /Pattern << /P 99 0 R >> >> >>\n"+
				"99 0 obj << /Broken ] >>\n", plainLayout, Options{})
			if got := strings.Contains(unreadLines(rep), "99 0 R"); got != c.want {
				t.Errorf("the pattern is unread: %v, want %v; %s", got, c.want, unreadLines(rep))
			}
		})
	}
}
