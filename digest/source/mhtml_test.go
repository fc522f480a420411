package source

import (
	"bytes"
	"encoding/base64"
	"fmt"
	mimemultipart "mime/multipart"
	"mime/quotedprintable"
	"net/textproto"
	"os"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// makeMHTML writes site as an MHTML file with the standard library. Each part has another transfer coding.
func makeMHTML(t testing.TB, dir string) string {
	var b bytes.Buffer
	w := mimemultipart.NewWriter(&b)
	header := fmt.Sprintf("From: <someone@h.example>\r\nDate: Mon, 06 May 2024 07:08:09 +0200\r\nMIME-Version: "+
		"1.0\r\nContent-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=%q\r\n\r\nA "+
		"preamble.\r\n", w.Boundary())
	for i, p := range site {
		coding := []string{"8bit", "base64", "quoted-printable", "binary", ""}[i]
		part, err := w.CreatePart(textproto.MIMEHeader{"Content-Location": {p.url}, "Content-Type": {p.mediaType},
			"Content-Transfer-Encoding": {coding}})
		if err != nil {
			t.Fatal(err)
		}
		switch coding {
		case "base64":
			text := base64.StdEncoding.EncodeToString([]byte(p.body))
			for len(text) > 76 {
				fmt.Fprintf(part, "%s\r\n", text[:76])
				text = text[76:]
			}
			fmt.Fprintf(part, "%s\r\n", text)
		case "quoted-printable":
			q := quotedprintable.NewWriter(part)
			fmt.Fprint(q, p.body)
			q.Close()
		default:
			fmt.Fprint(part, p.body)
		}
	}
	w.Close()
	return sourcetest.WriteFile(t, header+b.String(), dir, "site.mhtml")
}

func crlf(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }

// In a page that Chrome saved, HTML is uncertain, because Chrome rewrites it. Images are not.
func TestMHTMLOfBrowser(t *testing.T) {
	for _, data := range []string{sourcetest.BlinkPage, crlf(sourcetest.BlinkPage)} {
		t.Run(data, func(t *testing.T) {
			s := opened(t, MHTML, sourcetest.WriteFile(t, data, t.TempDir(), "x"))
			eol := "\n"
			if data != sourcetest.BlinkPage {
				eol = "\r\n"
			}
			page := `<!DOCTYPE html><img src="a.png"><iframe src="cid:frame-2@mhtml.blink"></iframe>`
			c := sourcetest.LookupOne(t, s, "http://h/page")
			if c.Doubt == "" || c.Time.Format("2006-01-02 15:04") != "2024-05-06 07:08" {
				t.Errorf("%+v", c)
			}
			sourcetest.Equal(t, "page", sourcetest.ReadForms(c), []string{fmt.Sprintf("stored %q", page+eol+"end")})
			c = sourcetest.LookupOne(t, s, "http://h/a.png")
			if c.Doubt != "" || c.MediaType != "image/png" {
				t.Errorf("%+v", c)
			}
			sourcetest.Equal(t, "image", sourcetest.ReadForms(c), []string{`stored "\x89PNG"`})
			sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{"1 × a part without Content-Location"})
			if got := s.Stats(); got.Kept != 2 {
				t.Errorf("Stats() = %+v", got)
			}
		})
	}
}

const multipart = `MIME-Version: 1.0
Content-Location: http://h/dir/
Content-Type: multipart/related; boundary="out"

--out
Content-Type: image/gif
Content-Location: http://h/a
 /very/long
	/name.gif
Content-Transfer-Encoding: binary

GIF

--out
Content-Location: rel

--other
two lines
--out
Content-Type: text/plain

nameless
--out
Content-Type: multipart/alternative; boundary=in

--in
Content-Location: inner

lost
--in--
--out  
Content-Transfer-Encoding: uuencode
Content-Location: http://h/uu

x
--out--
not a part
--out
Content-Location: http://h/dead

dead
`

func TestMHTMLParts(t *testing.T) {
	s := opened(t, MHTML, sourcetest.WriteFile(t, crlf(multipart), t.TempDir(), "x"))
	for _, row := range []struct{ url, data string }{
		{"http://h/a/very/long/name.gif", "GIF\r\n"},
		{"http://h/dir/rel", "--other\r\ntwo lines"},
	} {
		t.Run(row.url, func(t *testing.T) {
			if got := sourcetest.MustRead(t, sourcetest.LookupOne(t, s, row.url)); got != row.data {
				t.Errorf("%q, want %q", got, row.data)
			}
		})
	}
	if r, err := sourcetest.ReadAll(sourcetest.LookupOne(t, s, "http://h/uu")); err == nil ||
		!strings.Contains(err.Error(), "uuencode") {
		t.Errorf("%v, %v", r, err)
	}
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s),
		[]string{"1 × a multipart in a multipart", "1 × a part without Content-Location"})
	if !s.Stats().Lost {
		t.Error("the parts in a multipart are not lost")
	}
	for _, url := range []string{"http://h/dead", "http://h/dir/inner"} {
		if list := sourcetest.Lookup(t, s, url); len(list) > 0 {
			t.Errorf("%s is found", url)
		}
	}
}

