package rewrite

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// refTo returns the reference to an object with generation 0.
func refTo(num uint32) object.Ref { return object.Ref{Num: num} }

// ruleWith returns a rule whose findings have an action.
func ruleWith(t *testing.T, a rule.Action) *rule.Rule {
	t.Helper()
	for _, r := range audit.Rules() {
		if r.Action == a && r.Level > rule.Note {
			return r
		}
	}
	t.Fatalf("no rule has the action %v", a)
	return nil
}

// TestDropMember: only an element that exists, and that no replacement fills, is removed.
func TestDropMember(t *testing.T) {
	r := ruleWith(t, rule.DropMember)
	for name, c := range map[string]struct {
		set      uint32
		index    int
		replaced int // index of a replaced element; -1 for none
		left     string
		step     string
	}{
		"an element":                        {20, 1, -1, "", "drop-member 99 0 R is removed"},
		"an element next to a replaced one": {20, 1, 0, "", "drop-member 99 0 R is removed"},
		"a replaced element":                {20, 1, 1, "", "replace-member 99 0 R becomes 11 0 R"},
		"after the last element":            {20, 2, -1, "O no longer has this element.", ""},
		"an unreadable content set":         {21, 0, -1, "The content set cannot be read.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := plannerOf(t, "names: << >>\n"+info+"20 0 obj << /S /SPS /ID (id) /O [ 10 0 R 99 0 R ] >>\n21 0 obj ]\n",
				Options{})
			if c.replaced >= 0 {
				p.set(refTo(20)).replaced[c.replaced] = refTo(11)
			}
			f := &rule.Finding{Rule: r, Place: rule.Place{Set: refTo(c.set)},
				Fix: &rule.Fix{Action: rule.DropMember, Set: refTo(c.set), Index: c.index}}
			p.rep = &audit.Report{Findings: rule.Findings{*f}}
			p.asks = make([]bool, 1)
			left, err := p.changeMember(0)
			p.gather()
			if err != nil || !strings.HasPrefix(left, c.left) || c.left == "" && left != "" {
				t.Errorf("left because %q, %v; want %q", left, err, c.left)
			}
			if got := stepLines(p.steps); c.step == "" && got != "" || !strings.HasSuffix(got, c.step) {
				t.Errorf("the steps are %q, want %q", got, c.step)
			}
			if got := p.set(refTo(c.set)).dropped[c.index]; got != (c.step != "") {
				t.Errorf("the element is dropped: %v", got)
			}
		})
	}
}

// TestReplaceMemberOnce: the findings about an old element and about its new page share a step, in either order. The
// step names the old element.
func TestReplaceMemberOnce(t *testing.T) {
	drop, _ := audit.Lookup("WC408")
	replace, _ := audit.Lookup("WC522")
	findings := []rule.Finding{
		{Rule: replace, Place: rule.Place{Object: refTo(11)},
			Fix: &rule.Fix{Action: rule.ReplaceMember, Set: refTo(20), Index: 1}},
		{Rule: drop, Place: rule.Place{Set: refTo(20)},
			Fix: &rule.Fix{Action: rule.DropMember, Set: refTo(20), Index: 1}},
	}
	for _, want := range []string{"WC522,WC408", "WC408,WC522"} {
		t.Run(want, func(t *testing.T) {
			p := plannerOf(t, "names: << >>\n"+info+"20 0 obj << /S /SPS /ID (id) /O [ 10 0 R 99 0 R ] >>\n", Options{})
			p.rep = &audit.Report{Findings: rule.Findings(findings)}
			p.asks = make([]bool, 2)
			for i := range findings {
				if left, err := p.act(i); left != "" || err != nil {
					t.Fatal(left, err)
				}
			}
			p.gather()
			if got := describe(&Plan{Steps: p.steps}); got !=
				want+": content set 20 0 R, member 11 0 R: replace-member 99 0 R becomes 11 0 R\n" {
				t.Errorf("the steps are\n%s", got)
			}
		})
		findings[0], findings[1] = findings[1], findings[0]
	}
}

