package rewrite

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"

	"github.com/webcap-tools/webcap/webcapture"
)

// original is a capture of two pages with an image, a link to a named destination, and a
// command.
const original = `catalog: << /Type /Catalog /Pages 2 0 R /SpiderInfo << /V 1.25 /C [ 40 0 R ] >> /Names << /URLS << /Names [ (http://a/0) 20 0 R (http://a/1.jpg) 21 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 21 0 R ] >> /Dests << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf746f70> [ 11 0 R /Fit ] ] >> >> >>
2 0 obj << /Type /Pages /Kids [ 10 0 R 11 0 R ] /Count 2 /MediaBox [ 0 0 9 9 ] >>
20 0 obj << /S /SPS /ID 22 0 R /O [ 10 0 R 11 0 R ] /T (title) /CT (text/html) /SI << /AU (http://a/0) /C 40 0 R >> >>
22 0 obj <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>
21 0 obj << /S /SIS /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O [ 12 0 R ] /R [ 2 ] /SI << /AU (http://a/1.jpg) >> >>
40 0 obj << /URL (http://a/0) /S << /G << /X true >> >> >>
10 0 obj << /Type /Page /Parent 2 0 R /ID 22 0 R /PZ 1.5 /Contents 30 0 R /Resources << /XObject << /I 12 0 R >> >> /Annots [ << /Type /Annot /Subtype /Link /Rect [ 0 0 1 1 ] /A << /S /GoTo /D <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf746f70> >> /PA << /S /URI /URI (http://a/0#top) >> >> ] >>
11 0 obj << /Type /Page /Parent 2 0 R /ID 22 0 R /Contents 31 0 R /Resources << /XObject << /I 12 0 R >> >> >>
12 0 obj << /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /Length 1 >>
stream
x
endstream
30 0 obj << /Length 6 >>
stream
1 0 0 
endstream
31 0 obj << /Length 6 >>
stream
0 1 0 
endstream
`

// stripped is original as tools may write it: the same pages with other numbers and white space, and without Web
// Capture.
const stripped = `catalog: << /Type /Catalog /Pages 1 0 R >>
1 0 obj << /Type /Pages /Kids [ 5 0 R 6 0 R ] /Count 2 /MediaBox [ 0 0 9 9 ] >>
5 0 obj << /Type /Page /Parent 1 0 R /Contents 8 0 R /Resources << /XObject << /J 7 0 R >> >> /Annots [ << /Type /Annot /Subtype /Link /Rect [ 0.0 0.0 1.0 1.0 ] /Dest [ 6 0 R /Fit ] >> ] >>
6 0 obj << /Type /Page /Parent 1 0 R /Contents 9 0 R /Resources << /XObject << /J 7 0 R >> >> >>
7 0 obj << /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>
stream
x
endstream
8 0 obj << /Length 5 >>
stream
1 0 0
endstream
9 0 obj << /Length 7 >>
stream
0  1 0 
endstream
`

// everythingBack are the steps that restore everything of the original.
const everythingBack = `URLS: restore (http://a/0) 13 0 R
URLS: restore (http://a/1.jpg) 14 0 R
IDS: restore <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 13 0 R
IDS: restore <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> 14 0 R
object 7 0 R: restore ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>
page 1, 5 0 R: restore ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>
page 1, 5 0 R: restore PZ 1.5
page 2, 6 0 R: restore ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>
Dests: restore <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf746f70>
SpiderInfo: restore SpiderInfo
SpiderInfo: restore command (http://a/0)`

