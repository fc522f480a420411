package webcapturetest

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"fmt"
	"strings"
)

// Encryption describes the standard security handler (ISO 32000-2:2020, 7.6.4). Salts, initialization vectors, and
// the file key of revisions 5 and 6 are computed from the passwords and object numbers, so nothing is secret.
type Encryption struct {
	// Revision is the revision of the handler: 2 is RC4 with 40 bits; 3 is RC4 with 128 bits; 4 is AESV2 or, with
	// RC4 set, V2; 5 is the withdrawn first form of AESV3; 6 is AESV3.
	Revision int
	RC4      bool

	// Short shortens keys of revision 3 to the length of revision 2: 40 bits, V 1.
	Short bool

	// User and Owner are the passwords in the encoding of the handler: PDFDocEncoding up to revision 4, UTF-8 from
	// revision 5 on. An empty Owner is replaced by User, unless EmptyOwner is set.
	User, Owner string
	EmptyOwner  bool

	// Padded pads O and U with zeros to 127 bytes, as Acrobat does. It requires revision 5 or later.
	Padded bool

	// PlainMetadata leaves streams of type Metadata unencrypted, and sets EncryptMetadata to false. It requires
	// revision 4 or later.
	PlainMetadata bool

	// PlainStrings and PlainStreams use the crypt filter Identity for strings or for streams. They require revision
	// 4 or later.
	PlainStrings, PlainStreams bool

	// EmbeddedFiles sets a crypt filter for streams of type EmbeddedFile (EFF). Such streams are then encrypted
	// even if other streams are plain. It requires revision 4 or later.
	EmbeddedFiles bool

	// Direct writes the encryption dictionary as a direct object in the trailer.
	Direct bool

	// Hex writes encrypted strings in hexadecimal form.
	Hex bool
}

func (e *Encryption) check() error {
	switch {
	case e.Revision < 2 || e.Revision > 6:
		return fmt.Errorf("encryption revision %d does not exist", e.Revision)
	case e.RC4 && e.Revision > 4:
		return fmt.Errorf("encryption revision %d has no RC4", e.Revision)
	case e.Revision < 4 && (e.PlainMetadata || e.PlainStrings || e.PlainStreams || e.EmbeddedFiles):
		return fmt.Errorf("encryption revision %d has no crypt filters", e.Revision)
	case e.Short && e.Revision != 3, e.Padded && e.Revision < 5:
		return fmt.Errorf("encryption revision %d is not written like this", e.Revision)
	}
	return nil
}

// permissions allows everything: all bits are set, except the two lowest, which are reserved.
const permissions = -4

// A crypt encrypts the objects of one file.
type crypt struct {
	*Encryption
	key  []byte
	dict string // entries of the encryption dictionary
}

func newCrypt(e *Encryption, fileID []byte) *crypt {
	c := &crypt{Encryption: e}
	owner := e.Owner
	if owner == "" && !e.EmptyOwner {
		owner = e.User
	}
	v, bits := e.version()
	var values string
	if v == 5 {
		values = c.setUp256(owner)
	} else {
		values = c.setUpRC4(owner, fileID, bits/8)
	}
	c.dict = fmt.Sprintf("/Filter/Standard/V %d/R %d/Length %d/P %d%s%s", v, e.Revision, bits, permissions,
		e.filters(v, bits), values)
	return c
}

// version returns V and the length of keys in bits.
func (e *Encryption) version() (v, bits int) {
	switch {
	case e.Revision >= 5:
		return 5, 256
	case e.Revision == 4:
		return 4, 128
	case e.Revision == 3 && !e.Short:
		return 2, 128
	}
	return 1, 40
}

