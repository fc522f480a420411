package zipfile

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// countingReader counts the bytes that a caller asks for.
type countingReader struct {
	io.ReaderAt
	n int64
}

func (r *countingReader) ReadAt(p []byte, at int64) (int, error) {
	r.n += int64(len(p))
	return r.ReaderAt.ReadAt(p, at)
}

// directorySize returns the number of bytes that the standard library reads before it returns the entries.
func directorySize(t *testing.T, data []byte) int64 {
	t.Helper()
	r := &countingReader{ReaderAt: bytes.NewReader(data)}
	if _, err := zip.NewReader(r, int64(len(data))); err != nil {
		t.Fatal(err)
	}
	return r.n
}

// TestMaxDirectory: the limit is for the directory only. Larger entries can be read afterwards, more than once.
func TestMaxDirectory(t *testing.T) {
	body := bytes.Repeat([]byte("x"), 64<<10)
	data := sourcetest.Zip(t, sourcetest.ZipEntry{Name: "a", Data: body})
	name := sourcetest.WriteFile(t, string(data), t.TempDir(), "a.zip")
	size := directorySize(t, data)
	if size >= int64(len(body)) {
		t.Fatalf("the directory takes %d bytes, want less than the entry", size)
	}
	z, err := Open(name, size)
	if err != nil {
		t.Fatalf("a directory of the maximum size: %v", err)
	}
	defer z.Close()
	for range 2 {
		if got, err := readEntry(z.File[0]); err != nil || got != string(body) {
			t.Errorf("%d bytes of the entry, %v, want %d", len(got), err, len(body))
		}
	}
	_, err = Open(name, size-1)
	e, ok := errors.AsType[*DirectoryError](err)
	if !ok || e.Limit != size-1 || e.Error() != fmt.Sprintf("its directory has more than %d bytes", size-1) {
		t.Errorf("a directory that exceeds the maximum by a byte: %v", err)
	}
}

// readEntry returns the data of an entry. The error is that of opening or of reading it.
func readEntry(f *zip.File) (string, error) {
	r, err := OpenEntry(f)
	if err != nil {
		return "", err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	return string(data), err
}

// TestNoDirectory: a file without a readable directory is cut off or damaged, and the error says so. It never has the
// text of the standard library.
func TestNoDirectory(t *testing.T) {
	good := string(sourcetest.Zip(t, sourcetest.ZipEntry{Name: "a", Data: []byte("data")},
		sourcetest.ZipEntry{Name: "b", Data: []byte("data")}))
	end := strings.LastIndex(good, "PK\x05\x06")
	directory := strings.Index(good, "PK\x01\x02")
	// in64 has the end of its directory at a position that only a 64-bit number can express.
	in64 := func(at uint64) string {
		locator := binary.LittleEndian.AppendUint64([]byte("PK\x06\x07\x00\x00\x00\x00"), at)
		locator = binary.LittleEndian.AppendUint32(locator, 1) // number of disks
		return good[:end] + string(locator) + "PK\x05\x06" + strings.Repeat("\x00", 4) +
			strings.Repeat("\xff", 12) + "\x00\x00"
	}
	for name, data := range map[string]string{
		"empty":                            "",
		"not a zip file":                   strings.Repeat("text ", 1000),
		"cut off in the directory":         good[:end],
		"cut off in the end":               good[:len(good)-1],
		"a comment that is too long":       good[:len(good)-2] + "\x01\x00",
		"fewer entries than the end says":  good[:end+10] + "\x03\x00" + good[end+12:],
		"a damaged directory":              good[:directory] + "xx" + good[directory+2:],
		"a directory before the start":     good[:end+12] + "\x00\x00\x00\x7f" + good[end+16:],
		"a 64-bit end at a negative place": in64(1<<64 - 100),
		"a 64-bit end past the file":       in64(1 << 40),
		"a 64-bit end that is none":        in64(0),
	} {
		t.Run(name, func(t *testing.T) {
			const want = "the zip file is cut off or damaged: it has no directory"
			if _, err := Open(sourcetest.WriteFile(t, data, t.TempDir(), "a.zip"), MaxDirectory); err == nil ||
				err.Error() != want {
				t.Errorf("%v, want: %s", err, want)
			}
		})
	}
}

// TestOpenErrors: an error of the disk is not reported as damage.
func TestOpenErrors(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "missing"), MaxDirectory); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	data := sourcetest.Zip(t, sourcetest.ZipEntry{Name: "a", Data: []byte("data")})
	file, err := os.Open(sourcetest.WriteFile(t, string(data), t.TempDir(), "a.zip"))
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
	if _, err := New(file, int64(len(data)), MaxDirectory); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a file that cannot be read: %v", err)
	}
}

