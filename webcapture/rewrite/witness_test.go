package rewrite

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// isOtherThanUTF8 reports whether the octets of a URL are not UTF-8.
func isOtherThanUTF8(url string) bool { return !utf8.Valid(canon.Decode(nil, []byte(url))) }

// TestSourcesTellWhichURLIsOlder: where the key and the URL of a content set are two encodings of one string, the
// one that sources have is right. If they have none or both, the file decides.
func TestSourcesTellWhichURLIsOlder(t *testing.T) {
	const (
		latin, inUTF8   = "http://b/\xe9", "http://b/\u00e9"
		latin2, inUTF82 = "http://b/%E9", "http://b/%C3%A9" // as they are retrieved
		// A URL in Shift JIS, taken for PDFDocEncoding and for Latin-1.
		jis, asPDFDoc, asLatin = "http://b/\x82\xa0", "http://b/\u2021\u20ac", "http://b/\u0082\u00a0"
		jis2                   = "http://b/%82%A0"
		asPDFDoc2, asLatin2    = "http://b/%E2%80%A1%E2%82%AC", "http://b/%C2%82%C2%A0"
	)
	for name, c := range map[string]struct {
		key, url  string
		retrieved []string
		want      string // the key
		rule      string // what is found then; empty for nothing
		says      string // of what the step, or the finding that stays, says
	}{
		"the URL": {inUTF8, latin, []string{latin2}, latin, "",
			"in another encoding: sources have only the URL"},
		"the key, where the URL seems older": {inUTF8, latin, []string{inUTF82}, inUTF8, "WC221",
			"in another encoding: sources have only the key"},
		"both, and the URL seems older": {inUTF8, latin, []string{latin2, inUTF82}, latin, "",
			"treated as text and stored as UTF-8"},
		"neither, and the URL seems older": {inUTF8, latin, nil, latin, "", "treated as text and stored as UTF-8"},
		"the key that seems older": {latin, inUTF8, []string{latin2}, latin, "WC221",
			"sources have only the key"},
		"the URL, where the key seems older": {latin, inUTF8, []string{inUTF82}, inUTF8, "",
			"sources have only the URL"},
		"both, and the key seems older": {latin, inUTF8, []string{latin2, inUTF82}, latin, "WC221",
			"treated as text and stored as UTF-8"},
		"the URL, where nothing tells": {asPDFDoc, asLatin, []string{asLatin2}, asLatin, "",
			"sources have only the URL"},
		"the key, where nothing tells": {asPDFDoc, asLatin, []string{asPDFDoc2}, asPDFDoc, "WC221",
			"sources have only the key"},
		"what both are made of": {asPDFDoc, asLatin, []string{jis2}, jis, "WC221",
			"and only this is in the sources"},
		"the URL and what both are made of": {asPDFDoc, asLatin, []string{asLatin2, jis2}, asPDFDoc, "WC221",
			"the older one is unknown"},
		"neither, and nothing tells": {asPDFDoc, asLatin, []string{"http://b/", "http://a/%C2%82%C2%A0"},
			asPDFDoc, "WC221", "the older one is unknown"},
		"the URL that is not canonical": {"HTTP://B/\u00e9", "HTTP://B/\xe9", []string{latin2}, latin, "",
			"sources have only the URL"},
		"a URL alike, which is of another one": {asPDFDoc, asLatin, []string{asLatin2 + "/"}, asPDFDoc, "WC221",
			"the older one is unknown"},
	} {
		for _, kind := range []string{"warc.gz", "wacz", "har", "folder"} {
			t.Run(name+", "+kind, func(t *testing.T) {
				if kind == "folder" && runtime.GOOS == "windows" && slices.ContainsFunc(c.retrieved, isOtherThanUTF8) {
					t.Skip("no file has this name")
				}
				opt := Options{Witness: retrieved(t, kind, c.retrieved)}
				hex := webcapturetest.Hex[string]
				data := pdf(t, fmt.Sprintf("names: << /URLS << /Names [ (http://a/0) 20 0 R %s 21 0 R ] >> %s >>\n%s%s%s", hex(c.key), idsOfBoth, info, setA,
					strings.Replace(setB, "(http://a/0)", hex(c.url), 1)))
				p := planOf(t, data, opt)
				says := describe(p)
				for _, l := range p.Left {
					says += l.Finding.Message
				}
				for _, s := range p.Steps {
					says += s.Reason
				}
				if !strings.Contains(says, c.says) {
					t.Errorf("nothing says %q:\n%s", c.says, says)
				}
				out := carryOut(t, p)
				if got := keyOf(t, out, "21 0 R"); got != nametree.Key(c.want) {
					t.Errorf("the key is %v, expected %v", got, nametree.Key(c.want))
				}
				if again := planOf(t, out, opt); !again.Empty() {
					t.Errorf("left for a second time:\n%s", describe(again))
				}
				rep, err := audit.Bytes("x.pdf", out, audit.Options{Witness: opt.Witness, Rules: audit.Select("WC22")})
				if err != nil {
					t.Fatal(err)
				}
				var found []string
				for _, f := range rep.Findings.All() {
					found = append(found, f.Rule.ID)
				}
				if want := strings.Fields(c.rule); !slices.Equal(found, want) {
					t.Errorf("%v are found, want %v", found, want)
				}
			})
		}
	}
}

