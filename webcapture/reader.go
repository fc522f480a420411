package webcapture

import (
	"io"
	"iter"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/internal/pdffile"
)

// A Reader reads the dictionaries of a content database. It serves one
// goroutine at a time.
type Reader struct {
	file     *File
	src      *pdffile.Reader
	read     int64
	xobjects map[object.Ref]xobject // see Images
	pages    map[object.Ref]int     // numbers of all pages; nil until PageNumber needs them
	asked    int                    // pages of which PageNumber was asked until then
}

// NewReader returns a Reader of f's objects.
func (f *File) NewReader() *Reader { return &Reader{file: f, src: f.pdf.NewReader()} }

// Get returns the object that ref names, null if there is none.
func (r *Reader) Get(ref object.Ref) (object.Object, error) {
	o, err := r.src.Get(ref)
	r.read += perObject + int64(len(o.Raw()))
	return o, err
}

// perObject is what getting an object costs besides its bytes, and what the
// parts of a content set cost that are kept for the caller.
const perObject = 32

// Stream returns the data of a stream as they are stored, decrypted and with
// all filters still on; none if ref names no stream.
func (r *Reader) Stream(ref object.Ref) (io.Reader, error) { return r.data(r.src.Stream(ref)) }

// Data returns the data of a stream, decrypted and with all filters taken off;
// none if ref names no stream.
func (r *Reader) Data(ref object.Ref) (io.Reader, error) { return r.data(r.src.Data(ref)) }

func (r *Reader) data(s *pdffile.Stream, err error) (io.Reader, error) {
	r.read += perObject
	if err != nil {
		return nil, err
	}
	r.read += s.Size()
	return s, nil
}

// BytesRead returns the size of all objects and streams, as stored, that were got through r, each
// counted as often as it was got. Objects of a hostile file that share others
// can make this many times the size of the file.
func (r *Reader) BytesRead() int64 { return r.read }

// Resolve returns o, or what it refers to if it is a reference.
func (r *Reader) Resolve(o object.Object) (object.Object, error) { return object.Resolve(r, o) }

// Values yields the content sets of a tree entry's value as they are stored
// there, unresolved: the value itself, or the elements of the array that it is or
// refers to (14.10.3.2, 14.10.3.3). It yields an error, once, if the value or the
// array cannot be read.
func (r *Reader) Values(value object.Object) iter.Seq2[object.Object, error] {
	return func(yield func(object.Object, error) bool) {
		o, err := r.Resolve(value)
		if err != nil {
			yield(object.Object{}, err)
			return
		}
		list, ok := o.Array()
		if !ok {
			yield(value, nil)
			return
		}
		for e := range list.All() {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// A String is an entry whose value should be a string.
type String struct {
	Object object.Object // resolved; null if the entry is absent
	Bytes  []byte        // of a string, decoded
}

// OK reports whether the entry is there and a string.
func (s String) OK() bool { return s.Object.Kind() == object.String }

// String returns the decoded bytes, or the object as PDF text if it is not a string.
func (s String) String() string {
	if s.OK() {
		return string(s.Bytes)
	}
	return s.Object.String()
}

// str resolves o and appends its bytes to buf; it returns the String and the grown
// buffer, of which the String's bytes are a part.
func (r *Reader) str(o object.Object, buf []byte) (String, []byte, error) {
	o, err := r.Resolve(o)
	if err != nil {
		return String{}, buf, err
	}
	n := len(buf)
	buf, ok := o.AppendString(buf)
	if !ok {
		return String{Object: o}, buf, nil
	}
	return String{o, buf[n:len(buf):len(buf)]}, buf, nil
}

// String resolves o and decodes it if it is a string.
func (r *Reader) String(o object.Object) (String, error) {
	s, _, err := r.str(o, nil)
	return s, err
}
