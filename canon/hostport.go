package canon

import (
	"bytes"
	"math"
	"strconv"
)

// knownPort returns the default port of a protocol of WWWOFFLE, or 0. In 2.6 a protocol that it does not know has 80.
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

// withoutKnownPort returns the host without its port if that begins with the number port, as atoi reads it.
func withoutKnownPort(host []byte, port int) []byte {
	if i := portColon(host); i >= 0 && port != 0 && atoi(host[i+1:]) == port {
		return host[:i]
	}
	return host
}

// isName reports whether CanonicaliseHost takes a host with its port for a name, and keeps it: there is a letter
// somewhere, be it in the port, and it is not an IPv6 address.
func isName(host []byte) bool { return hasLetter(host) && !isIPv6(host) }

// isIPv6 reports whether CanonicaliseHost takes a host with its port for an IPv6 address.
func isIPv6(host []byte) bool {
	return bytes.HasPrefix(host, bracket) || bytes.IndexByte(host, ':') != bytes.LastIndexByte(host, ':')
}

// appendHost appends to dst a host that is not a name, with its port, as CanonicaliseHost leaves it. What is not an
// IPv6 address is an IPv4 address, an empty host included. Nothing is an error: what is missing is 0.
func appendHost(dst, host []byte) []byte {
	if isIPv6(host) {
		return appendIPv6(dst, host)
	}
	return appendIPv4(dst, host)
}

func appendIPv4(dst, host []byte) []byte {
	var quad [4]uint32
	if bytes.IndexByte(host, '.') >= 0 { // a dot of the port counts too
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

// appendIPv6 writes eight groups: those that a pass from the left finds come first, those of a pass from the right come
// last, and what is between is 0. Both passes end at an empty group, and at one that is not a number: that from the
// left only if it has a single octet, else the group is skipped. The pass from the right leaves the first octet of the
// host out, which is a bracket as a rule; without one, "a:b:c" becomes "[a:b:c:0:0:0:b:c]".
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
			n = 0 // what is to the left of it does not count
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

// addGroup sets group n to a hexadecimal number, or two groups to an IPv4 address, and returns which one is next; ok is
// false if text is not a number. What is over is dropped.
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

// appendPort writes the lower half of a port, unless the whole of it is 0.
func appendPort(dst, port []byte) []byte {
	number, _ := strtoul(port, 0)
	if uint32(number) == 0 {
		return dst
	}
	return strconv.AppendUint(append(dst, ':'), number&0xffff, 10)
}

// dotted reads four numbers with dots between them, as scanf does; ok is false if there are fewer, which are then 0.
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

// strtoul reads the number that s begins with as C does; ok is false if there is no number.
func strtoul(s []byte, base uint64) (number uint64, ok bool) {
	number, n := scanNumber(s, base)
	return number, n > 0
}

// atoi reads the number that s begins with as C does where int has 32 bits and long has 64.
func atoi(s []byte) int {
	number, n := scanNumber(s, 10)
	switch negative := bytes.IndexByte(s[:n], '-') >= 0; {
	case negative && -number > -math.MinInt64:
		return 0 // the lower half of the least long
	case !negative && number > math.MaxInt64:
		return -1 // and of the greatest
	}
	return int(int32(number))
}

// scanNumber reads white space, a sign and digits, and returns the number and how much of s that was: 0 if there is no
// digit. In base 0, a number that begins with 0 is octal, with 0x hexadecimal; in base 16, 0x may be there. What is too
// large is the largest number, and the negative of a number is taken modulo 1<<64.
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

// scanSign reads white space and a sign, and returns how much of s that was.
func scanSign(s []byte) (n int, negative bool) {
	for n < len(s) && (s[n] == ' ' || s[n]-'\t' < 5) {
		n++
	}
	if n < len(s) && (s[n] == '-' || s[n] == '+') {
		return n + 1, s[n] == '-'
	}
	return n, false
}

// numberBase returns the base of the digits that s begins with, and the length of the prefix 0x before them.
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
