package restore

import (
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// TestRecords: records move back to the content sets of the original, and others stay. These cases need more objects
// than capture has.
func TestRecords(t *testing.T) {
	const copied = "22 0 obj << /S /SPS /ID @a /O [ 10 0 R 11 0 R ] /T (title) /TID (tid) /SI << /AU (http://a/) " +
		"/C 41 0 R >> >>\n"
	const key20, end = "(http://a/) 20 0 R", "(http://a/b) 21 0 R ]"
	for name, c := range map[string]struct {
		theirs, ours []string
		more         string // objects of both files
		settled      uint32
		steps        string
	}{
		"a copy with a wrong key": {nil, []string{end, "(http://a/b) 21 0 R (http://x/) 22 0 R ]"}, copied, 0,
			"URLS: no (http://x/) 22 0 R, by 20\nURLS: (http://a/) 22 0 R, by 20"},
		"a copy with a wrong key and the right one": {nil, []string{key20, "(http://a/) [ 20 0 R 22 0 R ]", end,
			"(http://a/b) 21 0 R (http://x/) 22 0 R ]"},
			copied, 0, "URLS: no (http://x/) 22 0 R, by 20"},
		"a copy with two wrong keys": {nil, []string{end, "(http://a/b) 21 0 R (http://x/) 22 0 R (http://y/) 22 0 R " +
			"]"}, copied, 0,
			"URLS: no (http://x/) 22 0 R, by 20\nURLS: (http://a/) 22 0 R, by 20\nURLS: no (http://y/) 22 0 R, by 20"},
		"wrong keys of a settled set and of its copy": {nil, []string{key20, key20 + " (http://w/) 20 0 R", end,
			"(http://a/b) 21 0 R (http://x/) 22 0 R ]"},
			copied, 20, "URLS: no (http://x/) 22 0 R, by 20\nURLS: (http://a/) 22 0 R, by 20"},
		"the key of a lost set": {[]string{"@b 21 0 R ]", "@b 21 0 R @c 23 0 R ]"}, []string{"@b 21 0 R ]",
			"@b 21 0 R @c 20 0 R ]"},
			"23 0 obj << /S /SPS /ID @c /O [ 99 0 R ] /SI << /AU (http://c/) >> >>\n", 0, ""},
		"a URL that stays, and no key in IDS": {nil, []string{"/AU (http://a/)", "/AU (http://c/)", key20,
			"(http://c/) 20 0 R", "@a 20 0 R ", ""},
			"", 0, "IDS: @a 20 0 R, by 20"},
		"a page of a stray set": {nil, []string{page11, "/Page /Contents 31 0 R", end,
			"(http://a/b) 21 0 R (http://z/) 24 0 R ]"},
			"24 0 obj << /S /SPS /ID @z /O [ 11 0 R ] /SI << /AU (http://z/) >> >>\n", 0, "page 2, 11 0 R: ID @a, by 20"},
		"a page of a stray set that comes first": {nil, []string{page11, "/Page /Contents 31 0 R", key20,
			"(http://0/) 24 0 R " + key20},
			"24 0 obj << /S /SPS /ID @z /O [ 11 0 R ] /SI << /AU (http://0/) >> >>\n", 0, "page 2, 11 0 R: ID @a, by 20"},
		"a copy of a page, and another page": {nil, []string{"/O [ 10 0 R 11 0 R ] /T (title)",
			"/O [ 10 0 R 11 0 R 13 0 R ] /T (other)",
			"30 0 obj", "13 0 obj << /Type /Page /ID @a /Contents 30 0 R >>\n14 0 obj << /Type /Page /Contents 34 0 R " +
				">>\n30 0 obj"},
			"34 0 obj << >>\nstream\n4 0 0\nendstream\n", 0, "content set 20 0 R: T (other) becomes T (title), by 20"},
		"another page in O": {nil, []string{"/O [ 10 0 R 11 0 R ] /T (title)", "/O [ 10 0 R 11 0 R 14 0 R ] /T (other)",
			"30 0 obj", "14 0 obj << /Type /Page /Contents 34 0 R >>\n30 0 obj"},
			"34 0 obj << >>\nstream\n4 0 0\nendstream\n", 0, ""},
		"other members": {nil, []string{"/O [ 10 0 R 11 0 R ] /T (title)", "/O [ 14 0 R ] /T (other)", "30 0 obj",
			"14 0 obj << /Type /Page /Contents 34 0 R >>\n30 0 obj"},
			"34 0 obj << >>\nstream\n4 0 0\nendstream\n", 0, ""},
		"another count, and a page that shows the image": {nil, []string{"/R [ 2 ]", "/R [ 3 ]", "30 0 obj",
			"14 0 obj << /Type /Page /Contents 34 0 R /Resources << /XObject << /I 12 0 R >> >> >>\n30 0 obj"},
			"34 0 obj << >>\nstream\n4 0 0\nendstream\n", 0, ""},
		"an image that is gone": {nil, []string{"/O [ 12 0 R ] /R [ 2 ]", "", "\nx\n", "\nyyy\n",
			"/Width 1 /Height 1 /ID @b", "/Width 5 /Height 5"},
			"", 0, ""},
		"the key of a stray set": {nil, []string{end, "(http://a/b) [ 21 0 R 24 0 R ] (http://z/) 20 0 R ]"},
			"24 0 obj << /S /SPS /ID @z /O [ ] /SI << /AU (http://z/) >> >>\n", 0, ""},
		"the canonical key of a stray set": {nil, []string{end, "(http://a/b) [ 21 0 R 24 0 R ] (http://z/) 20 0 R ]"},
			"24 0 obj << /S /SPS /ID @z /O [ ] /SI << /AU (HTTP://Z/) >> >>\n", 0, ""},
		"the key of a stray set, not canonical": {nil, []string{end,
			"(http://a/b) [ 21 0 R 24 0 R ] (HTTP://Z/) 20 0 R ]"},
			"24 0 obj << /S /SPS /ID @z /O [ ] /SI << /AU (HTTP://Z/) >> >>\n", 0, ""},
		"the key of a stray set, which has it, too": {nil, []string{end,
			"(http://a/b) 21 0 R (http://z/) [ 24 0 R 20 0 R ] ]"},
			"24 0 obj << /S /SPS /ID @z /O [ ] /SI << /AU (http://z/) >> >>\n", 0, "URLS: no (http://z/) 20 0 R, by 20"},
		"a number as content set": {[]string{end, "(http://a/b) 21 0 R (http://z/) 7 (http://zz/) 30 0 R ]"},
			[]string{"/T (title)", "/T (other)"}, "", 0,
			"content set 20 0 R: T (other) becomes T (title), by 20"},
		"a redirect as key": {[]string{"/AU (http://a/)", "/AU << /U (http://a/) /C [ [ (http://r/) (http://a/) ] ] >>"},
			[]string{"/AU (http://a/)", "/AU << /U (http://a/) /C [ [ (http://r/) (http://a/) ] ] >>", end,
				"(http://a/b) 21 0 R (http://r/) 20 0 R ]"}, "", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			text := capture + c.more
			r := restored(t, parsed(t, text, c.theirs...), parsed(t, text, c.ours...), func(in *Inputs) {
				in.Settled[object.Ref{Num: c.settled}] = true
			})
			expect(t, "steps", r.steps(), c.steps)
		})
	}
}
