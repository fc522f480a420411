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
	"slices"

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
	key     []byte
	strings method
	streams method
	dict    uint32 // number of the encryption dictionary, whose strings are plain; 0 if it is direct
}

// openCrypt derives the file's key from the trailer's Encrypt entry, if there is one.
func (f *File) openCrypt(password string) error {
	e := f.trailer.Lookup("Encrypt")
	ref, _ := e.Ref()
	r := f.NewReader()
	dict, err := inline(r, e, 0)
	if err != nil {
		return err
	}
	o, _, err := object.Parse(dict, 0)
	if err != nil || o.IsNull() {
		return err
	}
	d, ok := o.Dict()
	if !ok {
		return damaged("the trailer's Encrypt is a %v, not a dictionary", o.Kind())
	}
	id, err := inline(r, f.trailer.Lookup("ID"), 0)
	if err != nil {
		return err
	}
	key, err := deriveKey(dict, id, password)
	if err != nil {
		return err
	}
	f.crypt = &crypt{key: key, dict: ref.Num}
	f.crypt.strings, f.crypt.streams, err = methods(d)
	return err
}

// methods returns how strings and streams are encrypted (7.6.2, table 20).
func methods(d object.Dict) (forStrings, forStreams method, err error) {
	switch v, _ := d.Lookup("V").Int(); v {
	case 1, 2:
		return rc4Key, rc4Key, nil
	case 4, 5:
		if forStrings, err = filterMethod(d, "StrF"); err != nil {
			return 0, 0, err
		}
		forStreams, err = filterMethod(d, "StmF")
		return forStrings, forStreams, err
	default:
		return 0, 0, fmt.Errorf("%w: V is %d", ErrEncryption, v)
	}
}

func filterMethod(d object.Dict, use string) (method, error) {
	name, _ := d.Lookup(use).Name()
	if len(name) == 0 || string(name) == "Identity" {
		return identity, nil
	}
	all, _ := d.Lookup("CF").Dict()
	cf, _ := all.Lookup(string(name)).Dict()
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
	return 0, fmt.Errorf("%w: crypt filter method %q", ErrEncryption, cfm)
}

// deriveKey has pdfcpu check the password and derive the key. All that it is
// shown is a file of three objects with the encryption dictionary in it, as an
// indirect object: of a direct one pdfcpu takes no notice.
func deriveKey(dict, id []byte, password string) ([]byte, error) {
	if string(id) == "null" {
		id = []byte("[<><>]")
	}
	var b bytes.Buffer
	offsets := make([]int, 0, 3)
	b.WriteString("%PDF-2.0\n")
	for i, body := range [][]byte{[]byte("<</Type/Catalog/Pages 2 0 R>>"), []byte("<</Type/Pages/Kids[]/Count 0>>"), dict} {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, body)
	}
	start := b.Len()
	b.WriteString("xref\n0 4\n0000000000 65535 f \n")
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<</Size 4/Root 1 0 R/Encrypt 3 0 R/ID%s>>\nstartxref\n%d\n%%%%EOF\n", id, start)
	ctx, _, err := readAll(b.Bytes(), password)
	switch {
	case errors.Is(err, ErrPassword):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w: %v", ErrEncryption, err)
	case len(ctx.EncKey) == 0:
		return nil, ErrEncryption
	}
	return ctx.EncKey, nil
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

// stream returns the decrypted data of a stream. A crypt filter of its own
// (7.4.10) replaces that of the file; only Identity, its default, is known of those.
func (c *crypt) stream(ref object.Ref, data []byte, filters []streamFilter) ([]byte, error) {
	if slices.ContainsFunc(filters, func(sf streamFilter) bool { return sf.isIdentity() }) {
		return data, nil
	}
	return c.open(c.streams, ref, bytes.Clone(data))
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
// padding that is none, are seen in files: the first is empty, the second kept.
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
		return nil, errors.New("length is no multiple of 16")
	}
	cipher.NewCBCDecrypter(b, iv).CryptBlocks(body, body)
	pad := int(body[len(body)-1])
	if pad < 1 || pad > aes.BlockSize {
		return body, nil
	}
	return body[:len(body)-pad], nil
}
