package canon

import "testing"

const page = "http://a/b/c/d;p?q#f" // the base of the examples of RFC 1808, 5

// TestAmbiguities has at least one row for each ambiguity of the clause, and fixes our reading of it. Without
// want2, both profiles agree.
func TestAmbiguities(t *testing.T) {
	for _, row := range []struct{ name, base, ref, want, want2 string }{
		{"A1 fragment and base commute", page, "g#s/../x", "http://a/b/c/g", ""},
		{"A1 a fragment alone is the base", page, "#s", "http://a/b/c/d;p?q", ""},
		{"A1 the fragment of the base does not count", "http://a/b#/c/", "g", "http://a/g", ""},

		{"A2 dot segments go from absolute URLs", "", "http://a/./g", "http://a/g", ""},
		{"A2 leading double dots", "", "http://a/../g", "http://a/../g", "http://a/g"},
		{"A2 absolute URL on a base", page, "http://x/a/../g", "http://x/g", ""},
		{"A2 absolute path on a base", page, "/./g", "http://a/g", ""},

		{"A3 an empty segment is one", "", "http://h/a//../b", "http://h/a/b", ""},
		{"A3 the first segment may be empty", "", "http://h//../b", "http://h/b", ""},
		{"A3 slashes are not merged", "", "http://h/a//b///c", "http://h/a//b///c", ""},

		{"A4 parameters begin in an early segment", "", "http://h/a;v=1/b/../c", "http://h/a;v=1/b/../c",
			"http://h/a;v=1/c"},
		{"A4 dots after a semicolon", "", "http://h/a;x/../y", "http://h/a;x/../y", "http://h/y"},
		{"A4 dots before a semicolon", "", "http://h/a/..;x", "http://h/;x", "http://h/a/..;x"},

		{"A5 the type of an ftp URL", "", "ftp://h/a/../b;type=A", "ftp://h/b;type=A", ""},

		{"A6 query of an ftp URL", "", "ftp://h/a/../b?c/../D", "ftp://h/b?c/../D", ""},
		{"A6 query of a file URL", "", "file:///a/../b?c/../D", "file:///b?c/../D", ""},

		{"A7 dots in a query", "", "http://h/a?b/../c/./d", "http://h/a?b/../c/./d", ""},

		{"A8 userinfo keeps its case", "", "http://User:PASS@HOST/", "http://User:PASS@host/", ""},
		{"A8 the last at sign counts", "", "http://A@B@C:80/", "http://A@B@c/", ""},
		{"A8 at sign in the path", "", "http://H/A@B", "http://h/A@B", ""},

		{"A9 UTF-8 host", "", "http://BÜCHER.De/", "http://bÜcher.de/", ""},
		{"A9 escape in a host", "", "http://EX%4AMPLE/", "http://ex%4ample/", ""},
		{"A9 no byte but a capital is lowered", "", "http://@[\\]^_`{|}~\xc0\xda/", "http://@[\\]^_`{|}~\xc0\xda/", ""},

		{"A10 trailing dot", "", "http://H./", "http://h./", ""},
		{"A10 host of dots", "", "http://../a", "http://../a", ""},

		{"A11 IPv6 literal", "", "http://[2001:DB8::80]/", "http://[2001:db8::80]/", ""},
		{"A11 port after it", "", "http://[2001:DB8::A]:80/", "http://[2001:db8::a]/", ""},
		{"A11 userinfo before it", "", "http://U@[::A]:80/", "http://U@[::a]/", ""},
		{"A11 not closed", "", "http://[A:80/", "http://[a/", ""},

		{"A11 brackets that nothing opens", "", "http://a:80]:80/", "http://a:80]:80/", ""},

		{"A12 leading zero", "", "http://h:080/", "http://h/", ""},
		{"A12 other port keeps its zero", "", "http://h:08080/", "http://h:08080/", ""},
		{"A12 empty port", "", "http://h:/", "http://h:/", ""},
		{"A12 zero is not 80", "", "http://h:000/", "http://h:000/", ""},
		{"A12 no wrap at 64 bits", "", "http://h:18446744073709551696/", "http://h:18446744073709551696/", ""},
		{"A12 sign", "", "http://h:+80/", "http://h:+80/", ""},
		{"A12 ftp", "", "ftp://h:0021/", "ftp://h/", ""},
		{"A12 first colon counts", "", "http://H:80:80/", "http://h:80:80/", ""},

		{"A13 https", "", "HTTPS://H/a/../b#c", "https://h/b", ""},
		{"A13 443 stays", "", "https://h:443/", "https://h:443/", ""},
		{"A13 80 of https stays", "", "https://h:80/", "https://h:80/", ""},
		{"A13 javascript", "", "JavaScript:a/../B#c", "JavaScript:a/../B#c", ""},
		{"A13 gopher", "", "GOPHER://H:80/a/../b", "GOPHER://H:80/a/../b", ""},
		{"A13 on a base", page, "MAILTO:A@B#c", "MAILTO:A@B#c", ""},
		{"A13 dots on a base", page, "mailto:a/../b", "mailto:a/../b", ""},
		{"A13 base", "GOPHER://H/a/b", "../c#d", "GOPHER://H/c#d", ""},

		{"A14 case of localhost", "", "file://LocalHost/etc", "file:///etc", ""},
		{"A14 drive", "", "FILE://LOCALHOST/C:/X", "file:///C:/X", ""},
		{"A14 with a port", "", "file://LOCALHOST:80/x", "file://localhost:80/x", ""},
		{"A14 with an empty port", "", "file://localhost:/x", "file://localhost:/x", ""},
		{"A14 with userinfo", "", "file://u@localhost/x", "file://u@localhost/x", ""},
		{"A14 nothing after it", "", "file://localhost", "file://", ""},
		{"A14 other host", "", "file://localhost.x/y", "file://localhost.x/y", ""},
		{"A14 http", "", "http://localhost/", "http://localhost/", ""},

		{"A15 empty path", "", "HTTP://H", "http://h", ""},
		{"A15 empty path and query", "", "http://h:80?Q", "http://h?Q", ""},

		{"A16 blank in front", "", " HTTP://H/", " HTTP://H/", ""},
		{"A16 blanks, controls, backslashes", "", "http://h/a \t\r\n\\..\\b\x00 ", "http://h/a \t\r\n\\..\\b\x00 ", ""},

		{"A17 scheme begins with a digit", page, "3com:X", "3com:X", ""},
		{"A17 all kinds of characters", page, "A+b-1.C:X", "A+b-1.C:X", ""},
		{"A17 an underscore belongs in no scheme", page, "a_b:c", "http://a/b/c/a_b:c", ""},
		{"A17 brace and bracket belong in no scheme", "", "A{b[c:D", "A{b[c:D", ""},
		{"A17 colon in front", page, ":c", "http://a/b/c/:c", ""},
		{"A17 colon after a slash", page, "./b:c", "http://a/b/c/b:c", ""},

		{"A18 question mark ends the authority", "", "http://HOST?Q=A/B", "http://host?Q=A/B", ""},
		{"A18 question mark ends an empty authority", "", "http://?Q", "http://?Q", ""},
		{"A18 semicolon does not", "", "http://HOST;X/Y", "http://host;x/Y", ""},

		{"A19 scheme of the base", page, "http:g", "http:g", ""},
		{"A19 scheme alone", page, "HTTP:", "http:", ""},

		{"A20 no base", "", "B/./C#d", "B/C", ""},
		{"A20 no base, authority", "", "//H:80/../a", "//h:80/../a", "//h:80/a"},
		{"A20 not a fixed point", "", "./a:b", "a:b", ""},
		{"A20 nothing at all", "", "", "", ""},

		{"A21 escaped dots", "", "http://h/a/%2e%2E/%2e/b", "http://h/a/%2e%2E/%2e/b", ""},

		{"A22 query", page, "?y", "http://a/b/c/d;p?y", ""},
		{"A22 query, on a page of another scheme", "x://h/a/../b", "?y", "x://h/a/../b?y", ""},
		{"A22 parameters", page, ";x", "http://a/b/c/d;x", "http://a/b/c/;x"},
		{"A22 both", page, ";x?y", "http://a/b/c/d;x?y", "http://a/b/c/;x?y"},
		{"A22 parameters of a base without path", "http://a", ";%3F", "http://a;%3F", "http://a/;%3F"},

		{"A23 base without path", "http://a", "g", "http://a/g", ""},
		{"A23 base without path, dots", "http://a?q", "../g", "http://a/../g", "http://a/g"},
		{"A23 base without authority", "http:", "g", "http:g", ""},

		{"A24 empty authority", "", "file:/a/..//b", "file:////b", ""},
		{"A24 from a dot", "", "file:/.//b", "file:////b", ""},
		{"A24 relative path", "", "file:.///b", "file:////b", ""},
		{"A24 on a base", "file:/x/y", "..//z", "file:////z", ""},
		{"A24 empty authority of the reference", "file:/x/y", "////z", "file:////z", ""},

		{"A25 empty parts of an absolute URL", "", "http://h/a;?", "http://h/a;?", ""},
		{"A25 empty parts of a reference with a path", page, "g;?", "http://a/b/c/g;?", ""},
		{"A25 empty query alone", page, "?", "http://a/b/c/d;p?q", "http://a/b/c/d;p?"},
		{"A25 empty parameters alone", page, ";", "http://a/b/c/d;p?q", "http://a/b/c/;"},
		{"A25 empty authority alone", page, "//", "http://a/b/c/d;p?q", "http://"},
		{"A25 empty parameters and a query", page, ";?y", "http://a/b/c/d;p?y", "http://a/b/c/;?y"},
	} {
		t.Run(row.name, func(t *testing.T) {
			want2 := row.want2
			if want2 == "" {
				want2 = row.want
			}
			checkEveryWay(t, PDF, row.base, row.ref, row.want)
			checkEveryWay(t, PDF2, row.base, row.ref, want2)
		})
	}
}
