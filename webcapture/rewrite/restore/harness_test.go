package restore

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func TestMain(m *testing.M) { webcapturetest.Run(m) }

// capture is an original: a page set of two pages, and an image set. In texts of these tests, @a is the ID of 16
// letters a, and so on.
const capture = `names: << /URLS << /Names [ (http://a/) 20 0 R (http://a/b) 21 0 R ] >> /IDS << /Names [ @a 20 0 R @b 21 0 R ] >> /Dests 52 0 R >>
spiderinfo: 40 0 R
40 0 obj << /V 1.25 /C [ 41 0 R ] >>
41 0 obj << /URL (http://a/) /L 2 /S << /G << /X [ true ] >> >> >>
20 0 obj << /S /SPS /ID @a /O [ 10 0 R 11 0 R ] /T (title) /TID (tid) /SI << /AU (http://a/) /C 41 0 R >> >>
21 0 obj << /S /SIS /ID @b /O [ 12 0 R ] /R [ 2 ] /SI << /AU (http://a/b) >> >>
10 0 obj << /Type /Page /ID @a /Contents 30 0 R /Resources << /XObject << /I 12 0 R >> >> /Annots 51 0 R >>
11 0 obj << /Type /Page /ID @a /Contents 31 0 R /Resources << /XObject << /I 12 0 R >> >> >>
12 0 obj << /Subtype /Image /Width 1 /Height 1 /ID @b >>
stream
x
endstream
30 0 obj << >>
stream
1 0 0
endstream
31 0 obj << >>
stream
0 1 0
endstream
50 0 obj << /Subtype /Link /Rect [ 0 0 1 1 ] /PA << /S /URI /URI (http://a/b) >> /A << /S /GoTo /D (aaaaaaaaaaaaaaaatop) >> >>
51 0 obj [ 50 0 R ]
52 0 obj << /Names [ (aaaaaaaaaaaaaaaatop) [ 11 0 R /Fit ] ] >>
`

