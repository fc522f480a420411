package rewrite

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// originalsAt writes originals to files a.pdf, b.pdf and so on of one folder.
func originalsAt(t *testing.T, originals ...string) (dir string, paths []string) {
	t.Helper()
	dir = t.TempDir()
	for i, text := range originals {
		path := filepath.Join(dir, fmt.Sprintf("%c.pdf", 'a'+i))
		if err := os.WriteFile(path, pdf(t, text), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return dir, paths
}

// TestFromSame: if originals are equal, the later ones restore nothing more, also of content sets without an ID.
func TestFromSame(t *testing.T) {
	for name, text := range map[string]string{
		"with IDs":       original,
		"without an ID":  strings.Replace(original, "/S /SIS /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf>", "/S /SIS", 1),
		"without images": strings.Replace(original, "/I 12 0 R", "", 2),
		"a page of two sets": strings.Replace(original, "20 0 R (http://a/1", "20 0 R (http://a/0a) 50 0 R (http://a/1",
			1) +
			"50 0 obj << /S /SPS /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> /O [ 10 0 R ] /SI << /AU (http://a/0a) >> >>\n",
		"two sets of one ID": strings.Replace(original, "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R",
			"<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 50 0 R", 1) +
			"50 0 obj << /S /SPS /ID 22 0 R /O [ 10 0 R ] /SI << /AU (http://a/0b) >> >>\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, from := originalsAt(t, text, text, text)
			one := planOf(t, pdf(t, stripped), Options{From: from[:1]})
			want := carryOut(t, one)
			p := planOf(t, pdf(t, stripped), Options{From: from})
			if got, want := stepLines(p.Steps), stepLines(one.Steps); got != want || len(p.Unmatched) > 0 {
				t.Errorf("the plan says\n%s\n%q\nwant\n%s", got, p.Unmatched, want)
			}
			if !bytes.Equal(carryOut(t, p), want) {
				t.Errorf("the file is not what one original makes of it")
			}
			if again := planOf(t, want, Options{From: from}); !again.Empty() {
				t.Errorf("left for a second time: %v", again.Steps)
			}
		})
	}
}

// threePages is original with a third page; strippedOfThree is what tools leave of it.
var (
	threePages = strings.NewReplacer("10 0 R 11 0 R ]", "10 0 R 11 0 R 13 0 R ]", "/Count 2", "/Count 3", "/R [ 2 ]",
		"/R [ 3 ]").Replace(original) +
		"13 0 obj << /Type /Page /Parent 2 0 R /ID 22 0 R /PZ 2 /Contents 32 0 R /Resources << /XObject << /I 12 0 R >> >> >>\n" +
		"32 0 obj << /Length 5 >>\nstream\n0 0 1\nendstream\n"
	strippedOfThree = strings.NewReplacer("5 0 R 6 0 R ]", "5 0 R 6 0 R 4 0 R ]", "/Count 2",
		"/Count 3").Replace(stripped) +
		"4 0 obj << /Type /Page /Parent 1 0 R /Contents 3 0 R /Resources << /XObject << /J 7 0 R >> >> >>\n" +
		"3 0 obj << /Length 5 >>\nstream\n0 0 1\nendstream\n"
)

// part returns threePages with only the pages in list. count is their number; all show the image.
func part(list string, count int) string {
	return strings.NewReplacer("10 0 R 11 0 R 13 0 R ]", list+" ]", "/Count 3", fmt.Sprintf("/Count %d", count),
		"/R [ 3 ]", fmt.Sprintf("/R [ %d ]", count)).Replace(threePages)
}

// TestFromParts: originals that have parts of one capture bring back all of it, in any order.
func TestFromParts(t *testing.T) {
	first, second, third := part("10 0 R 11 0 R", 2), part("11 0 R 13 0 R", 2), part("13 0 R", 1)
	for name, parts := range map[string][]string{
		"one after the other": {first, third},
		"that overlap":        {first, second},
		"the last one first":  {third, second, first},
		"and the whole":       {second, threePages},
		"of the whole":        {threePages, first},
	} {
		t.Run(name, func(t *testing.T) {
			_, from := originalsAt(t, parts...)
			p := planOf(t, pdf(t, strippedOfThree), Options{From: from})
			out := carryOut(t, p)
			if got := differences(t, pdf(t, threePages), out); got != "" || len(p.Left) > 0 {
				t.Errorf("the differences are\n%s%v", got, p.Left)
			}
			if got := stepLines(p.Steps); strings.Count(got, "restore ID <a0") != 3 {
				t.Errorf("the plan does not say that three pages get their ID:\n%s", got)
			}
			if again := planOf(t, out, Options{From: from}); !again.Empty() {
				t.Errorf("left for a second time: %v", again.Steps)
			}
		})
	}
}

// TestFromDisagreeing: if originals disagree, the first one decides, and the plan says so if a content set is
// affected.
func TestFromDisagreeing(t *testing.T) {
	for name, c := range map[string]struct{ old, new, said string }{
		"a URL": {"/AU (http://a/0)", "/AU (http://a/other)", ""},
		"a page's set": {"<a0a1", "<ffa1",
			"content sets in the file: 1 of 2. Left 1: 1 of another capture"},
		"an image's": {"<b0b1", "<ffb1",
			"content sets in the file: 1 of 2. Left 1: 1 of another capture"},
		"a spelling":    {"/AU (http://a/0)", "/AU (HTTP://a/0)", ""},
		"order":         {"/O [ 10 0 R 11 0 R ]", "/O [ 11 0 R 10 0 R ]", ""},
		"a count":       {"/R [ 2 ]", "/R [ 7 ]", ""},
		"a page's zoom": {"/PZ 1.5", "/PZ 7", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir, from := originalsAt(t, original, strings.ReplaceAll(original, c.old, c.new), original)
			p := planOf(t, pdf(t, stripped), Options{From: from})
			out := carryOut(t, p)
			if got := differences(t, pdf(t, original), out); got != "" {
				t.Errorf("the first original does not count:\n%s", got)
			}
			want := ""
			if c.said != "" {
				want = filepath.Join(dir, "b.pdf") + ": " + c.said
			}
			said := p.Unmatched
			for _, o := range p.Restored {
				if len(o.Missing) > 0 {
					said = append(said, o.String())
				}
			}
			if got := strings.Join(said, "\n"); got != want {
				t.Errorf("it says %q, want %q", got, want)
			}
			if again := planOf(t, out, Options{From: from}); !again.Empty() {
				t.Errorf("left for a second time: %v", again.Steps)
			}
		})
	}
}

