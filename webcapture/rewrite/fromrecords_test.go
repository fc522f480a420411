package rewrite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// TestFromChangesBack: records of the file that the original contradicts are changed back, in one plan.
func TestFromChangesBack(t *testing.T) {
	const a, b = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>", "<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>"
	const c, d = "<c0c1c2c3c4c5c6c7c8c9cacbcccdcecf>", "<d0d1d2d3d4d5d6d7d8d9dadbdcdddedf>"
	const direct = "<< /S /SPS /ID 22 0 R /O [ 10 0 R 11 0 R ] /T (title) /SI << /AU (http://a/0) /C 40 0 R >> >>"
	for name, pairs := range map[string][]string{
		"SI exchanged": {"/SI << /AU (http://a/0) /C 40 0 R >>", "/SI << /AU (http://a/1.jpg) >>",
			"/R [ 2 ] /SI << /AU (http://a/1.jpg) >>", "/R [ 2 ] /SI << /AU (http://a/0) /C 40 0 R >>"},
		"IDs exchanged":     {"/S /SPS /ID 22 0 R", "/S /SPS /ID " + b, "/S /SIS /ID " + b, "/S /SIS /ID " + a},
		"an ID is null":     {"/S /SIS /ID " + b, "/S /SIS /ID null", b + " 21 0 R ]", "null 21 0 R ]"},
		"an ID and its key": {"/S /SIS /ID " + b, "/S /SIS /ID " + c, b + " 21 0 R ]", c + " 21 0 R ]"},
		"an ID and its key, and another ID like it": {"/S /SIS /ID " + b, "/S /SIS /ID " + c, b + " 21 0 R ]", c + " 21 0 R ]",
			"/S /SPS /ID 22 0 R", "/S /SPS /ID " + c},
		"IDs encrypted twice": {"22 0 obj " + a, "22 0 obj " + d, "/S /SIS /ID " + b, "/S /SIS /ID " + c,
			"BitsPerComponent 8 /ID " + b, "BitsPerComponent 8 /ID " + c},
		"no AU":       {"/SI << /AU (http://a/1.jpg) >>", "/SI << >>"},
		"a page's ID": {"/Parent 2 0 R /ID 22 0 R /PZ 1.5", "/Parent 2 0 R /ID " + b + " /PZ 7"},
		"keys exchanged": {"[ (http://a/0) 20 0 R (http://a/1.jpg) 21 0 R ]",
			"[ (http://a/0) 21 0 R (http://a/1.jpg) 20 0 R ]"},
		"a garbled key":    {"(http://a/1.jpg) 21 0 R ]", "(http://a/1.jpg%00) 21 0 R ]"},
		"O in other order": {"/O [ 10 0 R 11 0 R ]", "/O [ 11 0 R 10 0 R ]"},
		"another count":    {"/R [ 2 ]", "/R [ 9 ]"},
		"SI exchanged, and a page of another document": {
			"/SI << /AU (http://a/0) /C 40 0 R >>", "/SI << /AU (http://a/1.jpg) >>",
			"/R [ 2 ] /SI << /AU (http://a/1.jpg) >>", "/R [ 2 ] /SI << /AU (http://a/0) /C 40 0 R >>",
			"/Kids [ 10 0 R 11 0 R ] /Count 2", "/Kids [ 10 0 R 11 0 R 60 0 R ] /Count 3",
			"\n30 0 obj", "\n60 0 obj << /Type /Page /Parent 2 0 R >>\n30 0 obj"},
		"IDs garbled, an image lost, keys exchanged": {"/S /SPS /ID 22 0 R", "/S /SPS /ID " + d, "22 0 obj " + a, "22 0 obj " + d,
			"/S /SIS /ID " + b + " /O [ 12 0 R ]", "/S /SIS /ID " + c + " /O [ 11 0 R ]", "BitsPerComponent 8 /ID " + b,
			"BitsPerComponent 8 /ID " + c, a + " 20 0 R", a + " 21 0 R", b + " 21 0 R ]", b + " 20 0 R ]"},
		"a set that stands in both trees": {"[ (http://a/0) 20 0 R", "[ (http://a/0) " + direct, a + " 20 0 R", a + " " + direct},
	} {
		t.Run(name, func(t *testing.T) {
			from := filepath.Join(t.TempDir(), "original.pdf")
			if err := os.WriteFile(from, pdf(t, original), 0o600); err != nil {
				t.Fatal(err)
			}
			after := strings.NewReplacer(pairs...).Replace(original)
			if after == original {
				t.Fatal("nothing is damaged")
			}
			out := carryOut(t, planOf(t, pdf(t, after), Options{From: []string{from}}))
			if got := differences(t, pdf(t, original), out); got != "" {
				t.Errorf("the differences are\n%s", got)
			}
			if again := planOf(t, out, Options{From: []string{from}}); !again.Empty() {
				t.Errorf("left for a second time: %v", again.Steps)
			}
		})
	}
}

