package match

import (
	"bytes"
	"cmp"
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Image is an image XObject of a file.
type Image struct {
	Ref           object.Ref
	ID            string // ID in its dictionary; empty if it has none
	Width, Height int64
	Data          Hash // data and size; data in an image format, such as JPEG, stay in that format
	Unread        bool // a part is unreadable; Data are then as stored, or zero
}

// readImage returns the image with a reference, and adds it to the Document. It returns nil for any other object.
func (d *Document) readImage(ref object.Ref) (*Image, error) {
	if d.images.Get(ref) != 0 || d.pages.Get(ref) != 0 {
		return d.Image(ref), nil
	}
	d.images.Set(ref, notImage)
	at := rule.Place{Object: ref}
	o, err := d.Reader.Get(ref)
	dict, _ := o.Dict()
	if err != nil || o.Kind() != object.Stream {
		return nil, d.Note(at, err)
	}
	subtype, err := d.Reader.Resolve(dict.Lookup("Subtype"))
	if err == nil && !subtype.IsName("Image") {
		return nil, nil
	}
	im := &Image{Ref: ref}
	d.Images = append(d.Images, im)
	d.images.Set(ref, int32(len(d.Images)))
	if err := d.Reader.Keep(imageSize); err != nil {
		return nil, err
	}
	id, failed := d.id(at, dict)
	if failed != nil {
		return nil, failed
	}
	im.ID = id
	if err == nil {
		im.Width, err = d.int(dict.Lookup("Width"))
	}
	if err == nil {
		im.Height, err = d.int(dict.Lookup("Height"))
	}
	if err == nil {
		err = d.readData(im, dict)
	}
	im.Unread = err != nil
	return im, cmp.Or(d.Note(at, err), d.Spend(1))
}

// int returns an integer; 0 for any other object.
func (d *Document) int(o object.Object) (int64, error) {
	o, err := d.Reader.Resolve(o)
	n, _ := o.Int()
	return n, err
}

// readData sets Data of an image: as stored if they cannot be decoded.
func (d *Document) readData(im *Image, dict object.Dict) error {
	filter, err := d.lastFilter(dict)
	if err != nil {
		return err
	}
	format := ""
	switch name, _ := filter.Name(); string(name) {
	case "CCITTFaxDecode", "JBIG2Decode":
		format = string(name) // other data may be the same bytes
	}
	data, err := d.Reader.Data(im.Ref)
	undecoded := d.hashData(im, format, data, err)
	if !object.IsMalformed(undecoded) {
		return undecoded
	}
	data, err = d.Reader.Stream(im.Ref)
	return cmp.Or(d.hashData(im, format, data, err), undecoded)
}

// hashData sets Data of an image; err is the error of opening the data. The size and the format are included, because
// images with the same bytes may differ in them.
func (d *Document) hashData(im *Image, format string, data io.Reader, err error) error {
	if err != nil {
		return err
	}
	d.sum.Reset()
	w := jpegTrimmer{to: d.sum}
	n, err := io.CopyBuffer(struct{ io.Writer }{&w}, struct{ io.Reader }{data}, d.buffer)
	if err = cmp.Or(err, d.Reader.Pay(n)); err != nil || n == 0 {
		return err
	}
	d.sum.Write(w.end())
	fmt.Fprint(d.sum, im.Width, im.Height, format)
	im.Data = hashOf(d.sum)
	return nil
}

// lastFilter returns the last filter of a stream, which may be an image format; null if it has none.
func (d *Document) lastFilter(dict object.Dict) (object.Object, error) {
	filter, err := d.Reader.Resolve(dict.Lookup("Filter"))
	if list, ok := filter.Array(); ok && err == nil {
		filter = object.Object{}
		for last := range list.All() {
			filter = last
		}
		return d.Reader.Resolve(filter)
	}
	return filter, err
}

// jpegTrimmer writes the data of an image without up to two bytes after the end of a JPEG file, because some tools add
// or remove a line end there.
type jpegTrimmer struct {
	to         io.Writer
	head, tail []byte // first bytes, and last bytes not written yet
}

// endSize is the size of the end of a JPEG file: the end marker and a line end.
const endSize = 4

// Write implements io.Writer.
func (t *jpegTrimmer) Write(p []byte) (int, error) {
	t.head = append(t.head, p[:min(len(p), 2-len(t.head))]...)
	t.tail = append(t.tail, p...)
	n := max(0, len(t.tail)-endSize)
	_, err := t.to.Write(t.tail[:n])
	t.tail = append(t.tail[:0], t.tail[n:]...)
	return len(p), err
}

// end returns the bytes that are still to be written.
func (t *jpegTrimmer) end() []byte {
	if i := bytes.LastIndex(t.tail, []byte{0xFF, 0xD9}); i >= 0 && string(t.head) == "\xFF\xD8" {
		return t.tail[:i+2]
	}
	return t.tail
}
