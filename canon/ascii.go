package canon

func hasUpper(b []byte) bool {
	for _, c := range b {
		if c-'A' < 26 {
			return true
		}
	}
	return false
}

func hasLetter(s []byte) bool {
	for _, c := range s {
		if c|0x20-'a' < 26 {
			return true
		}
	}
	return false
}

func isAlnum(c byte) bool { return c|0x20-'a' < 26 || c-'0' < 10 }

// lower converts ASCII capitals; other bytes, escapes and UTF-8 among them, are not text to it.
func lower(b []byte) {
	for i, c := range b {
		if c-'A' < 26 {
			b[i] = c + ('a' - 'A')
		}
	}
}

func capital(c byte) byte {
	if c-'a' < 26 {
		c -= 'a' - 'A'
	}
	return c
}

// equalFold reports whether b is word in any case. The word consists of lower-case letters, for which setting bit 5
// is lower-casing and maps no other byte to a letter of it.
func equalFold(b []byte, word string) bool {
	if len(b) != len(word) {
		return false
	}
	for i, c := range b {
		if c|0x20 != word[i] {
			return false
		}
	}
	return true
}
