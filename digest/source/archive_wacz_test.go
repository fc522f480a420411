package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/wacz"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// waczRecords are the records that waczIndex lists.
var waczRecords = []string{
	sourcetest.WARCRecord("warcinfo", "", sourcetest.WarcinfoBlock),
	sourcetest.PageRecord("http://example.com/", "first", "WARC-Date: 2020-01-01T00:00:00.5Z",
		"WARC-Payload-Digest: sha1:ONE"),
	sourcetest.PageRecord("http://example.com/", "second", "WARC-Date: 2021-01-01T00:00:00Z"),
	sourcetest.PageRecord("http://example.com/hidden", "only in the archive file"),
	sourcetest.WARCRecord("revisit", "http://example.com/r1", "", "WARC-Refers-To-Target-URI: http://example.com/",
		"WARC-Refers-To-Date: 2020-01-01T00:00:00.5Z"),
	sourcetest.WARCRecord("revisit", "http://example.com/r2", "", "WARC-Payload-Digest: sha1:ONE"),
	sourcetest.PageRecord("http://example.com/form", "posted"),
}

var waczWant = map[string]string{
	"http://example.com": `http://example.com/ (text/html) 2020-01-01 as stored "first"
http://example.com/ (text/html) 2021-01-01 as stored "second"
`,
	"http://example.com/r1":   "http://example.com/r1 (text/html) as stored \"first\"\n",
	"http://example.com/r2":   "http://example.com/r2 (text/html) as stored \"first\"\n",
	"http://example.com/form": "",
}

// waczIndex writes an index of waczRecords, which are one member each.
func waczIndex(line func(url, date, mime, digest, method string, offset int) string) string {
	var b strings.Builder
	at := 0
	for i, r := range waczRecords {
		switch i {
		case 1:
			b.WriteString(line("http://example.com/", "20200101000000", "text/html", "ONE", "GET", at))
		case 2:
			b.WriteString(line("http://example.com/", "20210101000000", "text/html", "-", "GET", at))
		case 4:
			b.WriteString(line("http://example.com/r1", "20210101000000", "warc/revisit", "-", "GET", at))
		case 5:
			b.WriteString(line("http://example.com/r2", "20210101000000", "warc/revisit", "ONE", "GET", at))
		case 6:
			b.WriteString(line("http://example.com/form", "20210101000000", "text/html", "-", "POST", at))
		}
		at += len(sourcetest.Gzip(r))
	}
	return b.String()
}

func cdxjLine(url, date, mime, digest, method string, offset int) string {
	return fmt.Sprintf(`com,example)/ %s {"url": %q, "mime": %q, "status": "200", "digest": "sha1:%s", "length": `+
		`"1", "offset": "%d", "filename": "data.warc.gz", "method": %q}`+"\n",
		date, url, mime, digest, offset, method)
}

