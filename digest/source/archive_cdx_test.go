package source

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// notListed is the end of Where for captures that no index lists.
const notListed = ", which the index does not list"

// waczOf returns a WACZ file with records, one member each, and with indexes. The function of an index returns the line
// for the number of a record and its offset; for CDX and the number -1, it returns the first line.
func waczOf(t testing.TB, records []string, indexes map[string]func(i, offset int) string) []byte {
	t.Helper()
	list := []sourcetest.ZipEntry{{Name: "archive/data.warc.gz", Data: sourcetest.Packings[1].Pack(records),
		Deflated: false}}
	for _, name := range []string{"a.cdx", "b.cdxj", "c.cdxj"} {
		line, ok := indexes[name]
		if !ok {
			continue
		}
		var b strings.Builder
		if name == "a.cdx" {
			b.WriteString(line(-1, 0) + "\n")
		}
		at := 0
		for i, r := range records {
			if text := line(i, at); text != "" {
				b.WriteString(text + "\n")
			}
			at += len(sourcetest.Gzip(r))
		}
		list = append(list, sourcetest.ZipEntry{Name: "indexes/" + name, Data: []byte(b.String()), Deflated: true})
	}
	return sourcetest.Zip(t, list...)
}

// TestIndexHasURLsInAnySpelling: a URL is found even if the index has another spelling of it.
func TestIndexHasURLsInAnySpelling(t *testing.T) {
	records := []string{sourcetest.PageRecord("HTTP://A.example:80/%41/./b#x", "one"),
		sourcetest.PageRecord("http://a.example/c d", "two")}
	urls := []string{"HTTP://A.example:80/%41/./b#x", "http://a.example/c d"}
	s := openBytes(t, "a.wacz", waczOf(t, records, map[string]func(i, offset int) string{
		"b.cdxj": func(i, offset int) string {
			return fmt.Sprintf(`example,a)/ 20200101000000 {"url": %q, "offset": %d, "filename": "data.warc.gz"}`,
				urls[i], offset)
		},
	}))
	if got := sourcetest.SkipLine(s); got != "" {
		t.Fatalf("the index is not used: %s", got)
	}
	for url, want := range map[string]string{"http://a.example/%41/b": "one", "http://a.example/c%20d": "two"} {
		t.Run(url, func(t *testing.T) {
			if got := sourcetest.MustRead(t, sourcetest.LookupOne(t, s, url).Bodies[0]); got != want {
				t.Errorf("%s: %q, want %q", url, got, want)
			}
		})
	}
}

// A revisit in an index is found with any status, and is not used as the original of another one.
func TestIndexHasRevisits(t *testing.T) {
	records := []string{
		sourcetest.PageRecord("http://a/", "body", "WARC-Date: 2020-01-01T00:00:00Z", "WARC-Payload-Digest: sha1:ONE"),
		sourcetest.WARCRecord("revisit", "http://a/", sourcetest.Reply("304 Not Modified", ""),
			"Content-Type: application/http", "WARC-Date: 2021-01-01T00:00:00Z", "WARC-Payload-Digest: sha1:ONE"),
		sourcetest.WARCRecord("revisit", "http://a/", "", "WARC-Date: 2022-01-01T00:00:00Z",
			"WARC-Refers-To-Target-URI: http://a/", "WARC-Refers-To-Date: 2021-01-01T00:00:00Z",
			"WARC-Payload-Digest: sha1:ONE"),
		sourcetest.PageRecord("http://a/part", "b", "WARC-Date: 2020-01-01T00:00:00Z"),
		sourcetest.PageRecord("http://a/unchanged", "", "WARC-Date: 2020-01-01T00:00:00Z"),
	}
	s := openBytes(t, "a.wacz", waczOf(t, records, map[string]func(i, offset int) string{
		"b.cdxj": func(i, offset int) string {
			return fmt.Sprintf(`a)/ %d0101000000 {"url": "http://a/%s", "mime": "%s", "status": "%s", "digest": `+
				`"sha1:ONE", "offset": %d, "filename": "x/data.warc.gz"}`,
				[]int{2020, 2021, 2022, 2020, 2020}[i], []string{"", "", "", "part", "unchanged"}[i],
				[]string{"text/html", "warc/revisit", "warc/revisit", "text/html", "text/html"}[i],
				[]string{"200", "304", "-", "206", "304"}[i], offset)
		},
	}))
	sourcetest.ExpectLookup(t, s, "http://a/", `http://a/ (text/html) 2020-01-01 as stored "body"
http://a/ (text/html) 2021-01-01 as stored "body"
http://a/ (text/html) 2022-01-01 as stored "body"
`)
	if got := sourcetest.SkipLine(s); got != "1 a part of a file (status 206); 1 a reply without a body (status 304)" {
		t.Errorf("skipped %s", got)
	}
	if got := s.Stats().Kept; got != 3 {
		t.Errorf("%d kept, want 3", got)
	}
}

