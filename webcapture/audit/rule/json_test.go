package rule

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A Place names a node, a pair, or a kid of a tree, or something outside the trees. Decoding gives the place.
func TestPlace(t *testing.T) {
	node := func(num uint32, index int, kid bool) *NodePlace {
		return &NodePlace{Ref: object.Ref{Num: num}, Index: index, Kid: kid}
	}
	for _, tt := range []struct {
		name  string
		place Place
		want  string
	}{
		{"catalog", Place{}, `{"text":"catalog"}`},
		{"tree", Place{Tree: "IDS"}, `{"text":"IDS","tree":"IDS"}`},
		{"node", Place{Tree: "IDS", Node: node(4, -1, false)},
			`{"text":"IDS, node 4 0 R","tree":"IDS","node":{"object":{"num":4,"gen":0}}}`},
		{"direct node", Place{Tree: "IDS", Node: node(0, -1, false)},
			`{"text":"IDS, a node without number","tree":"IDS","node":{"direct":true}}`},
		{"first pair", Place{Tree: "URLS", Node: node(4, 0, false), Key: "a", ID: "\x01", Set: object.Ref{Num: 9}},
			`{"text":"URLS, entry 1 of node 4 0 R, content set 9 0 R","tree":"URLS","node":{"object":{"num":4,"gen":0}},` +
				`"pair":0,"contentSet":{"num":9,"gen":0},"key":{"text":"a","hex":"61"},"id":{"hex":"01"}}`},
		{"second kid", Place{Tree: "URLS", Node: node(4, 1, true)},
			`{"text":"URLS, kid 2 of node 4 0 R","tree":"URLS","node":{"object":{"num":4,"gen":0}},"kid":1}`},
		{"part", Place{Part: "SpiderInfo"}, `{"text":"SpiderInfo","part":"SpiderInfo"}`},
		{"page", Place{Page: 3, Object: object.Ref{Num: 5, Gen: 1}},
			`{"text":"page 3, 5 1 R","page":3,"object":{"num":5,"gen":1}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := encoded(t, tt.place)
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			var out Place
			if err := json.Unmarshal([]byte(got), &out); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(out, tt.place) {
				t.Errorf("decodes to %+v, want %+v", out, tt.place)
			}
		})
	}
}

// In the JSON, bytes of a place and a message that are not UTF-8 become escapes.
func TestFindingWithAnyBytes(t *testing.T) {
	got := encoded(t, Finding{
		Rule: &Rule{ID: "WC1", Level: Note}, Place: Place{Part: "\xff"}, Message: "\xfe",
		Fix: &Fix{Action: AddKey, Tree: "\xfd"},
	})
	want := `{"rule":"WC1","level":"note","place":{"text":"\\xff","part":"\\xff"},"message":"\\xfe",` +
		`"fix":{"action":"add-key","tree":"\\xfd","new":{"text":"","hex":""}}}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A fix has the values that its action uses according to package rule, also if they are empty or 0. Decoding gives
// the finding.
func TestFix(t *testing.T) {
	wc1 := &Rule{ID: "WC1", Level: Error}
	const head = `{"rule":"WC1","level":"error","place":{"text":"catalog"},"message":"broken"`
	set := object.Ref{Num: 6}
	for _, tt := range []struct {
		name string
		fix  *Fix
		want string
	}{
		{"none", nil, `}`},
		{"no values", &Fix{Action: BuildIDS}, `,"fix":{"action":"build-ids"}}`},
		{"old", &Fix{Action: RemoveEntry, Old: "a"},
			`,"fix":{"action":"remove-entry","old":{"text":"a","hex":"61"}}}`},
		{"new", &Fix{Action: AddKey, Tree: "IDS", New: "b", Set: set},
			`,"fix":{"action":"add-key","tree":"IDS","new":{"text":"b","hex":"62"},"contentSet":{"num":6,"gen":0}}}`},
		{"both", &Fix{Action: ChangeKey, Old: "", New: "b"},
			`,"fix":{"action":"change-key","old":{"text":"","hex":""},"new":{"text":"b","hex":"62"}}}`},
		{"first element dropped", &Fix{Action: DropMember, Set: set},
			`,"fix":{"action":"drop-member","contentSet":{"num":6,"gen":0},"element":0}}`},
		{"element dropped", &Fix{Action: DropMember, Index: 2}, `,"fix":{"action":"drop-member","element":2}}`},
		{"element replaced", &Fix{Action: ReplaceMember, Set: set, Index: 2},
			`,"fix":{"action":"replace-member","contentSet":{"num":6,"gen":0},"element":2}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			finding := Finding{Rule: wc1, Message: "broken", Fix: tt.fix}
			got := encoded(t, finding)
			if want := head + tt.want; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			var out Finding
			if err := json.Unmarshal([]byte(got), &out); err != nil {
				t.Fatal(err)
			}
			if out.Rule.ID != wc1.ID {
				t.Errorf("rule %v, want %v", out.Rule.ID, wc1.ID)
			}
			if out.Rule = wc1; !reflect.DeepEqual(out, finding) {
				t.Errorf("decodes to %+v with fix %+v, want %+v with fix %+v", out, out.Fix, finding, tt.fix)
			}
		})
	}
}

// Results of another version of webcap may have actions that this version does not know. "rebuild" is an action of a
// rewrite, but never of a finding.
func TestUnknownFix(t *testing.T) {
	for _, fix := range []string{`{"action":"other"}`, `{}`, `{"action":"rebuild"}`} {
		var f Finding
		err := json.Unmarshal([]byte(`{"rule":"WC1","fix":`+fix+`}`), &f)
		if _, ok := errors.AsType[*json.UnmarshalTypeError](err); !ok {
			t.Errorf("%s: error %v", fix, err)
		}
	}
}

// encoded returns the JSON of v without escapes for HTML.
func encoded(t *testing.T, v json.Marshaler) string {
	t.Helper()
	b, err := v.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
