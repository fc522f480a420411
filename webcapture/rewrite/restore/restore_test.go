package restore

import (
	"bytes"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
)

// scene is a pair of files that differ from capture: the original, and the file made from it.
type scene struct {
	theirs, ours []string // replacements in capture: old, new, and so on
	want         string
}

// pages10 and 11 are the beginnings of the pages in capture.
const page10, page11, image12 = "/Page /ID @a /Contents 30 0 R", "/Page /ID @a /Contents 31 0 R", "/Height 1 /ID @b"

// otherCapture changes the IDs of the page set in all its records: @a to @c.
var otherID = []string{"@a 20 0 R", "@c 20 0 R", "/SPS /ID @a", "/SPS /ID @c", page10,
	"/Page /ID @c /Contents 30 0 R",
	page11, "/Page /ID @c /Contents 31 0 R"}

// with returns capture's page 10 with more entries.
func withPZ(pz string) []string { return []string{page10, page10 + " /PZ " + pz} }

// damagedScenes have one damage each. Its repair gives the objects and trees of the original.
var damagedScenes = map[string]scene{
	"no title": {nil, []string{"/T (title) ", ""}, "content set 20 0 R: T (title), by 20"},
	"a title that is a number": {nil, []string{"/T (title)", "/T 1"},
		"content set 20 0 R: T 1 becomes T (title), by 20"},
	"a title that is no text": {nil, []string{"/T (title)", "/T <FEFF00>"},
		"content set 20 0 R: T <feff00> becomes T (title), by 20"},
	"no date": {[]string{"/T (title)", "/T (title) /TS (D:2008)"}, nil, "content set 20 0 R: TS (D:2008), by 20"},
	"an invalid date": {[]string{"/T (title)", "/T (title) /TS (D:2008)"},
		[]string{"/T (title)", "/T (title) /TS (2008)"}, "content set 20 0 R: TS (2008) becomes TS (D:2008), by 20"},
	"an invalid media type": {[]string{"/T (title)", "/CT (a/b) /T (title)"},
		[]string{"/T (title)", "/CT (a) /T (title)"}, "content set 20 0 R: CT (a) becomes CT (a/b), by 20"},
	"another ID": {nil, []string{"/SPS /ID @a", "/SPS /ID @c"},
		"content set 20 0 R: ID @c becomes ID @a, by 20"},
	"no ID":      {nil, []string{"/SPS /ID @a", "/SPS"}, "content set 20 0 R: ID @a, by 20"},
	"a short ID": {nil, []string{"/SPS /ID @a", "/SPS /ID (x)"}, "content set 20 0 R: ID (x) becomes ID @a, by 20"},
	"three IDs": {nil, []string{"/SPS /ID @a", "/SPS /ID @c", "@a 20 0 R", "@d 20 0 R", page10,
		"/Page /ID @e /Contents 30 0 R", page11, "/Page /ID @f /Contents 31 0 R"},
		"content set 20 0 R: ID @c becomes ID @a, by 20\nIDS: @a 20 0 R, by 20\nIDS: no @d 20 0 R, by 20\n" +
			"page 1, 10 0 R: ID @e becomes ID @a, by 20\npage 2, 11 0 R: ID @f becomes ID @a, by 20"},
	"no text identity":     {[]string{"(tid)", "@t"}, []string{"/TID (tid) ", ""}, "content set 20 0 R: TID @t, by 20"},
	"an unknown subtype":   {nil, []string{"/S /SPS", "/S /XYZ"}, "content set 20 0 R: S /XYZ becomes S /SPS, by 20"},
	"no count":             {nil, []string{"/R [ 2 ] ", ""}, "content set 21 0 R: R [2], by 21"},
	"a count that is text": {nil, []string{"/R [ 2 ]", "/R (x)"}, "content set 21 0 R: R (x) becomes R [2], by 21"},
	"a count too many": {nil, []string{"/R [ 2 ]", "/R [ 2 1 ]"},
		"content set 21 0 R: R [2 1 ] becomes R [2], by 21"},
	"no list of pages": {nil, []string{"/O [ 10 0 R 11 0 R ] ", ""}, "content set 20 0 R: O [10 0 R 11 0 R], by 20"},
	"one page as O": {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O 10 0 R"},
		"content set 20 0 R: O [10 0 R 11 0 R], by 20"},
	"null in place of a page": {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ null 11 0 R ]"},
		"content set 20 0 R: O [null 11 0 R] becomes O [10 0 R 11 0 R], by 20"},
	"a number in place of a page": {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ 10 0 R 1 ]"},
		"content set 20 0 R: O [10 0 R 1] becomes O [10 0 R 11 0 R], by 20"},
	"another key": {nil, []string{"(http://a/) 20 0 R", "(http://c/) 20 0 R"},
		"URLS: (http://a/) 20 0 R, by 20\nURLS: no (http://c/) 20 0 R, by 20"},
	"no key": {nil, []string{"(http://a/) 20 0 R", ""}, "URLS: (http://a/) 20 0 R, by 20"},
	"keys exchanged": {nil, []string{"@a 20 0 R @b 21 0 R", "@a 21 0 R @b 20 0 R"},
		"IDS: @a 20 0 R, by 20\nIDS: @b 21 0 R, by 21\nIDS: no @b 20 0 R, by 20\nIDS: no @a 21 0 R, by 21"},
	"another URL": {nil, []string{"/AU (http://a/)", "/AU (http://c/)"},
		"content set 20 0 R: AU (http://c/) becomes AU (http://a/), by 20"},
	"a URL that is a number": {nil, []string{"/AU (http://a/)", "/AU 1"},
		"content set 20 0 R: AU 1 becomes AU (http://a/), by 20"},
	"no URL":    {nil, []string{"/AU (http://a/b) ", ""}, "content set 21 0 R: AU (http://a/b), by 21"},
	"no source": {nil, []string{"/SI << /AU (http://a/b) >>", ""}, "content set 21 0 R: SI (http://a/b), by 21"},
	"no date of a source": {[]string{"(http://a/b) >>", "(http://a/b) /TS (D:2008) >>"}, nil,
		"content set 21 0 R: SI.TS (D:2008), by 21"},
	"no chains": {[]string{"/AU (http://a/b)", "/AU << /U (http://a/b) /C [ [ (http://r/) ] ] >>"},
		[]string{"/AU (http://a/b)", "/AU << /U (http://a/b) >>"},
		"content set 21 0 R: AU.C [[(http://r/) ] ], by 21"},
	"a page without ID": {nil, []string{page10, "/Page /Contents 30 0 R"}, "page 1, 10 0 R: ID @a, by 20"},
	"a page with another ID": {nil, []string{page10, "/Page /ID @c /Contents 30 0 R"},
		"page 1, 10 0 R: ID @c becomes ID @a, by 20"},
	"an image without ID": {nil, []string{image12, "/Height 1"}, "object 12 0 R: ID @b, by 21"},
	"an image with the ID of pages": {nil, []string{image12, "/Height 1 /ID @a"},
		"object 12 0 R: ID @a becomes ID @b, by 21"},
	"no zoom":         {withPZ("2"), nil, "page 1, 10 0 R: PZ 2, by 20"},
	"an invalid zoom": {withPZ("2"), withPZ("-1"), "page 1, 10 0 R: PZ 2, by 20"},
	"images and counts": {nil, []string{"/O [ 12 0 R ] /R [ 2 ]", "/R [ ]"},
		"content set 21 0 R: O [12 0 R], by 21\ncontent set 21 0 R: R [] becomes R [2], by 21"},
	"neither zoom nor ID": {withPZ("2"), []string{page10, "/Page /Contents 30 0 R"},
		"page 1, 10 0 R: ID @a, by 20\npage 1, 10 0 R: PZ 2, by 20"},
	"IDs of no page, and other content": {nil, []string{page10, "/Page /Contents 30 0 R", page11,
		"/Page /Contents 31 0 R"}, "page 1, 10 0 R: ID @a, by 20\npage 2, 11 0 R: ID @a, by 20"},
}