func TestWACZ(t *testing.T) {
	records := sourcetest.Packings[1].Pack(waczRecords)
	cdxj := waczIndex(cdxjLine)
	numbers := waczIndex(func(url, date, mime, digest, method string, offset int) string {
		return strings.NewReplacer(`"status": "200"`, `"status": 200`, `"/`,
			`"/`).Replace(strings.Replace(cdxjLine(url, date, mime, digest, method, offset),
			fmt.Sprintf(`"offset": "%d"`, offset), fmt.Sprintf(`"offset": %d`, offset), 1))
	})
	cdx := " CDX N b a m s k r M S V g\n" + waczIndex(func(url, date, mime, digest, method string, offset int) string {
		if method != "GET" {
			return ""
		}
		return fmt.Sprintf("com,example)/ %s %s %s 200 %s - - 1 %d data.warc.gz\n", date, url, mime, digest, offset)
	})
	half := strings.SplitAfterN(cdxj, "\n", 3)
	blocks := append(sourcetest.Gzip(half[0]+half[1]), sourcetest.Gzip(half[2])...)
	data := sourcetest.ZipEntry{Name: "archive/data.warc.gz", Data: records, Deflated: false}
	for _, test := range []struct {
		name   string
		list   []sourcetest.ZipEntry
		hidden bool // the index is not used, so no result says that the index lacks it
		skips  string
	}{
		{"CDXJ", []sourcetest.ZipEntry{data, {Name: "indexes/index.cdxj", Data: []byte(cdxj), Deflated: true},
			{Name: "datapackage.json", Data: []byte("{}"), Deflated: true}}, false, "1 a reply to POST"},
		{"CDXJ in a file .cdx", []sourcetest.ZipEntry{{Name: "indexes/index.cdx", Data: []byte(cdxj), Deflated: false},
			data}, false, "1 a reply to POST"},
		{"numbers for strings", []sourcetest.ZipEntry{data,
			{Name: "indexes/index.cdxj", Data: []byte(numbers), Deflated: false}}, false, "1 a reply to POST"},
		{"CDX", []sourcetest.ZipEntry{data, {Name: "indexes/index.cdx", Data: []byte(cdx), Deflated: false}}, false,
			""},
		{"blocks", []sourcetest.ZipEntry{data,
			{Name: "indexes/index.idx", Data: []byte("!meta 0 {}\n"), Deflated: false},
			{Name: "indexes/index.cdx.gz", Data: blocks, Deflated: false}}, false, "1 a reply to POST"},
		{"deflated", []sourcetest.ZipEntry{{Name: data.Name, Data: data.Data, Deflated: true},
			{Name: "indexes/index.cdxj", Data: []byte(cdxj), Deflated: true}}, false, "1 a reply to POST"},
		{"no index", []sourcetest.ZipEntry{data}, true, ""},
		{"no index, deflated", []sourcetest.ZipEntry{{Name: data.Name, Data: data.Data, Deflated: true}}, true, ""},
		{"empty index", []sourcetest.ZipEntry{data, {Name: "indexes/index.cdxj", Data: nil, Deflated: true}}, true, ""},
		{"noise for an index", []sourcetest.ZipEntry{data,
			{Name: "indexes/index.cdxj", Data: []byte("noise\n"), Deflated: true}}, true,
			"1 an index that does not match the archive files"},
		{"wrong offsets", []sourcetest.ZipEntry{data,
			{Name: "indexes/index.cdxj", Data: []byte(waczIndex(func(url, date, mime, digest, method string,
				offset int) string {
				return cdxjLine(url, date, mime, digest, method, offset+1)
			})), Deflated: true}}, true, "1 an index that does not match the archive files"},
		{"offsets of others", []sourcetest.ZipEntry{data,
			{Name: "indexes/index.cdxj", Data: []byte(waczIndex(func(url, date, mime, digest, method string,
				offset int) string {
				return cdxjLine(url, date, mime, digest, method, len(sourcetest.Gzip(waczRecords[0])))
			})), Deflated: true}}, true, "1 an index that does not match the archive files"},
		{"index of another file", []sourcetest.ZipEntry{data,
			{Name: "indexes/index.cdxj", Data: []byte(strings.ReplaceAll(cdxj, "data.warc.gz", "other.warc.gz")),
				Deflated: true}}, true, "5 a record in an index, whose archive file is missing"},
		{"index cut off in its gzip", []sourcetest.ZipEntry{data,
			{Name: "indexes/index.cdx.gz", Data: blocks[:len(blocks)-9], Deflated: false}}, true,
			"1 an index that does not match the archive files"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := sourcetest.ArchiveFile(t, "a.wacz", sourcetest.Zip(t, test.list...))
			s := open(t, path, Options{})
			for url, want := range waczWant {
				if test.hidden && strings.HasSuffix(url, "form") ||
					test.name == "CDX" && strings.HasSuffix(url, "form") {
					continue // only the index has the method
				}
				sourcetest.ExpectLookup(t, s, url, want)
			}
			if got := strings.Contains(sourcetest.LookupOne(t, s, "http://example.com/hidden").Where,
				notListed); got == test.hidden {
				t.Errorf("http://example.com/hidden is not in the index, which is said: %v", got)
			}
			if got := sourcetest.SkipLine(s); got != test.skips {
				t.Errorf("skipped %s, want %s", got, test.skips)
			}
			for c, err := range s.Lookup("http://example.com/") {
				if err != nil || !strings.HasPrefix(c.Where, path+", archive/data.warc.gz, byte ") {
					t.Errorf("%v, %v", c, err)
				}
			}
		})
	}
}