// TestClose: Close closes the file that Open opened. An archive inside another file has no file to close.
func TestClose(t *testing.T) {
	data := sourcetest.Zip(t, sourcetest.ZipEntry{Name: "a", Data: []byte("data")})
	z, err := Open(sourcetest.WriteFile(t, string(data), t.TempDir(), "a.zip"), MaxDirectory)
	if err != nil {
		t.Fatal(err)
	}
	if z.Size != int64(len(data)) {
		t.Errorf("%d bytes, want %d", z.Size, len(data))
	}
	if err := z.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
	if _, err := z.Data.ReadAt(make([]byte, 1), 0); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("reading after Close: %v", err)
	}
	if err := z.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("closing again: %v", err)
	}
	inside, err := New(bytes.NewReader(data), int64(len(data)), MaxDirectory)
	if err != nil {
		t.Fatal(err)
	}
	if err := inside.Close(); err == nil {
		t.Error("closing an archive inside another file: no error")
	}
}

// damagedZip returns a zip file with a sound entry, and with entries that are damaged in one way each. The names of the
// entries say what is wrong.
func damagedZip(t *testing.T) []byte {
	t.Helper()
	raw := func(h zip.FileHeader, data string) sourcetest.ZipStream {
		h.CompressedSize64 = uint64(len(data))
		return sourcetest.ZipStream{Data: []byte(data),
			Begin: func(z *zip.Writer) (io.Writer, error) { return z.CreateRaw(&h) }}
	}
	data := sourcetest.ZipStreams(t, []sourcetest.ZipStream{
		{Data: []byte("data"), Begin: func(z *zip.Writer) (io.Writer, error) { return z.Create("sound") }},
		raw(zip.FileHeader{Name: "unknown method", Method: 99, UncompressedSize64: 4}, "data"),
		raw(zip.FileHeader{Name: "no deflate data", Method: zip.Deflate, UncompressedSize64: 4}, "\xff\xff\xff\xff"),
		raw(zip.FileHeader{Name: "wrong checksum", UncompressedSize64: 4, CRC32: 1}, "data"),
		raw(zip.FileHeader{Name: "wrong size", UncompressedSize64: 5}, "data"),
		raw(zip.FileHeader{Name: "no local header", UncompressedSize64: 4}, "data"),
		raw(zip.FileHeader{Name: "negative place", UncompressedSize64: 4, CRC32: 1,
			Extra: []byte("\x01\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00\x80")}, "data"), // place 1<<63, in 64 bits
	})
	// The local headers are first. Those of the directory have the place of the local header 4 bytes before the name.
	header := bytes.Index(data, []byte("no local header")) - 30
	copy(data[header:], "xx")
	name := bytes.LastIndex(data, []byte("negative place"))
	copy(data[name-4:], "\xff\xff\xff\xff")
	return data
}

// TestEntries: a damaged entry gives ErrEntry, without the text of the standard library. An error of the disk stays
// what it is, because the entry may be sound.
func TestEntries(t *testing.T) {
	path := sourcetest.WriteFile(t, string(damagedZip(t)), t.TempDir(), "a.zip")
	z, err := Open(path, MaxDirectory)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		t.Run(f.Name, func(t *testing.T) {
			got, err := readEntry(f)
			if f.Name == "sound" {
				if err != nil || got != "data" {
					t.Errorf("%q, %v", got, err)
				}
			} else if err != ErrEntry {
				t.Errorf("%q, %v, want %v", got, err, ErrEntry)
			}
		})
	}
	r, err := OpenEntry(z.File[0])
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	z.Close()
	if _, err := r.Read(make([]byte, 1)); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("reading after the file was closed: %v", err)
	}
	if _, err := OpenEntry(z.File[0]); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("opening after the file was closed: %v", err)
	}
}

// TestNegativePlace: reading before the start of the file is a fault of the zip file, not of the disk.
func TestNegativePlace(t *testing.T) {
	file, err := os.Open(sourcetest.WriteFile(t, "data", t.TempDir(), "a.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r := &directoryReader{ReaderAt: file}
	r.read.Store(true)
	if n, err := r.ReadAt(make([]byte, 1), -1); n != 0 || err != zip.ErrFormat {
		t.Errorf("%d bytes, %v, want %v", n, err, zip.ErrFormat)
	}
	if n, err := r.ReadAt(make([]byte, 4), 0); n != 4 || err != nil {
		t.Errorf("%d bytes from the start, %v, want 4", n, err)
	}
}
