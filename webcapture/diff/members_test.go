package diff_test

import (
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/diff"
)

// more is put before object 10 of base to add objects.
func more(objects string) []string { return []string{"\n10 0 obj", "\n" + objects + "\n10 0 obj"} }

// outside has the objects 30 and 31, which are not in the page tree. 30 is a member of the first page set.
func outside(a, b string) []string {
	return append(more("30 0 obj "+a+"\n31 0 obj "+b), "/O [ 6 0 R 7 0 R ]", "/O [ 6 0 R 7 0 R 30 0 R ]")
}

// TestUnreadMembers: an unreadable member is an unread part. It equals any other member, and does not count as null.
func TestUnreadMembers(t *testing.T) {
	const described = "image of 8 × 4, ID " + idB + ", data 79e79746"
	testPairs(t, []pairCase{
		{"an unreadable member is lost", append(outside("<< ]", "null"), "/O [ 11 0 R ]", "/O [ 11 0 R 30 0 R ]"),
			[]string{"/O [ 11 0 R 30 0 R ]", "/O [ 11 0 R ]"},
			"lost " + setC + ", O element 1: unreadable | \n" +
				"unread in A: object 30 0 R: object 30 0: dictionary key is not a name\n" +
				"unread in B: object 30 0 R: object 30 0: dictionary key is not a name\n"},
		{"a page for an unreadable member", outside("<< ]", "null"), []string{"/O [ 6 0 R 7 0 R 30 0 R ]",
			"/O [ 6 0 R 7 0 R 11 0 R ]"},
			"unread in A: object 30 0 R: object 30 0: dictionary key is not a name\n"},
		{"an image for an unreadable member", outside("<< ]", "null"), []string{"/O [ 6 0 R 7 0 R 30 0 R ]",
			"/O [ 6 0 R 7 0 R 9 0 R ]"},
			"unread in A: object 30 0 R: object 30 0: dictionary key is not a name\n"},
		{"an unreadable member does not count as null", append(outside("<< ]", "null"), "/O [ 9 0 R ]", "/O [ 9 0 R null ]"),
			[]string{"/O [ 9 0 R null ]", "/O [ null null ]"},
			"membersNulled: 1 of 5 members of content sets replaced by null\n" +
				"changed " + setB + ", O element 0: " + described + " | null\n" +
				"unread in A: object 30 0 R: object 30 0: dictionary key is not a name\n" +
				"unread in B: object 30 0 R: object 30 0: dictionary key is not a name\n"},
	})
}

