package catalog_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/catalog"
)

// entries has content sets with the titles A to E: A is in both trees, B and E are direct values, C is in a direct
// array, and D in an indirect one.
const entries = `names: << /URLS << /Names [ (a) 5 0 R (b) << /S /SPS /T (B) /O [ ] >> (c) [ 6 0 R ] (d) 7 0 R ] >>
  /IDS << /Names [ (i) << /S /SPS /T (E) /O [ ] >> (j) 5 0 R ] >> >>
5 0 obj << /S /SPS /T (A) /O [ 10 0 R 11 0 R ] >>
6 0 obj << /S /SPS /T (C) /O [ 11 0 R ] >>
7 0 obj [ 8 0 R ]
8 0 obj << /S /SPS /T (D) /O [ ] >>
10 0 obj << /Type /Page >>
11 0 obj << /Type /Page >>
`

// places returns the places of entries by name: those of both trees, such as "URLS 0", and others.
func places(db *webcapture.Database) map[string]rule.Place {
	ref := func(n uint32) object.Ref { return object.Ref{Num: n} }
	m := map[string]rule.Place{
		"set 5": {Set: ref(5)}, "object 10": {Object: ref(10)}, "object 11": {Object: ref(11)},
		"set 8, object 10": {Set: ref(8), Object: ref(10)}, "URLS": {Tree: "URLS"}, "IDS": {Tree: "IDS"},
		"catalog": {Part: "SpiderInfo"}, "page": {Page: 1},
	}
	for _, t := range db.Trees() {
		for i, e := range t.Entries() {
			m[fmt.Sprint(t.Name, " ", i)] = rule.PlaceOf(t, e)
		}
		at := rule.PlaceOf(t, t.Entry(1))
		kid, node, gone := *at.Node, *at.Node, *at.Node
		kid.Kid, node.Index, gone.Index = true, -1, 99
		m[t.Name.String()+" gone"] = rule.Place{Tree: at.Tree, Node: &gone}
		m[t.Name.String()+" kid"] = rule.Place{Tree: at.Tree, Node: &kid}
		m[t.Name.String()+" node"] = rule.Place{Tree: at.Tree, Node: &node}
	}
	return m
}

func finding(level rule.Level, at rule.Place, message string) rule.Finding {
	return rule.Finding{Rule: &rule.Rule{ID: "WC1", Level: level}, Place: at, Message: message}
}

// TestFindingsOf: errors and warnings about the content set, its members, and entries with it explain why a viewer
// does not find it in a tree; also those about nodes of the tree, and direct values.
func TestFindingsOf(t *testing.T) {
	_, db := opened(t, context.Background(), entries)
	var found []rule.Finding
	for name, at := range places(db) {
		found = append(found, finding(rule.Warning, at, name), finding(rule.Note, at, "a note"))
	}
	slices.SortFunc(found, func(a, b rule.Finding) int { return strings.Compare(a.Message, b.Message) })
	found = append(found, finding(rule.Error, rule.Place{Tree: "URLS"}, "an error"))
	of := catalog.FindingsOf(db, &audit.Report{Findings: rule.Findings(found)})
	const urls, ids = "URLS|URLS 1|URLS 2|URLS gone|URLS kid|URLS node", "IDS|IDS 0|IDS gone|IDS kid|IDS node"
	a := &catalog.Capture{Object: object.Ref{Num: 5}, Members: []object.Ref{{Num: 10}, {Num: 11}}}
	for _, tt := range []struct {
		name    string
		capture *catalog.Capture
		tree    webcapture.TreeName
		want    string
	}{
		{"A in URLS", a, webcapture.URLS, "an error|IDS 1|URLS 0|set 5|object 10|set 8, object 10|object 11|" + urls},
		{"A in IDS", a, webcapture.IDS, "IDS 1|URLS 0|set 5|object 10|set 8, object 10|object 11|" + ids},
		{"D in IDS", &catalog.Capture{Object: object.Ref{Num: 8}}, webcapture.IDS, "set 8, object 10|" + ids},
		{"B in URLS", &catalog.Capture{}, webcapture.URLS, "an error|" + urls},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, f := range of(tt.capture, tt.tree) {
				got = append(got, f.Message)
			}
			if strings.Join(got, "|") != tt.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), tt.want)
			}
		})
	}
}

// TestFindingsWithoutTree: a finding about a missing tree counts for no capture of the other tree.
func TestFindingsWithoutTree(t *testing.T) {
	_, whole := opened(t, context.Background(), entries)
	f, db := opened(t, context.Background(),
		"names: << /IDS << /Names [ (i) 5 0 R ] >> >>\n5 0 obj << /S /SPS /O [ ] >>\n")
	rep := &audit.Report{Findings: rule.Findings{finding(rule.Error, places(whole)["URLS 0"], "x")}}
	list, _, err := catalogOf(f, db)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, error %v", list, err)
	}
	of := catalog.FindingsOf(db, rep)
	if in, other := of(list[0], webcapture.URLS), of(list[0], webcapture.IDS); len(in) != 1 || len(other) != 0 {
		t.Errorf("%d findings in URLS, %d in IDS, want 1 and 0", len(in), len(other))
	}
}