// TestWACZIndexIsNotBelieved: an index entry that leads to the record of another URL gives no result.
func TestWACZIndexIsNotBelieved(t *testing.T) {
	var records []string
	var index strings.Builder
	at := 0
	for i := range 100 {
		r := sourcetest.PageRecord(fmt.Sprintf("http://a/%d", i), "x")
		records = append(records, r)
		index.WriteString(cdxjLine(fmt.Sprintf("http://a/%d", i), "20200101000000", "text/html", "-", "GET", at))
		at += len(sourcetest.Gzip(r))
	}
	index.WriteString(cdxjLine("http://evil/", "20200101000000", "text/html", "-", "GET", 0))
	s := openBytes(t, "a.wacz", sourcetest.Zip(t,
		sourcetest.ZipEntry{Name: "archive/data.warc.gz", Data: sourcetest.Packings[1].Pack(records), Deflated: false},
		sourcetest.ZipEntry{Name: "indexes/i.cdxj", Data: []byte(index.String()), Deflated: true}))
	sourcetest.ExpectLookup(t, s, "http://evil/", "")
}

// TestWACZWithoutAWholeIndex: captures that no index lists are found, even if an index is unreadable or in the wrong
// place.
func TestWACZWithoutAWholeIndex(t *testing.T) {
	records := []string{sourcetest.PageRecord("http://a/1", "one"), sourcetest.PageRecord("http://a/2", "two")}
	first := []byte(cdxjLine("http://a/1", "20200101000000", "text/html", "-", "GET", 0))
	data := sourcetest.ZipEntry{Name: "archive/data.warc.gz", Data: sourcetest.Packings[1].Pack(records),
		Deflated: false}
	for name, list := range map[string][]sourcetest.ZipEntry{
		"one that cannot be read": {data, {Name: "indexes/a.cdxj", Data: []byte("?\n"), Deflated: false},
			{Name: "indexes/b.cdxj", Data: first, Deflated: false}},
		"another folder": {data, {Name: "pages/b.cdxj", Data: first, Deflated: false}},
		"another name":   {data, {Name: "indexes/b.txt", Data: first, Deflated: false}},
	} {
		t.Run(name, func(t *testing.T) {
			s := openBytes(t, "a.wacz", sourcetest.Zip(t, list...))
			for _, url := range []string{"http://a/1", "http://a/2"} {
				if len(sourcetest.Lookup(t, s, url)) != 1 {
					t.Errorf("%s: %s is not found", name, url)
				}
			}
		})
	}
}