// TestMembers: what counts as the same element of O, and how elements are described.
func TestMembers(t *testing.T) {
	const image = "9 0 obj << /Subtype /Image /Width 8 /Height 4 /Filter /DCTDecode /ID " + idB +
		" >> stream\njpeg\nendstream"
	const described = "image of 8 × 4, ID " + idB + ", data 79e79746"
	becomes := func(other, text string) pairCase {
		return pairCase{"another object: " + other, nil, []string{image, "9 0 obj " + other},
			"changed " + setB + ", O element 0: " + described + " | " + text + "\n"}
	}
	member := func(name, entry, text, data string) pairCase {
		return pairCase{name, nil, []string{"/Width 8 /Height 4", entry},
			"changed " + setB + ", O element 0: " + described + " | " + text + ", ID " + idB + ", data " + data + "\n"}
	}
	const other = "/O [ 6 0 R 7 0 R 31 0 R ]"
	testPairs(t, []pairCase{
		member("only the width", "/Width 9 /Height 4", "image of 9 × 4", "ff0e002e"),
		member("only the height", "/Width 8 /Height 5", "image of 8 × 5", "21e0def5"),
		member("no size", "", "image of 0 × 0", "a9bcff53"),
		{"one filter in an array", nil, []string{"/Filter /DCTDecode", "/Filter [ /DCTDecode ]"}, ""},
		{"another image format", nil, []string{"/Filter /DCTDecode", "/Filter /JPXDecode"}, ""},
		becomes("[ ]", "array"),
		becomes("7", "integer"),
		becomes("<< /Subtype /Image /Width 8 /Height 4 /ID "+idB+" >>", "dictionary outside the page tree, ID "+idB),
		becomes("<< /Subtype /Form /Width 8 /Height 4 >> stream\njpeg\nendstream", "stream that is not an image"),
		{"the same dictionary elsewhere", outside("<< /A 1 >>", "<< /A 2 /Width 7 >>"),
			[]string{"/O [ 6 0 R 7 0 R 30 0 R ]", other},
			""},
		{"another kind", outside("<< >>", "[ ]"), []string{"/O [ 6 0 R 7 0 R 30 0 R ]", other},
			"changed " + setA + ", O element 2: dictionary outside the page tree | array\n"},
		{"data of a stream that is not an image", outside("<< >> stream\na\nendstream", "<< >> stream\nb\nendstream"),
			[]string{"/O [ 6 0 R 7 0 R 30 0 R ]", other}, ""},
		{"a format within another filter", nil,
			[]string{"/Filter /DCTDecode", "/Filter [ /ASCIIHexDecode /DCTDecode ]", "jpeg", "6a706567>"}, ""},
		{"IDs of dictionaries", outside("<< /ID <01> >>", "<< /ID <02> >>"), []string{"/O [ 6 0 R 7 0 R 30 0 R ]", other},
			"changed " + setA + ", O element 2: dictionary outside the page tree, ID <01> | " +
				"dictionary outside the page tree, ID <02>\n"},
		{"two direct members", nil, []string{"/O [ 11 0 R ]", "/O [ 11 0 R 7 (x) ]"},
			"added " + setC + ", O element 1:  | integer\nadded " + setC + ", O element 2:  | string\n"},
		{"an entry and a member", nil, []string{"/T (A)", "/T (B)", "/O [ 6 0 R 7 0 R ]", "/O [ 6 0 R ]"},
			"changed " + setA + ", T: (A) | (B)\nlost " + setA + ", O element 1: page 2 | \n"},
		{"a member and the zoom of another", nil, []string{"/Contents 18 0 R", "/Contents 18 0 R /PZ 2", "second\n",
			"third\n"},
			"changed " + setA + ", O element 1: page 2, content b7623502 | page 2, content 7d0179bb\n" +
				"changed " + setA + ", O element 0, PZ: none | 2\n"},
		{"another page, and one more page with the ID", nil, []string{"/O [ 6 0 R 7 0 R ]", "/O [ 6 0 R 11 0 R ]",
			"11 0 obj << /Type /Page /ID " + idC, "11 0 obj << /Type /Page /ID " + idA},
			"pageIDsDropped: 1 of 3 page IDs lost, or the page removed\n" +
				"changed " + setA + ", O element 1: page 2 | page 3\n" +
				"changed pages with ID " + idA + ": 2 pages | 3 pages\nlost pages with ID " + idC + ": 1 page | \n"},
	})
}

