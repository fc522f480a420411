// Package webcapture reads the Web Capture content database of a PDF (ISO
// 32000-2:2020, 14.10): the name trees URLS and IDS, the content sets that they
// lead to, and the dictionaries below those.
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
// Most callers want one of two things: everything, by [File.Contents], or what was
// captured from one URL, by Find of [Database.URLS] and [Reader.Values]. What else the
// package knows about a file is in [File.Facts], [Reader.Info], [Reader.Pages] and
// [File.Names]. A file may turn out to be damaged while it is read; what runs in
// [File.Repairing] is done again then.
//
// Errors speak of the attempt to read. What is wrong with the file is data: the
// defects of the trees, and typed fields next to the raw dictionaries that they
// were read from.
package webcapture

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/internal/pdffile"
)

// Errors of Open that a caller may want to tell apart.
var (
	ErrNotPDF     = pdffile.ErrNotPDF
	ErrEmpty      = pdffile.ErrEmpty
	ErrPassword   = pdffile.ErrPassword
	ErrEncryption = pdffile.ErrEncryption
)

// IsDamage reports whether err says that a file's cross-reference data does not
// lead to its objects. Such a file can be read after File.Repair.
func IsDamage(err error) bool {
	var d *pdffile.Damage
	return errors.As(err, &d)
}

// Options says how to open a file. The zero value suits most.
type Options struct {
	Passwords []string // of users or owners, tried in this order; the empty one is always tried
	Repair    bool     // do not use the file's own cross-reference data
}

// A File is an open PDF. It is safe for concurrent use; objects are read
// through Readers, one for each goroutine.
type File struct {
	pdf       *pdffile.File
	passwords []string
}

// Open opens the PDF at path. The context is that of the File, not only of this call:
// after it is canceled, every read of the file fails with its cause, and so does
// [File.Repairing]. A file whose cross-reference data is unusable is
// repaired in memory; Repaired tells. The caller closes the File when nothing
// that was read from it is used any more.
func Open(ctx context.Context, path string, opt Options) (*File, error) {
	pdf, err := pdffile.Open(ctx, path, pdffile.Options(opt))
	if err != nil {
		return nil, err
	}
	return &File{pdf, opt.Passwords}, nil
}

// OpenHandle is [Open] of the PDF that h has; name is for errors. H has to stay open as long as
// the File is used; it is the caller's to close.
func OpenHandle(ctx context.Context, h *os.File, name string, opt Options) (*File, error) {
	pdf, err := pdffile.OpenHandle(ctx, h, name, pdffile.Options(opt))
	if err != nil {
		return nil, err
	}
	return &File{pdf, opt.Passwords}, nil
}

// New is [Open] of the PDF that data holds; data must not change while it is used.
func New(ctx context.Context, data []byte, opt Options) (*File, error) {
	pdf, err := pdffile.New(ctx, data, pdffile.Options(opt))
	if err != nil {
		return nil, err
	}
	return &File{pdf, opt.Passwords}, nil
}

// Repairing calls do, which reads f. If do meets damage (IsDamage) of a file that is
// not repaired yet, f is repaired and do is called once more: nothing of what it made
// before may be mixed with what it makes then.
//
// A file that was cut short meanwhile is an error, even if do returned nil, and so is the
// end of its context.
func (f *File) Repairing(do func() error) error {
	err := do()
	if cut := f.Intact(); cut != nil {
		return cut
	}
	if !IsDamage(err) || f.Repaired() {
		return err
	}
	if err := f.Repair(err); err != nil {
		return err
	}
	err = do()
	if cut := f.Intact(); cut != nil {
		return cut
	}
	return err
}

// Repair has f read without the cross-reference data of the file, because of found;
// Notices tells. Readers and objects that came of f before must not be used any more,
// and if Repair fails, f can only be closed. Most callers want Repairing.
func (f *File) Repair(found error) error { return f.pdf.Repair(f.passwords, found) }

// Close releases the file. Nothing that was read from it may be used afterwards.
func (f *File) Close() error { return f.pdf.Close() }

// Size returns the file's length in bytes.
func (f *File) Size() int64 { return f.pdf.Size() }

// Objects returns a number that is larger than the number of every object that
// the cross-reference data names; 0 for a repaired file.
func (f *File) Objects() int { return f.pdf.Objects() }

// Refs returns the objects that the cross-reference data names, in order of
// their numbers. Some may not be there.
func (f *File) Refs() []object.Ref { return f.pdf.Refs() }

// Encrypted reports whether the file is encrypted. What a Reader returns is decrypted.
func (f *File) Encrypted() bool { return f.pdf.Encrypted() }

// Repaired reports whether objects were found without the file's own cross-reference data.
func (f *File) Repaired() bool { return f.pdf.Repaired() }

// Notices returns what was wrong with the file's structure, and did not keep it from
// being read.
func (f *File) Notices() []string { return f.pdf.Notices() }

// A CutOff says that a file ends before its newest revision does, so that nobody
// knows what is missing.
type CutOff = pdffile.CutOff

// CutOff returns nil if the file is not cut off, as far as can be seen.
func (f *File) CutOff() *CutOff { return f.pdf.CutOff() }

// LastComplete returns the file as its last complete revision has it; nil if the file is not cut off after one, or that
// cannot be read. The file must stay open, and the result need not be closed.
func (f *File) LastComplete() *File {
	pdf, err := f.pdf.LastComplete(f.passwords)
	if err != nil || pdf == nil {
		return nil
	}
	return &File{pdf, f.passwords}
}

// Unread returns what of the file could not be read and may hold objects that seem
// to be missing, a *CutOff first if the file is cut off. Whoever says that something
// is not in the file says this, too.
func (f *File) Unread() []error { return f.pdf.Unread() }

// An Undecoded says that an object is left out because its file has used up what all of
// its streams may decode to. It is an *object.Malformed, too.
type Undecoded = pdffile.Undecoded

// OverDecoded reports whether the file has used up what all of its streams may decode to.
// What has to be decoded after that is an *Undecoded.
func (f *File) OverDecoded() bool { return f.pdf.OverDecoded() }

// MaxDecoded returns how many bytes all streams of the file may decode to.
func (f *File) MaxDecoded() int64 { return f.pdf.MaxDecoded() }

// CatalogGuessed reports whether the catalog may be that of an older revision: the
// newest one is cut off or cannot be read.
func (f *File) CatalogGuessed() bool { return f.pdf.CatalogGuessed() }

// Err returns why the file cannot be read any more: the cause of its canceled context, or nil.
func (f *File) Err() error { return f.pdf.Err() }

// SHA256 returns the digest of the file's bytes.
func (f *File) SHA256() ([sha256.Size]byte, error) { return f.pdf.SHA256() }

// WriteTo writes the bytes of the file. The error is that of w, of the disk, or of the context.
func (f *File) WriteTo(w io.Writer) (int64, error) { return f.pdf.WriteTo(w) }

// Intact returns an error if the file on disk is shorter than it was when it was
// opened, or its context is canceled. What was read counts only if the file is intact
// afterwards; Repairing checks that.
func (f *File) Intact() error { return f.pdf.Intact() }

// DocumentInfo returns the document information dictionary (14.3.3), as the
// trailer stores it: null if there is none.
func (f *File) DocumentInfo() object.Object { return f.pdf.Trailer().Lookup("Info") }

// Catalog returns the reference to the document catalog; Num is 0 if the trailer
// has none.
func (f *File) Catalog() object.Ref {
	ref, _ := f.pdf.Trailer().Lookup("Root").Ref()
	return ref
}