// TestFrom: the content database of an original is restored in files that tools made from it. Removed pages stay
// removed, and existing content sets stay.
func TestFrom(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join(dir, "original.pdf")
	if err := os.WriteFile(from, pdf(t, original), 0o600); err != nil {
		t.Fatal(err)
	}
	withOther := strings.Replace(stripped, "/Pages 1 0 R",
		"/Pages 1 0 R /Names << /URLS << /Names [ (http://a/0) 50 0 R ] >> /IDS << /Names [ <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> 50 0 R ] >> >> /SpiderInfo << /V 1.0 >>", 1)
	withOther = strings.Replace(withOther, "/Kids [ ", "/Kids [ 51 0 R ", 1) +
		"50 0 obj << /S /SPS /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> /O [ 51 0 R ] /SI << /AU (http://a/0) >> >>\n51 0 obj << /Type /Page /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> >>\n"
	for name, c := range map[string]struct {
		after string
		want  string // the differences
		gone  string
	}{
		"all pages": {stripped, "", ""},
		"in another order": {strings.Replace(stripped, "[ 5 0 R 6 0 R ]", "[ 6 0 R 5 0 R ]", 1),
			"order of pages in content sets", ""},
		"one page": {strings.Replace(stripped, "[ 5 0 R 6 0 R ]", "[ 5 0 R ]", 1),
			"lost content set 20 0 R, member 11 0 R", "pages that are not in the file (1 of 2): 2"},
		"no page": {strings.NewReplacer("1 0 0\n", "8 0 0\n", "0  1 0", "0  8 0", "\nx\n",
			"\ny\n").Replace(stripped), "nothing",
			"webcap recognizes none of its pages and images in the file, so it restores nothing from it"},
		"a database in addition": {withOther, "added page set <c0", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := planOf(t, pdf(t, c.after), Options{From: []string{from}})
			if got := strings.Join(p.Unmatched, "\n"); c.gone == "" && got != "" || !strings.Contains(got, c.gone) {
				t.Errorf("not recognized: %q, want %q", got, c.gone)
			}
			if p.Empty() != (c.want == "nothing") {
				t.Fatalf("these are the steps: %v", p.Steps)
			}
			if p.Empty() {
				return
			}
			if got := stepLines(p.Steps); name == "all pages" && got != everythingBack {
				t.Errorf("the plan says\n%s\nwant\n%s", got, everythingBack)
			}
			out := carryOut(t, p)
			got := differences(t, pdf(t, original), out)
			if (got == "") != (c.want == "") ||
				c.want != "" && !strings.Contains(got, strings.Split(c.want, " content")[0]) {
				t.Errorf("the differences are\n%s\nwant %s", got, c.want)
			}
			if name == "a database in addition" && strings.Contains(got, "lost") {
				t.Errorf("something of the original is missing:\n%s", got)
			}
			again := planOf(t, out, Options{From: []string{from}})
			if !again.Empty() {
				t.Errorf("left for a second time: %v", again.Steps)
			}
		})
	}
}

// TestFromKeepsCounts: R stays in its form if its counts stay, also where O gets its image back. An integer is the
// count of a single image (table 390).
func TestFromKeepsCounts(t *testing.T) {
	_, from := originalsAt(t, original)
	file := strings.NewReplacer("/O [ 12 0 R ] /R [ 2 ]", "/O [ 99 0 R ] /R 2").Replace(original)
	p := planOf(t, pdf(t, file), Options{From: from})
	const want = "content set 21 0 R: restore O [99 0 R] becomes O [12 0 R]"
	if got := stepLines(p.Steps); !strings.Contains(got, want) || strings.Contains(got, "R [2]") {
		t.Errorf("the plan says\n%s\nwant only\n%s", got, want)
	}
}

// TestFromFillsV: V of SpiderInfo comes from the original if it is absent or no number. A number stays.
func TestFromFillsV(t *testing.T) {
	_, from := originalsAt(t, original)
	for is, want := range map[string]string{
		"":         "SpiderInfo: restore V 1.25",
		"/V (1.0)": "SpiderInfo: restore V (1.0) becomes V 1.25",
		"/V 1.0":   "",
	} {
		file := strings.Replace(original, "/V 1.25", is, 1)
		if got := stepLines(planOf(t, pdf(t, file), Options{From: from}).Steps); got != want {
			t.Errorf("%q: the plan says %q, want %q", is, got, want)
		}
	}
}

