package urlkey

import (
	"fmt"
	"testing"
	"time"
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

// TestReplayed: URLs of replays in several web archives, and URLs that only look like one.
func TestReplayed(t *testing.T) {
	for url, want := range map[string]string{
		"https://web.archive.org/web/20040407120000/http://h/a?b":        "http://h/a?b",
		"https://web.archive.org/web/20040407120000id_/https://h":        "https://h",
		"http://web.archive.org/web/20040407120000im_/ftp://h/a":         "ftp://h/a",
		"https://web.archive.org/web/20040407120000id_/h/a.gif":          "",
		"https://wayback.archive-it.org/12/20040407120000/http:/h/":      "http://h/", // one slash: wget, normalized paths
		"https://arquivo.pt/noFrame/replay/20040407120000mp_//http://h/": "http://h/",
		"http://localhost:8080/c/20040407120000wkrf_/http://h/":          "http://h/",
		"http://h/20040407120000/photo.jpg":                              "",
		"http://h/20040407120000_/photo.jpg":                             "",
		"http://h/20041307120000/http://h/":                              "", // month 13
		"http://h/2004/http://h/":                                        "",
		"http://h/a?20040407120000/http://h/":                            "",
		"http://20040407120000/http://h/":                                "",
		"ftp://h/20040407120000/http://h/":                               "",
		"http://h/20040407120000id_/":                                    "",
		"":                                                               "",
	} {
		got, at, ok := Replayed(url)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
		if ok && at.Format(time.DateTime) != "2004-04-07 12:00:00" {
			t.Errorf("%s: %v", url, at)
		}
	}
}

// TestSchemes: which URLs name data, and which are absolute.
func TestSchemes(t *testing.T) {
	for _, row := range []struct {
		url              string
		isURL, retrieved bool
	}{
		{"http://h/", true, true},
		{"HTTPS://h/", true, true},
		{"ftp://h/", true, true},
		{"file:///a", true, true},
		{"urn:uuid:1", true, true},
		{"gopher://h", true, true},
		{"Data:,", true, true},
		{"dns:h", true, false},
		{"metadata://h", true, false},
		{"whois://h", true, false},
		{"filedesc:x", true, false},
		{"httpx://h", true, false},
		{"httpxxxx://h", true, false},
		{"/path", false, false},
		{"", false, false},
		{" http://h/", false, false},
		{"http://h/\n", false, true},
	} {
		t.Run(row.url, func(t *testing.T) {
			url := []byte(row.url)
			if got := IsURL(url); got != row.isURL {
				t.Errorf("a URL: %v", got)
			}
			if got := IsRetrieved(url); got != row.retrieved {
				t.Errorf("retrieved: %v", got)
			}
		})
	}
}

// All octets are alike their escapes, except "#", which begins a fragment.
func TestAlikeEscapes(t *testing.T) {
	for c := range 0x100 {
		plain := "http://h/a" + string([]byte{byte(c)}) + "b"
		for _, format := range []string{"http://h/a%%%02Xb", "http://h/a%%%02xb"} {
			if escaped := fmt.Sprintf(format, c); (Alike(plain) == Alike(escaped)) == (c == '#') {
				t.Errorf("%q and %q: %q, %q", plain, escaped, Alike(plain), Alike(escaped))
			}
		}
	}
}

// TestSame: the same form means the same canonical form. URLs that are only alike have other forms.
func TestSame(t *testing.T) {
	alike := Alike("http://h/a")
	for _, row := range []struct {
		url         string
		same, alike bool
	}{
		{"http://h/a", true, false}, {"HTTP://h:80/./a#x", true, false}, {"https://h/a", false, true},
		{"http://h/%61", false, true}, {"http://h/b", false, false},
	} {
		t.Run(row.url, func(t *testing.T) {
			if (Of(row.url) == "http://h/a") != row.same || (Alike(row.url) == alike) != (row.same || row.alike) {
				t.Errorf("form: %v, alike: %v", Of(row.url), Alike(row.url))
			}
		})
	}
}