// TestIncomparableImages: an image that cannot be compared is one unread part, even if it is in several places.
func TestIncomparableImages(t *testing.T) {
	const form = "/Width 2 /Height 2 /BitsPerComponent 8 /Filter "
	image := func(num, filter, data string) string {
		return num + " 0 obj << /Subtype /Image " + form + filter + " >> stream\n" + data + "\nendstream\n"
	}
	file := func(filter, data string) string {
		return edit(t, base, append(more(image("30", filter, data)+image("31", filter, data)),
			"/O [ 9 0 R ]", "/O [ 30 0 R 31 0 R 30 0 R 31 0 R ]")...)
	}
	const reason = "R: the image cannot be compared: the two files store its samples in different forms\n"
	const both = "unread in B: object 30 0 " + reason + "unread in B: object 31 0 " + reason
	for _, tt := range []struct{ filter, data, want string }{
		{"/ASCIIHexDecode", "30 31>", ""},
		{"[ /ASCIIHexDecode ]", "30 31>", ""},
		{"[ /ASCIIHexDecode /ASCIIHexDecode ]", "333033313E>", ""},
		{"[ /ASCIIHexDecode /CCITTFaxDecode ]", "3031>", both},
		{"[ /ASCIIHexDecode /CCITTFaxDecode ]", "30 31>", both},
		{"/JBIG2Decode", "30 31>", both},
		{"[ /JPXDecode ]", "30 31>", both},
	} {
		t.Run(tt.filter+" "+tt.data, func(t *testing.T) {
			got := text(compare(t, pdf(t, file("/ASCIIHexDecode", "3031>")), pdf(t, file(tt.filter, tt.data))))
			if got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

// TestMovedPages: a page that has another number in B is the same if ID, content, and painted images are. Pages with
// the same content and ID are told apart by their order.
func TestMovedPages(t *testing.T) {
	const inFront = "\n4 0 obj << /Type /Page >>\n5 0 obj"
	const painting = "/Contents [ 19 0 R ] /Resources << /XObject << /I 9 0 R >> >>"
	moved := func(edits ...string) []string { return append([]string{"\n5 0 obj", inFront}, edits...) }
	other := more("30 0 obj << /Subtype /Image /Width 8 /Height 4 /Filter /DCTDecode >> stream\nother\nendstream")
	swapped := []string{"/O [ 6 0 R 7 0 R ]", "/O [ 7 0 R 6 0 R ]"}
	element1 := "changed " + setA + ", O element 1: page 2 | page 3\n"
	alike := []string{"/Contents [ 19 0 R ]", "/Contents 18 0 R"}
	testPairs(t, []pairCase{
		{"only moved", nil, moved(), ""},
		{"other white space", nil, moved("second\n", " second\n"), ""},
		{"another content", nil, moved("second\n", "third\n"), element1},
		{"another ID", nil, moved("7 0 obj << /Type /Page /ID "+idA, "7 0 obj << /Type /Page /ID "+idC),
			"pageIDsDropped: 1 of 3 page IDs lost, or the page removed\n" + element1 +
				"changed pages with ID " + idA + ": 2 pages | 1 page\nchanged pages with ID " + idC + ": 1 page | 2 pages\n"},
		{"the same image", append(other, "second\n", "/I Do\n", "/Contents [ 19 0 R ]", painting), moved(), ""},
		{"another image", append(other, "second\n", "/I Do\n", "/Contents [ 19 0 R ]", painting), moved("/I 9 0 R",
			"/I 30 0 R"),
			element1},
		{"two pages alike", alike, moved(), ""},
		{"two pages alike, in the other order", alike, moved(swapped...),
			"changed " + setA + ", O element 0: page 1 | page 3\n"}, // element 1 is page 2 in both files
		{"behind an unreadable page", []string{"\n5 0 obj", inFront}, []string{"4 0 obj << /Type /Page",
			"4 0 obj << /Type /Page ]",
			"second\n", "third\n"}, "changed " + setA + ", O element 1: page 3, content b7623502 | page 3, content 7d0179bb\n" +
			"unread in B: object 4 0 R: object 4 0: dictionary key is not a name\n"},
	})
}

// TestChangedPageWithDamagedResources: a page whose content changed is a change, even if its resources are damaged.
// They are an unread part of both files.
func TestChangedPageWithDamagedResources(t *testing.T) {
	damaged := edit(t, base, "first\n", "/I Do\n", "/Contents 18 0 R", "/Resources 90 0 R /Contents 18 0 R") +
		"90 0 obj << ]\n"
	res := compare(t, pdf(t, damaged), pdf(t, edit(t, damaged, "/I Do\n", "q /I Do\n")))
	if len(res.Changes) != 1 || res.Changes[0].Kind != diff.Changed || len(res.A.Unread) != 1 || len(res.B.Unread) != 1 {
		t.Fatalf("%v; unread %v, %v", res.Changes, res.A.Unread, res.B.Unread)
	}
	if u := res.B.Unread[0]; u.Place.Page != 1 || !object.IsMalformed(u.Err) {
		t.Errorf("unread: %v", u)
	}
}

// TestMissingCommand: a reference to a missing object is the same as no entry (7.3.10).
func TestMissingCommand(t *testing.T) {
	none := edit(t, base, "/TS (D:2001) /C 15 0 R", "/TS (D:2001)")
	for name, row := range map[string][2]string{
		"of a source":  {edit(t, base, "/TS (D:2001) /C 15 0 R", "/TS (D:2001) /C 99 0 R"), none},
		"S":            {edit(t, base, "/TS (D:2001)", "/TS (D:2001) /S 99 0 R"), base},
		"L of command": {edit(t, base, "/L 1 ", "/L 99 0 R "), edit(t, base, "/L 1 ", "")},
	} {
		for _, pair := range [][2]string{row, {row[1], row[0]}} {
			if res := compare(t, pdf(t, pair[0]), pdf(t, pair[1])); len(res.Changes) > 0 {
				t.Errorf("%s: %v", name, res.Changes)
			}
		}
	}
}
