package rewrite

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// withoutID is a content set without an ID and URLs, and malformed an object that cannot be parsed.
const withoutID, malformedObject = "22 0 obj << /S /SPS /SI << >> >>\n", "24 0 obj ]\n"

// copyOfA is the content set of setA without its number.
var copyOfA = strings.TrimPrefix(setA[:strings.Index(setA, "10 0 obj")], "20")

// TestBuildIDS: each content set in URLS gets its ID as a key, once. Direct ones only if they become objects. Content
// sets that are removed, and those without an ID, get none.
func TestBuildIDS(t *testing.T) {
	const a, b = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R", "<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R"
	const direct = "<< /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 10 0 R ] >>"
	for urls, want := range map[string]string{
		"(a) 20 0 R (b) 21 0 R":                    a + ", " + b,
		"(a) 20 0 R (b) 20 0 R (c) 21 0 R":         a + ", " + b,
		"(a) [ 20 0 R 20 0 R 21 0 R ] (b) 21 0 R":  a + ", " + b,
		"(a) 22 0 R (b) 24 0 R (c) 21 0 R":         b,
		"(a) [ 23 0 R 21 0 R ]":                    b, // 23 is removed
		"(a) [ " + direct + " 21 0 R ]":            b,
		"(a) [ " + direct + " 21 0 R ] (b) 20 0 R": b, // another set has the ID of 20
		"(a) 22 0 R": "",
	} {
		t.Run(urls, func(t *testing.T) {
			p := plannerOf(t, "names: << /URLS << /Names [ "+urls+" ] >> /IDS << /Names [ (x) 20 0 R ] >> >>\n"+info+setA+setB+
				withoutID+"23"+copyOfA+malformedObject, Options{Rules: audit.Select("WC523")})
			p.removed["23 0 R"] = true
			ids := p.trees[webcapture.IDS]
			ids.add("earlier", object.MakeRef(refTo(20)))
			n, err := p.buildIDS()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, add := range ids.added[1:] {
				got = append(got, fmt.Sprintf("%v %s", add.key, add.set.Append(nil)))
			}
			if strings.Join(got, ", ") != want || n != len(got) {
				t.Errorf("%d keys: %q, want %s", n, got, want)
			}
		})
	}
	if one, two := countOfEntries(1), countOfEntries(2); one != "1 entry" || two != "2 entries" {
		t.Errorf("the counts are %q and %q", one, two)
	}
}

// TestRestoreKeys: the content sets in a stray pair get the keys of their URLs, and the pair goes.
func TestRestoreKeys(t *testing.T) {
	for pair, want := range map[string]string{
		"12 null":                              "",
		"(http://a/0) (text)":                  "",
		"12 20 0 R":                            "(http://a/0) 20 0 R",
		"null [ 20 0 R 20 0 R ]":               "(http://a/0) 20 0 R",
		"20 0 R 21 0 R":                        "(http://a/0) 20 0 R, (http://b/0) 21 0 R",
		"12 [ 20 0 R null 22 0 R ]":            "(http://a/0) 20 0 R",
		"12 << /SI << /AU (x:y) >> /S /SPS >>": "(x:y) << /SI << /AU (x:y) >> /S /SPS >>",
	} {
		t.Run(pair, func(t *testing.T) {
			p := plannerOf(t, "names: << /URLS << /Names [ "+pair+" ] >> >>\n"+info+setA+
				strings.Replace(setB, "a/0", "b/0", 1)+withoutID, Options{})
			place := rule.Place{Tree: "URLS", Node: rule.PlaceOf(p.db.URLS, nametree.Entry{}).Node}
			if err := p.restoreKeys(&rule.Finding{Place: place}); err != nil {
				t.Fatal(err)
			}
			e := p.trees[webcapture.URLS]
			if got := additionsOf(e); got != want || !e.touched || len(e.dropped) != 1 {
				t.Errorf("added %q, want %q; dropped %v", got, want, e.dropped)
			}
			if strings.Contains(want, " 20 0 R") && !p.unseen[refTo(20)] {
				t.Error("findings about the content set would be new")
			}
		})
	}
}