// TestWACZIndexIsCompleted: captures that an index lacks are searched in the files, except those that the index marks
// as unusable.
func TestWACZIndexIsCompleted(t *testing.T) {
	first := sourcetest.PageRecord("http://a/1", "one", "WARC-Record-ID: <urn:1>")
	records := sourcetest.Packings[1].Pack([]string{first, sourcetest.PageRecord("http://a/2", "two"),
		sourcetest.WARCRecord("revisit", "http://a/3", "", "WARC-Refers-To: <urn:1>")})
	index := cdxjLine("http://a/2", "20200101000000", "text/html", "-", "POST",
		len(sourcetest.Gzip(first))) + cdxjLine("http://a/1", "20200101000000", "text/html", "-", "GET", 0)
	s := openBytes(t, "a.wacz", sourcetest.Zip(t,
		sourcetest.ZipEntry{Name: "archive/data.warc.gz", Data: records, Deflated: true},
		sourcetest.ZipEntry{Name: "indexes/i.cdxj", Data: []byte(index), Deflated: true}))
	if n := s.Stats().Unlisted; n != 0 {
		t.Errorf("%d unlisted before something is missing", n)
	}
	sourcetest.ExpectLookup(t, s, "http://a/1", "http://a/1 (text/html) as stored \"one\"\n")
	sourcetest.ExpectLookup(t, s, "http://a/2", "")
	if n := s.Stats().Unlisted; n != 1 {
		t.Errorf("%d unlisted, want 1", n)
	}
	sourcetest.ExpectLookup(t, s, "http://a/3",
		"http://a/3 (text/html) as stored \"one\"\n") // its original is listed, without its identifier
	if c := sourcetest.LookupOne(t, s, "http://a/3"); !strings.Contains(c.Where, ", archive/data.warc.gz, byte ") ||
		!strings.HasSuffix(c.Where, notListed) {
		t.Error(c.Where)
	}
	if c := sourcetest.LookupOne(t, s, "http://a/1"); strings.Contains(c.Where, notListed) {
		t.Error(c.Where)
	}
	if got := looked(t, s, "https://a/1"); len(got) != 1 {
		t.Errorf("alike: %q", got)
	}
}

// TestNestedWACZ: the WACZ files in a WACZ file may have archive files with the same names.
func TestNestedWACZ(t *testing.T) {
	inner := func(url, body string) []byte {
		return sourcetest.Zip(t, sourcetest.ZipEntry{Name: "archive/data.warc.gz",
			Data: sourcetest.Gzip(sourcetest.PageRecord(url, body)), Deflated: true},
			sourcetest.ZipEntry{Name: "indexes/i.cdxj",
				Data: []byte(cdxjLine(url, "20200101000000", "text/html", "-", "GET", 0)), Deflated: true})
	}
	one, two := inner("http://a/1", "one"), inner("http://a/2", "two")
	deep := sourcetest.Zip(t, sourcetest.ZipEntry{Name: "2.wacz", Data: two, Deflated: true})
	path := sourcetest.ArchiveFile(t, "a.wacz",
		sourcetest.Zip(t, sourcetest.ZipEntry{Name: "datapackage.json",
			Data: []byte(`{"profile": "multi-wacz-package"}`), Deflated: false},
			sourcetest.ZipEntry{Name: "1.wacz", Data: one, Deflated: false},
			sourcetest.ZipEntry{Name: "deep.wacz", Data: deep, Deflated: true},
			sourcetest.ZipEntry{Name: "bad.wacz", Data: []byte("noise"), Deflated: false},
			sourcetest.ZipEntry{Name: "archive/data.warc.gz",
				Data: sourcetest.Gzip(sourcetest.PageRecord("http://a/3", "three")), Deflated: false},
			sourcetest.ZipEntry{Name: "indexes/i.cdxj",
				Data: []byte(cdxjLine("http://a/3", "20200101000000", "text/html", "-", "GET", 0)), Deflated: true}))
	if !wacz.Is(path) {
		t.Error("it is not taken for WACZ")
	}
	s := open(t, path, Options{})
	sourcetest.ExpectLookup(t, s, "http://a/1", "http://a/1 (text/html) as stored \"one\"\n")
	sourcetest.ExpectLookup(t, s, "http://a/2", "http://a/2 (text/html) as stored \"two\"\n")
	sourcetest.ExpectLookup(t, s, "http://a/3", "http://a/3 (text/html) as stored \"three\"\n")
	for c := range s.Lookup("http://a/2") {
		if want := path + ", deep.wacz, 2.wacz, archive/data.warc.gz, byte 0"; c.Where != want {
			t.Errorf("%s, want %s", c.Where, want)
		}
	}
	if got, want := sourcetest.SkipLine(s),
		"1 a WACZ file that is not a zip file, or has too many entries"; got != want {
		t.Errorf("skipped %s, want %s", got, want)
	}
	for range 4 {
		deep = sourcetest.Zip(t, sourcetest.ZipEntry{Name: "x.wacz", Data: deep, Deflated: false})
	}
	if s := open(t, sourcetest.ArchiveFile(t, "a.wacz",
		sourcetest.Zip(t, sourcetest.ZipEntry{Name: "archive/data.warc.gz",
			Data: sourcetest.Gzip(sourcetest.PageRecord("http://a/3", "three")), Deflated: false},
			sourcetest.ZipEntry{Name: "x.wacz", Data: deep, Deflated: false})), Options{}); s.Stats().Capped() == nil {
		t.Errorf("the nesting limit is not reported: %s", sourcetest.SkipLine(s))
	}
}

