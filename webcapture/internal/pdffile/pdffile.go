// Package pdffile turns the bytes of a PDF into objects, and changed objects into bytes.
//
// It reads lazily: [Open] only follows the cross-reference data, objects are parsed on demand, and an unused object
// costs nothing. If the cross-reference data is damaged, or does not describe the newest revision, the package
// searches the file for objects. If that finds too little, pdfcpu reads all of it.
//
// An [Update] writes changed objects, after the bytes of the file or with all its other objects into a new one.
// Unchanged objects are copied byte for byte.
package pdffile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/edsrzf/mmap-go"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
)

// Errors of Open that callers may want to distinguish. Its other errors are I/O errors, a *Damage, or the cause of a
// canceled context.
var (
	ErrNotPDF     = errors.New("not a PDF: no %PDF- header in the first 1024 bytes")
	ErrEmpty      = errors.New("the file is empty")
	ErrPassword   = errors.New("encrypted, and no password that was given opens it")
	ErrEncryption = errors.New("encrypted, and cannot be decrypted")
)

// Damage means that cross-reference data does not describe the file. Objects found by that data cannot be trusted;
// the file must be opened again with Repair.
type Damage struct{ Reason string }

// Error returns the reason.
func (d *Damage) Error() string { return "cross-reference data is damaged: " + d.Reason }

// reason returns the text of err without the common prefix of Damage.
func reason(err error) string {
	if d, ok := errors.AsType[*Damage](err); ok {
		return d.Reason
	}
	return err.Error()
}

func damaged(format string, args ...any) error { return &Damage{fmt.Sprintf(format, args...)} }

// A File is an open PDF. It is safe for concurrent use; its objects are read through Readers, one for each goroutine.
type File struct {
	fileBytes

	headerAt int           // offset of the header; -1 if there is none
	version  string        // version in the header
	base     int64         // offsets in the file count from here
	slack    int           // start of trailing bytes that belong to no revision; 0 if there are none
	newest   int64         // offset of the newest cross-reference section
	entries  []entry       // by object number
	trailer  object.Dict   // of the newest section
	catalog  object.Object // resolved; null if pdfcpu has read the file
	crypt    *crypt        // nil if not encrypted
	searched bool          // the cross-reference data is ignored: a search or pdfcpu found the objects
	unlisted bool          // cross-reference data cannot be read, so an object that a search did not find may be lost
	byPdfcpu *pdfcpuFile   // nil unless pdfcpu has read the file; then entries are not used
	notices  []string      // damage that did not prevent reading
	isCutOff bool          // the end of the file is missing
	unread   []error       // parts that could not be read

	shown       *Update // update shown by a preview; nil for other files
	trailerMade bool    // the file has no trailer
}

// fileBytes is the part of a File that stays when another way of opening is tried: its bytes, their owner, the
// passwords, and the meter.
type fileBytes struct {
	data   []byte
	buffer *[]byte   // pooled buffer that holds data; nil if data is mapped, or has its own memory
	mapped mmap.MMap // nil for data in memory
	handle *os.File  // handle of the mapped file
	owned  bool      // Close closes handle
	ctx    context.Context
	meter  *meter.Meter

	passwords []string // user or owner passwords, tried in this order; the empty one is always tried
}

// Open opens the PDF at path. It tries the passwords in order, each as user and as owner password, and the empty one
// last. The context applies to the File, not only to this call: after it is canceled, all reads of the file fail with
// its cause. If the cross-reference data is unusable, Open repairs it in memory; see Repaired. The caller closes the
// File when no object of the File is in use any more.
func Open(ctx context.Context, path string, passwords []string) (*File, error) {
	h, err := infile.Open(path)
	if err != nil {
		return nil, err
	}
	f, err := OpenHandle(ctx, h, path, passwords)
	if err != nil || f.mapped == nil {
		h.Close()
		return f, err
	}
	f.owned = true
	return f, nil
}

