package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// openBytes opens a source with these data.
func openBytes(t testing.TB, name string, data []byte) Source {
	t.Helper()
	kind := kindNamed(name)
	if kind == "" {
		kind = WARC
	}
	return opened(t, kind, sourcetest.ArchiveFile(t, name, data))
}

func TestWARC(t *testing.T) {
	for _, p := range sourcetest.Packings {
		t.Run(p.Name, func(t *testing.T) {
			s := openBytes(t, "sample", p.Pack(sourcetest.SampleArchive.Records))
			for url, want := range sourcetest.SampleArchive.Want {
				sourcetest.ExpectLookup(t, s, url, want)
			}
			if got := sourcetest.SkipLine(s); got != sourcetest.SampleArchive.Skips {
				t.Errorf("skipped %s, want %s", got, sourcetest.SampleArchive.Skips)
			}
			if got := s.Stats(); got.Files != 1 || got.Kept != 13 {
				t.Errorf("%d files, %d kept, want 1 and 13", got.Files, got.Kept)
			}
			if got := sourcetest.Describe(s, "http://example.com/coded"); !strings.Contains(got,
				` decoded "decoded"`) {
				t.Errorf("coded: %s", got)
			}
			if got := sourcetest.Describe(s, "http://example.com/lost"); !strings.Contains(got,
				"a revisit of a record that no source has as a capture") {
				t.Errorf("lost: %s", got)
			}
		})
	}
}

func TestWhereNamesFileAndPlace(t *testing.T) {
	path := sourcetest.ArchiveFile(t, "a.warc.gz", sourcetest.Packings[1].Pack(sourcetest.SampleArchive.Records))
	first := len(sourcetest.Gzip(sourcetest.SampleArchive.Records[0]))
	second := first + len(sourcetest.Gzip(sourcetest.SampleArchive.Records[1])) +
		len(sourcetest.Gzip(sourcetest.SampleArchive.Records[2]))
	for c, err := range opened(t, "", path).Lookup("http://example.com/by-url") {
		want := fmt.Sprintf(", a revisit of %s, byte %d", path, second)
		if err != nil || !strings.HasPrefix(c.Where, path+", byte ") || !strings.HasSuffix(c.Where, want) {
			t.Errorf("%v, %v, want …%s", c, err, want)
		}
	}
}

