package source

import (
	"archive/zip"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// Each limit accepts input of exactly its size, and reports larger input.

func TestMaxRecordHeader(t *testing.T) {
	header := func(size int) string {
		r := sourcetest.PageRecord("http://a/1", "one")
		end := strings.Index(r, "\r\n\r\n")
		const name = "\r\nX: "
		return r[:end] + name + strings.Repeat("x", size-end-len(name)-len("\r\n\r\n")) + r[end:]
	}
	for size, want := range map[int]string{(64 << 10): "",
		(64 << 10) + 1: "1 a record with a header longer than 65536 bytes"} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			for _, pack := range sourcetest.Packings[:2] {
				s := openBytes(t, "a.warc", pack.Pack([]string{sourcetest.PageRecord("http://a/0", "zero"), header(size),
					sourcetest.PageRecord("http://a/2", "two")}))
				if got := len(sourcetest.Lookup(t, s, "http://a/1")) == 1; got != (want == "") ||
					sourcetest.SkipLine(s) != want {
					t.Errorf("%s: a header of %d bytes: found %v, skipped %q", pack.Name, size, got, sourcetest.SkipLine(s))
				}
				for _, k := range s.Stats().Skipped {
					if !k.Capped {
						t.Errorf("%s: a cap is not said to be one: %+v", pack.Name, k)
					}
				}
				if want == "" {
					sourcetest.Equal(t, "body", sourcetest.ReadForms(sourcetest.LookupOne(t, s, "http://a/1")),
						[]string{`stored "one"`})
				}
				sourcetest.LookupOne(t, s, "http://a/2")
			}
		})
	}
}

// TestWACZThatLies: entries of a zip file with an impossible size are skipped, and the others are read.
func TestWACZThatLies(t *testing.T) {
	good := []byte(sourcetest.PageRecord("http://a/", "one"))
	raw := func(h zip.FileHeader, data []byte) sourcetest.ZipStream {
		return sourcetest.ZipStream{Data: data,
			Begin: func(z *zip.Writer) (io.Writer, error) { return z.CreateRaw(&h) }}
	}
	reason := func(h zip.FileHeader, data string) string {
		size := uint64(len(good))
		s := openBytes(t, "a.wacz", sourcetest.ZipStreams(t, []sourcetest.ZipStream{
			raw(h, []byte(data)), raw(zip.FileHeader{Name: "archive/a.warc", CompressedSize64: size,
				UncompressedSize64: size}, good)}))
		sourcetest.ExpectLookup(t, s, "http://a/", "http://a/ (text/html) stored \"one\"\n")
		return sourcetest.SkipLine(s)
	}
	const name = "archive/0.warc"
	for i, row := range []struct {
		h    zip.FileHeader
		want string
	}{
		{zip.FileHeader{Name: name, CompressedSize64: 4, UncompressedSize64: 5}, "1 a wrong size in the zip"},
		{zip.FileHeader{Name: name, CompressedSize64: 4, UncompressedSize64: 1 << 63}, "1 a wrong size in the zip"},
		{zip.FileHeader{Name: name, Method: zip.Deflate, CompressedSize64: 4, UncompressedSize64: 5},
			"1 an entry that the zip compresses; unpack the WACZ file and name the folder"},
		{zip.FileHeader{Name: name, CompressedSize64: 4, UncompressedSize64: 4}, "1 a range of bytes that is not a record"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := reason(row.h, "data"); got != row.want {
				t.Errorf("%+v: skipped %q, want %q", row.h, got, row.want)
			}
		})
	}
	if got := reason(zip.FileHeader{Name: "pages/0.warc", CompressedSize64: 4, UncompressedSize64: 5},
		"data"); got != "" {
		t.Errorf("what is not an archive file: skipped %q", got)
	}
}