// TestIndexWithoutDigests: if an index lacks the payload digest, the original of a revisit is found by URL and date.
func TestIndexWithoutDigests(t *testing.T) {
	records := []string{
		sourcetest.PageRecord("http://a/", "body", "WARC-Date: 2020-01-01T00:00:00Z", "WARC-Payload-Digest: sha1:ONE"),
		sourcetest.WARCRecord("revisit", "http://a/r", "", "WARC-Date: 2021-01-01T00:00:00Z",
			"WARC-Payload-Digest: sha1:ONE",
			"WARC-Refers-To-Target-URI: http://a/", "WARC-Refers-To-Date: 2020-01-01T00:00:00Z"),
	}
	urls, dates := []string{"http://a/", "http://a/r"}, []string{"20200101000000", "20210101000000"}
	kinds := []string{"text/html", "warc/revisit"}
	for name, line := range map[string]func(i, offset int) string{
		"CDX without the column": func(i, offset int) string {
			if i < 0 {
				return " CDX N b a m V g"
			}
			return fmt.Sprintf("a)/ %s %s %s %d data.warc.gz", dates[i], urls[i], kinds[i], offset)
		},
		"CDX with nothing in the column": func(i, offset int) string {
			if i < 0 {
				return " CDX N b a m k V g"
			}
			return fmt.Sprintf("a)/ %s %s %s - %d data.warc.gz", dates[i], urls[i], kinds[i], offset)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := openBytes(t, "a.wacz", waczOf(t, records, map[string]func(i, offset int) string{"a.cdx": line}))
			sourcetest.ExpectLookup(t, s, "http://a/r", "http://a/r (text/html) 2021-01-01 as stored \"body\"\n")
			if got := sourcetest.SkipLine(s); got != "" {
				t.Errorf("%s: skipped %s", name, got)
			}
		})
	}
}

// TestIndexesOfTwoForms: the columns of one index do not apply to the next index.
func TestIndexesOfTwoForms(t *testing.T) {
	records := []string{sourcetest.PageRecord("http://a/1", "one"), sourcetest.PageRecord("http://a/2", "two"),
		sourcetest.PageRecord("http://a/hidden", "no")}
	s := openBytes(t, "a.wacz", waczOf(t, records, map[string]func(i, offset int) string{
		"a.cdx": func(i, offset int) string {
			switch i {
			case -1:
				return " CDX a V g"
			case 0:
				return fmt.Sprintf("http://a/1 %d data.warc.gz", offset)
			}
			return ""
		},
		"b.cdxj": func(i, offset int) string {
			if i != 1 {
				return ""
			}
			return fmt.Sprintf(`a)/2 20200101000000 {"url": "http://a/2", "offset": %d, "filename": "data.warc.gz"}`,
				offset)
		},
	}))
	sourcetest.ExpectLookup(t, s, "http://a/1", "http://a/1 (text/html) as stored \"one\"\n")
	sourcetest.ExpectLookup(t, s, "http://a/2", "http://a/2 (text/html) as stored \"two\"\n")
	if c := sourcetest.LookupOne(t, s, "http://a/hidden"); !strings.HasSuffix(c.Where, notListed) {
		t.Errorf("an index is not used: %s", c.Where)
	}
	if got := sourcetest.SkipLine(s); got != "" {
		t.Errorf("skipped %s", got)
	}
}

