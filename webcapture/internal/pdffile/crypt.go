package pdffile

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"errors"
	"fmt"
	"io"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
)

// A method is the encryption method of a crypt filter (ISO 32000-2:2020, 7.6.6, table 25).
type method uint8

const (
	identity method = iota // not encrypted
	rc4Key                 // RC4 with a key for each object
	aesKey                 // AES with a key for each object
	aesFile                // AES with the file's key
)

// A crypt decrypts data of a standard security handler of revision 2 to 6, and encrypts strings in the same way.
type crypt struct {
	key      []byte // nil if only embedded files are encrypted, and no password opens them
	filters  object.Dict
	strings  method
	streams  method
	embedded method // of streams of type EmbeddedFile
	metadata bool   // streams of type Metadata are encrypted
	dict     uint32 // number of the encryption dictionary, whose strings are plain; 0 if it is direct
}

// decrypt returns o, an object of the file with number ref, with its strings decrypted. Strings in object streams
// are not encrypted separately (7.5.7).
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

// DecryptAgain decrypts a string that was already decrypted, with the key of each object, until isPlain accepts the
// result. Some tools encrypt a string twice, with the keys of two object numbers; the first may be that of an older
// file.
func (f *File) DecryptAgain(s []byte, isPlain func([]byte) bool) (plain []byte, ok bool) {
	if f.crypt == nil || f.crypt.strings == identity {
		return nil, false
	}
	for num := range uint32(2*len(f.entries) + 1) {
		if f.meter.Pay(meter.Object+int64(len(s))) != nil {
			return nil, false
		}
		plain, err := f.crypt.open(f.crypt.strings, object.Ref{Num: num}, s)
		if err == nil && isPlain(plain) {
			return plain, true
		}
	}
	return nil, false
}

// stream returns a reader of the decrypted data of a stream. If c is nil, the data are not encrypted.
func (c *crypt) stream(ref object.Ref, s rawStream, filters []streamFilter) (io.Reader, error) {
	if c == nil {
		return bytes.NewReader(s.data), nil
	}
	m, err := c.streamMethod(s.dict, filters)
	switch {
	case err != nil:
		return nil, err
	case c.key == nil && m != identity:
		return nil, ErrPassword
	}
	return c.plain(m, ref, s.data)
}

// streamMethod returns the encryption method of a stream: the method of the stream's own crypt filter (7.4.10), or
// else the file's method for streams of this type (7.6.6).
func (c *crypt) streamMethod(d object.Dict, filters []streamFilter) (method, error) {
	for _, sf := range filters {
		if sf.name == "Crypt" {
			d, err := sf.dict()
			if err != nil {
				return identity, err
			}
			name, err := object.Resolve(sf.src, d.Lookup("Name"))
			if err != nil {
				return identity, err
			}
			return c.method(name)
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

// open returns the plain data (7.6.3).
func (c *crypt) open(m method, ref object.Ref, data []byte) ([]byte, error) {
	r, err := c.plain(m, ref, data)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// plain returns a reader of the plain data (7.6.3).
func (c *crypt) plain(m method, ref object.Ref, data []byte) (io.Reader, error) {
	switch m {
	case rc4Key:
		k, err := rc4.NewCipher(c.objectKey(ref, ""))
		return cipher.StreamReader{S: k, R: bytes.NewReader(data)}, err
	case aesKey:
		return newAESReader(c.objectKey(ref, "sAlT"), data)
	case aesFile:
		return newAESReader(c.key, data)
	}
	return bytes.NewReader(data), nil
}

// objectKey computes the key of an object (algorithm 1, 7.6.3.2).
func (c *crypt) objectKey(ref object.Ref, salt string) []byte {
	h := md5.New()
	h.Write(c.key)
	h.Write([]byte{byte(ref.Num), byte(ref.Num >> 8), byte(ref.Num >> 16), byte(ref.Gen), byte(ref.Gen >> 8)})
	h.Write([]byte(salt))
	return h.Sum(nil)[:min(len(c.key)+5, 16)]
}

// An aesReader decrypts CBC data. The first block is the initialization vector. The last block contains the padding of
// RFC 8018. Real files deviate: data without a whole block count as empty, and wrong padding is kept.
type aesReader struct {
	data  []byte // after the initialization vector
	mode  cipher.BlockMode
	piece []byte // reused
	ready []byte // decrypted bytes of piece
}

var errNotBlocks = errors.New("the length is not a multiple of 16")

func newAESReader(key, data []byte) (io.Reader, error) {
	if len(data) < 2*aes.BlockSize {
		return bytes.NewReader(nil), nil
	}
	b, err := aes.NewCipher(key)
	switch {
	case err != nil:
		return nil, err
	case len(data)%aes.BlockSize != 0:
		return nil, errNotBlocks
	}
	vector, body := data[:aes.BlockSize], data[aes.BlockSize:]
	piece := make([]byte, min(len(body), 256*aes.BlockSize))
	return &aesReader{data: body, mode: cipher.NewCBCDecrypter(b, vector), piece: piece}, nil
}

func (r *aesReader) Read(p []byte) (int, error) {
	if len(r.ready) == 0 {
		if len(r.data) == 0 {
			return 0, io.EOF
		}
		n := copy(r.piece, r.data)
		r.data, r.ready = r.data[n:], r.piece[:n]
		r.mode.CryptBlocks(r.ready, r.ready)
		if pad := int(r.ready[n-1]); len(r.data) == 0 && pad >= 1 && pad <= aes.BlockSize {
			r.ready = r.ready[:n-pad]
		}
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	return n, nil
}

// encrypt returns body, the text of object ref, with its strings encrypted, so that decrypt restores them.
// Initialization vectors come from random.
func (c *crypt) encrypt(ref object.Ref, body []byte, random io.Reader) ([]byte, error) {
	if c.strings == identity || ref.Num == c.dict {
		return body, nil
	}
	o, _, err := object.Parse(body, 0)
	if err != nil {
		return nil, inObject(err, ref)
	}
	return rebuildStrings(o, func(s []byte) ([]byte, error) {
		return c.seal(c.strings, ref, s, random)
	})
}

// seal encrypts data (7.6.3).
func (c *crypt) seal(m method, ref object.Ref, data []byte, random io.Reader) ([]byte, error) {
	switch m {
	case rc4Key: // its own inverse
		return c.open(m, ref, data)
	case aesKey:
		return sealAES(c.objectKey(ref, "sAlT"), data, random)
	case aesFile:
		return sealAES(c.key, data, random)
	}
	return data, nil
}

// sealAES returns a random initialization vector, followed by data with the padding of RFC 8018, encrypted in CBC
// mode (7.6.3.1).
func sealAES(key, data []byte, random io.Reader) ([]byte, error) {
	b, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	pad := aes.BlockSize - len(data)%aes.BlockSize
	out := make([]byte, aes.BlockSize, aes.BlockSize+len(data)+pad)
	if _, err := io.ReadFull(random, out); err != nil {
		return nil, err
	}
	out = append(append(out, data...), bytes.Repeat([]byte{byte(pad)}, pad)...)
	body := out[aes.BlockSize:]
	cipher.NewCBCEncrypter(b, out[:aes.BlockSize]).CryptBlocks(body, body)
	return out, nil
}
