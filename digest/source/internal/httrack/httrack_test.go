package httrack

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/zipfile"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// entry returns an entry of a cache. extra is the extra field of its local header.
func entry(name, extra, data string) sourcetest.ZipStream {
	return sourcetest.ZipStream{Data: []byte(data), Begin: func(z *zip.Writer) (io.Writer, error) {
		return z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Extra: []byte(extra)})
	}}
}

const page = "HTTP/1.1 200 OK\r\nX-In-Cache: 1\r\n"

// file returns the metadata of an entry whose data are in a file of the mirror.
func file(name string, size int) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nX-In-Cache: 0\r\nX-Size: %d\r\nX-Save: %s\r\n", size, name)
}

// mirror writes a mirror with a cache, and returns its folder and the path of the cache.
func mirror(t testing.TB, list ...sourcetest.ZipStream) (dir, cache string) {
	t.Helper()
	dir = t.TempDir()
	return dir, sourcetest.WriteFile(t, string(sourcetest.ZipStreams(t, list)), dir, "hts-cache", "new.zip")
}

func opened(t testing.TB, cache string) *httrack {
	t.Helper()
	s, err := Open(cache, capture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s.(*httrack)
}

// A look-up yields the entries of the URL, and LookupAlike only other URLs that are alike. Either can stop early.
func TestLookups(t *testing.T) {
	_, cache := mirror(t, entry("http://h/a/.", page, "1"), entry("http://h/a", page, "2"),
		entry("http://h/a#", page, "3"), entry("https://h/a", page, "4"), entry("h/b", page, "5"))
	s := opened(t, cache)
	for _, row := range []struct {
		url, same, alike string
	}{
		{"http://h/a", "http://h/a http://h/a#", "http://h/a/. https://h/a"},
		{"http://h/a/", "http://h/a/.", "http://h/a http://h/a# https://h/a"},
		{"http://h/b", "http://h/b", ""},
		{"http://h/c", "", ""},
	} {
		t.Run(row.url, func(t *testing.T) {
			var same, alike []string
			for c := range s.Lookup(row.url) {
				same = append(same, c.URL)
			}
			for c := range s.LookupAlike(row.url) {
				alike = append(alike, c.URL)
			}
			sourcetest.Equal(t, "Lookup", same, strings.Fields(row.same))
			sourcetest.Equal(t, "LookupAlike", alike, strings.Fields(row.alike))
		})
	}
	sourcetest.ExpectStops(t, "List", 5, s.List)
	sourcetest.ExpectStops(t, "Lookup", 2, s.Lookup("http://h/a"))
	sourcetest.ExpectStops(t, "LookupAlike", 2, s.LookupAlike("http://h/a"))
}

// A candidate has the properties of its entry, or of the file in the mirror that the entry names.
func TestCandidate(t *testing.T) {
	dir, cache := mirror(t,
		entry("http://h/page", page+"Content-Type: text/html\r\n", "page"),
		entry("http://h/lost", strings.Replace(page, "200 OK", "404 No", 1), "lost?"),
		entry("http://h/old", "HTTP/1.1 301 Moved\r\nLocation: /page\r\n", ""),
		entry("http://h/file", file("h/file", 3), ""),
		entry("http://h/grown", file("h/grown", 3), ""),
		entry("http://h/folder", file("h", 3), ""))
	sourcetest.WriteFile(t, "abc", dir, "h", "file")
	sourcetest.WriteFile(t, "abcd", dir, "h", "grown")
	s := opened(t, cache)
	for _, row := range []struct{ url, where, want string }{
		{"http://h/page", "", `200 "text/html" 4 bytes`},
		{"http://h/lost", "", `404 "" 5 bytes, failed`},
		{"http://h/old", "", `301 "" 0 bytes, to "/page"`},
		{"http://h/file", "h/file", `200 "" 3 bytes`},
		{"http://h/grown", "h/grown", `200 "" 4 bytes, uncertain`},
	} {
		t.Run(row.url, func(t *testing.T) {
			c := sourcetest.LookupOne(t, s, row.url)
			got := fmt.Sprintf("%d %q %d bytes", c.Status, c.MediaType, c.Size)
			if c.Failed {
				got += ", failed"
			}
			if c.Uncertain {
				got += ", uncertain"
			}
			if c.Redirect != "" {
				got += fmt.Sprintf(", to %q", c.Redirect)
			}
			if got != row.want {
				t.Errorf("%s, want %s", got, row.want)
			}
			where, data := cache+", "+row.url, ""
			if row.where != "" {
				where += ", in the file " + row.where
				data = filepath.Join(dir, filepath.FromSlash(row.where))
			}
			if c.Where != where || c.Data != data {
				t.Errorf("at %q, %q, want %q, %q", c.Where, c.Data, where, data)
			}
		})
	}
	if got := sourcetest.Describe(s, "http://h/folder"); !strings.Contains(got, `does not have the file "h"`) {
		t.Errorf("a folder in place of a file: %s", got)
	}
	if got := s.Stats(); got.Files != 1 || got.Kept != 6 || got.Lost || got.Skipped != nil {
		t.Errorf("Stats() = %+v, want 6 entries", got)
	}
}

// A file of the mirror that has been deleted since the look-up is an error that names the entry.
func TestDeletedFile(t *testing.T) {
	dir, cache := mirror(t, entry("http://h/file", file("h/file", 3), ""))
	name := sourcetest.WriteFile(t, "abc", dir, "h", "file")
	c := sourcetest.LookupOne(t, opened(t, cache), "http://h/file")
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	_, err := c.Bodies[0].Open()
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), c.Where+": ") {
		t.Errorf("%v, want that the file of %s does not exist", err, c.Where)
	}
}

