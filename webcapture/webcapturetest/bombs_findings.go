package webcapturetest

import (
	"fmt"
	"strings"
)

// findingBombs are small files in which much is wrong: each could make millions of
// findings, defects or parts that cannot be read.
func findingBombs() []Bomb {
	return []Bomb{
		bomb("two million empty keys in 8 kB", packed, func() *Document {
			return names("/URLS 1 0 R", "<< /Names ["+strings.Repeat("()1 ", 2_000_000)+"] >>")
		}),
	}
}

// names returns a document with a name dictionary and the objects that it refers to,
// numbered from 1, and one page.
func names(dict string, objects ...string) *Document {
	d := new(Document)
	for _, o := range objects {
		d.Add(o)
	}
	page, pages := d.Reserve(), d.Reserve()
	d.Set(page, fmt.Sprintf("<< /Type /Page /Parent %d 0 R >>", pages))
	d.Set(pages, fmt.Sprintf("<< /Type /Pages /Count 1 /Kids [%d 0 R] >>", page))
	d.Root = d.Add(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R /Names << %s >> >>", pages, dict))
	return d
}
