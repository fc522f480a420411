package restore

import (
	"strings"
	"testing"
)

// bare is a file that a tool made from capture: the same pages with other numbers, and without Web Capture.
const bare = `names: << /Other 1 >>
5 0 obj << /Type /Page /Contents 8 0 R /Resources << /XObject << /I 7 0 R >> >> /Annots [ << /Subtype /Link /Rect [ 0 0 1 1 ] /Dest [ 6 0 R ] >> ] >>
6 0 obj << /Type /Page /Contents 9 0 R /Resources << /XObject << /I 7 0 R >> >> >>
7 0 obj << /Subtype /Image /Width 1 /Height 1 >>
stream
x
endstream
8 0 obj << >>
stream
1 0 0
endstream
9 0 obj << >>
stream
0 1 0
endstream
`

// TestBare: everything comes back into a file without Web Capture.
func TestBare(t *testing.T) {
	r := restored(t, parsed(t, capture), parsed(t, bare), nil)
	expect(t, "steps", r.steps(), "SpiderInfo: SpiderInfo\nSpiderInfo: command (http://a/)\n"+
		"IDS: @a 13 0 R, by 20\n"+
		"URLS: (http://a/) 13 0 R, by 20\n"+
		"IDS: @b 14 0 R, by 21\n"+
		"URLS: (http://a/b) 14 0 R, by 21\n"+
		"page 1, 5 0 R: ID @a, by 20\n"+
		"page 2, 6 0 R: ID @a, by 20\n"+
		"object 7 0 R: ID @b, by 21\n"+
		"Dests: (aaaaaaaaaaaaaaaatop)")
	for num, want := range map[uint32]string{
		13: "/ID @a /O [5 0 R 6 0 R] /S /SPS /SI <</AU (http://a/) /C 12 0 R>> /T (title)",
		14: "/ID @b /O [7 0 R] /R [2] /S /SIS /SI <</AU (http://a/b)>>",
		12: "/L 2 /S <</G <</X [true]>>>> /URL (http://a/)",
		5: "/Annots [<</Subtype /Link /Rect [0 0 1 1] /Dest [6 0 R]>>] /Contents 8 0 R /ID @a " +
			"/Resources <</XObject <</I 7 0 R>>>> /Type /Page",
		7: "/Height 1 /ID @b /Length 1 /Subtype /Image /Width 1",
	} {
		if got := r.object(t, num); got != want {
			t.Errorf("%d is %s, want %s", num, got, want)
		}
	}
	expect(t, "destinations", r.destinations(), "(aaaaaaaaaaaaaaaatop) [6 0 R /Fit]")
}

// TestLinks: a link to a page gets PA of the only link of the original with its rectangle back.
func TestLinks(t *testing.T) {
	const (
		place = "/Subtype /Link /Rect [ 0 0 1 1 ]"
		pa    = "/PA << /S /URI /URI (http://a/) >>"
		there = "/Dest [ 11 0 R ]"
		goes  = place + " /Dest [ 6 0 R ]"
	)
	for name, c := range map[string]struct {
		original, file string // links 60 and 61, and links 70 and 71
		want           bool   // link 70 gets PA
	}{
		"PA": {place + there + pa, goes, true},
		"a rectangle that was rounded": {place + there + pa,
			"/Subtype /Link /Rect [ -0.01 0.02 1.04 .96 ] /Dest [ 6 0 R ]", true},
		"another rectangle":            {place + there + pa, "/Subtype /Link /Rect [ 0 0 1 1.2 ] /Dest [ 6 0 R ]", false},
		"it has PA":                    {place + there + pa, goes + "/PA << /S /URI /URI (http://b/) >>", false},
		"it leads to a URL":            {place + there + pa, place + " /A << /S /URI /URI (http://a/) >>", false},
		"the page of the link is gone": {place + "/Dest [ 99 0 R ]" + pa, goes, false},
		"two links of the original":    {place + there + pa + " >> endobj 61 0 obj << " + place + there, goes, false},
		"two links of the file":        {place + there + pa, goes + " >> endobj 71 0 obj << " + goes, false},
		"another annotation at the rectangle": {place + there + pa + " >> endobj 61 0 obj << /Subtype /Text /Rect [ 0 0 1 1 ]",
			goes, true},
	} {
		t.Run(name, func(t *testing.T) {
			original := parsed(t, capture+"60 0 obj << "+strings.ReplaceAll(c.original, " endobj ", "\n")+" >>",
				"51 0 obj [ 50 0 R ]", "51 0 obj [ 60 0 R 61 0 R ]")
			file := parsed(t, bare+"70 0 obj << "+strings.ReplaceAll(c.file, " endobj ", "\n")+" >>",
				"/Annots [ << /Subtype /Link /Rect [ 0 0 1 1 ] /Dest [ 6 0 R ] >> ]", "/Annots [ 70 0 R 71 0 R ]")
			r := restored(t, original, file, nil)
			if got := strings.Contains(r.object(t, 70), "/PA <</S /URI /URI (http://a/)>>"); got != c.want {
				t.Errorf("the link is %s", r.object(t, 70))
			}
			if got := strings.Contains(strings.Join(r.steps(), "\n"), "PA of a link"); got != c.want {
				t.Errorf("steps %q", r.steps())
			}
		})
	}
}