func TestWACZWithSeveralFiles(t *testing.T) {
	s := openBytes(t, "a.wacz", sourcetest.Zip(t,
		sourcetest.ZipEntry{Name: "archive/1.warc.gz",
			Data:     sourcetest.Gzip(sourcetest.WARCRecord("revisit", "http://a/r", "", "WARC-Refers-To: <urn:1>")),
			Deflated: false},
		sourcetest.ZipEntry{Name: "archive/2.warc",
			Data: []byte(sourcetest.PageRecord("http://a/", "plain", "WARC-Record-ID: <urn:1>")), Deflated: false},
		sourcetest.ZipEntry{Name: "archive/3.warc.gz", Data: []byte("noise"), Deflated: false}))
	sourcetest.ExpectLookup(t, s, "http://a/", "http://a/ (text/html) as stored \"plain\"\n")
	sourcetest.ExpectLookup(t, s, "http://a/r", "http://a/r (text/html) as stored \"plain\"\n")
	if got := s.Stats(); got.Files != 3 || got.Kept != 2 ||
		sourcetest.SkipLine(s) != "1 a range of bytes that is not a record" {
		t.Errorf("%+v", got)
	}
}

func TestWACZThatIsNone(t *testing.T) {
	for name, data := range map[string][]byte{
		"other.zip": sourcetest.Zip(t,
			sourcetest.ZipEntry{Name: "pages/a.warc.gz", Data: sourcetest.Gzip(sourcetest.PageRecord("http://a/", "a")),
				Deflated: false}),
		"noise": []byte("PK\x03\x04 and then noise"),
	} {
		t.Run(name, func(t *testing.T) {
			if wacz.Is(sourcetest.ArchiveFile(t, name, data)) {
				t.Errorf("%s was taken for a WACZ file", name)
			}
		})
	}
	if _, err := Open(WACZ, sourcetest.ArchiveFile(t, "a.wacz",
		sourcetest.Zip(t, sourcetest.ZipEntry{Name: "archive/a.warc.gz", Data: []byte("noise"), Deflated: false})),
		Options{}); err == nil {
		t.Error("a file without records was opened")
	}
}

func FuzzWACZ(f *testing.F) {
	data := sourcetest.ZipEntry{Name: "archive/data.warc.gz", Data: sourcetest.Packings[1].Pack(waczRecords),
		Deflated: false}
	f.Add(sourcetest.Zip(f, data, sourcetest.ZipEntry{Name: "indexes/index.cdxj", Data: []byte(waczIndex(cdxjLine)),
		Deflated: false}))
	f.Add(sourcetest.Zip(f, data))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := wacz.Open(sourcetest.ArchiveFile(t, "a.wacz", data), capture.Options{})
		if err != nil {
			return
		}
		defer s.Close()
		for url := range waczWant {
			sourcetest.Describe(s, url)
		}
	})
}