// TestWhereNamesInflatedPlace: if records share a member, Where also has the number of decoded bytes before the record.
func TestWhereNamesInflatedPlace(t *testing.T) {
	records := []string{sourcetest.PageRecord("http://a/1", "one"), sourcetest.PageRecord("http://a/2", "two")}
	path := sourcetest.ArchiveFile(t, "a.warc.gz", sourcetest.Packings[2].Pack(records))
	s := opened(t, "", path)
	if got, want := sourcetest.LookupOne(t, s, "http://a/1").Where, path+", byte 0"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := sourcetest.LookupOne(t, s, "http://a/2").Where,
		fmt.Sprintf("%s, byte 0, inflated byte %d", path, len(records[0])); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestTruncatedRecordIsLoose: a truncated record is uncertain. For a revisit, only the truncation of the original
// counts.
func TestTruncatedRecordIsLoose(t *testing.T) {
	s := openBytes(t, "a.warc", []byte(
		sourcetest.PageRecord("http://a/cut", "one", "WARC-Truncated: length", "WARC-Payload-Digest: sha1:1")+
			sourcetest.PageRecord("http://a/whole", "two", "WARC-Payload-Digest: sha1:2")+
			sourcetest.WARCRecord("revisit", "http://a/of-cut", "", "WARC-Payload-Digest: sha1:1")+
			sourcetest.WARCRecord("revisit", "http://a/of-whole", "", "WARC-Payload-Digest: sha1:2",
				"WARC-Truncated: length")))
	for url, want := range map[string]bool{"http://a/cut": true, "http://a/whole": false, "http://a/of-cut": true,
		"http://a/of-whole": false} {
		t.Run(url, func(t *testing.T) {
			if got := sourcetest.LookupOne(t, s, url).Doubt != ""; got != want {
				t.Errorf("%s: uncertain %v, want %v", url, got, want)
			}
		})
	}
}

func TestARC(t *testing.T) {
	v1 := func(url, media, block string) string {
		return fmt.Sprintf("%s 127.0.0.1 20010203040506 %s %d\n%s\n", url, media, len(block), block)
	}
	v2 := func(url, media, block string) string {
		return fmt.Sprintf("%s 127.0.0.1 20010203040506 %s 200 - - 0 a.arc %d\n%s\n", url, media, len(block), block)
	}
	for _, version := range []struct {
		name, about string
		record      func(url, media, block string) string
	}{
		{"v1", "1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n", v1},
		{"v2", "2 0 Test\nURL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename " +
			"Archive-length\n", v2},
	} {
		records := []string{
			version.record("filedesc://a.arc", "text/plain", version.about),
			version.record("http://a/", "text/html",
				sourcetest.Reply("200 OK", "page", "Content-Type: text/html; charset=x")),
			version.record("http://a/with a blank", "text/html", sourcetest.Reply("200 OK", "blank")),
			version.record("http://a/old", "image/gif", "no header"),
			version.record("dns:a", "text/dns", "20010203040506\n"),
			version.record("http://a/moved", "text/html", sourcetest.Reply("301 Moved", "", "Location: http://b/")),
		}
		for _, p := range sourcetest.Packings {
			t.Run(version.name+" "+p.Name, func(t *testing.T) {
				s := openBytes(t, "sample", p.Pack(records))
				sourcetest.ExpectLookup(t, s, "http://a",
					"http://a/ (text/html; charset=x) 2001-02-03 stored \"page\"\n")
				sourcetest.ExpectLookup(t, s, "http://a/with a blank",
					"http://a/with a blank 2001-02-03 stored \"blank\"\n")
				sourcetest.ExpectLookup(t, s, "http://a/old",
					"http://a/old (image/gif) 2001-02-03 stored \"no header\"\n")
				sourcetest.ExpectLookup(t, s, "http://a/moved", "http://a/moved 2001-02-03 → http://b/\n")
				if got := sourcetest.SkipLine(s); got != "" {
					t.Errorf("skipped %s", got)
				}
			})
		}
		t.Run(version.name+" with a wrong length", func(t *testing.T) {
			bad := strings.Replace(records[1],
				fmt.Sprintf(" %d\n", len(sourcetest.Reply("200 OK", "page", "Content-Type: text/html; charset=x"))),
				" 333\n", 1)
			s := openBytes(t, "a.arc", []byte(records[0]+bad+records[2]+records[3]))
			sourcetest.ExpectLookup(t, s, "http://a/with a blank",
				"http://a/with a blank 2001-02-03 stored \"blank\"\n")
			sourcetest.ExpectLookup(t, s, "http://a/old",
				"http://a/old (image/gif) 2001-02-03 stored \"no header\"\n")
			if got := sourcetest.SkipLine(s); got != "1 a record that is cut off or has a wrong length" {
				t.Errorf("skipped %s", got)
			}
		})
	}
}

// Old ARC files have broken headers, dashes for unknown values, and no record about themselves.
func TestARCAsItIs(t *testing.T) {
	record := func(url, block string) string {
		return fmt.Sprintf("%s 127.0.0.1 20010203040506 text/html %d\n%s\n", url, len(block), block)
	}
	one, two, three := record("http://a/1", sourcetest.Reply("200 OK", "one")),
		record("http://a/2", sourcetest.Reply("200 OK", "two")),
		record("http://a/3", sourcetest.Reply("200 OK", "three"))
	about := "1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n"
	dashes := fmt.Sprintf("filedesc://a.arc - - text/plain %d\n%s\n", len(about), about)
	header, _, _ := strings.Cut(two, "\n")
	broken := func(header string) string { return strings.Replace(two, two[:strings.IndexByte(two, '\n')], header, 1) }
	const notARecord = "1 a range of bytes that is not a record"
	for _, row := range []struct{ name, data, want, skips string }{
		{"a header without a length", one + broken(header[:strings.LastIndexByte(header, ' ')]) + three, "13",
			notARecord},
		{"a header without a date", one + broken("http://a/2 127.0.0.1 text/html 35") + three, "13", notARecord},
		{"a header that is cut off", one + broken("http://a/2") + three, "13", notARecord},
		{"a broken header at the end", one + three + "http://a/2 127.0.0.1\n", "13", notARecord},
		{"a length that is too short",
			strings.Replace(one, fmt.Sprintf(" %d\n", len(sourcetest.Reply("200 OK", "one"))), " 5\n", 1) + two + three,
			"23", "1 a record that is cut off or has a wrong length"},
		{"a length that is one too small", strings.Replace(one, fmt.Sprintf(" %d\n", len(sourcetest.Reply("200 OK", "one"))),
			fmt.Sprintf(" %d\n", len(sourcetest.Reply("200 OK", "one"))-1), 1) + two + three, "23",
			"1 a record that is cut off or has a wrong length"},
		{"dashes", dashes + one + two, "12", ""},
		{"a first line that cannot be read", strings.Replace(dashes, " - - ", " ", 1) + one + two, "12", notARecord},
		{"nothing about the file", one + two + three, "123", ""},
		{"an unknown address", strings.Replace(one, "127.0.0.1", "-", 1) + two, "12", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := openBytes(t, "a.arc", []byte(row.data))
			for i, body := range []string{"one", "two", "three"} {
				want := fmt.Sprintf("http://a/%d 2001-02-03 stored %q\n", i+1, body)
				if !strings.Contains(row.want, fmt.Sprint(i+1)) {
					want = ""
				}
				sourcetest.ExpectLookup(t, s, fmt.Sprintf("http://a/%d", i+1), want)
			}
			if got := sourcetest.SkipLine(s); got != row.skips {
				t.Errorf("skipped %q, want %q", got, row.skips)
			}
		})
	}
}

