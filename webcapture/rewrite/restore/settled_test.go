package restore

import (
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// TestSettled: content sets, pages, and images that an earlier original has keep their records. They only get missing
// ones.
func TestSettled(t *testing.T) {
	const no10, no11, no12 = "/Page /Contents 30 0 R", "/Page /Contents 31 0 R", "/Height 1"
	const o20 = "/O [ 10 0 R 11 0 R ]"
	for name, c := range map[string]struct {
		theirs, ours []string
		steps        string
		notices      string
		num          uint32
		object       string // beginning of object num after the restoration
	}{
		"another title": {nil, []string{"/T (title)", "/T (other)"}, "", "", 0, ""},
		"no title":      {nil, []string{"/T (title)", ""}, "content set 20 0 R: T (title), by 20", "", 0, ""},
		"no title, another URL": {nil, []string{"/T (title)", "", "/AU (http://a/)", "/AU (http://c/)"}, "",
			"o: page set @a has other source information in the file, which stays", 0, ""},
		"no title, an empty ID": {nil, []string{"/T (title)", "", "/SPS /ID @a", "/SPS /ID ()"}, "", "", 0, ""},
		"no title, no ID":       {nil, []string{"/T (title)", "", "/SPS /ID @a", "/SPS"}, "", "", 0, ""},
		"no source": {nil, []string{"/SI << /AU (http://a/b) >>", ""},
			"content set 21 0 R: SI (http://a/b), by 21", "", 0, ""},
		"another zoom":    {withPZ("2"), withPZ("3"), "", "", 0, ""},
		"no zoom":         {withPZ("2"), nil, "page 1, 10 0 R: PZ 2, by 20", "", 0, ""},
		"another page ID": {nil, []string{page10, "/Page /ID @c /Contents 30 0 R"}, "", "", 0, ""},
		"no page ID":      {nil, []string{page10, no10}, "page 1, 10 0 R: ID @a, by 20", "", 0, ""},
		"another key": {nil, []string{"(http://a/) 20 0 R", "(http://c/) 20 0 R"},
			"URLS: (http://a/) 20 0 R, by 20", "", 0, ""},
		"pages in another order": {nil, []string{o20, "/O [ 11 0 R 10 0 R ]"}, "", "", 0, ""},
		"a page missing in O": {nil, []string{o20, "/O [ 10 0 R ]", page11, no11},
			"content set 20 0 R, member 11 0 R: member 11 0 R, by 20\npage 2, 11 0 R: ID @a, by 20", "", 20,
			"/ID @a /O [10 0 R 11 0 R] /S"},
		"a first page missing in O": {nil, []string{o20, "/O [ 11 0 R ]", page10, no10},
			"content set 20 0 R, member 10 0 R: member 10 0 R, by 20\npage 1, 10 0 R: ID @a, by 20", "", 20,
			"/ID @a /O [10 0 R 11 0 R] /S"},
		"a page missing in O that has the ID": {nil, []string{o20, "/O [ 10 0 R ]"}, "", "", 0, ""},
		"a first page missing in O, in no order": {
			[]string{o20, "/O [ 10 0 R 11 0 R 13 0 R ]", "30 0 obj", "13 0 obj << /Type /Page /ID @a /Contents 32 0 R " +
				">>\n30 0 obj"},
			[]string{o20, "/O [ 13 0 R 11 0 R ]", "30 0 obj", "13 0 obj << /Type /Page /ID @a /Contents 32 0 R >>\n30 0 " +
				"obj", page10, no10},
			"content set 20 0 R, member 10 0 R: member 10 0 R, by 20\npage 1, 10 0 R: ID @a, by 20", "", 20,
			"/ID @a /O [13 0 R 11 0 R 10 0 R] /S"},
		"an image missing in O": {nil, []string{"/O [ 12 0 R ] /R [ 2 ]", "/O [ ] /R [ ]", image12, no12},
			"content set 21 0 R, member 12 0 R: member 12 0 R, by 21\nobject 12 0 R: ID @b, by 21", "", 21,
			"/ID @b /O [12 0 R] /R [2] /S"},
		"an image missing in O, without R": {nil, []string{"/O [ 12 0 R ] /R [ 2 ]", "/O [ ]", image12, no12},
			"content set 21 0 R, member 12 0 R: member 12 0 R, by 21\nobject 12 0 R: ID @b, by 21", "", 21,
			"/ID @b /O [12 0 R] /S"},
		"an image missing in O, with other counts": {nil, []string{"/O [ 12 0 R ] /R [ 2 ]", "/O [ ] /R [ 1 ]",
			image12, no12},
			"object 12 0 R: ID @b, by 21", "", 0, ""},
		"a page of another content set": {nil, []string{o20, "/O [ 10 0 R ]", page11, "/Page /ID @c /Contents 31 0 R",
			"(http://a/b) 21 0 R ]", "(http://a/b) 21 0 R (http://c/) 22 0 R ]", "30 0 obj",
			"22 0 obj << /S /SPS /ID @c /O [ 11 0 R ] /SI << /AU (http://c/) >> >>\n30 0 obj"},
			"", "o: page set @a lacks 11 0 R, which content set 22 0 R of the file has; take it out of O there to " +
				"restore it", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if c.ours == nil {
				c.ours = []string{"/V 1.25", "/V 1.25 "}
			}
			text := capture + "32 0 obj << >>\nstream\n3 0 0\nendstream\n"
			r := restored(t, parsed(t, text, c.theirs...), parsed(t, text, c.ours...), func(in *Inputs) {
				for num := uint32(10); num < 30; num++ {
					in.Settled[object.Ref{Num: num}] = true
				}
			})
			expect(t, "steps", r.steps(), c.steps)
			expect(t, "notices", r.notices(), c.notices)
			if c.num != 0 && !strings.HasPrefix(r.object(t, c.num), c.object) {
				t.Errorf("the object is %s, want %s", r.object(t, c.num), c.object)
			}
		})
	}
}
