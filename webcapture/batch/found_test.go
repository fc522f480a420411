package batch

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/batch/batchtest"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// beginsAsPDF reports whether data begin with the magic number of a PDF, possibly after NULs.
func beginsAsPDF(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(data, "\x00"), []byte("%PDF-"))
}

// findCount is the number of files in something, and of those that begin as a PDF does.
type findCount struct{ files, pdfs int }

func (c *findCount) add(other findCount) { c.files, c.pdfs = c.files+other.files, c.pdfs+other.pdfs }

// found counts the files in an archive, and in archives in it, without package archive: the names tell what is an
// archive. Any other file counts as one.
func found(t *testing.T, name string, data []byte) (n findCount) {
	t.Helper()
	name = strings.ToLower(name)
	if inner, ok := uncompressed(t, name, data); ok {
		return found(t, strings.TrimSuffix(strings.Replace(name, ".tgz", ".tar", 1), filepath.Ext(name)), inner)
	}
	switch {
	case strings.HasSuffix(name, ".zip"), strings.HasSuffix(name, ".wacz"):
		return foundInZip(t, data)
	case strings.HasSuffix(name, ".tar"):
		return foundInTar(t, data)
	case strings.HasSuffix(name, ".warc"):
		return foundInWARC(t, data)
	}
	if beginsAsPDF(data) {
		n.pdfs = 1
	}
	n.files++
	return n
}

// uncompressed returns what is compressed in a file, by its name. It is false for another file.
func uncompressed(t *testing.T, name string, data []byte) (inner []byte, ok bool) {
	t.Helper()
	var r io.Reader
	var err error
	switch filepath.Ext(name) {
	case ".gz", ".tgz":
		r, err = gzip.NewReader(bytes.NewReader(data))
	default:
		return nil, false
	}
	if err == nil {
		inner, err = io.ReadAll(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return inner, true
}

func foundInZip(t *testing.T, data []byte) (n findCount) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return findCount{files: 1} // it is none
	}
	for _, f := range z.File {
		if f.Mode().IsDir() {
			continue
		}
		r, err := f.Open()
		if err != nil {
			n.files++ // encrypted, or in another way not to be read
			continue
		}
		inner, _ := io.ReadAll(r)
		n.add(found(t, f.Name, inner))
	}
	return n
}

func foundInTar(t *testing.T, data []byte) (n findCount) {
	t.Helper()
	in := bytes.NewReader(data)
	for in.Len() > 0 {
		files := tar.NewReader(in)
		for {
			h, err := files.Next()
			if err != nil {
				break
			}
			inner, _ := io.ReadAll(files)
			if h.Typeflag != tar.TypeDir {
				n.add(found(t, h.Name, inner))
			}
		}
	}
	return n
}

func foundInWARC(t *testing.T, data []byte) (n findCount) {
	t.Helper()
	for _, m := range storedFile.FindAllIndex(data, -1) {
		record, _, _ := bytes.Cut(data[m[1]:], []byte("\r\n\r\nWARC/1"))
		_, block, _ := bytes.Cut(record, []byte("\r\n\r\n"))
		_, body, _ := bytes.Cut(block, []byte("\r\n\r\n"))
		if bytes.HasPrefix(body, []byte("PK")) {
			n.add(found(t, ".zip", body))
		} else {
			n.add(found(t, "", body))
		}
	}
	return n
}

// storedFile matches the type of a record with a file.
var storedFile = regexp.MustCompile(`WARC-Type: (response|resource|conversion|revisit)`)

// account counts the outcomes of the files in some paths.
type account struct{ audited, pdfs, failed, skipped int }

// accountOf counts the inputs in paths, those that begin as a PDF does, those that are not audited, and the files that are skipped.
func accountOf(t *testing.T, paths ...string) (a account) {
	t.Helper()
	where := PathOptions{Skipped: func(string, Skip) { a.skipped++ }}
	for in := range Inputs(slices.Values(paths), where) {
		in.load()
		switch {
		case errors.Is(in.Err, report.ErrNoFiles), errors.Is(in.Err, report.ErrNoMembers):
		case in.Err != nil:
			a.failed++
		default:
			a.audited++
			if beginsAsPDF(firstBytes(t, in)) {
				a.pdfs++
			}
		}
		in.Close()
	}
	return a
}

