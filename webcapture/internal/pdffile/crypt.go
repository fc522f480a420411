package pdffile

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A method is how a crypt filter encrypts (ISO 32000-2:2020, 7.6.6, table 25).
type method uint8

const (
	identity method = iota // not at all
	rc4Key                 // RC4, a key for each object
	aesKey                 // AES, a key for each object
	aesFile                // AES with the file's key
)

// A crypt decrypts what a standard security handler of revision 2 to 6
// encrypted, and encrypts strings as it does.
type crypt struct {
	key      []byte // nil if nothing but embedded files is encrypted, and no password opens them
	filters  object.Dict
	strings  method
	streams  method
	embedded method // of streams of type EmbeddedFile
	metadata bool   // streams of type Metadata are encrypted
	dict     uint32 // number of the encryption dictionary, whose strings are plain; 0 if it is direct
}

// openCrypt derives the file's key from the trailer's Encrypt entry, if there is
// one. A file whose strings and streams are not encrypted needs no password: then
// only embedded files are out of reach.
func (f *File) openCrypt(passwords []string) error {
	e := f.trailer.Lookup("Encrypt")
	if e.IsNull() {
		return nil
	}
	ref, isRef := e.Ref()
	r := f.NewReader()
	o, err := inlined(r, e)
	switch {
	case object.IsMalformed(err), err == nil && isRef && o.IsNull():
		return f.lostEncrypt(ref, err)
	case err != nil:
		return err
	}
	d, ok := o.Dict()
	if !ok {
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
	if c.key, ok = h.fileKey(passwords); !ok && (c.strings != identity || c.streams != identity) {
		return ErrPassword
	}
	f.crypt = c
	return nil
}

// lostEncrypt says that the encryption dictionary is not where it should be. What
// is read without it is not what was written, so nothing is read.
func (f *File) lostEncrypt(ref object.Ref, err error) error {
	if !f.rebuilt {
		return damaged("the encryption dictionary %v cannot be read", ref)
	}
	if err != nil {
		return brokenEncrypt("%v", err)
	}
	return brokenEncrypt("%v is not in the file", ref)
}

// fileID returns the first element of the trailer's ID, which is a part of the
// key up to revision 4; nil if there is none.
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

// newCrypt returns how strings and streams are encrypted (7.6.2, table 20).
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

// method returns how the crypt filter with a name encrypts (7.6.6, table 25).
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

// inlined returns o with every reference replaced by what it refers to.
func inlined(src object.Source, o object.Object) (object.Object, error) {
	text, err := inline(src, o, 0)
	if err != nil {
		return object.Object{}, err
	}
	o, _, err = object.Parse(text, 0)
	return o, err
}

// inline returns o as text with every reference replaced by what it refers to.
func inline(src object.Source, o object.Object, depth int) ([]byte, error) {
	o, err := object.Resolve(src, o)
	if err != nil {
		return nil, err
	}
	if depth > 8 {
		return nil, fmt.Errorf("%w: the encryption dictionary nests too deep", ErrEncryption)
	}
	return rebuild(o, func(dst []byte, leaf object.Object) ([]byte, error) {
		if leaf.Kind() != object.Reference {
			return append(dst, leaf.Raw()...), nil
		}
		text, err := inline(src, leaf, depth+1)
		return append(dst, text...), err
	})
}

// rebuild returns o as text; each object in it that is neither array nor
// dictionary is appended by leaf.
func rebuild(o object.Object, leaf func(dst []byte, o object.Object) ([]byte, error)) ([]byte, error) {
	return appendRebuilt(nil, o, leaf)
}

func appendRebuilt(dst []byte, o object.Object, leaf func([]byte, object.Object) ([]byte, error)) ([]byte, error) {
	var err error
	if list, ok := o.Array(); ok {
		dst = append(dst, '[')
		for e := range list.All() {
			if dst, err = appendRebuilt(dst, e, leaf); err != nil {
				return nil, err
			}
			dst = append(dst, ' ')
		}
		return append(dst, ']'), nil
	}
	if d, ok := o.Dict(); ok {
		dst = append(dst, "<<"...)
		for k, v := range d.All() {
			dst = append(object.AppendName(dst, k), ' ')
			if dst, err = appendRebuilt(dst, v, leaf); err != nil {
				return nil, err
			}
		}
		return append(dst, ">>"...), nil
	}
	if o.IsNull() {
		return append(dst, "null"...), nil
	}
	return leaf(dst, o)
}

// rebuildStrings returns o as text with every string replaced; replace may
// change the bytes that it is given.
func rebuildStrings(o object.Object, replace func(s []byte) ([]byte, error)) ([]byte, error) {
	return rebuild(o, func(dst []byte, leaf object.Object) ([]byte, error) {
		s, ok := leaf.AppendString(nil)
		if !ok {
			return append(dst, leaf.Raw()...), nil
		}
		s, err := replace(s)
		return append(hex.AppendEncode(append(dst, '<'), s), '>'), err
	})
}

// decrypt returns o, which stands in the file as ref, with its strings
// decrypted. Strings of objects in object streams are not encrypted by
// themselves (7.5.7).
func (c *crypt) decrypt(ref object.Ref, o object.Object) (object.Object, error) {
	if c.strings == identity || ref.Num == c.dict {
		return o, nil
	}
	text, err := rebuildStrings(o, func(s []byte) ([]byte, error) {
		s, err := c.open(c.strings, ref, s)
		if err != nil {
			return nil, &object.Malformed{Ref: ref, Reason: fmt.Sprintf("string cannot be decrypted: %v", err)}
		}
		return s, nil
	})
	if err != nil {
		return object.Object{}, err
	}
	if o.Kind() == object.Stream {
		text = append(text, " stream"...)
	}
	plain, _, err := object.Parse(text, 0)
	return plain, err
}

// stream returns the decrypted data of a stream.
func (c *crypt) stream(ref object.Ref, s rawStream, filters []streamFilter) ([]byte, error) {
	m, err := c.streamMethod(s.dict, filters)
	if err != nil || m == identity {
		return s.data, err
	}
	if c.key == nil {
		return nil, ErrPassword
	}
	return c.open(m, ref, bytes.Clone(s.data))
}

// streamMethod returns how a stream is encrypted: by a crypt filter of its own
// (7.4.10), or by that of the file for streams of its type (7.6.6).
func (c *crypt) streamMethod(d object.Dict, filters []streamFilter) (method, error) {
	for _, sf := range filters {
		if sf.name == "Crypt" {
			return c.method(sf.parms.Lookup("Name"))
		}
	}
	switch kind := d.Lookup("Type"); {
	case kind.IsName("EmbeddedFile"):
		return c.embedded, nil
	case kind.IsName("Metadata") && !c.metadata:
		return identity, nil
	}
	return c.streams, nil
}

// open decrypts data in place and returns what is in it (7.6.3).
func (c *crypt) open(m method, ref object.Ref, data []byte) ([]byte, error) {
	switch m {
	case rc4Key:
		k, err := rc4.NewCipher(c.objectKey(ref, ""))
		if err != nil {
			return nil, err
		}
		k.XORKeyStream(data, data)
		return data, nil
	case aesKey:
		return openAES(c.objectKey(ref, "sAlT"), data)
	case aesFile:
		return openAES(c.key, data)
	}
	return data, nil
}

// objectKey is algorithm 1 (7.6.3.2).
func (c *crypt) objectKey(ref object.Ref, salt string) []byte {
	h := md5.New()
	h.Write(c.key)
	h.Write([]byte{byte(ref.Num), byte(ref.Num >> 8), byte(ref.Num >> 16), byte(ref.Gen), byte(ref.Gen >> 8)})
	h.Write([]byte(salt))
	return h.Sum(nil)[:min(len(c.key)+5, 16)]
}

// openAES decrypts CBC data whose first block is the initialization vector and
// whose last holds the padding of RFC 8018. Data without a whole block, and
// padding that is not valid, are seen in files: the first is empty, the second kept.
func openAES(key, data []byte) ([]byte, error) {
	if len(data) < 2*aes.BlockSize {
		return nil, nil
	}
	b, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	iv, body := data[:aes.BlockSize], data[aes.BlockSize:]
	if len(body)%aes.BlockSize != 0 {
		return nil, errors.New("the length is not a multiple of 16")
	}
	cipher.NewCBCDecrypter(b, iv).CryptBlocks(body, body)
	pad := int(body[len(body)-1])
	if pad < 1 || pad > aes.BlockSize {
		return body, nil
	}
	return body[:len(body)-pad], nil
}