// TestDestinations: a named destination comes back if its name begins with the ID of a page that has the ID, and its
// page is in the file.
func TestDestinations(t *testing.T) {
	const top, dest = "(aaaaaaaaaaaaaaaatop)", "[ 11 0 R /Fit ]"
	onlyFirst := []string{"0 1 0", "0 9 0", "9 0 obj", "99 0 obj", "/Type /Page /Contents 9 0 R", "/Contents 9 0 R"}
	for name, c := range map[string]struct {
		theirs, ours []string
		want         string
	}{
		"a destination":          {nil, nil, top + " [6 0 R /Fit]"},
		"a dictionary":           {[]string{dest, "<< /D " + dest + " >>"}, nil, top + " <</D [6 0 R /Fit]>>"},
		"by reference":           {[]string{dest, "53 0 R"}, nil, top + " 15 0 R"},
		"a page that is gone":    {nil, onlyFirst, ""},
		"no page":                {[]string{dest, "[ ]"}, nil, ""},
		"a number":               {[]string{dest, "7"}, nil, ""},
		"a name without an ID":   {[]string{top, "(top)"}, nil, ""},
		"a name with another ID": {[]string{top, "(bbbbbbbbbbbbbbbbtop)"}, nil, ""},
		"a page with another ID": {nil, []string{"/Contents 8 0 R", "/ID @c /Contents 8 0 R"}, top + " [6 0 R /Fit]"},
		"one that is there":      {nil, []string{"/Other 1", "/Dests << /Names [ " + top + " [ 5 0 R ] ] >>"}, ""},
		"another one that is there": {nil, []string{"/Other 1", "/Dests << /Names [ (t) [ 5 0 R ] ] >>"},
			top + " [6 0 R /Fit]"},
		"the second of two": {[]string{top + " " + dest, top + " [ 99 0 R ] (aaaaaaaaaaaaaaaau) " + dest},
			nil, "(aaaaaaaaaaaaaaaau) [6 0 R /Fit]"},
		"the first of two": {[]string{top + " " + dest, top + " [ 10 0 R ] " + top + " " + dest}, nil,
			top + " [5 0 R]"},
	} {
		t.Run(name, func(t *testing.T) {
			r := restored(t, parsed(t, capture+"53 0 obj [ 11 0 R  /Fit ]", c.theirs...), parsed(t, bare, c.ours...), nil)
			expect(t, "destinations", r.destinations(), c.want)
			n := 0
			for _, s := range r.Steps {
				if s.Tree == "Dests" {
					n++
				}
			}
			if n != len(r.Destinations) {
				t.Errorf("%d steps", n)
			}
		})
	}
}

// TestCommands: commands that the file lacks come back. Those with the same URL, levels, flags, and posted data are the
// same.
func TestCommands(t *testing.T) {
	for name, c := range map[string]struct {
		theirs string // elements of C
		ours   string // SpiderInfo of the file
		steps  string
		want   string // of SpiderInfo
	}{
		"nothing there":                 {"41 0 R", "null", "SpiderInfo\ncommand (http://a/)", "/V 1.25 /C [12 0 R]"},
		"nothing there, and no command": {"", "null", "SpiderInfo", "/V 1.25 /C []"},
		"no command":                    {"41 0 R", "<< /V 1 >>", "command (http://a/)", "/V 1 /C [12 0 R]"},
		"the same command":              {"41 0 R", "<< /V 1 /C [ << /URL (http://a/) /L 2 >> ] >>", "", ""},
		"another level": {"41 0 R", "<< /V 1 /C [ << /URL (http://a/) /L 3 >> ] >>", "command (http://a/)",
			"/V 1 /C [<</URL (http://a/) /L 3>> 12 0 R]"},
		"other flags": {"41 0 R", "<< /V 1 /C [ << /URL (http://a/) /L 2 /F 1 >> ] >>", "command (http://a/)",
			"/V 1 /C [<</URL (http://a/) /L 2 /F 1>> 12 0 R]"},
		"other data": {"41 0 R", "<< /V 1 /C [ << /URL (http://a/) /L 2 /P (x) >> ] >>", "command (http://a/)",
			"/V 1 /C [<</URL (http://a/) /L 2 /P (x)>> 12 0 R]"},
		"another URL": {"41 0 R", "<< /V 1 /C [ << /URL (http://c/) /L 2 >> ] >>", "command (http://a/)",
			"/V 1 /C [<</URL (http://c/) /L 2>> 12 0 R]"},
		"a direct command":    {"<< /URL (http://d/) >>", "<< /V 1 >>", "command (http://d/)", "/V 1 /C [12 0 R]"},
		"a number as command": {"7 41 0 R", "<< /V 1 >>", "command (http://a/)", "/V 1 /C [12 0 R]"},
		"a command twice":     {"41 0 R 41 0 R", "<< /V 1 >>", "command (http://a/)", "/V 1 /C [12 0 R]"},
	} {
		t.Run(name, func(t *testing.T) {
			r := restored(t, parsed(t, capture, "/C [ 41 0 R ]", "/C [ "+c.theirs+" ]"),
				parsed(t, bare+"spiderinfo: "+c.ours), nil)
			var steps []string
			for _, s := range r.Steps {
				if s.Place.Part == "SpiderInfo" {
					steps = append(steps, s.New)
				}
			}
			expect(t, "steps", steps, c.steps)
			got := ""
			for _, s := range r.Changes.Catalog {
				got += s.Key + " " + compact(string(s.Value))
			}
			if c.want != "" {
				c.want = "SpiderInfo <<" + c.want + ">>"
			}
			if got = strings.ReplaceAll(got, "[ ", "["); got != c.want {
				t.Errorf("the catalog gets %s, want %s", got, c.want)
			}
		})
	}
}

// TestNoCommands: a restored SpiderInfo has C only if the original has it.
func TestNoCommands(t *testing.T) {
	r := restored(t, parsed(t, capture, "/C [ 41 0 R ]", ""), parsed(t, bare), nil)
	if len(r.Changes.Catalog) != 1 || compact(string(r.Changes.Catalog[0].Value)) != "<</V 1.25>>" {
		t.Errorf("the catalog gets %v", r.Changes.Catalog)
	}
}
