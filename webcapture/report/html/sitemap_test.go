package report

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// museum returns the capture of a site, as pdfcpu optimize leaves it: the keys of IDS are text
// (PDFDocEncoding to UTF-8), in the order of what they were.
func museum(t testing.TB) []byte {
	t.Helper()
	const host = "http://museum.example"
	var site []webcapturetest.Resource
	picture := func(url string, hue int, photo bool) int {
		body, media := drawing(t, hue, photo)
		site = append(site, webcapturetest.Resource{URL: url, MediaType: media, Body: body})
		return len(site) - 1
	}
	logo := picture("http://static.museum.example/logo.gif", 3, false)
	page := func(path, title string, aux ...int) {
		site = append(site, webcapturetest.Resource{URL: host + path, MediaType: "text/html", Title: title, Body: []byte(path), Aux: append([]int{logo}, aux...)})
	}
	page("/", "The Museum of Clocks")
	page("/visit/opening.html", "Opening hours")
	page("/visit/tickets.html", "Tickets", picture(host+"/visit/map.gif", 9, false))
	for i, room := range []string{"Sundials", "Water clocks", "Tower clocks", "Pendulums", "Pocket watches", "Marine chronometers", "Quartz"} {
		name := strings.ToLower(strings.ReplaceAll(room, " ", "-"))
		page("/rooms/"+name+".html", room, picture(host+"/rooms/pictures/"+name+".jpg", 20+37*i, true), picture(host+"/rooms/pictures/"+name+"-plan.gif", 35*i, false))
	}
	d := webcapturetest.Site(site, webcapturetest.SiteOptions{})
	var ids int
	_, rest, _ := strings.Cut(d.Body(d.Root), "/IDS ")
	if _, err := fmt.Sscan(rest, &ids); err != nil {
		t.Fatal(err)
	}
	d.Set(ids, regexp.MustCompile(`<[0-9a-f]{32}>`).ReplaceAllStringFunc(d.Body(ids), func(key string) string {
		id, err := hex.DecodeString(key[1:33])
		if err != nil {
			t.Fatal(err)
		}
		var text []rune
		for _, c := range id {
			r, defined := object.PDFDocRune(c)
			if !defined {
				r = '\uFFFD'
			}
			text = append(text, r)
		}
		return webcapturetest.Hex(string(text))
	}))
	return d.Bytes(webcapturetest.Layout{})
}

// museumRecord returns what an audit says of the museum.
func museumRecord(t testing.TB) (Options, *Record) {
	t.Helper()
	rep, err := audit.Bytes("museum.pdf", museum(t), audit.Options{Outline: true})
	if err != nil {
		t.Fatal(err)
	}
	return Options{Head: Head{Rules: audit.Rules()}}, &Record{Path: "museum.pdf", Report: rep}
}

