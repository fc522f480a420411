package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// A file without a report has only its outcome. Its list of unread parts is empty, not null.
func TestRecordWithoutReport(t *testing.T) {
	got := encoded(t, &Record{Path: "a.pdf", Err: errors.New("no such file")})
	if want := `{"path":"a.pdf","outcome":"error","reason":"no such file","unread":[]}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A file without a database says so as its reason. Its list of notices is empty, not null.
func TestRecordWithoutDatabase(t *testing.T) {
	got := encoded(t, &Record{Path: "a.pdf", Report: &audit.Report{}})
	want := `{"path":"a.pdf","outcome":"none","reason":"no Web Capture content database","file":{"size":0,"version":"",` +
		`"encrypted":false,"repaired":false,"notices":[]},"unread":[]}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A report with all that the JSON of a file holds. Each number is another one, so that none can take the place of
// another. Bytes that are not UTF-8 become escapes.
func TestRecordWithReport(t *testing.T) {
	got := encoded(t, &Record{Path: "a.pdf", Report: &audit.Report{
		Facts: webcapture.Facts{Size: 1, Version: "1.7", Encrypted: true, WithoutXRef: true, Notices: []string{"a", "\xff"},
			Present: true, HasURLS: true, HasIDS: true, URLS: 2, IDS: 3},
		Counts: audit.Counts{PageSets: 4, ImageSets: 5, OtherSets: 6,
			Digests: audit.Digests{Verified: 7, Differ: 8, Unchecked: 9}},
		Identities: []rule.Identity{{Proof: rule.Verified}, {Proof: rule.Mismatch}, {Proof: rule.Mismatch}},
		Omitted:    []rule.Omitted{{Rule: &rule.Rule{ID: "WC1"}, Count: 10}},
		Unread:     []rule.Unread{{Place: rule.Place{Tree: "IDS"}, Ref: object.Ref{Num: 11}, Err: errors.New("bad \xfe")}},
	}})
	want := `{"path":"a.pdf","outcome":"partial","file":{"size":1,"version":"1.7","encrypted":true,"repaired":true,` +
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
func TestDatabaseJSON(t *testing.T) {
	for _, tt := range []struct {
		name string
		rep  audit.Report
		want string // urls, ids, digests, identities
	}{
		{"no trees", audit.Report{}, `null null - -`},
		{"empty trees", audit.Report{Facts: webcapture.Facts{HasURLS: true, HasIDS: true}}, `0 0 - -`},
		{"URLS", audit.Report{Facts: webcapture.Facts{HasURLS: true, URLS: 2}}, `2 null - -`},
		{"IDS", audit.Report{Facts: webcapture.Facts{HasIDS: true, IDS: 3}}, `null 3 - -`},
		{"verified", audit.Report{Counts: audit.Counts{Digests: audit.Digests{Verified: 1}}},
			`null null {"verified":1,"differ":0,"unchecked":0} -`},
		{"differ", audit.Report{Counts: audit.Counts{Digests: audit.Digests{Differ: 1}}},
			`null null {"verified":0,"differ":1,"unchecked":0} -`},
		{"unchecked", audit.Report{Counts: audit.Counts{Digests: audit.Digests{Unchecked: 1}}},
			`null null {"verified":0,"differ":0,"unchecked":1} -`},
		{"sources without content sets", audit.Report{Identities: []rule.Identity{}},
			`null null - {"verified":0,"mismatch":0,"notCheckable":0}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.rep.Present = true
			text, err := json.Marshal(DatabaseOf(&tt.rep))
			if err != nil {
				t.Fatal(err)
			}
			var members map[string]json.RawMessage
			if err := json.Unmarshal(text, &members); err != nil {
				t.Fatal(err)
			}
			or := func(m json.RawMessage) string { // the text, or "-" for an absent member
				if m == nil {
					return "-"
				}
				return string(m)
			}
			got := fmt.Sprint(or(members["urls"]), " ", or(members["ids"]), " ", or(members["digests"]), " ",
				or(members["identities"]))
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
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

// encoded returns the JSON of a record without its lists.
func encoded(t *testing.T, r *Record) string {
	t.Helper()
	b, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