// firstBytes returns the first bytes of an input.
func firstBytes(t *testing.T, in *Input) []byte {
	t.Helper()
	b := make([]byte, 64)
	if in.member == nil {
		f, err := os.Open(in.path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		n, _ := f.Read(b)
		return b[:n]
	}
	n, _ := in.member.Data.ReadAt(b, 0)
	return b[:n]
}

// check fails unless each file is audited, failed, or skipped, and each PDF is audited or failed.
func (a account) check(t *testing.T, want findCount) {
	t.Helper()
	if a.audited+a.failed+a.skipped != want.files {
		t.Errorf("%d audited, %d failed, and %d skipped, want %d together", a.audited, a.failed, a.skipped, want.files)
	}
	if a.pdfs > want.pdfs || a.pdfs+a.failed < want.pdfs {
		t.Errorf("%d PDFs are audited, and %d files are not, of %d PDFs", a.pdfs, a.failed, want.pdfs)
	}
}

// samples returns files and archives of many kinds, by name.
func samples(t *testing.T) map[string][]byte {
	t.Helper()
	pdf, text := string(site()), "text"
	gz := func(data []byte) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(data)
		w.Close()
		return b.Bytes()
	}
	record := func(kind, head, body string) string {
		block := "HTTP/1.1 " + head + "\r\n\r\n" + body
		return "WARC/1.0\r\nWARC-Type: " + kind + "\r\nWARC-Target-URI: http://a.example/" + kind + "\r\n" +
			"Content-Type: application/http\r\nContent-Length: " + fmt.Sprint(len(block)) + "\r\n\r\n" + block +
			"\r\n\r\n"
	}
	warc := record("response", "200 OK\r\nContent-Type: application/pdf", pdf) + record("response", "200 OK", text) +
		record("request", "", "") + record("response", "206 Partial Content\r\nContent-Type: application/pdf", pdf) +
		record("revisit", "200 OK\r\nContent-Type: application/pdf", "") + record("revisit", "200 OK", "") +
		record("response", "302 Found\r\nLocation: /x", "") + record("response", "404 Not Found", pdf) +
		record("response", "200 OK", string(zipped(t, "a.pdf", pdf, "b.txt", text))) + record("conversion", "200 OK",
		text)
	zip := zipped(t, "a.pdf", pdf, "b", pdf, "c.txt", text, "d.pdf", text, "folder/", "", "folder/e", text, "f.pdf", "")
	encrypted := bytes.Clone(zip)
	for at := 0; ; at++ { // the flags of all entries in the directory
		i := bytes.Index(encrypted[at:], []byte("PK\x01\x02"))
		if i < 0 {
			break
		}
		at += i
		encrypted[at+8] |= 1
	}
	files := tarred(t, 3, 100)
	return map[string][]byte{
		"a.pdf": []byte(pdf), "b": []byte(pdf), "c.txt": []byte(text), "d.pdf": []byte(text),
		"e.go": []byte(`"%PDF-1.4"`),
		"f":    nil, "g.pdf": nil, "7.7z": []byte("7z\xbc\xaf\x27\x1c\x00\x04"), "x.pdf.gz": gz([]byte(pdf)),
		"x.txt.gz": gz([]byte(text)), "both.pdf": slices.Concat([]byte(pdf), zip), "both": slices.Concat([]byte(pdf), zip),
		"garbage.zip": []byte(text), "page.mht": []byte(text), "log.har": []byte(text), "nuls": slices.Concat(make([]byte, 9), []byte(pdf)),
		"z.zip": zip, "encrypted.zip": encrypted, "empty.zip": zipped(t), "t.tar": files, "t.tgz": gz(files),
		"w.warc": []byte(warc), "w.warc.gz": gz([]byte(warc)),
		"w.wacz":   zipped(t, "archive/a.warc.gz", string(gz([]byte(warc))), "pages/pages.jsonl", "{}"),
		"deep.zip": zipped(t, "in.tar.gz", string(gz(files)), "in.zip", string(zip), "readme", text),
	}
}

// TestNothingIsSkippedInSilence: what is found is an input, has a record that says why it is not audited, or is counted
// as something else.
func TestNothingIsSkippedInSilence(t *testing.T) {
	all := samples(t)
	dir, total := write(t, all), findCount{}
	for name, data := range all {
		want := found(t, name, data)
		total.add(want)
		t.Run(name, func(t *testing.T) {
			accountOf(t, filepath.Join(dir, name)).check(t, want)
			accountOf(t, write(t, map[string][]byte{name: data})).check(t, want)
		})
	}
	t.Run("a folder", func(t *testing.T) { accountOf(t, dir).check(t, total) })
	t.Run("many files", func(t *testing.T) {
		dir := t.TempDir()
		want := batchtest.Write(t, dir, 200, 1<<20)
		if a := accountOf(t, dir); a.audited+a.failed != want || a.skipped != 0 {
			t.Errorf("%+v, want %d", a, want)
		}
	})
	for _, folder := range []string{"../../testdata", "../../webcapture", "../../digest", "../../docs",
		"../../../shared/corpus"} {
		t.Run(folder, func(t *testing.T) {
			var want findCount
			err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				data, err := os.ReadFile(path)
				want.add(found(t, path, data))
				return err
			})
			if errors.Is(err, fs.ErrNotExist) {
				t.Skip("no corpus next to the repository")
			}
			if err != nil {
				t.Fatal(err)
			}
			accountOf(t, folder).check(t, want)
		})
	}
}