// The local header of an entry is found in front of its data, even if the extra field has any size or contents.
func TestLocalHeader(t *testing.T) {
	const name = "http://h/a"
	// header has the form of a local header. extra is the length of its extra field.
	header := func(signature, name string, extra int) string {
		b := append([]byte(signature), make([]byte, 26)...)
		binary.LittleEndian.PutUint16(b[26:], uint16(len(name)))
		binary.LittleEndian.PutUint16(b[28:], uint16(extra))
		return string(b) + name
	}
	const field = "Content-Type: text/html\r\n"
	last := field + "X-Last: 1\r\n" // what follows the header
	for what, extra := range map[string]string{
		"short":                page + field,
		"longest":              page + field + strings.Repeat("x", 1<<16-1-len(page+field)),
		"another signature":    page + field + header("PK\x03\x05", name, len(last)) + last,
		"another name":         page + field + header("PK\x03\x04", "http://h/b", len(last)) + last,
		"another length":       page + field + header("PK\x03\x04", name, len(last)+1) + last,
		"a shorter name":       page + field + header("PK\x03\x04", name[:5], len(last)) + last,
		"a longer name at end": page + field + header("PK\x03\x04", name+"?", 0),
	} {
		t.Run(what, func(t *testing.T) {
			for _, before := range []int{0, 1, 5000} {
				first := sourcetest.ZipStream{Data: bytes.Repeat([]byte("0123456789abcdef"), before),
					Begin: func(z *zip.Writer) (io.Writer, error) {
						return z.CreateHeader(&zip.FileHeader{Name: "http://h", Extra: []byte(page)}) // stored
					}}
				_, cache := mirror(t, first, entry(name, extra, "data"))
				s := opened(t, cache)
				m, _, err := s.meta(s.zip.File[1])
				if err != nil || m.Get("X-In-Cache") != "1" || !strings.HasPrefix(m.Get("Content-Type"), "text/html") {
					t.Errorf("after %d blocks: %+v, %v", before, m, err)
				}
			}
		})
	}
}

// failingFile is a file that can be read until its error is set.
type failingFile struct {
	io.ReaderAt
	err error
}

func (f *failingFile) ReadAt(p []byte, at int64) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return f.ReaderAt.ReadAt(p, at)
}

// An error of the disk is the error of a look-up and of a body. It is not reported as damage.
func TestDiskFails(t *testing.T) {
	disk := &fs.PathError{Op: "read", Path: "new.zip", Err: errors.New("the disk fails")}
	_, cache := mirror(t, entry("http://h/a", page, "data"))
	good := opened(t, cache).zip
	in := &failingFile{ReaderAt: good.Data}
	bad, err := zipfile.New(in, good.Size, maxCacheDirectory)
	if err != nil {
		t.Fatal(err)
	}
	in.err = disk
	for name, z := range map[string]*zipfile.Archive{
		"place of the data": {Reader: bad.Reader, Data: good.Data}, "local header": {Reader: good.Reader, Data: in},
	} {
		t.Run(name, func(t *testing.T) {
			h := &httrack{zip: z, path: cache}
			c, err := h.candidate(z.File[0])
			if c != nil || !errors.Is(err, disk) || !strings.HasPrefix(err.Error(), cache+", http://h/a: ") {
				t.Errorf("%v, %v, want %v", c, err, disk)
			}
		})
	}
	if _, err := openEntry(bad.File[0]); !errors.Is(err, disk) {
		t.Errorf("the data: %v, want %v", err, disk)
	}
}

// The data of an entry are read to their end, and then compared with the size and the checksum in the directory.
func TestEntryData(t *testing.T) {
	disk := &fs.PathError{Op: "read", Path: "new.zip", Err: errors.New("the disk fails")}
	sum := crc32.ChecksumIEEE([]byte("data"))
	for _, row := range []struct {
		name, data string
		end        error // of the data
		left       int64
		sum        uint32
		want       error
	}{
		{"whole", "data", nil, 4, sum, nil},
		{"empty", "", nil, 0, 0, nil},
		{"too short", "data", nil, 5, sum, zipfile.ErrEntry},
		{"too long", "data", nil, 3, sum, zipfile.ErrEntry},
		{"another checksum", "data", nil, 4, sum + 1, zipfile.ErrEntry},
		{"damaged", "da", errors.New("corrupt input"), 4, sum, zipfile.ErrEntry},
		{"disk", "da", disk, 4, sum, disk},
	} {
		t.Run(row.name, func(t *testing.T) {
			for name, wrap := range map[string]func(io.Reader) io.Reader{
				"one byte at a time": iotest.OneByteReader, "the end with the last bytes": iotest.DataErrReader,
			} {
				var in io.Reader = strings.NewReader(row.data)
				if row.end != nil {
					in = io.MultiReader(in, iotest.ErrReader(row.end))
				}
				got, err := io.ReadAll(&zipEntryReader{Reader: wrap(in), left: row.left, want: row.sum})
				if string(got) != row.data || !errors.Is(err, row.want) || (err == nil) != (row.want == nil) {
					t.Errorf("%s: %q, %v, want %q, %v", name, got, err, row.data, row.want)
				}
			}
		})
	}
}