// TestFromCopiesOfImage: O lists all copies that a tool made of an image, one for each page.
func TestFromCopiesOfImage(t *testing.T) {
	_, from := originalsAt(t, original)
	after := strings.Replace(stripped, "/Contents 9 0 R /Resources << /XObject << /J 7 0 R",
		"/Contents 9 0 R /Resources << /XObject << /J 4 0 R", 1) +
		"4 0 obj << /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\nstream\nx\nendstream\n"
	p := planOf(t, pdf(t, after), Options{From: from})
	out := string(carryOut(t, p))
	if got := strings.NewReplacer("[ ", "[", " ]", "]").Replace(out); !strings.Contains(got, "/O [7 0 R 4 0 R]") ||
		!strings.Contains(got, "/R [1 1]") {
		t.Errorf("O does not list both copies:\n%s", stepLines(p.Steps))
	}
	if len(p.Left) > 0 {
		t.Errorf("left: %v", p.Left)
	}
}

// TestFromOutcome: content sets that do not come back are counted by reason, and named.
func TestFromOutcome(t *testing.T) {
	_, from := originalsAt(t, original)
	after := strings.NewReplacer("\nx\n", "\nyy\n", "/Width 1", "/Width 2", "/Length 1 ",
		"/Length 2 ").Replace(stripped)
	p := planOf(t, pdf(t, after), Options{From: from})
	const want = ": content sets in the file: 1 of 2. Missing 1: 1 has no image in the file"
	if len(p.Restored) != 1 || p.Restored[0].String() != from[0]+want {
		t.Fatalf("the outcome is %v, want %s", p.Restored, want)
	}
	const missing = "image set <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> of (http://a/1.jpg): no image of it is in the file"
	if got := p.Restored[0].Missing[0].String(); got != missing {
		t.Errorf("missing is %s, want %s", got, missing)
	}
}

// TestFromCopyOfSet: a copy of a content set with another URL stays as it is, no matter whose URL that is. The set gets
// the key back that led to the copy only.
func TestFromCopyOfSet(t *testing.T) {
	const id = "<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>"
	copied := "50 0 obj << /S /SIS /ID " + id + " /O [ 12 0 R ] /R [ 2 ] /SI << /AU (%s) >> >>\n"
	for name, c := range map[string]struct {
		url, key string // of the copy
		steps    string
	}{
		"the URL of another set": {"http://a/0", "(http://a/1.jpg) 50 0 R ]",
			"URLS: plant (http://a/1.jpg) 21 0 R"},
		"a URL of its own": {"http://b/", "(http://a/1.jpg) 21 0 R (http://b/) 50 0 R ]", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, from := originalsAt(t, original)
			after := strings.Replace(original, "(http://a/1.jpg) 21 0 R ]", c.key, 1) + fmt.Sprintf(copied, c.url)
			p := planOf(t, pdf(t, after), Options{From: from})
			var got []string
			for _, s := range p.Steps {
				if s.Action == rule.Plant {
					got = append(got, s.String())
				}
			}
			if strings.Join(got, "\n") != c.steps {
				t.Errorf("the steps are\n%s\nwant\n%s", strings.Join(got, "\n"), c.steps)
			}
			if out := string(carryOut(t, p)); !strings.Contains(out, c.key) && !strings.Contains(out, id+" 21 0 R") {
				t.Error("the keys have moved")
			}
		})
	}
}

