package report

import (
	"encoding/csv"
	"strings"
	"testing"
)

func TestCSVRows(t *testing.T) {
	o, records := allRecords(t)
	checkCSV(t, o, records)
}

func FuzzCSV(f *testing.F) {
	fuzzHostile(f, func(t *testing.T, s string) { checkCSV(t, Options{}, hostileRecords(s)) })
}

// checkCSV: rows have the columns that the header says, and no cell is a formula.
func checkCSV(t *testing.T, o Options, list []*Record) {
	rows, err := csv.NewReader(strings.NewReader(resultsIn(t, "csv", o, true, list...))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"type": 1, "summary": 1}
	for _, r := range list {
		want["input"]++
		if rep := r.Report; rep != nil {
			want["finding"] += rep.Findings.Len()
			want["ignored"] += len(r.Ignored)
			want["identity"] += len(rep.Identities)
			want["unread"] += len(rep.Unread)
			want["structure"] += len(rep.Notices) + oneIf(rep.Repaired)
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

func TestCSVCells(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a=1": "a=1", "=1": "'=1", "+1": "'+1", "-": "'-", "@x": "'@x", "＝1": "'＝1", "\t=1": `\x09=1`, "'=": "'=", "(=)": "(=)",
	} {
		if got := csvCell(in); got != want {
			t.Errorf("csvCell(%q) = %q, want %q", in, got, want)
		}
	}
}