// date gives a content set of capture a date.
func date(of, d string) []string { return []string{"/S /" + of, "/TS (D:" + d + ") /S /" + of} }

// keptScenes differ from the original in the named way only, and stay: a value of the file is valid, and nothing in the
// file contradicts it, or the value of the original is invalid.
var keptScenes = map[string]scene{
	"another title":               {nil, []string{"/T (title)", "/T (other)"}, ""},
	"an integer for one count":    {nil, []string{"/R [ 2 ]", "/R 2"}, ""},
	"another count":               {nil, []string{"/R [ 2 ]", "/R [ 3 ]"}, ""},
	"a count that they lack":      {[]string{"/R [ 2 ]", ""}, nil, ""},
	"a title that they lack":      {[]string{"/T (title) ", ""}, nil, ""},
	"a zoom that they lack":       {nil, withPZ("3"), ""},
	"another zoom":                {withPZ("2"), withPZ("3"), ""},
	"a further element of O":      {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ 10 0 R 11 0 R 1 ]"}, ""},
	"null in O":                   {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ 10 0 R null 11 0 R ]"}, ""},
	"a page missing in O":         {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ 10 0 R ]"}, ""},
	"pages in another order":      {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ 11 0 R 10 0 R ]"}, ""},
	"a page twice in O":           {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ 10 0 R 10 0 R 11 0 R ]"}, ""},
	"a URL with a fragment":       {nil, []string{"/AU (http://a/)", "/AU (http://a/#x)"}, ""},
	"an invalid title":            {[]string{"/T (title)", "/T <FEFF00>"}, []string{"/T (title) ", ""}, ""},
	"an invalid date":             {[]string{"/T (title)", "/T (title) /TS (2008)"}, nil, ""},
	"an invalid media type":       {[]string{"/T (title)", "/CT (a) /T (title)"}, nil, ""},
	"an invalid date of a source": {[]string{"(http://a/b) >>", "(http://a/b) /TS (x) >>"}, nil, ""},
	"an invalid URL":              {[]string{"/AU (http://a/b)", "/AU (http://a/\344)"}, []string{"/AU (http://a/b) ", ""}, ""},
	"a title in an image set":     {[]string{"/SIS", "/SIS /T (x)"}, nil, ""},
	"a refreshed source": {[]string{"(http://a/b) >>", "(http://a/b) /TS (D:2008) /E (D:2009) >>"},
		[]string{"(http://a/b) >>", "(http://a/b) /TS (D:2012) >>"}, ""},
	"a further source": {nil, []string{"<< /AU (http://a/b) >>",
		"[ << /AU (http://a/b) >> << /AU (http://a/2) >> ]"}, ""},
	"a redirect": {nil, []string{"/AU (http://a/b)", "/AU << /U (http://a/b) /C [ [ (http://r/) ] ] >>"}, ""},
	"a short ID of a page in the original": {[]string{page10, "/Page /ID (x) /Contents 30 0 R"},
		[]string{page10, "/Page /Contents 30 0 R"}, ""},
	"another URL and its key": {nil, []string{"/AU (http://a/)", "/AU (http://c/)", "(http://a/) 20 0 R",
		"(http://c/) 20 0 R"}, ""},
	"another key in the original":    {[]string{"(http://a/) 20 0 R", "(http://c/) 20 0 R"}, nil, ""},
	"keys exchanged in the original": {[]string{"@a 20 0 R @b 21 0 R", "@a 21 0 R @b 20 0 R"}, nil, ""},
	"another ID, with keys exchanged in the original": {[]string{"@a 20 0 R @b 21 0 R", "@a 21 0 R @b 20 0 R"},
		[]string{"/SPS /ID @a", "/SPS /ID @c"}, ""},
	"no ID, with keys exchanged in the original": {[]string{"@a 20 0 R @b 21 0 R", "@a 21 0 R @b 20 0 R"},
		[]string{"/SPS /ID @a", "/SPS"}, ""},
	"one page as O in the original": {[]string{"/O [ 10 0 R 11 0 R ]", "/O 10 0 R"}, nil, ""},
	"another ID with key and pages": {nil, append([]string{"/T (title)", ""}, otherID...), ""},
	"another date":                  {date("SPS", "2008"), append(date("SPS", "2012"), "/T (title)", ""), ""},
	"other keys and members that agree": {nil, []string{"@a 20 0 R", "@c 20 0 R", "/SPS /ID @a", "/SPS /ID @d", page10,
		"/Page /ID @c /Contents 30 0 R", page11, "/Page /ID @c /Contents 31 0 R"}, ""},
	"an image set as page set": {nil, []string{"/SIS /ID @b", "/SPS /ID @b /T (x)"}, ""},
	"a page of another set": {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ 10 0 R null ]", "(http://a/b) 21 0 R ]",
		"(http://a/b) 21 0 R (http://c/) 22 0 R ]", "30 0 obj",
		"22 0 obj << /S /SPS /ID @c /O [ 11 0 R ] /SI << /AU (http://c/) >> >>\n30 0 obj"}, ""},
	"the key of a lost set": {[]string{"@b 21 0 R ]", "@b 21 0 R @c 23 0 R ]", "30 0 obj",
		"23 0 obj << /S /SPS /ID @c /O [ 99 0 R ] /SI << /AU (http://c/) >> >>\n30 0 obj"},
		[]string{"@b 21 0 R ]", "@b 21 0 R @c 20 0 R ]"}, ""},
	"the key of a stray set": {nil, []string{"(http://a/b) 21 0 R ]", "(http://a/b) [ 21 0 R 24 0 R ] (http://z/) 20 0 R ]",
		"30 0 obj", "24 0 obj << /S /SPS /ID @z /O [ ] /SI << /AU (http://z/) >> >>\n30 0 obj"}, ""},
}

