package show

import (
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/keys"
)

// The JSON of a row has only the members that apply. An unknown expected key is null, and text has escapes.
func TestJSONOfKeys(t *testing.T) {
	for _, tt := range []struct {
		row  keys.Row
		want string
	}{
		{keys.Row{Tree: webcapture.IDS, Key: "\x00\xff", Expected: "\x00\xff", Verdict: keys.Proven, URL: "h"},
			`{"tree":"IDS","key":{"hex":"00ff"},"expected":{"hex":"00ff"},"verdict":"proven","url":{"text":"h","hex":"68"}}`},
		{keys.Row{Tree: webcapture.URLS, Key: `"<&\`, Verdict: keys.Unchecked, Reason: "a\xff\"\u202e"},
			`{"tree":"URLS","key":{"text":"\"<&\\","hex":"223c265c"},"expected":null,"verdict":"cannot be checked",` +
				`"reason":"a\\xff\"\u202e"}`},
		{keys.Row{Tree: webcapture.URLS, Key: "A", Expected: "a", Verdict: keys.Wrong, Rule: &rule.Rule{ID: "WC201"},
			Page: 12,
			Set:  object.Ref{Num: 3, Gen: 1}, Reason: "upper case"},
			`{"tree":"URLS","key":{"text":"A","hex":"41"},"expected":{"text":"a","hex":"61"},"verdict":"wrong",` +
				`"rule":"WC201","reason":"upper case","page":12,"contentSet":{"num":3,"gen":1}}`},
	} {
		d := jsondoc.New(nil)
		if err := keyJSON(d, 0, &tt.row); err != nil || d.String() != tt.want {
			t.Errorf("%v, got\n%s\nwant\n%s", err, d.Bytes(), tt.want)
		}
	}
}
