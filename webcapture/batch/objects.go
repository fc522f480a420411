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

// stored yields what the name of an object stands for, or that of all below it, which are
// taken as what is in a folder.
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

// storedMember yields the member of an archive that the name of an object leads to. It is
// false if it leads to none.
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
		run := memberRun{open: func(string) (archive.File, int64, error) { return f, size, nil }} // once, for one name
		run.add(object, name)
		run.give(w)
		return true
	}
}

// isPDFName reports whether a name is that of a PDF.
func isPDFName(name string) bool { return strings.EqualFold(path.Ext(name), ".pdf") }

// isPDFObject reports whether the name of an object is that of a PDF.
func isPDFObject(name string) bool {
	name, _, _ = strings.Cut(name, "?")
	return isPDFName(name)
}

// object yields an object, or what is in it if it is an archive. One that was not named has to begin as a
// PDF or an archive does.
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

// openObject opens an object that may be an archive. A prefix is an fs.ErrNotExist.
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

// objectReader reads an object wherever it is asked to.
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
