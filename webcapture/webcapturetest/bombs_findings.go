package webcapturetest

import (
	"fmt"
	"strings"
)

// findingBombs have very many or very large pairs or objects. Most could cause very many findings, defects, or
// unread parts.
func findingBombs() []Bomb { return append(pairBombs(), objectBombs()...) }

// Texts of objects in bombs.
const (
	leafText      = "<< /Names [%s] >>"
	pageSetText   = "<< /S /SPS /ID <00112233445566778899aabbccddeeff> /O [%s] /SI << /AU (http://a/) >> >>"
	imageSetText  = "<< /S /SIS /ID <00112233445566778899aabbccddeeff> /O [%s] /SI << /AU (http://a/) >> /R 1 >>"
	brokenSetText = "<< /S /SPS /ID 1 /O 1 /SI [<< /AU 1 /TS 1 /E 1 /S 9 /C 1 >> << /AU (A) /S (x) >>] /CT 1 /TS 1 /T 1 /TID 1 /R 1 >>"
)

// pairBombs have a tree with many copies of one pair.
func pairBombs() []Bomb {
	packedPairs := func(name, pair string, n int) Bomb {
		return bomb(name, packed, func() *Document {
			return names("/URLS 1 0 R",
				fmt.Sprintf(leafText, strings.Repeat(pair, n)))
		})
	}
	plainPairs := func(name, pair string, n int) Bomb {
		return bomb(name, Layout{}, func() *Document {
			tree := fmt.Sprintf(leafText, strings.Repeat(pair, n))
			return names("/URLS 1 0 R /IDS 2 0 R", tree, tree)
		})
	}
	return []Bomb{
		packedPairs("two million empty keys in 8 kB", "()1 ", 2_000_000),
		packedPairs("a million null values in 11 kB", "()null ", 1_000_000),
		plainPairs("five million empty keys in two trees of 20 MB", "()1 ", 2_500_000),
		packedPairs("ten million integers as Names", "1 ", 10_000_000),
		plainPairs("ten million nulls as Names of two trees", "null ", 5_000_000),
	}
}

// objectBombs have very many objects, or a very large object or list, for an audit to check.
func objectBombs() []Bomb {
	return []Bomb{
		bomb("2.6 million members in 23 kB", packed, func() *Document {
			return names("/URLS 1 0 R", "<< /Names [(http://a/) 2 0 R] >>",
				fmt.Sprintf(pageSetText, strings.Repeat("1 0 R ", 2_600_000)))
		}),
		bomb("two million references to an image", packed, func() *Document {
			d := names("/URLS 1 0 R", "<< /Names [(http://a/) 2 0 R] >>",
				fmt.Sprintf(imageSetText, strings.Repeat("9 0 R ", 2_000_000)))
			d.SetStream(9, "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8", []byte("x"))
			return d
		}),
		bomb("thirty thousand sets with a dozen defects", packed,
			func() *Document { return brokenSets(30_000, brokenSetText) }),
		bomb("a hundred thousand sets with a dozen defects", packed,
			func() *Document { return brokenSets(100_000, brokenSetText) }),
		bomb("one key three hundred thousand times", packed, func() *Document {
			return names("/URLS 1 0 R", fmt.Sprintf(leafText, strings.Repeat("(http://a/) 2 0 R ", 300_000)),
				fmt.Sprintf(pageSetText, ""))
		}),
		bomb("a million pages with a finding", inStreams, func() *Document {
			d := names("/URLS 1 0 R", "<< /Names [(http://a/) 2 0 R] >>", fmt.Sprintf(pageSetText, ""))
			kids := d.addAll(1_000_000, func(int) string { return "<< /Type /Page /ID (a) /PZ (b) >>" })
			d.Root = d.Add(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R /Names << /URLS 1 0 R >> >>",
				d.Add("<< /Type /Pages /Count 1000000 /Kids ["+kids+"] >>")))
			return d
		}),
		bomb("a key of 500 MB", packed, func() *Document {
			return names("/URLS 1 0 R", "<< /Names [("+strings.Repeat("a", 500_000_000)+")1] >>")
		}),
		bomb("a million commands", inStreams, func() *Document {
			d := names("/URLS 1 0 R", "<< /Names [(http://a/) 2 0 R] >>", fmt.Sprintf(pageSetText, ""))
			commands := d.addAll(1_000_000,
				func(int) string { return "<< /URL 1 /L (a) /F (b) /P 1 /S << /G 1 /C 1 >> >>" })
			return d.withCatalog("/SpiderInfo << /V 2.0 /C [" + commands + "] >>")
		}),
		bomb("a million form fields", inStreams, func() *Document {
			d := names("/URLS 1 0 R", "<< /Names [(http://a/) 2 0 R] >>", fmt.Sprintf(pageSetText, ""))
			fields := d.addAll(1_000_000, func(int) string { return "<< /T (00112233445566778899aabbccddeeff) /FT /Tx >>" })
			return d.withCatalog("/AcroForm << /Fields [" + fields + "] >>")
		}),
	}
}

// brokenSets returns a document with n equal content sets.
func brokenSets(n int, set string) *Document {
	d := names("/URLS 1 0 R")
	first := d.next + 1
	d.addAll(n, func(int) string { return set })
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "(http://a/%07d)%d 0 R ", i, first+i)
	}
	d.Set(1, "<< /Names ["+b.String()+"] >>")
	return d
}

// addAll adds n objects and returns references to them as text.
func (d *Document) addAll(n int, object func(i int) string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d 0 R ", d.Add(object(i)))
	}
	return b.String()
}

// withCatalog adds entries to the catalog.
func (d *Document) withCatalog(entries string) *Document {
	d.Set(d.Root, strings.TrimSuffix(d.Body(d.Root), ">>")+entries+" >>")
	return d
}

// names returns a document with a name dictionary and one page. objects have the numbers from 1 on.
func names(dict string, objects ...string) *Document {
	d := new(Document)
	d.next = 9 // numbers up to 9 are for objects of the bomb
	for i, o := range objects {
		d.Set(i+1, o)
	}
	page, pages := d.Reserve(), d.Reserve()
	d.Set(page, fmt.Sprintf("<< /Type /Page /Parent %d 0 R >>", pages))
	d.Set(pages, fmt.Sprintf("<< /Type /Pages /Count 1 /Kids [%d 0 R] >>", page))
	d.Root = d.Add(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R /Names << %s >> >>", pages, dict))
	return d
}