// OpenHandle opens the PDF in an open file; name is used in errors. h must stay open while the File is used, and
// the caller closes it.
func OpenHandle(ctx context.Context, h *os.File, name string, passwords []string) (*File, error) {
	f := &File{fileBytes: fileBytes{ctx: ctx, passwords: passwords}}
	if err := f.load(h, name); err != nil {
		return nil, err
	}
	if err := f.open(false); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// New opens a PDF in memory. The caller must not change data while the File is in use.
func New(ctx context.Context, data []byte, passwords []string) (*File, error) {
	f := &File{fileBytes: fileBytes{data: data, ctx: ctx, passwords: passwords}}
	if err := f.open(false); err != nil {
		return nil, err
	}
	return f, nil
}

// open opens the file; withoutXRef says to ignore its cross-reference data.
func (f *File) open(withoutXRef bool) error {
	if f.meter == nil {
		f.meter = meter.New(f.Size())
	}
	return f.guarded(func() error {
		if len(f.data) == 0 {
			return ErrEmpty
		}
		if err := f.meter.Pay(f.Size()); err != nil {
			return err
		}
		ways := []func(header int) error{f.openByTable, f.openBySearch, f.openByPdfcpu}
		if withoutXRef {
			ways = ways[1:]
		}
		header, late := findHeader(f.data)
		var err error
		if late {
			err = f.openLate(header, ways[:len(ways)-1])
		} else {
			err = f.openWays(header, ways)
		}
		f.headerAt, f.version = header, f.headerVersion(header)
		f.trailer = f.trailer.Clone()
		return cmp.Or(f.stopped(), err, f.Intact())
	})
}

// Repair opens the bytes of f again without the cross-reference data. The reason, found, becomes a notice. Earlier
// Readers and objects of f must not be used any more. If Repair fails, f can only be closed.
func (f *File) Repair(found error) error {
	err := f.open(true)
	if err == nil {
		f.notice("%v", found)
	}
	return err
}

// openWays opens the file in the first of the ways that works.
func (f *File) openWays(header int, ways []func(header int) error) error {
	var causes []error
	for _, open := range ways {
		f.reset()
		err := open(header)
		var d *Damage
		switch {
		case err == nil:
			f.passedOver(causes)
			return nil
		case f.stopped() != nil, !errors.As(err, &d):
			return err
		}
		causes = append(causes, err)
	}
	return causes[0]
}

// passedOver records why earlier ways of opening failed. If the search found no catalog, the result of pdfcpu is
// incomplete.
func (f *File) passedOver(causes []error) {
	for i, err := range causes {
		if i == 0 || err.Error() != causes[i-1].Error() {
			f.notice("%v", err)
		}
	}
	if f.byPdfcpu != nil && len(causes) > 0 {
		f.lose("%s; pdfcpu read the file instead", reason(causes[len(causes)-1]))
	}
}

// reset discards what a failed attempt to open the file has left. It keeps fileBytes.
func (f *File) reset() { *f = File{fileBytes: f.fileBytes} }

// openByTable reads the cross-reference data of the file.
func (f *File) openByTable(header int) error {
	if err := f.readSections(header); err != nil {
		return err
	}
	if err := f.openCrypt(); err != nil {
		return err
	}
	return f.checkCatalog()
}

// checkCatalog checks that Root of the trailer refers to a catalog.
func (f *File) checkCatalog() error {
	root, err := object.Resolve(f.NewReader(), f.trailer.Lookup("Root"))
	switch {
	case object.IsMalformed(err):
		return damaged("the catalog cannot be read: %v", err)
	case err != nil:
		return err
	case root.Kind() != object.Dictionary:
		return damaged("the trailer's Root is %s, not a dictionary", describe(root))
	}
	f.catalog = root
	return nil
}

// Catalog returns the object in place of the document catalog.
func (r *Reader) Catalog() (object.Object, error) {
	if f := r.f; f.shown == nil && !f.catalog.IsNull() {
		return f.catalog, nil
	}
	return object.Resolve(r, r.f.trailer.Lookup("Root"))
}

// Close releases the file. Its objects must not be used afterwards.
func (f *File) Close() error {
	var err error
	if f.mapped != nil {
		err = f.mapped.Unmap()
		f.mapped, f.data = nil, nil
	}
	if f.buffer != nil {
		buffers.Put(f.buffer)
		f.buffer, f.data = nil, nil
	}
	if f.owned {
		err = errors.Join(err, f.handle.Close())
		f.owned = false
	}
	return err
}

// Trailer returns the trailer dictionary of the newest cross-reference section.
func (f *File) Trailer() object.Dict { return f.trailer }

// Meter returns the meter of the file. Everything that reads the file pays there.
func (f *File) Meter() *meter.Meter { return f.meter }

// Size returns the file's length in bytes.
func (f *File) Size() int64 { return int64(len(f.data)) }

// WriteTo writes the file's bytes.
func (f *File) WriteTo(w io.Writer) (n int64, err error) {
	for part := range slices.Chunk(f.data, 1<<20) { // the context is checked before each part
		err := f.guarded(func() error {
			k, err := w.Write(part)
			n += int64(k)
			return err
		})
		if err != nil {
			return n, err
		}
	}
	return n, f.Intact()
}

// Encrypted reports whether the file has an encryption dictionary. Possibly only some strings or streams are encrypted.
func (f *File) Encrypted() bool { return !f.trailer.Lookup("Encrypt").IsNull() }

// Repaired reports whether the cross-reference data is ignored.
func (f *File) Repaired() bool { return f.searched }

// Notices returns the problems of the file that did not prevent reading it, in order.
func (f *File) Notices() []string { return f.notices }

// Unread returns the unreadable parts of the file that may contain seemingly missing objects: a cut-off end, object
// streams, parts skipped by pdfcpu. Objects with an entry are not included: Get reports those. A caller that
// reports an object as absent must also report these parts.
func (f *File) Unread() []error { return f.unread }

func (f *File) notice(format string, args ...any) {
	f.notices = append(f.notices, fmt.Sprintf(format, args...))
}
