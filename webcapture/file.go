// Package webcapture reads the Web Capture content database of a PDF (ISO 32000-2:2020, 14.10): the name trees URLS
// and IDS, their content sets, and the dictionaries in the content sets.
//
//	f, err := webcapture.Open(ctx, "site.pdf", webcapture.Options{})
//	…
//	defer f.Close()
//	db, err := f.Database() // both trees; content sets are read on demand
//	…
//	for c, err := range f.Contents(db).All(f.NewReader()) {
//		… // every content set, once: c.Set
//	}
//
// Most callers want either all content sets, by [File.Contents], or the content sets of one URL, by Find of
// [Database.URLS] and [Reader.Values]. See also [File.Facts], [Reader.Info], [Reader.Pages], and [File.Names].
// Damage may appear only during reading; [File.RetryWithoutXRef] repairs the file then, and runs its function again.
//
// Errors mean that reading failed. Defects of the file are not errors: trees list them, and raw dictionaries are
// available next to their decoded fields.
package webcapture

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
	"github.com/webcap-tools/webcap/webcapture/internal/pdffile"
)

// Errors of Open that callers may want to distinguish.
var (
	ErrNotPDF     = pdffile.ErrNotPDF
	ErrEmpty      = pdffile.ErrEmpty
	ErrPassword   = pdffile.ErrPassword
	ErrEncryption = pdffile.ErrEncryption
)

// IsDamage reports whether err means that a file's cross-reference data does not lead to its objects. File.DropXRef
// makes such a file readable.
func IsDamage(err error) bool {
	var d *pdffile.Damage
	return errors.As(err, &d)
}

// Options are the options of Open. The zero value is a good default.
type Options struct {
	Passwords []string // user or owner passwords, tried in this order; the empty one is always tried
}

// A File is an open PDF. It is safe for concurrent use. Readers read its objects; use one Reader for each goroutine.
type File struct {
	pdf *pdffile.File
}

// Open opens the PDF at path. The context applies to the File, not only to this call: after it is canceled, all reads
// of the file, and [File.RetryWithoutXRef], fail with its cause. If the cross-reference data is unusable, Open searches
// the file for objects; see WithoutXRef. The caller closes the File when no data of the File are in use any more.
func Open(ctx context.Context, path string, opt Options) (*File, error) {
	return wrapped(pdffile.Open(ctx, path, opt.Passwords))
}

func wrapped(pdf *pdffile.File, err error) (*File, error) {
	if err != nil {
		return nil, err
	}
	return &File{pdf}, nil
}

// OpenHandle opens a PDF like [Open], from an open file; name is used in errors. h must stay open while the File is
// in use, and the caller closes h.
func OpenHandle(ctx context.Context, h *os.File, name string, opt Options) (*File, error) {
	return wrapped(pdffile.OpenHandle(ctx, h, name, opt.Passwords))
}

// New opens a PDF in memory like [Open]. The caller must not change data while the File is in use.
func New(ctx context.Context, data []byte, opt Options) (*File, error) {
	return wrapped(pdffile.New(ctx, data, opt.Passwords))
}

// OpenReader opens a PDF of size bytes like [Open], for example one in an object store. It reads all of them first, and
// does not use r afterwards.
func OpenReader(ctx context.Context, r io.ReaderAt, size int64, opt Options) (*File, error) {
	data, err := io.ReadAll(infile.Interruptible(ctx, io.NewSectionReader(r, 0, size)))
	if err == nil && int64(len(data)) < size {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	return New(ctx, data, opt)
}

// Read opens a PDF file, and calls do with it, as RetryWithoutXRef does. The file is closed afterwards.
func Read(ctx context.Context, path string, opt Options, do func(*File) error) error {
	f, err := Open(ctx, path, opt)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.RetryWithoutXRef(func() error { return do(f) })
}

// RetryWithoutXRef calls do, which reads f. If do returns damage (see IsDamage) and f still uses the cross-reference
// data of the file, it calls DropXRef and do again. do must not keep results of the first call.
//
// RetryWithoutXRef returns an error if the file was shortened meanwhile or its context ended, even if do returned nil.
func (f *File) RetryWithoutXRef(do func() error) error {
	err := do()
	if cut := f.Intact(); cut != nil {
		return cut
	}
	if !IsDamage(err) || f.WithoutXRef() {
		return err
	}
	if err := f.DropXRef(err); err != nil {
		return err
	}
	err = do()
	if cut := f.Intact(); cut != nil {
		return cut
	}
	return err
}

// DropXRef makes f ignore the cross-reference data of the file, and search the file for objects. The reason, found, is
// added to Notices. Earlier Readers and objects of f must not be used any more. If DropXRef fails, f can only be
// closed. Most callers want RetryWithoutXRef.
func (f *File) DropXRef(found error) error { return f.pdf.Repair(found) }

// Close releases the file. Its data must not be used afterwards.
func (f *File) Close() error { return f.pdf.Close() }

// Size returns the file's length in bytes.
func (f *File) Size() int64 { return f.pdf.Size() }

// Refs returns the objects in the cross-reference data, sorted by number. Some may not exist in the file.
func (f *File) Refs() []object.Ref { return f.pdf.Refs() }

// Encrypted reports whether the file is encrypted. Readers return decrypted objects.
func (f *File) Encrypted() bool { return f.pdf.Encrypted() }

// DecryptAgain decrypts a string that was already decrypted, with the key of each object, until isPlain accepts the
// result. It returns false if the file is not encrypted, or no key fits.
func (f *File) DecryptAgain(s []byte, isPlain func([]byte) bool) ([]byte, bool) {
	return f.pdf.DecryptAgain(s, isPlain)
}

// WithoutXRef reports whether objects were found by a search, without the cross-reference data.
func (f *File) WithoutXRef() bool { return f.pdf.Repaired() }

// Notices returns structural problems that did not prevent reading the file.
func (f *File) Notices() []string { return f.pdf.Notices() }

// Unread returns the unreadable parts of the file that may contain seemingly missing objects. A caller that reports an
// object as absent must also report these parts.
func (f *File) Unread() []error { return f.pdf.Unread() }

// Meter returns the meter of the file, which limits work and memory in proportion to its size. All reads of the file
// pay there. After it is exceeded, they fail with [meter.Over]; so does a caller that pays for its own work.
func (f *File) Meter() *meter.Meter { return f.pdf.Meter() }

// Piece returns the maximum size in bytes of what is decoded, or made of one object, in one piece. The meter does not
// count such memory, because it is not kept.
func (f *File) Piece() int64 { return f.pdf.Piece() }

// Err returns the reason why the file can no longer be read: the cause of its canceled context, or nil.
func (f *File) Err() error { return f.pdf.Err() }

// WriteTo writes the bytes of the file to w. The error is that of w, an I/O error of the file, or that of the context.
func (f *File) WriteTo(w io.Writer) (int64, error) { return f.pdf.WriteTo(w) }

// Intact returns an error if the file on disk is shorter than when it was opened, or its context is canceled. Data
// are valid only if the file is intact after they are read; RetryWithoutXRef checks that.
func (f *File) Intact() error { return f.pdf.Intact() }

// DocumentInfo returns the document information dictionary (14.3.3) as stored in the trailer; null if there is none.
func (f *File) DocumentInfo() object.Object { return f.pdf.Trailer().Lookup("Info") }

// Catalog returns the reference to the document catalog. Its number is 0 if the trailer has none.
func (f *File) Catalog() object.Ref {
	ref, _ := f.pdf.Trailer().Lookup("Root").Ref()
	return ref
}
