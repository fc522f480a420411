package html

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
	"github.com/webcap-tools/webcap/webcapture/audit/outline"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// museum returns the capture of a site, damaged by pdfcpu optimize: the keys of IDS are converted from
// PDFDocEncoding to UTF-8, in their old order.
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
		site = append(site, webcapturetest.Resource{URL: host + path, MediaType: "text/html", Title: title,
			Body: []byte(path), Aux: append([]int{logo}, aux...)})
	}
	page("/", "The Museum of Clocks")
	page("/visit/opening.html", "Opening hours")
	page("/visit/tickets.html", "Tickets", picture(host+"/visit/map.gif", 9, false))
	for i, room := range []string{"Sundials", "Water clocks", "Tower clocks", "Pendulums", "Pocket watches",
		"Marine chronometers", "Quartz"} {
		name := strings.ToLower(strings.ReplaceAll(room, " ", "-"))
		page("/rooms/"+name+".html", room, picture(host+"/rooms/pictures/"+name+".jpg", 20+37*i, true),
			picture(host+"/rooms/pictures/"+name+"-plan.gif", 35*i, false))
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

// museumRecord returns the audit record of the museum.
func museumRecord(t testing.TB) (report.Options, *report.Record) {
	t.Helper()
	rep, err := audit.Bytes("museum.pdf", museum(t), audit.Options{Outline: true})
	if err != nil {
		t.Fatal(err)
	}
	return report.Options{Head: report.Head{Rules: audit.Rules()}}, &report.Record{Path: "museum.pdf", Report: rep}
}

// The map has hosts, their folders, and in these the content sets: page sets first, by name, each with the highest
// level of its findings and those of its entries.
func TestMap(t *testing.T) {
	_, rec := museumRecord(t)
	names := report.Fingerprints(rec, "", "")
	file := newFileSection(rec, fileRow{}, names, len(names))
	var got []string
	for _, host := range file.Map {
		for _, folder := range host.Folders {
			line := fmt.Sprintf("%s%s %s %d/%d:", host.Name, folder.Name, folder.Mark.Class(), folder.Mark.Found,
				folder.Mark.Sets)
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

// Only data of a harmless type counts as a picture, regardless of the type in results.
func TestShowsHarmlessPicturesOnly(t *testing.T) {
	for _, tt := range []struct{ data, want string }{
		{"\xff\xd8\xff\xe0", "data:image/jpeg;base64,/9j/4A=="},
		{"\x89PNG\r\n\x1a\n", "data:image/png;base64,iVBORw0KGgo="},
		{"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", ""},
		{"GIF89a", ""},
		{"", ""},
	} {
		t.Run(tt.data, func(t *testing.T) {
			set := outline.Set{Members: []outline.Member{{Picture: []byte(tt.data)}}}
			if got := newSiteSet(&set).Picture; string(got) != tt.want {
				t.Errorf("the picture %q is shown as %q, want %q", tt.data, got, tt.want)
			}
		})
	}
}

// Each pair with findings has the color of the highest level; labels omit the common prefix of all keys.
func TestTreeColours(t *testing.T) {
	const pairs = 40
	node := outline.Node{Parent: -1, Pairs: pairs, First: "http://museum.example/a", Last: "http://museum.example/z",
		Bad: []outline.Pair{{Index: 3, Entry: true, Key: "http://museum.example/d"}}}
	var list rule.Findings
	for i := range 30 {
		list.Add(rule.Finding{Rule: ruleThat(t, false, rule.Note),
			Place: rule.Place{Tree: "URLS", Node: &rule.NodePlace{Index: i}}})
	}
	list.Add(rule.Finding{Rule: ruleThat(t, false, rule.Warning),
		Place: rule.Place{Tree: "URLS", Node: &rule.NodePlace{Index: 7}}})
	links := linksTo(list, make([]string, list.Len()), nil)
	tree := newTreeDrawing(&outline.Tree{Name: "URLS", Nodes: []outline.Node{node}}, links)
	classes := map[string]int{}
	for _, c := range tree.Boxes[0].Cells {
		classes[c.Class]++
	}
	if want := map[string]int{"cell": 10, "cell is-note": 29, "cell is-warning": 1}; !maps.Equal(classes, want) {
		t.Errorf("cells %v, want %v", classes, want)
	}
	if tree.Level != rule.Warning || !strings.HasSuffix(tree.Boxes[0].Class, "faulty warning") {
		t.Errorf("the tree is of level %v, its node %q: want warning", tree.Level, tree.Boxes[0].Class)
	}
	var lines []string
	for _, l := range tree.Boxes[0].Lines {
		lines = append(lines, l.Text)
	}
	if want := []string{"keys [(…a) (…z)]", "✕ entry 4: (…d)"}; !slices.Equal(lines, want) ||
		tree.Prefix != "http://museum.example/" {
		t.Errorf("lines %q, and … is %q; want %q", lines, tree.Prefix, want)
	}
}

// drawing returns an image file of a clock face.
func drawing(t testing.TB, hue int, photo bool) (file []byte, media string) {
	t.Helper()
	const side = 96
	palette := color.Palette{color.RGBA{uint8(40 + hue/2), uint8(200 - hue/2), 160, 255}, color.White,
		color.RGBA{30, 40, 60, 255}, color.RGBA{uint8(hue), 120, uint8(255 - hue), 255}}
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
