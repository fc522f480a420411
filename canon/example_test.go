package canon_test

import (
	"fmt"
	"net/url"

	"github.com/webcap-tools/webcap/canon"
)

func Example() {
	fmt.Println(canon.URL("HTTP://WWW.Example.com:80/a/./b#top"))
	// Output: http://www.example.com/a/b
}

func ExampleProfile_Append() {
	var key []byte // one buffer for all
	for _, raw := range []string{"http://H/%7ejoe/../x", "file://localhost/etc", "mailto:Joe@Example.com"} {
		key = canon.PDF2.Append(key[:0], []byte(raw))
		fmt.Printf("%s\n", key)
	}
	// Output:
	// http://h/x
	// file:///etc
	// mailto:Joe@Example.com
}

func ExampleProfile_Resolve() {
	page := []byte("http://h/docs/index.html")
	fmt.Printf("%s\n", canon.PDF.Resolve(nil, page, []byte("../img/a.png#x")))
	// Output: http://h/img/a.png
}

// The two standards disagree about ".." segments that nothing precedes.
func ExampleProfile_Changes() {
	key := []byte("http://h/../x")
	fmt.Printf("pdf: %q, pdf2: %q\n", canon.PDF.Changes(key), canon.PDF2.Changes(key))
	// Output: pdf: "", pdf2: "g"
}

func ExampleProfile_Trace() {
	for _, c := range canon.PDF.Trace(nil, []byte("HTTP://h:80/a#b")) {
		fmt.Printf("step %c: %s: %s\n", c.Step.Letter, c.Step.Title, c.After)
	}
	// Output:
	// step b: cut at the first number sign: HTTP://h:80/a
	// step c: lower-case the scheme: http://h:80/a
	// step f: strip the default port: http://h/a
}

func ExampleSplit() {
	u := canon.Split([]byte("https://joe@h:443/a;b?c"))
	fmt.Printf("%s %s %s %s, query %q, fragment: %v\n", u.Scheme, u.Host, u.Port, u.Path, u.Query, u.HasFragment)
	// Output: https h 443 /a, query "c", fragment: false
}

// Package net/url is no substitute: it knows neither default ports nor dot segments, keeps the case of hosts, writes
// escapes anew and refuses what a page may well contain.
func Example_netURL() {
	for _, raw := range []string{"http://H:80/a/../b#c", "http://h/a b", "http://h/%zz"} {
		theirs := "refused"
		if u, err := url.Parse(raw); err == nil {
			theirs = u.String()
		}
		fmt.Printf("%s -> %s; net/url: %s\n", raw, canon.URL(raw), theirs)
	}
	// Output:
	// http://H:80/a/../b#c -> http://h/b; net/url: http://H:80/a/../b#c
	// http://h/a b -> http://h/a b; net/url: http://h/a%20b
	// http://h/%zz -> http://h/%zz; net/url: refused
}
