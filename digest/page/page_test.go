package page_test

import (
	"crypto/md5"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/digest/source"
)

const (
	site    = "http://h/"
	example = `<html><img src="a.gif"><img src="b.gif"><img src="a.gif"></html>`
	gifA    = "GIF89a-A"
	gifB    = "GIF89a-B"
)

func sum(s string) digest.ID { return md5.Sum([]byte(s)) }

// raw returns the 16 bytes by which a file counts in the MD5 of a page.
func raw(s string) string { id := sum(s); return string(id[:]) }

// files maps paths below site to the data of files; "|" separates the alternatives for one path.
type files map[string]string

func (f files) find(url string) iter.Seq[page.File] { return slices.Values(f.list(url)) }

func (f files) list(url string) []page.File {
	data, ok := f[strings.TrimPrefix(url, site)]
	if !ok {
		return nil
	}
	var list []page.File
	for i, d := range strings.Split(data, "|") {
		list = append(list, page.File{ID: sum(d), Where: fmt.Sprintf("%s %d", url, i)})
	}
	return list
}

// finder returns a function for New that yields what find returns.
func finder(find func(url string) []page.File) func(string) iter.Seq[page.File] {
	return func(url string) iter.Seq[page.File] { return slices.Values(find(url)) }
}

func reading(t *testing.T, name string) page.Reading {
	t.Helper()
	return named(t, page.Readings(), name)
}

// named returns the reading with a name.
func named[R fmt.Stringer](t *testing.T, readings []R, name string) R {
	t.Helper()
	i := slices.IndexFunc(readings, func(r R) bool { return r.String() == name })
	if i < 0 {
		t.Fatalf("there is no reading %q", name)
	}
	return readings[i]
}

func TestWorkedExample(t *testing.T) {
	for _, f := range []struct{ reading, want string }{
		{"images, raw", "335139d6a61eb935fd2a05a9d36de6fe"},
		{"source alone", "a13c824b38f1766d563a555dafe7e766"},
	} {
		t.Run(f.reading, func(t *testing.T) {
			p := page.New([]byte(example), "text/html", site+"p.html", files{"a.gif": gifA, "b.gif": gifB}.find)
			if got := p.Compute(reading(t, f.reading)); got.ID.String() != f.want || len(got.Missing) != 0 {
				t.Errorf("Compute(%s) = %v, %v missing, want %s", f.reading, got.ID, got.Missing, f.want)
			}
			id, _ := digest.Parse(f.want)
			c, ok := p.Match(id)
			if !ok || c.Reading.String() != f.reading || c.ID != id {
				t.Errorf("Match(%s) = %v, %v, %t, want %s", f.want, c.ID, c.Reading, ok, f.reading)
			}
		})
	}
}

func TestPieces(t *testing.T) {
	p := page.New([]byte(example), "text/html", site+"p.html", files{"a.gif": gifA}.find)
	c := p.Compute(reading(t, "images, raw"))
	pieces := []page.Piece{
		{URL: site + "p.html", ID: sum(example), Bytes: int64(len(example))},
		{URL: site + "a.gif", Where: site + "a.gif 0", Kind: page.Image, ID: sum(gifA), Bytes: 16},
	}
	if !slices.Equal(c.Pieces, pieces) {
		t.Errorf("pieces %v, want %v", c.Pieces, pieces)
	}
	if want := []page.Reference{{URL: site + "b.gif", Kind: page.Image}}; !slices.Equal(c.Missing, want) {
		t.Errorf("missing %v, want %v", c.Missing, want)
	}
	if want := sum(example + raw(gifA)); c.ID != want {
		t.Errorf("ID %v, want %v", c.ID, want)
	}
}

// TestPiecesOnce: a file to which a page refers in two ways counts once.
func TestPiecesOnce(t *testing.T) {
	p := page.New([]byte(`<img src=a><script src=a></script>`), "text/html", site, files{"a": "A"}.find)
	if c := p.Compute(reading(t, "everything, raw")); len(c.Pieces) != 2 || c.Pieces[1].Kind != page.Image {
		t.Errorf("pieces %v, want the source and one image", c.Pieces)
	}
}

