package canon

import (
	"encoding/binary"
	"math/bits"
)

// plain takes a quick look at url, which holds no number sign. ok means that it is an http or https URL of the common
// kind, in which no step of PDF or PDF2 finds anything to do but capitals in the host; these are then in
// url[:capitals], which is empty without any. If ok is false, nothing has been learnt.
//
// Common are a scheme in lower case, neither userinfo nor port, and no segment that begins with a dot. Most URLs are
// so. The look takes eight bytes at a time and as few branches as can be: their misses would cost more than the work.
func plain(url []byte) (capitals int, ok bool) {
	if len(url) < 16 {
		return 0, false
	}
	host, start := 7, binary.LittleEndian.Uint64(url)
	if start == httpsSlashes {
		host = 8
	}
	if min(start^httpsSlashes, start<<8^httpSlashes) != 0 {
		return 0, false
	}
	for end := uint64(0); end == 0; host += 8 {
		if host+8 > len(url) {
			return 0, false // no slash so far: a short URL
		}
		x := binary.LittleEndian.Uint64(url[host:])
		end = zeros(x ^ '/'*everyByte)
		authority := (end - 1) &^ end // what precedes the slash, or everything
		if odd := between(x, ':', '[') & authority; odd != 0 {
			if odd&^between(x, 'A', 'Z') != 0 {
				return 0, false
			}
			capitals = host + bits.Len64(odd)/8
		}
	}
	return capitals, !hasSlashDot(url)
}

const (
	everyByte    = 0x0101010101010101
	highBits     = 0x80 * everyByte
	httpsSlashes = 0x2f2f3a7370747468    // "https://", first byte lowest
	httpSlashes  = 0x2f2f3a70747468 << 8 // any byte and "http://"
)

// between marks the bytes of x from first to last, which are ASCII. From ':' to '[' this is the capitals and what
// ends or divides an authority before its slash, namely : ? @ and [, with few others.
func between(x, first, last uint64) uint64 {
	low := x &^ highBits
	atLeast := low + (0x80-first)*everyByte // high bit set where a byte is first or more
	above := low + (0x7f-last)*everyByte    // high bit set where it is more than last
	return atLeast &^ above &^ x & highBits
}

// zeros marks the zero bytes of x, and perhaps some after the first of them.
func zeros(x uint64) uint64 { return (x - everyByte) &^ x & highBits }

// hasSlashDot reports whether there is a slash before a dot.
func hasSlashDot(s []byte) bool {
	if len(s) <= 32 {
		for i := 1; i < len(s); i++ {
			if s[i] == '.' && s[i-1] == '/' {
				return true
			}
		}
		return false
	}
	found := slashDot((*[33]byte)(s[len(s)-33:])) // may overlap the blocks before it
	for ; len(s) > 32; s = s[32:] {
		found |= slashDot((*[33]byte)(s))
	}
	return found != 0
}

// slashDot is not 0 if one of the first 32 bytes of s is a slash and the next one a dot.
func slashDot(s *[33]byte) uint64 {
	return pairs(s[0:], s[1:]) | pairs(s[8:], s[9:]) | pairs(s[16:], s[17:]) | pairs(s[24:], s[25:])
}

// pairs marks where the first eight bytes of s are a slash and those of next a dot.
func pairs(s, next []byte) uint64 {
	return zeros(binary.LittleEndian.Uint64(s) ^ '/'*everyByte | binary.LittleEndian.Uint64(next) ^ '.'*everyByte)
}
