package source

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestLongMembersAreDecodedOnce: after several look-ups in a member, it is no longer read from the archive. A change of
// the archive then has no effect.
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

// TestLongMembersWithoutTemporaryFile: without a temporary file, a member is decoded for each look-up.
func TestLongMembersWithoutTemporaryFile(t *testing.T) {
	s := openBytes(t, "a.warc.gz",
		sourcetest.Gzip(sourcetest.PageRecord("http://a/long",
			strings.Repeat("x", (1<<20)))+sourcetest.PageRecord("http://a/1", "one")))
	t.Setenv("TMPDIR", "/nowhere")
	for range 4 + 2 {
		sourcetest.ExpectLookup(t, s, "http://a/1", "http://a/1 (text/html) as stored \"one\"\n")
	}
}
