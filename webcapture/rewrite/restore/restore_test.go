package restore

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
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

// tooDeep is an array that nests too deeply to be compared.
var tooDeep = strings.Repeat("[ ", maxDepth+1) + strings.Repeat("] ", maxDepth+1)

// damagedScenes have one damage each. Its repair gives the objects and trees of the original.
var damagedScenes = map[string]scene{
	"no title": {nil, []string{"/T (title) ", ""}, "content set 20 0 R: T (title), by 20"},
	"another title": {nil, []string{"/T (title)", "/T (other)"}, "content set 20 0 R: T (other) becomes T (title), " +
		"by 20"},
	"a title that is a number": {nil, []string{"/T (title)", "/T 1"},
		"content set 20 0 R: T 1 becomes T (title), by 20"},
	"another ID": {nil, []string{"/SPS /ID @a", "/SPS /ID @c"},
		"content set 20 0 R: ID @c becomes ID @a, by 20"},
	"no ID":            {nil, []string{"/SPS /ID @a", "/SPS"}, "content set 20 0 R: ID @a, by 20"},
	"no text identity": {nil, []string{"/TID (tid) ", ""}, "content set 20 0 R: TID (tid), by 20"},
	"a page set as image set": {nil, []string{"/SPS /ID @a", "/SIS /ID @a /R [ 1 1 ] /CT (x)"},
		"content set 20 0 R: S /SIS becomes S /SPS, by 20\n" +
			"content set 20 0 R: CT (x) becomes no CT, by 20\n" +
			"content set 20 0 R: R [1 1 ] becomes no R, by 20"},
	"an image set as page set": {nil, []string{"/SIS /ID @b", "/SPS /ID @b /T (x) /TID (y) /CT (z)"},
		"content set 21 0 R: S /SPS becomes S /SIS, by 21\n" +
			"content set 21 0 R: CT (z) becomes no CT, by 21\n" +
			"content set 21 0 R: T (x) becomes no T, by 21\n" +
			"content set 21 0 R: TID (y) becomes no TID, by 21"},
	"an unknown subtype": {nil, []string{"/S /SPS", "/S /XYZ"}, "content set 20 0 R: S /XYZ becomes S /SPS, by 20"},
	"another count":      {nil, []string{"/R [ 2 ]", "/R [ 3 ]"}, "content set 21 0 R: R [3 ] becomes R [2 ], by 21"},
	"another number as count": {nil, []string{"/R [ 2 ]", "/R 3"},
		"content set 21 0 R: R [3 ] becomes R [2 ], by 21"},
	"no count":         {nil, []string{"/R [ 2 ] ", ""}, "content set 21 0 R: R [2 ], by 21"},
	"no list of pages": {nil, []string{"/O [ 10 0 R 11 0 R ] ", ""}, "content set 20 0 R: O 10 0 R 11 0 R, by 20"},
	"a count that is text": {[]string{"/R [ 2 ]", "/R 2"}, []string{"/R [ 2 ]", "/R (x)"},
		"content set 21 0 R: R (x) becomes R [2 ], by 21"},
	"a count unlike text": {[]string{"/R [ 2 ]", "/R (x)"}, nil, "content set 21 0 R: R [2 ] becomes R (x), by 21"},
	"a page missing in O": {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ 10 0 R ]"},
		"content set 20 0 R: O 10 0 R becomes O 10 0 R 11 0 R, by 20"},
	"pages in another order": {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ 11 0 R 10 0 R ]"},
		"content set 20 0 R: O 11 0 R 10 0 R becomes O 10 0 R 11 0 R, by 20"},
	"one page as O": {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O 10 0 R"},
		"content set 20 0 R: O 10 0 R 11 0 R, by 20"},
	"an image in O of a page set": {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ 10 0 R 12 0 R 11 0 R ]"},
		"content set 20 0 R: O 10 0 R 12 0 R 11 0 R becomes O 10 0 R 11 0 R, by 20"},
	"a page twice in O": {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ 10 0 R 10 0 R 11 0 R ]"},
		"content set 20 0 R: O 10 0 R 10 0 R 11 0 R becomes O 10 0 R 11 0 R, by 20"},
	"null in O": {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ 10 0 R null 11 0 R ]"},
		"content set 20 0 R: O 10 0 R 11 0 R becomes O 10 0 R 11 0 R, by 20"},
	"null in O, by reference": {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ 10 0 R 90 0 R 11 0 R ]"},
		"content set 20 0 R: O 10 0 R 90 0 R 11 0 R becomes O 10 0 R 11 0 R, by 20"},
	"a number in place of a page": {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ 10 0 R 1 ]"},
		"content set 20 0 R: O 10 0 R becomes O 10 0 R 11 0 R, by 20"},
	"another key": {nil, []string{"(http://a/) 20 0 R", "(http://c/) 20 0 R"},
		"URLS: (http://a/) 20 0 R, by 20\nURLS: no (http://c/) 20 0 R, by 20"},
	"no key": {nil, []string{"(http://a/) 20 0 R", ""}, "URLS: (http://a/) 20 0 R, by 20"},
	"keys exchanged": {nil, []string{"@a 20 0 R @b 21 0 R", "@a 21 0 R @b 20 0 R"},
		"IDS: @a 20 0 R, by 20\nIDS: @b 21 0 R, by 21\nIDS: no @b 20 0 R, by 20\nIDS: no @a 21 0 R, by 21"},
	"another URL": {nil, []string{"/AU (http://a/)", "/AU (http://c/)"},
		"content set 20 0 R: SI (http://c/) becomes SI (http://a/), by 20"},
	"a URL with a fragment": {nil, []string{"/AU (http://a/)", "/AU (http://a/#x)"},
		"content set 20 0 R: SI (http://a/#x) becomes SI (http://a/), by 20"},
	"no source": {nil, []string{"/SI << /AU (http://a/b) >>", ""}, "content set 21 0 R: SI (http://a/b), by 21"},
	"a second source": {nil, []string{"<< /AU (http://a/b) >>", "[ << /AU (http://a/b) >> << /AU (http://a/2) >> ]"},
		"content set 21 0 R: SI (http://a/b) becomes SI (http://a/b), by 21"},
	"a page without ID": {nil, []string{page10, "/Page /Contents 30 0 R"}, "page 1, 10 0 R: ID @a, by 20"},
	"a page with another ID": {nil, []string{page10, "/Page /ID @c /Contents 30 0 R"},
		"page 1, 10 0 R: ID @c becomes ID @a, by 20"},
	"an image without ID": {nil, []string{image12, "/Height 1"}, "object 12 0 R: ID @b, by 21"},
	"an image with the ID of pages": {nil, []string{image12, "/Height 1 /ID @a"},
		"object 12 0 R: ID @a becomes ID @b, by 21"},
	"no zoom":           {withPZ("2"), nil, "page 1, 10 0 R: PZ 2, by 20"},
	"another zoom":      {withPZ("2"), withPZ("3"), "page 1, 10 0 R: PZ 3 becomes PZ 2, by 20"},
	"images and counts": {nil, []string{"/O [ 12 0 R ] /R [ 2 ]", "/R [ 1 ]"}, "content set 21 0 R: O 12 0 R, by 21"},
	"almost everything": {nil, []string{"/ID @a /O [ 10 0 R 11 0 R ]", "/O [ 10 0 R 10 0 R 11 0 R ]", "@a 20 0 R ", "",
		"/T (title) /TID (tid) /SI << /AU (http://a/) /C 41 0 R >>", "", "(http://a/) 20 0 R", "(http://x/) 20 0 R"},
		"content set 20 0 R: O 10 0 R 10 0 R 11 0 R becomes O 10 0 R 11 0 R, by 20\n" +
			"content set 20 0 R: ID @a, by 20\ncontent set 20 0 R: T (title), by 20\n" +
			"content set 20 0 R: TID (tid), by 20\ncontent set 20 0 R: SI (http://a/), by 20\n" +
			"URLS: (http://a/) 20 0 R, by 20\nIDS: @a 20 0 R, by 20\nURLS: no (http://x/) 20 0 R, by 20"},
	"a media type in ASCII": {[]string{"/T (title)", "/CT ( /~) /T (title)"}, nil,
		"content set 20 0 R: CT ( /~), by 20"},
	"no source, and another title": {nil, []string{"/T (title)", "/T (other)",
		"/SI << /AU (http://a/) /C 41 0 R >>", ""},
		"content set 20 0 R: T (other) becomes T (title), by 20\ncontent set 20 0 R: SI (http://a/), by 20"},
	"an uncertain page in another order": {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ 11 0 R 10 0 R ]", page10,
		"/Page /Contents 30 0 R", "1 0 0", "9 0 0"},
		"content set 20 0 R: O 11 0 R 10 0 R becomes O 10 0 R 11 0 R, by 20\npage 1, 10 0 R: ID @a, by 20"},
	"a long title": {nil, []string{"/T (title)", "/T (" + strings.Repeat("x", maxShown) + ")"},
		"content set 20 0 R: T (" + strings.Repeat("x", maxShown-1) + "… becomes T (title), by 20"},
	"neither zoom nor ID": {withPZ("2"), []string{page10, "/Page /Contents 30 0 R"},
		"page 1, 10 0 R: ID @a, by 20"},
}