// TestFromNoOriginal: an original without a content database, or that does not exist, is an error that names it.
func TestFromNoOriginal(t *testing.T) {
	from := filepath.Join(t.TempDir(), "other.pdf")
	if err := os.WriteFile(from, pdf(t, stripped), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := NewPlan(t.Context(), opened(t, pdf(t, stripped), Options{}), Options{From: []string{from}})
	if !errors.Is(err, ErrNoOriginal) || !strings.HasPrefix(err.Error(), from+": ") {
		t.Errorf("the error is %v", err)
	}
	if _, err := NewPlan(t.Context(), opened(t, pdf(t, stripped), Options{}),
		Options{From: []string{from + "x"}}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
}

// TestFromNoSets: an original whose content sets are all lost is an error.
func TestFromNoSets(t *testing.T) {
	_, from := originalsAt(t, strings.NewReplacer("\n20 0 obj", "\n90 0 obj", "\n21 0 obj", "\n91 0 obj").Replace(original))
	_, err := NewPlan(t.Context(), opened(t, pdf(t, stripped), Options{}), Options{From: from})
	if err == nil || !strings.Contains(err.Error(), "webcap can read no content set in it") {
		t.Errorf("the error is %v", err)
	}
}

// TestFromUnmatched: a page of the original without a certain match is listed with the possible ones, and skipped.
func TestFromUnmatched(t *testing.T) {
	same := strings.NewReplacer("0 1 0 ", "1 0 0 ", "0  1 0 ", "1 0  0 ")
	from := filepath.Join(t.TempDir(), "original.pdf")
	if err := os.WriteFile(from, pdf(t, same.Replace(original)), 0o600); err != nil {
		t.Fatal(err)
	}
	p := planOf(t, pdf(t, strings.Replace(same.Replace(stripped), "[ 5 0 R 6 0 R ]", "[ 5 0 R ]", 1)),
		Options{From: []string{from}})
	want := from + ": skipped page 1, which may be page 1 of the file\n" +
		from + ": skipped page 2, which may be page 1 of the file"
	if got := strings.Join(p.Unmatched, "\n"); got != want {
		t.Errorf("not recognized: %s\nwant %s", got, want)
	}
}

// TestFromDamaged: an original whose cross-reference data is damaged, or that is encrypted, can be used; one that
// cannot be opened is an error that names it.
func TestFromDamaged(t *testing.T) {
	dir := t.TempDir()
	whole := pdf(t, original)
	plain, secret := filepath.Join(dir, "plain.pdf"), filepath.Join(dir, "secret.pdf")
	if err := os.WriteFile(plain, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(webcapturetest.Program(t, "qpdf"), "--encrypt", "u", "o", "256", "--", plain,
		secret).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	encrypted, err := os.ReadFile(secret)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		from      []byte
		passwords []string
		want      error
	}{
		"startxref.pdf": {bytes.Replace(whole, []byte("startxref"), []byte("startxxxx"), 1), nil, nil},
		"cut.pdf":       {whole[:len(whole)-200], nil, nil},
		"offset.pdf":    {misplaced(whole), nil, nil},
		"encrypted.pdf": {encrypted, []string{"u"}, nil},
		"locked.pdf":    {encrypted, nil, webcapture.ErrPassword},
	} {
		t.Run(name, func(t *testing.T) {
			from := filepath.Join(dir, name)
			if err := os.WriteFile(from, c.from, 0o600); err != nil {
				t.Fatal(err)
			}
			opt := Options{From: []string{from}, Passwords: c.passwords}
			if c.want != nil {
				_, err := NewPlan(t.Context(), opened(t, pdf(t, stripped), Options{}), opt)
				if !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), from+": ") {
					t.Errorf("the error is %v", err)
				}
				return
			}
			p := planOf(t, pdf(t, stripped), opt)
			if got := stepLines(p.Steps); got != everythingBack {
				t.Errorf("the plan says\n%s\nwant\n%s", got, everythingBack)
			}
			if got := differences(t, whole, carryOut(t, p)); got != "" {
				t.Errorf("the differences are\n%s", got)
			}
		})
	}
}