// TestARCWithDamagedBeginning: ARC records are found even if the record about the file is damaged.
func TestARCWithDamagedBeginning(t *testing.T) {
	record := "http://a/1 127.0.0.1 20010203040506 text/html 3\none\n"
	s := openBytes(t, "of.archive.arc", []byte("- - - - text/plain 9\n1 0 Test\n\n"+record))
	sourcetest.ExpectLookup(t, s, "http://a/1", "http://a/1 (text/html) 2001-02-03 stored \"one\"\n")
}

// Lines of a header may be folded (ISO 28500:2017, 4), and some programs write the version in lower case.
func TestWARCAsItIs(t *testing.T) {
	folded := strings.Replace(sourcetest.PageRecord("http://a/1", "one", "WARC-Payload-Digest: sha1:1"),
		"Content-Type: application/http; msgtype=response", "Content-Type:\r\n application/http;\r\n\tmsgtype=response",
		1)
	folded = strings.Replace(folded, "WARC-Target-URI: http://a/1", "WARC-Target-URI:\r\n   http://a/1  ", 1)
	lower := strings.Replace(sourcetest.PageRecord("http://a/2", "two"), "WARC/1.0", "warc/1.0", 1)
	for _, p := range sourcetest.Packings {
		for _, records := range [][]string{{folded, lower}, {lower, folded}, {lower, "noise\r\n", lower, folded}} {
			s := openBytes(t, "a.warc", p.Pack(records))
			sourcetest.ExpectLookup(t, s, "http://a/1", "http://a/1 (text/html) stored \"one\"\n")
			if !strings.Contains(sourcetest.Describe(s, "http://a/2"), "stored \"two\"\n") {
				t.Errorf("%s: %s", p.Name, sourcetest.Describe(s, "http://a/2"))
			}
		}
	}
}

func TestWARCFolder(t *testing.T) {
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, "below"), 0o700)
	for name, data := range map[string][]byte{
		"b.warc": []byte(sourcetest.PageRecord("http://a/", "2") + sourcetest.WARCRecord("revisit",
			"http://a/r", "", "WARC-Payload-Digest: sha1:c")),
		"a.WARC.gz":       sourcetest.Gzip(sourcetest.PageRecord("http://a/", "1")),
		"below/c.warc":    []byte(sourcetest.PageRecord("http://a/", "3", "WARC-Payload-Digest: sha1:c")),
		"below/d.arc.gz":  sourcetest.Gzip("http://a/ 1.1.1.1 20200101000000 text/html 4\nbody\n"),
		"below/e.warc.gz": sourcetest.Gzip("nothing"),
		"below/f.warc":    nil,
		"other.txt":       []byte(sourcetest.PageRecord("http://a/", "no")),
	} {
		t.Run(name, func(t *testing.T) {
			os.WriteFile(filepath.Join(dir, name), data, 0o600)
		})
	}
	s := opened(t, "", dir)
	sourcetest.ExpectLookup(t, s, "http://a/", `http://a/ (text/html) stored "1"
http://a/ (text/html) stored "2"
http://a/ (text/html) stored "3"
http://a/ (text/html) 2020-01-01 stored "body"
`)
	sourcetest.ExpectLookup(t, s, "http://a/r", "http://a/r (text/html) stored \"3\"\n")
	if got := s.Stats(); got.Files != 6 || got.Kept != 5 ||
		sourcetest.SkipLine(s) != "1 a range of bytes that is not a record" {
		t.Errorf("got %+v", got)
	}
}