// parsed opens a text as a file, after replacements.
func parsed(t testing.TB, text string, pairs ...string) *webcapture.File {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("%q is not in the text", pairs[i])
		}
	}
	text = strings.NewReplacer(pairs...).Replace(text)
	for c := 'a'; c <= 'z'; c++ {
		text = strings.ReplaceAll(text, "@"+string(c), "("+strings.Repeat(string(c), 16)+")")
	}
	doc, err := webcapturetest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	f, err := webcapture.New(context.Background(), doc.Bytes(webcapturetest.Layout{}), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// short undoes the replacement of IDs.
func short(text string) string {
	for c := 'a'; c <= 'z'; c++ {
		text = strings.ReplaceAll(text, "("+strings.Repeat(string(c), 16)+")", "@"+string(c))
	}
	return text
}

// result is what From did to a file.
type result struct {
	*Changes
	inputs Inputs
}

// restored restores a file from an original named o. edit may change the inputs.
func restored(t testing.TB, original, file *webcapture.File, edit func(*Inputs)) result {
	t.Helper()
	db, err := file.Database()
	if err != nil {
		t.Fatal(err)
	}
	in := inputs(original, file, db)
	if edit != nil {
		edit(&in)
	}
	c, err := From(in)
	if err != nil {
		t.Fatal(err)
	}
	return result{c, in}
}

// inputs returns the inputs for restoring a file from an original named o.
func inputs(original, file *webcapture.File, db *webcapture.Database) Inputs {
	return Inputs{Original: original, Name: "o", File: file, Database: db, Update: file.NewUpdate(),
		LeftOut: map[object.Ref]string{}}
}

// steps returns the steps as text, one per line, with the number of the content set that caused each.
func (r result) steps() []string {
	var lines []string
	for _, s := range r.Steps {
		what := s.New
		switch {
		case s.New == "":
			what = "no " + s.Old
		case s.Old != "":
			what = s.Old + " becomes " + s.New
		}
		line := fmt.Sprintf("%v: %s", s.Place, what)
		if s.From.Num != 0 {
			line += fmt.Sprintf(", by %d", s.From.Num)
		}
		lines = append(lines, short(line))
	}
	return lines
}

// outcome returns the outcome and all notices, one per line.
func (r result) outcome() []string {
	lines := []string{r.Outcome.String()}
	for _, m := range r.Outcome.Missing {
		lines = append(lines, m.String())
	}
	return strings.Split(short(strings.Join(append(lines, r.Unmatched...), "\n")), "\n")
}

// notices returns the notices, one per line.
func (r result) notices() []string {
	return strings.Split(short(strings.Join(r.Unmatched, "\n")), "\n")
}

// object returns an object of the file after the restoration, as text with sorted entries and without streams' data.
func (r result) object(t testing.TB, num uint32) string {
	t.Helper()
	return objectIn(t, r.inputs.Update.Preview(), num)
}

// compact writes PDF text without white space next to brackets.
func compact(text string) string {
	return strings.NewReplacer("[ ", "[", " ]", "]", "<< ", "<<", " >>",
		">>").Replace(strings.Join(strings.Fields(text), " "))
}

func objectIn(t testing.TB, f *webcapture.File, num uint32) string {
	t.Helper()
	o, err := f.NewReader().Get(object.Ref{Num: num})
	if err != nil {
		t.Fatal(err)
	}
	d, ok := o.Dict()
	if !ok {
		return short(compact(string(o.AppendNormal(nil))))
	}
	var entries []string
	for k, v := range d.All() {
		if !v.IsNull() {
			entries = append(entries, compact(fmt.Sprintf("/%s %s", k, v.AppendNormal(nil))))
		}
	}
	slices.Sort(entries)
	return short(strings.Join(entries, " "))
}

// pairs returns the pairs of both trees after the restoration, sorted.
func (r result) pairs(t testing.TB) []string {
	t.Helper()
	list := pairsIn(t, r.inputs.File)
	for _, e := range r.Removals {
		i := slices.Index(list, e.text())
		if i < 0 {
			t.Fatalf("%v is removed, but not in the file", e)
		}
		list = slices.Delete(list, i, i+1)
	}
	for _, e := range r.Entries {
		list = append(list, e.text())
	}
	slices.Sort(list)
	return list
}

func (e Entry) text() string { return short(fmt.Sprintf("%v %v %v", e.Tree, e.Key, e.Set)) }

func pairsIn(t testing.TB, f *webcapture.File) (list []string) {
	t.Helper()
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	r := f.NewReader()
	for _, tree := range db.Trees() {
		for _, e := range tree.Entries() {
			for o, err := range r.Values(e.Value) {
				if err != nil {
					t.Fatal(err)
				}
				ref, _ := o.Ref()
				list = append(list, Entry{tree.Name, e.Key, ref}.text())
			}
		}
	}
	slices.Sort(list)
	return list
}

// differences compares objects 10 to 29 and the trees of the restored file with those of another one.
func (r result) differences(t testing.TB, with *webcapture.File) (lines []string) {
	t.Helper()
	for num := uint32(10); num < 30; num++ {
		if got, want := r.object(t, num), objectIn(t, with, num); got != want {
			lines = append(lines, fmt.Sprintf("%d is\n  %s, want\n  %s", num, got, want))
		}
	}
	if got, want := r.pairs(t), pairsIn(t, with); !slices.Equal(got, want) {
		lines = append(lines, fmt.Sprintf("the trees have\n  %q, want\n  %q", got, want))
	}
	return lines
}

// destinations returns the named destinations, sorted.
func (r result) destinations() (lines []string) {
	for _, k := range slices.Sorted(maps.Keys(r.Destinations)) {
		lines = append(lines, short(compact(fmt.Sprintf("%v %s", k, r.Destinations[k]))))
	}
	return lines
}

// expect compares lines.
func expect(t *testing.T, what string, got []string, want string) {
	t.Helper()
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("%s:\n%s\nwant\n%s", what, text, want)
	}
}
