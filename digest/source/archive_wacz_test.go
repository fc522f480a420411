package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// waczRecords are the records of a WACZ file. Each of them is a member.
var waczRecords = []string{
	sourcetest.WARCRecord("warcinfo", "", sourcetest.WarcinfoBlock),
	sourcetest.PageRecord("http://example.com/", "first", "WARC-Date: 2020-01-01T00:00:00.5Z",
		"WARC-Payload-Digest: sha1:ONE"),
	sourcetest.PageRecord("http://example.com/", "second", "WARC-Date: 2021-01-01T00:00:00Z"),
	sourcetest.WARCRecord("revisit", "http://example.com/r", "", "WARC-Payload-Digest: sha1:ONE"),
}

var waczWant = map[string]string{
	"http://example.com": `http://example.com/ (text/html) 2020-01-01 stored "first"
http://example.com/ (text/html) 2021-01-01 stored "second"
`,
	"http://example.com/r": "http://example.com/r (text/html) stored \"first\"\n",
}

// TestWACZ: the archive files in a WACZ file are read completely if the zip stores them. Their index does not matter.
func TestWACZ(t *testing.T) {
	data := sourcetest.ZipEntry{Name: "archive/data.warc.gz", Data: sourcetest.Packings[1].Pack(waczRecords)}
	deflated := data
	deflated.Name, deflated.Deflated = "archive/2.warc.gz", true
	index := func(offset int) sourcetest.ZipEntry {
		return sourcetest.ZipEntry{Name: "indexes/index.cdxj", Data: fmt.Appendf(nil, "com,example)/ 20200101000000 "+
			`{"url": "http://example.com/", "offset": "%d", "filename": "data.warc.gz"}`+"\n", offset)}
	}
	about := func(text string) sourcetest.ZipEntry {
		return sourcetest.ZipEntry{Name: "datapackage.json", Data: []byte(text), Deflated: true}
	}
	for _, row := range []struct {
		name  string
		list  []sourcetest.ZipEntry
		skips string
	}{
		{"stored", []sourcetest.ZipEntry{data}, ""},
		{"deflated", []sourcetest.ZipEntry{data, deflated},
			"1 an entry that the zip compresses; unpack the WACZ file and name the folder"},
		{"an index that lacks records", []sourcetest.ZipEntry{data,
			index(len(sourcetest.Gzip(waczRecords[0])))}, ""},
		{"a wrong index", []sourcetest.ZipEntry{data, index(7)}, ""},
		{"a list of files", []sourcetest.ZipEntry{about(`{"resources": [{"path": "archive/data.warc.gz"},
			{"path": "pages/pages.jsonl"}]}`), data}, ""},
		{"a list that is not JSON", []sourcetest.ZipEntry{about("{"), data}, ""},
		{"a damaged archive file", []sourcetest.ZipEntry{data, {Name: "archive/2.warc", Data: []byte("noise")}},
			"1 a range of bytes that is not a record"},
	} {
		t.Run(row.name, func(t *testing.T) {
			path := sourcetest.ArchiveFile(t, "a.wacz", sourcetest.Zip(t, row.list...))
			s := opened(t, "", path)
			for url, want := range waczWant {
				sourcetest.ExpectLookup(t, s, url, want)
			}
			if got := sourcetest.SkipLine(s); got != row.skips || s.Stats().Lost != (row.skips != "") {
				t.Errorf("skipped %q, want %q; lost: %v", got, row.skips, s.Stats().Lost)
			}
			for c, err := range s.Lookup("http://example.com/") {
				if err != nil || !strings.HasPrefix(c.Where, path+", archive/data.warc.gz, byte ") {
					t.Errorf("%v, %v", c, err)
				}
			}
		})
	}
}

// TestNestedWACZ: the WACZ files in a WACZ file may have archive files with the same names.
func TestNestedWACZ(t *testing.T) {
	inner := func(url, body string) []byte {
		return sourcetest.Zip(t, sourcetest.ZipEntry{Name: "archive/data.warc.gz",
			Data: sourcetest.Gzip(sourcetest.PageRecord(url, body))})
	}
	deep := sourcetest.Zip(t, sourcetest.ZipEntry{Name: "2.wacz", Data: inner("http://a/2", "two")})
	path := sourcetest.ArchiveFile(t, "a.wacz",
		sourcetest.Zip(t, sourcetest.ZipEntry{Name: "datapackage.json", Data: []byte(`{"profile": "multi-wacz-package"}`)},
			sourcetest.ZipEntry{Name: "1.wacz", Data: inner("http://a/1", "one")},
			sourcetest.ZipEntry{Name: "deep.wacz", Data: deep},
			sourcetest.ZipEntry{Name: "bad.wacz", Data: []byte("noise")},
			sourcetest.ZipEntry{Name: "archive/data.warc.gz",
				Data: sourcetest.Gzip(sourcetest.PageRecord("http://a/3", "three"))}))
	s := opened(t, "", path)
	sourcetest.ExpectLookup(t, s, "http://a/1", "http://a/1 (text/html) stored \"one\"\n")
	sourcetest.ExpectLookup(t, s, "http://a/2", "http://a/2 (text/html) stored \"two\"\n")
	sourcetest.ExpectLookup(t, s, "http://a/3", "http://a/3 (text/html) stored \"three\"\n")
	if got, want := sourcetest.LookupOne(t, s, "http://a/2").Where,
		path+", deep.wacz, 2.wacz, archive/data.warc.gz, byte 0"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := sourcetest.SkipLine(s),
		"1 a WACZ file that is not a zip file"; got != want {
		t.Errorf("skipped %s, want %s", got, want)
	}
}

func TestWACZThatIsNone(t *testing.T) {
	for name, data := range map[string][]byte{
		"other.wacz": sourcetest.Zip(t,
			sourcetest.ZipEntry{Name: "pages/a.warc.gz", Data: sourcetest.Gzip(sourcetest.PageRecord("http://a/", "a"))}),
		"noise.wacz": []byte("PK\x03\x04 and then noise"),
		"a.wacz":     sourcetest.Zip(t, sourcetest.ZipEntry{Name: "archive/a.warc.gz", Data: []byte("noise")}),
	} {
		t.Run(name, func(t *testing.T) {
			if s, err := Open("", sourcetest.ArchiveFile(t, name, data)); err == nil {
				t.Errorf("opened: %+v", s.Stats())
			}
		})
	}
}

func FuzzWACZ(f *testing.F) {
	data := sourcetest.ZipEntry{Name: "archive/data.warc.gz", Data: sourcetest.Packings[1].Pack(waczRecords)}
	f.Add(sourcetest.Zip(f, data, sourcetest.ZipEntry{Name: "datapackage.json",
		Data: []byte(`{"resources": [{"path": "archive/a.warc"}]}`)}))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Open(WACZ, sourcetest.ArchiveFile(t, "a.wacz", data))
		if err != nil {
			return
		}
		defer s.Close()
		for url := range waczWant {
			sourcetest.Describe(s, url)
		}
	})
}
