package mhtml

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// opened opens a message, and returns its path.
func opened(t testing.TB, data string) (s capture.Source, path string) {
	t.Helper()
	path = sourcetest.WriteFile(t, data, t.TempDir(), "x.mhtml")
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, path
}

// related returns a multipart with the boundary b. Each part has its header and its body.
func related(header string, parts ...string) string {
	return header + "Content-Type: multipart/related; boundary=b\n\n--b\n" + strings.Join(parts, "\n--b\n") + "\n--b--\n"
}

// The transfer coding of a part says in which forms its data exist, how large they are, and whether MHTML has kept
// them exactly.
func TestTransferCodings(t *testing.T) {
	const text, quoted = "as stored|lines ending in LF",
		"quoted-printable decoded|quoted-printable decoded, lines ending in LF"
	for coding, want := range map[string]string{
		"": "4 bytes, doubt: " + text, "7bit": "4 bytes, doubt: " + text, "8BIT": "4 bytes, doubt: " + text,
		"binary": "4 bytes: as stored", "base64": "-1 bytes: base64 decoded",
		"Base64 (a comment)": "-1 bytes: base64 decoded",
		"quoted-printable":   "-1 bytes, doubt: " + quoted, "uuencode": "4 bytes, doubt: as stored",
	} {
		t.Run(coding, func(t *testing.T) {
			data := related("", "Content-Location: http://h/a\nContent-Transfer-Encoding: "+coding+"\n\nYWJj")
			s, path := opened(t, data)
			c := sourcetest.LookupOne(t, s, "http://h/a")
			got := fmt.Sprintf("%d bytes", c.Size)
			if c.Doubt != nil {
				got += ", doubt"
			}
			var forms []string
			for _, b := range c.Bodies {
				forms = append(forms, b.Form)
			}
			if got += ": " + strings.Join(forms, "|"); got != want {
				t.Errorf("%s, want %s", got, want)
			}
			where := fmt.Sprintf("%s, offset %d", path, strings.Index(data, "YWJj"))
			if c.Where != where || c.Record != "MHTML part" || c.Doubt != nil && c.Doubt != errLineEnds {
				t.Errorf("%+v, want it at %s", c, where)
			}
			if got := s.Stats(); got.Files != 1 || got.Bytes != int64(len(data)) || got.Kept != 1 || got.Lost {
				t.Errorf("Stats() = %+v, want one part in %d bytes", got, len(data))
			}
		})
	}
}

// Only a CR before LF belongs to the end of a line.
func TestWithoutCR(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a\nb": "a\nb", "a\r\nb": "a\nb", "a\rb": "a\rb", "a\r": "a\r", "\r\r\n": "\r\n", "\r\n\r\n": "\n\n",
		"a\r\n": "a\n",
	} {
		t.Run(in, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in))} {
				got, err := io.ReadAll(&withoutCR{bufio.NewReader(r)})
				if string(got) != want || err != nil {
					t.Errorf("%q, %v, want %q", got, err, want)
				}
			}
		})
	}
}

