package audit_test

import (
	"crypto/md5"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// record is a source with the captures of memory, and an unreadable capture of the URL broken.
type record struct {
	memory
	broken string
}

func (r record) Lookup(url string) iter.Seq2[*source.Candidate, error] {
	if url == r.broken {
		return func(yield func(*source.Candidate, error) bool) { yield(nil, errors.New("it cannot be read")) }
	}
	return r.memory.Lookup(url)
}

// TestSourcesThatAreNotWholeTellNothing: the captures in sources show which of a key and a URL is
// older. Missing captures show it only if all of the source is known.
func TestSourcesThatAreNotWholeTellNothing(t *testing.T) {
	const key, url = "http://b/\u2021\u20ac", "http://b/\u0082\u00a0" // of two bytes, treated as text in two ways
	hex := webcapturetest.Hex[string]
	d, err := webcapturetest.Parse("names: << /URLS << /Names [ " + hex(key) + " 5 0 R ] >> >>\n5 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ ] /SI << /AU " + hex(url) + " >> >>\n")
	if err != nil {
		t.Fatal(err)
	}
	has := memory{reply(url, "text/html", "x")}
	nameless := memory{{URL: ""}}
	for name, c := range map[string]struct {
		opt  audit.Options
		want string
	}{
		"as a source":  {audit.Options{Source: record{memory: has}}, "sources have only the URL [WC226]"},
		"as a witness": {audit.Options{Witness: record{memory: has}}, "sources have only the URL [WC226]"},
		"before the source": {audit.Options{Witness: record{}, Source: record{memory: has}},
			"the older one is unknown [WC227]"},
		"one that is lost": {audit.Options{Source: record{memory: has}, SourceLost: true},
			"the older one is unknown [WC227]"},
		"one that is damaged":   {audit.Options{Source: record{has, key}}, "the older one is unknown [WC227]"},
		"one with a name alone": {audit.Options{Source: namedSource{nameless}}, "the older one is unknown [WC227]"},
	} {
		t.Run(name, func(t *testing.T) {
			rep, err := audit.Bytes("x.pdf", d.Bytes(webcapturetest.Layout{}), c.opt)
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			for _, f := range rep.Findings.All() {
				lines = append(lines, f.String())
			}
			if got := strings.Join(lines, "\n"); !strings.Contains(got, c.want) {
				t.Errorf("%s: nothing says %q:\n%s", name, c.want, got)
			}
		})
	}
}

// namedSource is a source that has one URL by its name alone.
type namedSource struct{ memory }

func (n namedSource) Lookup(url string) iter.Seq2[*source.Candidate, error] {
	if strings.HasSuffix(url, "\u00a0") {
		url = ""
	}
	return n.memory.Lookup(url)
}

// TestSourcesTellExchangedIDs: if sources give a page the ID of another one, IDS is not built from the IDs of pages, though
// pages carry them. A page that has its own ID proves nothing about another one with the same URL.
func TestSourcesTellExchangedIDs(t *testing.T) {
	page := func(n int, id, url string) string {
		return fmt.Sprintf("%d 0 obj << /S /SPS /ID <%s> /O [ %d 0 R ] /SI << /AU (%s) >> >>\n", 10+n, id, 20+n, url) +
			fmt.Sprintf("%d 0 obj << /Type /Page /Parent 2 0 R /ID <%s> >>\n", 20+n, id)
	}
	sum := func(text string) string { return fmt.Sprintf("%x", md5.Sum([]byte(text))) }
	source := memory{reply("http://a/", "text/html", "first"), reply("http://b/", "text/html", "second")}
	for name, c := range map[string]struct {
		ids    [2]string
		urls   string // of the second page
		builds bool
	}{
		"their own":        {[2]string{sum("first"), sum("second")}, "http://b/", true},
		"exchanged":        {[2]string{sum("second"), sum("first")}, "http://b/", false},
		"of one URL":       {[2]string{sum("first"), sum("third")}, "http://a/", true},
		"that give no IDs": {[2]string{sum("third"), sum("fourth")}, "http://b/", true},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := webcapturetest.Parse("catalog: << /Type /Catalog /Pages 2 0 R /Names << /URLS << /Names [ (http://a/) 10 0 R (" +
				c.urls + ") 11 0 R ] >> >> >>\n2 0 obj << /Type /Pages /Kids [ 20 0 R 21 0 R ] /Count 2 /MediaBox [ 0 0 9 9 ] >>\n" +
				page(0, c.ids[0], "http://a/") + page(1, c.ids[1], c.urls))
			if err != nil {
				t.Fatal(err)
			}
			rep, err := audit.Bytes("x.pdf", d.Bytes(webcapturetest.Layout{}), audit.Options{Witness: source, Rules: audit.Select("WC523")})
			if err != nil {
				t.Fatal(err)
			}
			if got := rep.Findings.At(0); (got.Fix != nil) != c.builds {
				t.Errorf("the fix is %v: %v", got.Fix, got)
			}
		})
	}
}