// The map has hosts, their folders, and in these the sets: page sets first, by name, each with
// the worst that was found about it or about an entry that leads to it.
func TestHTMLMap(t *testing.T) {
	_, rec := museumRecord(t)
	names := Fingerprints(rec, "", "")
	file := newHTMLFile(rec, htmlRow{}, names, len(names))
	var got []string
	for _, host := range file.Map {
		for _, folder := range host.Folders {
			line := fmt.Sprintf("%s%s %s %d/%d:", host.Name, folder.Name, folder.Mark.Class(), folder.Mark.Found, folder.Mark.Sets)
			for _, s := range folder.Sets[:min(3, len(folder.Sets))] {
				line += fmt.Sprintf(" %s (%s, %s, %d, %.14s)", s.Name(), s.Kind, s.Members, s.Link.N, s.Picture)
			}
			got = append(got, line)
		}
	}
	want := []string{
		"http://museum.example/ error 1/1: The Museum of Clocks (page set, page 1, 1, )",
		"http://museum.example/rooms/ error 7/7: Marine chronometers (page set, page 9, 1, ) Pendulums (page set, page 7, 1, ) Pocket watches (page set, page 8, 1, )",
		"http://museum.example/rooms/pictures/ error 14/14: marine-chronometers-plan.gif (image set, 96 × 96, 1, data:image/png) marine-chronometers.jpg (image set, 96 × 96, 1, data:image/jpe) pendulums-plan.gif (image set, 96 × 96, 1, data:image/png)",
		"http://museum.example/visit/ error 3/3: Opening hours (page set, page 2, 1, ) Tickets (page set, page 3, 1, ) map.gif (image set, 96 × 96, 1, data:image/png)",
		"http://static.museum.example/ error 1/1: logo.gif (image set, 96 × 96, 1, data:image/png)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the map is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A picture is what is known to run nothing, whatever results say that it is.
func TestHTMLShowsHarmlessPicturesOnly(t *testing.T) {
	for _, tt := range []struct{ data, want string }{
		{"\xff\xd8\xff\xe0", "data:image/jpeg;base64,/9j/4A=="},
		{"\x89PNG\r\n\x1a\n", "data:image/png;base64,iVBORw0KGgo="},
		{"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", ""},
		{"GIF89a", ""},
		{"", ""},
	} {
		set := audit.SetOutline{Members: []audit.MemberOutline{{Picture: []byte(tt.data)}}}
		if got := newHTMLSet(&set).Picture; string(got) != tt.want {
			t.Errorf("the picture %q is shown as %q, want %q", tt.data, got, tt.want)
		}
	}
}

// Every pair that something was found about has the colour of the worst of it, however many
// there are; labels leave out what all keys begin with.
func TestHTMLTreeColours(t *testing.T) {
	const pairs = 40
	node := audit.NodeOutline{Parent: -1, Pairs: pairs, First: "http://museum.example/a", Last: "http://museum.example/z", Bad: []audit.PairOutline{{Index: 3, Entry: true, Key: "http://museum.example/d"}}}
	var list audit.Findings
	for i := range 30 {
		list.Add(audit.Finding{Rule: ruleThat(t, false, audit.Note), Place: audit.Place{Tree: "URLS", Node: &audit.NodePlace{Index: i}}})
	}
	list.Add(audit.Finding{Rule: ruleThat(t, false, audit.Warning), Place: audit.Place{Tree: "URLS", Node: &audit.NodePlace{Index: 7}}})
	links := linksTo(list, make([]string, list.Len()), nil)
	tree := newHTMLTree(&audit.TreeOutline{Name: "URLS", Nodes: []audit.NodeOutline{node}}, links)
	classes := map[string]int{}
	for _, c := range tree.Boxes[0].Cells {
		classes[c.Class]++
	}
	if want := map[string]int{"cell": 10, "cell is-note": 29, "cell is-warning": 1}; !maps.Equal(classes, want) {
		t.Errorf("cells %v, want %v", classes, want)
	}
	if tree.Level != audit.Warning || !strings.HasSuffix(tree.Boxes[0].Class, "faulty warning") {
		t.Errorf("the tree is of level %v, its node %q: want warning", tree.Level, tree.Boxes[0].Class)
	}
	var lines []string
	for _, l := range tree.Boxes[0].Lines {
		lines = append(lines, l.Text)
	}
	if want := []string{"keys [(…a) (…z)]", "✕ entry 4: (…d)"}; !slices.Equal(lines, want) || tree.Prefix != "http://museum.example/" {
		t.Errorf("lines %q, and … is %q; want %q", lines, tree.Prefix, want)
	}
}

// drawing returns an image file of a clock face.
func drawing(t testing.TB, hue int, photo bool) (file []byte, media string) {
	t.Helper()
	const side = 96
	palette := color.Palette{color.RGBA{uint8(40 + hue/2), uint8(200 - hue/2), 160, 255}, color.White, color.RGBA{30, 40, 60, 255}, color.RGBA{uint8(hue), 120, uint8(255 - hue), 255}}
	im := image.NewPaletted(image.Rect(0, 0, side, side), palette)
	for y := range side {
		for x := range side {
			dx, dy := x-side/2, y-side/2
			switch r := dx*dx + dy*dy; {
			case r < 16 || dx == 0 && dy < 0 && dy > -30 || dy == hue*dx/99 && dx > 0 && r < 500:
				im.SetColorIndex(x, y, 2)
			case r < 36*36:
				im.SetColorIndex(x, y, 1)
			case r < 42*42:
				im.SetColorIndex(x, y, 3)
			}
		}
	}
	var out bytes.Buffer
	var err error
	if media = "image/gif"; photo {
		media = "image/jpeg"
		err = jpeg.Encode(&out, im, nil)
	} else {
		err = gif.Encode(&out, im, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), media
}

// The first lines of a table tell what happened, how bad it is and what helps, in the words of
// people; the rest stands there on request.
func TestTableOfDamagedCapture(t *testing.T) {
	o, rec := museumRecord(t)
	text := func(o Options) string { return resultsIn(t, "table", o, Complete, rec) }
	for _, want := range []string{
		"  Rewritten by a tool that damaged all 26 identifiers, by which viewers know captured pages and images again; all can be repaired.\n",
		"Keys of IDS were written as text, as pdfcpu optimize and merge write them: 26 of 26\n",
		"                  http://museum.example/",
	} {
		if !strings.Contains(text(o), want) {
			t.Errorf("the table does not say %q:\n%s", want, text(o))
		}
	}
	if strings.Contains(text(o), "taken for text") {
		t.Errorf("the table has the message of what its headline says:\n%s", text(o))
	}
	o.Width = 80
	first := strings.Join(slices.Collect(strings.Lines(text(o)))[:6], "")
	for _, want := range []string{"27 errors", "damaged all 26 identifiers", "webcap rewrite museum.pdf -o museum.repaired.pdf"} {
		if !strings.Contains(first, want) {
			t.Errorf("the first lines do not say %q:\n%s", want, first)
		}
	}
	o.Verbose, o.Width = true, 0
	if want := "IDS, entry 1 of node "; !strings.Contains(text(o), want) || !strings.Contains(text(o), "taken for text") {
		t.Errorf("with -v the table does not say %q:\n%s", want, text(o))
	}
}

// What became of a file is said of all keys, of some, and of one, as far as that can be repaired; not
// of what is wrong for other reasons.
func TestVerdict(t *testing.T) {
	transcoded, _ := audit.Lookup("WC303")
	for _, tt := range []struct {
		found, fixed, keys int
		want               string
	}{
		{3, 3, 3, "Rewritten by a tool that damaged all 3 identifiers, by which viewers know captured pages and images again; all can be repaired."},
		{3, 2, 9, "Rewritten by a tool that damaged 3 of 9 identifiers, by which viewers know captured pages and images again; 2 can be repaired."},
		{1, 1, 1, "Rewritten by a tool that damaged the only identifier, by which viewers know captured pages and images again; all can be repaired."},
	} {
		rep := &audit.Report{}
		rep.IDS = tt.keys
		for i := range tt.found {
			f := audit.Finding{Rule: transcoded, Place: audit.Place{Tree: "IDS", Node: &audit.NodePlace{Index: i}}}
			if i < tt.fixed {
				f.Fix = &audit.Fix{Action: audit.ChangeKey}
			}
			rep.Findings.Add(f)
		}
		if got := verdict(rep, blocksOf(rep, someShown)); got != tt.want {
			t.Errorf("%d of %d: %q, want %q", tt.found, tt.keys, got, tt.want)
		}
	}
	rep := &audit.Report{Findings: audit.FindingsOf(audit.Finding{Rule: ruleThat(t, false, audit.Error), Place: audit.Place{Tree: "IDS"}})}
	if got := verdict(rep, blocksOf(rep, someShown)); got != "" {
		t.Errorf("of another rule: %q", got)
	}
}
