package rewrite

import (
	"strings"
	"testing"
)

const (
	imageID = "<b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>"
	stray   = "50 0 obj << /S /SIS /ID " + imageID + " /O [ 12 0 R ] /R [ 2 ] /SI << /AU (http://b/) >> >>\n"
)

// TestFromLeftOutInOrder: a tree is sorted even if it has keys of content sets that do not come back.
func TestFromLeftOutInOrder(t *testing.T) {
	_, from := originalsAt(t, original)
	const keyA = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R"
	after := strings.NewReplacer(keyA+" "+imageID+" 21 0 R ]", imageID+" 60 0 R "+keyA+" ]",
		"/O [ 12 0 R ] /R [ 2 ] /SI", "/O [ ] /R [ ] /SI").Replace(original) + stray + "60 0 obj [ 21 0 R 50 0 R ]\n"
	p := planOf(t, pdf(t, after), Options{From: from})
	if got := stepLines(p.Steps); got != "IDS: rewrite-tree" {
		t.Errorf("the steps are\n%s", got)
	}
}

// TestFromOtherCaptureWithTheImage: the MD5 of an image is its ID in any capture, so it does not make another capture
// the original.
func TestFromOtherCaptureWithTheImage(t *testing.T) {
	const sum = "<9dd4e461268c8034f5c8564e155c67a6>"
	captured := strings.NewReplacer(imageID, sum, "/S /SIS", "/S /SIS /TS (D:20040101)").Replace(original)
	_, from := originalsAt(t, strings.NewReplacer("<a0a1", "<ffa1", "D:20040101", "D:20120101").Replace(captured))
	p := planOf(t, pdf(t, captured), Options{From: from})
	if got := stepLines(p.Steps); strings.Contains(got, "restore") {
		t.Errorf("the steps are\n%s", got)
	}
}

// TestFromOtherCaptureWithoutIDs: if a file has lost all its IDs, the dates of its content sets tell that an original
// is another capture.
func TestFromOtherCaptureWithoutIDs(t *testing.T) {
	dated := strings.NewReplacer("/S /SPS", "/S /SPS /TS (D:20040101)",
		"/S /SIS", "/S /SIS /TS (D:20040101000000Z)").Replace(original)
	without := strings.NewReplacer("/ID 22 0 R", "", "/ID "+imageID, "", "/IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R "+
		imageID+" 21 0 R ] >>", "").Replace(dated)
	for name, c := range map[string]struct {
		original string
		restored bool
	}{
		"the capture":     {strings.ReplaceAll(dated, "D:20040101)", "D:20040101000000Z)"), true},
		"another capture": {strings.ReplaceAll(dated, "D:2004", "D:2012"), false},
	} {
		t.Run(name, func(t *testing.T) {
			_, from := originalsAt(t, c.original)
			p := planOf(t, pdf(t, without), Options{From: from})
			if got := stepLines(p.Steps); strings.Contains(got, "restore") != c.restored {
				t.Errorf("the steps are\n%s", got)
			}
		})
	}
}

// TestFromURLAsText: a URL that a tool wrote as text into the original does not replace the plain URL of the file.
func TestFromURLAsText(t *testing.T) {
	_, from := originalsAt(t, strings.Replace(original, "/AU (http://a/1.jpg)", "/AU <efbbbf687474703a2f2f612f312e6a7067>", 1))
	after := strings.NewReplacer("(http://a/0) 20 0 R", "(http://a/0) 21 0 R", "(http://a/1.jpg) 21 0 R ]",
		"(http://a/1.jpg) 20 0 R ]").Replace(original)
	p := planOf(t, pdf(t, after), Options{From: from})
	if got := stepLines(p.Steps); strings.Contains(got, "SI") || !strings.Contains(got, "restore (http://a/0) 20 0 R") {
		t.Errorf("the steps are\n%s", got)
	}
}

// TestFromDisputedID: an ID that differs from its key in the original is not given to pages without an ID.
func TestFromDisputedID(t *testing.T) {
	_, from := originalsAt(t, strings.Replace(original, "/IDS << /Names [ <a0a1", "/IDS << /Names [ <aaa1", 1))
	after := strings.NewReplacer("/Parent 2 0 R /ID 22 0 R", "/Parent 2 0 R", "/S /SPS /ID 22 0 R", "/S /SPS").Replace(original)
	p := planOf(t, pdf(t, after), Options{From: from})
	if got := stepLines(p.Steps); strings.Contains(got, "restore ID") {
		t.Errorf("the steps are\n%s", got)
	}
}
