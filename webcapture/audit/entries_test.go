package audit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
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
	stored := len(e.open)
	for _, block := range e.packed {
		stored += len(block)
	}
	if stored > 30*len(want) { // a row has more than 60 bytes
		t.Errorf("%d rows take %d bytes", len(want), stored)
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

// A file with only one of the trees has the entries of this tree.
func TestEntriesOfOneTree(t *testing.T) {
	for _, tree := range []string{"URLS", "IDS"} {
		t.Run(tree, func(t *testing.T) {
			rows, _ := entriesOf(t, "names: << /"+tree+" << /Names [ (a) 99 0 R ] >> >>\n5 0 obj null\n", Options{})
			if len(rows) != 1 || !strings.HasPrefix(rows[0], tree+" (a) ") {
				t.Errorf("entries %q", rows)
			}
		})
	}
}

// newLister returns a lister with the given limits, and the tree URLS of a document.
func newLister(t *testing.T, text string, work int64, more int) (*lister, *rule.Tree) {
	t.Helper()
	d, err := webcapturetest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	f := openData(t, d.Bytes(plainLayout))
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	return &lister{file: f, reader: f.NewReader(), out: &Entries{}, work: work, more: more}, &rule.Tree{Tree: db.URLS}
}

const oneSet = "6 0 obj << /S /SPS /ID <31> /O [ ] >>\n"

// A value is read once, however many entries have it. So a budget for two readings is enough.
func TestEntriesReadAValueOnce(t *testing.T) {
	l, tree := newLister(t, "names: << /URLS << /Names [ "+strings.Repeat("(a) 6 0 R ", 50)+"] >> >>\n"+oneSet, 1<<20, 0)
	if err := l.tree(tree); err != nil {
		t.Fatal(err)
	}
	once, want := l.reader.BytesRead(), l.out.Len()
	l, tree = newLister(t, "names: << /URLS << /Names [ (a) 6 0 R ] >> >>\n"+oneSet, 1<<20, 0)
	if err := l.tree(tree); err != nil || l.reader.BytesRead() != once || want != 50 {
		t.Errorf("one entry takes %d bytes, %d entries with the same value %d; %v", l.reader.BytesRead(), want, once, err)
	}
}

// An array may use all rows that are left, and no more.
func TestEntriesUseAllRows(t *testing.T) {
	for more, want := range map[int][2]int{0: {1, 1}, 2: {3, 1}, 3: {4, 0}, 4: {4, 0}} { // rows, and entries with a rest
		t.Run(fmt.Sprint(more), func(t *testing.T) {
			const four = "names: << /URLS << /Names [ (a) [ 6 0 R 6 0 R 6 0 R 6 0 R ] ] >> >>\n"
			l, tree := newLister(t, four+oneSet, 1<<20, more)
			if err := l.tree(tree); err != nil || l.out.Len() != want[0] || l.out.Left != want[1] {
				t.Errorf("%d rows, %d left, %v, want %v", l.out.Len(), l.out.Left, err, want)
			}
		})
	}
}

// After the budget is exceeded nothing is read, and each entry counts as incomplete.
func TestEntriesStopReading(t *testing.T) {
	l, tree := newLister(t, "names: << /URLS << /Names [ (a) 6 0 R (b) 7 0 R (c) [ ] ] >> >>\n"+oneSet+
		"7 0 obj << /Broken ] >>\n", -1, 9)
	if err := l.tree(tree); err != nil || l.reader.BytesRead() > 0 || l.out.Len() != 3 || l.out.Left != 3 {
		t.Errorf("%d bytes, %d rows, %d left, %v", l.reader.BytesRead(), l.out.Len(), l.out.Left, err)
	}
}

// A date is shown if it is valid and its year in UTC has four digits.
func TestListedDates(t *testing.T) {
	l, _ := newLister(t, "names: << /URLS << /Names [ ] >> >>\n6 0 obj (D:2001)\n7 0 obj << /Broken ] >>\n", 0, 0)
	for date, want := range map[string]string{
		"(D:20080513140330Z)":      "2008-05-13T14:03:30Z",
		"(D:0000)":                 "0000-01-01T00:00:00Z",
		"(D:99991231235959)":       "9999-12-31T23:59:59Z",
		"(D:00000101000000+01'00)": "",
		"(D:99991231235959-01'00)": "",
		"(D:20080230)":             "",
		"(2008)":                   "",
		"6 0 R":                    "2001-01-01T00:00:00Z",
		"7 0 R":                    "",
		"/D:2008":                  "",
		"null":                     "",
	} {
		t.Run(date, func(t *testing.T) {
			o, _, err := object.Parse([]byte(date+" "), 0)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if d := l.date(o); !d.IsZero() {
				got = d.Format(time.RFC3339)
			}
			if got != want {
				t.Errorf("%s is %q, want %q", date, got, want)
			}
		})
	}
}

// The listed URL is the first of the sources. A very long one is left out, and no other takes its place.
func TestListedURLs(t *testing.T) {
	long := strings.Repeat("u", maxListedURL)
	for si, want := range map[string]string{
		"<< /AU (a) >>":                               "a",
		"[ << >> << /AU (b) >> << /AU (c) >> ]":       "b",
		"<< /AU << /C [ [ (r) ] ] >> >>":              "r",
		"<< /AU (" + long + ") >>":                    long,
		"[ << /AU (x" + long + ") >> << /AU (b) >> ]": "",
		"7": "",
	} {
		t.Run(si[:min(len(si), 30)], func(t *testing.T) {
			l, tree := newLister(t, "names: << /URLS << /Names [ (a) 6 0 R ] >> >>\n"+
				"6 0 obj << /S /SPS /ID <31> /SI "+si+" >>\n", 1<<20, 0)
			if err := l.tree(tree); err != nil {
				t.Fatal(err)
			}
			for row := range l.out.All() {
				if row.URL != want || l.out.Len() != 1 {
					t.Errorf("URL %.30q, want %.30q", row.URL, want)
				}
			}
		})
	}
}

// TestEntriesFailWithTheFile is TestAuditsFailWithTheFile for objects that only a list of entries reads.
func TestEntriesFailWithTheFile(t *testing.T) {
	d, err := webcapturetest.Parse("names: << /URLS << /Names [ (a) 5 0 R (b) [ 6 0 R ] ] >> >>\ntrailer: << /Info 9 0 R >>\n" +
		"5 0 obj << /S /SPS /ID (a) >>\n6 0 obj << /S /SPS /ID (b) >>\n7 0 obj (a program)\n8 0 obj (another)\n" +
		"9 0 obj << /Producer 7 0 R /Creator 8 0 R >>\n")
	if err != nil {
		t.Fatal(err)
	}
	data := d.Bytes(plainLayout)
	for num := 5; num <= 9; num++ {
		t.Run(fmt.Sprint(num), func(t *testing.T) {
			damaged := bytes.Clone(data)
			f := openData(t, damaged)
			db, err := f.Database()
			if err != nil {
				t.Fatal(err)
			}
			fail := func(*rule.Pass, *rule.Document) { // when the content sets have been read
				copy(damaged[bytes.Index(damaged, fmt.Appendf(nil, "\n%d 0 obj", num)):], "\n???")
			}
			rep, err := Run(f, Options{Database: db, Rules: []*rule.Rule{{ID: "WC000", CheckDocument: fail}}, Entries: true})
			if !webcapture.IsDamage(err) || rep != nil {
				t.Errorf("without object %d: %v", num, err)
			}
		})
	}
}

// An unreadable value is an entry without content set. The other entries are listed.
func TestEntriesOfUnreadableValues(t *testing.T) {
	l, tree := newLister(t, "names: << /URLS << /Names [ (a) 7 0 R (b) [ 7 0 R 6 0 R ] (c) 6 0 R ] >> >>\n"+oneSet+
		"7 0 obj << /Broken ] >>\n", 1<<20, 9)
	if err := l.tree(tree); err != nil {
		t.Fatal(err)
	}
	var got []string
	for row := range l.out.All() {
		got = append(got, fmt.Sprintf("%v %d", row.Key, row.Set.Num))
	}
	slices.Sort(got)
	if want := []string{"(a) 0", "(b) 6", "(c) 6"}; !slices.Equal(got, want) || l.out.Left != 0 {
		t.Errorf("entries %q, %d left, want %q", got, l.out.Left, want)
	}
}