// TestComplete: an object is a complete content set if it has a subtype, an ID, and sources, and if one of its members
// is a page, or an image of an image set.
func TestComplete(t *testing.T) {
	const id, si = " /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>", " /SI << /AU (http://a/0) >>"
	for set, want := range map[string]bool{
		"<< /S /SPS" + id + si + " /O [ 10 0 R ] >>":                    true,
		"<< /S 30 0 R" + id + si + " /O [ 10 0 R ] >>":                  true,
		"<< /S /SPS" + id + si + " /O [ null 24 0 R 12 0 R 10 0 R ] >>": true,
		"<< /S /SIS" + id + si + " /O [ 11 0 R ] >>":                    true,
		"<< /S /SPS" + id + si + " /O [ 11 0 R ] >>":                    false,
		"<< /S /SIS" + id + si + " /O [ 12 0 R ] >>":                    false,
		"<< /S /SPS" + id + si + " /O [ 12 0 R ] >>":                    false,
		"<< /S /SPS" + id + si + " /O [ ] >>":                           false,
		"<< /S /SPS" + id + si + " >>":                                  false,
		"<< /S /SPS" + si + " /O [ 10 0 R ] >>":                         false,
		"<< /S /SPS /ID (short)" + si + " /O [ 10 0 R ] >>":             false,
		"<< /S /SPS" + id + " /O [ 10 0 R ] >>":                         false,
		"<< /S /Other" + id + si + " /O [ 10 0 R ] >>":                  false,
		"<< /S 31 0 R" + id + si + " /O [ 10 0 R ] >>":                  false,
		"<< /S /SPS" + id + " /SI 24 0 R /O [ 10 0 R ] >>":              false,
		"<< /S 24 0 R" + id + si + " /O [ 10 0 R ] >>":                  false,
		"<<" + id + si + " /O [ 10 0 R ] >>":                            false,
		"[ << /S /SPS >> ]":                                             false,
		"]":                                                             false,
	} {
		t.Run(set, func(t *testing.T) {
			p := plannerOf(t, "names: << >>\n"+info+"20 0 obj "+set+"\n10 0 obj << /Type /Page >>\n"+imageObject(11, "", "x")+
				"12 0 obj << /Type /Old >>\n30 0 obj /SPS\n31 0 obj /Other\n"+malformedObject, Options{})
			if got, err := p.complete(refTo(20)); got != want || err != nil {
				t.Errorf("it is complete: %v, %v; want %v", got, err, want)
			}
		})
	}
}

// TestRebuildLeavesOut: only a content set that no entry leads to, and that is not excluded, gets keys.
func TestRebuildLeavesOut(t *testing.T) {
	p := plannerOf(t, "names: << /URLS << /Names [ (http://a/0) 20 0 R ] >> >>\n"+info+setA+setB+
		strings.NewReplacer("21 0 obj", "22 0 obj", "b0b1", "c0c1", "11 0", "12 0", "a/0", "c/0").Replace(setB), Options{})
	p.without = exclusions{changeWithout(rule.Rebuild, refTo(21)): "excluded"}
	if err := p.rebuild(); err != nil {
		t.Fatal(err)
	}
	if got := additionsOf(p.trees[webcapture.URLS]); got != "(http://c/0) 22 0 R" {
		t.Errorf("the additions are %s", got)
	}
}

// TestFormsIn: each object of a value has its reference as a form, and if it is readable its text. A content set also
// has a form of its subtype, ID, and URLs.
func TestFormsIn(t *testing.T) {
	f := opened(t, pdf(t, "names: << >>\n"+info+setA+"21"+strings.Replace(copyOfA, "<<", "<< /X 1", 1)+
		"22"+strings.Replace(copyOfA, "http://a/0", "http://b/0", 1)+"23 0 obj << /S /Other >>\n"+
		malformedObject), Options{})
	forms := func(value string) [][]string {
		o, _, err := object.Parse([]byte(value), 0)
		if err != nil {
			t.Fatal(err)
		}
		return formsIn(f.NewReader(), o)
	}
	list := forms("[ 24 0 R null 20 0 R 99 0 R 21 0 R 22 0 R 23 0 R ]")
	var counts []int
	for _, l := range list {
		counts = append(counts, len(l))
	}
	if !slices.Equal(counts, []int{1, 3, 3, 3, 2}) {
		t.Fatalf("the numbers of forms are %v", counts)
	}
	if list = list[1:]; list[0][0] != "20 0 R" || list[0][1] == list[1][1] || list[0][2] != list[1][2] ||
		list[0][2] == list[2][2] {
		t.Errorf("the forms are %q", list)
	}
	if got := forms("24 0 R"); len(got) != 1 || len(got[0]) != 1 || got[0][0] != "24 0 R" {
		t.Errorf("an unreadable value has the forms %q", got)
	}
}

// TestMayRestoreMore: originals may restore more only if there are some, and other steps than theirs.
func TestMayRestoreMore(t *testing.T) {
	step := func(list ...rule.Action) (steps []Step) {
		for _, a := range list {
			steps = append(steps, Step{Action: a})
		}
		return steps
	}
	from := Options{From: []string{"o.pdf"}}
	for name, c := range map[string]struct {
		opt   Options
		steps []Step
		want  bool
	}{
		"a repair":                   {from, step(rule.Restore, rule.ChangeKey), true},
		"restored parts":             {from, step(rule.Restore, rule.Restore), false},
		"objects of its own":         {from, step(rule.OwnObject, rule.Restore), false},
		"no step":                    {from, nil, false},
		"a repair, without original": {Options{}, step(rule.ChangeKey), false},
	} {
		if got := (&combinedPlan{steps: c.steps}).mayRestoreMore(c.opt); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestWhyUnread: two errors are the same if the object and the reason are, wherever the object stands in the file.
func TestWhyUnread(t *testing.T) {
	unread := func(num uint32, offset int64, reason string) string {
		return why(rule.Unread{Err: fmt.Errorf("at %d: %w", offset, &object.Malformed{Ref: refTo(num), Reason: reason})})
	}
	if a, b := unread(5, 1, "x"), unread(5, 2, "x"); a != b {
		t.Errorf("%q is another reason than %q", a, b)
	}
	if a, b, c := unread(5, 1, "x"), unread(6, 1, "x"), unread(5, 1, "y"); a == b || a == c {
		t.Errorf("%q is the same reason as %q or %q", a, b, c)
	}
	if got := why(rule.Unread{Err: errors.New("other")}); got != "other" {
		t.Errorf("the reason is %q", got)
	}
}
