package warc

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// cdxj returns a line of CDXJ.
func cdxj(fields string) string { return "com,a)/ 20200102030405 {" + fields + "}\n" }

// readCDX reads an index of the file a.warc of 100 bytes. others means that the index may be about other files, too.
func readCDX(text string, others bool) (*cdxReader, error) {
	x := &cdxReader{parts: []Part{{Path: "a.warc", Size: 100}}, numbers: map[string]uint32{"a.warc": 0},
		useless: map[entry]bool{}, others: others, limit: 100}
	return x, x.read(strings.NewReader(text))
}

// TestIndexLines: which lines of an index give an entry, and which show that the index is unreliable.
func TestIndexLines(t *testing.T) {
	const invalid = "invalid"
	good := `"url": "http://a/", "filename": "a.warc", "offset": "7"`
	for _, row := range []struct{ name, text, want string }{
		{"CDXJ", cdxj(good), "7"},
		{"a number as offset", cdxj(`"url": "http://a/", "filename": "a.warc", "offset": 7`), "7"},
		{"a folder in the name", cdxj(`"url": "http://a/", "filename": "x/a.warc", "offset": "7"`), "7"},
		{"nothing", "", ""},
		{"empty lines and comments", "\n!meta {}\n \n" + cdxj(good) + "\n", "7"},
		{"the last offset", cdxj(`"url": "http://a/", "filename": "a.warc", "offset": "99"`), "99"},
		{"an offset after the end", cdxj(`"url": "http://a/", "filename": "a.warc", "offset": "100"`), invalid},
		{"a negative offset", cdxj(`"url": "http://a/", "filename": "a.warc", "offset": "-1"`), invalid},
		{"the first offset", cdxj(`"url": "http://a/", "filename": "a.warc", "offset": "0"`), "0"},
		{"no offset", cdxj(`"url": "http://a/", "filename": "a.warc"`), invalid},
		{"no URL", cdxj(`"filename": "a.warc", "offset": "7"`), invalid},
		{"no JSON", "com,a)/ 2020 x\n", invalid},
		{"no value", "com,a)/ 2020\n", invalid},
		{"a name of a record", cdxj(`"url": "dns:a", "filename": "a.warc", "offset": "7"`), ""},
		{"POST", cdxj(good + `, "method": "POST"`), "useless 7"},
		{"GET", cdxj(good + `, "method": "GET"`), "7"},
		{"POST in the key", "com,a)/?__wb_method=post&x=y 2020 {" + good + "}\n", "useless 7"},
		{"an unusable status", cdxj(good + `, "status": "206"`), ""},
		{"a number as status", cdxj(good + `, "status": 206`), ""},
		{"a status of a revisit", cdxj(good + `, "status": "304", "mime": "warc/revisit"`), "revisit 7"},
		{"an error", cdxj(good + `, "status": "404"`), "7"},
		{"no status", cdxj(good + `, "status": "-"`), "7"},
		{"CDX", " CDX N b a m s k r M S V g\ncom,a)/ 2020 http://a/ text/html 200 X - - 9 7 a.warc\n", "7"},
		{"CDX of fewer columns", " CDX V a g\n7 http://a/ a.warc\n", "7"},
		{"CDX with a column too few", " CDX V a g\n7 http://a/\n", invalid},
		{"CDX with a column too many", " CDX V a g\n7 http://a/ a.warc x\n", invalid},
		{"CDX of POST", " CDX N V a g\ncom,a)/?__wb_method=PUT 7 http://a/ a.warc\n", "useless 7"},
		{"CDX of a revisit", " CDX V a g m\n7 http://a/ a.warc warc/revisit\n", "revisit 7"},
	} {
		t.Run(row.name, func(t *testing.T) {
			x, err := readCDX(row.text, true)
			var got []string
			for e := range x.entries.all() {
				text := fmt.Sprint(e.member)
				if e.revisit {
					text = "revisit " + text
				}
				if e.url != urlkey.Hash(urlkey.Alike("http://a/")) {
					t.Errorf("entry %+v has another URL", e)
				}
				got = append(got, text)
			}
			for e := range x.useless {
				got = append(got, fmt.Sprint("useless ", e.member))
			}
			if err != nil {
				got = []string{invalid}
			}
			if strings.Join(got, ", ") != row.want {
				t.Errorf("%q, want %q", got, row.want)
			}
		})
	}
}

