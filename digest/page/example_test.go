package page_test

import (
	"fmt"
	"iter"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/page"
)

// Which reading gives the identifier of a page that shows an image?
func Example() {
	files := map[string][]page.File{
		"http://www.example.com/a.gif": {{ID: digest.ID{0x00, 0x41, 0x2e, 0x5c}, Where: "a.gif"}},
	}
	find := func(url string) iter.Seq[page.File] { return slices.Values(files[url]) }
	p := page.New([]byte(`<img src="a.gif"><img src="a.gif">`), "text/html", "http://www.example.com/", find)

	id := p.Compute(page.Readings()[0]).ID
	if c, ok := p.Match(id); ok {
		fmt.Println("verified, by the reading", c.Reading)
		for _, piece := range c.Pieces {
			fmt.Println(piece.Kind, piece.URL, piece.Bytes)
		}
	}
	// Output:
	// verified, by the reading images, raw
	// source http://www.example.com/ 34
	// image http://www.example.com/a.gif 16
}

func ExampleReferences() {
	for _, r := range page.References([]byte(`<base href=/d/><img src=a.gif><script src=b.js></script>`), "text/html",
		"http://h/") {
		fmt.Println(r.Kind, r.URL)
	}
	// Output:
	// image http://h/d/a.gif
	// script http://h/d/b.js
}
