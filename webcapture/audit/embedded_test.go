package audit_test

import (
	"crypto/md5"
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// An embedded file belongs to a URL by its file name or description. If only the end of the URL is its name, another
// content proves no mismatch.
func TestEmbeddedFilesByName(t *testing.T) {
	const none = "no source has the URL"
	doubt := func(string) string {
		return "the source does not give the ID, but this does not prove a mismatch: only its name connects the file with the URL"
	}
	for _, row := range []struct {
		name, spec, url string
		where           string // if the file has the right data
		reason          string // if it has other data
	}{
		{"UF", "/UF (http://h/page) /EF << /UF 7 0 R >>", "http://h/page", "http://h/page", ""},
		{"F", "/F (http://h/page) /EF << /F 7 0 R >>", "http://h/page", "http://h/page", ""},
		{"F of UF", "/UF (http://h/page) /EF << /F 7 0 R >>", "http://h/page", "http://h/page", ""},
		{"UF before F", "/UF (http://h/page) /EF << /F 9 0 R /UF 7 0 R >>", "http://h/page", "http://h/page", ""},
		{"UF that is not a reference", "/UF (http://h/page) /EF << /F 7 0 R /UF (x) >>", "http://h/page",
			"http://h/page", ""},
		{"Desc", "/F (page.txt) /Desc (http://h/page) /EF << /F 7 0 R >>", "http://h/page", "page.txt", ""},
		{"F after UF", "/UF (other) /F (http://h/page) /EF << /F 7 0 R >>", "http://h/page", "other", ""},
		{"another form of the URL", "/UF (HTTP://H/page) /EF << /F 7 0 R >>", "http://h/page", "HTTP://H/page", ""},
		{"UTF-16", "/UF <feff0068007400740070003a002f002f0068002f0070> /EF << /F 7 0 R >>", "http://h/p", "http://h/p", ""},
		{"an indirect EF", "/UF (http://h/page) /EF 10 0 R", "http://h/page", "http://h/page", ""},
		{"the last segment", "/UF (page) /EF << /F 7 0 R >>", "http://h/a/page", "page", doubt("page")},
		{"a path", "/UF (a/page) /EF << /F 7 0 R >>", "http://h/b/page", "a/page", doubt("a/page")},
		{"a path of Windows", `/UF (a\\page) /EF << /F 7 0 R >>`, "http://h/b/page", `a\\page`, doubt(`a\\page`)},
		{"a path with a query", "/UF (page) /EF << /F 7 0 R >>", "http://h/page?a=b", "page", doubt("page")},
		{"an encoded name", "/UF (a b) /EF << /F 7 0 R >>", "http://h/a%20b", "a b", doubt("a b")},
		{"an encoded name, as it is", "/UF (a%20b) /EF << /F 7 0 R >>", "http://h/a%20b", "a%20b", doubt("a%20b")},
		{"a URL without host", "/UF (mailto:page) /EF << /F 7 0 R >>", "http://h/mailto:page", "mailto:page",
			doubt("mailto:page")},
		{"another name", "/UF (pages) /EF << /F 7 0 R >>", "http://h/page", "", none},
		{"another URL", "/UF (http://i/page) /EF << /F 7 0 R >>", "http://h/page", "", none},
		{"no name", "/EF << /F 7 0 R >>", "http://h/page", "", none},
		{"an empty name", "/UF () /EF << /F 7 0 R >>", "http://h/page", "", none},
		{"no EF", "/UF (http://h/page)", "http://h/page", "", none},
		{"a file elsewhere", "/UF (http://h/page) /EF << >>", "http://h/page", "", none},
		{"a file that is not a stream", "/UF (http://h/page) /EF << /F 6 0 R >>", "http://h/page", "", none},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, data := range []string{"x", "y"} {
				doc, err := webcapturetest.Parse(fmt.Sprintf("names: << /URLS << /Names [ (%s) 5 0 R ] >>"+
					" /EmbeddedFiles << /Names [ (a) 11 0 R ] >> >>\n5 0 obj << /S /SIS /ID <%x> /O [ ] /SI << /AU (%[1]s) >> /TS (D:20260201120000Z) >>\n"+
					"6 0 obj << /Type /Page >>\n7 0 obj << /Params << /CreationDate (D:20260201) >> >> stream\n%[3]s\nendstream\n9 0 obj << >> stream\nz\nendstream\n"+
					"10 0 obj << /F 7 0 R >>\n11 0 obj << %[4]s >>\n", row.url, md5.Sum([]byte("x")), data, row.spec))
				if err != nil {
					t.Fatal(err)
				}
				all, _ := identities(t, doc.Bytes(webcapturetest.Layout{}), audit.Options{Embedded: true})
				i := all[row.url+" image set"]
				switch {
				case row.where == "":
					if i.Proof != rule.NotCheckable || i.Reason != row.reason {
						t.Errorf("%v: %s, want %s", i.Proof, i.Reason, row.reason)
					}
				case data == "x":
					if i.Proof != rule.Verified || i.Where != "the embedded file ("+row.where+")" {
						t.Errorf("the right data: %v by %q: %s", i.Proof, i.Where, i.Reason)
					}
				case row.reason != "":
					if i.Proof != rule.NotCheckable || i.Reason != row.reason {
						t.Errorf("other data: %v: %s, want %s", i.Proof, i.Reason, row.reason)
					}
				case i.Proof != rule.Mismatch:
					t.Errorf("other data: %v: %s, want a mismatch", i.Proof, i.Reason)
				}
			}
		})
	}
}

