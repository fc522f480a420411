package webcapture

import (
	"io"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/internal/pdffile"
)

// An Update is changed and new objects of a file, to be written with the rest of
// it. It is an [object.Sink].
type Update struct {
	u         *pdffile.Update
	passwords []string
}

// NewUpdate returns an Update of f that changes nothing yet. That of a preview holds what
// the preview shows, so that what is written is the file with both.
func (f *File) NewUpdate() *Update { return &Update{f.pdf.NewUpdate(), f.passwords} }

// Preview returns the file as it will be read when the update is written, without writing
// it. The update must not change while it is used. It is closed with the file.
func (u *Update) Preview() *File { return &File{u.u.Preview(), u.passwords} }

// New returns a number that no object of the file has, and nothing in it refers to.
// The first call looks at every object.
func (u *Update) New() object.Ref { return u.u.New() }

// Put makes body, the text of an object that is not a stream, the object ref.
func (u *Update) Put(ref object.Ref, body []byte) { u.u.Put(ref, body) }

// PutDict makes dict, the text of a dictionary, that of the stream ref, whose data stay as
// they are.
func (u *Update) PutDict(ref object.Ref, dict []byte) { u.u.PutDict(ref, dict) }

// Appendable returns nil if an update can be appended to the file (ISO
// 32000-2:2020, 7.5.6), or says why not.
func (f *File) Appendable() error { return f.pdf.Appendable() }

// WriteIncrement writes the file as it is, byte for byte, and the update after
// it, with cross-reference data of the kind that the file has.
func (u *Update) WriteIncrement(w io.Writer) error { return u.u.WriteIncrement(w) }

// Written returns nil if f is what WriteIncrement wrote, so that all that is read of it is what is
// read of the Preview: the file byte for byte, and after it the objects as they were put. Else
// the error says where it differs.
func (u *Update) Written(f *File) error { return u.u.Written(f.pdf) }

// WriteFull writes the file anew: every object as it stands, but those that were
// put, and cross-reference data that is new.
func (u *Update) WriteFull(w io.Writer) error { return u.u.WriteFull(w) }

// Forget drops the objects, of which there may be many, when they are written. Lost
// stays.
func (u *Update) Forget() { u.u.Forget() }

// Lost returns the objects that WriteFull could not read and left out.
func (u *Update) Lost() []object.Ref { return u.u.Lost() }