// A part is found by the names in its header. Only a multipart with a boundary has parts of its own.
func TestNamesOfParts(t *testing.T) {
	s, _ := opened(t, related("Content-Location: http://h/page\n",
		"Content-Type: text/html\n\nroot",
		"Content-ID: <only@h>\n\nwith an ID",
		"Content-Location: text\nContent-Type: text/plain; boundary=c\n\n--c\nContent-Location: inner\n\nx",
		"Content-Location: mixed\nContent-Type: multipart/mixed\n\nwithout a boundary",
		"Content-Location: a/\n\nfolder", "Content-Location: a\n\nfirst", "Content-Location: a\n\nsecond"))
	for url, want := range map[string]string{
		"http://h/page": "root", "cid:only@h": "with an ID", "CID:only%40h": "with an ID",
		"http://h/text":  "--c\nContent-Location: inner\n\nx",
		"http://h/mixed": "without a boundary", "http://h/a": "first|second", "http://h/a/": "folder",
		"": "", "cid:": "", "http://h/inner": "",
	} {
		t.Run(url, func(t *testing.T) {
			var got []string
			for _, c := range sourcetest.Lookup(t, s, url) {
				got = append(got, sourcetest.MustRead(t, c.Bodies[0]))
			}
			if got := strings.Join(got, "|"); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	if c := sourcetest.LookupOne(t, s, "http://h/page"); c.URL != "http://h/page" {
		t.Errorf("the root has the URL %s, want that of the message", c.URL)
	}
	sourcetest.ExpectStops(t, "List", 7, s.(capture.Lister).List)
	sourcetest.ExpectStops(t, "Lookup", 2, s.Lookup("http://h/a"))
	sourcetest.ExpectStops(t, "LookupAlike", 1, s.LookupAlike("http://h/a"))
}

// The location of a part is in the first of several fields. Folded lines are joined, and encoded words are decoded if
// their charset is known.
func TestLocation(t *testing.T) {
	for _, row := range []struct {
		one, two string // values of the fields
		want     string
	}{
		{"http://h/1", "http://h/2", "http://h/1"}, {"", "http://h/2", "http://h/2"}, {"", "", ""},
		{"http://h/a /b\t/c", "", "http://h/a/b/c"}, {"=?utf-8?Q?http://h/=C3=A9?=", "", "http://h/é"},
		{"=?x-none?Q?http://h/?=", "", "=?x-none?Q?http://h/?="},
	} {
		t.Run(row.one+row.two, func(t *testing.T) {
			h := &body.Header{Fields: []body.Field{{Name: "One", Value: row.one}, {Name: "Two", Value: row.two}}}
			if got := location(h, "One", "Two"); got != row.want {
				t.Errorf("location() = %q, want %q", got, row.want)
			}
		})
	}
}

// A part whose header does not end hides the parts after it, so they count as lost. The parts before it are found.
func TestHeaderWithoutEnd(t *testing.T) {
	s, _ := opened(t, related("", "Content-Location: http://h/1\n\none",
		"Content-Location: http://h/2\nX: "+strings.Repeat("x", 1<<20)+"\n\ntwo", "Content-Location: http://h/3\n\nthree"))
	sourcetest.LookupOne(t, s, "http://h/1")
	if list := sourcetest.Lookup(t, s, "http://h/3"); len(list) > 0 {
		t.Errorf("found after the damage: %s", list[0].Where)
	}
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{"1 × a part whose header does not end"})
	if got := s.Stats(); !got.Lost || got.Kept != 1 {
		t.Errorf("Stats() = %+v, want one part, and a loss", got)
	}
}

// Files without usable parts do not open.
func TestUselessMessages(t *testing.T) {
	const nameless = "a part without Content-Location and Content-ID"
	for data, want := range map[string]string{
		"MIME-Version: 1.0\nContent-Type: text/html\n\n<p>":            nameless,
		related("", "Content-Type: text/html\n\n<p>"):                  nameless,
		"Content-Type: multipart/related; boundary=b\n\nno boundary\n": "no usable part",
		"MIME-Version: 1.0": body.ErrHeader.Error(), "": body.ErrHeader.Error(),
	} {
		t.Run(data, func(t *testing.T) {
			path := sourcetest.WriteFile(t, data, t.TempDir(), "x")
			if s, err := Open(path); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, %v, want %s", s, err, want)
			}
		})
	}
	for _, path := range []string{t.TempDir(), "no file"} {
		if s, err := Open(path); err == nil {
			t.Errorf("%s opens: %v", path, s)
		}
	}
}

// A message needs the header of a multipart, or that of a single part with a location.
func TestIs(t *testing.T) {
	for data, want := range map[string]bool{
		"Content-Type: multipart/related; boundary=b\n\n":                             true,
		"Content-Type: Multipart/mixed\n\n":                                           true,
		"MIME-Version: 1.0\nContent-Type: text/html\nContent-Location: http://h/\n\n": true,
		"Content-Type: text/html\nContent-Location: http://h/\n\n":                    false,
		"MIME-Version: 1.0\nContent-Location: http://h/\n\n":                          false,
		"MIME-Version: 1.0\nContent-Type: text/html\n\n":                              false,
		"HTTP/1.1 200 OK\nContent-Type: multipart/related; boundary=b\n\n":            false,
		"Content-Type: multipart/related; boundary=b\n":                               false,
		"": false,
	} {
		t.Run(data, func(t *testing.T) {
			if got := Is(sourcetest.WriteFile(t, data, t.TempDir(), "x")); got != want {
				t.Errorf("Is() = %v, want %v", got, want)
			}
		})
	}
}

// Close closes the file, and reports that it was closed before.
func TestClose(t *testing.T) {
	s, _ := opened(t, sourcetest.BlinkPage)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("the second Close() = %v, want that the file is closed", err)
	}
}
