package restore

import (
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// TestOutcome: the outcome counts the content sets of the original that are missing, and says why.
func TestOutcome(t *testing.T) {
	const all = "o: content sets in the file: all 3"
	missing := func(count, why string) string {
		return "o: content sets in the file: 2 of 3. Left 1: 1 " + count + "\n" + why
	}
	// The original has a third content set with page 13 or image 14.
	const page = "22 0 obj << /S /SPS /ID @c /O [ 13 0 R ] /SI << /AU (http://c/) >> >>\n" +
		"13 0 obj << /Type /Page /ID @c /Contents 33 0 R >>\n33 0 obj << >>\nstream\n3 0 0\nendstream\n"
	const image = "22 0 obj << /S /SIS /ID @c /O [ 14 0 R ] /R [ 1 ] /SI << /AU (http://c/) >> >>\n" +
		"14 0 obj << /Subtype /Image /Width 9 /Height 9 /ID @c >>\nstream\nc\nendstream\n"
	for name, c := range map[string]struct {
		theirs []string // replacements in the original
		third  string
		more   string // objects of the file
		ours   []string
		edit   func(*Inputs)
		want   string
	}{
		"all": {nil, page, "12 0 obj << /Type /Page /Contents 33 0 R >>\n33 0 obj << >>\nstream\n3 0 0\nendstream\n",
			nil, nil, all},
		"a page that is gone": {nil, page, "", nil, nil, missing("not in the file",
			"page set @c of (http://c/): none of its pages or images is in the file\no: pages that are not in the file (1 of 3): 3")},
		"an image that is gone": {[]string{"/I 12 0 R", "/I 12 0 R /J 14 0 R"}, image, "", nil, nil,
			missing("not in the file", "image set @c of (http://c/): none of its pages or images is in the file")},
		"an image that no page shows": {nil, image, "", nil, nil,
			missing("not in the file", "image set @c of (http://c/): none of its pages or images is in the file")},
		"two pages that are equal": {nil, strings.NewReplacer("3 0 0", "0 1 0", "33 0 R",
			"33 0 R /Resources << /XObject << /I 12 0 R >> >>").Replace(page), "", nil, nil,
			"o: content sets in the file: 2 of 3. Left 1: " +
				"1 ambiguous\npage set @c of (http://c/): it cannot be distinguished from others\n" +
				"o: skipped page 2, which may be page 2 of the file\no: skipped page 3, which may be page 2 of the file"},
		"two images that are equal": {[]string{"/I 12 0 R", "/I 12 0 R /J 14 0 R", "/Width 1 /Height 1",
			"/Width 9 /Height 9"},
			strings.Replace(image, "\nc\n", "\nx\n", 1), "", []string{"/Width 1 /Height 1", "/Width 9 /Height 9"}, nil,
			"o: content sets in the file: 1 of 3. Left 2: 2 ambiguous\n" +
				"image set @b of (http://a/b): it cannot be distinguished from others\n" +
				"image set @c of (http://c/): it cannot be distinguished from others"},
		"a page of another content set": {nil, page,
			"12 0 obj << /Type /Page /Contents 33 0 R >>\n33 0 obj << >>\nstream\n3 0 0\nendstream\n34 0 obj << /Type " +
				"/Page >>\n" +
				"50 0 obj << /S /SPS /ID @z /O [ 12 0 R 34 0 R ] /SI << /AU (http://z/) >> >>\n",
			[]string{"/Other 1", "/URLS << /Names [ (http://z/) 50 0 R ] >>"}, nil,
			missing("of another capture", "page set @c of (http://c/): the file has another capture of it, "+
				"with another date or ID (content set 50 0 R)")},
		"a content set that would cause a finding": {nil, page,
			"12 0 obj << /Type /Page /Contents 33 0 R >>\n33 0 obj << >>\nstream\n3 0 0\nendstream\n", nil,
			func(in *Inputs) { in.LeftOut[object.Ref{Num: 22}] = "WC1" },
			missing("refused", "page set @c of (http://c/): the file would have a new finding: WC1")},
	} {
		t.Run(name, func(t *testing.T) {
			original := parsed(t, strings.NewReplacer(c.theirs...).Replace(capture)+c.third,
				"(http://a/b) 21 0 R ]", "(http://a/b) 21 0 R (http://c/) 22 0 R ]", "@b 21 0 R ]", "@b 21 0 R @c 22 0 R ]")
			r := restored(t, original, parsed(t, bare+c.more, c.ours...), c.edit)
			expect(t, "outcome", r.outcome(), c.want)
		})
	}
}

// TestOtherCaptures: a content set of another capture is left, and the outcome names it.
func TestOtherCaptures(t *testing.T) {
	for name, c := range map[string]scene{
		"another ID":   {nil, otherID, ""},
		"another date": {date("SPS", "2008"), date("SPS", "2012"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := restored(t, parsed(t, capture, c.theirs...), parsed(t, capture, c.ours...), nil)
			expect(t, "outcome", r.outcome()[:2], "o: content sets in the file: 1 of 2. Left 1: 1 of another "+
				"capture\npage set @a of (http://a/): the file has another capture of it, with another date or ID "+
				"(content set 20 0 R)")
		})
	}
}

// TestOutcomeText: the outcome counts each reason.
func TestOutcomeText(t *testing.T) {
	o := Outcome{Original: "o", Sets: 30}
	for r := none + 1; r < reasons; r++ {
		for range 2 {
			o.Missing = append(o.Missing, MissingSet{reason: r})
		}
	}
	const want = "o: content sets in the file: 18 of 30. Left 12: 2 not in the file, 2 ambiguous, " +
		"2 in another content set, 2 of another capture, 2 contradicted, 2 refused"
	if got := o.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestLeftOut: a content set that is left out gets nothing.
func TestLeftOut(t *testing.T) {
	file := parsed(t, capture, "(http://a/b) 21 0 R", "(http://x/) 21 0 R", "/R [ 2 ]", "", "/T (title)", "")
	r := restored(t, parsed(t, capture), file, func(in *Inputs) {
		in.LeftOut = map[object.Ref]string{{Num: 21}: "WC1"}
	})
	expect(t, "steps", r.steps(), "content set 20 0 R: T (title), by 20")
}
