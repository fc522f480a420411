package jsondoc

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// A Place names a node, a pair, or a kid of a tree, or something outside the trees. Decoding gives the place.
func TestPlace(t *testing.T) {
	node := func(num uint32, index int, kid bool) *rule.NodePlace {
		return &rule.NodePlace{Ref: object.Ref{Num: num}, Index: index, Kid: kid}
	}
	for _, tt := range []struct {
		name  string
		place rule.Place
		want  string
	}{
		{"catalog", rule.Place{}, `{"text":"catalog"}`},
		{"tree", rule.Place{Tree: "IDS"}, `{"text":"IDS","tree":"IDS"}`},
		{"node", rule.Place{Tree: "IDS", Node: node(4, -1, false)},
			`{"text":"IDS, node 4 0 R","tree":"IDS","node":{"object":{"num":4,"gen":0}}}`},
		{"direct node", rule.Place{Tree: "IDS", Node: node(0, -1, false)},
			`{"text":"IDS, a node without number","tree":"IDS","node":{"direct":true}}`},
		{"first pair", rule.Place{Tree: "URLS", Node: node(4, 0, false), Key: "a", ID: "\x01", Set: object.Ref{Num: 9}},
			`{"text":"URLS, entry 1 of node 4 0 R, content set 9 0 R","tree":"URLS","node":{"object":{"num":4,"gen":0}},` +
				`"pair":0,"contentSet":{"num":9,"gen":0},"key":{"text":"a","hex":"61"},"id":{"hex":"01"}}`},
		{"second kid", rule.Place{Tree: "URLS", Node: node(4, 1, true)},
			`{"text":"URLS, kid 2 of node 4 0 R","tree":"URLS","node":{"object":{"num":4,"gen":0}},"kid":1}`},
		{"part", rule.Place{Part: "SpiderInfo"}, `{"text":"SpiderInfo","part":"SpiderInfo"}`},
		{"page", rule.Place{Page: 3, Object: object.Ref{Num: 5, Gen: 1}},
			`{"text":"page 3, 5 1 R","page":3,"object":{"num":5,"gen":1}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := encoded(PlaceOf(tt.place))
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			var out Place
			if err := json.Unmarshal([]byte(got), &out); err != nil {
				t.Fatal(err)
			}
			if back := out.Decode(); !reflect.DeepEqual(back, tt.place) {
				t.Errorf("decodes to %+v, want %+v", back, tt.place)
			}
		})
	}
}

// In the JSON, bytes of a place and a message that are not UTF-8 become escapes.
func TestFindingWithAnyBytes(t *testing.T) {
	got := encoded(FindingOf(&rule.Finding{
		Rule: &rule.Rule{ID: "WC1", Level: rule.Note}, Place: rule.Place{Part: "\xff"}, Message: "\xfe",
		Fix: &rule.Fix{Action: rule.AddKey, Tree: "\xfd"},
	}))
	want := `{"rule":"WC1","level":"note","place":{"text":"\\xff","part":"\\xff"},"message":"\\xfe",` +
		`"fix":{"action":"add-key","tree":"\\xfd","new":{"text":"","hex":""}}}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A fix has the values that its action uses according to package rule, also if they are empty or 0. Decoding gives
// the finding.
func TestFix(t *testing.T) {
	wc1 := &rule.Rule{ID: "WC1", Level: rule.Error}
	const head = `{"rule":"WC1","level":"error","place":{"text":"catalog"},"message":"broken"`
	set := object.Ref{Num: 6}
	for _, tt := range []struct {
		name string
		fix  *rule.Fix
		want string
	}{
		{"none", nil, `}`},
		{"no values", &rule.Fix{Action: rule.BuildIDS}, `,"fix":{"action":"build-ids"}}`},
		{"old", &rule.Fix{Action: rule.RemoveEntry, Old: "a"},
			`,"fix":{"action":"remove-entry","old":{"text":"a","hex":"61"}}}`},
		{"new", &rule.Fix{Action: rule.AddKey, Tree: "IDS", New: "b", Set: set},
			`,"fix":{"action":"add-key","tree":"IDS","new":{"text":"b","hex":"62"},"contentSet":{"num":6,"gen":0}}}`},
		{"both", &rule.Fix{Action: rule.ChangeKey, Old: "", New: "b"},
			`,"fix":{"action":"change-key","old":{"text":"","hex":""},"new":{"text":"b","hex":"62"}}}`},
		{"first element dropped", &rule.Fix{Action: rule.DropMember, Set: set},
			`,"fix":{"action":"drop-member","contentSet":{"num":6,"gen":0},"element":0}}`},
		{"element dropped", &rule.Fix{Action: rule.DropMember, Index: 2}, `,"fix":{"action":"drop-member","element":2}}`},
		{"element replaced", &rule.Fix{Action: rule.ReplaceMember, Set: set, Index: 2},
			`,"fix":{"action":"replace-member","contentSet":{"num":6,"gen":0},"element":2}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			finding := rule.Finding{Rule: wc1, Message: "broken", Fix: tt.fix}
			got := encoded(FindingOf(&finding))
			if want := head + tt.want; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			var out Finding
			if err := json.Unmarshal([]byte(got), &out); err != nil {
				t.Fatal(err)
			}
			back, err := out.Decode(map[string]*rule.Rule{"WC1": wc1})
			if err != nil || !reflect.DeepEqual(back, finding) {
				t.Errorf("decodes to %+v with fix %+v, %v, want %+v with fix %+v", back, back.Fix, err, finding, tt.fix)
			}
		})
	}
}

// Results of another version of webcap may have rules and actions that this version does not know. "rebuild" is an
// action of a rewrite, but never of a finding.
func TestUnknownFinding(t *testing.T) {
	rules := map[string]*rule.Rule{"WC1": {ID: "WC1"}}
	for _, f := range []Finding{
		{Rule: "WC2"},
		{Rule: "WC1", Fix: &Fix{Action: "other"}},
		{Rule: "WC1", Fix: &Fix{}},
		{Rule: "WC1", Fix: &Fix{Action: "rebuild"}},
	} {
		if _, err := f.Decode(rules); !errors.Is(err, ErrFormat) {
			t.Errorf("rule %s, fix %v: error %v, want %v", f.Rule, f.Fix, err, ErrFormat)
		}
	}
}

func TestOmitted(t *testing.T) {
	rules := map[string]*rule.Rule{"WC1": {ID: "WC1"}}
	for _, n := range []int{0, 1, 12} {
		got, err := (Omitted{"WC1", n}).Decode(rules)
		if want := (rule.Omitted{Rule: rules["WC1"], Count: n}); err != nil || got != want {
			t.Errorf("%d findings: %v, %v, want %v", n, got, err, want)
		}
	}
	for _, o := range []Omitted{{"WC2", 1}, {"WC1", -1}} {
		if _, err := o.Decode(rules); !errors.Is(err, ErrFormat) {
			t.Errorf("%v: error %v, want %v", o, err, ErrFormat)
		}
	}
}
