package pdffile

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rc4"
	"io"

	"github.com/webcap-tools/webcap/nametree/object"
)

// encrypt returns body, the text of the object ref, with its strings encrypted:
// what decrypt turns into body again. Initialization vectors come from random.
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

// seal encrypts data, which it may change (7.6.3).
func (c *crypt) seal(m method, ref object.Ref, data []byte, random io.Reader) ([]byte, error) {
	switch m {
	case rc4Key:
		k, err := rc4.NewCipher(c.objectKey(ref, ""))
		if err != nil {
			return nil, err
		}
		k.XORKeyStream(data, data)
		return data, nil
	case aesKey:
		return sealAES(c.objectKey(ref, "sAlT"), data, random)
	case aesFile:
		return sealAES(c.key, data, random)
	}
	return data, nil
}

// sealAES returns a random initialization vector and data with the padding of
// RFC 8018, encrypted in CBC mode (7.6.3.1).
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
