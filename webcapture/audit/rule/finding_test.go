package rule

import (
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// ordered are places in their order, each with its text.
var ordered = []struct {
	place Place
	want  string
}{
	{Place{Tree: "URLS"}, "URLS"},
	{Place{Tree: "URLS", Node: &NodePlace{Index: -1, order: 0}}, "URLS, a node without number"},
	{Place{Tree: "URLS", Node: &NodePlace{Index: 0, order: 0}}, "URLS, entry 1"},
	{Place{Tree: "URLS", Node: &NodePlace{Index: 1, order: 0}}, "URLS, entry 2"},
	{Place{Tree: "URLS", Node: &NodePlace{Index: 0, Kid: true, order: 0}}, "URLS, kid 1"},
	{Place{Tree: "URLS", Node: &NodePlace{Ref: object.Ref{Num: 12}, Index: -1, order: 1}}, "URLS, node 12 0 R"},
	{Place{Tree: "URLS", Node: &NodePlace{Ref: object.Ref{Num: 12}, Index: 3, order: 1}},
		"URLS, entry 4 of node 12 0 R"},
	{Place{Tree: "URLS", Node: &NodePlace{Ref: object.Ref{Num: 12}, Index: 3, order: 1}, Set: object.Ref{Num: 5}},
		"URLS, entry 4 of node 12 0 R, content set 5 0 R"},
	{Place{Tree: "IDS"}, "IDS"},
	{Place{Tree: "IDS", Node: &NodePlace{Ref: object.Ref{Num: 2}, Kid: true, order: 0}}, "IDS, kid 1 of node 2 0 R"},
	{Place{}, "catalog"},
	{Place{Object: object.Ref{Num: 4}}, "object 4 0 R"},
	{Place{Page: 1}, "page 1"},
	{Place{Page: 1, Object: object.Ref{Num: 3}}, "page 1, 3 0 R"},
	{Place{Page: 2}, "page 2"},
	{Place{Part: "SpiderInfo"}, "SpiderInfo"},
	{Place{Set: object.Ref{Num: 5}}, "content set 5 0 R"},
	{Place{Set: object.Ref{Num: 5}, Object: object.Ref{Num: 3}}, "content set 5 0 R, member 3 0 R"},
	{Place{Set: object.Ref{Num: 6}}, "content set 6 0 R"},
}

// TestPlaces: a place has a text and an order. Key and ID count for neither.
func TestPlaces(t *testing.T) {
	for i, a := range ordered {
		a.place.Key, a.place.ID = nametree.Key("key"), nametree.Key("id")
		if got := a.place.String(); got != a.want {
			t.Errorf("%q, want %q", got, a.want)
		}
		for k, b := range ordered {
			if got, want := a.place.Compare(b.place), b2i(i > k)-b2i(i < k); got != want {
				t.Errorf("%s and %s compare as %d, want %d", a.want, b.want, got, want)
			}
		}
	}
}

// TestOrderOfFindings: findings are in the order of place, rule, and message.
func TestOrderOfFindings(t *testing.T) {
	a, b := &Rule{ID: "WC1"}, &Rule{ID: "WC2"}
	list := []Finding{{Rule: b, Message: "y", Place: Place{Tree: "URLS"}}, {Rule: a, Message: "x"},
		{Rule: a, Message: "y"}, {Rule: b, Message: "a"}}
	for i, f := range list {
		for k, g := range list {
			if got, want := f.Compare(g), b2i(i > k)-b2i(i < k); got != want {
				t.Errorf("%v and %v compare as %d, want %d", f, g, got, want)
			}
		}
	}
}

// TestActions: each action of fixes is found by its name. Only changes of keys, names, URLs, and IDs have old and new
// values.
func TestActions(t *testing.T) {
	const both, onlyOld, onlyNew = " change-key make-absolute rename-destination change-source change-id recompute-id ",
		" remove-entry merge-entries ", " add-key restore-link "
	for a := Action(1); a < actions; a++ {
		name := " " + a.String() + " "
		var found Action
		err := found.UnmarshalText([]byte(a.String()))
		if ok := err == nil; ok != (a < fixActions) || ok && found != a {
			t.Errorf("%v is found as %v, %v", a, found, err)
		}
		if a.HasOld() != strings.Contains(both+onlyOld, name) || a.HasNew() != strings.Contains(both+onlyNew, name) {
			t.Errorf("%v has an old value: %v, a new one: %v", a, a.HasOld(), a.HasNew())
		}
	}
	for _, name := range []string{"", "x", "Add-Key"} {
		if a := Action(0); a.UnmarshalText([]byte(name)) == nil || a != 0 {
			t.Errorf("%q is %v", name, a)
		}
	}
}

// TestProofsHaveNames: each proof is found by its name.
func TestProofsHaveNames(t *testing.T) {
	for p, name := range map[Proof]string{NotCheckable: "not checkable", Verified: "verified", Mismatch: "mismatch"} {
		var got Proof
		if err := got.UnmarshalText([]byte(name)); err != nil || got != p || p.String() != name {
			t.Errorf("%s is %v, %v", name, got, err)
		}
	}
	if p := Proof(0); p.UnmarshalText([]byte("proven")) == nil {
		t.Errorf("an unknown name is %v", p)
	}
}

// TestEvidence: the line has what the source tells about the capture, and the identifier of a page with other files.
func TestEvidence(t *testing.T) {
	sum, id := digest.ID{1}, nametree.Key("\x02")
	one := "<01" + strings.Repeat("00", 15) + ">"
	at := time.Date(2008, 5, 13, 16, 3, 30, 0, time.FixedZone("", 7200))
	for want, i := range map[string]Identity{
		"": {ID: id, Capture: Capture{MD5: sum, Record: "response"}},
		"capture, 1 capture tried, expected <02>, MD5 of the file " + one: {ID: id,
			Capture: Capture{MD5: sum, Tried: 1}},
		"response of 2008-05-13T14:03:30Z with status 200, 2 captures tried, expected <02>, MD5 of the file " + one: {
			ID: id, Proof: Mismatch,
			Capture: Capture{MD5: sum, Record: "response", Time: at, Status: 200, Tried: 2}},
		"capture, 1 capture tried, expected <02>, computed identifier <02>, MD5 of the page alone " + one: {ID: id,
			Proof: Verified, Capture: Capture{MD5: sum, Tried: 1}},
		"capture, 1 capture tried, expected " + one + ", MD5 of the file " + one: {ID: nametree.Key(sum[:]),
			Proof: Verified, Capture: Capture{MD5: sum, Tried: 1}},
	} {
		if got := i.Evidence(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