// keptScenes differ from the original in the named way only, and stay.
var keptScenes = map[string]scene{
	"an integer for one count":              {nil, []string{"/R [ 2 ]", "/R 2"}, ""},
	"a list of one count":                   {[]string{"/R [ 2 ]", "/R 2"}, nil, ""},
	"a count that they lack":                {[]string{"/R [ 2 ]", ""}, nil, ""},
	"a title that they lack":                {[]string{"/T (title) ", ""}, nil, ""},
	"a zoom that they lack":                 {nil, withPZ("3"), ""},
	"a zoom in another spelling":            {withPZ("2"), withPZ("2.0"), ""},
	"a further element of O":                {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ 10 0 R 11 0 R 1 ]"}, ""},
	"a first element of O":                  {nil, []string{"/O [ 10 0 R 11 0 R ]", "/O [ 1 10 0 R 11 0 R ]"}, ""},
	"a media type with a control character": {[]string{"/T (title)", "/CT (a\x7f) /T (title)"}, nil, ""},
	"a further image with its count": {nil, []string{"/O [ 12 0 R ] /R [ 2 ]",
		"/O [ 12 0 R 1 ] /R [ 2 5 ]"}, ""},
	"a short ID of a page in the original": {[]string{page10, "/Page /ID (x) /Contents 30 0 R"},
		[]string{page10, "/Page /Contents 30 0 R"}, ""},
	"a page that is not certain, with another ID": {nil, []string{page10, "/Page /ID @c /Contents 30 0 R", "1 0 0",
		"9 0 0"}, ""},
	"an original's title that nests too deeply": {[]string{"/T (title)", "/T " + tooDeep}, nil,
		"o: T of page set @a cannot be compared; it stays"},
	"another ID, with keys exchanged in the original": {[]string{"@a 20 0 R @b 21 0 R", "@a 21 0 R @b 20 0 R"},
		[]string{"/SPS /ID @a", "/SPS /ID @c"},
		"o: the records of page set @a contradict each other in the original, so those of the file stay; repair the " +
			"original first\n" +
			"o: the records of image set @b contradict each other in the original, so those of the file stay; repair the " +
			"original first"},
	"no ID, with keys exchanged in the original": {[]string{"@a 20 0 R @b 21 0 R", "@a 21 0 R @b 20 0 R"},
		[]string{"/SPS /ID @a", "/SPS"},
		"o: the records of page set @a contradict each other in the original, so those of the file stay; repair the " +
			"original first\n" +
			"o: the records of image set @b contradict each other in the original, so those of the file stay; repair the " +
			"original first"},
	"another URL and its key": {nil, []string{"/AU (http://a/)", "/AU (http://c/)", "(http://a/) 20 0 R",
		"(http://c/) 20 0 R"},
		"o: page set @a has the URL (http://a/) in the original and (http://c/) in the file; " +
			"the key there is the same, so it stays"},
	"another key in the original": {[]string{"(http://a/) 20 0 R", "(http://c/) 20 0 R"}, nil,
		"o: the records of page set @a contradict each other in the original, so those of the file stay; repair the " +
			"original first"},
	"keys exchanged in the original": {[]string{"@a 20 0 R @b 21 0 R", "@a 21 0 R @b 20 0 R"}, nil,
		"o: the records of page set @a contradict each other in the original, so those of the file stay; repair the " +
			"original first\n" +
			"o: the records of image set @b contradict each other in the original, so those of the file stay; repair the " +
			"original first"},
	"the MD5 of an image as ID": {nil, []string{"/SIS /ID @b", "/SIS /ID <9dd4e461268c8034f5c8564e155c67a6>"},
		"o: image set @b has the ID <9dd4e461268c8034f5c8564e155c67a6> in the file (content set 21 0 R); other " +
			"records there, or its image, support it, so it stays"},
	"one page as O in the original": {[]string{"/O [ 10 0 R 11 0 R ]", "/O 10 0 R"}, nil, ""},
	"another ID with key and pages": {nil, otherID,
		"o: page set @a has the ID @c in the file (content set 20 0 R); other records there, or its image, support " +
			"it, so it stays"},
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

// TestKnown: the content sets, pages, and images that both files have are known, so that further originals leave them.
func TestKnown(t *testing.T) {
	for name, ours := range map[string][]string{"no change": nil, "no title": {"/T (title)", ""}} {
		t.Run(name, func(t *testing.T) {
			known := restored(t, parsed(t, capture), parsed(t, capture, ours...), nil).Known
			slices.SortFunc(known, object.Ref.Compare)
			if got := fmt.Sprint(known); got != "[10 0 R 11 0 R 12 0 R 20 0 R 21 0 R]" {
				t.Errorf("%s are known", got)
			}
		})
	}
}

// TestForeign: another capture of the pages restores nothing, and says so.
func TestForeign(t *testing.T) {
	all := append([]string{"@b 21 0 R", "@d 21 0 R", "/SIS /ID @b", "/SIS /ID @d",
		image12, "/Height 1 /ID @d"}, otherID...)
	r := restored(t, parsed(t, capture), parsed(t, capture, all...), func(in *Inputs) {
		in.LeftOut[object.Ref{Num: 21}] = "WC1"
	})
	expect(t, "steps", r.steps(), "")
	expect(t, "notices", r.notices(), "o: it is another capture of these pages: its IDs differ from those in the "+
		"file; "+
		"webcap restores nothing from it")
	if len(r.LeftOut.Keys)+len(r.LeftOut.Sets) > 0 {
		t.Errorf("recorded: %v", r.LeftOut)
	}
}

// TestTwoOfOneID: of two content sets of the original with one ID, the file has one. The other one cannot be
// distinguished from it.
func TestTwoOfOneID(t *testing.T) {
	text := capture + "22 0 obj << /S /SPS /ID @a /O [ 10 0 R ] /SI << /AU (http://c/) >> >>\n"
	r := restored(t, parsed(t, text, "(http://a/b) 21 0 R ]", "(http://a/b) 21 0 R (http://c/) 22 0 R ]",
		"@a 20 0 R", "@a [ 20 0 R 22 0 R ]"), parsed(t, text), nil)
	expect(t, "steps", r.steps(), "")
	const want = "page set @a of (http://c/): it cannot be distinguished from other content sets of the file"
	if !slices.Contains(r.outcome(), want) {
		t.Errorf("the outcome is %q", r.outcome())
	}
}
