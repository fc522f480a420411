package rule

import "testing"

// TestFaults: a message says what is wrong with a media type (RFC 2045, 5.1), a text string (7.9.2.2), or a date
// (7.9.4). It is empty if nothing is.
func TestFaults(t *testing.T) {
	media := func(s string) string { return MediaFault([]byte(s)) }
	text := func(s string) string { return TextFault([]byte(s)) }
	date := func(s string) string { _, fault := ParseDate([]byte(s)); return fault }
	for _, row := range []struct {
		fault func(string) string
		want  string
		in    []string
	}{
		{media, "", []string{"text/html", "text/plain; charset=us-ascii", `text/plain; charset="us-ascii"`,
			"text/plain; charset=us-ascii (Plain text)", "(a (nested) comment) text/plain",
			"multipart/mixed; boundary=gc0p4Jq0M2Yt08j34c0p; a=b", "application/x-www-form-urlencoded",
			"image/svg+xml", "X-a.b!#$%&'*+-^_`{|}~/1", "text/html;charset=utf-8\r\n ;a=b", `a/b; c=""`,
			`a/b; c="\"; \\"`, "text/html; a=\"b\x7fc\"", `text/html; a="b\"; c"; d=e`, "text/~",
			"text/html (a (b) c)", "text/html\r\n\t;a=b"}},
		{media, "it does not begin with a type", []string{"", "/html"}},
		{media, "the slash after the type is missing", []string{"text", "text html"}},
		{media, "the subtype after the slash is missing", []string{"text/"}},
		{media, "a parameter is not name=value", []string{"text/html;", "text/html; ", "text/html; charset",
			"text/html; charset=", "text/html; =utf-8", "text/html; charset=utf-8 x", "text/html; a=\"\xe9\"",
			`a/b; c="d`, `a/b; c=,d"`, `a/b; c="d\`, "a/b; c=d/e", "*/*; q=(0.5)", "text/html; a=b x",
			`text/html; a="b" x`, "text/html; =b", "text/html; a", "text/html; a b", "text/html; a=",
			`text/html; a="b`, "text/html; a=\"b\rc\"", "text/html; a=\"b\x80c\""}},
		{media, "it is not type/subtype", []string{"text/html charset=utf-8", "text/html, text/plain",
			"text/html/x", "text/h\xe9", "a/b (comment", "a/b )", "text/html x", "text/h\x7f", "text/html (a) b",
			"text/html (a"}},
		{text, "", []string{"", "A page", "a\tb\r\nc", "\x18\x1f\x80\x9e\xa0\xac\xae\xff", "\xff\xfe", "\xfe\xff",
			"\xfe\xff\x00A\xd8\x3d\xde\x00", "\xfe\xff\x00\x1bde\x00\x1b\x00A", "\xef\xbb\xbf",
			"\xef\xbb\xbfgr\xc3\xbcn"}},
		{text, "PDFDocEncoding has no character for 00 at byte 1", []string{"a\x00b"}},
		{text, "PDFDocEncoding has no character for 17 at byte 0", []string{"\x17"}},
		{text, "PDFDocEncoding has no character for 0B at byte 0", []string{"\x0b"}},
		{text, "PDFDocEncoding has no character for 7F at byte 0", []string{"\x7f"}},
		{text, "PDFDocEncoding has no character for 9F at byte 0, ź in Windows-1250, Ÿ in Windows-1252", []string{
			"\x9f"}},
		{text, "PDFDocEncoding has no character for AD at byte 0", []string{"\xad"}},
		{text, "it is UTF-16 and ends with half a character", []string{"\xfe\xff\x00", "\xfe\xffa"}},
		{text, "it is UTF-16 with the lone surrogate d83d", []string{"\xfe\xff\xd8\x3d", "\xfe\xff\xd8\x3d\x00A",
			"\xfe\xff\xd8\x3d\xd8\x3d\xde\x00", "\xfe\xff\x00A\xd8\x3d\x00A", "\xfe\xff\xd8\x3d\xde\x00\xd8\x3d"}},
		{text, "it is UTF-16 with the lone surrogate de00", []string{"\xfe\xff\xde\x00\xd8\x3d",
			"\xfe\xff\xde\x00\x00A"}},
		{text, "it begins with the byte order mark of UTF-8, but is not valid UTF-8", []string{"\xef\xbb\xbf\xff",
			"\xef\xbb\xbf\xed\xa0\x80"}},
		{text, "PDFDocEncoding has no character for 7F at byte 2", []string{"ab\x7f\x00"}},
		{date, "", []string{"D:20080101000000+01'00'"}},
		{date, "it does not begin with D:", []string{"", "20080513", "d:2008", " D:2008", "\xfe\xff\x00D\x00:",
			"2008", "D", "Dx2008"}},
		{date, "the year does not have four digits", []string{"D:", "D:208", "D:+208", "D:20x8"}},
		{date, "the month does not have two digits", []string{"D:20080", "D:2008 5", "D:2008x1"}},
		{date, "the day does not have two digits", []string{"D:2008051", "D:2008011"}},
		{date, "the text after the seconds is not a time zone", []string{"D:20080513140330 ", "D:20080513140330z",
			"D:20080101000000x"}},
		{date, "the hours of the time zone are not 00 to 23", []string{"D:20080513140330ZZ", "D:20080513140330+",
			"D:20080513140330+2", "D:20080513140330+24'00", "D:20080101000000+", "D:20080101000000+24",
			"D:20080101000000+x1"}},
		{date, "the hour does not have two digits", []string{"D:20080513Z"}},
		{date, "the apostrophe after the hours of the time zone is missing", []string{"D:20080513140330+02x",
			"D:20080513140330+0200", "D:20080513140330+02:00", "D:20080101000000+0100"}},
		{date, "the minutes of the time zone are not 00 to 59", []string{"D:20080513140330+02'0",
			"D:20080513140330+02'60", "D:20080101000000+01'6", "D:20080101000000+01'60", "D:20080101000000+01'x0"}},
		{date, "the date continues after the time zone", []string{"D:20080513140330+02'00''",
			"D:20080101000000+01'00x", "D:20080101000000+01'00''"}},
		{date, "there is no month 13", []string{"D:20081301", "D:200813"}},
		{date, "there is no month 0", []string{"D:20080001", "D:200800"}},
		{date, "there is no day 0", []string{"D:20080500", "D:20080100"}},
		{date, "there is no day 32", []string{"D:20080532", "D:20080132"}},
		{date, "February 2007 has no day 29", []string{"D:20070229"}},
		{date, "February 1900 has no day 29", []string{"D:19000229"}},
		{date, "April 2008 has no day 31", []string{"D:20080431"}},
		{date, "there is no hour 24", []string{"D:2008051324", "D:2008010124"}},
		{date, "there is no minute 60", []string{"D:200805131460", "D:200801012360"}},
		{date, "there is no second 60", []string{"D:20080513140360", "D:20080101235960"}},
		{date, "there is no month 80", []string{"D:191080513140330"}},
		{date, "February 2008 has no day 30", []string{"D:20080230"}},
	} {
		for _, in := range row.in {
			if got := row.fault(in); got != row.want {
				t.Errorf("%q: %q, want %q", in, got, row.want)
			}
		}
	}
}
