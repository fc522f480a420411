package pdffile

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
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
)

// A standardHandler holds the entries of an encryption dictionary for the standard security handler (ISO
// 32000-2:2020, 7.6.4). It checks passwords and computes the file's key.
type standardHandler struct {
	revision    int64  // R
	lengths     []int  // possible lengths of the key in bytes, for R 2 to 4; the declared one first
	owner, user []byte // O and U without padding
	ownerKey    []byte // OE of R 5 and 6
	userKey     []byte // UE
	permissions uint32 // P
	metadata    bool   // EncryptMetadata
	id          []byte // the first element of the trailer's ID
}

// newStandardHandler reads an encryption dictionary whose references are resolved. The error is an ErrEncryption
// that names the malformed or unsupported entry.
func newStandardHandler(d object.Dict, id []byte) (*standardHandler, error) {
	if name, _ := d.Lookup("Filter").Name(); string(name) != "Standard" {
		if len(name) == 0 {
			return nil, brokenEncrypt("Filter is %s", describe(d.Lookup("Filter")))
		}
		return nil, unsupported("the security handler %s", object.AppendName(nil, name)[1:])
	}
	h := &standardHandler{metadata: true, id: id}
	var version, p int64
	for _, e := range []struct {
		key  string
		into *int64
	}{{"V", &version}, {"R", &h.revision}, {"P", &p}} {
		n, ok := d.Lookup(e.key).Int()
		if !ok {
			return nil, brokenEncrypt("%s is %s", e.key, describe(d.Lookup(e.key)))
		}
		*e.into = n
	}
	h.permissions = uint32(p)
	switch {
	case version == 6 || h.revision == 7:
		return nil, unsupported("AES-GCM (crypt filter method AESV4)")
	case version < 1 || version == 3 || version > 5 || h.revision < 2 || h.revision > 6 ||
		(version == 5) != (h.revision >= 5):
		return nil, unsupported("V %d with R %d", version, h.revision)
	}
	if encrypted, ok := d.Lookup("EncryptMetadata").Bool(); ok {
		h.metadata = encrypted
	}
	h.lengths = keyLengths(version, d)
	return h, h.readStrings(d)
}

// readStrings reads O and U, and also OE and UE for R 5 and 6. It removes padding that some writers add (Acrobat
// pads O and U of R 5 and 6 to 127 bytes).
func (h *standardHandler) readStrings(d object.Dict) error {
	n := 32
	if h.revision >= 5 {
		n = 48
	}
	entries := []struct {
		key  string
		n    int
		into *[]byte
	}{{"O", n, &h.owner}, {"U", n, &h.user}, {"OE", 32, &h.ownerKey}, {"UE", 32, &h.userKey}}
	if h.revision < 5 {
		entries = entries[:2]
	}
	for _, e := range entries {
		s, ok := d.Lookup(e.key).AppendString(nil)
		if !ok {
			return brokenEncrypt("%s is %s", e.key, describe(d.Lookup(e.key)))
		}
		if len(s) < e.n {
			return brokenEncrypt("%s has %d bytes, not %d", e.key, len(s), e.n)
		}
		*e.into = s[:e.n]
	}
	return nil
}

// describe describes the value of an entry.
func describe(o object.Object) string {
	if o.IsNull() {
		return "missing"
	}
	return "of the type " + o.Kind().String()
}

func brokenEncrypt(format string, args ...any) error {
	return fmt.Errorf("%w: the encryption dictionary is broken: %s", ErrEncryption, fmt.Sprintf(format, args...))
}

func unsupported(format string, args ...any) error {
	return fmt.Errorf("%w: %s is not supported", ErrEncryption, fmt.Sprintf(format, args...))
}

