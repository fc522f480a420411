package rewrite

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

// stripped is what tools leave of original: the pages, with other numbers and white space,
// and nothing of Web Capture.
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

// TestFrom: the content database of an original is brought back into what tools have made
// of it; what they removed stays away, and what is there already stays.
func TestFrom(t *testing.T) {
	dir := t.TempDir()
	from := filepath.Join(dir, "original.pdf")
	if err := os.WriteFile(from, pdf(t, original), 0o600); err != nil {
		t.Fatal(err)
	}
	withOther := strings.Replace(stripped, "/Pages 1 0 R", "/Pages 1 0 R /Names << /URLS << /Names [ (http://a/0) 50 0 R ] >> /IDS << /Names [ <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> 50 0 R ] >> >> /SpiderInfo << /V 1.0 >>", 1)
	withOther = strings.Replace(withOther, "/Kids [ ", "/Kids [ 51 0 R ", 1) +
		"50 0 obj << /S /SPS /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> /O [ 51 0 R ] /SI << /AU (http://a/0) >> >>\n51 0 obj << /Type /Page /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> >>\n"
	for name, c := range map[string]struct {
		after string
		want  string // the differences
		gone  string
	}{
		"all pages":         {stripped, "", ""},
		"in another order":  {strings.Replace(stripped, "[ 5 0 R 6 0 R ]", "[ 6 0 R 5 0 R ]", 1), "O element 0: page 1, page 2", ""},
		"one page":          {strings.Replace(stripped, "[ 5 0 R 6 0 R ]", "[ 5 0 R ]", 1), "lost content set 20 0 R, member 11 0 R", "of 2 pages these are not found again: 2"},
		"no page":           {strings.NewReplacer("1 0 0\n", "8 0 0\n", "0  1 0", "0  8 0", "\nx\n", "\ny\n").Replace(stripped), "lost", "of 2 pages these are not found again: 1, 2"},
		"a database beside": {withOther, "added page set <c0", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := planOf(t, pdf(t, c.after), Options{From: []string{from}})
			if got := strings.Join(p.Unmatched, "\n"); c.gone == "" && got != "" || !strings.Contains(got, c.gone) {
				t.Errorf("not found again: %q, want %q", got, c.gone)
			}
			if p.Empty() {
				t.Fatal("nothing is brought back")
			}
			out := carryOut(t, p)
			got := differences(t, pdf(t, original), out)
			if (got == "") != (c.want == "") || c.want != "" && !strings.Contains(got, strings.Split(c.want, " content")[0]) {
				t.Errorf("the differences are\n%s\nwant %s", got, c.want)
			}
			if name == "a database beside" && strings.Contains(got, "lost") {
				t.Errorf("something of the original is missing:\n%s", got)
			}
			again := planOf(t, out, Options{From: []string{from}})
			if !again.Empty() {
				t.Errorf("left for a second time: %v", again.Steps)
			}
		})
	}
}

// TestFromNoOriginal: a file that has nothing to bring back is an error that names it.
func TestFromNoOriginal(t *testing.T) {
	from := filepath.Join(t.TempDir(), "other.pdf")
	if err := os.WriteFile(from, pdf(t, stripped), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := NewPlan(opened(t, pdf(t, stripped), Options{}), Options{From: []string{from}})
	if !errors.Is(err, ErrNoOriginal) || !strings.HasPrefix(err.Error(), from+": ") {
		t.Errorf("the error is %v", err)
	}
	if _, err := NewPlan(opened(t, pdf(t, stripped), Options{}), Options{From: []string{from + "x"}}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
}