// misplaced returns a file whose cross-reference table has a wrong offset for object 40. The error appears when object
// 40 is read.
func misplaced(file []byte) []byte {
	at := bytes.Index(file, []byte("40 0 obj"))
	return bytes.Replace(file, fmt.Appendf(nil, "%010d", at), fmt.Appendf(nil, "%010d", at+4), 1)
}

// TestFromJoins: if the file already has a content database, the value of a key of both files becomes an array with
// the content sets of both (14.10.3.2). Named destinations of the file stay.
func TestFromJoins(t *testing.T) {
	from := filepath.Join(t.TempDir(), "original.pdf")
	if err := os.WriteFile(from, pdf(t, original), 0o600); err != nil {
		t.Fatal(err)
	}
	const own = "<c0c1c2c3c4c5c6c7c8c9cacbcccdcecf>"
	after := strings.Replace(stripped, "/Pages 1 0 R",
		"/Pages 1 0 R /Names << /URLS << /Names [ (http://a/0) 50 0 R ] >> /IDS << /Names [ "+own+
			" 50 0 R ] >> /Dests << /Names [ (chapter) [ 5 0 R /Fit ] ] >> >>", 1)
	after = strings.Replace(after, "/Kids [ ", "/Kids [ 51 0 R ", 1) +
		"50 0 obj << /S /SPS /ID " + own +
		" /O [ 51 0 R ] /SI << /AU (http://a/0) >> >>\n51 0 obj << /Type /Page /ID " + own + " >>\n"
	f := opened(t, carryOut(t, planOf(t, pdf(t, after), Options{From: []string{from}})), Options{})
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	r := f.NewReader()
	var ids []string
	for i := range db.URLS.All("http://a/0") {
		for o, err := range r.Values(db.URLS.Entry(i).Value) {
			var cs webcapture.ContentSet
			if err := errors.Join(err, r.Read(o, &cs)); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, fmt.Sprintf("%x", cs.ID.Bytes[:1]))
		}
	}
	if slices.Sort(ids); !slices.Equal(ids, []string{"a0", "c0"}) {
		t.Errorf("the key leads to %v", ids)
	}
	dests, err := r.Tree(db.Names.Lookup("Dests"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range dests.Entries() {
		names = append(names, e.Key.String())
	}
	if want := []string{"<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf746f70>", "(chapter)"}; !slices.Equal(names, want) &&
		!slices.Equal(names, []string{want[1], want[0]}) {
		t.Errorf("the destinations are %v", names)
	}
}

// TestFromWhatIsWrong: defects of an original do not prevent its restoration. They are repaired, or restored as they
// are. A second plan is then empty, with the original or without it. No other finding is new.
func TestFromWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct{ old, new, left string }{
		"nothing":           {"", "", ""},
		"a key in capitals": {"[ (http://a/0) 20", "[ (HTTP://a/0) 20", ""},
		"a key of another set": {"(http://a/1.jpg) 21 0 R ]", "(http://a/0#x) 21 0 R (http://a/1.jpg) 21 0 R ]",
			""},
		"a page of two sets": {"(http://a/1.jpg) 21 0 R ]", "(http://a/1.jpg) 21 0 R (http://a/2) 50 0 R ]",
			""},
		"a key in IDS as digits": {"<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20", "(a0a1a2a3a4a5a6a7a8a9aaabacadaeaf) 20",
			""},
	} {
		t.Run(name, func(t *testing.T) {
			const second = "50 0 obj << /S /SPS /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> /O [ 10 0 R ] /SI << /AU (http://a/2) >> >>\n"
			wrong := strings.Replace(original, c.old, c.new, 1) + second
			if c.new != "" && wrong == original+second {
				t.Fatalf("%q is not in the original", c.old)
			}
			from := filepath.Join(t.TempDir(), "original.pdf")
			if err := os.WriteFile(from, pdf(t, wrong), 0o600); err != nil {
				t.Fatal(err)
			}
			opt := Options{From: []string{from}}
			p := planOf(t, pdf(t, stripped), opt)
			if p.Empty() {
				t.Fatal("nothing comes back")
			}
			out := carryOut(t, p)
			for _, opt := range []Options{opt, {}} {
				again := planOf(t, out, opt)
				if !again.Empty() {
					t.Errorf("there is more to do:\n%s", describe(again))
				}
			}
			var left []string
			for _, l := range p.Left {
				left = append(left, l.Finding.Rule.ID)
			}
			if c.left == "" && len(left) > 0 || c.left != "" && !slices.Contains(left, c.left) {
				t.Errorf("%v are left, should be %q", left, c.left)
			}
		})
	}
}