// TestSelections compares each selection of kinds with a result computed by hand.
func TestSelections(t *testing.T) {
	const src = `<link rel=icon href=i><script src=j></script><link rel=stylesheet href=s><img src=a><frame src=f>` +
		`<img src=s>`
	p := page.New([]byte(src), "text/html", site, files{"a": "A", "s": "S", "j": "J", "f": "F", "i": "I"}.find)
	for name, want := range map[string]string{
		"source alone":    "",
		"images, raw":     raw("A") + raw("S"),
		"everything, raw": raw("I") + raw("J") + raw("S") + raw("A") + raw("F"),
	} {
		t.Run(name, func(t *testing.T) {
			if got := p.Compute(reading(t, name)).ID; got != sum(src+want) {
				t.Errorf("%s: %v, want %v", name, got, sum(src+want))
			}
			if c, ok := p.Match(sum(src + want)); !ok || c.Reading.String() != name {
				t.Errorf("Match = %v, %t, want %s", c.Reading, ok, name)
			}
		})
	}
}

// TestOneFileForEachURL: the first certain file counts, else the first one. An error response does not count.
func TestOneFileForEachURL(t *testing.T) {
	failed := page.File{ID: sum("failed"), Capture: &source.Candidate{Status: 404}, Doubt: "status 404"}
	doubtful := page.File{ID: sum("doubtful"), Doubt: "a doubt"}
	other := page.File{ID: sum("other"), Doubt: "a doubt"}
	certain := page.File{ID: sum("certain"), Capture: &source.Candidate{Status: 200}}
	for want, list := range map[string][]page.File{
		"":         {failed},
		"certain":  {failed, doubtful, certain, other},
		"doubtful": {failed, doubtful, other},
	} {
		t.Run(want, func(t *testing.T) {
			const src = "<img src=a>"
			p := page.New([]byte(src), "text/html", site, finder(func(string) []page.File { return list }))
			data, missing := src, 1
			if want != "" {
				data, missing = src+raw(want), 0
			}
			if c := p.Compute(page.Readings()[0]); c.ID != sum(data) || len(c.Missing) != missing {
				t.Errorf("%+v", c)
			}
		})
	}
}

func TestEach(t *testing.T) {
	for _, f := range []struct {
		src  string
		want []string
	}{
		{"text", []string{"images, raw"}},
		{`<img src=a>`, []string{"images, raw", "source alone"}},
		{`<frame src=a>`, []string{"images, raw", "everything, raw"}},
	} {
		t.Run(f.src, func(t *testing.T) {
			var got []string
			for _, c := range page.New([]byte(f.src), "text/html", site, files{"a": "A"}.find).Each() {
				got = append(got, c.Reading.String())
			}
			if !slices.Equal(got, f.want) {
				t.Errorf("Each of %q: %q, want %q", f.src, got, f.want)
			}
		})
	}
}

// TestFilesAreFoundOnce: a file is searched once, and only if a reading needs it.
func TestFilesAreFoundOnce(t *testing.T) {
	var asked []string
	p := page.New([]byte(`<img src=a><script src=b></script>`), "text/html", site, finder(func(url string) []page.File {
		asked = append(asked, url)
		return nil
	}))
	p.Compute(page.Readings()[0])
	if want := []string{site + "a"}; !reflect.DeepEqual(asked, want) {
		t.Errorf("asked for %q, want %q", asked, want)
	}
	p.Match(sum(""))
	if want := []string{site + "a", site + "b"}; !reflect.DeepEqual(asked, want) {
		t.Errorf("asked for %q, want %q", asked, want)
	}
}

func TestReadingNames(t *testing.T) {
	if got, want := fmt.Sprint(page.Readings()), "[images, raw source alone everything, raw]"; got != want {
		t.Errorf("readings are %s, want %s", got, want)
	}
	if got, want := page.Kind(page.Image|page.Font).String()+"; "+page.Kind(0).String(),
		"image, font; source"; got != want {
		t.Errorf("kinds are %q, want %q", got, want)
	}
}

