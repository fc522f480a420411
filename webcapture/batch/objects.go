package batch

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/batch/archive"
	"github.com/webcap-tools/webcap/webcapture/batch/store"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// stored yields the inputs for the name of an object. If name is a prefix, it yields those for all objects below
// it, like files in a folder.
func (w *walk) stored(name string) {
	why := report.ErrNoMembers
	for o, err := range store.Find(context.Background(), name) {
		switch {
		case errors.Is(err, fs.ErrNotExist) && w.storedMember(name):
		case err != nil:
			w.fail(name, err)
		case !store.IsPrefix(name):
			w.object(name, o, true)
		case isPDFObject(o.Name()):
			w.give(&Input{Name: o.Name(), object: o})
		default:
			w.object(o.Name(), o, false)
		}
		if w.ended {
			return
		}
	}
	if store.IsPrefix(name) {
		why = report.ErrNoFiles
	}
	w.nothing(name, why)
}

// storedMember yields the member of a stored archive that name refers to. It returns false if there is no such
// archive.
func (w *walk) storedMember(name string) bool {
	for at := len(name); ; {
		if at = strings.LastIndex(name[:at], archive.Separator); at <= 0 {
			return false
		}
		object := name[:at]
		f, size, err := openObject(object)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			w.fail(name, err)
			return true
		}
		run := memberRun{open: func(string) (archive.File, int64, error) { return f, size, nil }} // for one pass
		run.add(object, name)
		run.give(w)
		return true
	}
}

// isPDFName reports whether a name has the extension of a PDF.
func isPDFName(name string) bool { return strings.EqualFold(path.Ext(name), ".pdf") }

// isPDFObject reports whether the name of an object has the extension of a PDF.
func isPDFObject(name string) bool {
	name, _, _ = strings.Cut(name, "?")
	return isPDFName(name)
}

// object yields an object, or the members if it is an archive. An object that was not named must begin like a PDF
// or an archive.
func (w *walk) object(name string, o store.Object, named bool) {
	kind, err := archive.KindOf(objectReader{o}, o.Size(), name)
	if err != nil {
		w.fail(name, err)
		return
	}
	switch {
	case kind.IsPDF() || named && !kind.IsArchive():
		w.give(&Input{Name: name, object: o})
	case kind == archive.Other:
		w.skip(name, archive.OtherThanPDF(name))
	}
	if kind.IsArchive() && !w.ended {
		f, err := store.Download(context.Background(), o)
		if err != nil {
			w.fail(name, err)
			return
		}
		w.members(name, w.within(name, f, o.Size()))
	}
}

// openObject opens an object that may be an archive. The error for a prefix is fs.ErrNotExist.
func openObject(name string) (archive.File, int64, error) {
	if store.IsPrefix(name) {
		return nil, 0, fs.ErrNotExist
	}
	for o, err := range store.Find(context.Background(), name) {
		if err != nil {
			return nil, 0, err
		}
		f, err := store.Download(context.Background(), o)
		return f, o.Size(), err
	}
	return nil, 0, fs.ErrNotExist
}

// objectReader reads an object at any offset.
type objectReader struct{ store.Object }

func (r objectReader) ReadAt(p []byte, at int64) (int, error) {
	n := min(int64(len(p)), r.Size()-at)
	if n <= 0 {
		return 0, io.EOF
	}
	body, err := r.Range(context.Background(), at, n)
	if err != nil {
		return 0, err
	}
	defer body.Close()
	got, err := io.ReadFull(body, p[:n])
	if err == nil && got < len(p) {
		err = io.EOF
	}
	return got, err
}
