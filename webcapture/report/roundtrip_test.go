package report

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
)

// fullRecord returns a record with all its fields.
func fullRecord() *Record {
	rec := provenRecord(audit.Rules()[0])
	rec.Archive, rec.Path = "a\xff.zip", "a\xff.zip!b.pdf"
	rec.Size, rec.SHA256, rec.Seconds = 12, "ab", 0.5
	rec.Rewrite = &Rewrite{Steps: 3, Written: true, Errors: 2, Left: []string{"why"},
		Missing: []MissingSet{{"contentSet", "original.pdf", "page set", "\x00", "http://a/", "not in the file"}}}
	rep := rec.Report
	rep.Subjects, rep.Positions = map[string]string{"a": "b"}, map[string]string{"c": "d"}
	rep.Notices = []string{"odd"}
	rep.Unread = []rule.Unread{{Place: rule.Place{Tree: "URLS"}, Err: errors.New("torn")}}
	rep.Omitted = []rule.Omitted{{Rule: audit.Rules()[0], Count: 13}}
	rep.Identities[0].Capture = rule.Capture{Record: "<urn:a>", Status: 200, Time: day, MD5: [16]byte{1, 2}, Tried: 2}
	return rec
}

// Each field of a record survives in both formats.
func TestRoundTripOfFields(t *testing.T) {
	want := fullRecord()
	for _, format := range []string{"json", "ndjson"} {
		t.Run(format, func(t *testing.T) {
			results := resultsIn(t, format, Options{Head: Head{Rules: audit.Rules()}}, Complete, want)
			r, list, err := readAll([]byte(results))
			if err != io.EOF || len(list) != 1 || r.End() != Complete {
				t.Fatalf("%d records, %v, %v", len(list), err, r.End())
			}
			got := list[0]
			for field, pair := range map[string][2]any{
				"Path": {got.Path, want.Path}, "Archive": {got.Archive, want.Archive}, "Size": {got.Size, want.Size},
				"SHA256": {got.SHA256, want.SHA256}, "Seconds": {got.Seconds, want.Seconds},
				"Rewrite": {got.Rewrite, want.Rewrite}, "Facts": {got.Report.Facts, want.Report.Facts},
				"Subjects":   {got.Report.Subjects, want.Report.Subjects},
				"Positions":  {got.Report.Positions, want.Report.Positions},
				"Identities": {got.Report.Identities, want.Report.Identities},
				"omitted":    {got.Report.Omitted[0].Count, want.Report.Omitted[0].Count},
				"unread":     {got.Report.Unread[0].Err.Error(), "torn"},
				"ignored":    {got.Ignored[0].Reason, want.Ignored[0].Reason},
				"fix":        {got.Report.Findings[0].Repairable(), want.Report.Findings[0].Repairable()},
			} {
				if !reflect.DeepEqual(pair[0], pair[1]) {
					t.Errorf("%s: %+v, want %+v", field, pair[0], pair[1])
				}
			}
		})
	}
}

// The Err of a record keeps its kind, because the kind decides the outcome.
func TestRoundTripOfErrors(t *testing.T) {
	for outcome, err := range map[Outcome][]error{
		Nothing: {ErrNoFiles, ErrNoMembers}, Failed: {errors.New("gone")}, TimedOut: {TimeLimit(time.Second)},
		Skipped: {&SkippedError{"too large"}},
	} {
		for _, err := range err {
			results := resultsIn(t, "ndjson", Options{}, Complete, &Record{Path: "a", Err: err})
			_, list, _ := readAll([]byte(results))
			if len(list) != 1 || !reflect.DeepEqual(list[0].Err, err) || list[0].Outcome() != outcome {
				t.Errorf("%v is read as %+v, want the outcome %v", err, list, outcome)
			}
			if !strings.Contains(results, fmt.Sprintf(`"outcome":"%v"`, outcome)) {
				t.Errorf("%v: the outcome is not %v in\n%s", err, outcome, results)
			}
		}
	}
	if err := ErrorOf("clean", ""); err != nil {
		t.Errorf("a clean file has the error %v", err)
	}
}

// Results with a damaged byte are never complete, and the error says where the damage is. A control character is not
// valid anywhere in JSON.
func TestReaderNoticesDamage(t *testing.T) {
	for _, format := range []string{"json", "ndjson"} {
		t.Run(format, func(t *testing.T) {
			o := Options{Head: Head{Rules: audit.Rules()[:1], Sources: []Source{{Name: "s"}}}}
			whole := []byte(strings.TrimSpace(resultsIn(t, format, o, Complete, fullRecord())))
			for i := range whole {
				damaged := slices.Clone(whole)
				damaged[i] = 1
				r, list, err := readAll(damaged)
				if slices.Contains(list, nil) || r != nil && r.End() == Complete || !where.MatchString(fmt.Sprint(err)) {
					t.Fatalf("damaged after %.60q: %v", whole[max(i-60, 0):i], err)
				}
			}
		})
	}
}

// scalar matches a member with a string, a number, or a truth value.
var scalar = regexp.MustCompile(`"([A-Za-z0-9]+)":("(?:[^"\\]|\\.)*"|[-0-9.]+|true|false)`)