// TestFromMembersGone: a content set whose members are not in the file gets what else the original has, and no empty O.
func TestFromMembersGone(t *testing.T) {
	_, from := originalsAt(t, original)
	after := strings.NewReplacer("/O [ 12 0 R ] /R [ 2 ]", "", "\nx\n", "\nyy\n", "/Width 1", "/Width 2", "/Length 1 ",
		"/Length 2 ", "/T (title)", "/T (other)").Replace(original)
	after = strings.Replace(after, "/Width 2 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /ID <b0",
		"/Width 2 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /ID <ff", 1)
	p := planOf(t, pdf(t, after), Options{From: from})
	const want = "content set 20 0 R: plant T (other) becomes T (title)"
	if got := stepLines(p.Steps); got != want {
		t.Errorf("the steps are\n%s\nwant\n%s", got, want)
	}
}

// TestFromMergedWithItself: of a file that was merged with itself, each content set gets its pages and images with their
// copies, and no finding is new.
func TestFromMergedWithItself(t *testing.T) {
	_, from := originalsAt(t, strings.Replace(original, "/R [ 2 ]", "/R 2", 1))
	tagged := strings.NewReplacer("/Contents 8", "/ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /Contents 8",
		"/Contents 9", "/ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /Contents 9", "/BitsPerComponent 8 /Length",
		"/BitsPerComponent 8 /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /Length").Replace(stripped)
	_, rest, _ := strings.Cut(tagged, "5 0 obj")
	second := strings.NewReplacer("5 0 obj", "15 0 obj", "6 0 obj", "16 0 obj", "7 0 obj", "17 0 obj", "8 0 obj",
		"18 0 obj", "9 0 obj", "19 0 obj", "8 0 R", "18 0 R", "9 0 R", "19 0 R", "7 0 R", "17 0 R", "6 0 R", "16 0 R",
	).Replace("5 0 obj" + rest)
	after := strings.Replace(tagged, "/Kids [ 5 0 R 6 0 R ] /Count 2", "/Kids [ 5 0 R 6 0 R 15 0 R 16 0 R ] /Count 4",
		1)
	p := planOf(t, pdf(t, after+second), Options{From: from})
	if len(p.Left)+len(p.Restored[0].Missing) > 0 {
		t.Errorf("left: %v, missing: %v", p.Left, p.Restored[0].Missing)
	}
	out := strings.NewReplacer("[ ", "[", " ]", "]").Replace(string(carryOut(t, p)))
	for _, want := range []string{"/O [5 0 R 6 0 R 15 0 R 16 0 R]", "/O [7 0 R 17 0 R]", "/R [2 2]"} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %s:\n%s", want, stepLines(p.Steps))
		}
	}
}

// TestFromMembersExchanged: an image that no page shows is recognized in O of a page set, too.
func TestFromMembersExchanged(t *testing.T) {
	unshown := strings.Replace(original, "/I 12 0 R", "", 2)
	from := filepath.Join(t.TempDir(), "original.pdf")
	if err := os.WriteFile(from, pdf(t, unshown), 0o600); err != nil {
		t.Fatal(err)
	}
	after := strings.NewReplacer("/ID 22 0 R /O [ 10 0 R 11 0 R ]", "/ID 22 0 R /O [ 12 0 R ]", "/O [ 12 0 R ] /R",
		"/O [ 10 0 R 11 0 R ] /R").Replace(unshown)
	out := carryOut(t, planOf(t, pdf(t, after), Options{From: []string{from}}))
	if got := differences(t, pdf(t, unshown), out); got != "" {
		t.Errorf("the differences are\n%s", got)
	}
}

