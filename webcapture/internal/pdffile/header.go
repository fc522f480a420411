package pdffile

import (
	"bytes"
	"errors"

	"github.com/webcap-tools/webcap/nametree/object"
)

const headerMark = "%PDF-"

// findHeader returns where the header stands; -1 if there is none. So late is one
// that readers do not have to look for (see headerWindow), so that the rest of the
// file has to say that it is a PDF.
func findHeader(b []byte) (at int, late bool) {
	if at = bytes.Index(b[:min(len(b), headerWindow+len(headerMark))], []byte(headerMark)); at >= 0 {
		return at, false
	}
	return bytes.Index(b, []byte(headerMark)), true
}

// openLate opens a file whose header is far from the start, or missing: it lost
// its beginning, or has that of something else. It is a PDF if cross-reference
// data, or a trailer, leads to a catalog; beside a header the catalog will do.
func (f *File) openLate(header int, opt Options) error {
	if header < 0 && !bytes.Contains(f.data, []byte("trailer")) && !bytes.Contains(f.data, []byte("/XRef")) {
		return ErrNotPDF
	}
	var d *Damage
	switch err := f.openWays(max(header, 0), opt, f.openByTable, f.openBySearch); {
	case errors.As(err, &d):
		return ErrNotPDF
	case err != nil:
		return err
	case !f.hasCatalog(), header < 0 && f.trailerMade:
		return ErrNotPDF
	}
	if header < 0 {
		f.notice("there is no header %s", headerMark)
	} else {
		f.notice("the header %s stands at offset %d, after the first %d bytes", headerMark, header, headerWindow)
	}
	return nil
}

// hasCatalog reports whether Root leads to what says that it is a catalog.
func (f *File) hasCatalog() bool {
	o, err := object.Resolve(f.NewReader(), f.trailer.Lookup("Root"))
	d, _ := o.Dict()
	return err == nil && d.Lookup("Type").IsName("Catalog")
}

// HeaderVersion returns the version that the header names, such as "1.4"; "" if
// there is no header.
func (f *File) HeaderVersion() string { return f.version }

// headerVersion reads the version from the header at at.
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
