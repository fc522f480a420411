package match

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// leastText is the minimum size in bytes of text that identifies a page.
const leastText = 4

// hashOf returns the hash of what was written to h since its last Reset.
func hashOf(h hash.Hash) (out Hash) {
	var whole [sha256.Size]byte
	copy(out[:], h.Sum(whole[:0]))
	return out
}

// readContent sets Content of a page, and reads what the page paints. It returns the hash of the strings.
func (d *Document) readContent(pg *Page, stored webcapture.Page) (text Hash, err error) {
	refs, err := d.partsOf(stored.Dict.Lookup("Contents"))
	if err != nil {
		return text, err
	}
	c, err := d.contentOf(refs)
	if err != nil || c.blank {
		return text, err
	}
	painted, err := d.named(c.painted, stored.Resources)
	if err != nil {
		return c.text, err
	}
	var unread bool
	for _, ref := range painted {
		if err := d.readPainted(ref); err != nil {
			return c.text, err
		}
		unread = unread || d.isUnread(ref)
	}
	pg.Content = c.operators
	if len(painted) > 0 {
		pg.Content = d.contentWith(c.operators, painted)
	}
	pg.Unread = unread
	return c.text, nil
}

// contentWith returns the hash of operators with what they paint: data of images, and operators of forms. XObjects do
// not count by their names, which tools change.
func (d *Document) contentWith(operators Hash, painted []object.Ref) Hash {
	d.sum.Reset()
	d.sum.Write(operators[:])
	for _, ref := range painted {
		hash := d.forms[ref]
		if im := d.Image(ref); im != nil {
			hash = im.Data
		}
		d.sum.Write(hash[:])
	}
	return hashOf(d.sum)
}

// isUnread reports whether an XObject that a page paints is unreadable.
func (d *Document) isUnread(ref object.Ref) bool {
	if im := d.Image(ref); im != nil {
		return im.Unread
	}
	return ref.Num != 0 && d.forms[ref] == Hash{}
}

// partsOf returns the content streams of a page (table 31).
func (d *Document) partsOf(contents object.Object) (refs []object.Ref, err error) {
	o, err := d.Reader.Resolve(contents)
	if err != nil {
		return nil, err
	}
	list, ok := o.Array()
	if !ok {
		if ref, ok := contents.Ref(); ok {
			refs = append(refs, ref)
		}
		return refs, nil
	}
	for part := range list.All() {
		if ref, ok := part.Ref(); ok {
			refs = append(refs, ref)
		}
	}
	return refs, d.Reader.Pay(meter.Object * int64(len(refs)))
}

// content is the meaning of content streams. Many pages of a hostile file may have the same streams, so it is kept.
type content struct {
	operators Hash
	text      Hash     // hash of the strings; zero for less than leastText bytes
	blank     bool     // only white space
	painted   []string // names of the XObjects that are painted, in order, with a slash
	err       error    // an *object.Malformed; the other fields are zero then
}

// contentSize is the memory of a content, in bytes, without what it paints.
const contentSize = 192

// contentOf reads content streams as one text.
func (d *Document) contentOf(refs []object.Ref) (*content, error) {
	var key []byte
	for _, ref := range refs {
		key = binary.BigEndian.AppendUint32(key, ref.Num)
		key = binary.BigEndian.AppendUint16(key, ref.Gen)
	}
	if c := d.contents[string(key)]; c != nil {
		return c, c.err
	}
	c, err := d.tokenize(refs)
	if object.IgnoreMalformed(err) != nil {
		return nil, err
	}
	if err != nil {
		c = &content{err: err}
	}
	d.contents[string(key)] = c
	if over := d.Reader.Keep(contentSize + int64(len(key))); over != nil {
		return nil, over
	}
	return c, err
}

// named returns the XObjects with names.
func (d *Document) named(names []string, resources object.Object) ([]object.Ref, error) {
	if len(names) == 0 {
		return nil, nil
	}
	dict, err := d.Reader.Dict(resources)
	if err != nil {
		return nil, err
	}
	if dict, err = d.Reader.Dict(dict.Lookup("XObject")); err != nil {
		return nil, err
	}
	if err := d.Reader.Pay(int64(len(dict.Raw()))); err != nil { // pages may share resources
		return nil, err
	}
	xobjects := map[string]object.Ref{}
	for name, x := range dict.All() {
		if err := d.Reader.Pay(meter.Object); err != nil {
			return nil, err
		}
		xobjects[string(name)], _ = x.Ref()
	}
	if err := d.Spend(len(names)); err != nil {
		return nil, err
	}
	refs := make([]object.Ref, len(names))
	for i, token := range names {
		o, _, _ := object.Parse([]byte(token), 0)
		name, _ := o.Name()
		refs[i] = xobjects[string(name)]
	}
	return refs, nil
}

// readPainted reads an image or a form that a page paints. Forms within the form count as any form: their names may
// have changed.
func (d *Document) readPainted(ref object.Ref) error {
	if _, known := d.forms[ref]; known || ref.Num == 0 {
		return nil
	}
	noted := len(d.Unread)
	if im, err := d.readImage(ref); im != nil || err != nil || len(d.Unread) > noted {
		return err
	}
	d.forms[ref] = Hash{}
	c, err := d.contentOf([]object.Ref{ref})
	if err == nil {
		d.forms[ref] = c.operators
		err = d.Reader.Keep(formSize)
	}
	return d.Note(rule.Place{Object: ref}, err)
}

// formSize is the memory of a form, in bytes.
const formSize = 64
