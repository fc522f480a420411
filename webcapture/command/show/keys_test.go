package show

import (
	"encoding/json"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/keys"
)

// The short way to write a right key gives the same JSON as encoding/json.
func TestRightKeys(t *testing.T) {
	for _, r := range []*keys.Row{
		{Tree: webcapture.IDS, Key: "\x00\xffabc", Verdict: keys.Proven, URL: "http://h/"},
		{Tree: webcapture.URLS, Key: `http://h/"\<&>`, Verdict: keys.Right, Page: 12, Set: object.Ref{Num: 3, Gen: 1}},
	} {
		r.Expected = r.Key
		var url *jsondoc.Key
		if r.URL != "" {
			url = new(jsondoc.Key(r.URL))
		}
		want, err := json.Marshal(jsonKeyRow{Tree: r.Tree.String(), Key: jsondoc.Key(r.Key),
			Expected: new(jsondoc.Key(r.Key)), Verdict: r.Verdict.String(), Page: r.Page,
			Set: jsondoc.RefOrNil(r.Set), URL: url})
		if err != nil {
			t.Fatal(err)
		}
		var got, expected any
		if err := json.Unmarshal(appendRightKey(nil, r), &got); err != nil {
			t.Fatal(err)
		}
		json.Unmarshal(want, &expected)
		a, _ := json.Marshal(got)
		if b, _ := json.Marshal(expected); string(a) != string(b) {
			t.Errorf("%s, want %s", a, b)
		}
	}
}
