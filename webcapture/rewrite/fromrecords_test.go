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
		"SI exchanged": {"/SI << /AU (http://a/0)", "/SI << /AU (http://a/1.jpg)",
			"/R [ 2 ] /SI << /AU (http://a/1.jpg) >>", "/R [ 2 ] /SI << /AU (http://a/0) >>"},
		"IDs exchanged":     {"/S /SPS /ID 22 0 R", "/S /SPS /ID " + b, "/S /SIS /ID " + b, "/S /SIS /ID " + a},
		"an ID is null":     {"/S /SIS /ID " + b, "/S /SIS /ID null", b + " 21 0 R ]", "null 21 0 R ]"},
		"an ID and its key": {"/S /SIS /ID " + b, "/S /SIS /ID " + c, b + " 21 0 R ]", c + " 21 0 R ]"},
		"an ID and its key, and another ID like it": {"/S /SIS /ID " + b, "/S /SIS /ID " + c, b + " 21 0 R ]", c + " 21 0 R ]",
			"/S /SPS /ID 22 0 R", "/S /SPS /ID " + c},
		"IDs encrypted twice": {"22 0 obj " + a, "22 0 obj " + d, "/S /SIS /ID " + b, "/S /SIS /ID " + c,
			"BitsPerComponent 8 /ID " + b, "BitsPerComponent 8 /ID " + c},
		"no AU":       {"/SI << /AU (http://a/1.jpg) >>", "/SI << >>"},
		"a page's ID": {"/Parent 2 0 R /ID 22 0 R /PZ 1.5", "/Parent 2 0 R /ID " + b + " /PZ 1.5"},
		"keys exchanged": {"[ (http://a/0) 20 0 R (http://a/1.jpg) 21 0 R ]",
			"[ (http://a/0) 21 0 R (http://a/1.jpg) 20 0 R ]"},
		"a garbled key":                   {"(http://a/1.jpg) 21 0 R ]", "(http://a/1.jpg%00) 21 0 R ]"},
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
	const want = ": content sets in the file: 1 of 2. Left 1: 1 not in the file"
	if len(p.Restored) != 1 || p.Restored[0].String() != from[0]+want {
		t.Fatalf("the outcome is %v, want %s", p.Restored, want)
	}
	const missing = "image set <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> of (http://a/1.jpg): none of its pages or images is in the file"
	if got := p.Restored[0].Missing[0].String(); got != missing {
		t.Errorf("missing is %s, want %s", got, missing)
	}
}

