package match

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// readImage returns the image with a reference, and adds it to the Document. It returns nil for any other object.
func (d *Document) readImage(ref object.Ref) (*Image, error) {
	if known, ok := d.images[ref]; ok || d.pages[ref] != nil {
		return known, nil
	}
	d.images[ref] = nil
	at := rule.Place{Object: ref}
	o, err := d.Reader.Get(ref)
	dict, _ := o.Dict()
	if err != nil || o.Kind() != object.Stream {
		return nil, d.note(at, err)
	}
	dict = dict.Clone()
	subtype, err := d.Reader.Resolve(dict.Lookup("Subtype"))
	if err != nil || !subtype.IsName("Image") {
		return nil, d.note(at, err)
	}
	im := &Image{Ref: ref}
	if im.ID, err = d.id(at, dict); err != nil {
		return nil, err
	}
	for key, to := range map[string]*int64{"Width": &im.Width, "Height": &im.Height} {
		n, err := d.Reader.Resolve(dict.Lookup(key))
		if err := d.note(at, err); err != nil {
			return nil, err
		}
		*to, _ = n.Int()
	}
	d.Images, d.images[ref] = append(d.Images, im), im
	im.Data, err = d.hashOf(im, dict)
	return im, d.note(at, err)
}

// hashOf returns the hash of an image's data and size. The size is included because images with the same bytes may
// differ in size.
func (d *Document) hashOf(im *Image, dict object.Dict) (sum Hash, err error) {
	read := d.Reader.Data
	if fetched, err := d.isFileFormat(dict); err != nil {
		return sum, err
	} else if fetched {
		read = d.Reader.Stream
	}
	data, err := read(im.Ref)
	if err != nil {
		return sum, err
	}
	h := sha256.New()
	w := jpegTrimmer{to: h}
	n, err := io.CopyBuffer(struct{ io.Writer }{&w}, struct{ io.Reader }{data}, d.buffer)
	if err != nil || n == 0 {
		return sum, err
	}
	h.Write(w.end())
	fmt.Fprint(h, im.Width, im.Height)
	copy(sum[:], h.Sum(nil))
	return sum, nil
}

// isFileFormat reports whether the data of an image stay encoded in an image format. They are compared as stored.
func (d *Document) isFileFormat(image object.Dict) (bool, error) {
	o, err := d.Reader.Resolve(image.Lookup("Filter"))
	if err != nil {
		return false, err
	}
	filters := []object.Object{o}
	if list, ok := o.Array(); ok {
		filters = slices.Collect(list.All())
	}
	for _, f := range filters {
		if f, err = d.Reader.Resolve(f); err != nil {
			return false, err
		}
		for _, name := range []string{"DCTDecode", "JPXDecode", "CCITTFaxDecode", "JBIG2Decode"} {
			if f.IsName(name) {
				return true, nil
			}
		}
	}
	return false, nil
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
