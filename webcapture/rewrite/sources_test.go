package rewrite

import (
	"fmt"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// plannerOfSI returns a planner for a file with two content sets with the same SI.
func plannerOfSI(t *testing.T, si string) *planner {
	t.Helper()
	set := " 0 obj << /S /SPS /O [ 10 0 R ] /SI " + si + " >>\n"
	return plannerOf(t, "names: << /URLS << /Names [ (http://a/0) 20 0 R (http://b/0) 21 0 R ] >> >>\n"+info+"20"+set+
		"21"+set+
		"40 0 obj << /AU (HTTP://a/0) /TS 1 >>\n41 0 obj << /AU 44 0 R >>\n42 0 obj [ 40 0 R 43 0 R 40 0 R ]\n"+
		"43 0 obj << /AU (http://c/0) >>\n44 0 obj << /U (http://c/0) /C 45 0 R >>\n45 0 obj [ [ (http://d/0) ] 46 0 R ]\n"+
		"46 0 obj [ (HTTP://a/0) (http://a/0) ]\n47 0 obj ]\n48 0 obj (HTTP://a/0)\n", Options{Rules: audit.Select("WC204")})
}

// editsOf returns the new SI of content sets 20 and 21, and the other changed objects, in a normal form.
func editsOf(t *testing.T, p *planner) string {
	t.Helper()
	var list []string
	say := func(num uint32, text []byte) {
		o, _, err := object.Parse(text, 0)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%d: %s", num, o.AppendNormal(nil)))
	}
	for num := range uint32(2) {
		s := p.sets[refTo(20+num)]
		if s == nil {
			continue
		}
		o, err := p.reader.Get(refTo(20 + num))
		if err != nil {
			t.Fatal(err)
		}
		d, _ := o.Dict()
		text, changed, err := p.withURLs(d.Lookup("SI"), s.urls, siDepth)
		if err != nil {
			t.Fatal(err)
		}
		if changed {
			say(20+num, text)
		}
	}
	slices.Sort(list)
	return fmt.Sprintf("%q", list)
}

// TestChangeSource: a URL changes in a copy of SI, because other content sets may share its objects. Other URLs stay.
func TestChangeSource(t *testing.T) {
	const alias = "<</U (http://c/0) /C [[(http://d/0) ] [(new) (http://a/0) ] ] >>"
	for si, want := range map[string]string{
		"<< /AU (HTTP://a/0) >>":             `["20: <</AU (new) >>"]`,
		"<< /AU (http://a/0) >>":             `[]`,
		"40 0 R":                             `["20: <</AU (new) /TS 1 >>"]`,
		"42 0 R":                             `["20: [<</AU (new) /TS 1 >> 43 0 R <</AU (new) /TS 1 >> ]"]`,
		"41 0 R":                             `["20: <</AU <</U (http://c/0) /C [[(http://d/0) ] [(new) (http://a/0) ] ] >> >>"]`,
		"[ 43 0 R << /AU 48 0 R >> 43 0 R ]": `["20: [43 0 R <</AU (new) >> 43 0 R ]"]`,
		"[ << /AU (HTTP://b/0) >> << /AU 44 0 R >> ]": `["20: [<</AU (HTTP://b/0) >> <</AU ` + alias + ` >> ]"]`,
		"47 0 R": `[]`,
	} {
		t.Run(si, func(t *testing.T) {
			p := plannerOfSI(t, si)
			p.set(refTo(20)).urls["HTTP://a/0"] = "new"
			if got := editsOf(t, p); got != want {
				t.Errorf("the changes are\n%s\nwant\n%s", got, want)
			}
			if len(p.steps) > 0 {
				t.Errorf("there are steps without a finding: %v", p.steps)
			}
		})
	}
}
