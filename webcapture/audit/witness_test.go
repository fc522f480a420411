package audit_test

import (
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// A record is a source that has one URL; of another it has something that cannot be read.
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