// TestFromWrongOriginal: an original changes no record of the file that agrees with others there. Notices name what stays.
func TestFromWrongOriginal(t *testing.T) {
	const a, b = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>", "<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>"
	const c = "<c0c1c2c3c4c5c6c7c8c9cacbcccdcecf>"
	for name, row := range map[string]struct {
		pairs []string // texts that differ in the original: old, new, and so on
		said  string
	}{
		"URLs exchanged": {[]string{"/SI << /AU (http://a/0) /C 40 0 R >>", "/SI << /AU (http://a/1.jpg) >>",
			"/R [ 2 ] /SI << /AU (http://a/1.jpg) >>", "/R [ 2 ] /SI << /AU (http://a/0) /C 40 0 R >>"},
			"the records of page set " + a + " contradict each other in the original, so those of the file stay"},
		"an ID of its own": {[]string{"/S /SIS /ID " + b, "/S /SIS /ID " + c, b + " 21 0 R", c + " 21 0 R"},
			"image set " + c + " has the ID " + b + " in the file (content set 21 0 R); " +
				"other records there, or its image, support it, so it stays"},
		"a garbled ID": {[]string{"/S /SIS /ID " + b, "/S /SIS /ID (x)"},
			"image set (x) has the ID " + b + " in the file (content set 21 0 R); " +
				"other records there, or its image, support it, so it stays"},
		"an empty ID":     {[]string{"/S /SIS /ID " + b, "/S /SIS /ID ()"}, ""},
		"another capture": {[]string{"a0a1a2", "d0d1d2", "b0b1b2", "e0e1e2"}, "it is another capture of these pages"},
		"contradictory keys": {[]string{"[ (http://a/0) 20 0 R (http://a/1.jpg) 21 0 R ]",
			"[ (http://a/0) 21 0 R (http://a/1.jpg) 20 0 R ]"},
			"the records of image set " + b + " contradict each other in the original, so those of the file stay; " +
				"repair the original first"},
		"members of another set": {[]string{"/O [ 10 0 R 11 0 R ]", "/O [ 12 0 R ]"}, "the records of page set " + a},
		"an ID of a page":        {[]string{"/ID 22 0 R /PZ", "/ID " + b + " /PZ"}, "the records of page set " + a},
		"a URL with a fragment":  {[]string{"/SI << /AU (http://a/1.jpg) >>", "/SI << /AU (http://a/1.jpg#x) >>"}, ""},
		"half of it": {[]string{"\n21 0 obj", "\n91 0 obj"},
			"damaged: keys without a content set: 2"},
	} {
		t.Run(name, func(t *testing.T) {
			_, from := originalsAt(t, strings.NewReplacer(row.pairs...).Replace(original))
			p := planOf(t, pdf(t, original), Options{From: from})
			if !p.Empty() {
				t.Errorf("the steps are\n%s", stepLines(p.Steps))
			}
			if said := strings.Join(p.Unmatched, "\n"); !strings.Contains(said, row.said) {
				t.Errorf("it says\n%s\nwant\n%s", said, row.said)
			}
		})
	}
}

// TestFromLeavesOut: a content set of an original that would cause a new finding is left out and named, no repair
// changes it, and the rest of the original comes back.
func TestFromLeavesOut(t *testing.T) {
	_, from := originalsAt(t, original)
	after := strings.NewReplacer("/R [ 2 ]", "/R [ 1 ]", "/Contents 31 0 R /Resources << /XObject << /I 12 0 R >> >>",
		"/Contents 31 0 R", "/PZ 1.5 ", "").Replace(original)
	p := planOf(t, pdf(t, after), Options{From: from})
	if got, want := stepLines(p.Steps), "page 1, 10 0 R: plant PZ 1.5"; got != want {
		t.Errorf("the steps are\n%s\nwant\n%s", got, want)
	}
	const want = ": content sets in the file: 1 of 2. Missing 1: 1 would cause a new finding"
	if got := p.Restored[0].String(); !strings.HasSuffix(got, want) {
		t.Errorf("it says %s", got)
	}
	if got := fmt.Sprint(p.Restored[0].Missing); !strings.Contains(got, "image set <b0b1") || !strings.Contains(got, "WC510") {
		t.Errorf("these are missing: %s", got)
	}
}

// TestFromUnknownCount: R stays if neither file has a count for an image that only the file lists.
func TestFromUnknownCount(t *testing.T) {
	_, from := originalsAt(t, original)
	after := strings.NewReplacer("/O [ 12 0 R ] /R [ 2 ]", "/O [ 12 0 R 13 0 R ] /R 2").Replace(original) +
		"13 0 obj << /Type /XObject /Subtype /Image /Width 1 /Height 1 /Length 1 >>\nstream\ny\nendstream\n"
	if p := planOf(t, pdf(t, after), Options{From: from}); !p.Empty() {
		t.Errorf("the steps are\n%s", stepLines(p.Steps))
	}
}