// filters returns the entries of the encryption dictionary for crypt filters.
func (e *Encryption) filters(v, bits int) string {
	if v < 4 {
		return ""
	}
	method := "AESV3"
	switch {
	case e.RC4:
		method = "V2"
	case v == 4:
		method = "AESV2"
	}
	name := func(plain bool) string {
		if plain {
			return "Identity"
		}
		return "StdCF"
	}
	filters := fmt.Sprintf("/CF<</StdCF<</Type/CryptFilter/CFM/%s/AuthEvent/DocOpen/Length %d>>>>/StmF/%s/StrF/%s",
		method, bits/8, name(e.PlainStreams), name(e.PlainStrings))
	if e.EmbeddedFiles {
		filters += "/EFF/StdCF"
	}
	if e.PlainMetadata {
		filters += "/EncryptMetadata false"
	}
	return filters
}

// setUpRC4 computes the file key, and the entries O and U, for revisions 2 to 4 (algorithms 2 to 5).
func (c *crypt) setUpRC4(owner string, fileID []byte, n int) string {
	rounds := 0
	if c.Revision >= 3 {
		rounds = 50
	}
	k := md5.Sum(padded(owner))
	for range rounds {
		k = md5.Sum(k[:n])
	}
	o := padded(c.User)
	for i := 0; i < 20 && (i == 0 || c.Revision >= 3); i++ {
		o = cryptRC4(xored(k[:n], byte(i)), o)
	}

	h := md5.New()
	h.Write(padded(c.User))
	h.Write(o)
	h.Write(permissionBytes())
	h.Write(fileID)
	if c.PlainMetadata {
		h.Write([]byte{0xff, 0xff, 0xff, 0xff})
	}
	h.Sum(k[:0])
	for range rounds {
		k = md5.Sum(k[:n])
	}
	c.key = bytes.Clone(k[:n])

	u := padded("")
	if c.Revision >= 3 {
		sum := md5.Sum(append(u, fileID...))
		u = sum[:]
	}
	for i := 0; i < 20 && (i == 0 || c.Revision >= 3); i++ {
		u = cryptRC4(xored(c.key, byte(i)), u)
	}
	for len(u) < 32 {
		u = append(u, 0)
	}
	return "/O" + Hex(o) + "/U" + Hex(u)
}

// setUp256 computes the file key, and the entries U, UE, O, OE, and Perms, for revisions 5 and 6 (algorithms 8 to
// 10).
func (c *crypt) setUp256(owner string) string {
	made := func(what string, n int) []byte {
		sum := sha256.Sum256([]byte(what + "\x00" + c.User + "\x00" + owner))
		return sum[:n]
	}
	c.key = made("key", 32)
	entry := func(what, password string, user []byte) (hash, wrapped []byte) {
		salt := made(what, 16)
		hash = append(c.hash256(password, salt[:8], user), salt...)
		b, _ := aes.NewCipher(c.hash256(password, salt[8:], user))
		wrapped = make([]byte, 32)
		cipher.NewCBCEncrypter(b, make([]byte, 16)).CryptBlocks(wrapped, c.key)
		return hash, wrapped
	}
	u, ue := entry("user", c.User, nil)
	o, oe := entry("owner", owner, u)

	perms := append(permissionBytes(), 0xff, 0xff, 0xff, 0xff, 'T', 'a', 'd', 'b')
	if c.PlainMetadata {
		perms[8] = 'F'
	}
	perms = append(perms, made("perms", 4)...)
	b, _ := aes.NewCipher(c.key)
	b.Encrypt(perms, perms)
	if c.Padded {
		u, o = append(u, make([]byte, 127-len(u))...), append(o, make([]byte, 127-len(o))...)
	}
	return "/U" + Hex(u) + "/UE" + Hex(ue) + "/O" + Hex(o) + "/OE" + Hex(oe) + "/Perms" + Hex(perms)
}

