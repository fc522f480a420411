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

// lower converts ASCII capitals to lower case; it leaves other bytes, including UTF-8 and escapes, unchanged.
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

// equalFold reports whether b is word, ignoring case. word must consist of lower-case letters: setting bit 5
// lower-cases letters, and maps no other byte to a letter.
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