// TestWARCFolderWithHoles: unreadable files in a folder do not prevent reading the others, and the path of a folder may
// be a symbolic link.
func TestWARCFolderWithHoles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links take a privilege")
	}
	dir := t.TempDir()
	folder, link := filepath.Join(dir, "crawl"), filepath.Join(dir, "latest")
	if err := errors.Join(
		os.Mkdir(folder, 0o700),
		os.WriteFile(filepath.Join(folder, "a.warc"), []byte(sourcetest.PageRecord("http://a/", "1")), 0o600),
		os.Symlink("gone", filepath.Join(folder, "0.warc")),
		os.Symlink("gone", filepath.Join(folder, "not-an-archive")),
		os.Symlink(".", filepath.Join(folder, "loop")),
		os.Symlink("crawl", link),
	); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{folder, link} {
		t.Run(path, func(t *testing.T) {
			s := opened(t, "", path)
			sourcetest.ExpectLookup(t, s, "http://a/", "http://a/ (text/html) stored \"1\"\n")
			if got := sourcetest.SkipLine(s); got != "1 a file that cannot be read" {
				t.Errorf("%s: skipped %q", path, got)
			}
		})
	}
}

// WARC files in zstd, with and without a dictionary, are refused. In a folder they are skipped, and nothing is certain.
func TestZstd(t *testing.T) {
	for name, start := range map[string]string{"frame": "\x28\xb5\x2f\xfd", "dictionary": "\x5d\x2a\x4d\x18",
		"skippable frame": "\x50\x2a\x4d\x18"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := sourcetest.WriteFile(t, start+"data", dir, "a.warc.zst")
			const remedy = "webcap does not read WARC files in zstd; decompress the file first, e.g. with zstd -d"
			if _, err := Open("", path); err == nil || err.Error() != "warc "+path+": "+remedy {
				t.Errorf("error %v", err)
			}
			for f, err := range Files(strings.NewReader(start+"data"), int64(len(start)+4), "x.warc.zst") {
				if err == nil || err.Error() != remedy {
					t.Errorf("%v, %v", f, err)
				}
			}
			sourcetest.WriteFile(t, sourcetest.PageRecord("http://a/", "1"), dir, "b.warc")
			s := opened(t, Folder, dir)
			if list := s.Stats().Skipped; len(list) != 1 || !strings.HasSuffix(list[0].First, remedy) || !s.Stats().Lost {
				t.Errorf("%+v", s.Stats())
			}
		})
	}
}

func TestWARCWithoutRecords(t *testing.T) {
	for name, data := range map[string][]byte{
		"empty.warc":      nil,
		"noise.warc":      bytes.Repeat([]byte("noise\n"), 1000),
		"cut.warc.gz":     sourcetest.Gzip(sourcetest.PageRecord("http://a/", "1"))[:20],
		"nothing.warc.gz": sourcetest.Gzip(""),
		"blank.warc":      []byte("\r\n\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			if s, err := Open(WARC, sourcetest.ArchiveFile(t, name, data)); err == nil {
				t.Errorf("%s: opened: %+v", name, s.Stats())
			} else if name == "noise.warc" && !strings.Contains(err.Error(), ": a range of bytes that is not a record") ||
				name == "blank.warc" && !strings.HasSuffix(err.Error(), ": it has no records") {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if _, err := Open(WARC, filepath.Join(t.TempDir(), "missing.warc")); err == nil {
		t.Error("a missing file was opened")
	}
}

// TestCutAnywhere checks that all complete records of a truncated file are found.
func TestCutAnywhere(t *testing.T) {
	var records []string
	for i := range 3 {
		records = append(records, sourcetest.PageRecord(fmt.Sprintf("http://a/%d", i), strings.Repeat("body", i)))
	}
	for _, p := range sourcetest.Packings {
		t.Run(p.Name, func(t *testing.T) {
			whole := p.Pack(records)
			var ends []int // of the first record, of the first two, and so on
			for i := range records {
				ends = append(ends, len(p.Pack(records[:i+1])))
			}
			last := -1
			path := filepath.Join(t.TempDir(), "cut.warc")
			step := 3
			if os.Getenv("WEBCAP_TEST_ALL") != "" {
				step = 1
			}
			for n := len(whole) % step; n <= len(whole); n += step {
				os.WriteFile(path, whole[:n], 0o600)
				s, err := Open(WARC, path)
				have := -1
				if err == nil {
					for i := range records {
						want := fmt.Sprintf("http://a/%d (text/html) stored %q\n", i, strings.Repeat("body", i))
						if got := sourcetest.Describe(s, fmt.Sprintf("http://a/%d", i)); got == want && have == i-1 {
							have = i
						} else if got != "" {
							t.Fatalf("cut at %d: %s", n, got)
						}
					}
				}
				if have < last {
					t.Fatalf("cut at %d: %d records, %d when it was shorter", n, have+1, last+1)
				}
				if last = have; strings.HasSuffix(p.Name, "per record") || p.Name == "plain" {
					if have+1 < len(records) && n >= ends[have+1] {
						t.Fatalf("cut at %d: %d records, although one more is before %d", n, have+1, ends[have+1])
					}
				}
			}
			if last != len(records)-1 {
				t.Errorf("%d records in all", last+1)
			}
		})
	}
}

// TestFlipAnywhere: a flipped bit affects only one record, and never gives wrong data.
func TestFlipAnywhere(t *testing.T) {
	var records []string
	var want []string
	for i := range 3 {
		records = append(records, sourcetest.PageRecord(fmt.Sprintf("http://a/%d", i), strings.Repeat("body", i)))
		want = append(want, fmt.Sprintf("http://a/%d (text/html) stored %q\n", i, strings.Repeat("body", i)))
	}
	for _, p := range sourcetest.Packings {
		if !strings.HasSuffix(p.Name, "per record") {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "flipped.warc")
			whole := p.Pack(records)
			from, to := len(p.Pack(records[:1])), len(p.Pack(records[:2]))
			for i := from; i < to; i++ {
				data := bytes.Clone(whole)
				data[i] ^= 1 << (i % 8)
				os.WriteFile(path, data, 0o600)
				s, err := Open(WARC, path)
				if err != nil {
					t.Fatalf("byte %d: %v", i, err)
				}
				for n := range records {
					got := sourcetest.Describe(s, fmt.Sprintf("http://a/%d", n))
					if got != want[n] && (got != "" || n != 1) {
						t.Errorf("byte %d: record %d: %s", i-from, n, got)
					}
				}
				if sourcetest.Describe(s, "http://a/1") == "" && sourcetest.SkipLine(s) == "" {
					t.Errorf("byte %d: a record is not there, and nothing was said", i-from)
				}
			}
		})
	}
}