// keyLengths returns the possible lengths of the file's key. Writers disagree on Length: it is in bits, in bytes,
// in the crypt filter, or absent. A check against U shows the right length.
func keyLengths(version int64, d object.Dict) []int {
	if version == 1 {
		return []int{5}
	}
	var lengths []int
	bits, _ := d.Lookup("Length").Int()
	for _, n := range []int64{bits / 8, 16, 5, bits} {
		if n >= 5 && n <= 16 && !slices.Contains(lengths, int(n)) {
			lengths = append(lengths, int(n))
		}
	}
	return lengths
}

// fileKey returns the file's key. It tries each password as user and as owner password; the empty one is last.
func (h *standardHandler) fileKey(passwords []string, m *meter.Meter) (key []byte, err error) {
	price := int64(1 << 13) // 50 MD5 sums
	if h.revision >= 5 {
		price = 1 << 18 // a millisecond or more
	}
	for _, password := range append(slices.Clone(passwords), "") {
		for _, form := range h.forms(password) {
			if err := m.Pay(price); err != nil {
				return nil, err
			}
			if key, ok := h.open(form); ok {
				return key, nil
			}
		}
	}
	return nil, ErrPassword
}

// forms returns the possible byte forms of a password: PDFDocEncoding up to R 4, RFC 4013 from R 5 on (7.6.4.3).
// The plain bytes come last, because some writers use them.
func (h *standardHandler) forms(password string) [][]byte {
	most := 32
	prepared, ok := object.PDFDoc(password)
	if h.revision >= 5 {
		most = 127
		prepared, ok = []byte(saslPrep(password)), true
	}
	plain := []byte(password)
	forms := [][]byte{plain[:min(len(plain), most)]}
	if ok && !bytes.Equal(prepared, plain) {
		forms = slices.Insert(forms, 0, prepared[:min(len(prepared), most)])
	}
	return forms
}

// saslPrep maps a password by RFC 4013 (2.1, 2.2). It replaces non-ASCII spaces by spaces, removes invisible
// characters, and normalizes the result. It keeps prohibited characters: the check of the password decides.
func saslPrep(s string) string {
	return norm.NFKC.String(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Zs, r), r == '\u200b':
			return ' '
		case r >= 0xfe00 && r <= 0xfe0f, strings.ContainsRune(mappedToNothing, r):
			return -1
		}
		return r
	}, s))
}

// mappedToNothing is table B.1 of RFC 3454, except U+200B, which is mapped to a space, and U+FE00 to U+FE0F.
const mappedToNothing = "\u00ad\u034f\u1806\u180b\u180c\u180d\u200c\u200d\u2060\ufeff"

// open returns the file's key if the password is the user's or the owner's.
func (h *standardHandler) open(password []byte) (key []byte, ok bool) {
	if h.revision >= 5 {
		return h.open256(password)
	}
	for _, n := range h.lengths {
		if key, ok := h.openUser(password, n); ok {
			return key, true
		}
		if key, ok := h.openUser(h.userPassword(password, n), n); ok {
			return key, true
		}
	}
	return nil, false
}

// openUser computes the key of n bytes (algorithm 2). ok is true if the password is the user's (algorithm 6): its
// key must give U (algorithms 4 and 5).
func (h *standardHandler) openUser(password []byte, n int) (key []byte, ok bool) {
	sum := md5.New()
	sum.Write(padded(password))
	sum.Write(h.owner)
	sum.Write(binary.LittleEndian.AppendUint32(nil, h.permissions))
	sum.Write(h.id)
	if h.revision >= 4 && !h.metadata {
		sum.Write([]byte{0xff, 0xff, 0xff, 0xff})
	}
	key = h.stretched(sum.Sum(nil), n)
	if h.revision == 2 {
		return key, bytes.Equal(h.keystream(key, padded(nil)), h.user)
	}
	hash := md5.Sum(append(padded(nil), h.id...))
	return key, bytes.Equal(h.keystream(key, hash[:]), h.user[:len(hash)])
}

// userPassword returns the padded user password, decrypted from O with the owner password (algorithm 7).
func (h *standardHandler) userPassword(owner []byte, n int) []byte {
	hash := md5.Sum(padded(owner))
	return h.keystream(h.stretched(hash[:], n), h.owner)
}

