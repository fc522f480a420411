package canon

import "bytes"

// octetTable tells how to recode each octet of a part of a URL. It has two treatments for each octet: one for the plain
// octet, and one for its escape, %XX. A percent sign that starts no escape is a plain octet.
type octetTable struct {
	raw, escaped [256]treatment
	special      [256]uint8 // 1 for octets of the text, as written, that append may have to change
	lenient      bool       // a percent sign and any two octets are an escape; octets that are not digits count as 0
}

type treatment uint8

const (
	keep   treatment = iota // unchanged
	decode                  // write the plain octet
	encode                  // write %XX with capital digits
	plus                    // write "+" for a blank
	upper                   // write the same escape in capitals
	end                     // stop: a C string or a host ends here
)

// coded returns an octetTable: raw returns the treatment of a plain octet, and escaped that of an escape.
func coded(lenient bool, raw, escaped func(c byte) treatment) octetTable {
	t := octetTable{lenient: lenient}
	for c := range 256 {
		t.raw[c], t.escaped[c] = raw(byte(c)), escaped(byte(c))
		if t.raw[c] != keep {
			t.special[c] = 1
		}
	}
	t.special['%'] = 1
	return t
}

// in returns a function that returns yes for letters, digits, and the octets of set, and no for other octets.
func in(set string, yes, no treatment) func(byte) treatment {
	return func(c byte) treatment {
		if isAlnum(c) || bytes.IndexByte([]byte(set), c) >= 0 {
			return yes
		}
		return no
	}
}

// only returns a function that returns yes for octets for which test is true, and keep for other octets.
func only(test func(byte) bool, yes treatment) func(byte) treatment {
	return func(c byte) treatment {
		if test(c) {
			return yes
		}
		return keep
	}
}

func always(t treatment) func(byte) treatment { return func(byte) treatment { return t } }

// matters reports whether append may change s. It does not decode escapes.
func (t *octetTable) matters(s []byte) bool {
	p := &t.special
	for ; len(s) >= 8; s = s[8:] {
		if p[s[0]]|p[s[1]]|p[s[2]]|p[s[3]]|p[s[4]]|p[s[5]]|p[s[6]]|p[s[7]] != 0 {
			return true
		}
	}
	for _, c := range s {
		if p[c] != 0 {
			return true
		}
	}
	return false
}

// recode returns the part s of r, recoded by t. The result is s itself if nothing changes; otherwise it is appended to
// r.work.
func (r *reduction) recode(s []byte, t *octetTable) []byte {
	if !t.matters(s) {
		return s
	}
	n := len(r.work)
	r.work = t.append(r.work, s)
	return r.written(n)
}

// written returns r.work[n:] without spare capacity.
func (r *reduction) written(n int) []byte { return r.work[n:len(r.work):len(r.work)] }

// append appends s to dst, recoded by t.
func (t *octetTable) append(dst, s []byte) []byte {
	kept := 0 // s[kept:i] is not copied yet
	for i := 0; i < len(s); {
		c, size, treat := s[i], 1, t.raw[s[i]]
		if c == '%' {
			if value, ok := t.escape(s[i:]); ok {
				c, size, treat = value, 3, t.escaped[value]
			}
		}
		from := i
		i += size
		if treat == keep {
			continue
		}
		dst = append(dst, s[kept:from]...)
		kept = i
		switch treat {
		case decode:
			dst = append(dst, c)
		case encode:
			dst = appendEscape(dst, c)
		case plus:
			dst = append(dst, '+')
		case upper:
			dst = append(dst, '%', capital(s[from+1]), capital(s[from+2]))
		case end:
			return dst
		}
	}
	return append(dst, s[kept:]...)
}

// escape decodes the escape at the beginning of s; ok is false if there is no escape.
func (t *octetTable) escape(s []byte) (value byte, ok bool) {
	if len(s) < 3 {
		return 0, false
	}
	high, low := digits[s[1]], digits[s[2]]
	if !t.lenient {
		return high<<4 | low, high|low < 16
	}
	return high<<4&^0x0f | low&0x0f, true
}

// digits holds the values of the hexadecimal digits. The value of other octets is 16, which a lenient table reads as 0.
var digits = func() (table [256]byte) {
	for c := range table {
		table[c] = 16
	}
	for v := range 16 {
		table["0123456789abcdef"[v]], table["0123456789ABCDEF"[v]] = byte(v), byte(v)
	}
	return table
}()

func appendEscape(dst []byte, c byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '%', digits[c>>4], digits[c&15])
}

var (
	component = coded(false, in("-_.!~*'()", keep, encode), always(encode))
	decoding  = coded(false, always(keep), always(decode))
)

// EncodeComponent appends raw to dst as a component of a URL, such as one value in a query. Letters, digits and
// - _ . ! ~ * ' ( ) stay; every other octet becomes an escape with capital digits (RFC 2396, 2.3 and 2.4). This
// includes each percent sign, so text that is already encoded becomes double-coded. raw must not share memory with dst
// from len(dst) on.
func EncodeComponent(dst, raw []byte) []byte { return component.encode(dst, raw) }

// encode appends raw to dst, and encodes the octets that t does not keep. A percent sign is an octet like any other.
func (t *octetTable) encode(dst, raw []byte) []byte {
	for _, c := range raw {
		if t.raw[c] == keep {
			dst = append(dst, c)
		} else {
			dst = appendEscape(dst, c)
		}
	}
	return dst
}

// Decode appends coded to dst and replaces each escape by its octet, in one pass: "%2541" becomes "%41". Other text is
// copied, including "+" and a percent sign without two hexadecimal digits. Decode is the inverse of EncodeComponent.
// coded may start where dst ends, so Decode(coded[:0], coded) works in place.
//
// Decode is URLDecodeGeneric() of README.URL of WWWOFFLE, except that the program ends its result before "%00", and
// takes a percent sign and any two octets for an escape.
func Decode(dst, coded []byte) []byte { return decoding.append(dst, coded) }

// DoubleCoded reports whether decoding url twice gives another result than decoding it once, as for "%2541". Either
// such a URL was encoded twice by mistake, or decoding it twice would be wrong.
func DoubleCoded(url []byte) bool {
	var before, last byte // the octets that were decoded last
	for i := 0; i < len(url); i++ {
		c := url[i]
		if c == '%' {
			if value, ok := decoding.escape(url[i:]); ok {
				c = value
				i += 2
			}
		}
		if before == '%' && digits[last] < 16 && digits[c] < 16 {
			return true
		}
		before, last = last, c
	}
	return false
}