func TestDamage(t *testing.T) {
	one, two, three := sourcetest.PageRecord("http://a/1", "one"), sourcetest.PageRecord("http://a/2", "two"),
		sourcetest.PageRecord("http://a/3", "three")
	length := func(r, n string) string {
		at := strings.Index(r, "Content-Length: ")
		end := at + strings.Index(r[at:], "\r\n")
		return r[:at] + "Content-Length: " + n + r[end:]
	}
	wrong := "1 a record that is cut off or has a wrong length"
	flipped := sourcetest.Gzip(two)
	flipped[len(flipped)/2] ^= 4
	sum := sourcetest.Gzip(two)
	sum[len(sum)-6] ^= 1
	lf := func(r string) string {
		header, block, _ := strings.Cut(r, "\r\n\r\n")
		return strings.ReplaceAll(header, "\r\n", "\n") + "\n\n" + strings.TrimSuffix(block, "\r\n\r\n") + "\n\n"
	}
	for _, test := range []struct {
		name  string
		data  []byte
		found string // numbers of the pages that are
		skips string
	}{
		{"length too short", []byte(one + length(two, "20") + three), "13", wrong},
		{"length too long", []byte(one + length(two, "300") + three), "13", wrong},
		{"length beyond the end", []byte(one + length(two, "99999999") + three), "13", wrong},
		{"length too big for a number", []byte(one + length(two, "9223372036854775808") + three), "13", wrong},
		{"length of nothing", []byte(one + length(two, "") + three), "13", wrong},
		{"length too long, in members",
			bytes.Join([][]byte{sourcetest.Gzip(one), sourcetest.Gzip(length(two, "999")), sourcetest.Gzip(three)},
				nil), "13", wrong},
		{"noise between", []byte(one + "noise\nmore\r\n" + two + "\x01\x00\n" + three), "123",
			"2 a range of bytes that is not a record"},
		{"noise in the line of a record", []byte(one + "noise" + two + three), "123",
			"1 a range of bytes that is not a record"},
		{"noise that is long, in the line of a record",
			[]byte(one + strings.Repeat("x", (256<<10)-len(one)-4) + two + three), "123",
			"1 a range of bytes that is not a record"},
		{"NULs", []byte(one + "\x00\x00" + two + three + strings.Repeat("\x00", 512)), "123", ""},
		{"NULs between members", slices.Concat(sourcetest.Gzip(one), make([]byte, 512), sourcetest.Gzip(two+three),
			make([]byte, 1000)), "123", ""},
		{"noise after", append(sourcetest.Gzip(one+two+three), bytes.Repeat([]byte{1}, 1000)...), "123",
			"1 a compressed member that is damaged or cut off"},
		{"empty members", bytes.Join([][]byte{sourcetest.Gzip(one), sourcetest.Gzip(""), sourcetest.Gzip(""),
			sourcetest.Gzip(two), sourcetest.Gzip(""), sourcetest.Gzip(three)}, nil), "123", ""},
		{"bit flipped", bytes.Join([][]byte{sourcetest.Gzip(one), flipped, sourcetest.Gzip(three)}, nil), "13",
			"1 a compressed member that is damaged or cut off"},
		{"checksum wrong", bytes.Join([][]byte{sourcetest.Gzip(one), sum, sourcetest.Gzip(three)}, nil), "13",
			"1 a compressed member that is damaged or cut off"},
		{"member cut, others follow", bytes.Join([][]byte{sourcetest.Gzip(one), sourcetest.Gzip(two)[:60],
			sourcetest.Gzip(three)}, nil), "13", "1 a record that is cut off or has a wrong length"},
		{"header without end", []byte(one + "WARC/1.0\r\n" + strings.Repeat("X: y\r\n", 30000) + "\r\n\r\n" + three),
			"13", "1 a record with a header longer than 65536 bytes"},
		{"no blank lines after blocks, in members",
			bytes.Join([][]byte{sourcetest.Gzip(strings.TrimRight(one, "\r\n")),
				sourcetest.Gzip(strings.TrimRight(two, "\r\n")), sourcetest.Gzip(strings.TrimRight(three, "\r\n"))},
				nil), "123", ""},
		{"lines end in LF", []byte(lf(one) + lf(two) + lf(three)), "123", ""},
		{"no blank lines between", []byte(strings.TrimRight(one, "\r\n") + "\r\n" + strings.TrimRight(two,
			"\r\n") + three), "123", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := openBytes(t, "a.warc", test.data)
			got := ""
			for i, body := range []string{"one", "two", "three"} {
				if sourcetest.Describe(s, fmt.Sprintf("http://a/%d",
					i+1)) == fmt.Sprintf("http://a/%d (text/html) stored %q\n", i+1, body) {
					got += fmt.Sprint(i + 1)
				}
			}
			if got != test.found {
				t.Errorf("found %s, want %s", got, test.found)
			}
			if got := sourcetest.SkipLine(s); got != test.skips {
				t.Errorf("skipped %s, want %s", got, test.skips)
			}
		})
	}
}

