package page_test

import (
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/page"
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
		list = append(list, page.File{ID: sum(d), Where: fmt.Sprintf("%s %d", url, i),
			Data: func() ([]byte, error) { return []byte(d), nil }})
	}
	return list
}

// finder returns a function for New that yields what find returns.
func finder(find func(url string) []page.File) func(string) iter.Seq[page.File] {
	return func(url string) iter.Seq[page.File] { return slices.Values(find(url)) }
}

func reading(t *testing.T, name string) page.Reading {
	t.Helper()
	r, ok := page.ParseReading(name)
	if !ok {
		t.Fatalf("there is no reading %q", name)
	}
	return r
}

func TestWorkedExample(t *testing.T) {
	for _, f := range []struct{ reading, want string }{
		{"images, raw", "335139d6a61eb935fd2a05a9d36de6fe"},
		{"images, lower hex", "f589dfda69ecf52dc33b8c9dd5d8ee22"},
		{"images, upper hex", "94dc012cf858d57fcf13389936fb6498"},
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
	c := p.Compute(reading(t, "images, lower hex"))
	pieces := []page.Piece{
		{URL: site + "p.html", ID: sum(example), Bytes: int64(len(example))},
		{URL: site + "a.gif", Where: site + "a.gif 0", Kind: page.Image, ID: sum(gifA), Bytes: 32},
	}
	if !slices.Equal(c.Pieces, pieces) {
		t.Errorf("pieces %v, want %v", c.Pieces, pieces)
	}
	if want := []page.Reference{{URL: site + "b.gif", Kind: page.Image}}; !slices.Equal(c.Missing, want) {
		t.Errorf("missing %v, want %v", c.Missing, want)
	}
	a := sum(gifA)
	if want := sum(example + hex.EncodeToString(a[:])); c.ID != want {
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
		"source alone":                    "",
		"images, raw":                     raw("A") + raw("S"),
		"images and styles, raw":          raw("S") + raw("A"),
		"images and frames, raw":          raw("A") + raw("F") + raw("S"),
		"images, styles and scripts, raw": raw("J") + raw("S") + raw("A"),
		"everything, raw":                 raw("I") + raw("J") + raw("S") + raw("A") + raw("F"),
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

func TestNested(t *testing.T) {
	const (
		src   = `<link rel=stylesheet href=c/s><img src=a><iframe src=f></iframe>`
		sheet = `@import "t"; p { background: url(../b) }`
		inner = `p { background: url(x) }`
		frame = `<img src=b><img src=gone><iframe src=g></iframe>`
	)
	p := page.New([]byte(src), "text/html", site,
		files{"c/s": sheet, "c/t": inner, "a": "A", "b": "B", "c/x": "X", "f": frame, "g": "plain"}.find)
	upper := func(s string) string { return strings.ToUpper(hex.EncodeToString([]byte(s))) }
	for _, f := range []struct{ name, want string }{
		{"images and styles, raw, nested", src + raw(sheet+raw(inner+raw("X"))+raw("B")) + raw("A")},
		{"images and frames, raw, nested", src + raw("A") + raw(frame+raw("B")+raw("plain"))},
		{"images and styles, upper hex, nested",
			src + upper(raw(sheet+upper(raw(inner+upper(raw("X"))))+upper(raw("B")))) + upper(raw("A"))},
		{"everything, raw, nested", src + raw(sheet+raw(inner+raw("X"))+raw("B")) + raw("A") +
			raw(frame+raw("B")+raw("plain"))},
		{"images and styles, raw", src + raw(sheet) + raw("A")},
	} {
		t.Run(f.name, func(t *testing.T) {
			if got := p.Compute(reading(t, f.name)).ID; got != sum(f.want) {
				t.Errorf("%s: %v, want %v", f.name, got, sum(f.want))
			}
			if c, ok := p.Match(sum(f.want)); !ok || c.Reading.String() != f.name {
				t.Errorf("Match = %v, %t, want %s", c.Reading, ok, f.name)
			}
		})
	}
}

// TestNestedCycles: a file that is nested in itself counts there by its own MD5.
func TestNestedCycles(t *testing.T) {
	r := reading(t, "images and frames, raw, nested")
	const self = `<frame src="/">`
	p := page.New([]byte(self), "text/html", site, files{"": self}.find)
	if got, want := p.Compute(r).ID, sum(self+raw(self)); got != want {
		t.Errorf("a page in itself: %v, want %v", got, want)
	}
	const src, f, g = `<frame src=f>`, `<frame src=g>`, `<frame src=f><img src=a>`
	p = page.New([]byte(src), "text/html", site, files{"f": f, "g": g, "a": "A"}.find)
	if got, want := p.Compute(r).ID, sum(src+raw(f+raw(g+raw(f)+raw("A")))); got != want {
		t.Errorf("frames in circles: %v, want %v", got, want)
	}
}

// TestPageInItselfIsSpelledInAnyWay: a page nested in itself is recognized for any spelling of its URL.
func TestPageInItselfIsSpelledInAnyWay(t *testing.T) {
	const self = `<frame src="/">`
	p := page.New([]byte(self), "text/html", "HTTP://H:80/", files{"": self}.find)
	c := p.Compute(reading(t, "images and frames, raw, nested"))
	if want := sum(self + raw(self)); c.ID != want || c.Pieces[0].URL != site {
		t.Errorf("%v of %s, want %v of %s", c.ID, c.Pieces[0].URL, want, site)
	}
}

// TestNestedDepth: eight nested frames count by composite identifiers, and the ninth by its own MD5.
func TestNestedDepth(t *testing.T) {
	all := files{"leaf": "<img src=a>", "a": "A"}
	frame := func(path string) string { return "<frame src=" + path + ">" }
	next := "leaf"
	for i := 12; i > 0; i-- {
		path := fmt.Sprint("f", i)
		all[path] = frame(next)
		next = path
	}
	entered := raw(all["f9"])
	for i := 8; i > 0; i-- {
		entered = raw(all[fmt.Sprint("f", i)] + entered)
	}
	src := frame("f1")
	got := page.New([]byte(src), "text/html", site, all.find).Compute(reading(t, "images and frames, raw, nested")).ID
	if want := sum(src + entered); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestNestedSiblings: the number of sibling frames does not count as depth.
func TestNestedSiblings(t *testing.T) {
	all := files{"a": "A"}
	var frames, entered strings.Builder
	for i := range 20 {
		path := fmt.Sprint("g", i)
		all[path] = fmt.Sprintf("<img src=a><p>%d", i)
		fmt.Fprintf(&frames, "<frame src=%s>", path)
		entered.WriteString(raw(all[path] + raw("A")))
	}
	all["f"] = frames.String()
	const src = "<frame src=f>"
	got := page.New([]byte(src), "text/html", site, all.find).Compute(reading(t, "images and frames, raw, nested")).ID
	if want := sum(src + raw(frames.String()+entered.String())); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestNestedByMediaType: the media type of a file decides whether it has references, not the kind of the reference to
// it. If the media type is unknown, only style sheets and frames have references.
func TestNestedByMediaType(t *testing.T) {
	const src, inner = "<frame src=f><img src=i>", "<img src=a>"
	for _, f := range []struct{ mediaType, entered string }{
		{"", raw(inner+raw("A")) + raw(inner)},
		{"text/html", raw(inner+raw("A")) + raw(inner+raw("A"))},
		{"text/plain", raw(inner) + raw(inner)},
	} {
		t.Run(f.mediaType, func(t *testing.T) {
			find := finder(func(url string) []page.File {
				list := files{"f": inner, "i": inner, "a": "A"}.list(url)
				for i := range list {
					list[i].MediaType = f.mediaType
				}
				return list
			})
			got := page.New([]byte(src), "text/html", site, find).Compute(reading(t, "images and frames, raw, nested")).ID
			if want := sum(src + f.entered); got != want {
				t.Errorf("files of type %q: %v, want %v", f.mediaType, got, want)
			}
		})
	}
}

// TestNestedFilesAreReadOnce: a file is read once for all readings, and never if its type has no references.
func TestNestedFilesAreReadOnce(t *testing.T) {
	reads := map[string]int{}
	find := finder(func(url string) []page.File {
		list := files{"f": "<img src=a><frame src=g>", "g": "<img src=a>", "a": "A"}.list(url)
		for i, f := range list {
			list[i].Data = func() ([]byte, error) { reads[strings.TrimPrefix(url, site)]++; return f.Data() }
		}
		return list
	})
	page.New([]byte("<frame src=f><frame src=g><img src=a>"), "text/html", site, find).Match(sum("other"))
	if want := map[string]int{"f": 1, "g": 1}; !reflect.DeepEqual(reads, want) {
		t.Errorf("reads %v, want %v", reads, want)
	}
}

// TestManyFrames: frames beyond the limit count by their own MD5 and are not read.
func TestManyFrames(t *testing.T) {
	var src, entered strings.Builder
	for i := range 1200 {
		fmt.Fprintf(&src, "<frame src=%d>", i)
	}
	reads := 0
	find := finder(func(url string) []page.File {
		data := "<img src=a>" + url
		if url == site+"a" {
			return []page.File{{ID: sum("A")}}
		}
		return []page.File{{ID: sum(data), Data: func() ([]byte, error) { reads++; return []byte(data), nil }}}
	})
	for i := range 1200 {
		data := fmt.Sprintf("<img src=a>%s%d", site, i)
		if i < 1000 {
			data += raw("A")
		}
		entered.WriteString(raw(data))
	}
	p := page.New([]byte(src.String()), "text/html", site, find)
	got := p.Compute(reading(t, "images and frames, raw, nested")).ID
	if want := sum(src.String() + entered.String()); got != want || reads != 1000 {
		t.Errorf("%v, %d reads, want %v and 1000", got, reads, want)
	}
}

// TestNestedBounds: the work for nested frames is limited, for deep and for many frames.
func TestNestedBounds(t *testing.T) {
	r := reading(t, "images and frames, raw, nested")
	reads := 0
	endless := finder(func(url string) []page.File {
		data := fmt.Sprintf("<frame src=%sx><frame src=%sy>", url, url)
		return []page.File{{ID: sum(data), Data: func() ([]byte, error) { reads++; return []byte(data), nil }}}
	})
	p := page.New([]byte("<frame src=a><frame src=b>"), "text/html", site, endless)
	p.Compute(r)
	if reads == 0 || reads > 1000 {
		t.Errorf("%d files were read, want some, at most 1000", reads)
	}
	many := 400
	if os.Getenv("WEBCAP_TEST_ALL") == "" {
		many = 100
	}
	dense := finder(func(url string) []page.File { // each file has all files as frames
		var b strings.Builder
		for i := range many {
			fmt.Fprintf(&b, "<frame src=%d>", i)
		}
		data := b.String() + url
		return []page.File{{ID: sum(data), Data: func() ([]byte, error) { return []byte(data), nil }}}
	})
	all, _ := slices.Collect(dense(site))[0].Data()
	p = page.New(all, "text/html", site, dense)
	if again := page.New(all, "text/html", site, dense); p.Compute(r).ID != again.Compute(r).ID {
		t.Error("bounds are not the same each time")
	}
}

func TestNestedWithoutData(t *testing.T) {
	r := reading(t, "images and frames, raw, nested")
	const src = `<frame src=f>`
	for name, data := range map[string]func() ([]byte, error){
		"none":   nil,
		"broken": func() ([]byte, error) { return nil, errors.New("gone") },
	} {
		t.Run(name, func(t *testing.T) {
			find := finder(func(string) []page.File { return []page.File{{ID: sum("F"), Data: data}} })
			if got, want := page.New([]byte(src), "text/html", site, find).Compute(r).ID, sum(src+raw("F")); got != want {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
			const frame = "<frame src=g>"
			inFrame := finder(func(url string) []page.File {
				if url == site+"f" {
					return files{"f": frame}.list(url)
				}
				return slices.Collect(find(url))
			})
			if got, want := page.New([]byte(src), "text/html", site, inFrame).Compute(r).ID,
				sum(src+raw(frame+raw("F"))); got != want {
				t.Errorf("%s, in a frame: %v, want %v", name, got, want)
			}
		})
	}
}

func TestAlternatives(t *testing.T) {
	const src = `<img src=a><img src=b><img src=c>`
	p := page.New([]byte(src), "text/html", site, files{"a": "A0|A1|A2|A0", "b": "B0|B1", "c": "C0"}.find)
	if got, want := p.Compute(page.Readings()[0]).ID, sum(src+raw("A0")+raw("B0")+raw("C0")); got != want {
		t.Errorf("Compute = %v, want that with the first ones, %v", got, want)
	}
	for _, a := range []string{"A0", "A1", "A2"} {
		t.Run(a, func(t *testing.T) {
			for _, b := range []string{"B0", "B1"} {
				c, ok := p.Match(sum(src + raw(a) + raw(b) + raw("C0")))
				if !ok || c.Pieces[1].ID != sum(a) || c.Pieces[2].ID != sum(b) || c.Pieces[2].Where != site+"b "+b[1:] {
					t.Errorf("Match of %s and %s = %v, %t", a, b, c.Pieces, ok)
				}
			}
		})
	}
	if c, ok := p.Match(sum("other")); ok {
		t.Errorf("Match of what nothing gives = %v", c)
	}
}

// TestFailedFiles: Compute does not count an error response, because the client showed no image. Match also tries
// combinations in which it counts.
func TestFailedFiles(t *testing.T) {
	const src = `<img src=a><img src=gone><link rel=stylesheet href=s><img src=once>`
	const css = `p { background: url(gone) }`
	all := files{"a": "A", "s": css, "gone": "404 page", "once": "404 page|O"}
	p := page.New([]byte(src), "text/html", site, finder(func(url string) []page.File {
		list := all.list(url)
		for i := range list {
			data, _ := list[i].Data()
			list[i].Failed = string(data) == "404 page"
		}
		return list
	}))
	c := p.Compute(page.Readings()[0])
	if c.ID != sum(src+raw("A")+raw("O")) || len(c.Pieces) != 3 || len(c.Missing) != 1 ||
		c.Missing[0].URL != site+"gone" {
		t.Errorf("Compute = %+v, want that without what failed", c)
	}
	for name, f := range map[string]struct {
		reading, entered string
		missing          int
	}{
		"none":       {"images, raw", raw("A") + raw("O"), 1},
		"both":       {"images, raw", raw("A") + raw("404 page") + raw("404 page"), 0},
		"one":        {"images, raw", raw("A") + raw("404 page") + raw("O"), 0},
		"never":      {"images, raw", raw("A"), 2},
		"not nested": {"images and styles, raw, nested", raw("A") + raw(css) + raw("O"), 1},
	} {
		t.Run(name, func(t *testing.T) {
			if f.reading != "images, raw" {
				if got, want := p.Compute(reading(t, f.reading)).ID, sum(src+f.entered); got != want {
					t.Errorf("%s: %v, want %v", name, got, want)
				}
				return
			}
			if c, ok := p.Match(sum(src + f.entered)); !ok || c.Reading.String() != f.reading ||
				len(c.Missing) != f.missing {
				t.Errorf("%s: Match = %v, %t, %d missing, want %s, %d", name, c.Reading, ok, len(c.Missing), f.reading,
					f.missing)
			}
		})
	}
	if c, ok := p.Match(sum("other")); ok || len(c.Missing) != 1 {
		t.Errorf("Match of what nothing gives = %+v, %t, want one file missing", c, ok)
	}
}

// TestManyAlternatives: of too many combinations, the likely ones are tried.
func TestManyAlternatives(t *testing.T) {
	var src strings.Builder
	all := files{}
	for i := range 100 {
		fmt.Fprintf(&src, "<img src=%d>", i)
		all[fmt.Sprint(i)] = fmt.Sprintf("%d-0|%d-1|%d-2", i, i, i)
	}
	p := page.New([]byte(src.String()), "text/html", site, all.find)
	with := func(choice func(i int) int) digest.ID {
		s := src.String()
		for i := range 100 {
			s += raw(fmt.Sprintf("%d-%d", i, choice(i)))
		}
		return sum(s)
	}
	for name, choice := range map[string]func(int) int{
		"all second":  func(int) int { return 1 },
		"all last":    func(int) int { return 2 },
		"one differs": func(i int) int { return map[int]int{99: 2}[i] },
	} {
		t.Run(name, func(t *testing.T) {
			if _, ok := p.Match(with(choice)); !ok {
				t.Errorf("%s: no match", name)
			}
		})
	}
	if _, ok := p.Match(with(func(i int) int { return i % 3 })); ok {
		t.Error("what takes 3^100 tries was found")
	}
}

func TestEach(t *testing.T) {
	for _, f := range []struct {
		src  string
		want []string
	}{
		{"text", []string{"images, raw"}},
		{`<img src=a>`, []string{"images, raw", "images, lower hex", "images, upper hex", "source alone"}},
		{`<frame src=a>`, []string{"images, raw", "images and frames, raw", "images and frames, lower hex",
			"images and frames, upper hex"}},
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

func TestGiven(t *testing.T) {
	a, b := page.File{ID: sum(gifA), Where: "a.gif"}, page.File{ID: sum(gifB), Where: "b.gif"}
	p := page.Given([]byte(example), []page.File{a, b, a})
	var got []string
	for _, c := range p.Each() {
		got = append(got, c.ID.String()+" "+c.Reading.String())
	}
	want := []string{"335139d6a61eb935fd2a05a9d36de6fe raw", "f589dfda69ecf52dc33b8c9dd5d8ee22 lower hex",
		"94dc012cf858d57fcf13389936fb6498 upper hex"}
	if !slices.Equal(got, want) {
		t.Errorf("Each = %q, want %q", got, want)
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
	seen := map[string]bool{}
	for _, r := range page.Readings() {
		name := r.String()
		if back, ok := page.ParseReading(name); !ok || back != r || seen[name] {
			t.Errorf("ParseReading(%q) = %v, %t, seen before: %t", name, back, ok, seen[name])
		}
		seen[name] = true
	}
	for _, name := range []string{"images", "", "images, raw, nested"} {
		t.Run(name, func(t *testing.T) {
			if r, ok := page.ParseReading(name); ok {
				t.Errorf("ParseReading(%q) = %v, want no reading", name, r)
			}
		})
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
		{"text and title, as stored, collapsed", "T &amp; U caf\xe9 &lt;b&gt; end"},
		{"text and title, decoded", "T & U\ncafé  <b>\nend "},
		{"text and title, decoded, collapsed", "T & U café <b> end"},
		{"text, as stored", "\r\ncaf\xe9  &lt;b&gt;\nend "},
		{"text, as stored, collapsed", "caf\xe9 &lt;b&gt; end"},
		{"text, decoded", "\ncafé  <b>\nend "},
		{"text, decoded, collapsed", "café <b> end"},
		{"all between tags, as stored", "T &amp; Up {}\r\ncaf\xe9  &lt;b&gt;\nx()end "},
		{"all between tags, as stored, collapsed", "T &amp; Up {} caf\xe9 &lt;b&gt; x()end"},
		{"all between tags, decoded", "T & Up {}\ncafé  <b>\nx()end "},
		{"all between tags, decoded, collapsed", "T & Up {} café <b> x()end"},
	} {
		t.Run(f.reading, func(t *testing.T) {
			r, ok := page.ParseTextReading(f.reading)
			if !ok {
				t.Fatalf("there is no reading %q", f.reading)
			}
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
	if n := len(page.TextReadings()); n != 12 {
		t.Errorf("%d readings, want 12, as above", n)
	}
}

// TestTextOfOtherMarkup: self-closing elements are empty and CDATA is text in XML, but not in HTML. The content of
// noscript is markup.
func TestTextOfOtherMarkup(t *testing.T) {
	for _, f := range []struct{ name, mediaType, reading, src, want string }{
		{"empty script in XML", "application/xhtml+xml", "text, as stored", "<script src='a'/>b<title>c</title>d",
			"bd"},
		{"empty title in XML", "application/xhtml+xml", "text, as stored", "<title/>b", "b"},
		{"CDATA", "application/xhtml+xml", "text, decoded", "a<![CDATA[<b> > c]]>d", "a<b> > cd"},
		{"empty title in HTML is not empty", "text/html", "text, as stored", "a<title/>b</title>c", "ac"},
		{"CDATA is a comment in HTML", "text/html", "text, decoded", "a<![CDATA[<b> > c]]>d", "a > c]]>d"},
		{"noscript", "text/html", "text, as stored", "<noscript>a<b>c</b></noscript>d", "acd"},
	} {
		t.Run(f.name, func(t *testing.T) {
			r, _ := page.ParseTextReading(f.reading)
			if got := page.Text([]byte(f.src), f.mediaType, r); got != sum(f.want) {
				t.Errorf("%s: %v, want %v, that of %q", f.name, got, sum(f.want), f.want)
			}
		})
	}
}

func TestTextOfPlainText(t *testing.T) {
	const src = "<p>\xe9 &amp;\n"
	stored, _ := page.ParseTextReading("text, as stored")
	if got := page.Text([]byte(src), "text/plain", stored); got != sum(src) {
		t.Errorf("as stored: %v, want %v", got, sum(src))
	}
	decoded, _ := page.ParseTextReading("text, decoded, collapsed")
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
	id, _ := digest.Parse("d380696f72b24a625332e7f22b15cfc2")
	c, ok := p.Match(id)
	fmt.Println(c.Reading, ok)
	// Output: images, lower hex true
}