// TestIndexEntries: what an entry has besides the position.
func TestIndexEntries(t *testing.T) {
	x, err := readCDX(cdxj(`"url": "http://a/", "filename": "a.warc", "offset": "7", "digest": "sha1:ONE"`)+
		cdxj(`"url": "http://a/", "filename": "a.warc", "offset": "8", "digest": "ONE"`)+
		cdxj(`"url": "http://a/", "filename": "a.warc", "offset": "9", "digest": "-"`), true)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC).UnixMicro()
	for i, payload := range []uint64{urlkey.Hash("ONE"), urlkey.Hash("ONE"), 0} {
		if e := x.entries.at(i); e.payload != payload || e.time != at || e.member != int64(7+i) {
			t.Errorf("%+v, want payload %x, time %d", e, payload, at)
		}
	}
}

// TestIndexOfOtherFiles: lines about other files are skipped. If the index should be only about these files, captures
// are lost.
func TestIndexOfOtherFiles(t *testing.T) {
	text := cdxj(`"url": "http://a/", "filename": "b.warc", "offset": "700"`)
	for _, others := range []bool{true, false} {
		t.Run(fmt.Sprint(others), func(t *testing.T) {
			x, err := readCDX(text, others)
			if missing := x.missing.Total(); err != nil || x.entries.len() != 0 || (len(missing.Skipped) == 0) != others ||
				missing.Lost == others {
				t.Errorf("%d entries, missing %+v, %v", x.entries.len(), missing, err)
			}
		})
	}
}

// TestTooManyIndexLines: an index of more records than the file can have is unreliable.
func TestTooManyIndexLines(t *testing.T) {
	line := cdxj(`"url": "http://a/", "filename": "a.warc", "offset": "7"`)
	for n, want := range map[int]error{100: nil, 101: errCDX} {
		if _, err := readCDX(strings.Repeat(line, n), true); err != want {
			t.Errorf("%d lines: %v, want %v", n, err, want)
		}
	}
}

// TestNamesOfIndexes: which indexes belong to an archive file.
func TestNamesOfIndexes(t *testing.T) {
	dir := t.TempDir()
	var want []string
	for _, name := range []string{"c/archive/a.warc.gz.cdx", "c/archive/a.warc.gz.cdxj.gz", "c/archive/a.cdxj",
		"c/warc-cdx/a.warc.gz.cdx", "c/indexes/index.cdxj", "c/indexes/autoindex.cdx.gz"} {
		want = append(want, filepath.Join(dir, filepath.FromSlash(name)))
	}
	for _, other := range []string{"c/archive/b.cdx", "c/archive/a.txt", "c/index.cdxj"} {
		sourcetest.WriteFile(t, "", dir, filepath.FromSlash(other))
	}
	for _, path := range want {
		sourcetest.WriteFile(t, "", path)
	}
	sourcetest.Equal(t, "indexes", indexesOf(filepath.Join(dir, "c", "archive", "a.warc.gz")), want)
	for name, is := range map[string]bool{"a.cdx": true, "a.cdxj": true, "a.cdx.gz": true, "a.cdxj.gz": true, "cdx": false,
		"a.gz": false, "a.cdx.zip": false} {
		if IsIndexName(name) != is {
			t.Errorf("%s is the name of an index: %v", name, !is)
		}
	}
}

// TestOlderIndexes: an index that is older than its file is not used, because the file may have grown.
func TestOlderIndexes(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	a, b := sourcetest.WriteFile(t, "", dir, "a"), sourcetest.WriteFile(t, "", dir, "b")
	for more, want := range map[time.Duration]bool{-time.Second: true, 0: false, time.Second: false} {
		for name, at := range map[string]time.Time{a: now.Add(more), b: now} {
			if err := os.Chtimes(name, at, at); err != nil {
				t.Fatal(err)
			}
		}
		if got := older(a, b); got != want {
			t.Errorf("%v later: older %v", more, got)
		}
	}
	if missing := filepath.Join(dir, "c"); !older(missing, b) || older(a, missing) {
		t.Error("a file that is missing")
	}
}