// TestIndexThatIsNotTrusted: an index with an impossible line is not used, and this is reported.
func TestIndexThatIsNotTrusted(t *testing.T) {
	records := []string{sourcetest.PageRecord("http://a/1", "one"), sourcetest.PageRecord("http://a/hidden", "found")}
	good := func(i, offset int) string {
		if i != 0 {
			return ""
		}
		return fmt.Sprintf(`a)/1 20200101000000 {"url": "http://a/1", "offset": "%d", "filename": "data.warc.gz"}`,
			offset)
	}
	size := 0
	for _, r := range records {
		t.Run(r, func(t *testing.T) {
			size += len(sourcetest.Gzip(r))
		})
	}
	comment := strings.Repeat("!", (1<<20)-2)
	for name, lines := range map[string]struct {
		text    string
		trusted bool
	}{
		"blank lines and comments": {"\n \t\n!meta 0 {}\n", true},
		"not a URL to retrieve": {`dns:a 20200101000000 {"url": "dns:a", "offset": "0", "filename": ` +
			`"data.warc.gz"}` + "\n", true},
		"the longest line":        {comment + "\n", true},
		"a line that is too long": {comment + "!!!\n", false},
		"no JSON":                 {"a)/ 20200101000000 {\n", false},
		"a field of another type": {`a)/1 20200101000000 {"url": "http://a/1", "offset": "0", "filename": ` +
			`"data.warc.gz", "mime": 7}` + "\n", false},
		"no date": {"a)/ {}\n", false},
		"no URL":  {`a)/ 20200101000000 {"offset": "0", "filename": "data.warc.gz"}` + "\n", false},
		"no offset": {`a)/ 20200101000000 {"url": "http://a/", "filename": "data.warc.gz"}` + "\n",
			false},
		"an offset that is negative": {`a)/ 20200101000000 {"url": "http://a/", "offset": "-1", "filename": ` +
			`"data.warc.gz"}` + "\n", false},
		"an offset beyond the file": {fmt.Sprintf(`a)/ 20200101000000 {"url": "http://a/", "offset": "%d", `+
			`"filename": "data.warc.gz"}`+"\n", size), false},
		"another file": {`a)/ 20200101000000 {"url": "http://a/", "offset": "0", "filename": ` +
			`"other.warc.gz"}` + "\n", true},
		"CDX with a column too few": {" CDX a V g\nhttp://a/1 0\n", false},
		"as many records as there can be": {strings.Repeat(
			`a)/1 20200101000000 {"url": "http://a/1", "offset": "0", "filename": "data.warc.gz"}`+"\n", size/16),
			true},
		"more records than there can be": {strings.Repeat(
			`a)/1 20200101000000 {"url": "http://a/1", "offset": "0", "filename": "data.warc.gz"}`+"\n", size/16+1),
			false},
	} {
		t.Run(name, func(t *testing.T) {
			s := openBytes(t, "a.wacz", waczOf(t, records, map[string]func(i, offset int) string{
				"b.cdxj": good,
				"c.cdxj": func(i, offset int) string {
					if i != 0 {
						return ""
					}
					return strings.TrimSuffix(lines.text, "\n")
				},
			}))
			sourcetest.ExpectLookup(t, s, "http://a/1", "http://a/1 (text/html) as stored \"one\"\n")
			used := strings.HasSuffix(sourcetest.LookupOne(t, s, "http://a/hidden").Where, notListed)
			skipped, wantSkipped := sourcetest.SkipLine(s), "1 an index that does not match the archive files"
			missing := name == "another file"
			switch {
			case missing:
				wantSkipped = "1 a record in an index, whose archive file is missing"
			case lines.trusted:
				wantSkipped = ""
			}
			if lost := s.Stats().Lost; used != lines.trusted || skipped != wantSkipped || lost != missing {
				t.Errorf("%s: skipped %q, the index is used: %v, a file is lost: %v", name, skipped, used, lost)
			}
		})
	}
}