// TestFromPageOfAnother: a page that stands in the place of one of the original gets nothing if other pages kept their
// content.
func TestFromPageOfAnother(t *testing.T) {
	_, from := originalsAt(t, original)
	after := strings.Replace(stripped, "/Contents 9 0 R /Resources << /XObject << /J 7 0 R >> >>", "/Contents 9 0 R", 1)
	p := planOf(t, pdf(t, strings.Replace(after, "0  1 0", "0  8 0", 1)), Options{From: from})
	if got := stepLines(p.Steps); strings.Contains(got, "page 2") || !strings.Contains(got, "page 1") {
		t.Errorf("the steps are\n%s", got)
	}
	if got := strings.Join(p.Unmatched, "\n"); !strings.Contains(got, "pages that are not in the file (1 of 2): 2") {
		t.Errorf("it says %s", got)
	}
}

// TestFromManyOfOneID: content sets that share ID and keys with too many others stay as they are.
func TestFromManyOfOneID(t *testing.T) {
	const id = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>"
	var refs, sets strings.Builder
	for i := range 70 {
		fmt.Fprintf(&refs, " %d 0 R", 100+i)
		fmt.Fprintf(&sets, "%d 0 obj << /S /SPS /ID %s /O [ ] /T (%d) >>\n", 100+i, id, i)
	}
	many := "catalog: << /Type /Catalog /Pages 2 0 R /Names << /URLS << /Names [ (http://a/) [" + refs.String() +
		" ] ] >> /IDS << /Names [ " + id + " [" + refs.String() + " ] ] >> >> >>\n" +
		"2 0 obj << /Type /Pages /Kids [ 10 0 R ] /Count 1 /MediaBox [ 0 0 9 9 ] >>\n" +
		"10 0 obj << /Type /Page /Parent 2 0 R /Contents 30 0 R /PZ 1 >>\n" +
		"30 0 obj << /Length 6 >>\nstream\n1 0 0 \nendstream\n" + sets.String()
	_, from := originalsAt(t, many)
	p := planOf(t, pdf(t, strings.Replace(many, "/T (3)", "/T (x)", 1)), Options{From: from, Rules: []*rule.Rule{}})
	if !p.Empty() {
		t.Errorf("the steps are\n%s", stepLines(p.Steps))
	}
}

// TestFromStrayCopyAtKey: the original adds the right content set to a key that leads to a stray copy, which stays.
func TestFromStrayCopyAtKey(t *testing.T) {
	_, from := originalsAt(t, original)
	after := strings.Replace(original, "(http://a/1.jpg) 21 0 R ]", "(http://a/1.jpg) 50 0 R ]", 1) +
		"50 0 obj << /S /SIS /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O [ 12 0 R ] /R [ 2 ] /SI << /AU (http://b/) >> >>\n"
	p := planOf(t, pdf(t, after), Options{From: from})
	if got, want := stepLines(p.Steps), "URLS: plant (http://a/1.jpg) 21 0 R"; got != want {
		t.Errorf("the steps are\n%s\nwant\n%s", got, want)
	}
}

// TestFromImplausibleValues: an original with a damaged media type, or no URL, does not replace what the file has.
func TestFromImplausibleValues(t *testing.T) {
	for name, pairs := range map[string][]string{
		"an empty media type":                 {"/CT (text/html)", "/CT ()"},
		"a media type with a byte order mark": {"/CT (text/html)", "/CT <efbbbf746578742f68746d6c>"},
		"no URL":                              {"/SI << /AU (http://a/1.jpg) >>", "/SI << >>"},
	} {
		t.Run(name, func(t *testing.T) {
			_, from := originalsAt(t, strings.NewReplacer(pairs...).Replace(original))
			if p := planOf(t, pdf(t, original), Options{From: from}); !p.Empty() {
				t.Errorf("the steps are\n%s", stepLines(p.Steps))
			}
		})
	}
}