// TestText compares text identifiers with the MD5 of texts written by hand.
func TestText(t *testing.T) {
	const src = "<html><head><title>T &amp; U</title><style>p {}</style></head>\r\n<body><!-- no --><p>caf\xe9  " +
		"&lt;b&gt;\n<script>x()</script><p>end </body></html>"
	for _, f := range []struct{ reading, want string }{
		{"text and title, as stored", "T &amp; U\r\ncaf\xe9  &lt;b&gt;\nend "},
		{"text and title, decoded", "T & U\ncafé  <b>\nend "},
		{"text and title, decoded, collapsed", "T & U café <b> end"},
	} {
		t.Run(f.reading, func(t *testing.T) {
			r := named(t, page.TextReadings(), f.reading)
			const mediaType = "text/html; charset=iso-8859-1"
			if got, want := page.Text([]byte(src), mediaType, r), sum(f.want); got != want {
				t.Errorf("%s: %v, want %v", f.reading, got, want)
			}
			if got, ok := page.MatchText([]byte(src), mediaType, sum(f.want)); !ok || got != r {
				t.Errorf("MatchText = %v, %t, want %s", got, ok, f.reading)
			}
		})
	}
	if r, ok := page.MatchText([]byte(src), "text/html", sum("other")); ok {
		t.Errorf("MatchText of what nothing gives = %v", r)
	}
	if n := len(page.TextReadings()); n != 3 {
		t.Errorf("%d readings, want 3, as above", n)
	}
}

// TestTextOfOtherMarkup: self-closing elements are empty and CDATA is text in XML, but not in HTML. The content of
// noscript is markup.
func TestTextOfOtherMarkup(t *testing.T) {
	for _, f := range []struct{ name, mediaType, reading, src, want string }{
		{"empty script in XML", "application/xhtml+xml", "text and title, as stored",
			"<script src='a'/>b<style>c</style>d", "bd"},
		{"empty style in XML", "application/xhtml+xml", "text and title, as stored", "<style/>b", "b"},
		{"CDATA", "application/xhtml+xml", "text and title, decoded", "a<![CDATA[<b> > c]]>d", "a<b> > cd"},
		{"empty style in HTML is not empty", "text/html", "text and title, as stored", "a<style/>b</style>c", "ac"},
		{"CDATA is a comment in HTML", "text/html", "text and title, decoded", "a<![CDATA[<b> > c]]>d", "a > c]]>d"},
		{"noscript", "text/html", "text and title, as stored", "<noscript>a<b>c</b></noscript>d", "acd"},
	} {
		t.Run(f.name, func(t *testing.T) {
			r := named(t, page.TextReadings(), f.reading)
			if got := page.Text([]byte(f.src), f.mediaType, r); got != sum(f.want) {
				t.Errorf("%s: %v, want %v, that of %q", f.name, got, sum(f.want), f.want)
			}
		})
	}
}

func TestTextOfPlainText(t *testing.T) {
	const src = "<p>\xe9 &amp;\n"
	stored := named(t, page.TextReadings(), "text and title, as stored")
	if got := page.Text([]byte(src), "text/plain", stored); got != sum(src) {
		t.Errorf("as stored: %v, want %v", got, sum(src))
	}
	decoded := named(t, page.TextReadings(), "text and title, decoded, collapsed")
	if got, want := page.Text([]byte(src), "text/plain; charset=iso-8859-1", decoded), sum("<p>é &amp;"); got != want {
		t.Errorf("decoded: %v, want %v", got, want)
	}
}

func ExamplePage_Match() {
	find := finder(func(url string) []page.File {
		if url != "http://www.example.com/a.gif" {
			return nil
		}
		return []page.File{{ID: md5.Sum([]byte("GIF89a-A")), Where: "a.gif"}}
	})
	p := page.New([]byte(`<img src="a.gif">`), "text/html", "http://www.example.com/", find)
	id := sum(`<img src="a.gif">` + raw("GIF89a-A"))
	c, ok := p.Match(id)
	fmt.Println(c.Reading, ok)
	// Output: images, raw true
}
