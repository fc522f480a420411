package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// entriesOf audits the objects of a document, and returns its entries as text.
func entriesOf(t *testing.T, objects string, opt Options) (rows []string, rep *Report) {
	t.Helper()
	doc, err := webcapturetest.Parse(objects)
	if err != nil {
		t.Fatal(err)
	}
	opt.Entries = true
	if rep, err = Bytes("a.pdf", doc.Bytes(webcapturetest.Layout{}), opt); err != nil {
		t.Fatal(err)
	}
	for e := range rep.Entries.All() {
		rows = append(rows, fmt.Sprintf("%v %v %d %v %v %s %d %d %d", e.Tree, e.Key, e.Set.Num, e.Subtype, e.ID, e.URL,
			e.Created.Year(), e.Retrieved.Year(), e.Expires.Year()))
	}
	return rows, rep
}

// Each entry is there, with each content set that it leads to, or with none.
func TestEntriesListWhatIsThere(t *testing.T) {
	rows, rep := entriesOf(t, `
names: << /URLS << /Names [ (http://a/) 5 0 R (http://b/) [5 0 R 6 0 R] (http://c/) 99 0 R (http://d/) (text) ] >> /IDS << /Names [ <00> 6 0 R ] >> >>
5 0 obj << /S /SPS /ID <31> /O [] /TS (D:20010203040506Z) /SI << /AU (http://a/) /TS (D:2002) /E (D:2003) >> >>
6 0 obj << /S /SIS /ID <32> /O [] /TS (yesterday) /SI [ << >> << /AU << /U (http://b/) >> >> ] >>
`, Options{})
	slices.Sort(rows)
	want := []string{
		"IDS <00> 6 image set (2) http://b/ 1 1 1",
		"URLS (http://a/) 5 page set (1) http://a/ 2001 2002 2003",
		"URLS (http://b/) 5 page set (1) http://a/ 2001 2002 2003",
		"URLS (http://b/) 6 image set (2) http://b/ 1 1 1",
		"URLS (http://c/) 0 content set ()  1 1 1",
		"URLS (http://d/) 0 content set ()  1 1 1",
	}
	if !slices.Equal(rows, want) {
		t.Errorf("entries\n%s\nwant\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
	}
	if rep.Entries.Len() != len(want) || rep.Entries.Left != 0 {
		t.Errorf("%d rows, %d left", rep.Entries.Len(), rep.Entries.Left)
	}
}

// If the budget is exceeded, entries lack content sets, but no entry is omitted.
func TestEntriesKeepToTheBudget(t *testing.T) {
	objects := "names: << /URLS << /Names ["
	for i := range 50 {
		objects += fmt.Sprintf(" (http://%02d/) 5 0 R", i)
	}
	objects += "] >> >>\n5 0 obj [" + strings.Repeat(" 6 0 R", 100) + " ]\n6 0 obj << /S /SPS /ID <31> /O [] /SI << /AU (http://a/) >> >>\n"
	for _, budget := range []int64{0, 1} {
		t.Run(fmt.Sprint(budget), func(t *testing.T) {
			rows, rep := entriesOf(t, objects, Options{budget: budget})
			wantRows, wantLeft := 50*100, 0
			if budget > 0 {
				wantRows, wantLeft = 50, 50
			}
			if len(rows) != wantRows || rep.Entries.Left != wantLeft {
				t.Errorf("budget %d: %d rows, %d left, want %d and %d", budget, len(rows), rep.Entries.Left, wantRows, wantLeft)
			}
		})
	}
}

// Each entry has at least one row; the limit applies only to further rows.
func TestEntriesShareTheRows(t *testing.T) {
	l := lister{out: &Entries{}, more: 5, rows: make([]EntryOutline, 4)}
	for range 3 {
		l.list(webcapture.URLS, "k")
	}
	if l.out.Len() != 4+3+1 || l.out.Left != 2 {
		t.Errorf("%d rows, %d left, want 8 and 2", l.out.Len(), l.out.Left)
	}
}

// All yields the rows as they were added, each time.
func TestEntriesArePacked(t *testing.T) {
	var e Entries
	var want []EntryOutline
	for i := range 20_000 {
		row := EntryOutline{
			Tree: webcapture.TreeName(i % 2), Key: nametree.Key(strings.Repeat("\x00\xff", i%40)), Set: object.Ref{Num: uint32(i), Gen: uint16(i)},
			Subtype: webcapture.Subtype(i % 3), ID: nametree.Key(fmt.Sprint(i)), URL: strings.Repeat("u", i%7),
			Created: time.Date(i%10_000, 1, 2, 3, 4, 5, 0, time.UTC), Expires: time.Unix(int64(i), 0).UTC(),
		}
		want = append(want, row)
		e.Add(row)
	}
	if len(e.packed) < 3 {
		t.Fatalf("only %d blocks are packed", len(e.packed))
	}
	for range 2 {
		if got := slices.Collect(e.All()); !slices.Equal(got, want) {
			t.Error("rows have changed")
		}
	}
	n := 0
	for range e.All() {
		if n++; n == 3 {
			break
		}
	}
}

func TestWriters(t *testing.T) {
	for _, tc := range []struct{ info, producer, creator string }{
		{"<< /Producer (Acrobat Web Capture 9.0) /Creator <FEFF00E4> >>", "Acrobat Web Capture 9.0", "ä"},
		{"<< /Producer 7 >>", "", ""},
		{"7", "", ""},
	} {
		t.Run(tc.info, func(t *testing.T) {
			_, rep := entriesOf(t, "names: << /URLS << /Names [ ] >> >>\ntrailer: << /Info 9 0 R >>\n9 0 obj "+tc.info+"\n", Options{})
			if rep.Producer != tc.producer || rep.Creator != tc.creator {
				t.Errorf("%s: %q, %q, want %q, %q", tc.info, rep.Producer, rep.Creator, tc.producer, tc.creator)
			}
		})
	}
}

// Without Options.Entries, the report has no entries and no producer.
func TestEntriesOnDemand(t *testing.T) {
	rep, err := File("../../testdata/site.pdf", Options{})
	if err != nil || rep.Entries != nil || rep.Producer != "" || rep.Entries.Len() != 0 {
		t.Errorf("%v, %v, %q", err, rep.Entries, rep.Producer)
	}
}
