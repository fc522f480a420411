package har

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// openedMHTML opens a message, and returns its path.
func openedMHTML(t testing.TB, data string) (s *capture.Index, path string) {
	t.Helper()
	path = sourcetest.WriteFile(t, data, t.TempDir(), "x.mhtml")
	return openFile(t, NewMHTML(path)), path
}

// related returns a multipart with the boundary b. Each part has its header and its body.
func related(header string, parts ...string) string {
	return header + "Content-Type: multipart/related; boundary=b\n\n--b\n" + strings.Join(parts, "\n--b\n") + "\n--b--\n"
}

// The transfer coding of a part says in which forms its data exist, how large they are, and whether MHTML has kept
// them exactly.
func TestTransferCodings(t *testing.T) {
	const text, decoded = `stored "YWJj"`, `stored "abc"`
	for coding, want := range map[string]string{
		"": "4 bytes, doubt: " + text, "7bit": "4 bytes, doubt: " + text, "8BIT": "4 bytes, doubt: " + text,
		"binary": "4 bytes: " + text, "base64": "-1 bytes: " + decoded, "Base64": "-1 bytes: " + decoded,
		"quoted-printable": "-1 bytes, doubt: " + text, "uuencode": "4 bytes, doubt: ",
	} {
		t.Run(coding, func(t *testing.T) {
			data := related("", "Content-Location: http://h/a\nContent-Transfer-Encoding: "+coding+"\n\nYWJj")
			s, path := openedMHTML(t, data)
			c := sourcetest.LookupOne(t, s, "http://h/a")
			got := fmt.Sprintf("%d bytes", c.Size)
			if c.Doubt != "" {
				got += ", doubt"
			}
			if got += ": " + strings.Join(sourcetest.ReadForms(c), "|"); got != want {
				t.Errorf("%s, want %s", got, want)
			}
			where := fmt.Sprintf("%s, offset %d", path, strings.Index(data, "YWJj"))
			if c.Where != where || c.Record != "MHTML part" {
				t.Errorf("%+v, want it at %s", c, where)
			}
			if got := s.Stats(); got.Files != 1 || got.Bytes != int64(len(data)) || got.Kept != 1 || got.Lost {
				t.Errorf("Stats() = %+v, want one part in %d bytes", got, len(data))
			}
		})
	}
}

// A part is found by its location. Only the message has parts.
func TestNamesOfParts(t *testing.T) {
	s, _ := openedMHTML(t, related("Content-Location: http://h/page\n",
		"Content-Type: text/html\nContent-Location: page\n\nroot",
		"Content-ID: <only@h>\n\nwithout a location",
		"Content-Location: text\nContent-Type: text/plain; boundary=c\n\n--c\nContent-Location: inner\n\nx",
		"Content-Location: mixed\nContent-Type: multipart/mixed; boundary=c\n\na multipart",
		"Content-Location: a/\n\nfolder", "Content-Location: a\n\nfirst", "Content-Location: a\n\nsecond"))
	for url, want := range map[string]string{
		"http://h/page": "root", "cid:only@h": "",
		"http://h/text":  "--c\nContent-Location: inner\n\nx",
		"http://h/mixed": "", "http://h/a": "first|second", "http://h/a/": "folder",
		"": "", "cid:": "", "http://h/inner": "",
	} {
		t.Run(url, func(t *testing.T) {
			var got []string
			for _, c := range sourcetest.Lookup(t, s, url) {
				got = append(got, sourcetest.MustRead(t, c))
			}
			if got := strings.Join(got, "|"); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{"1 × a multipart in a multipart",
		"1 × a part without Content-Location"})
	sourcetest.ExpectStops(t, "List", 5, s.All)
	sourcetest.ExpectStops(t, "Lookup", 3, s.Lookup("http://h/a"))
}

// A part whose header does not end may have any URL. The other parts are found.
func TestHeaderWithoutEnd(t *testing.T) {
	s, _ := openedMHTML(t, related("", "Content-Location: http://h/1\n\none",
		"Content-Location: http://h/2\nX: "+strings.Repeat("x", 1<<20)+"\n\ntwo", "Content-Location: http://h/3\n\nthree"))
	sourcetest.LookupOne(t, s, "http://h/1")
	sourcetest.LookupOne(t, s, "http://h/3")
	sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{"1 × a part whose header does not end"})
	if got := s.Stats(); !got.Lost || got.Kept != 2 {
		t.Errorf("Stats() = %+v, want two parts, and a loss", got)
	}
}

// A file that exceeds the limit is read in part.
func TestMHTMLLimit(t *testing.T) {
	data := related("", "Content-Location: http://h/1\n\none", "Content-Location: http://h/2\n\ntwo")
	path := sourcetest.WriteFile(t, data, t.TempDir(), "x.mhtml")
	for limit, kept := range map[int]int{len(data): 2, strings.Index(data, "Content-Location: http://h/2"): 1} {
		s := openFile(t, &MHTML{path: path, limit: limit})
		if got := s.Stats(); got.Kept != kept || got.Lost != (kept == 1) || (got.Capped() != nil) != (kept == 1) {
			t.Errorf("limit %d: %+v", limit, got)
		}
	}
}

// A part that is not in its transfer coding cannot be read.
func TestDamagedTransferCodings(t *testing.T) {
	for _, row := range []struct{ coding, body, want string }{
		{"base64", "aGVs\nbG8=", "hello"}, {"base64", "aGVsbG8", ""}, {"base64", "aGVs!G8=", ""},
		{"base64", " aG\tVs \nbG8=\t", "hello"},
		{"base64", "aGVsbG8=aGVs", ""}, {"quoted-printable", "a=3D=\nb=C3=A9", "a=bé"},
		{"quoted-printable", strings.Repeat("x", 60_000), strings.Repeat("x", 60_000)},
	} {
		s, path := openedMHTML(t, related("",
			"Content-Location: http://h/\nContent-Transfer-Encoding: "+row.coding+"\n\n"+row.body))
		got, err := sourcetest.ReadAll(sourcetest.LookupOne(t, s, "http://h/"))
		if row.want == "" && (err == nil || !strings.Contains(err.Error(), "is not valid "+row.coding)) ||
			row.want != "" && (err != nil || string(got) != row.want) {
			t.Errorf("%s: %.40s: %.40q, %v", path, row.body, got, err)
		}
	}
}

// White space in Content-Location is removed where it comes from line breaks. Any other blank is that of the URL.
func TestBlanksInLocations(t *testing.T) {
	for field, url := range map[string]string{
		"http://h/my%20pic.gif":           "http://h/my%20pic.gif",
		"http://h/my pic.gif":             "http://h/my%20pic.gif",
		"http://h/a\n /very\n\t/long.gif": "http://h/a/very/long.gif",
		"\n http://h/a.gif ":              "http://h/a.gif",
	} {
		t.Run(field, func(t *testing.T) {
			s, _ := openedMHTML(t, related("", "Content-Location: "+field+"\nContent-Transfer-Encoding: binary\n\ndata"))
			if c := sourcetest.LookupOne(t, s, url); strings.ReplaceAll(c.URL, " ", "%20") != url || c.Doubt != "" {
				t.Errorf("%+v", c)
			}
		})
	}
}
