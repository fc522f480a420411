package webcapture

import (
	"io"
	"iter"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/internal/pdffile"
)

// A Reader reads the dictionaries of a content database. Only one goroutine may use it at a time.
type Reader struct {
	file     *File
	src      *pdffile.Reader
	read     int64                  // stored size of what was read, plus perObject for each; see check
	xobjects map[object.Ref]xobject // see Images
	pages    map[object.Ref]int     // numbers of all pages; nil until PageNumber needs them
}

// NewReader returns a Reader of f's objects.
func (f *File) NewReader() *Reader { return &Reader{file: f, src: f.pdf.NewReader()} }

// Get returns the object that ref refers to, or null if there is none.
func (r *Reader) Get(ref object.Ref) (object.Object, error) {
	o, err := r.src.Get(ref)
	r.read += perObject + int64(len(o.Raw()))
	return o, err
}

// Pay pays for work with what r has read; see [meter.Meter.Pay]. It passes small amounts to the meter together.
func (r *Reader) Pay(n int64) error { return r.src.Pay(n) }

// Settle passes to the meter what r has not passed yet. A caller with several Readers calls it for each, before it asks
// whether the meter is exceeded.
func (r *Reader) Settle() error { return r.src.Settle() }

// Keep counts memory that a caller keeps; see [meter.Meter.Keep].
func (r *Reader) Keep(n int64) error { return r.file.Meter().Keep(n) }

// Forget drops what r has decoded, so that the cost of later reads does not depend on earlier ones.
func (r *Reader) Forget() { r.src.Forget() }

// Tree reads a name tree of the file. The error is that of [nametree.Read].
func (r *Reader) Tree(root object.Object) (*nametree.Tree, error) {
	return nametree.Read(r, root, r.Keep)
}

// perObject is the cost of reading an object, in addition to its bytes. It is also the cost of each part of a
// content set that is kept for the caller.
const perObject = 32

// Stream returns the stored data of a stream, decrypted but not decoded. The data are empty if ref is not a stream.
func (r *Reader) Stream(ref object.Ref) (io.Reader, error) { return r.data(r.src.Stream(ref)) }

// Data returns the data of a stream, decrypted and decoded, except for an image format as the last filter. The data are
// empty if ref is not a stream.
func (r *Reader) Data(ref object.Ref) (io.Reader, error) { return r.data(r.src.Data(ref)) }

func (r *Reader) data(s *pdffile.Stream, err error) (io.Reader, error) {
	r.read += perObject
	if err != nil {
		return nil, err
	}
	r.read += s.Size()
	return s, nil
}

// Resolve returns the target of o if it is a reference, and o otherwise.
func (r *Reader) Resolve(o object.Object) (object.Object, error) { return object.Resolve(r, o) }

// Dict resolves o. It returns an empty dictionary if o is anything else.
func (r *Reader) Dict(o object.Object) (object.Dict, error) {
	o, err := r.Resolve(o)
	d, _ := o.Dict()
	return d, err
}

// Values yields the content sets in the value of a tree entry, as stored: the value itself, or the elements of its
// array (14.10.3.2, 14.10.3.3). It yields one error if the value or the array cannot be read.
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

// A String is the value of an entry that should be a string.
type String struct {
	Object object.Object // resolved; null if the entry is absent
	Bytes  []byte        // decoded bytes, if Object is a string
}

// OK reports whether the entry exists and is a string.
func (s String) OK() bool { return s.Object.Kind() == object.String }

// String returns the decoded bytes, or PDF syntax if the object is not a string.
func (s String) String() string {
	if s.OK() {
		return string(s.Bytes)
	}
	return s.Object.String()
}

// str resolves o, and appends its bytes to buf. It returns the String, which refers to the grown buffer, and that
// buffer.
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
