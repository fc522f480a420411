package report

import (
	"encoding/csv"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

func TestCSVRows(t *testing.T) {
	o, records := allRecords(t)
	checkCSV(t, o, records)
}

func FuzzCSV(f *testing.F) {
	fuzzHostile(f, func(t *testing.T, s string) { checkCSV(t, Options{}, hostileRecords(s)) })
}

// checkCSV checks that rows have the columns of the header, and that no cell is a formula.
func checkCSV(t *testing.T, o Options, list []*Record) {
	rows, err := csv.NewReader(strings.NewReader(resultsIn(t, "csv", o, Complete, list...))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"type": 1, "summary": 1}
	for _, r := range list {
		want["input"]++
		if rep := r.Report; rep != nil {
			want["finding"] += len(rep.Findings)
			want["ignored"] += len(r.Ignored)
			want["identity"] += len(rep.Identities)
			want["unread"] += len(rep.Unread)
			want["structure"] += len(rep.Notices) + oneIf(rep.WithoutXRef)
		}
	}
	got := map[string]int{}
	for _, row := range rows {
		got[row[0]]++
		for i, c := range row {
			if c != "" && strings.ContainsAny(c[:1], "=+-@\t\r") {
				t.Errorf("%s of a row %s is %q", csvHeader[i], row[0], c)
			}
		}
	}
	for kind, n := range want {
		if got[kind] != n {
			t.Errorf("%s: %d rows %s, want %d", list[0].Path, got[kind], kind, n)
		}
	}
}

// The row of an input has its counts and the facts about the file, each in a column.
func TestCSVOfFiles(t *testing.T) {
	rec := manyFindings(5)[0]
	change(rec, 2, func(f *rule.Finding) { f.Rule = &rule.Rule{ID: "WC103", Level: rule.Note} })
	rep := rec.Report
	rep.URLS, rep.IDS, rep.PageSets, rep.ImageSets, rep.Size, rep.Version = 1, 2, 3, 4, 99, "1.7"
	hashed := *rec
	hashed.Size, hashed.SHA256 = 100, "ab12"
	rows, err := csv.NewReader(strings.NewReader(resultsIn(t, "csv", Options{}, Complete, rec, &hashed,
		&Record{Path: "b.pdf", Err: errors.New("gone")}))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range rows {
		if row[0] == "input" || row[0] == "type" {
			got = append(got, strings.Join(row[16:], " "))
		}
	}
	want := []string{
		"urls ids page_sets image_sets errors warnings notes size pdf_version sha256",
		"1 2 3 4 3 0 2 99 1.7 ", "1 2 3 4 3 0 2 100 1.7 ab12", "         ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The result distinguishes a file with errors from one that could not be audited. A file with only notes is clean.
func TestCSVResults(t *testing.T) {
	noted := manyFindings(1)[0]
	change(noted, 1, func(f *rule.Finding) { f.Rule = &rule.Rule{ID: "WC103", Level: rule.Note, Problem: "A problem"} })
	noted.Report.Subjects = map[string]string{noted.Report.Findings[0].Place.String(): "http://a.example/"}
	for _, tt := range []struct {
		name         string
		rec          *Record
		result, find string
	}{
		{"errors", manyFindings(1)[0], "with errors", ""},
		{"notes", noted, "clean", "note,WC103,A problem,"},
		{"failure", &Record{Path: "a.pdf", Err: errors.New("not a PDF")}, "not audited", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := resultsIn(t, "csv", Options{}, Complete, tt.rec)
			rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			if in := rows[1]; in[2] != tt.result || !strings.Contains(out, tt.find) ||
				tt.find != "" && !strings.Contains(out, ",http://a.example/,") {
				t.Errorf("result %q, want %q and %q in\n%s", in[2], tt.result, tt.find, out)
			}
		})
	}
}