// TestLost: a source says that a capture of any URL may be lost if something is damaged.
func TestLost(t *testing.T) {
	one, two := sourcetest.PageRecord("http://a/1", "one"), sourcetest.PageRecord("http://a/2", "two")
	flipped := sourcetest.Gzip(two)
	flipped[len(flipped)/2] ^= 4
	sum := sourcetest.Gzip(two)
	sum[len(sum)-6] ^= 1
	last := sourcetest.Gzip(one + two)
	last[len(last)-6] ^= 1
	const har = `{"log":{"version":"1.2","entries":[{"request":{"method":"GET","url":"http://a/1"},` +
		`"response":{"status":200,"content":{"size":1,"text":"x"}}}`
	for _, test := range []struct {
		name, file string
		data       []byte
		lost       bool
	}{
		{"whole", "a.warc", []byte(one + two), false},
		{"noise", "a.warc", []byte(one + "noise\n" + two), true},
		{"a damaged version", "a.warc", []byte(one + strings.Replace(two, "WARC/", "WORC/", 1)), true},
		{"a long header", "a.warc", []byte(one + "WARC/1.0\r\n" + strings.Repeat("X: y\r\n", 30000) + "\r\n\r\n"), true},
		{"a wrong length", "a.warc", []byte(one + strings.Replace(two, "Content-Length: ", "Content-Length: -", 1)), true},
		{"cut off in a block", "a.warc", []byte(one + two)[:len(one+two)-20], true},
		{"a damaged URL", "a.warc.gz", slices.Concat(sourcetest.Gzip(one), flipped), true},
		{"a wrong checksum", "a.warc.gz", slices.Concat(sourcetest.Gzip(one), sum), true},
		{"a damaged beginning of a member", "a.warc.gz", slices.Concat(sourcetest.Gzip(one), []byte("x"),
			sourcetest.Gzip(two)[1:]), true},
		{"a damaged member with two records", "a.warc.gz", last, true},
		{"a list with a long line", "a.tsv", []byte("http://a/1\ta.tsv\n" + strings.Repeat("x", 2<<20) + "\n"), true},
		{"whole log", "a.har", []byte(har + `]}}`), false},
		{"log that is cut off", "a.har", []byte(har + `,{"req`), true},
		{"log with something else", "a.har", []byte(har + `,{"request":7}]}}`), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := opened(t, "", sourcetest.ArchiveFile(t, test.file, test.data)).Stats(); got.Lost != test.lost {
				t.Errorf("lost: %v, want %v; skipped %v", got.Lost, test.lost, got.Skipped)
			}
		})
	}
}

