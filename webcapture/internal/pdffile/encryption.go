package pdffile

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree/object"
)

// openCrypt derives the file's key from the trailer's Encrypt entry, if there is one. No password is needed if
// strings and streams are plain: then only embedded files are unreadable.
func (f *File) openCrypt() error {
	e := f.trailer.Lookup("Encrypt")
	if e.IsNull() {
		return nil
	}
	ref, isRef := e.Ref()
	r := f.NewReader()
	o, err := inlined(r, e)
	d, ok := o.Dict()
	isLost := err == nil && isRef && o.IsNull()
	switch {
	case !f.searched && (isLost || object.IsMalformed(err)):
		return damaged("the encryption dictionary %v cannot be read", ref)
	case isLost: // undecrypted data would be wrong
		return brokenEncrypt("%v is not in the file", ref)
	case object.IsMalformed(err):
		return brokenEncrypt("%v", err)
	case err != nil:
		return err
	case !ok:
		return brokenEncrypt("it is %s", describe(o))
	}
	c, err := newCrypt(d)
	if err != nil {
		return err
	}
	c.dict = ref.Num
	id, err := f.fileID(r)
	if err != nil {
		return err
	}
	h, err := newStandardHandler(d, id)
	if err != nil {
		return err
	}
	if c.key, err = h.fileKey(f.passwords, f.meter); err != nil && (c.strings != identity || c.streams != identity) {
		return err
	}
	f.crypt = c
	return nil
}

// fileID returns the first element of the trailer's ID, or nil. Up to revision 4, the key depends on this element.
func (f *File) fileID(r *Reader) ([]byte, error) {
	o, err := inlined(r, f.trailer.Lookup("ID"))
	if err != nil && !object.IsMalformed(err) {
		return nil, err
	}
	list, _ := o.Array()
	for first := range list.All() {
		id, _ := first.AppendString(nil)
		return id, nil
	}
	return nil, nil
}

// newCrypt returns the crypt for an encryption dictionary (7.6.2, table 20).
func newCrypt(d object.Dict) (*crypt, error) {
	c := &crypt{metadata: true, strings: rc4Key, streams: rc4Key, embedded: rc4Key}
	if v, _ := d.Lookup("V").Int(); v < 4 {
		return c, nil
	}
	c.filters, _ = d.Lookup("CF").Dict()
	if encrypted, ok := d.Lookup("EncryptMetadata").Bool(); ok {
		c.metadata = encrypted
	}
	var err error
	if c.strings, err = c.method(d.Lookup("StrF")); err != nil {
		return nil, err
	}
	if c.streams, err = c.method(d.Lookup("StmF")); err != nil {
		return nil, err
	}
	c.embedded = c.streams
	if eff := d.Lookup("EFF"); !eff.IsNull() {
		c.embedded, err = c.method(eff)
	}
	return c, err
}

// method returns the method of the named crypt filter (7.6.6, table 25).
func (c *crypt) method(filter object.Object) (method, error) {
	name, _ := filter.Name()
	if len(name) == 0 || string(name) == "Identity" {
		return identity, nil
	}
	o := c.filters.Lookup(string(name))
	cf, ok := o.Dict()
	if !ok {
		return 0, brokenEncrypt("crypt filter %s is %s", object.AppendName(nil, name)[1:], describe(o))
	}
	cfm, _ := cf.Lookup("CFM").Name()
	switch string(cfm) {
	case "", "None":
		return identity, nil
	case "V2":
		return rc4Key, nil
	case "AESV2":
		return aesKey, nil
	case "AESV3":
		return aesFile, nil
	}
	return 0, unsupported("crypt filter method %s", object.AppendName(nil, cfm)[1:])
}

// inlined returns o with all references resolved.
func inlined(src object.Source, o object.Object) (object.Object, error) {
	text, err := inline(nil, src, o, 0)
	if err != nil {
		return object.Object{}, err
	}
	o, _, err = object.Parse(text, 0)
	return o, err
}

// inline appends o as text with all references resolved.
func inline(dst []byte, src object.Source, o object.Object, depth int) ([]byte, error) {
	o, err := object.Resolve(src, o)
	if err != nil {
		return nil, err
	}
	if depth > object.MaxDepth {
		return nil, fmt.Errorf("%w: the encryption dictionary nests too deep", ErrEncryption)
	}
	return rebuild(dst, o, func(dst []byte, leaf object.Object) ([]byte, error) {
		if leaf.Kind() == object.Reference {
			return inline(dst, src, leaf, depth+1)
		}
		return append(dst, leaf.Raw()...), nil
	})
}
