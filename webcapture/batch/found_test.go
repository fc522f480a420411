package batch

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/bzip2"
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

	"github.com/webcap-tools/webcap/webcapture/batch/archive"
	"github.com/webcap-tools/webcap/webcapture/batch/batchtest"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// found counts what is in a file, regardless of what package archive says: the entries of an archive by its name, and
// of those in it, or the file.
func found(t *testing.T, name string, data []byte) (n int) {
	t.Helper()
	switch name = strings.ToLower(name); {
	case strings.HasSuffix(name, ".gz"), strings.HasSuffix(name, ".tgz"):
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		inner, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		return found(t, strings.TrimSuffix(strings.Replace(name, ".tgz", ".tar", 1), ".gz"), inner)
	case strings.HasSuffix(name, ".bz2"):
		inner, err := io.ReadAll(bzip2.NewReader(bytes.NewReader(data)))
		if err != nil {
			t.Fatal(err)
		}
		return found(t, strings.TrimSuffix(name, ".bz2"), inner)
	case strings.HasSuffix(name, ".zip"), strings.HasSuffix(name, ".wacz"):
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			if f.Mode().IsDir() {
				continue
			}
			r, err := f.Open()
			if err != nil {
				n++ // encrypted, or in another way not to be read
				continue
			}
			inner, _ := io.ReadAll(r)
			n += found(t, f.Name, inner)
		}
		return n
	case strings.HasSuffix(name, ".tar"):
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
					n += found(t, h.Name, inner)
				}
			}
		}
		return n
	case strings.HasSuffix(name, ".warc"):
		for _, m := range storedFile.FindAllIndex(data, -1) {
			body := data[m[1]:]
			if i := bytes.Index(body, []byte("\r\n\r\nPK")); i >= 0 && !bytes.Contains(body[:i], []byte("WARC/1")) {
				end := bytes.Index(body, []byte("\r\n\r\nWARC/1"))
				n += found(t, ".zip", body[i+4:end])
			} else {
				n++
			}
		}
		return n
	}
	return 1
}

// storedFile matches the type of a record with a file.
var storedFile = regexp.MustCompile(`WARC-Type: (response|resource|conversion|revisit)`)

// account returns how many inputs there are, counting those in a record about several, and how many files were skipped.
func account(paths ...string) (inputs, skipped int) {
	where := PathOptions{Skipped: func(string, Skip) { skipped++ }}
	for in := range Inputs(slices.Values(paths), where) {
		closed, several := errors.AsType[*archive.EntriesError](in.Err)
		switch {
		case several:
			inputs += closed.Count
		case !errors.Is(in.Err, report.ErrNoFiles) && !errors.Is(in.Err, report.ErrNoMembers):
			inputs++
		}
		in.close()
	}
	return inputs, skipped
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
		"x.txt.gz": gz([]byte(text)),
		"z.zip":    zip, "encrypted.zip": encrypted, "empty.zip": zipped(t), "t.tar": files, "t.tgz": gz(files),
		"two.tar": slices.Concat(files, files), "w.warc": []byte(warc), "w.warc.gz": gz([]byte(warc)),
		"w.wacz":   zipped(t, "archive/a.warc.gz", string(gz([]byte(warc))), "pages/pages.jsonl", "{}"),
		"deep.zip": zipped(t, "in.tar.gz", string(gz(files)), "in.zip", string(zip), "readme", text),
	}
}

// TestNothingIsSkippedInSilence: what is found is an input, has a record that says why it is not audited, or is counted
// as something else.
func TestNothingIsSkippedInSilence(t *testing.T) {
	all := samples(t)
	dir, total := write(t, all), 0
	for name, data := range all {
		want := found(t, name, data)
		total += want
		t.Run(name, func(t *testing.T) {
			if inputs, skipped := account(filepath.Join(dir, name)); inputs+skipped != want {
				t.Errorf("%d inputs and %d skipped, want %d together", inputs, skipped, want)
			}
		})
	}
	t.Run("a folder", func(t *testing.T) {
		if inputs, skipped := account(dir); inputs+skipped != total {
			t.Errorf("%d inputs and %d skipped, want %d together", inputs, skipped, total)
		}
	})
	t.Run("many files", func(t *testing.T) {
		dir := t.TempDir()
		want := batchtest.Write(t, dir, 200, 1<<20)
		if inputs, skipped := account(dir); inputs != want || skipped != 0 {
			t.Errorf("%d inputs and %d skipped, want %d", inputs, skipped, want)
		}
	})
	for _, folder := range []string{"../../testdata", "../../webcapture", "../../digest", "../../docs",
		"../../../shared/corpus"} {
		t.Run(folder, func(t *testing.T) {
			want := 0
			err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				data, err := os.ReadFile(path)
				want += found(t, path, data)
				return err
			})
			if errors.Is(err, fs.ErrNotExist) {
				t.Skip("no corpus next to the repository")
			}
			if inputs, skipped := account(folder); err != nil || inputs+skipped != want {
				t.Errorf("%d inputs and %d skipped, want %d together: %v", inputs, skipped, want, err)
			}
		})
	}
}