// TestBomb reads a megabyte that grows to a gigabyte and more.
func TestBomb(t *testing.T) {
	record := sourcetest.WARCRecord("response", "http://a/2", "", "Content-Type: text/plain")
	data := sourcetest.Gzip(sourcetest.PageRecord("http://a/1", "one"))
	data = append(data, sourcetest.Gzip(strings.Replace(record, "Content-Length: 0\r\n\r\n\r\n\r\n",
		fmt.Sprintf("Content-Length: %d\r\n\r\n", int64(4<<30)), 1))...)
	data = append(data, bytes.Repeat(sourcetest.Gzip(strings.Repeat("\x00", 1<<20)), 2000)...)
	s := openBytes(t, "a.warc.gz", data)
	sourcetest.ExpectLookup(t, s, "http://a/1", "http://a/1 (text/html) stored \"one\"\n")
	sourcetest.ExpectLookup(t, s, "http://a/2", "")
	want := "1 a record that is cut off or has a wrong length; 1 " + meter.Over{}.Error()
	if got := sourcetest.SkipLine(s); got != want {
		t.Errorf("skipped %s", got)
	}
}

// TestHostileTakesLinearTime reads files that would be read again every few bytes without a limit. With quadratic time
// the test would not finish.
func TestHostileTakesLinearTime(t *testing.T) {
	good, size := sourcetest.PageRecord("http://a/1", "one"), 4<<20
	if os.Getenv("WEBCAP_TEST_ALL") == "" {
		size = 1 << 20
	}
	for name, pattern := range map[string]string{
		"lengths beyond the end":     "WARC/1.0\r\nContent-Length: 99999999\r\n\r\n",
		"lengths too long":           "WARC/1.0\r\nContent-Length: 100000\r\n\r\n",
		"headers that do not end":    "WARC/1.0\r\n",
		"headers in lines":           "x WARC/1.0\r\n",
		"records of nothing":         "WARC/1.0\r\nContent-Length: 0\r\n\r\n",
		"lines":                      "\n",
		"lines of noise":             "a\n",
		"no lines":                   "a",
		"URLs":                       "\nhttp://a/ ",
		"beginnings of gzip members": "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x00\x00",
		"empty members":              string(sourcetest.Gzip("")),
		"members cut short":          string(sourcetest.Gzip(good)[:40]),
		"members of a long length":   string(sourcetest.Gzip("WARC/1.0\r\nContent-Length: 99999999\r\n\r\n")),
	} {
		t.Run(name, func(t *testing.T) {
			many := strings.Repeat(pattern, size/len(pattern))
			for _, first := range []string{good, string(sourcetest.Gzip(good))} {
				sourcetest.ExpectLookup(t, openBytes(t, name, []byte(first+many)), "http://a/1",
					"http://a/1 (text/html) stored \"one\"\n")
			}
			openBytes(t, name, sourcetest.Gzip(good+many))
		})
	}
}

func TestLookupIsConcurrent(t *testing.T) {
	s := openBytes(t, "a.warc.gz", sourcetest.Packings[1].Pack(sourcetest.SampleArchive.Records))
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			for url, want := range sourcetest.SampleArchive.Want {
				if got := sourcetest.Describe(s, url); got != want {
					t.Errorf("%s: %s", url, got)
				}
			}
		})
	}
	work.Wait()
}

// served has the responses of the server that wget archives.
var served = map[string]string{
	"/": `<html><img src="/a.png"><img src="/b.png"><a href="/chunked">c</a><a href="/coded">z</a><a ` +
		`href="/moved">m</a></html>`,
	"/a.png":     "\x89PNG image data",
	"/b.png":     "\x89PNG other image",
	"/chunked":   strings.Repeat("<p>chunk</p>", 2000),
	"/coded":     "<html>decoded</html>",
	"/moved":     "",
	"/elsewhere": "<html>elsewhere</html>",
}

func serve(w http.ResponseWriter, r *http.Request) {
	body, ok := served[r.URL.Path]
	switch {
	case !ok:
		http.NotFound(w, r)
	case r.URL.Path == "/moved":
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	case strings.HasSuffix(r.URL.Path, ".png"):
		w.Header().Set("Content-Type", "image/png")
		io.WriteString(w, body)
	case r.URL.Path == "/chunked":
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, body[:5000])
		w.(http.Flusher).Flush()
		io.WriteString(w, body[5000:])
	case r.URL.Path == "/coded":
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(sourcetest.Gzip(body))
	default:
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, body)
	}
}