// TestFromJoinsMembers: a content set that the file has already gets the members that it lacks, in page order if its
// own are, with the counts of the original. A page that another set of the file lists stays there, and gets no ID.
func TestFromJoinsMembers(t *testing.T) {
	const image = " 0 obj << /Type /XObject /Subtype /Image /Width 2 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 2 >>\nstream\nzz\nendstream\n"
	_, from := originalsAt(t, strings.Replace(threePages, "/O [ 12 0 R ] /R [ 3 ]", "/O [ 12 0 R 14 0 R ] /R [ 3 1 ]",
		1)+"14"+image)
	const all, both = "[ 5 0 R 6 0 R 4 0 R ]", "[ 7 0 R 2 0 R ]"
	for name, c := range map[string]struct{ pages, images, other, wantPages, wantImages string }{
		"in page order":       {"[ 5 0 R 4 0 R ]", "[ 7 0 R ] /R [ 3 ]", "/S /SPS", all, both + " /R [ 3 1 ]"},
		"in another order":    {"[ 4 0 R 5 0 R ]", "[ 7 0 R ]", "/S /SPS", "[ 4 0 R 5 0 R 6 0 R ]", both},
		"R of another size":   {all, "[ 7 0 R ] /R [ 3 4 ]", "/S /SPS", all, both + " /R [ 3 1 ]"},
		"a page of another":   {"[ 5 0 R 6 0 R ]", both, "/S /SPS /O [ 4 0 R ]", "[ 5 0 R 6 0 R ]", both},
		"an image of another": {all, "[ 7 0 R ]", "/S /SIS /O [ 2 0 R ]", all, "[ 7 0 R ]"},
	} {
		t.Run(name, func(t *testing.T) {
			after := strings.NewReplacer(
				"/Pages 1 0 R", "/Pages 1 0 R /Names << /URLS << /Names [ (http://a/0) 50 0 R (http://a/1.jpg) 51 0 R (http://a/2) 52 0 R ] >> >>",
				"/Contents 3 0 R /Resources << /XObject << ", "/Contents 3 0 R /Resources << /XObject << /Other 2 0 R ",
			).Replace(strippedOfThree) + "2" + image +
				"50 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O " + c.pages +
				" /SI << /AU (http://a/0) >> >>\n" +
				"51 0 obj << /S /SIS /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O " + c.images +
				" /SI << /AU (http://a/1.jpg) >> >>\n" +
				"52 0 obj << " + c.other + " /ID <c0c1c2c3c4c5c6c7c8c9cacbcccdcecf> /SI << /AU (http://a/2) >> >>\n"
			out := carryOut(t, planOf(t, pdf(t, after), Options{From: from}))
			for at, want := range map[int]string{50: "/O " + c.wantPages + " /SI", 51: "/O " + c.wantImages + " /SI"} {
				if got := lastOf(out, at); !strings.Contains(got, want) {
					t.Errorf("the content set is %s, want %s", got, want)
				}
			}
			if got := strings.Contains(lastOf(out, 4), "/ID"); got != (c.wantPages != "[ 5 0 R 6 0 R ]") {
				t.Errorf("the third page has an ID: %v", got)
			}
		})
	}
}

// TestFromLeavesCopiedMembersToRepair: a page with the ID of a content set replaces the copy of it that a tool left
// in O, instead of being added.
func TestFromLeavesCopiedMembersToRepair(t *testing.T) {
	_, from := originalsAt(t, threePages)
	after := strings.NewReplacer(
		"/Pages 1 0 R", "/Pages 1 0 R /Names << /URLS << /Names [ (http://a/0) 50 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 50 0 R ] >> >>",
		"\n4 0 obj << ", "\n4 0 obj << /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> ",
		"\n5 0 obj << ", "\n5 0 obj << /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> ",
		"\n6 0 obj << ", "\n6 0 obj << /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> ",
	).Replace(strippedOfThree) +
		"50 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 5 0 R 6 0 R 60 0 R ] /SI << /AU (http://a/0) >> >>\n" +
		"60 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /MediaBox [ 0 0 9 9 ] >>\n"
	out := carryOut(t, planOf(t, pdf(t, after), Options{From: from}))
	if got := lastOf(out, 50); !strings.Contains(got, "/O [ 5 0 R 6 0 R 4 0 R ]") {
		t.Errorf("the content set is %s", got)
	}
}

// lastOf returns the last text of an object in a file, with white space made uniform.
func lastOf(file []byte, number int) string {
	_, text, _ := strings.Cut(string(file[bytes.LastIndex(file, fmt.Appendf(nil, "\n%d 0 obj", number)):]), "obj")
	text, _, _ = strings.Cut(text, "endobj")
	text = strings.NewReplacer("[", " [ ", "]", " ] ", "/", " /").Replace(text)
	return strings.Join(strings.Fields(text), " ")
}
