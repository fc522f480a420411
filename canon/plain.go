package canon

import (
	"encoding/binary"
	"math/bits"
)

// plain reports whether url is a common http or https URL, without splitting it. url must not contain a number sign. If
// ok is true, the steps of PDF and PDF2 change at most capitals in the host. These capitals are in url[:capitals];
// capitals is 0 if there are none. If ok is false, url may still be canonical.
//
// A common URL has a scheme in lower case, neither userinfo nor port, and no segment that begins with a dot. Most
// URLs are common. The scan reads eight bytes at a time and has few branches, because mispredicted branches would
// cost more than the work.
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
		authority := (end - 1) &^ end // mask of the bytes before the slash, or of all bytes without a slash
		// The range from ':' to '[' has the capitals, the characters that end or divide an authority (: ? @ [), and a few
		// others.
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

// between returns a mask with the high bit of each byte of x in the range first to last, which must be ASCII.
func between(x, first, last uint64) uint64 {
	low := x &^ highBits
	atLeast := low + (0x80-first)*everyByte // high bit set in bytes >= first
	above := low + (0x7f-last)*everyByte    // high bit set in bytes > last
	return atLeast &^ above &^ x & highBits
}

// zeros returns the high bit of each zero byte of x. It may also mark some bytes after the first zero byte.
func zeros(x uint64) uint64 { return (x - everyByte) &^ x & highBits }

// hasSlashDot reports whether s contains "/.".
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

// slashDot returns a value other than 0 if one of the first 32 bytes of s is a slash and the next byte is a dot.
func slashDot(s *[33]byte) uint64 {
	return pairs(s[0:], s[1:]) | pairs(s[8:], s[9:]) | pairs(s[16:], s[17:]) | pairs(s[24:], s[25:])
}

// pairs marks the positions at which s has a slash and next has a dot. It compares the first eight bytes of both.
func pairs(s, next []byte) uint64 {
	return zeros(binary.LittleEndian.Uint64(s) ^ '/'*everyByte | binary.LittleEndian.Uint64(next) ^ '.'*everyByte)
}
