package canon

import (
	"bytes"
	"math"
	"strconv"
)

// knownPort returns the default port of a scheme in WWWOFFLE, or 0 if it has none. In 2.6, the default port of unknown
// schemes is 80.
func (e edition) knownPort(scheme []byte) int {
	switch {
	case string(scheme) == "http":
		return 80
	case string(scheme) == "ftp":
		return 21
	case string(scheme) == "finger":
		return 79
	case e == edition26:
		return 80
	}
	return 0
}

// withoutKnownPort returns the host without its port if atoi reads this port as the number port.
func withoutKnownPort(host []byte, port int) []byte {
	if i := portColon(host); i >= 0 && port != 0 && atoi(host[i+1:]) == port {
		return host[:i]
	}
	return host
}

// isName reports whether CanonicaliseHost treats a host with its port as a name, and keeps the host. It is true if
// there is a letter in the host or the port, and the host is not an IPv6 address.
func isName(host []byte) bool { return hasLetter(host) && !isIPv6(host) }

// isIPv6 reports whether CanonicaliseHost treats a host with its port as an IPv6 address.
func isIPv6(host []byte) bool {
	return bytes.HasPrefix(host, bracket) || bytes.IndexByte(host, ':') != bytes.LastIndexByte(host, ':')
}

// appendHost appends a numeric host with its port to dst, in the form of CanonicaliseHost. The host must not be a name.
// A host that is not an IPv6 address counts as an IPv4 address, even if it is empty. There are no errors: missing
// numbers are 0.
func appendHost(dst, host []byte) []byte {
	if isIPv6(host) {
		return appendIPv6(dst, host)
	}
	return appendIPv4(dst, host)
}

func appendIPv4(dst, host []byte) []byte {
	var quad [4]uint32
	if bytes.IndexByte(host, '.') >= 0 { // a dot in the port also counts
		quad, _ = dotted(host)
	} else {
		number, _ := strtoul(host, 0)
		for i := range quad {
			quad[i] = uint32(number) >> (24 - 8*i)
		}
	}
	for i, part := range quad {
		if i > 0 {
			dst = append(dst, '.')
		}
		dst = strconv.AppendUint(dst, uint64(part&0xff), 10)
	}
	if i := bytes.IndexByte(host, ':'); i >= 0 {
		dst = appendPort(dst, host[i+1:])
	}
	return dst
}

// appendIPv6 appends an IPv6 address with eight groups. The first loop reads the first groups. It skips groups that are
// not numbers, but ends at one with at most one octet. The second loop finds the last groups: those after the last
// group that is not a number. The groups between are 0. The second loop omits the first octet of the host, which is
// usually a bracket. Without a bracket, "a:b:c" becomes "[a:b:c:0:0:0:b:c]".
func appendIPv6(dst, host []byte) []byte {
	literal, afterFirst, port := host, host[1:], []byte(nil)
	if host[0] == '[' {
		literal, port, _ = bytes.Cut(host[1:], closing)
		afterFirst = literal
	}
	var groups, after [8]uint16
	n := 0
	for more := true; more; {
		var text []byte
		text, literal, more = bytes.Cut(literal, colon)
		var ok bool
		if n, ok = addGroup(&groups, n, text); !ok && len(text) <= 1 {
			break
		}
	}
	n = 0
	for more := true; more; {
		var text []byte
		text, afterFirst, more = bytes.Cut(afterFirst, colon)
		var ok bool
		if n, ok = addGroup(&after, n, text); !ok {
			n = 0 // numbers further to the left do not count
		}
	}
	copy(groups[len(groups)-n:], after[:n])
	for i, group := range groups {
		dst = append(dst, "[:::::::"[i])
		dst = strconv.AppendUint(dst, uint64(group), 16)
	}
	dst = append(dst, ']')
	if bytes.HasPrefix(port, colon) {
		dst = appendPort(dst, port[1:])
	}
	return dst
}