// TestSourcesTellOfWhatTheyHave: an error response or a redirect does not prove that a page came from a URL.
func TestSourcesTellOfWhatTheyHave(t *testing.T) {
	const asPDFDoc, asLatin = "http://b/\u2021\u20ac", "http://b/\u0082\u00a0"
	const asPDFDoc2, asLatin2 = "http://b/%E2%80%A1%E2%82%AC", "http://b/%C2%82%C2%A0"
	record := func(url, reply string) string {
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n"+
			"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, len(reply), reply)
	}
	const page, gone, moved = "HTTP/1.1 200 OK\r\n\r\na", "HTTP/1.1 404 Not Found\r\n\r\nno",
		"HTTP/1.1 301 Moved\r\nLocation: /x\r\n\r\n"
	for name, c := range map[string]struct{ warc, want string }{
		"the key is gone, the URL is there": {record(asPDFDoc2, gone) + record(asLatin2, page), asLatin},
		"the key leads elsewhere":           {record(asPDFDoc2, moved) + record(asLatin2, page), asLatin},
		"the URL is gone":                   {record(asLatin2, gone), asPDFDoc},
		"the URL leads elsewhere":           {record(asLatin2, moved), asPDFDoc},
		"the URL was gone once":             {record(asLatin2, gone) + record(asLatin2, page), asLatin},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.warc")
			if err := os.WriteFile(path, []byte(c.warc), 0o666); err != nil {
				t.Fatal(err)
			}
			src, err := source.Open("", path)
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			hex := webcapturetest.Hex[string]
			data := pdf(t, fmt.Sprintf("names: << /URLS << /Names [ (http://a/0) 20 0 R %s 21 0 R ] >> %s >>\n%s%s%s", hex(asPDFDoc), idsOfBoth, info, setA,
				strings.Replace(setB, "(http://a/0)", hex(asLatin), 1)))
			out := carryOut(t, planOf(t, data, Options{Witness: src}))
			if got := keyOf(t, out, "21 0 R"); got != nametree.Key(c.want) {
				t.Errorf("the key is %v, expected %v", got, nametree.Key(c.want))
			}
		})
	}
}

// retrieved returns a source of a kind that has URLs.
func retrieved(t *testing.T, kind string, urls []string) source.Source {
	t.Helper()
	list := []sourcetest.Resource{{URL: "http://c/", MediaType: "text/html", Body: []byte("c")}}
	for _, url := range urls {
		list = append(list, sourcetest.Resource{URL: url, MediaType: "text/html", Body: []byte(url)})
	}
	path, err := sourcetest.Write(t.TempDir(), kind, list)
	if err != nil {
		t.Fatal(err)
	}
	src, err := source.Open("", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { src.Close() })
	return src
}
