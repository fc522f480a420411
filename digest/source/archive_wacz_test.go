package source

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// An entry of a zip, for tests.
type zipped struct {
	name     string
	data     []byte
	deflated bool
}

func zipFile(t testing.TB, list ...zipped) []byte {
	t.Helper()
	var entries []zipEntry
	for _, e := range list {
		h := &zip.FileHeader{Name: e.name}
		if e.deflated {
			h.Method = zip.Deflate
		}
		entries = append(entries, zipEntry{e.data, func(z *zip.Writer) (io.Writer, error) { return z.CreateHeader(h) }})
	}
	return zipOf(t, entries)
}

// A zipEntry is data, and what begins the entry for them.
type zipEntry struct {
	data  []byte
	begin func(*zip.Writer) (io.Writer, error)
}

func zipOf(t testing.TB, list []zipEntry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range list {
		w, err := e.begin(z)
		if err == nil {
			_, err = w.Write(e.data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// waczRecords are what the indexes of waczIndexes speak of.
var waczRecords = []string{
	warcRecord("warcinfo", "", warcinfo),
	page("http://example.com/", "first", "WARC-Date: 2020-01-01T00:00:00.5Z", "WARC-Payload-Digest: sha1:ONE"),
	page("http://example.com/", "second", "WARC-Date: 2021-01-01T00:00:00Z"),
	page("http://example.com/hidden", "only in the archive file"),
	warcRecord("revisit", "http://example.com/r1", "", "WARC-Refers-To-Target-URI: http://example.com/", "WARC-Refers-To-Date: 2020-01-01T00:00:00.5Z"),
	warcRecord("revisit", "http://example.com/r2", "", "WARC-Payload-Digest: sha1:ONE"),
	page("http://example.com/form", "posted"),
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
		at += len(gz(r))
	}
	return b.String()
}

func cdxjLine(url, date, mime, digest, method string, offset int) string {
	return fmt.Sprintf(`com,example)/ %s {"url": %q, "mime": %q, "status": "200", "digest": "sha1:%s", "length": "1", "offset": "%d", "filename": "data.warc.gz", "method": %q}`+"\n",
		date, url, mime, digest, offset, method)
}

func TestWACZ(t *testing.T) {
	records := packings[1].pack(waczRecords)
	cdxj := waczIndex(cdxjLine)
	numbers := waczIndex(func(url, date, mime, digest, method string, offset int) string {
		return strings.NewReplacer(`"status": "200"`, `"status": 200`, `"/`, `"/`).Replace(strings.Replace(cdxjLine(url, date, mime, digest, method, offset),
			fmt.Sprintf(`"offset": "%d"`, offset), fmt.Sprintf(`"offset": %d`, offset), 1))
	})
	cdx := " CDX N b a m s k r M S V g\n" + waczIndex(func(url, date, mime, digest, method string, offset int) string {
		if method != "GET" {
			return ""
		}
		return fmt.Sprintf("com,example)/ %s %s %s 200 %s - - 1 %d data.warc.gz\n", date, url, mime, digest, offset)
	})
	half := strings.SplitAfterN(cdxj, "\n", 3)
	blocks := append(gz(half[0]+half[1]), gz(half[2])...)
	data := zipped{"archive/data.warc.gz", records, false}
	for _, test := range []struct {
		name   string
		list   []zipped
		hidden bool // the index is not used, so that nothing is said of what is not in it
		skips  string
	}{
		{"CDXJ", []zipped{data, {"indexes/index.cdxj", []byte(cdxj), true}, {"datapackage.json", []byte("{}"), true}}, false, "1 a reply to POST"},
		{"CDXJ in a file .cdx", []zipped{{"indexes/index.cdx", []byte(cdxj), false}, data}, false, "1 a reply to POST"},
		{"numbers for strings", []zipped{data, {"indexes/index.cdxj", []byte(numbers), false}}, false, "1 a reply to POST"},
		{"CDX", []zipped{data, {"indexes/index.cdx", []byte(cdx), false}}, false, ""},
		{"blocks", []zipped{data, {"indexes/index.idx", []byte("!meta 0 {}\n"), false}, {"indexes/index.cdx.gz", blocks, false}}, false, "1 a reply to POST"},
		{"deflated", []zipped{{data.name, data.data, true}, {"indexes/index.cdxj", []byte(cdxj), true}}, false, "1 a reply to POST"},
		{"no index", []zipped{data}, true, ""},
		{"no index, deflated", []zipped{{data.name, data.data, true}}, true, ""},
		{"empty index", []zipped{data, {"indexes/index.cdxj", nil, true}}, true, ""},
		{"noise for an index", []zipped{data, {"indexes/index.cdxj", []byte("noise\n"), true}}, true, "1 an index that does not fit"},
		{"wrong offsets", []zipped{data, {"indexes/index.cdxj", []byte(waczIndex(func(url, date, mime, digest, method string, offset int) string {
			return cdxjLine(url, date, mime, digest, method, offset+1)
		})), true}}, true, "1 an index that does not fit"},
		{"offsets of others", []zipped{data, {"indexes/index.cdxj", []byte(waczIndex(func(url, date, mime, digest, method string, offset int) string {
			return cdxjLine(url, date, mime, digest, method, len(gz(waczRecords[0])))
		})), true}}, true, "1 an index that does not fit"},
		{"index of another file", []zipped{data, {"indexes/index.cdxj", []byte(strings.ReplaceAll(cdxj, "data.warc.gz", "other.warc.gz")), true}}, true, "1 an index that does not fit"},
		{"index cut off in its gzip", []zipped{data, {"indexes/index.cdx.gz", blocks[:len(blocks)-9], false}}, true, "1 an index that does not fit"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := archiveFile(t, "a.wacz", zipFile(t, test.list...))
			s := open(t, path, Options{})
			for url, want := range waczWant {
				if test.hidden && strings.HasSuffix(url, "form") || test.name == "CDX" && strings.HasSuffix(url, "form") {
					continue // only the index says how that was asked for
				}
				expect(t, s, url, want)
			}
			if got := strings.Contains(one(t, s, "http://example.com/hidden").Where, unlisted); got == test.hidden {
				t.Errorf("http://example.com/hidden is not in the index, which is said: %v", got)
			}
			if got := reasons(s); got != test.skips {
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

// TestWACZIndexIsNotBelieved holds that an entry for another record gives nothing.
func TestWACZIndexIsNotBelieved(t *testing.T) {
	var records []string
	var index strings.Builder
	at := 0
	for i := range 100 {
		r := page(fmt.Sprintf("http://a/%d", i), "x")
		records = append(records, r)
		index.WriteString(cdxjLine(fmt.Sprintf("http://a/%d", i), "20200101000000", "text/html", "-", "GET", at))
		at += len(gz(r))
	}
	index.WriteString(cdxjLine("http://evil/", "20200101000000", "text/html", "-", "GET", 0))
	s := openBytes(t, "a.wacz", zipFile(t, zipped{"archive/data.warc.gz", packings[1].pack(records), false}, zipped{"indexes/i.cdxj", []byte(index.String()), true}))
	expect(t, s, "http://evil/", "")
}

// TestWACZWithoutAWholeIndex: what no index names is found all the same, where an index
// cannot be read, or stands where none is looked for.
func TestWACZWithoutAWholeIndex(t *testing.T) {
	records := []string{page("http://a/1", "one"), page("http://a/2", "two")}
	first := []byte(cdxjLine("http://a/1", "20200101000000", "text/html", "-", "GET", 0))
	data := zipped{"archive/data.warc.gz", packings[1].pack(records), false}
	for name, list := range map[string][]zipped{
		"one that cannot be read": {data, {"indexes/a.cdxj", []byte("?\n"), false}, {"indexes/b.cdxj", first, false}},
		"another folder":          {data, {"pages/b.cdxj", first, false}},
		"another name":            {data, {"indexes/b.txt", first, false}},
	} {
		s := openBytes(t, "a.wacz", zipFile(t, list...))
		for _, url := range []string{"http://a/1", "http://a/2"} {
			if len(found(t, s, url)) != 1 {
				t.Errorf("%s: %s is not found", name, url)
			}
		}
	}
}

// What an index does not list is looked for in the files; what it says is of no use is not.
func TestWACZIndexIsCompleted(t *testing.T) {
	first := page("http://a/1", "one", "WARC-Record-ID: <urn:1>")
	records := packings[1].pack([]string{first, page("http://a/2", "two"), warcRecord("revisit", "http://a/3", "", "WARC-Refers-To: <urn:1>")})
	index := cdxjLine("http://a/2", "20200101000000", "text/html", "-", "POST", len(gz(first))) + cdxjLine("http://a/1", "20200101000000", "text/html", "-", "GET", 0)
	s := openBytes(t, "a.wacz", zipFile(t, zipped{"archive/data.warc.gz", records, true}, zipped{"indexes/i.cdxj", []byte(index), true}))
	if n := s.Stats().Unlisted; n != 0 {
		t.Errorf("%d unlisted before something is missing", n)
	}
	expect(t, s, "http://a/1", "http://a/1 (text/html) as stored \"one\"\n")
	expect(t, s, "http://a/2", "")
	if n := s.Stats().Unlisted; n != 1 {
		t.Errorf("%d unlisted, want 1", n)
	}
	expect(t, s, "http://a/3", "http://a/3 (text/html) as stored \"one\"\n") // its original is listed, without its identifier
	if c := one(t, s, "http://a/3"); !strings.Contains(c.Where, ", archive/data.warc.gz, byte ") || !strings.HasSuffix(c.Where, unlisted) {
		t.Error(c.Where)
	}
	if c := one(t, s, "http://a/1"); strings.Contains(c.Where, unlisted) {
		t.Error(c.Where)
	}
	if got := looked(t, s, "https://a/1"); len(got) != 1 {
		t.Errorf("alike: %q", got)
	}
}

// A package of several WACZ files has them inside, whose archive files may have the same names.
func TestNestedWACZ(t *testing.T) {
	inner := func(url, body string) []byte {
		return zipFile(t, zipped{"archive/data.warc.gz", gz(page(url, body)), true}, zipped{"indexes/i.cdxj", []byte(cdxjLine(url, "20200101000000", "text/html", "-", "GET", 0)), true})
	}
	one, two := inner("http://a/1", "one"), inner("http://a/2", "two")
	deep := zipFile(t, zipped{"2.wacz", two, true})
	path := archiveFile(t, "a.wacz", zipFile(t, zipped{"datapackage.json", []byte(`{"profile": "multi-wacz-package"}`), false},
		zipped{"1.wacz", one, false}, zipped{"deep.wacz", deep, true}, zipped{"bad.wacz", []byte("noise"), false}, zipped{"archive/data.warc.gz", gz(page("http://a/3", "three")), false},
		zipped{"indexes/i.cdxj", []byte(cdxjLine("http://a/3", "20200101000000", "text/html", "-", "GET", 0)), true}))
	if !isWACZ(path) {
		t.Error("it is not taken for WACZ")
	}
	s := open(t, path, Options{})
	expect(t, s, "http://a/1", "http://a/1 (text/html) as stored \"one\"\n")
	expect(t, s, "http://a/2", "http://a/2 (text/html) as stored \"two\"\n")
	expect(t, s, "http://a/3", "http://a/3 (text/html) as stored \"three\"\n")
	for c := range s.Lookup("http://a/2") {
		if want := path + ", deep.wacz, 2.wacz, archive/data.warc.gz, byte 0"; c.Where != want {
			t.Errorf("%s, want %s", c.Where, want)
		}
	}
	if got, want := reasons(s), "1 a WACZ file that is not a zip file, or has too many entries"; got != want {
		t.Errorf("skipped %s, want %s", got, want)
	}
	for range maxNestedWACZ {
		deep = zipFile(t, zipped{"x.wacz", deep, false})
	}
	if s := open(t, archiveFile(t, "a.wacz", zipFile(t, zipped{"archive/data.warc.gz", gz(page("http://a/3", "three")), false}, zipped{"x.wacz", deep, false})), Options{}); s.Stats().Capped() == nil {
		t.Errorf("nobody says that there are too many in one another: %s", reasons(s))
	}
}

func TestWACZWithSeveralFiles(t *testing.T) {
	s := openBytes(t, "a.wacz", zipFile(t,
		zipped{"archive/1.warc.gz", gz(warcRecord("revisit", "http://a/r", "", "WARC-Refers-To: <urn:1>")), false},
		zipped{"archive/2.warc", []byte(page("http://a/", "plain", "WARC-Record-ID: <urn:1>")), false},
		zipped{"archive/3.warc.gz", []byte("noise"), false}))
	expect(t, s, "http://a/", "http://a/ (text/html) as stored \"plain\"\n")
	expect(t, s, "http://a/r", "http://a/r (text/html) as stored \"plain\"\n")
	if got := s.Stats(); got.Files != 3 || got.Kept != 2 || reasons(s) != "1 bytes that are not a record" {
		t.Errorf("%+v", got)
	}
}

func TestWACZThatIsNone(t *testing.T) {
	for name, data := range map[string][]byte{
		"other.zip": zipFile(t, zipped{"pages/a.warc.gz", gz(page("http://a/", "a")), false}),
		"noise":     []byte("PK\x03\x04 and then noise"),
	} {
		if isWACZ(archiveFile(t, name, data)) {
			t.Errorf("%s was taken for a WACZ file", name)
		}
	}
	if _, err := Open(WACZ, archiveFile(t, "a.wacz", zipFile(t, zipped{"archive/a.warc.gz", []byte("noise"), false})), Options{}); err == nil {
		t.Error("a file without records was opened")
	}
}

func FuzzWACZ(f *testing.F) {
	data := zipped{"archive/data.warc.gz", packings[1].pack(waczRecords), false}
	f.Add(zipFile(f, data, zipped{"indexes/index.cdxj", []byte(waczIndex(cdxjLine)), false}))
	f.Add(zipFile(f, data))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := openWACZ(archiveFile(t, "a.wacz", data), Options{})
		if err != nil {
			return
		}
		for url := range waczWant {
			kept(s, url)
		}
	})
}