// addGroup sets group n to the hexadecimal number in text, or groups n and n+1 to the IPv4 address in text. It returns
// the index of the next group; ok is false if text is not a number. Surplus text is ignored.
func addGroup(groups *[8]uint16, n int, text []byte) (next int, ok bool) {
	if quad, ok := dotted(text); ok && n+1 < len(groups) {
		groups[n], groups[n+1] = uint16(quad[0]<<8+quad[1]), uint16(quad[2]<<8+quad[3])
		return n + 2, true
	}
	value, ok := strtoul(text, 16)
	if !ok || n == len(groups) {
		return n, ok
	}
	groups[n] = uint16(value)
	return n + 1, true
}

// appendPort appends the lower 16 bits of a port. It appends nothing if the lower 32 bits are 0.
func appendPort(dst, port []byte) []byte {
	number, _ := strtoul(port, 0)
	if uint32(number) == 0 {
		return dst
	}
	return strconv.AppendUint(append(dst, ':'), number&0xffff, 10)
}

// dotted reads four numbers separated by dots, as scanf does. If there are fewer numbers, ok is false and the missing
// numbers are 0.
func dotted(s []byte) (quad [4]uint32, ok bool) {
	for i := range quad {
		if i > 0 {
			if len(s) == 0 || s[0] != '.' {
				return quad, false
			}
			s = s[1:]
		}
		number, n := scanNumber(s, 10)
		if n == 0 {
			return quad, false
		}
		quad[i], s = uint32(number), s[n:]
	}
	return quad, true
}

// strtoul reads a number at the start of s as C does; ok is false if there is no number.
func strtoul(s []byte, base uint64) (number uint64, ok bool) {
	number, n := scanNumber(s, base)
	return number, n > 0
}

// atoi reads a number at the start of s as C does on machines where int has 32 bits and long has 64.
func atoi(s []byte) int {
	number, n := scanNumber(s, 10)
	switch negative := bytes.IndexByte(s[:n], '-') >= 0; {
	case negative && -number > -math.MinInt64:
		return 0 // the lower 32 bits of the smallest long
	case !negative && number > math.MaxInt64:
		return -1 // the lower 32 bits of the largest long
	}
	return int(int32(number))
}

// scanNumber reads white space, a sign, and digits. It returns the number and the length of the text; n is 0 if there
// is no digit. In base 0, the prefix 0 means octal and 0x means hexadecimal; base 16 accepts 0x. A number that is
// too large becomes the largest number. Negative numbers are returned modulo 1<<64.
func scanNumber(s []byte, base uint64) (number uint64, n int) {
	i, negative := scanSign(s)
	base, prefix := numberBase(s[i:], base)
	i += prefix
	start, over := i, false
	for ; i < len(s) && uint64(digits[s[i]]) < base; i++ {
		digit := uint64(digits[s[i]])
		if number > (math.MaxUint64-digit)/base {
			over = true
		}
		number = number*base + digit
	}
	switch {
	case i == start:
		return 0, 0
	case over:
		number = math.MaxUint64
	case negative:
		number = -number
	}
	return number, i
}

// scanSign reads white space and a sign, and returns their length.
func scanSign(s []byte) (n int, negative bool) {
	for n < len(s) && (s[n] == ' ' || s[n]-'\t' < 5) {
		n++
	}
	if n < len(s) && (s[n] == '-' || s[n] == '+') {
		return n + 1, s[n] == '-'
	}
	return n, false
}

// numberBase returns the base of the number at the start of s, and the length of its prefix "0x", if any.
func numberBase(s []byte, base uint64) (of uint64, prefix int) {
	if base != 10 && len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x' && digits[s[2]] < 16 {
		return 16, 2
	}
	switch {
	case base != 0:
		return base, 0
	case len(s) > 0 && s[0] == '0':
		return 8, 0
	}
	return 10, 0
}

var (
	bracket = []byte("[")
	colon   = []byte(":")
	closing = []byte("]")
)
