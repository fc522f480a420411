package source

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestSavedIndexIsUsed changes a file but not its size and modification time. The index must still be used, so the new
// URL is not found.
func TestSavedIndexIsUsed(t *testing.T) {
	one, two := sourcetest.PageRecord("http://a/1", "one"), sourcetest.PageRecord("http://a/2", "two")
	path := sourcetest.ArchiveFile(t, "a.warc", []byte(one+"noise\n"+two))
	o := Options{Indexes: filepath.Join(t.TempDir(), "not", "there")}
	first := open(t, path, o)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Replace([]byte(one+"noise\n"+two), []byte("http://a/1"), []byte("http://b/1"), 1)
	touch := func(data []byte, at time.Time) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	touch(changed, info.ModTime())
	second := open(t, path, o)
	sourcetest.ExpectLookup(t, second, "http://a/2", "http://a/2 (text/html) as stored \"two\"\n")
	sourcetest.ExpectLookup(t, second, "http://b/1", "")
	sourcetest.ExpectLookup(t, second, "http://a/1", "") // the URL in the record is what counts
	if a, b := first.Stats(), second.Stats(); a.Kept != b.Kept ||
		sourcetest.SkipLine(first) != sourcetest.SkipLine(second) ||
		sourcetest.SkipLine(first) != "1 a range of bytes that is not a record" {
		t.Errorf("%+v, after the index was loaded %+v", a, b)
	}

	touch(changed, info.ModTime().Add(time.Second))
	third := open(t, path, o)
	sourcetest.ExpectLookup(t, third, "http://b/1", "http://b/1 (text/html) as stored \"one\"\n")

	touch(changed[:len(one)], info.ModTime().Add(time.Second))
	fourth := open(t, path, o)
	sourcetest.ExpectLookup(t, fourth, "http://b/1", "http://b/1 (text/html) as stored \"one\"\n")
	sourcetest.ExpectLookup(t, fourth, "http://a/2", "")

	list, err := os.ReadDir(o.Indexes)
	if err != nil || len(list) != 1 {
		t.Errorf("%v, %v: want one index and nothing else", list, err)
	}
}

// TestBodyClosedTwice: closing a body twice is harmless; its buffers are released once.
func TestBodyClosedTwice(t *testing.T) {
	path := sourcetest.ArchiveFile(t, "a.warc", []byte(sourcetest.PageRecord("http://a/1", "one")))
	r, err := sourcetest.LookupOne(t, open(t, path, Options{}), "http://a/1").Bodies[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmp.Or(r.Close(), r.Close()); err != nil {
		t.Error(err)
	}
}

func TestIndexThatCannotBeSavedIsSaid(t *testing.T) {
	path := sourcetest.ArchiveFile(t, "a.warc", []byte(sourcetest.PageRecord("http://a/1", "one")))
	s := open(t, path, Options{Indexes: filepath.Join(path, "no folder")})
	sourcetest.ExpectLookup(t, s, "http://a/1", "http://a/1 (text/html) as stored \"one\"\n")
	if got := sourcetest.SkipLine(s); got != "1 an index that cannot be saved" {
		t.Errorf("skipped %s", got)
	}
}
