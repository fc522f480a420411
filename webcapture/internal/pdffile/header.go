package pdffile

import (
	"bytes"
	"errors"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
)

const headerMark = "%PDF-"

// headerWindow is where the header must start: the limit of Acrobat (PDF Reference 1.7, appendix H, note 13).
const headerWindow = 1_024

// findHeader returns the position of the header, or -1. late means that the header is missing, or starts after
// headerWindow, where readers may ignore it: then the rest of the file must show that it is a PDF.
func findHeader(b []byte) (at int, late bool) {
	if at = bytes.Index(b[:min(len(b), headerWindow+len(headerMark))], []byte(headerMark)); at >= 0 {
		return at, false
	}
	return bytes.Index(b, []byte(headerMark)), true
}

// openLate opens a file whose header is late or missing: its beginning was lost, or belongs to another file. Such a
// file is a PDF if its page tree has kids. Otherwise, Root must be a dictionary of type Catalog; if the header is
// missing, the file must also have a trailer or cross-reference data.
func (f *File) openLate(header int, ways []func(header int) error) error {
	inFile := func(word string) bool { return bytes.Contains(f.data, []byte(word)) }
	if header < 0 && !slices.ContainsFunc([]string{"trailer", "/XRef", "/Catalog"}, inFile) {
		return ErrNotPDF
	}
	var d *Damage
	switch err := f.openWays(max(header, 0), ways); {
	case errors.As(err, &d):
		return ErrNotPDF
	case err != nil:
		return err
	}
	r := f.NewReader()
	root, _ := r.Catalog()
	catalog, _ := root.Dict()
	pages, _ := object.Resolve(r, catalog.Lookup("Pages"))
	tree, _ := pages.Dict()
	kids, _ := object.Resolve(r, tree.Lookup("Kids"))
	list, _ := kids.Array()
	_, _, hasKids := list.Cut()
	switch {
	case hasKids:
	case !catalog.Lookup("Type").IsName("Catalog"), header < 0 && f.trailerMade:
		return ErrNotPDF
	}
	if header < 0 {
		f.notice("no header %s", headerMark)
	} else {
		f.notice("the header %s is at offset %d, after the first %d bytes", headerMark, header, headerWindow)
	}
	return nil
}

// HeaderVersion returns the version in the header, such as "1.4"; "" if there is no header.
func (f *File) HeaderVersion() string { return f.version }

// headerVersion reads the version from the header at offset at.
func (f *File) headerVersion(at int) string {
	if at < 0 {
		return ""
	}
	at += len(headerMark)
	end := at
	for end < len(f.data) && end < at+8 && object.IsRegular(f.data[end]) {
		end++
	}
	return string(f.data[at:end])
}
