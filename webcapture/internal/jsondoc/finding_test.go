package jsondoc

import (
	"bytes"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// What is written out for speed is what the encoder makes of the struct.
func TestFindingsAreWrittenLikeTheStruct(t *testing.T) {
	rule := &audit.Rule{ID: "WC\"1\"", Level: audit.Error}
	places := []audit.Place{
		{}, {Tree: "URLS"}, {Tree: "IDS", Node: &audit.NodePlace{Index: -1}}, {Tree: "IDS", Node: &audit.NodePlace{Index: 0}},
		{Tree: "IDS", Node: &audit.NodePlace{Ref: object.Ref{Num: 7, Gen: 3}, Index: 4, Kid: true}, Set: object.Ref{Num: 1}},
		{Part: "a \\ part"}, {Page: 3, Object: object.Ref{Num: 4}}, {Set: object.Ref{Num: 1}, Object: object.Ref{Num: 2}},
	}
	texts := []string{"", "plain", "\x00\x1f\x7f\u0080", "\xff\xc0", "\u2028\u2029", "</script>&'", "\"\\/\b\f\n\r\t", "Zürich \U0001F600", "\ufffd"}
	var fixes []*audit.Fix
	for i := range 64 {
		if a, ok := audit.ParseAction(audit.Action(i % 15).String()); ok {
			text := nametree.Key(texts[i%len(texts)])
			fixes = append(fixes, &audit.Fix{Action: a, Tree: string(text), Old: text, New: text + "x", Set: object.Ref{Num: uint32(i % 2)}, Index: i})
		}
	}
	for i, p := range places {
		for j, text := range texts {
			for k, fix := range append(fixes, nil) {
				f := audit.Finding{Rule: rule, Place: p, Message: text, Fix: fix}
				got, want := New(nil), New(nil)
				got.Finding(&f)
				want.Value(FindingOf(&f))
				if !bytes.Equal(got.Bytes(), want.Bytes()) {
					t.Fatalf("place %d, text %d, fix %d: %s, want %s", i, j, k, got.Bytes(), want.Bytes())
				}
			}
		}
	}
}
