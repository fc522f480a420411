package pdffile

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/webcap-tools/webcap/nametree/object"
)

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
// indirect object: pdfcpu ignores a direct one.
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
	if depth > maxNestedEncrypt {
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
