// Command damaged writes PDF files that are damaged in known ways into a folder, for .ci/compare:
//
//	go run ./.ci/damaged FOLDER
//
// FOLDER/originals has the undamaged documents. FOLDER/damaged/NAME has the mutations of the original NAME.
// FOLDER/sources has a capture, and a source of each kind for it.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
	"github.com/webcap-tools/webcap/webcapture/audit/audittest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: damaged FOLDER")
		os.Exit(2)
	}
	folder, err := filepath.Abs(os.Args[1])
	if err == nil {
		err = writeMutants(folder)
	}
	if err == nil {
		err = writeSources(filepath.Join(folder, "sources"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "damaged:", err)
		os.Exit(1)
	}
}

// reporter is a testing.TB for test helpers that only log and fail.
type reporter struct{ testing.TB }

func (reporter) Logf(format string, args ...any)   { fmt.Fprintf(os.Stderr, format+"\n", args...) }
func (reporter) Errorf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
func (reporter) Fatal(args ...any)                 { fmt.Fprintln(os.Stderr, args...); os.Exit(1) }

func writeMutants(folder string) error {
	for _, base := range audittest.Bases(reporter{}) {
		if err := write(filepath.Join(folder, "originals", base.Name+".pdf"), base.Encode()); err != nil {
			return err
		}
		for i, mutation := range audittest.Mutations {
			data, ok := base.Break(mutation)
			if !ok {
				continue
			}
			name := fmt.Sprintf("%s-%03d.pdf", mutation.Rule, i)
			if err := write(filepath.Join(folder, "damaged", base.Name, name), data); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeSources writes a capture, and the captured files as a source of each kind. One body in the sources differs from
// the capture.
func writeSources(folder string) error {
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

func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o666)
}