// TestFromCopyOfSet: a copy of a content set with another URL stays as it is, no matter whose URL that is. Both
// list the same image, so the original decides about neither.
func TestFromCopyOfSet(t *testing.T) {
	const id = "<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>"
	copied := "50 0 obj << /S /SIS /ID " + id + " /O [ 12 0 R ] /R [ 2 ] /SI << /AU (%s) >> >>\n"
	for name, c := range map[string]struct {
		url, key string // of the copy
		steps    string
	}{
		"the URL of another set": {"http://a/0", "(http://a/1.jpg) 50 0 R ]", ""},
		"a URL of its own":       {"http://b/", "(http://a/1.jpg) 21 0 R (http://b/) 50 0 R ]", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, from := originalsAt(t, original)
			after := strings.Replace(original, "(http://a/1.jpg) 21 0 R ]", c.key, 1) + fmt.Sprintf(copied, c.url)
			p := planOf(t, pdf(t, after), Options{From: from})
			var got []string
			for _, s := range p.Steps {
				if s.Action == rule.Restore {
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

// TestFromMembersGone: a content set whose members are not in the file gets no empty O.
func TestFromMembersGone(t *testing.T) {
	_, from := originalsAt(t, original)
	after := strings.NewReplacer("/O [ 12 0 R ] /R [ 2 ]", "", "\nx\n", "\nyy\n", "/Width 1", "/Width 2", "/Length 1 ",
		"/Length 2 ", "/T (title)", "/T (other)").Replace(original)
	after = strings.Replace(after, "/Width 2 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /ID <b0",
		"/Width 2 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /ID <ff", 1)
	p := planOf(t, pdf(t, after), Options{From: from})
	if got := stepLines(p.Steps); got != "" {
		t.Errorf("the steps are\n%s", got)
	}
}

// TestFromWrongOriginal: an original changes no record of the file that agrees with others there. Notices name what
// stays.
func TestFromWrongOriginal(t *testing.T) {
	const a, b = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>", "<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>"
	const c = "<c0c1c2c3c4c5c6c7c8c9cacbcccdcecf>"
	for name, row := range map[string]struct {
		pairs []string // texts that differ in the original: old, new, and so on
		said  string
	}{
		"URLs exchanged": {[]string{"/SI << /AU (http://a/0) /C 40 0 R >>", "/SI << /AU (http://a/1.jpg) >>",
			"/R [ 2 ] /SI << /AU (http://a/1.jpg) >>", "/R [ 2 ] /SI << /AU (http://a/0) /C 40 0 R >>"}, ""},
		"an ID of its own": {[]string{"/S /SIS /ID " + b, "/S /SIS /ID " + c, b + " 21 0 R", c + " 21 0 R"}, ""},
		"a garbled ID":     {[]string{"/S /SIS /ID " + b, "/S /SIS /ID (x)"}, ""},
		"an empty ID":      {[]string{"/S /SIS /ID " + b, "/S /SIS /ID ()"}, ""},
		"another capture":  {[]string{"a0a1a2", "d0d1d2", "b0b1b2", "e0e1e2"}, ""},
		"contradictory keys": {[]string{"[ (http://a/0) 20 0 R (http://a/1.jpg) 21 0 R ]",
			"[ (http://a/0) 21 0 R (http://a/1.jpg) 20 0 R ]"}, ""},
		"members of another set": {[]string{"/O [ 10 0 R 11 0 R ]", "/O [ 12 0 R ]"}, ""},
		"an ID of a page":        {[]string{"/ID 22 0 R /PZ", "/ID " + b + " /PZ"}, ""},
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

// TestFromStrayCopyAtKey: a stray copy with the same image makes the content set ambiguous, so the original decides
// nothing. Nothing in the file tells which of both has the right URL, so no repair adds a key either.
func TestFromStrayCopyAtKey(t *testing.T) {
	_, from := originalsAt(t, original)
	after := strings.Replace(original, "(http://a/1.jpg) 21 0 R ]", "(http://a/1.jpg) 50 0 R ]", 1) +
		"50 0 obj << /S /SIS /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O [ 12 0 R ] /R [ 2 ] /SI << /AU (http://b/) >> >>\n"
	p := planOf(t, pdf(t, after), Options{From: from})
	if got := stepLines(p.Steps); got != "" {
		t.Errorf("the steps are\n%s", got)
	}
	if got, want := fmt.Sprint(p.Restored), "cannot be distinguished from others"; !strings.Contains(got, want) {
		t.Errorf("the outcome is %s, want %s", got, want)
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

// TestFromMovedRecords: IDs and sources of three content sets moved to the next one. A set whose ID and URL are those
// of another one of its kind is left, because its O may be wrong instead. The others come back.
func TestFromMovedRecords(t *testing.T) {
	three := threeSets()
	_, from := originalsAt(t, three)
	moved := strings.NewReplacer("/S /SPS /ID 22 0 R", "/S /SPS /ID "+imageID, "/S /SIS /ID "+imageID, "/S /SIS /ID "+secondID,
		"/S /SIS /ID "+secondID, "/S /SIS /ID "+pagesID, "/SI << /AU (http://a/0)", "/SI << /AU (http://a/1.jpg)",
		"/SI << /AU (http://a/1.jpg)", "/SI << /AU (http://a/2.jpg)", "/SI << /AU (http://a/2.jpg)",
		"/SI << /AU (http://a/0)").Replace(three)
	p := planOf(t, pdf(t, moved), Options{From: from})
	const want = ": content sets in the file: 2 of 3. Left 1: 1 ambiguous"
	if got := p.Restored[0].String(); got != from[0]+want {
		t.Errorf("it says %q", got)
	}
	const left = "lost image set <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> of (http://a/1.jpg): 1 member, \n" +
		"added image set <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> of (http://a/2.jpg): , 1 member"
	if got := strings.TrimSpace(differences(t, pdf(t, three), carryOut(t, p))); got != left {
		t.Errorf("the differences are\n%s", got)
	}
}