// TestPutSets: each content set with a new O, R, SI, or ID is written once. A set that only leaves the database is
// not written.
func TestPutSets(t *testing.T) {
	objects := "names: << >>\n" + info
	for i := range 6 {
		objects += fmt.Sprintf("%d 0 obj << /S /SIS /O [ 10 0 R 11 0 R ] /R [ 1 2 ] /SI << /AU (old) >> /ID (old) >>\n", 20+i)
	}
	p := plannerOf(t, objects, Options{})
	p.removed["20 0 R"] = true
	p.set(refTo(21)).urls["old"] = "new"
	p.set(refTo(22)).id = "new"
	p.set(refTo(23)).dropped[0] = true
	p.set(refTo(24)).replaced[1] = refTo(12)
	p.set(refTo(25))
	if err := p.putSets(); err != nil {
		t.Fatal(err)
	}
	got, r, was := map[uint32]string{}, p.update.Preview().NewReader(), p.file.NewReader()
	for num := uint32(20); num < 26; num++ {
		d, err := r.Dict(object.MakeRef(refTo(num)))
		old, errOld := was.Dict(object.MakeRef(refTo(num)))
		if err != nil || errOld != nil {
			t.Fatal(err, errOld)
		}
		if string(d.Raw()) == string(old.Raw()) {
			continue
		}
		for _, key := range []string{"O", "R", "SI", "ID"} {
			got[num] += string(d.Lookup(key).AppendNormal(nil)) + " "
		}
	}
	want := map[uint32]string{
		21: "[10 0 R 11 0 R ] [1 2 ] <</AU (new) >> (old) ",
		22: "[10 0 R 11 0 R ] [1 2 ] <</AU (old) >> (new) ",
		23: "[11 0 R ] [2 ] <</AU (old) >> (old) ",
		24: "[10 0 R 12 0 R ] [1 2 ] <</AU (old) >> (old) ",
	}
	if !maps.Equal(got, want) {
		t.Errorf("O, R, SI, and ID are %v, want %v", got, want)
	}
}

// TestRemoveSets: a removed content set leaves all values of both trees, and gets no new key. The finding about its
// missing key is left, with the reason.
func TestRemoveSets(t *testing.T) {
	p := plannerOf(t, "names: << "+
		"/URLS << /Names [ (http://a/0) 20 0 R (http://b/0) [ 20 0 R 21 0 R ] (http://c/0) 21 0 R ] >> >>\n"+
		info+setA+setB, Options{})
	r := ruleWith(t, rule.AddKey)
	for _, num := range []uint32{20, 21} {
		p.trees[webcapture.IDS].add("key", object.MakeRef(refTo(num)))
		f := &rule.Finding{Rule: r, Place: rule.Place{Set: refTo(num)}, Fix: &rule.Fix{Action: rule.AddKey, Set: refTo(num)}}
		p.add(Step{Action: rule.AddKey, Place: &f.Place, findings: []*rule.Finding{f}})
		p.add(Step{Action: rule.ChangeID, Place: &f.Place, findings: []*rule.Finding{f}})
	}
	p.removed["20 0 R"] = true
	if err := p.removeSets(); err != nil {
		t.Fatal(err)
	}
	var values []int
	for i := range 3 {
		list, err := p.trees[webcapture.URLS].elements(i)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, len(list))
	}
	if want := []int{0, 1, 1}; !slices.Equal(values, want) {
		t.Errorf("the lengths of values are %v, want %v", values, want)
	}
	if got := p.trees[webcapture.IDS].added; len(got) != 1 || string(got[0].set.Append(nil)) != "21 0 R" {
		t.Errorf("the additions are %v", got)
	}
	const steps = "content set 20 0 R: change-id\ncontent set 21 0 R: add-key\ncontent set 21 0 R: change-id"
	if got := stepLines(p.steps); got != steps {
		t.Errorf("the steps are\n%s\nwant\n%s", got, steps)
	}
	if len(p.left) != 1 || p.left[0].Finding.Place.Set != refTo(20) ||
		p.left[0].Reason != "Another step removes the content set." {
		t.Errorf("left: %v", p.left)
	}
}