// A revisit does not get the body of another record because an index says so.
func TestIndexIsNotBelievedAboutOriginals(t *testing.T) {
	// When the file is opened, only a sample of 16 entries is checked, so a single wrong one is not noticed.
	var records []string
	for i := range 100 {
		records = append(records, sourcetest.PageRecord(fmt.Sprintf("http://a/%d", i), fmt.Sprint(i),
			"WARC-Date: 2020-01-01T00:00:00Z", fmt.Sprintf("WARC-Record-ID: <urn:%d>", i),
			fmt.Sprintf("WARC-Payload-Digest: sha1:%d", i)))
	}
	for name, fields := range map[string][]string{
		"by URL":    {"WARC-Refers-To-Target-URI: http://a/lie", "WARC-Refers-To-Date: 2020-01-01T00:00:00Z"},
		"by digest": {"WARC-Payload-Digest: sha1:LIE"},
	} {
		t.Run(name, func(t *testing.T) {
			revisit := sourcetest.WARCRecord("revisit", "http://a/r", "",
				append(fields, "WARC-Date: 2021-01-01T00:00:00Z")...)
			s := openBytes(t, "a.wacz", waczOf(t, append(records, revisit), map[string]func(i, offset int) string{
				"b.cdxj": func(i, offset int) string {
					url, mime, digest := fmt.Sprintf("http://a/%d", i), "text/html", fmt.Sprint(i)
					if i == len(records) {
						url, mime, digest = "http://a/r", "warc/revisit", "LIE"
					}
					line := func(url, digest string) string {
						return fmt.Sprintf(`a)/ 20200101000000 {"url": %q, "mime": %q, "digest": "sha1:%s", "offset": `+
							`%d, "filename": "data.warc.gz"}`, url, mime, digest, offset)
					}
					if i != 50 {
						return line(url, digest)
					}
					return line(url, "LIE") + "\n" + line("http://a/lie", digest)
				},
			}))
			if got := sourcetest.SkipLine(s); got != "" {
				t.Fatalf("%s: the index is not used: %s", name, got)
			}
			if got := sourcetest.Describe(s, "http://a/r"); !strings.HasPrefix(got, "error: ") ||
				!strings.Contains(got, "a revisit of a record that is not in any source") {
				t.Errorf("%s: %s", name, got)
			}
		})
	}
}

// TestIndexWithoutStatus: if an index lacks the status, the record still shows that a partial response is unusable.
func TestIndexWithoutStatus(t *testing.T) {
	records := []string{sourcetest.PageRecord("http://a/1", "one"),
		sourcetest.WARCRecord("response", "http://a/part", sourcetest.Reply("206 Partial Content", "p"),
			"Content-Type: application/http")}
	s := openBytes(t, "a.wacz", waczOf(t, records, map[string]func(i, offset int) string{
		"b.cdxj": func(i, offset int) string {
			return fmt.Sprintf(`a)/1 20200101000000 {"url": "http://a/%s", "offset": "%d", "filename": "data.warc.gz"}`,
				[]string{"1", "part"}[i], offset)
		},
	}))
	sourcetest.LookupOne(t, s, "http://a/1")
	sourcetest.ExpectLookup(t, s, "http://a/part", "")
}

// TestWACZDamaged: a damaged entry of the zip file is reported.
func TestWACZDamaged(t *testing.T) {
	good := sourcetest.ZipEntry{Name: "archive/a.warc", Data: []byte(sourcetest.PageRecord("http://a/1", "one")),
		Deflated: false}
	var body strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&body, "%x", i*i)
	}
	b := sourcetest.Zip(t, good, sourcetest.ZipEntry{Name: "archive/b.warc",
		Data: []byte(sourcetest.PageRecord("http://a/2", body.String())), Deflated: true})
	flip := len(b) / 2 // after what is read to tell how a file is compressed
	b[flip] ^= 0xff
	s := openBytes(t, "a.wacz", b)
	sourcetest.LookupOne(t, s, "http://a/1")
	sourcetest.ExpectLookup(t, s, "http://a/2", "")
	if got := sourcetest.SkipLine(s); got != "1 a damaged or unsupported entry of the zip file" {
		t.Errorf("skipped %s", got)
	}
}