// Each value of another kind is noticed: results with it are not complete.
func TestReaderNoticesKinds(t *testing.T) {
	for _, format := range []string{"json", "ndjson"} {
		t.Run(format, func(t *testing.T) {
			o := Options{Head: Head{Rules: audit.Rules()[:1], Sources: []Source{{Name: "s"}}, Directory: "d"}}
			whole := []byte(resultsIn(t, format, o, Complete, fullRecord()))
			for _, at := range scalar.FindAllSubmatchIndex(whole, -1) {
				if name := string(whole[at[2]:at[3]]); name == "lines" { // only journals read it
					continue
				}
				damaged := slices.Concat(whole[:at[4]], []byte("[[]]"), whole[at[5]:])
				if r, _, err := readAll(damaged); err == io.EOF && r.End() == Complete {
					t.Errorf("a list is accepted as %s, after %.60q", whole[at[2]:at[3]], whole[max(at[0]-60, 0):at[0]])
				}
			}
		})
	}
}

// A document with an invalid part is rejected where the part is read, and yields no record.
func TestReaderRefusesParts(t *testing.T) {
	const head = `{"schema":"webcap.audit/1","tool":{},"rules":[{"id":"WC303","level":"error"}],"inputs":[`
	const file = `{"path":"a","outcome":"findings","file":{},"database":{},`
	for _, part := range []string{
		`"findings":7`, `"findings":{}`, `"findings":[{"rule":"WC1"}]`, `"ignored":[{"rule":"WC1"}]`, `"identities":true`,
		`"identities":[{"proof":"no"}]`, `"identities":[{"proof":"verified","capture":{"md5":"00"}}]`,
		`"identities":[{"proof":"verified","capture":{"md5":"` + strings.Repeat("xy", 16) + `"}}]`,
		`"omitted":[{"rule":"WC1","count":1}]`,
		`"archiveHex":"x"`, `"new":x`, `7:1`,
	} {
		t.Run(part, func(t *testing.T) {
			text := head + file + part + `}],"summary":{"inputs":1,"outcomes":{"findings":1},"findings":{},"complete":true}}`
			if _, list, err := readAll([]byte(text)); len(list) > 0 || !errors.Is(err, jsondoc.ErrFormat) {
				t.Errorf("%d records, %v", len(list), err)
			}
		})
	}
	omitted := head + `{"path":"a","outcome":"error","reason":"r","omitted":[{"rule":"WC303","count":1}]}],"summary":{}}`
	if _, list, err := readAll([]byte(omitted)); len(list) > 0 || !errors.Is(err, jsondoc.ErrFormat) {
		t.Errorf("omitted findings of a file that was not audited: %d records, %v", len(list), err)
	}
}

// Add or Close returns the error of each write of a record whose parts are all larger than a write.
func TestNoWriteErrorOfLargePartsIsForgotten(t *testing.T) {
	large := strings.Repeat("large ", 1<<14)
	rec := fullRecord()
	change(rec, 9, func(f *rule.Finding) { f.Message += large })
	for i := range rec.Report.Identities {
		rec.Report.Identities[i].Reason, rec.Report.Identities[i].Where = large, large
	}
	rec.Ignored[0].Reason = large
	rec.Report.Unread[0].Err, rec.Report.Notices = errors.New(large), []string{large}
	odd := &rule.Rule{ID: "WC999", Title: large, Problem: large, Clause: large, Level: rule.Error}
	o := Options{Head: Head{Rules: []*rule.Rule{odd}, Configuration: []string{large}}}
	for _, format := range all {
		t.Run(format.Name, func(t *testing.T) {
			for n := 1; ; n += 1 + n/16 { // each write, but only some of formats with many small ones
				w := &flaky{fails: n}
				err := writeAll(format.New(w, o), []*Record{rec, {Path: large, Err: errors.New(large)}})
				if w.writes < n {
					break
				}
				if !errors.Is(err, errFull) {
					t.Fatalf("write %d fails, and the error is %v", n, err)
				}
			}
		})
	}
}

// Results are incomplete if any count of their summary is wrong.
func TestReaderComparesCounts(t *testing.T) {
	whole := resultsIn(t, "json", Options{Head: Head{Rules: audit.Rules()}}, Complete, fullRecord())
	at := strings.LastIndex(whole, `"summary":`)
	for _, count := range []string{`"inputs":1`, `"findings":1`, `"error":15`, `"warning":0`, `"note":0`, `"verified":1`,
		`"mismatch":1`, `"notCheckable":1`} {
		t.Run(count, func(t *testing.T) {
			level, _, _ := strings.Cut(count, ":")
			summary := regexp.MustCompile(level+`:[0-9]+`).ReplaceAllString(whole[at:], level+":77")
			if r, list, err := readAll([]byte(whole[:at] + summary)); err != io.EOF || len(list) != 1 || r.End() != Missing {
				t.Errorf("%d records, %v, %v, want %v; of\n%s", len(list), err, r.End(), Missing, summary)
			}
		})
	}
}

// The archive of a joined record is in the same folder as the record, and other records have no archive.
func TestJoinOfArchives(t *testing.T) {
	o := Options{Head: Head{Directory: "in"}}
	r, err := NewReader(strings.NewReader(resultsIn(t, "ndjson", o, Complete,
		&Record{Path: "a.zip!b.pdf", Archive: "a.zip", Err: io.EOF}, &Record{Path: "c.pdf", Err: io.EOF})))
	if err != nil {
		t.Fatal(err)
	}
	r.directory = "in"
	for _, want := range []Record{{Path: "in/a.zip!b.pdf", Archive: "in/a.zip"}, {Path: "in/c.pdf"}} {
		if rec, err := r.Next(); err != nil || rec.Path != want.Path || rec.Archive != want.Archive {
			t.Errorf("%+v, %v, want %q in %q", rec, err, want.Path, want.Archive)
		}
	}
}
