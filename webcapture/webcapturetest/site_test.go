package webcapturetest_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func ExampleSite() {
	d := webcapturetest.Site([]webcapturetest.Resource{
		{URL: "http://a.example/", MediaType: "text/html", Body: []byte("<img src=b.gif>"), Aux: []int{1}},
		{URL: "http://a.example/b.gif", MediaType: "image/gif", Body: []byte("GIF89a")},
	}, webcapturetest.SiteOptions{})
	file := string(d.Bytes(webcapturetest.Layout{}))
	fmt.Println(strings.Count(file, "/S/SPS"), "page set,", strings.Count(file, "/S/SIS"), "image set")
	// Output: 1 page set, 1 image set
}

// captured is a site with all features of Site.
func captured(t *testing.T) []webcapturetest.Resource {
	t.Helper()
	grey := image.NewGray(image.Rect(0, 0, 8, 4))
	grey.Pix[9] = 200
	file := func(err error, b *bytes.Buffer) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	var j, g, p bytes.Buffer
	photo := file(jpeg.Encode(&j, image.NewYCbCr(grey.Rect, image.YCbCrSubsampleRatio420), nil), &j)
	button := file(gif.Encode(&g, grey, nil), &g)
	logo := file(png.Encode(&p, grey), &p)
	return []webcapturetest.Resource{
		{URL: "http://a.example/", MediaType: "text/html; charset=utf-8",
			Body: []byte("<img src=photo.jpg><img src=button.gif>"), Aux: []int{1, 2, 1, 4}},
		{URL: "http://a.example/photo.jpg", MediaType: "image/jpeg", Body: photo},
		{URL: "http://a.example/button.gif", MediaType: "image/gif", Body: button},
		{URL: "http://a.example/logo.png", MediaType: "image/png", Body: logo},
		{URL: "http://a.example/style.css", MediaType: "text/css", Body: []byte("a {}")},
		{URL: "http://a.example/notes.txt?v=1", MediaType: "text/plain", Body: []byte("notes")},
		{URL: "http://b.example/copy.txt", MediaType: "text/plain", Body: []byte("notes")},
		{URL: "http://a.example/paper.pdf", MediaType: "application/pdf", Body: []byte("%PDF-1.4"), Aux: []int{1}},
		{URL: "http://a.example/", MediaType: "text/html", Body: []byte("later <img src=photo.jpg><img src=logo.png>"),
			Aux: []int{1, 3}},
	}
}

func TestSiteIsRightByTheStandard(t *testing.T) {
	for _, o := range []webcapturetest.SiteOptions{
		{},
		{Producer: "Acrobat Web Capture 8.0", Creator: "a test", Encoding: webcapturetest.LowerHexIDs},
	} {
		t.Run(o.Producer, func(t *testing.T) {
			file := webcapturetest.Site(captured(t), o).Bytes(webcapturetest.Layout{})
			rep, err := audit.Bytes(t.Context(), "site.pdf", file, audit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range rep.Findings {
				if f.Rule.ID != "WC103" { // about V
					t.Errorf("%+v: %v %v: %s", o, f.Rule.ID, f.Place, f.Message)
				}
			}
			if rep.URLS != 7 || rep.IDS != 7 || rep.PageSets != 4 || rep.ImageSets != 3 || rep.Digests.Verified != 1 ||
				len(rep.Unread) > 0 {
				t.Errorf("%+v: %+v", o, rep)
			}
		})
	}
	if rep, err := audit.Bytes(t.Context(), "site.pdf",
		webcapturetest.Site(nil, webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{}),
		audit.Options{}); err != nil || rep.PageSets > 0 {
		t.Errorf("without resources: %+v, %v", rep, err)
	}
}

// The identifiers are those of the composite page in testdata/digest/pages.tsv, in each encoding.
func TestSiteIdentifiers(t *testing.T) {
	composite := []webcapturetest.Resource{
		{URL: "http://a.example/", MediaType: "text/html",
			Body: []byte(`<html><img src="a.gif"><img src="b.gif"><img src="a.gif"></html>`), Aux: []int{1, 2, 1}},
		{URL: "http://a.example/a.gif", MediaType: "image/gif", Body: []byte("GIF89a-A")},
		{URL: "http://a.example/b.gif", MediaType: "image/gif", Body: []byte("GIF89a-B")},
	}
	for encoding, want := range map[webcapturetest.AuxEncoding]string{
		webcapturetest.RawIDs:      "335139d6a61eb935fd2a05a9d36de6fe",
		webcapturetest.LowerHexIDs: "f589dfda69ecf52dc33b8c9dd5d8ee22",
		webcapturetest.UpperHexIDs: "94dc012cf858d57fcf13389936fb6498",
	} {
		t.Run(fmt.Sprint(encoding), func(t *testing.T) {
			d := webcapturetest.Site(composite, webcapturetest.SiteOptions{Encoding: encoding})
			f, err := webcapture.New(context.Background(), d.Bytes(webcapturetest.Layout{}), webcapture.Options{})
			if err != nil {
				t.Fatal(err)
			}
			db, err := f.Database()
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range []string{want, "15fc02d338388721ae9377f08fa03733", "cc53cb6235df573dc77bad22e06dde59"} {
				key, err := hex.DecodeString(id)
				if err != nil {
					t.Fatal(err)
				}
				if _, ok := db.IDS.Find(nametree.Key(key)); !ok {
					t.Errorf("encoding %d: %s is not in IDS", encoding, id)
				}
			}
		})
	}
}

func TestQPDFReadsSites(t *testing.T) {
	requireQPDF(t)
	check(t, webcapturetest.Site(captured(t), webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{}), "")
	check(t, webcapturetest.Site(nil, webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{}), "")
}