// stretched returns the first n bytes of hash. From R 3 on, it first hashes 50 more times.
func (h *standardHandler) stretched(hash []byte, n int) []byte {
	for i := 0; i < 50 && h.revision >= 3; i++ {
		next := md5.Sum(hash[:n])
		copy(hash, next[:])
	}
	return hash[:n]
}

// keystream applies RC4 with key. From R 3 on, it also applies RC4 with 19 variants: key, exclusive-ored with 1 to
// 19. Their order does not matter: RC4 is an exclusive or, too.
func (h *standardHandler) keystream(key, data []byte) []byte {
	rounds := 1
	if h.revision >= 3 {
		rounds = 20
	}
	out, k := bytes.Clone(data), bytes.Clone(key)
	for i := range rounds {
		for j := range k {
			k[j] = key[j] ^ byte(i)
		}
		c, err := rc4.NewCipher(k)
		if err != nil {
			return nil // keyLengths returns only valid lengths
		}
		c.XORKeyStream(out, out)
	}
	return out
}

// padded returns a password cut or padded to 32 bytes (algorithm 2, step a).
func padded(password []byte) []byte {
	const fill = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"
	return append(bytes.Clone(password), fill...)[:32]
}

// open256 opens files of R 5 and 6 (algorithm 2.A). O and U consist of 32 bytes of a hash, a salt for the check,
// and a salt for the key that decrypts OE or UE. The user's check comes first: it costs less than half of the
// owner's, and opens most files.
func (h *standardHandler) open256(password []byte) (key []byte, ok bool) {
	for _, who := range []struct{ check, wrapped, user []byte }{
		{h.user, h.userKey, nil},
		{h.owner, h.ownerKey, h.user},
	} {
		hash, checkSalt, keySalt := who.check[:32], who.check[32:40], who.check[40:48]
		if !bytes.Equal(h.hash256(password, checkSalt, who.user), hash) {
			continue
		}
		b, err := aes.NewCipher(h.hash256(password, keySalt, who.user))
		if err != nil {
			return nil, false // hash256 returns only valid lengths
		}
		key = make([]byte, 32)
		cipher.NewCBCDecrypter(b, make([]byte, aes.BlockSize)).CryptBlocks(key, who.wrapped)
		return key, true
	}
	return nil, false
}

// hash256 computes a password hash (algorithm 2.B). R 5 uses only the first step.
func (h *standardHandler) hash256(password, salt, user []byte) []byte {
	first := sha256.Sum256(slices.Concat(password, salt, user))
	k := append(make([]byte, 0, sha512.Size), first[:]...)
	if h.revision == 5 {
		return k
	}
	var e []byte // reused
	for i, last := 0, 0; i < 64 || last > i-32; i++ {
		e = append(append(append(e[:0], password...), k...), user...)
		for range 6 { // 6 hashes, repeated 64 times
			e = append(e, e...)
		}
		b, err := aes.NewCipher(k[:16])
		if err != nil {
			return nil // cannot happen: 16 bytes are a valid key
		}
		cipher.NewCBCEncrypter(b, k[16:32]).CryptBlocks(e, e)
		k = hashByRemainder(k[:0], e)
		last = int(e[len(e)-1])
	}
	return k[:32]
}

// hashByRemainder appends a hash of e to dst. The first 16 bytes of e, as a number modulo 3, select the hash. This
// remainder equals that of the sum of the bytes, because 256 mod 3 is 1.
func hashByRemainder(dst, e []byte) []byte {
	sum := 0
	for _, c := range e[:16] {
		sum += int(c)
	}
	switch sum % 3 {
	case 0:
		s := sha256.Sum256(e)
		return append(dst, s[:]...)
	case 1:
		s := sha512.Sum384(e)
		return append(dst, s[:]...)
	}
	s := sha512.Sum512(e)
	return append(dst, s[:]...)
}