// TestWARCOfWget reads the output of wget, an independent writer.
func TestWARCOfWget(t *testing.T) {
	wget := webcapturetest.Program(t, "wget")
	server := httptest.NewServer(http.HandlerFunc(serve))
	defer server.Close()
	run := func(t *testing.T, dir string, arguments ...string) {
		cmd := exec.Command(wget, append([]string{"--no-config", "--no-proxy", "-q", "-r", "-l2", "-e", "robots=off",
			"--delete-after"}, append(arguments, server.URL+"/")...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("wget: %v\n%s", err, out)
		}
	}
	check := func(t *testing.T, s Source) {
		for path, want := range served {
			ok := false
			for c, err := range Find(s, server.URL+path) {
				if err != nil {
					t.Error(err)
					continue
				}
				if doubt := sourcetest.MustSum(t, c).Doubt; doubt != "" {
					t.Errorf("%s: %s", c.Where, doubt)
				}
				data := sourcetest.MustRead(t, c)
				ok = ok || data == want || path == "/moved" && data == served["/elsewhere"]
			}
			if !ok {
				t.Errorf("%s: not found:\n%.300s", path, sourcetest.Describe(s, server.URL+path))
			}
		}
		if got := sourcetest.SkipLine(s); got != "" {
			t.Errorf("skipped %s", got)
		}
	}
	for _, mode := range []string{"", "no-"} {
		t.Run(mode+"compression", func(t *testing.T) {
			dir := t.TempDir()
			arguments := []string{"--warc-file=one", "--warc-cdx"}
			if mode != "" {
				arguments = append(arguments, "--"+mode+"warc-compression")
			}
			run(t, dir, arguments...)
			check(t, opened(t, "", dir))

			// The second file has revisits of records in the first file, so both are needed.
			run(t, dir, append(arguments, "--warc-file=two", "--warc-dedup=one.cdx")...)
			both := opened(t, "", dir)
			check(t, both)
			n := 0
			for c, err := range both.Lookup(server.URL + "/a.png") {
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(c.Where, "a revisit of") {
					n++
				}
			}
			if n != 1 {
				t.Errorf("%d revisits of /a.png", n)
			}
		})
	}
}

// TestARCInWARC: lines of a page in a WARC file are not taken for ARC records.
func TestARCInWARC(t *testing.T) {
	const lines = "http://b/ 1.1.1.1 20200101000000 text/html 4\nbody\n"
	bad := strings.Replace(sourcetest.PageRecord("http://a/", lines), "Content-Length: ", "Content-Length: 9", 1)
	s := openBytes(t, "a.warc", []byte(sourcetest.PageRecord("http://a/1",
		"one")+bad+sourcetest.PageRecord("http://a/2", "two")))
	sourcetest.ExpectLookup(t, s, "http://b/", "")
	sourcetest.ExpectLookup(t, s, "http://a/2", "http://a/2 (text/html) stored \"two\"\n")
	if got := sourcetest.SkipLine(s); got != "1 a record that is cut off or has a wrong length" {
		t.Errorf("skipped %s", got)
	}
}

// TestRevisitOfRedirect: a revisit of a redirect is a redirect.
func TestRevisitOfRedirect(t *testing.T) {
	s := openBytes(t, "a.warc", []byte(sourcetest.WARCRecord("response", "http://a/1",
		sourcetest.Reply("302 Found", "", "Location: /to"), "WARC-Payload-Digest: sha1:1")+
		sourcetest.WARCRecord("revisit", "http://a/2", "", "WARC-Payload-Digest: sha1:1")))
	sourcetest.ExpectLookup(t, s, "http://a/2", "http://a/2 → /to\n")
}

// TestPlainFilesOfCompressedReplies: compressed data in records do not make an uncompressed file count as compressed,
// even if the file begins with noise or an incomplete header.
func TestPlainFilesOfCompressedReplies(t *testing.T) {
	for _, noise := range []string{"", "\r\n", "noise\n", "WARC/1.0\r\nWARC-Type: response\r\n"} {
		t.Run(noise, func(t *testing.T) {
			s := openBytes(t, "a.warc", []byte(noise+sourcetest.PageRecord("http://a/1",
				"\x1f\x8b\x08 body")+sourcetest.PageRecord("http://a/2", string(sourcetest.Gzip("two")))))
			if len(sourcetest.Lookup(t, s, "http://a/1")) != 1 || len(sourcetest.Lookup(t, s, "http://a/2")) != 1 {
				t.Errorf("after %q: %s", noise, sourcetest.SkipLine(s))
			}
		})
	}
}
