// Command damaged writes the inputs of .ci/compare into a folder:
//
//	go run ./.ci/damaged FOLDER
//
//	testdata   files of testdata
//	cases      the documents of testdata/audit
//	originals  undamaged documents: generated ones, and some of FOLDER/corpus/real if it exists
//	damaged    damaged/NAME has mutations of originals/NAME.pdf
//	cut        originals that are cut off or overwritten
//	sources    a capture, and a source of each kind for it
//	archives   archives of some of these files
//	lists      lists of passwords, paths, and URLs
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
	"github.com/webcap-tools/webcap/webcapture/audit/audittest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: damaged FOLDER")
		os.Exit(2)
	}
	for _, f := range []func(string) error{
		copyTestdata, writeCases, writeMutants, writeCut, writeSources, writeArchives, writeLists,
	} {
		if err := f(os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, "damaged:", err)
			os.Exit(1)
		}
	}
}

// reporter is a testing.TB for test helpers that only log and fail.
type reporter struct{ testing.TB }

func (reporter) Logf(format string, args ...any)   { fmt.Fprintf(os.Stderr, format+"\n", args...) }
func (reporter) Errorf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
func (reporter) Fatal(args ...any)                 { fmt.Fprintln(os.Stderr, args...); os.Exit(1) }

func copyTestdata(folder string) error {
	for _, pattern := range []string{"*.pdf", "*.warc", "*.yaml", "report/*.*json"} {
		paths, err := filepath.Glob(filepath.Join("testdata", pattern))
		if err != nil {
			return err
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if err := write(filepath.Join(folder, path), data); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeCases(folder string) error {
	paths, err := filepath.Glob("testdata/audit/*.txtar")
	if err != nil {
		return err
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			return err
		}
		d, err := webcapturetest.Parse(string(archive.Files[0].Data))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".txtar") + ".pdf"
		if err := write(filepath.Join(folder, "cases", name), d.Bytes(webcapturetest.Layout{})); err != nil {
			return err
		}
	}
	return nil
}

// writeMutants applies each mutation to each generated document, and every eighth to each real one.
func writeMutants(folder string) error {
	paths, err := filepath.Glob(filepath.Join(folder, "corpus", "real", "*.pdf"))
	if err != nil {
		return err
	}
	for n, base := range append(audittest.Generated(reporter{}), audittest.Real(reporter{}, paths)...) {
		name := strings.TrimSuffix(base.Name, ".pdf")
		if err := write(filepath.Join(folder, "originals", name+".pdf"), base.Encode()); err != nil {
			return err
		}
		for i, mutation := range audittest.Mutations {
			if !base.Generated && (i+n)%8 != 0 {
				continue
			}
			data, ok := base.Break(mutation)
			if !ok {
				continue
			}
			mutant := fmt.Sprintf("%s-%03d.pdf", mutation.Rule, i)
			if err := write(filepath.Join(folder, "damaged", name, mutant), data); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeCut damages the bytes of originals, not their objects.
func writeCut(folder string) error {
	for _, base := range audittest.Generated(reporter{}) {
		data := base.Encode()
		overwritten := func(from, to int) []byte {
			return slices.Concat(data[:from], bytes.Repeat([]byte(" "), to-from), data[to:])
		}
		n := len(data)
		for name, b := range map[string][]byte{
			"third":    data[:n/3],
			"end":      data[:n-40],
			"middle":   overwritten(n/2, n/2+200),
			"xref":     overwritten(n-200, n-10),
			"header":   overwritten(0, 8),
			"preamble": append([]byte("preamble\n"), data...),
		} {
			if err := write(filepath.Join(folder, "cut", base.Name+"-"+name+".pdf"), b); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeSources writes a capture, and the captured files as a source of each kind. One
// body in the sources differs from the capture.
func writeSources(folder string) error {
	folder = filepath.Join(folder, "sources")
	site := []webcapturetest.Resource{
		{URL: "http://h.example/", MediaType: "text/html", Body: []byte(`<img src="a.gif"><img src="b.jpg">`),
			Aux: []int{1, 2}},
		{URL: "http://h.example/a.gif", MediaType: "image/gif", Body: []byte("GIF89a one")},
		{URL: "http://h.example/b.jpg", MediaType: "image/jpeg", Body: []byte("JPEG two")},
		{URL: "http://h.example/c.txt", MediaType: "text/plain", Body: []byte("three")},
	}
	pdf := webcapturetest.Site(site, webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{})
	if err := write(filepath.Join(folder, "site.pdf"), pdf); err != nil {
		return err
	}
	var resources []sourcetest.Resource
	for _, r := range site {
		resources = append(resources, sourcetest.Resource{URL: r.URL, MediaType: r.MediaType, Body: r.Body})
	}
	resources[3].Body = []byte("another three")
	for _, kind := range sourcetest.Kinds() {
		if _, err := sourcetest.Write(folder, kind, resources); err != nil {
			return err
		}
	}
	return nil
}

// writeArchives writes archives of a document of 1 MB, which readers do not keep in memory, of originals, and of
// damaged files.
func writeArchives(folder string) error {
	large := webcapturetest.Sets(3000, webcapturetest.Options{Images: 1}).Bytes(webcapturetest.Layout{})
	files := map[string][]byte{"large.pdf": large, "notes.txt": []byte("not a PDF\n")}
	for _, pattern := range []string{"originals/*.pdf", "damaged/flat/*5.pdf", "cut/*.pdf"} {
		paths, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			return err
		}
		for _, path := range paths {
			name, _ := filepath.Rel(folder, path)
			if files[filepath.ToSlash(name)], err = os.ReadFile(path); err != nil {
				return err
			}
		}
	}
	folder = filepath.Join(folder, "archives")
	if err := writeFileArchives(folder, files); err != nil {
		return err
	}
	return writeWebArchives(folder, files)
}

// writeFileArchives writes files as ZIP and tar, whole and cut off.
func writeFileArchives(folder string, files map[string][]byte) error {
	var zipped, tarred, compressed bytes.Buffer
	z, t := zip.NewWriter(&zipped), tar.NewWriter(&tarred)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(files[name])
		}
		if err == nil {
			err = t.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(files[name]))})
		}
		if err == nil {
			_, err = t.Write(files[name])
		}
		if err != nil {
			return err
		}
	}
	g := gzip.NewWriter(&compressed)
	for _, close := range []func() error{z.Close, t.Close,
		func() error { _, err := io.Copy(g, bytes.NewReader(tarred.Bytes())); return err }, g.Close} {
		if err := close(); err != nil {
			return err
		}
	}
	for name, data := range map[string][]byte{
		"site.zip": zipped.Bytes(), "site.tar": tarred.Bytes(), "site.tar.gz": compressed.Bytes(),
		"cut.zip": zipped.Bytes()[:zipped.Len()/2], "cut.tar": tarred.Bytes()[:tarred.Len()/2],
	} {
		if err := write(filepath.Join(folder, name), data); err != nil {
			return err
		}
	}
	return nil
}

// writeWebArchives writes the PDF files among files as the archives of crawlers.
func writeWebArchives(folder string, files map[string][]byte) error {
	var resources []sourcetest.Resource
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, ".pdf") {
			resources = append(resources,
				sourcetest.Resource{URL: "http://h.example/" + name, MediaType: "application/pdf", Body: files[name]})
		}
	}
	for _, kind := range sourcetest.Kinds() {
		if strings.HasPrefix(kind, "wa") || kind == "arc" {
			if _, err := sourcetest.Write(folder, kind, resources); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeLists(folder string) error {
	var urls strings.Builder
	tables, err := filepath.Glob("testdata/canon/*.tsv")
	if err != nil {
		return err
	}
	for _, table := range tables {
		text, err := os.ReadFile(table)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			if url, _, ok := strings.Cut(line, "\t"); ok && url != "" && line[0] != '#' {
				urls.WriteString(url + "\n")
			}
		}
	}
	paths := []string{"originals/all.pdf", "cases", "missing.pdf", "archives/site.zip"}
	index := `example,h)/ 20240102100000 {"url": "http://h.example/", "mime": "text/html", "status": "200"}` + "\n"
	for name, text := range map[string]string{
		"passwords":  "1234\nview\n5678\n",
		"paths":      strings.Join(paths, "\n") + "\n",
		"paths0":     strings.Join(paths, "\x00") + "\x00",
		"urls":       urls.String(),
		"urls0":      strings.ReplaceAll(urls.String(), "\n", "\x00"),
		"find":       "http://h.example/\nHTTP://H.example:80/c.txt\nhttp://x.example/\nhttp://h.example/*\n",
		"index.cdxj": index,
	} {
		if err := write(filepath.Join(folder, "lists", name), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}