// The type of an embedded file decides whether it is read as a page, with the images to which it refers.
func TestEmbeddedPages(t *testing.T) {
	const page = `<img src="a.gif">`
	image := md5.Sum([]byte("A"))
	for subtype, want := range map[string]rule.Proof{
		"/Subtype /text#2Fhtml": rule.Verified, "/Subtype 10 0 R": rule.Verified, "/Subtype /text#2Fplain": rule.NotCheckable,
	} {
		t.Run(subtype, func(t *testing.T) {
			doc, err := webcapturetest.Parse(fmt.Sprintf(`names: << /URLS << /Names [ (http://h/page) 5 0 R ] >>
	/EmbeddedFiles << /Names [ (a) << /UF (http://h/page) /EF << /F 7 0 R >> >>
		(b) << /UF (http://h/a.gif) /EF << /F 8 0 R >> >> ] >> >>
5 0 obj << /S /SPS /ID <%x> /O [ ] /SI << /AU (http://h/page) >> >>
7 0 obj << %s >> stream
%s
endstream
8 0 obj << /Subtype /image#2Fgif >> stream
A
endstream
10 0 obj /text#2Fhtml
`, md5.Sum(append([]byte(page), image[:]...)), subtype, page))
			if err != nil {
				t.Fatal(err)
			}
			all, rep := identities(t, doc.Bytes(webcapturetest.Layout{}), audit.Options{Embedded: true})
			if i := all["http://h/page page set"]; i.Proof != want {
				t.Errorf("%v: %s, want %v; unread %v", i.Proof, i.Reason, want, rep.Unread)
			}
		})
	}
}

// Embedded files are sources only if the caller asks for them, and come after the given source.
func TestEmbeddedFilesAreAnOption(t *testing.T) {
	doc, err := webcapturetest.Parse(fmt.Sprintf("names: << /URLS << /Names [ (http://h/page) 5 0 R ] >>"+
		" /EmbeddedFiles << /Names [ (a) << /F (http://h/page) /EF << /F 7 0 R >> >> ] >> >>\n"+
		"5 0 obj << /S /SPS /ID <%x> /O [ ] /SI << /AU (http://h/page) >> >>\n7 0 obj << >> stream\nx\nendstream\n",
		md5.Sum([]byte("x"))))
	if err != nil {
		t.Fatal(err)
	}
	right := placed("given", reply("http://h/page", "text/plain", "x"))
	for _, row := range []struct {
		opt   audit.Options
		where string
	}{
		{audit.Options{Source: memory{}}, ""},
		{audit.Options{Source: memory{}, Embedded: true}, "the embedded file (http://h/page)"},
		{audit.Options{Source: memory{right}, Embedded: true}, "given"},
	} {
		t.Run(row.where, func(t *testing.T) {
			all, _ := identities(t, doc.Bytes(webcapturetest.Layout{}), row.opt)
			if i := all["http://h/page page set"]; i.Where != row.where || (i.Proof == rule.Verified) != (row.where != "") {
				t.Errorf("%v at %q, want %q", i.Proof, i.Where, row.where)
			}
		})
	}
}
