package jsondoc

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// A file without a report has only its outcome. Its list of unread parts is empty, not null.
func TestInputWithoutReport(t *testing.T) {
	got := encoded(InputOf("a.pdf", "failed", "no such file", nil))
	if want := `{"path":"a.pdf","outcome":"failed","reason":"no such file","unread":[]}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A file without a database says so as its reason. Its list of notices is empty, not null.
func TestInputWithoutDatabase(t *testing.T) {
	got := encoded(InputOf("a.pdf", "clean", "", &audit.Report{}))
	want := `{"path":"a.pdf","outcome":"clean","reason":"no Web Capture content database","file":{"size":0,"version":"",` +
		`"encrypted":false,"repaired":false,"notices":[]},"unread":[]}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A report with all that the JSON of a file holds. Each number is another one, so that none can take the place of
// another. Bytes that are not UTF-8 become escapes.
func TestInputWithReport(t *testing.T) {
	got := encoded(InputOf("a.pdf", "incomplete", "", &audit.Report{
		Facts: webcapture.Facts{Size: 1, Version: "1.7", Encrypted: true, WithoutXRef: true, Notices: []string{"a", "\xff"},
			Present: true, HasURLS: true, HasIDS: true, URLS: 2, IDS: 3},
		PageSets: 4, ImageSets: 5, OtherSets: 6, DigestsVerified: 7, DigestsDiffer: 8, DigestsUnchecked: 9,
		Identities: []rule.Identity{{Proof: rule.Verified}, {Proof: rule.Mismatch}, {Proof: rule.Mismatch}},
		Omitted:    []rule.Omitted{{Rule: &rule.Rule{ID: "WC1"}, Count: 10}},
		Unread:     []rule.Unread{{Place: rule.Place{Tree: "IDS"}, Ref: object.Ref{Num: 11}, Err: errors.New("bad \xfe")}},
	}))
	want := `{"path":"a.pdf","outcome":"incomplete","file":{"size":1,"version":"1.7","encrypted":true,"repaired":true,` +
		`"notices":["a","\\xff"]},"database":{"urls":2,"ids":3,"pageSets":4,"imageSets":5,` +
		`"otherSets":6,"digests":{"verified":7,"differ":8,"unchecked":9},` +
		`"identities":{"verified":1,"mismatch":2,"notCheckable":0}},` +
		`"unread":[{"place":{"text":"IDS","tree":"IDS"},"object":{"num":11,"gen":0},"reason":"bad \\xfe"}],` +
		`"omitted":[{"rule":"WC1","findings":10}]}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A missing tree is null, an empty one has 0 entries. Digests are only for images, and identities only for sources.
func TestDatabase(t *testing.T) {
	for _, tt := range []struct {
		name string
		rep  audit.Report
		want string // urls, ids, digests, identities
	}{
		{"no trees", audit.Report{}, `null null - -`},
		{"empty trees", audit.Report{Facts: webcapture.Facts{HasURLS: true, HasIDS: true}}, `0 0 - -`},
		{"URLS", audit.Report{Facts: webcapture.Facts{HasURLS: true, URLS: 2}}, `2 null - -`},
		{"IDS", audit.Report{Facts: webcapture.Facts{HasIDS: true, IDS: 3}}, `null 3 - -`},
		{"verified", audit.Report{DigestsVerified: 1}, `null null {"verified":1,"differ":0,"unchecked":0} -`},
		{"differ", audit.Report{DigestsDiffer: 1}, `null null {"verified":0,"differ":1,"unchecked":0} -`},
		{"unchecked", audit.Report{DigestsUnchecked: 1}, `null null {"verified":0,"differ":0,"unchecked":1} -`},
		{"sources without content sets", audit.Report{Identities: []rule.Identity{}},
			`null null - {"verified":0,"mismatch":0,"notCheckable":0}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.rep.Present = true
			got := encoded(databaseOf(&tt.rep))
			var members map[string]json.RawMessage
			if err := json.Unmarshal([]byte(got), &members); err != nil {
				t.Fatal(err)
			}
			or := func(m json.RawMessage) string { // the text, or "-" for an absent member
				if m == nil {
					return "-"
				}
				return string(m)
			}
			got = fmt.Sprint(or(members["urls"]), " ", or(members["ids"]), " ", or(members["digests"]), " ",
				or(members["identities"]))
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// The report that results from the JSON of a file has the facts of the original report. Only findings, their omitted
// numbers, and the identities are not in it.
func TestReportOfInput(t *testing.T) {
	unread := rule.Unread{Place: rule.Place{Tree: "IDS"}, Ref: object.Ref{Num: 4}, Err: errors.New("bad")}
	for _, rep := range []*audit.Report{
		{Path: "empty.pdf", Facts: webcapture.Facts{Notices: []string{}}},
		{Path: "a\xff.pdf", Facts: webcapture.Facts{Size: 1, Version: "1.7", Encrypted: true,
			Notices: []string{"n", "m"}}, Unread: []rule.Unread{unread}},
		{Path: "present.pdf", Facts: webcapture.Facts{Notices: []string{}, WithoutXRef: true, Present: true}},
		{Path: "urls.pdf", Facts: webcapture.Facts{Notices: []string{}, Present: true, HasURLS: true, URLS: 2},
			PageSets: 3, DigestsVerified: 4, DigestsDiffer: 5, DigestsUnchecked: 6},
		{Path: "ids.pdf", Facts: webcapture.Facts{Notices: []string{}, Present: true, HasIDS: true, IDS: 2},
			ImageSets: 3, OtherSets: 4, Identities: []rule.Identity{}},
	} {
		t.Run(rep.Path, func(t *testing.T) {
			text := encoded(InputOf(rep.Path, "clean", "", rep))
			var in Input
			if err := json.Unmarshal([]byte(text), &in); err != nil {
				t.Fatal(err)
			}
			got, err := in.Report()
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, rep) {
				t.Errorf("report of %s\n got %+v\nwant %+v", text, got, rep)
			}
		})
	}
	broken := Input{FilePath: FilePath{Path: "a", PathHex: "x"}, File: &File{}}
	if _, err := broken.Report(); !errors.Is(err, ErrFormat) {
		t.Errorf("broken path: error %v, want %v", err, ErrFormat)
	}
}

// The numbers of findings include those that are not listed.
func TestLevels(t *testing.T) {
	var rep audit.Report
	for i, level := range []rule.Level{rule.Error, rule.Warning, rule.Note} {
		rep.Omitted = append(rep.Omitted, rule.Omitted{Rule: &rule.Rule{Level: level}, Count: i + 1})
	}
	if got, want := LevelsOf(&rep), (Levels{Error: 1, Warning: 2, Note: 3}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
