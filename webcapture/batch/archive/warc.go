package archive

import (
	"bytes"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// warc yields the PDF files of a WARC or ARC file, named by their URLs, and the members of archives in it.
func (w *walk) warc(at *place, r io.ReaderAt, size int64) error {
	records := int64(0)
	for f, err := range source.Files(r, size, at.name) {
		if err != nil {
			return err
		}
		records++
		if w.record(at, f, size/records); w.ended {
			return nil
		}
	}
	return nil
}

// record yields the file of a record, if it is a PDF or an archive. An archive counts with the stored size stored.
func (w *walk) record(at *place, f *source.File, stored int64) {
	name := fileName(f.URL)
	kindName := name
	if !isPDFName(name) { // the end of a URL does not prove an archive
		kindName = ""
	}
	kind := kindOfStart(f.Start, kindName, bytes.NewReader(f.Start))
	if claimsPDF(f.MediaType, name) {
		kind = PDF
	}
	switch {
	case f.Revisit:
		w.other(at, f.URL, Revisit)
		return
	case kind == Other && f.Err != nil:
		w.other(at, f.URL, Unclear)
		return
	case kind == Other:
		w.other(at, f.URL, NotPDF)
		return
	}
	w.file(at, entry{name: f.URL, kind: kind, size: -1, stored: stored, read: func() (*Data, error) {
		if f.Err != nil {
			return nil, &report.SkippedError{Reason: f.Err.Error()}
		}
		in, err := f.Open()
		if err != nil {
			return nil, err
		}
		defer in.Close()
		return dataOf(in)
	}})
}

// fileName returns the last part of the path of a URL.
func fileName(address string) string {
	if u, err := url.Parse(address); err == nil && u.Opaque == "" {
		address = u.Path
	}
	return path.Base(address)
}

// claimsPDF reports whether a media type means a PDF. If the type is unspecific, the name decides.
func claimsPDF(media, name string) bool {
	media, _, _ = strings.Cut(media, ";")
	switch strings.ToLower(strings.TrimSpace(media)) {
	case "application/pdf", "application/x-pdf":
		return true
	case "application/octet-stream", "binary/octet-stream":
		return isPDFName(name)
	}
	return false
}