// The parts of a message that is cut off are still found.
func TestMHTMLDamaged(t *testing.T) {
	const (
		nameless = "1 × a part without Content-Location"
		open     = "1 × a part without a closing boundary"
	)
	for _, row := range []struct {
		upTo  string
		kept  int
		skips []string
	}{
		{"iVBO\n", 2, []string{nameless, open}},
		{"image/png\n", 1, []string{"1 × a part whose header does not end", nameless, open}},
		{"</iframe>\nend\n------Mul", 1, []string{open}},
		{"inner\n------MultipartBoundary--x----", 1, []string{"1 × a part whose header does not end", nameless, open}},
	} {
		t.Run(row.upTo, func(t *testing.T) {
			s := opened(t, MHTML, sourcetest.WriteFile(t,
				sourcetest.BlinkPage[:strings.Index(sourcetest.BlinkPage, row.upTo)+len(row.upTo)], t.TempDir(), "x"))
			if got := s.Stats(); got.Kept != row.kept {
				t.Errorf("up to %q: %+v, want %d kept", row.upTo, got, row.kept)
			}
			sourcetest.Equal(t, "up to "+row.upTo, sourcetest.SkipList(s), row.skips)
			sourcetest.LookupOne(t, s, "http://h/page")
		})
	}
	s := opened(t, MHTML, sourcetest.WriteFile(t,
		strings.TrimSuffix(sourcetest.BlinkPage, "\n------MultipartBoundary--x------\nAn epilogue.\n"), t.TempDir(),
		"x"))
	c := sourcetest.LookupOne(t, s, "http://h/a.png")
	if !s.Stats().Lost {
		t.Error("the source does not count as incomplete")
	}
	sourcetest.Equal(t, "what is there", sourcetest.ReadForms(c), []string{`stored "\x89PNG"`})
}

// Boundaries are found even if they cross the end of a read buffer.
func TestMHTMLLongLines(t *testing.T) {
	for size := 1<<16 - 150; size < 1<<16+20; size++ {
		body := strings.Repeat("x", size) + "--b"
		s := opened(t, MHTML, sourcetest.WriteFile(t,
			"Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Location: http://h/\r\n\r\n"+body+
				"\r\n--b--\r\n", t.TempDir(), "x"))
		if got := sourcetest.MustRead(t, sourcetest.LookupOne(t, s, "http://h/")); got != body {
			t.Fatalf("%d bytes of %d", len(got), size)
		}
	}
}

// The body of a part is exact, even if it is empty or consists of line ends.
func TestMHTMLShortParts(t *testing.T) {
	for _, eol := range []string{"\n", "\r\n"} {
		t.Run(eol, func(t *testing.T) {
			for _, body := range []string{"", "\n", "\r", "\n\n", "\r\n", "x\n", "\rx\r\n"} {
				var data strings.Builder
				data.WriteString("Content-Type: multipart/related; boundary=b" + eol + eol)
				for i := range 3 {
					fmt.Fprintf(&data, "--b%sContent-Location: http://h/%d%s%s%s%s", eol, i, eol, eol, body, eol)
				}
				data.WriteString("--b--" + eol)
				s := opened(t, MHTML, sourcetest.WriteFile(t, data.String(), t.TempDir(), "x"))
				want := body
				if eol == "\n" {
					want = strings.TrimSuffix(body, "\r") // it belongs to the line end
				}
				for i := range 3 {
					if got := sourcetest.MustReadStored(t,
						sourcetest.LookupOne(t, s, fmt.Sprintf("http://h/%d", i))); got != want {
						t.Errorf("part %d is %q, want %q (lines end in %q)", i, got, want, eol)
					}
				}
			}
		})
	}
}

// Browsers rewrite HTML and style sheets, so these are uncertain.
func TestMHTMLRewrittenParts(t *testing.T) {
	data := "From: <Saved by WebKit>\nDate: Mon, 6 May 2024 07:08:09 +0000\nContent-Type: multipart/related; " +
		"boundary=b\nContent-Location: http://h/page\n\n"
	part := func(header, body string) string { return "--b\n" + header + "\n\n" + body + "\n" }
	data += part("Content-Type: application/xhtml+xml\nContent-Location: page", "root") +
		part("Content-Type: text/css\nContent-Location: a.css", "css") +
		part("Content-Type: image/png\nContent-Location: a.png\nContent-Transfer-Encoding: 7bit", "png") +
		part("Content-Type: text/plain", "no location") + "--b--\n"
	path := sourcetest.WriteFile(t, data, t.TempDir(), "x")
	s := opened(t, MHTML, path)
	for _, row := range []struct {
		url, body string
		uncertain bool
	}{{"http://h/page", "root", true}, {"http://h/a.css", "css", true}, {"http://h/a.png", "png", false}} {
		t.Run(row.url, func(t *testing.T) {
			c := sourcetest.LookupOne(t, s, row.url)
			if sourcetest.MustRead(t, c) != row.body || strings.HasPrefix(c.Doubt, "browsers") != row.uncertain ||
				c.Time.Day() != 6 {
				t.Errorf("%s: %+v", row.url, c)
			}
		})
	}
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s),
		[]string{"1 × a part without Content-Location"})
	if where := s.Stats().Skipped[0].First; where != fmt.Sprintf("%s, offset %d", path,
		strings.Index(data, "Content-Type: text/plain")) {
		t.Errorf("the part without a name is at %s", where)
	}
}

func FuzzMHTML(f *testing.F) {
	dir := f.TempDir()
	data, err := os.ReadFile(makeMHTML(f, dir))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data[:1000])
	f.Add([]byte(sourcetest.BlinkPage))
	f.Add([]byte(crlf(multipart)))
	f.Fuzz(func(t *testing.T, data []byte) { hostile(t, MHTML, dir, data) })
}