// hash256 computes a password hash (algorithm 2.B). Revision 5 uses only the first step.
func (c *crypt) hash256(password string, salt, user []byte) []byte {
	sum := sha256.Sum256(bytes.Join([][]byte{[]byte(password), salt, user}, nil))
	k := sum[:]
	if c.Revision == 5 {
		return k
	}
	last := byte(0)
	for i := 0; i < 64 || int(last) > i-32; i++ {
		e := bytes.Repeat(bytes.Join([][]byte{[]byte(password), k, user}, nil), 64)
		b, _ := aes.NewCipher(k[:16])
		cipher.NewCBCEncrypter(b, k[16:32]).CryptBlocks(e, e)
		rest := 0 // first 16 bytes as a number, modulo 3; 256 is 1 modulo 3
		for _, d := range e[:16] {
			rest += int(d)
		}
		switch rest % 3 {
		case 0:
			s := sha256.Sum256(e)
			k = s[:]
		case 1:
			s := sha512.Sum384(e)
			k = s[:]
		case 2:
			s := sha512.Sum512(e)
			k = s[:]
		}
		last = e[len(e)-1]
	}
	return k[:32]
}

// strings appends the text of an object to dst with its strings encrypted. Contents of a signature stays plain
// (7.6.2).
func (c *crypt) strings(dst, text []byte, num, gen int) []byte {
	if c.PlainStrings {
		return append(dst, text...)
	}
	nth := 0
	signature := bytes.Contains(text, []byte("/ByteRange"))
	return mapStrings(dst, text, func(dst, s []byte) []byte {
		if signature && bytes.HasSuffix(dst, []byte("/Contents ")) {
			return appendHex(dst, s)
		}
		nth++
		s = c.encrypt(s, num, gen, nth)
		if c.Hex {
			return appendHex(dst, s)
		}
		return appendLiteral(dst, s)
	})
}

// stream returns the encrypted data of a stream. The data stay plain if the dictionary exempts the stream.
func (c *crypt) stream(dict string, data []byte, num, gen int) []byte {
	squeezed := strings.Join(strings.Fields(dict), "")
	switch {
	case c.EmbeddedFiles && strings.Contains(squeezed, "/Type/EmbeddedFile"):
	case c.PlainStreams, strings.Contains(dict, "/Crypt"),
		c.PlainMetadata && strings.Contains(squeezed, "/Type/Metadata"):
		return data
	}
	return c.encrypt(data, num, gen, 0)
}

// encrypt encrypts b (algorithms 1 and 1.A). The initialization vector depends on the object, and on nth, the index
// of b in the object.
func (c *crypt) encrypt(b []byte, num, gen, nth int) []byte {
	withAES := c.Revision > 4 || c.Revision == 4 && !c.RC4
	key := c.key
	if c.Revision < 5 {
		k := append(bytes.Clone(c.key), byte(num), byte(num>>8), byte(num>>16), byte(gen), byte(gen>>8))
		if withAES {
			k = append(k, "sAlT"...)
		}
		sum := md5.Sum(k)
		key = sum[:min(len(c.key)+5, 16)]
	}
	if !withAES {
		return cryptRC4(key, b)
	}
	iv := md5.Sum(fmt.Appendf(nil, "%d %d %d %x", num, gen, nth, c.key))
	pad := 16 - len(b)%16
	out := append(bytes.Clone(iv[:]), b...)
	out = append(out, bytes.Repeat([]byte{byte(pad)}, pad)...)
	block, _ := aes.NewCipher(key)
	cipher.NewCBCEncrypter(block, iv[:]).CryptBlocks(out[16:], out[16:])
	return out
}

func permissionBytes() []byte {
	p := int32(permissions)
	return binary.LittleEndian.AppendUint32(nil, uint32(p))
}

// padded returns the password cut or padded to 32 bytes (algorithm 2 a).
func padded(password string) []byte {
	const fill = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"
	return []byte((password + fill)[:32])
}

func xored(key []byte, x byte) []byte {
	out := bytes.Clone(key)
	for i := range out {
		out[i] ^= x
	}
	return out
}

func cryptRC4(key, b []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil {
		panic(err) // cannot happen: keys have 5 to 16 bytes
	}
	out := make([]byte, len(b))
	c.XORKeyStream(out, b)
	return out
}
