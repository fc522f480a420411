package rewrite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// manyPages returns a document of n pages with different texts, which are numbered from first on. The first page has
// as many links as links says. With database, it is a capture; otherwise, it is one as tools leave it.
func manyPages(n, first, links int, database bool) string {
	var b, pages, annots strings.Builder
	pa := ""
	if database {
		pa = "/PA << /S /URI /URI (http://a/) >>"
	}
	for i := range n {
		fmt.Fprintf(&pages, " %d 0 R", 10+2*i)
	}
	for i := range links {
		fmt.Fprintf(&annots, " << /Type /Annot /Subtype /Link /Rect [ %d 0 1 1 ] %s >>", i, pa)
	}
	b.WriteString("catalog: << /Type /Catalog /Pages 2 0 R ")
	if database {
		const id = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>"
		fmt.Fprintf(&b, "/Names << /URLS << /Names [ (http://a/0) 3 0 R ] >> /IDS << /Names [ %s 3 0 R ] >> >> >>\n", id)
		fmt.Fprintf(&b, "3 0 obj << /S /SPS /ID %s /O [%s ] /CT (text/html) /SI << /AU (http://a/0) >> >>\n", id, pages.String())
	} else {
		b.WriteString(">>\n")
	}
	fmt.Fprintf(&b, "2 0 obj << /Type /Pages /MediaBox [ 0 0 9 9 ] /Kids [%s ] /Count %d >>\n", pages.String(), n)
	for i := range n {
		fmt.Fprintf(&b, "%d 0 obj << /Type /Page /Parent 2 0 R /Contents %d 0 R ", 10+2*i, 11+2*i)
		if i == 0 {
			fmt.Fprintf(&b, "/Annots [%s ] ", annots.String())
		}
		text := fmt.Sprintf("(page number %06d) Tj\n", first+i)
		fmt.Fprintf(&b, ">>\n%d 0 obj << /Length %d >>\nstream\n%sendstream\n", 11+2*i, len(text), text)
	}
	return b.String()
}

// TestFromCost: twice as many links on a page, or pages without a match, cause about twice the work, not four times.
func TestFromCost(t *testing.T) {
	work := func(pages, links int) float64 {
		from := filepath.Join(t.TempDir(), "original.pdf")
		if err := os.WriteFile(from, pdf(t, manyPages(pages, 0, links, true)), 0o600); err != nil {
			t.Fatal(err)
		}
		after := pdf(t, manyPages(pages, pages/2, links, false))
		return testing.AllocsPerRun(1, func() { planOf(t, after, Options{From: []string{from}}) })
	}
	for _, c := range []struct {
		name         string
		pages, links int
	}{{"links", 2, 500}, {"pages", 500, 0}} {
		t.Run(c.name, func(t *testing.T) {
			one, two := work(c.pages, c.links), work(2*c.pages, 2*c.links)
			if two > 2.5*one {
				t.Errorf("%s: %.0f allocations, twice as many: %.0f", c.name, one, two)
			}
		})
	}
}