// withIndex writes a WARC file of three records, with index next to it as a CDXJ file. The index is newer than the WARC
// file by the given duration.
func withIndex(t *testing.T, name, index string, newer time.Duration) string {
	t.Helper()
	dir := t.TempDir()
	file := sourcetest.WriteFile(t,
		string(sourcetest.Packings[1].Pack([]string{sourcetest.PageRecord("http://a/1", "one"),
			sourcetest.PageRecord("http://a/2", "two", "WARC-Date: 2020-01-01T00:00:00Z"),
			sourcetest.WARCRecord("revisit", "http://a/r", "", "WARC-Refers-To-Target-URI: http://a/2",
				"WARC-Refers-To-Date: 2020-01-01T00:00:00Z")})), dir, name)
	now := time.Now()
	list := sourcetest.WriteFile(t, index, dir, strings.TrimSuffix(name, ".warc.gz")+".cdxj")
	if err := errors.Join(os.Chtimes(file, now, now), os.Chtimes(list, now, now.Add(newer))); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestIndexBesideAFile: an index next to an archive file is used if it is not older than the file. Captures that it
// lacks are searched in the file, and Where says so.
func TestIndexBesideAFile(t *testing.T) {
	const line = `a)/1 20200101000000 {"url": "http://a/1", "offset": "0", "filename": "x.warc.gz"}` + "\n"
	const other = `b)/1 20200101000000 {"url": "http://b/1", "offset": "0", "filename": "other.warc.gz"}` + "\n"
	for _, row := range []struct {
		name, index string
		newer       time.Duration
		used        bool
		skipped     string
	}{
		{"newer", other + line, time.Second, true, ""},
		{"as old", line, 0, true, ""},
		{"older", line, -time.Second, false, ""},
		{"two indexes in one", line + line, time.Second, true, ""},
		{"of others", other, time.Second, false, ""},
		{"noise", "noise", time.Second, false, "1 an index that does not match the archive files"},
		{"another offset", strings.Replace(line, `"0"`, `"9"`, 1), time.Second, false, "1 an index that does not match the archive files"},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, folder := range []bool{false, true} {
				path := withIndex(t, "x.warc.gz", row.index, row.newer)
				if folder {
					path = filepath.Dir(path)
				}
				s := opened(t, "", path)
				want := 3
				if row.used {
					want = 1
				}
				if got := s.Stats(); got.Kept != want || sourcetest.SkipLine(s) != row.skipped {
					t.Errorf("%s: %+v, want %d kept", row.name, got, want)
				}
				if got := sourcetest.LookupOne(t, s, "http://a/1"); sourcetest.MustRead(t, got.Bodies[0]) != "one" ||
					strings.Contains(got.Where, "does not list") {
					t.Errorf("%s: %s", row.name, got.Where)
				}
				if got := sourcetest.LookupOne(t, s, "http://a/2"); sourcetest.MustRead(t, got.Bodies[0]) != "two" ||
					strings.HasSuffix(got.Where, notListed) != row.used {
					t.Errorf("%s: %s", row.name, got.Where)
				}
				sourcetest.LookupOne(t, s, "http://a/r")
			}
		})
	}
}

// An index may list some captures of a URL and not others; those that it lists come first.
func TestIndexListsSomeCaptures(t *testing.T) {
	dir := t.TempDir()
	first := sourcetest.PageRecord("http://a/", "listed", "WARC-Date: 2021-01-01T00:00:00Z")
	file := sourcetest.WriteFile(t,
		first+sourcetest.PageRecord("http://a/", "not listed", "WARC-Date: 2020-01-01T00:00:00Z"), dir, "x.warc")
	sourcetest.WriteFile(t, `a)/ 2021 {"url": "http://a/", "offset": "0", "filename": "x.warc"}`+"\n", dir, "x.cdxj")
	list := sourcetest.Lookup(t, opened(t, "", file), "http://a/")
	if len(list) != 2 || sourcetest.MustRead(t, list[0].Bodies[0]) != "listed" ||
		sourcetest.MustRead(t, list[1].Bodies[0]) != "not listed" || !strings.HasSuffix(list[1].Where, notListed) {
		t.Errorf("%+v", list)
	}
}

// TestIndexBesideAFileSaysTheMethod: a response that the index assigns to another method than GET is not found, even if
// the file is read later.
func TestIndexBesideAFileSaysTheMethod(t *testing.T) {
	for _, line := range []string{
		`a)/1?__wb_method=POST&x=1 20200101000000 {"url": "http://a/1", "offset": "0", "filename": "x.warc.gz"}`,
		`a)/1 20200101000000 {"url": "http://a/1", "offset": "0", "filename": "x.warc.gz", "method": "POST"}`,
		" CDX N b a V g\na)/1?__wb_method=post 20200101000000 http://a/1 0 x.warc.gz",
	} {
		t.Run(line, func(t *testing.T) {
			second := fmt.Sprintf("\na)/2 20200101000000 %s",
				map[bool]string{true: fmt.Sprintf("http://a/2 %d x.warc.gz\n",
					len(sourcetest.Gzip(sourcetest.PageRecord("http://a/1", "one")))),
					false: fmt.Sprintf("{\"url\": \"http://a/2\", \"offset\": %d, \"filename\": \"x.warc.gz\"}\n",
						len(sourcetest.Gzip(sourcetest.PageRecord("http://a/1", "one"))))}[strings.HasPrefix(line, " CDX")])
			s := opened(t, "", withIndex(t, "x.warc.gz", line+second, time.Second))
			if list := sourcetest.Lookup(t, s, "http://a/1"); len(list) > 0 {
				t.Errorf("%s: a reply to POST is found in %s", line, list[0].Where)
			}
			sourcetest.LookupOne(t, s, "http://a/2")
		})
	}
}