// TestDamage: each damage of the file is repaired, and the steps name it.
func TestDamage(t *testing.T) {
	for name, s := range damagedScenes {
		t.Run(name, func(t *testing.T) {
			original := parsed(t, capture, s.theirs...)
			r := restored(t, original, parsed(t, capture, s.ours...), nil)
			expect(t, "steps", r.steps(), s.want)
			expect(t, "differences", r.differences(t, original), "")
			expect(t, "outcome", r.outcome(), "o: content sets in the file: all 2")
		})
	}
}

// TestKept: the file keeps what the original does not contradict, or contradicts without proof.
func TestKept(t *testing.T) {
	for name, s := range keptScenes {
		t.Run(name, func(t *testing.T) {
			file := parsed(t, capture, s.ours...)
			r := restored(t, parsed(t, capture, s.theirs...), file, nil)
			expect(t, "steps", r.steps(), "")
			expect(t, "differences", r.differences(t, file), "")
			expect(t, "notices", r.notices(), s.want)
			if got, want := written(t, r.inputs.Update), written(t, file.NewUpdate()); !bytes.Equal(got, want) {
				t.Errorf("%q is written", bytes.TrimPrefix(got, want))
			}
		})
	}
}

// written returns a file with an update.
func written(t *testing.T, u *webcapture.Update) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := u.WriteIncrement(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestSeveralSets: of several content sets that may be the same, those of one date are. Without one, they are left.
func TestSeveralSets(t *testing.T) {
	const copied = "22 0 obj << /S /SPS /ID @a /O [ 10 0 R ] /SI << /AU (http://a/) >> /TS (D:2012) >>\n"
	const left = "page set @a of (http://a/): it cannot be distinguished from others"
	for name, c := range map[string]struct {
		date          string // of content set 20 in the original
		theirs, ours  []string
		steps, reason string
	}{
		"one date": {"2008", nil, []string{"/T (title)", "/TS (D:2008)", "@a 20 0 R", "@a [ 20 0 R 22 0 R ]"},
			"content set 20 0 R: T (title), by 20", ""},
		"no date": {"2008", nil, []string{"/T (title)", "", "@a 20 0 R", "@a [ 20 0 R 22 0 R ]"}, "", left},
		"two in the original": {"2008", []string{"@a 20 0 R", "@a [ 20 0 R 22 0 R ]"},
			[]string{"/T (title)", "/TS (D:2008)"}, "content set 20 0 R: T (title), by 20", left},
		"two in the original, no date": {"2008", []string{"@a 20 0 R", "@a [ 20 0 R 22 0 R ]"},
			[]string{"/T (title)", ""}, "", left},
	} {
		t.Run(name, func(t *testing.T) {
			theirs := append([]string{"/T (title)", "/T (title) /TS (D:" + c.date + ")"}, c.theirs...)
			r := restored(t, parsed(t, capture+copied, theirs...), parsed(t, capture+copied, c.ours...), nil)
			expect(t, "steps", r.steps(), c.steps)
			if got := slices.Contains(r.outcome(), c.reason); got != (c.reason != "") {
				t.Errorf("the outcome is %q", r.outcome())
			}
		})
	}
}
