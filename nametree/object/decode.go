package object

import "bytes"

// decodeName decodes the number-sign escapes of a name (7.3.5). A number sign without two digits stays, as in other
// readers.
func decodeName(raw []byte) []byte {
	if bytes.IndexByte(raw, '#') < 0 {
		return raw
	}
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] == '#' && i+2 < len(raw) {
			hi, lo := hexValue[raw[i+1]], hexValue[raw[i+2]]
			if hi >= 0 && lo >= 0 {
				out = append(out, byte(hi)<<4|byte(lo))
				i += 2
				continue
			}
		}
		out = append(out, raw[i])
	}
	return out
}

var hexValue = func() (t [256]int8) {
	for i := range t {
		t[i] = -1
	}
	for i, c := range "0123456789abcdef" {
		t[c] = int8(i)
	}
	for i, c := range "ABCDEF" {
		t[c] = int8(10 + i)
	}
	return t
}()

// appendHex decodes the digits of a hexadecimal string. It skips other bytes, because white space is legal everywhere,
// even within a pair. A missing last digit counts as 0.
func appendHex(dst, digits []byte) []byte {
	// Most strings contain only pairs of digits.
	for len(digits) >= 2 {
		hi, lo := hexValue[digits[0]], hexValue[digits[1]]
		if hi|lo < 0 {
			break
		}
		dst = append(dst, byte(hi)<<4|byte(lo))
		digits = digits[2:]
	}
	high := int8(-1)
	for _, c := range digits {
		v := hexValue[c]
		switch {
		case v < 0:
		case high < 0:
			high = v
		default:
			dst = append(dst, byte(high)<<4|byte(v))
			high = -1
		}
	}
	if high >= 0 {
		dst = append(dst, byte(high)<<4)
	}
	return dst
}

// appendLiteral decodes the bytes between the parentheses of a literal string. It decodes escapes (table 3), and
// replaces each end of line by one LF.
func appendLiteral(dst, raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return append(dst, raw...)
	}
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch c {
		case '\r':
			if i+1 < len(raw) && raw[i+1] == '\n' {
				i++
			}
			dst = append(dst, '\n')
		case '\\':
			dst, i = appendEscape(dst, raw, i+1)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// appendEscape decodes an escape. i is the index of the character after the reverse solidus. appendEscape returns the
// index of the last character of the escape. raw[i] exists, because Parse rejects strings that end in a reverse
// solidus.
func appendEscape(dst, raw []byte, i int) ([]byte, int) {
	switch c := raw[i]; c {
	case 'n':
		return append(dst, '\n'), i
	case 'r':
		return append(dst, '\r'), i
	case 't':
		return append(dst, '\t'), i
	case 'b':
		return append(dst, '\b'), i
	case 'f':
		return append(dst, '\f'), i
	case '\n':
		return dst, i
	case '\r':
		if i+1 < len(raw) && raw[i+1] == '\n' {
			i++
		}
		return dst, i
	case '0', '1', '2', '3', '4', '5', '6', '7':
		v := c - '0'
		for k := 0; k < 2 && i+1 < len(raw) && raw[i+1] >= '0' && raw[i+1] <= '7'; k++ {
			i++
			v = v<<3 | (raw[i] - '0') // overflow beyond one byte is ignored (7.3.4.2)
		}
		return append(dst, v), i
	default:
		return append(dst, c), i
	}
}
