package body

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	stdhash "hash"
	"strings"
)

// Checksum is a digest in the format of WARC records (ISO 28500:2017, 5.8 and 5.9): the name of an algorithm, a
// colon, and the digest in base32, hexadecimal, or base64.
type Checksum string

// algorithms are the algorithms in use, by name in lower case without hyphens.
var algorithms = map[string]func() stdhash.Hash{
	"md5": md5.New, "sha1": sha1.New, "sha256": sha256.New, "sha512": sha512.New,
}

// Check computes the digest of the data written to it.
type Check struct {
	stdhash.Hash
	want []byte
}

// Agrees reports whether the digest matches the Checksum.
func (c *Check) Agrees() bool { return bytes.Equal(c.Sum(nil), c.want) }

// New returns a Check for the checksum; nil if the checksum is invalid, or its algorithm is unknown.
func (c Checksum) New() *Check {
	name, value, _ := strings.Cut(string(c), ":")
	algorithm := algorithms[strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "-", "")]
	if algorithm == nil {
		return nil
	}
	h := algorithm()
	value = strings.TrimRight(strings.TrimSpace(value), "=")
	for _, decode := range []func(string) ([]byte, error){
		hex.DecodeString,
		func(s string) ([]byte, error) { return base32Plain.DecodeString(strings.ToUpper(s)) },
		base64.RawStdEncoding.DecodeString,
	} {
		if sum, err := decode(value); err == nil && len(sum) == h.Size() {
			return &Check{h, sum}
		}
	}
	return nil
}

var base32Plain = base32.StdEncoding.WithPadding(base32.NoPadding)
