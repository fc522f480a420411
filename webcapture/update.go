package webcapture

import (
	"io"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/internal/pdffile"
)

// An Update holds the changed and new objects of a file. It is an [object.Sink].
type Update struct{ u *pdffile.Update }

// NewUpdate returns an Update of f without changes. If f is a preview, it includes the changes of the preview.
func (f *File) NewUpdate() *Update { return &Update{f.pdf.NewUpdate()} }

// Preview returns the file as it will be after the update is written, without writing it. The update must not
// change while the preview is in use. Closing the file closes the preview.
func (u *Update) Preview() *File { return &File{u.u.Preview()} }

// New returns an unused object number to which nothing in the file refers. The first call reads all objects.
func (u *Update) New() object.Ref { return u.u.New() }

// Put sets object ref to body, the text of an object that is not a stream.
func (u *Update) Put(ref object.Ref, body []byte) { u.u.Put(ref, body) }

// PutDict sets the dictionary of the stream ref to dict, the text of a dictionary. The data of the stream do not
// change.
func (u *Update) PutDict(ref object.Ref, dict []byte) { u.u.PutDict(ref, dict) }

// Appendable returns nil if an update can be appended to the file (ISO 32000-2:2020, 7.5.6), or the reason why not.
func (f *File) Appendable() error { return f.pdf.Appendable() }

// WriteIncrement writes the unchanged bytes of the file and then the update, with cross-reference data of the same
// kind as the file's newest section.
func (u *Update) WriteIncrement(w io.Writer) error { return u.u.WriteIncrement(w) }

// Written returns nil if f is the output of WriteIncrement: the bytes of the file, and then the objects of the
// update. Then f reads like the Preview. Otherwise the error names the first difference.
func (u *Update) Written(f *File) error { return u.u.Written(f.pdf) }

// WriteFull writes a new file: all objects, with the changes of the update, and new cross-reference data. The error
// wraps ErrLost for a file with lost or unreadable objects.
func (u *Update) WriteFull(w io.Writer) error { return u.u.WriteFull(w) }

// ErrLost means that WriteFull does not write a file, because objects are lost or unreadable.
var ErrLost = pdffile.ErrLost

// Forget releases the objects after they are written, to free memory.
func (u *Update) Forget() { u.u.Forget() }