// TestFromPageID: a page that has its ID gets its zoom back. A page with another ID is of another capture.
func TestFromPageID(t *testing.T) {
	_, from := originalsAt(t, original)
	for id, want := range map[string]bool{
		"<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>": true, "<d0d1d2d3d4d5d6d7d8d9dadbdcdddedf>": false,
	} {
		t.Run(id, func(t *testing.T) {
			p := planOf(t, pdf(t, strings.Replace(stripped, "/Contents 8 0 R", "/ID "+id+" /Contents 8 0 R", 1)),
				Options{From: from})
			if got := stepLines(p.Steps); strings.Contains(got, "restore PZ 1.5") != want || strings.Contains(got, "becomes") {
				t.Errorf("the steps are\n%s", got)
			}
		})
	}
}

// TestFromCounts: if a page that shows an image is not in the file, the pages of the image are counted again. An R
// without one count for each image is not copied.
func TestFromCounts(t *testing.T) {
	onePage := strings.Replace(stripped, "[ 5 0 R 6 0 R ]", "[ 5 0 R ]", 1)
	for _, c := range []struct{ was, after, want string }{
		{"[ 2 ]", stripped, "[2]"},
		{"[ 2 ]", onePage, "[1]"},
		{"[ 0 ]", onePage, "[0]"},
		{"[ 5 3 ]", onePage, "[1]"},
		{"7", onePage, "[1]"},
		{"7", stripped, "[7]"},
	} {
		t.Run(c.was, func(t *testing.T) {
			from := filepath.Join(t.TempDir(), "original.pdf")
			if err := os.WriteFile(from, pdf(t, strings.Replace(original, "/R [ 2 ]", "/R "+c.was, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			f := opened(t, carryOut(t, planOf(t, pdf(t, c.after), Options{From: []string{from}})), Options{})
			db, err := f.Database()
			if err != nil {
				t.Fatal(err)
			}
			var cs webcapture.ContentSet
			for i := range db.URLS.All("http://a/1.jpg") {
				if err := f.NewReader().Read(db.URLS.Entry(i).Value, &cs); err != nil {
					t.Fatal(err)
				}
			}
			if got := strings.NewReplacer("[ ", "[", " ]",
				"]").Replace(string(cs.Dict.Lookup("R").AppendNormal(nil))); got != c.want {
				t.Errorf("R was %s, and is %s, want %s", c.was, got, c.want)
			}
		})
	}
}

// TestFromCommands: only the commands that the file lacks are restored.
func TestFromCommands(t *testing.T) {
	from := filepath.Join(t.TempDir(), "original.pdf")
	two := strings.Replace(original, "/C [ 40 0 R ]", "/C [ 40 0 R 41 0 R ]", 1) + "41 0 obj << /URL (http://a/9) >>\n"
	if err := os.WriteFile(from, pdf(t, two), 0o600); err != nil {
		t.Fatal(err)
	}
	after := strings.Replace(stripped, "/Pages 1 0 R", "/Pages 1 0 R /SpiderInfo << /V 1.25 /C [ 60 0 R ] >>",
		1) + "60 0 obj << /URL (http://a/0) /S << /G << /X true >> >> >>\n"
	var got []string
	for line := range strings.Lines(stepLines(planOf(t, pdf(t, after), Options{From: []string{from}}).Steps)) {
		if strings.HasPrefix(line, "SpiderInfo: ") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	if want := []string{"SpiderInfo: restore command (http://a/9)"}; !slices.Equal(got, want) {
		t.Errorf("the plan says %q, want %q", got, want)
	}
}
