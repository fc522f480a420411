package audit

import "testing"

func TestTextFault(t *testing.T) {
	for _, row := range []struct {
		in string
		ok bool
	}{
		{"", true},
		{"A page", true},
		{"a\tb\r\nc", true},
		{"\x18\x1f\x80\x9e\xa0\xac\xae\xff", true},
		{"\xff\xfe", true}, // the byte order mark of UTF-16LE is none here
		{"\xfe\xff", true},
		{"\xfe\xff\x00A\xd8\x3d\xde\x00", true},
		{"\xfe\xff\x00\x1bde\x00\x1b\x00A", true}, // a language escape
		{"\xef\xbb\xbf", true},
		{"\xef\xbb\xbfgr\xc3\xbcn", true},

		{"a\x00b", false},
		{"\x17", false},
		{"\x0b", false},
		{"\x7f", false},
		{"\x9f", false},
		{"\xad", false},
		{"\xfe\xff\x00", false},
		{"\xfe\xff\xd8\x3d", false},
		{"\xfe\xff\xd8\x3d\x00A", false},
		{"\xfe\xff\xde\x00\xd8\x3d", false},
		{"\xfe\xff\xd8\x3d\xd8\x3d\xde\x00", false},
		{"\xef\xbb\xbf\xff", false},
		{"\xef\xbb\xbf\xed\xa0\x80", false},
	} {
		if fault := textFault([]byte(row.in)); (fault == "") != row.ok {
			t.Errorf("textFault(%q) = %q, want none: %t", row.in, fault, row.ok)
		}
	}
}
