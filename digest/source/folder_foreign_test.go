package source

import (
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// emptyZip returns a zip file with files of some names.
func emptyZip(t *testing.T, names ...string) string {
	var list []sourcetest.ZipEntry
	for _, name := range names {
		list = append(list, sourcetest.ZipEntry{Name: name})
	}
	return string(sourcetest.Zip(t, list...))
}

// Files that are often mistaken for sources are reported by kind, with a remedy, whether the kind is guessed or
// given.
func TestForeignFormats(t *testing.T) {
	tar := strings.Repeat("\x00", 257) + "ustar\x0000" + strings.Repeat("\x00", 248)
	for _, row := range []struct{ name, data, want string }{
		{"page.webarchive", "bplist00\xd1\x01\x02_\x10\x0fWebMainResource",
			"a web archive of Safari (.webarchive), which webcap cannot read; convert it to WARC, or save " +
				"the page " +
				"as MHTML"},
		{"xml.webarchive", "<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><dict><key>WebMainResource</key>",
			"a web archive of Safari"},
		{"crawl.warc.xz", "\xfd7zXZ\x00\x00",
			"compressed by xz, which webcap cannot read; unpack it first, with xz -dk"},
		{"crawl.warc.bz2", "BZh91AY&SY", "bzip2 -dk"},
		{"crawl.warc.lz4", "\x04\x22\x4d\x18", "lz4"},
		{"crawl.7z", "7z\xbc\xaf\x27\x1c", "a 7z archive"},
		{"crawl.rar", "Rar!\x1a\x07\x00", "a RAR archive"},
		{"crawl.tar", tar, "a tar archive, which cannot be a source; unpack it first"},
		{"site.pdf", "%PDF-1.7\n", "a PDF file, which cannot be a source"},
		{"index.cdx", " CDX N b a m s k r M S V g\n", "an index of WARC files; name the WARC files instead"},
		{"index.cdxj", "com,example)/ 20200101000000 {}\n", "an index of WARC files"},
		{"page.html", "\ufeff<!-- saved -->\n<!DOCTYPE html><p>",
			"an HTML file that does not name its URL; name the folder"},
		{"error.warc", "<html><title>404", "an HTML file"},
		{"empty.warc", "", "an empty file"},
		{"mark.warc", "\ufeff", "an empty file"},
		{"mark.har", "\ufeff", "an empty file"},
		{"warcs.zip", emptyZip(t, "a/x.warc.gz"),
			"a zip of sources, but not a WACZ file; unpack it first"},
		{"sources.zip", emptyZip(t, "a/x.WACZ"), "a zip of sources, but not a WACZ file; unpack it first"},
		{"other.zip", emptyZip(t, "readme.txt"), "a zip file, but not a WACZ file; unpack it first"},
	} {
		t.Run(row.name, func(t *testing.T) {
			path := sourcetest.WriteFile(t, row.data, t.TempDir(), row.name)
			for _, kind := range append(Kinds(), "") {
				s, err := Open(kind, path)
				if err == nil {
					s.Close()
					t.Errorf("%s opens as %q", row.name, kind)
				} else if got := err.Error(); !strings.Contains(got, row.want) || strings.Count(got, path) != 1 {
					t.Errorf("%q %s: %s, want %s", kind, row.name, got, row.want)
				}
			}
		})
	}
}

// TestForeignOverrulesNothing: a damaged source is not reported as a file of a foreign format.
func TestForeignOverrulesNothing(t *testing.T) {
	for _, row := range []struct{ name, data, want string }{
		{"a.har", `{"log": {"entries": [{`, "the file ends early"},
		{"a.har", `{"log": {"version": "1.2"}}`, "not have the structure of a HAR file"},
		{"a.warc", "noise\n", "a range of bytes that is not a record"},
		{"a.wacz", emptyZip(t, "archive/x.warc"), "the file has no records"},
		{"a.bin", "noise", "cannot tell what kind of source this is"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if _, err := Open("", sourcetest.WriteFile(t, row.data, t.TempDir(), row.name)); err == nil ||
				!strings.Contains(err.Error(), row.want) {
				t.Errorf("%s %q: %v, want %s", row.name, row.data, err, row.want)
			}
		})
	}
	for url, want := range map[string]string{
		"http://h/crawl.warc.gz": "http://h/crawl.warc.gz: sources are local files; download it first",
		"S3://b/crawl.warc.gz":   "S3://b/crawl.warc.gz: sources are local files; download it first",
		"file:///C|/crawl.warc":  "file:///C|/crawl.warc: name the source by its path, not by a file URL",
	} {
		t.Run(url, func(t *testing.T) {
			for _, kind := range []Kind{"", WARC, Folder} {
				if _, err := Open(kind, url); err == nil || err.Error() != want {
					t.Errorf("Open(%q, %q): %v", kind, url, err)
				}
			}
		})
	}
}
