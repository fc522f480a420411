package urlkey

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"
)

// TestOf: besides the steps of the standard, an empty path becomes a slash, the default port of https is removed, and
// invalid characters are escaped.
func TestOf(t *testing.T) {
	for url, want := range map[string]string{
		"HTTP://H.example:80/a#b":   "http://h.example/a",
		"http://h":                  "http://h/",
		"http://h?q":                "http://h/?q",
		"http://h/?q":               "http://h/?q",
		"https://h:443":             "https://h/",
		"https://h:443/a":           "https://h/a",
		"https://h:443?q":           "https://h/?q",
		"https://u:p@[::1]:443/a":   "https://u:p@[::1]/a",
		"https://h:4430/":           "https://h:4430/",
		"https://h:4443/":           "https://h:4443/",
		"https://h/a:443":           "https://h/a:443",
		"https://h?a:443":           "https://h/?a:443",
		"http://h:443/a":            "http://h:443/a",
		"ftp://h:443/a":             "ftp://h:443/a",
		"http://h/a b\"<>\\^`{|}~!": "http://h/a%20b%22%3C%3E%5C%5E%60%7B%7C%7D~!",
		"http://h/\x7f\x00é\xff":    "http://h/%7F%00%C3%A9%FF",
		"file:///a":                 "file:///a",
		"urn:a b":                   "urn:a%20b",
		"data:,x?y/z":               "data:,x?y/z",
		"":                          "",
	} {
		t.Run(url, func(t *testing.T) {
			if got := Of(url); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// TestSchemes: which URLs name data, which servers answer, and which are absolute.
func TestSchemes(t *testing.T) {
	for _, row := range []struct {
		url                        string
		isURL, retrieved, ofServer bool
	}{
		{"http://h/", true, true, true},
		{"HTTPS://h/", true, true, true},
		{"ftp://h/", true, true, true},
		{"file:///a", true, true, false},
		{"urn:uuid:1", true, true, false},
		{"gopher://h", true, true, false},
		{"Data:,", true, true, false},
		{"dns:h", true, false, false},
		{"metadata://h", true, false, false},
		{"whois://h", true, false, false},
		{"filedesc:x", true, false, false},
		{"httpx://h", true, false, false},
		{"httpxxxx://h", true, false, false},
		{"/path", false, false, false},
		{"", false, false, false},
		{" http://h/", false, false, false},
		{"http://h/\n", false, true, true},
	} {
		t.Run(row.url, func(t *testing.T) {
			url := []byte(row.url)
			if got := IsURL(url); got != row.isURL {
				t.Errorf("a URL: %v", got)
			}
			if got := IsRetrieved(url); got != row.retrieved {
				t.Errorf("retrieved: %v", got)
			}
			if got := IsOfServer(url); got != row.ofServer {
				t.Errorf("of a server: %v", got)
			}
		})
	}
}

// TestHash: hashes are stored in indexes, so they are FNV-1a in every version; 0 means empty.
func TestHash(t *testing.T) {
	for _, s := range []string{"a", "foobar", "http://h/", strings.Repeat("x", 1000)} {
		h := fnv.New64a()
		h.Write([]byte(s))
		if got := Hash(s); got != h.Sum64() || got != Hash([]byte(s)) {
			t.Errorf("%.9q: %#x, of bytes %#x, want %#x", s, got, Hash([]byte(s)), h.Sum64())
		}
	}
	if Hash("foobar") != 0x85944171f73967e8 { // from the authors of FNV
		t.Errorf("foobar: %#x", Hash("foobar"))
	}
	if Hash("") != 0 || Hash([]byte(nil)) != 0 {
		t.Errorf("nothing: %#x", Hash(""))
	}
}

// Examples of RFC 3986, 5.4.
func TestResolve(t *testing.T) {
	for ref, want := range map[string]string{"g": "http://a/b/c/g", "../g": "http://a/b/g", "?y": "http://a/b/c/d;p?y",
		"//g/": "http://g/", "g:h": "g:h", "/g": "http://a/g"} {
		t.Run(ref, func(t *testing.T) {
			if got := Resolve("http://a/b/c/d;p?q", ref); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// Of all octets, those are alike their escapes that are unreserved (RFC 3986, 2.3), or one of "!'()*", or invalid in
// a URL. Reserved characters and the percent sign are not: their escapes have another meaning.
func TestAlikeEscapes(t *testing.T) {
	for c := range 0x100 {
		reserved := strings.IndexByte(":/?#[]@$&+,;=%", byte(c)) >= 0
		plain := "http://h/a" + string([]byte{byte(c)}) + "b"
		for _, format := range []string{"http://h/a%%%02Xb", "http://h/a%%%02xb"} {
			if escaped := fmt.Sprintf(format, c); (Alike(plain) == Alike(escaped)) == reserved {
				t.Errorf("%q and %q are alike: %v", plain, escaped, !reserved)
			}
		}
	}
}

// TestAlike: the common form of URLs.
func TestAlike(t *testing.T) {
	for url, want := range map[string]string{
		"https://H.example/a/":                "http://h.example/a",
		"http://h/a/?":                        "http://h/a",
		"http://h/a/?b/":                      "http://h/a?b/",
		"http://h/a?b?c":                      "http://h/a?b?c",
		"http://h":                            "http://h/",
		"http://h/%41":                        "http://h/A",
		"http://h/%4":                         "http://h/%4",
		"http://h/%":                          "http://h/%",
		"http://h/%%41":                       "http://h/%A",
		"http://h/%zz%41":                     "http://h/%zzA",
		"http://h/%2f%3F":                     "http://h/%2F%3F",
		"http://h/%7f%80":                     "http://h/%7F%C2%80",
		"%41b":                                "Ab",
		"http://h/%E9x%C3%A9":                 "http://h/%C3%A9x%C3%A9",
		"http://h/%c3%a9%41":                  "http://h/%C3%A9A",
		"http://h/%c3%a9%2f":                  "http://h/%C3%A9%2F",
		"http://h/%c3%a9%zz":                  "http://h/%C3%A9%zz",
		"http://h/x/%2e%2E/a":                 "http://h/a",
		"http://u@h.:81/a":                    "http://u@h:81/a",
		"http://./a":                          "http://./a",
		"http://[::1]:81/a":                   "http://[::1]:81/a",
		"https://u@B\u00fccher.example.:81/a": "http://u@xn--bcher-kva.example:81/a",
		"ftp://h/a/":                          "ftp://h/a",
		"https://h:443:443/%2F":               "http://h:443/%2F", // only one port is the default port
		"urn:a/":                              "urn:a/",
		"data:,%41":                           "data:,A",
		"/a/":                                 "/a/",
	} {
		t.Run(url, func(t *testing.T) {
			if got := Alike(url); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// TestSame: Same accepts URLs with the same canonical form, and IsAlike those that are alike but not the same.
func TestSame(t *testing.T) {
	same, alike := Same("http://h/a"), IsAlike("http://h/a")
	for _, row := range []struct {
		url         string
		same, alike bool
	}{
		{"http://h/a", true, false}, {"HTTP://h:80/./a#x", true, false}, {"https://h/a", false, true},
		{"http://h/%61", false, true}, {"http://h/b", false, false},
	} {
		t.Run(row.url, func(t *testing.T) {
			if same(row.url) != row.same || alike(row.url) != row.alike {
				t.Errorf("same: %v, alike: %v", same(row.url), alike(row.url))
			}
		})
	}
}

// TestAsUTF8: octets that are not UTF-8 are ISO 8859-1, also next to UTF-8.
func TestAsUTF8(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a\u00e9\u20ac": "a\u00e9\u20ac", "\xe9": "\u00e9", "\u00e9\xe9b": "\u00e9\u00e9b",
		"\xe2\x82": "\u00e2\u0082", "\ufffd\xe9": "\ufffd\u00e9", "\xff\U0001f600": "\u00ff\U0001f600",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if got := AsUTF8([]byte(text)); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// TestHostsAlike: the variants of a URL under which an index may have it.
func TestHostsAlike(t *testing.T) {
	const bucher, puny = "b\u00fccher.example", "xn--bcher-kva.example"
	for _, row := range []struct {
		url  string
		want []string // each variant once, in order
	}{
		{"http://h/a?b", []string{"http://h/a?b", "https://h/a?b"}},
		{"https://h", []string{"http://h", "https://h"}},
		{"ftp://h/a", []string{"ftp://h/a"}},
		{"file:///D:/a", []string{"file:///D:/a"}},
		{"file:///" + puny, []string{"file:///" + puny}},
		{"https://u@" + bucher + ":81/" + bucher, []string{
			"http://u@" + bucher + ":81/" + bucher, "http://u@" + puny + ":81/" + bucher,
			"https://u@" + bucher + ":81/" + bucher, "https://u@" + puny + ":81/" + bucher}},
		{"http://" + puny + "?" + puny, []string{"http://" + bucher + "?" + puny, "http://" + puny + "?" + puny,
			"https://" + bucher + "?" + puny, "https://" + puny + "?" + puny}},
		{"http://[::1]:81/", []string{"http://[::1]:81/", "https://[::1]:81/"}},
		{"urn:x", nil},
		{"/a", nil},
	} {
		t.Run(row.url, func(t *testing.T) {
			got := HostsAlike(row.url)
			slices.Sort(got)
			if got = slices.Compact(got); !slices.Equal(got, row.want) {
				t.Errorf("%q, want %q", got, row.want)
			}
		})
	}
}

// TestPunycode: a host with escapes is converted; a host that is invalid, or has no escapes, stays as it is.
func TestPunycode(t *testing.T) {
	for authority, want := range map[string]string{
		"b%C3%BCcher":     "xn--bcher-kva",
		"B%C3%9Ccher":     "xn--bcher-kva",
		"%C3%BCb":         "xn--b-dha",
		"u:p@b%c3%bc:81":  "u:p@xn--b-eha:81",
		"u%41@h:81":       "u%41@h:81",
		"b\u00fccher":     "b\u00fccher",
		"h_%41":           "h_%41", // no host may have this character
		"[%41]:81":        "[%41]:81",
		"x@y@b%C3%BCcher": "x@y@xn--bcher-kva",
		"":                "",
	} {
		t.Run(authority, func(t *testing.T) {
			if got := Punycode(authority); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// TestEscaped: slashes separate the segments of a path; all other reserved characters are escaped.
func TestEscaped(t *testing.T) {
	for path, want := range map[string]string{"": "", "/": "/",
		"/a b/c#d?e": "/a%20b/c%23d%3Fe", "a/%41//\u00e9": "a/%2541//%C3%A9"} {
		t.Run(path, func(t *testing.T) {
			if got := Escaped(path); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
