package source

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestLongMembersAreDecodedOnce: a member that is looked into again and again is not read
// from the archive any more: what of it changes there is not seen.
func TestLongMembersAreDecodedOnce(t *testing.T) {
	path := sourcetest.ArchiveFile(t, "a.warc.gz",
		sourcetest.Gzip(sourcetest.PageRecord("http://a/long",
			strings.Repeat("x", (1<<20)))+sourcetest.PageRecord("http://a/1", "one")))
	s := open(t, path, Options{})
	for range 4 + 1 {
		sourcetest.LookupOne(t, s, "http://a/1")
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Repeat([]byte("?"), int(info.Size())), 0o600); err != nil {
		t.Fatal(err)
	}
	sourcetest.ExpectLookup(t, s, "http://a/1", "http://a/1 (text/html) as stored \"one\"\n")
}

// TestLongMembersWithoutTemporaryFile: where no file can be made, each is decoded again.
func TestLongMembersWithoutTemporaryFile(t *testing.T) {
	s := openBytes(t, "a.warc.gz",
		sourcetest.Gzip(sourcetest.PageRecord("http://a/long",
			strings.Repeat("x", (1<<20)))+sourcetest.PageRecord("http://a/1", "one")))
	t.Setenv("TMPDIR", "/nowhere")
	for range 4 + 2 {
		sourcetest.ExpectLookup(t, s, "http://a/1", "http://a/1 (text/html) as stored \"one\"\n")
	}
}