// TestRecordsThatAnIndexLacks: captures that an index lacks are listed and looked up, too, and counted once.
func TestRecordsThatAnIndexLacks(t *testing.T) {
	one, two := sourcetest.PageRecord("http://a/1", "one"), sourcetest.PageRecord("http://a/2", "two")
	post := sourcetest.WARCRecord("request", "http://a/3", "POST /3 HTTP/1.1\r\n\r\n",
		"Content-Type: application/http; msgtype=request", "WARC-Record-ID: <urn:3>")
	answer := sourcetest.PageRecord("http://a/3", "three", "WARC-Concurrent-To: <urn:3>")
	path := sourcetest.ArchiveFile(t, "a.warc", []byte(one+two+post+answer+one))
	line := func(url string, at int) string {
		return cdxj(fmt.Sprintf(`"url": %q, "filename": "a.warc", "offset": "%d"`, url, at))
	}
	for _, row := range []struct {
		name, index string
		unlisted    int
	}{
		{"the first", line("http://a/1", 0), 2},
		{"the second", line("http://a/2", len(one)), 2},
		{"both", line("http://a/1", 0) + line("http://a/2", len(one)), 1},
		{"both, and one twice", line("http://a/2", len(one)) + line("http://a/1", 0) + line("http://a/1", 0), 1},
		{"the first and the last", line("http://a/1", 0) + line("http://a/1", len(one+two+post+answer)), 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			sourcetest.WriteFile(t, row.index, path+".cdxj")
			s := open(t, path, capture.Options{})
			if got := sourcetest.SkipLine(s); got != "" {
				t.Fatalf("the index is not used: %s", got)
			}
			if got := s.Stats().Unlisted; got != 0 {
				t.Errorf("%d unlisted before a search", got)
			}
			sourcetest.Equal(t, "captures", listed(t, s), []string{`http://a/1 "one"`, `http://a/2 "two"`, `http://a/1 "one"`})
			if got := s.Stats().Unlisted; got != row.unlisted {
				t.Errorf("%d unlisted, want %d", got, row.unlisted)
			}
			list := capture.Excluded(s, "http://a/3")
			if len(list) != 1 || list[0].Reason != "a reply to POST" || list[0].Damaged {
				t.Errorf("excluded: %+v", list)
			}
			for range s.Lookup("http://a/1") {
				break // the search must not go on
			}
			c := sourcetest.LookupOne(t, s, "http://a/2")
			if got := strings.HasSuffix(c.Where, unlisted); got == strings.Contains(row.index, "a/2") {
				t.Errorf("%s is unlisted: %v", c.Where, got)
			}
		})
	}
}

// TestIndexOfOtherRecords: an index may list records that are not captures. They have no candidates.
func TestIndexOfOtherRecords(t *testing.T) {
	request := sourcetest.WARCRecord("request", "http://a/", "GET / HTTP/1.1\r\n\r\n",
		"Content-Type: application/http; msgtype=request")
	for name, row := range map[string]struct{ record, want string }{
		"a request":    {request, ""},
		"metadata":     {sourcetest.WARCRecord("metadata", "http://a/", "x"), ""},
		"a conversion": {sourcetest.WARCRecord("conversion", "http://a/", "x"), ""},
		"a resource":   {sourcetest.WARCRecord("resource", "http://a/", "x"), "http://a/ 2020-01-02 as stored \"x\"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			record := strings.Replace(row.record, "\r\n", "\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n", 1)
			path := sourcetest.ArchiveFile(t, "a.warc", []byte(record))
			sourcetest.WriteFile(t, cdxj(`"url": "http://a/", "filename": "a.warc", "offset": "0"`), path+".cdxj")
			sourcetest.ExpectLookup(t, open(t, path, capture.Options{}), "http://a/", row.want)
		})
	}
}

// TestLongIndexOfFile: an index may have a line for each minRecord bytes of its file, and one more. A longer index is
// unreliable.
func TestLongIndexOfFile(t *testing.T) {
	record := sourcetest.PageRecord("http://a/", "one", "WARC-Date: 2020-01-02T03:04:05Z")
	line := cdxj(`"url": "http://a/", "filename": "a.warc", "offset": "0"`)
	for more, want := range map[int]string{1: "", 2: "1 an index that does not match the archive files"} {
		t.Run(fmt.Sprint(more), func(t *testing.T) {
			path := sourcetest.ArchiveFile(t, "a.warc", []byte(record))
			sourcetest.WriteFile(t, strings.Repeat(line, len(record)/minRecord+more), path+".cdxj")
			s := open(t, path, capture.Options{})
			if got := sourcetest.SkipLine(s); got != want || s.Stats().Kept != 1 {
				t.Errorf("skipped %q, %d kept, want %q", got, s.Stats().Kept, want)
			}
		})
	}
}