// IDs of content sets of threeSets; the other one is imageID.
const pagesID, secondID = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>", "<c0c1c2c3c4c5c6c7c8c9cacbcccdcecf>"

// threeSets returns the original with a second image.
func threeSets() string {
	return strings.NewReplacer("(http://a/1.jpg) 21 0 R ]", "(http://a/1.jpg) 21 0 R (http://a/2.jpg) 50 0 R ]",
		imageID+" 21 0 R ]", imageID+" 21 0 R "+secondID+" 50 0 R ]", "/XObject << /I 12 0 R", "/XObject << /I 12 0 R /K 51 0 R", " /C 40 0 R", "",
	).Replace(original) + "50 0 obj << /S /SIS /ID " + secondID + " /O [ 51 0 R ] /R [ 2 ] /SI << /AU (http://a/2.jpg) >> >>\n" +
		"51 0 obj << /Type /XObject /Subtype /Image /Width 2 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /ID " + secondID +
		" /Length 2 >>\nstream\nyz\nendstream\n"
}

// TestFromMembersAlone: if an original contradicts itself, equal images alone do not outweigh the keys of a content
// set in the file.
func TestFromMembersAlone(t *testing.T) {
	three := threeSets()
	_, from := originalsAt(t, strings.Replace(three, "(http://a/1.jpg) 21 0 R (http://a/2.jpg) 50 0 R",
		"(http://a/1.jpg) 50 0 R (http://a/2.jpg) 21 0 R", 1))
	after := strings.NewReplacer("/SIS /ID "+imageID+" /O [ 12 0 R", "/SIS /ID "+secondID+" /O [ 51 0 R",
		"/SIS /ID "+secondID+" /O [ 51 0 R", "/SIS /ID "+pagesID+" /O [ 12 0 R", "22 0 obj "+pagesID, "22 0 obj "+imageID,
		"BitsPerComponent 8 /ID "+imageID, "BitsPerComponent 8 /ID "+secondID, "BitsPerComponent 8 /ID "+secondID, "BitsPerComponent 8 /ID "+pagesID,
	).Replace(three)
	p := planOf(t, pdf(t, after), Options{From: from})
	if got := stepLines(p.Steps); strings.Contains(got, "IDS: plant") {
		t.Errorf("the steps are\n%s", got)
	}
}

// TestFromMovedRecords: IDs and sources of three content sets moved to the next one. All come back, though one of the
// three is known by its members alone, and even if a copy has these members, too.
func TestFromMovedRecords(t *testing.T) {
	three := threeSets()
	_, from := originalsAt(t, three)
	moved := strings.NewReplacer("/S /SPS /ID 22 0 R", "/S /SPS /ID "+imageID, "/S /SIS /ID "+imageID, "/S /SIS /ID "+secondID,
		"/S /SIS /ID "+secondID, "/S /SIS /ID "+pagesID, "/SI << /AU (http://a/0)", "/SI << /AU (http://a/1.jpg)",
		"/SI << /AU (http://a/1.jpg)", "/SI << /AU (http://a/2.jpg)", "/SI << /AU (http://a/2.jpg)",
		"/SI << /AU (http://a/0)").Replace(three)
	copied := strings.Replace(moved, secondID+" 50 0 R", secondID+" [ 50 0 R 60 0 R ]", 1) +
		"60 0 obj << /S /SIS /ID " + pagesID + " /O [ 51 0 R ] /R [ 2 ] /SI << /AU (http://b/) >> >>\n"
	for name, c := range map[string]struct{ after, want string }{
		"moved":                     {moved, ""},
		"moved, and one was copied": {copied, "added image set " + pagesID + " of (http://b/): , 1 member"},
	} {
		t.Run(name, func(t *testing.T) {
			p := planOf(t, pdf(t, c.after), Options{From: from})
			if got := p.Restored[0].String(); got != from[0]+": content sets in the file: all 3" {
				t.Errorf("it says %q", got)
			}
			if got := strings.TrimSpace(differences(t, pdf(t, three), carryOut(t, p))); got != c.want {
				t.Errorf("the differences are\n%s", got)
			}
		})
	}
}
