package source

import (
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// The original of a revisit may be in any source of the run, for any order and way of joining, but nowhere else.
func TestRevisitsAcrossSources(t *testing.T) {
	originals := sourcetest.PageRecord("http://a/1", "one", "WARC-Date: 2020-01-01T00:00:01Z", "WARC-Payload-Digest: sha1:ONE") +
		sourcetest.PageRecord("http://a/other", "other", "WARC-Date: 2020-01-01T00:00:01Z",
			"WARC-Payload-Digest: sha1:TWO")
	revisits := sourcetest.WARCRecord("revisit", "http://a/by-url", "", "WARC-Refers-To-Target-URI: http://a/1",
		"WARC-Refers-To-Date: 2020-01-01T00:00:01Z") +
		sourcetest.WARCRecord("revisit", "http://a/by-digest", "", "WARC-Payload-Digest: sha1:ONE") +
		sourcetest.WARCRecord("revisit", "http://a/of-nothing", "", "WARC-Payload-Digest: sha1:THREE")
	list := sourcetest.WriteFile(t, "http://a/1\tfile\n", t.TempDir(), "list")
	sourcetest.WriteFile(t, "not this", strings.TrimSuffix(list, "list"), "file")
	inZip := func(data string) Source {
		return openBytes(t, "a.wacz", sourcetest.Zip(t, sourcetest.ZipEntry{Name: "archive/data.warc.gz",
			Data: sourcetest.Gzip(data)}))
	}
	one, two, folder := openBytes(t, "a.warc.gz", sourcetest.Gzip(originals)), openBytes(t, "b.warc", []byte(revisits)),
		opened(t, Folder, list)
	for name, sources := range map[string][]Source{
		"originals first":   {one, folder, two},
		"revisits first":    {two, folder, one},
		"joined before":     {Join(two, folder), Join(Join(one))},
		"originals in WACZ": {two, inZip(originals)},
		"revisits in WACZ":  {inZip(revisits), one},
	} {
		t.Run(name, func(t *testing.T) {
			both := Join(sources...)
			for _, url := range []string{"http://a/by-url", "http://a/by-digest"} {
				if got, want := sourcetest.Describe(both, url), url+" (text/html) stored \"one\"\n"; got != want {
					t.Errorf("%s: %s, want %s", name, got, want)
				}
			}
			if got := sourcetest.Describe(both, "http://a/of-nothing"); !strings.Contains(got,
				"a revisit of a record that no source has as a capture") {
				t.Errorf("%s: %s", name, got)
			}
			if both = Join(slices.DeleteFunc(sources, func(s Source) bool { return s == one })...); len(sources) == 3 {
				if got := sourcetest.Describe(both, "http://a/by-digest"); !strings.HasPrefix(got, "error: ") {
					t.Errorf("%s: without the originals: %s", name, got)
				}
			}
		})
	}
}
