package sourcetest

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"
)

// ZipEntry is an entry of a zip file.
type ZipEntry struct {
	Name     string
	Data     []byte
	Deflated bool
}

// Zip returns a zip file with the entries.
func Zip(t testing.TB, list ...ZipEntry) []byte {
	t.Helper()
	var entries []ZipStream
	for _, e := range list {
		h := &zip.FileHeader{Name: e.Name}
		if e.Deflated {
			h.Method = zip.Deflate
		}
		entries = append(entries, ZipStream{e.Data,
			func(z *zip.Writer) (io.Writer, error) { return z.CreateHeader(h) }})
	}
	return ZipStreams(t, entries)
}

// ZipStream is the data of an entry of a zip file, and the function that begins the entry.
type ZipStream struct {
	Data  []byte
	Begin func(*zip.Writer) (io.Writer, error)
}

// ZipStreams returns a zip file with the entries.
func ZipStreams(t testing.TB, list []ZipStream) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range list {
		w, err := e.Begin(z)
		if err == nil {
			_, err = w.Write(e.Data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
