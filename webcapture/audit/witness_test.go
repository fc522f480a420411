package audit_test

import (
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
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
		"as a source":  {audit.Options{Source: record{memory: has}}, "sources have only the URL [WC221]"},
		"as a witness": {audit.Options{Witness: record{memory: has}}, "sources have only the URL [WC221]"},
		"before the source": {audit.Options{Witness: record{}, Source: record{memory: has}},
			"the older one is unknown [WC221]"},
		"one that is lost": {audit.Options{Source: record{memory: has}, SourceLost: true},
			"the older one is unknown [WC221]"},
		"one that is damaged":   {audit.Options{Source: record{has, key}}, "the older one is unknown [WC221]"},
		"one with a name alone": {audit.Options{Source: namedSource{nameless}}, "the older one is unknown [WC221]"},
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

// TestSourcesProveURLs: a key of URLS is right if sources have the captured file there, and another file at the URL of
// the content set. They prove nothing by what is missing, damaged, or uncertain.
func TestSourcesProveURLs(t *testing.T) {
	const key, url = "http://key/", "http://url/"
	text := func(set, member string) string {
		return "names: << /URLS << /Names [ (" + key + ") 5 0 R ] >> >>\n" +
			fmt.Sprintf("5 0 obj << /S /SPS /ID <%x> /O [ 6 0 R ] /SI << /AU (%s) >> >>\n", md5.Sum([]byte(set)), url) +
			fmt.Sprintf("6 0 obj << /Type /Page /ID <%x> >>\n", md5.Sum([]byte(member)))
	}
	at := func(where string, change func(*source.Candidate)) *source.Candidate {
		c := reply(where, "text/plain", "other")
		change(c)
		return c
	}
	broken := source.NewBody(source.AsStored, func() (io.ReadCloser, error) { return nil, errors.New("damaged") })
	captured, other := reply(key, "text/plain", "captured"), reply(url, "text/plain", "other")
	const proof, open = "a comparison with the files that sources have for both URLs proves the key", "no evidence decides"
	for name, row := range map[string]struct {
		set, member string
		source      memory
		want        string
	}{
		"the file at the key alone": {"captured", "captured", memory{captured, other}, proof},
		"nothing at the URL":        {"captured", "captured", memory{captured}, open},
		"nothing at the key":        {"captured", "captured", memory{other}, open},
		"another file at the key":   {"captured", "captured", memory{reply(key, "text/plain", "third"), other}, open},
		"the file at both": {"captured", "captured", memory{captured, reply(url, "text/plain", "captured")},
			open},
		"the file at both, and another": {"captured", "captured",
			memory{captured, other, reply(url, "text/plain", "captured")}, open},
		"a page with another ID": {"captured", "page", memory{captured, other}, open},
		"an uncertain file at the URL": {"captured", "captured",
			memory{captured, at(url, func(c *source.Candidate) { c.Uncertain = true })}, open},
		"a doubtful file at the URL": {"captured", "captured",
			memory{captured, at(url, func(c *source.Candidate) { c.Doubt = &source.Flaw{Reason: "in part"} })}, open},
		"a damaged file at the URL": {"captured", "captured",
			memory{captured, at(url, func(c *source.Candidate) { c.Bodies[0] = broken })}, open},
		"a form that need not be there": {"captured", "captured",
			memory{captured, at(url, func(c *source.Candidate) { c.Bodies = append(c.Bodies, undeclared(broken)) })}, proof},
		"a form that happens to be there": {"captured", "captured",
			memory{at(key, func(c *source.Candidate) { c.Bodies[0] = undeclared(captured.Bodies[0]) }), other}, proof},
	} {
		t.Run(name, func(t *testing.T) {
			got := findingsWith(t, "WC221", text(row.set, row.member), audit.Options{Source: row.source})
			if len(got) != 1 || !strings.Contains(got[0].Message, row.want) || (got[0].Fix != nil) != (row.want == proof) {
				t.Fatalf("%v, want %q", got, row.want)
			}
			if f := got[0].Fix; f != nil && (f.Action != rule.ChangeSource || f.Old != url || f.New != key || f.Chosen) {
				t.Errorf("the fix is %+v", f)
			}
		})
	}
}

func undeclared(b source.Body) source.Body {
	b.Undeclared = true
	return b
}

// TestSourcesProveURLsOfImages: the data of an image are what was captured, although the ID of its content set differs.
func TestSourcesProveURLsOfImages(t *testing.T) {
	text := "names: << /URLS << /Names [ (http://key/) 5 0 R ] >> >>\n" +
		"5 0 obj << /S /SIS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ 6 0 R ] /SI << /AU (http://url/) >> >>\n" +
		"6 0 obj << /Subtype /Image /Filter /DCTDecode >> stream\nx\nendstream\n"
	got := findingsWith(t, "WC221", text,
		audit.Options{Source: memory{reply("http://key/", "image/jpeg", "x"), reply("http://url/", "image/jpeg", "y")}})
	if len(got) != 1 || got[0].Fix == nil || got[0].Fix.Action != rule.ChangeSource {
		t.Errorf("%v, want a fix", got)
	}
}

// findingsWith returns what a rule finds in a document.
func findingsWith(t *testing.T, id, text string, opt audit.Options) (list rule.Findings) {
	t.Helper()
	d, err := webcapturetest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	opt.Rules = audit.Select(id)
	rep, err := audit.Bytes("x.pdf", d.Bytes(webcapturetest.Layout{}), opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range rep.Findings.All() {
		list = append(list, f)
	}
	return list
}

// TestProofsOfIDs: the data of an image come before what sources have for its URL.
func TestProofsOfIDs(t *testing.T) {
	image := md5.Sum([]byte("x"))
	file := md5.Sum([]byte("file"))
	set := func(key [16]byte, subtype, member string) string {
		return fmt.Sprintf("names: << /IDS << /Names [ <%x> 5 0 R ] >> >>\n"+
			"5 0 obj << /S /%s /ID <b0b1b2b3b4b5b6b7b8b9babbbcbdbebf> /O [ 6 0 R ] /SI << /AU (http://a/) >> >>\n"+
			"6 0 obj << %s", key, subtype, member)
	}
	const page, jpeg = "/Type /Page >>\n", "/Subtype /Image /Filter /DCTDecode >> stream\nx\nendstream\n"
	for name, row := range map[string]struct{ text, want string }{
		"an image":                  {set(image, "SIS", jpeg), "the MD5 of its image proves the key"},
		"another file than its own": {set(file, "SIS", jpeg), "no evidence decides"},
		"a page":                    {set(file, "SPS", page), "the file that sources have for its URL proves the key"},
		"another page":              {set(image, "SPS", page), "no evidence decides"},
	} {
		t.Run(name, func(t *testing.T) {
			got := findingsWith(t, "WC302", row.text, audit.Options{Source: memory{reply("http://a/", "text/plain", "file")}})
			if len(got) != 1 || !strings.Contains(got[0].Message, row.want) {
				t.Errorf("%v, want %q", got, row.want)
			}
		})
	}
}

// TestProofsCastDoubt: if sources prove a key against a content set and its member, agreement proves nothing elsewhere.
func TestProofsCastDoubt(t *testing.T) {
	const doubt = "a proof shows that some content set and its members agree on a wrong ID"
	set := func(n int, id, member string) string {
		return fmt.Sprintf("%d 0 obj << /S /SPS /ID <%s> /O [ %d 0 R ] /SI << /AU (http://%d/) >> >>\n"+
			"%[3]d 0 obj << /Type /Page %[5]s >>\n", n, id, n+1, n, member)
	}
	const b, c = "b0b1b2b3b4b5b6b7b8b9babbbcbdbebf", "c0c1c2c3c4c5c6c7c8c9cacbcccdcecf"
	for name, row := range map[string]struct {
		member string // of the content set whose key is proven
		doubts bool
	}{"with its member": {"/ID <" + b + ">", true}, "without": {"", false}} {
		t.Run(name, func(t *testing.T) {
			text := fmt.Sprintf("names: << /IDS << /Names [ <%x> 5 0 R <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 7 0 R ] >> >>\n",
				md5.Sum([]byte("file"))) +
				set(5, b, row.member) + set(7, c, "/ID <"+c+">")
			got := findingsWith(t, "WC302", text, audit.Options{Source: memory{reply("http://5/", "text/plain", "file")}})
			if len(got) != 2 || strings.Contains(fmt.Sprint(got), doubt) != row.doubts {
				t.Errorf("%v, want doubt: %t", got, row.doubts)
			}
		})
	}
}

// TestSourcesTellTheOldestForm: of a key, a URL, and the bytes of both, the one that sources have is the right key.
func TestSourcesTellTheOldestForm(t *testing.T) {
	const key, url, bytes = "http://b/\u2021\u20ac", "http://b/\u0082\u00a0", "http://b/\x82\xa0"
	hex := webcapturetest.Hex[string]
	text := "names: << /URLS << /Names [ " + hex(key) +
		" 5 0 R ] >> >>\n5 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> /O [ ] /SI << /AU " + hex(url) + " >> >>\n"
	failed := reply(bytes, "text/html", "x")
	failed.Failed = true
	for name, row := range map[string]struct {
		has  memory
		want string // the new key; empty if the key stays
	}{
		"the key":               {memory{reply(key, "text/html", "x")}, ""},
		"the URL":               {memory{reply(url, "text/html", "x")}, url},
		"the bytes":             {memory{reply(bytes, "text/html", "x")}, bytes},
		"two of them":           {memory{reply(url, "text/html", "x"), reply(bytes, "text/html", "x")}, ""},
		"an error response":     {memory{failed}, ""},
		"a redirect":            {memory{{URL: bytes, Redirect: "/"}}, ""},
		"an error and the URL":  {memory{failed, reply(url, "text/html", "x")}, url},
		"an error, then a page": {memory{failed, reply(bytes, "text/html", "x")}, bytes},
	} {
		t.Run(name, func(t *testing.T) {
			list := findingsWith(t, "WC221", text, audit.Options{Source: row.has})
			if len(list) != 1 {
				t.Fatalf("%v, want one finding", list)
			}
			got := ""
			if fix := list[0].Fix; fix != nil {
				got = string(fix.New)
			}
			if got != row.want {
				t.Errorf("%v, want the key %q", list, row.want)
			}
			if isKey := len(row.has) == 1 && row.has[0].URL == key; isKey !=
				strings.Contains(list[0].Message, "sources have only the key") {
				t.Errorf("message %q", list[0].Message)
			}
		})
	}
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
