// Package batchtest writes folders with many inputs of all kinds, for tests of programs that audit many files.
package batchtest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/webcap-tools/webcap/webcapture/audit/audittest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Write fills a folder with at least n inputs, half of them files, and half members of zip, tar, WARC, and WACZ files.
// It adds a truncated archive, an unreadable one, and a file of large bytes, which is mostly sparse. It returns the
// number of records.
func Write(t testing.TB, dir string, n int, large int64) int {
	t.Helper()
	pool := kinds(t)
	records := 0
	perArchive := max(n/40, 5)
	for i := 0; i < n; {
		folder := filepath.Join(dir, fmt.Sprintf("%03d", i*100/n))
		if err := os.MkdirAll(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		for range perArchive {
			writeBytes(t, filepath.Join(folder, fmt.Sprintf("%06d.pdf", i)), pool[i%len(pool)])
			i++
			records++
		}
		kind := i / (2 * perArchive) % 4
		var members [][]byte
		for range perArchive {
			members = append(members, pool[i%len(pool)])
			i++
		}
		name := []string{"a.zip", "b.tar.zst", "c.warc.gz", "d.wacz"}[kind]
		writeBytes(t, filepath.Join(folder, name), archive(t, kind, members))
		records += len(members)
	}
	// Cut-off and unreadable archives, and a large file.
	whole := archive(t, 2, pool[:20])
	writeBytes(t, filepath.Join(dir, "cut.warc.gz"), whole[:len(whole)-1000])
	writeBytes(t, filepath.Join(dir, "other.7z"), []byte("7z\xbc\xaf\x27\x1c\x00\x04"))
	huge := filepath.Join(dir, "huge.pdf")
	writeBytes(t, huge, pool[0])
	if err := os.Truncate(huge, large); err != nil {
		t.Log(err)
	}
	const cut = 20 + 1 // the last member is cut off, and the archive also reports this
	return records + cut + 1 + 1
}

func writeBytes(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// kinds returns PDF files of many kinds, and files that are not PDFs.
func kinds(t testing.TB) [][]byte {
	pool := [][]byte{[]byte("not a PDF"), {}, []byte("%PDF-1.4\nand no more")}
	for i := range 30 {
		d := webcapturetest.Sets(1+i, webcapturetest.Options{Images: i % 3, Leaf: 4 + i%7})
		layout := webcapturetest.Layout{}
		if i%2 == 1 {
			layout = webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 10}
		}
		data := d.Bytes(layout)
		switch i % 5 {
		case 1:
			data = bytes.ReplaceAll(data, []byte("/Limits"), []byte("/Limitx"))
		case 2:
			data = data[:len(data)*2/3]
		case 3:
			data = bytes.Replace(data, []byte("xref"), []byte("xxxx"), 1)
		}
		pool = append(pool, data)
	}
	pool = append(pool, webcapturetest.Sets(3000,
		webcapturetest.Options{}).Bytes(webcapturetest.Layout{})) // larger than the limit in memory
	pool = append(pool, hostile()...)
	for _, p := range webcapturetest.Corpus("real", "negative") {
		if data, err := os.ReadFile(p); err == nil && len(data) < 1<<20 {
			pool = append(pool, data)
		}
	}
	for _, base := range audittest.Generated(t) {
		for _, mutation := range audittest.Mutations {
			if data, ok := base.Break(mutation); ok {
				pool = append(pool, data)
			}
		}
	}
	return pool
}

// hostile returns PDF files that refer to themselves, are nested deeply, or lie about sizes.
func hostile() [][]byte {
	const (
		catalog = "1 0 obj<</Type/Catalog/Pages 2 0 R/Names<</URLS 3 0 R/IDS 3 0 R>>>>endobj\n" +
			"2 0 obj<</Type/Pages/Kids[2 0 R]/Count 1/Parent 2 0 R>>endobj\n"
		trailer = "trailer<</Root 1 0 R/Size 9>>\n"
	)
	file := func(objects, end string) []byte {
		return fmt.Appendf(nil, "%%PDF-1.5\n%s%s%s%%%%EOF\n", catalog, objects, end)
	}
	at := len("%PDF-1.5\n" + catalog)
	deep := strings.Repeat("[", 100_000)
	return [][]byte{
		file("3 0 obj<</Kids[3 0 R 3 0 R]>>endobj\n", trailer),
		file("3 0 obj<</Kids[4 0 R]>>endobj\n4 0 obj<</Limits[(a)(b)]/Kids[3 0 R]>>endobj\n", trailer),
		file("3 0 obj 4 0 R endobj\n4 0 obj 3 0 R endobj\n", trailer),
		file("3 0 obj<</Names[(http://a.example/)[4 0 R]]>>endobj\n4 0 obj[4 0 R 4 0 R]endobj\n", trailer),
		file("3 0 obj"+deep+"endobj\n", trailer),
		file("3 0 obj<</Names"+strings.Repeat("<</A", 100_000)+"\n", trailer),
		file("4 0 obj<</Type/ObjStm/N 1/First 4/Extends 4 0 R/Length 9999999999>>stream\n"+
			"3 0 <</Kids[3 0 R]>>\nendstream endobj\n", trailer),
		file("", fmt.Sprintf("xref\n0 4294967295\ntrailer<</Root 1 0 R/Size 4294967295/Prev %d>>\n"+
			"startxref\n%d\n", at, at)),
		file("", fmt.Sprintf("xref\n0 0\ntrailer<</Root 1 0 R/Size 9/Prev %d/XRefStm %d>>\n"+
			"startxref\n%d\n", at, at, at)),
		[]byte(strings.Repeat("%PDF-1.4\n1 0 obj<</Type/Catalog/Names 1 0 R>>endobj trailer<</Root 1 0 R>>\n", 1000)),
	}
}

// archive returns an archive: zip, tar.zst, warc.gz or WACZ.
func archive(t testing.TB, kind int, members [][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	switch kind {
	case 0:
		z := zip.NewWriter(&b)
		for i, m := range members {
			w, err := z.Create(fmt.Sprintf("%d.pdf", i))
			check(err)
			w.Write(m)
		}
		check(z.Close())
	case 1:
		c, err := zstd.NewWriter(&b)
		check(err)
		w := tar.NewWriter(c)
		for i, m := range members {
			check(w.WriteHeader(&tar.Header{Name: fmt.Sprintf("%d.pdf", i), Mode: 0o644, Size: int64(len(m))}))
			w.Write(m)
		}
		check(w.Close())
		check(c.Close())
	case 2:
		for i, m := range members {
			z := gzip.NewWriter(&b)
			block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n%s", m)
			fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/%d.pdf\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, len(block), block)
			check(z.Close())
		}
	case 3:
		z := zip.NewWriter(&b)
		w, err := z.CreateHeader(&zip.FileHeader{Name: "archive/data.warc.gz", Method: zip.Store})
		check(err)
		io.Copy(w, bytes.NewReader(archive(t, 2, members)))
		check(z.Close())
	}
	return b.Bytes()
}
