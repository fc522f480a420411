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

// The two standards disagree about leading ".." segments.
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

// In WWWOFFLE, the form of a URL determines a file name.
func ExampleCacheName() {
	url := canon.WWWOFFLE29.Append(nil, []byte("WWW.Example.com:80"))
	fmt.Printf("%s is in U%s\n", url, canon.CacheName(url))
	// Output: http://www.example.com/ is in U8XdxEfXQ8cgf+gTedREo+g
}

func ExampleDiagnose() {
	d, _ := canon.Diagnose([]byte("file://localhost/a;b/../c"))
	fmt.Println("canonical by", d.Profile.Name())
	for _, s := range d.Skipped {
		fmt.Printf("step %c was skipped: %s\n", s.Letter, s.Title)
	}
	// Output:
	// canonical by wwwoffle26
	// step e was skipped: strip localhost from a file URL
}

func ExampleProfile_With() {
	text := canon.Hyvatti.With(canon.Options{FreeText: true})
	fmt.Printf("%s\n", text.Append(nil, []byte("<URL:HTTP://H/%7Ejoe>")))
	// Output: http://h/~joe
}

// The host of WWWOFFLE includes the port, and its path the parameters.
func ExampleProfile_Parts() {
	u := canon.WWWOFFLE29.Parts([]byte("http://joe:p%41@H:8080/%7Ejoe;v?a=b c"))
	fmt.Printf("%s %s %s %s %s\n", u.Scheme, u.Userinfo, u.Host, u.Path, u.Query)
	// Output: http joe:pA h:8080 /~joe;v a=b+c
}

func ExampleEncodePath() {
	decoded := canon.Decode(nil, []byte("/%7Ejoe/a%20b"))
	fmt.Printf("%s %s\n", canon.EncodePath(nil, decoded), canon.EncodePassword(nil, decoded))
	// Output: /~joe/a%20b %2F~joe%2Fa%20b
}

// Arguments are recoded, then split, and then decoded.
func ExampleSplitFormArgs() {
	args := canon.RecodeFormArgs(nil, []byte("url=http%3a%2f%2fh%2f%3Fa%26b;n=a b"))
	for _, pair := range canon.SplitFormArgs(args) {
		fmt.Printf("%s decoded: %s\n", pair, canon.Decode(nil, pair))
	}
	// Output:
	// url=http://h/%3Fa%26b decoded: url=http://h/?a&b
	// n=a+b decoded: n=a+b
}

// Encoding twice and decoding twice both change the meaning; DoubleCoded finds such URLs.
func ExampleEncodeComponent() {
	coded := canon.EncodeComponent(nil, []byte("abc%613"))
	once := canon.Decode(nil, coded)
	fmt.Printf("%s %v, %s %v, %s\n", coded, canon.DoubleCoded(coded), once, canon.DoubleCoded(once),
		canon.Decode(nil, once))
	// Output: abc%25613 true, abc%613 false, abca3
}

// No two profiles are the same, and none is the same as net/url.
func Example_profiles() {
	const raw = "HTTP://H:80/../a;b/../c%2fd?e f&amp;g#h"
	for _, p := range []*canon.Profile{canon.PDF, canon.PDF2, canon.WWWOFFLE29, canon.Hyvatti, canon.Faehnri} {
		fmt.Printf("%-10s %s\n", p.Name(), p.Append(nil, []byte(raw)))
	}
	if u, err := url.Parse(raw); err == nil {
		fmt.Printf("%-10s %s\n", "net/url", u)
	}
	// Output:
	// pdf        http://h/../a;b/../c%2fd?e f&amp;g
	// pdf2       http://h/c%2fd?e f&amp;g
	// wwwoffle29 http://h/c/d?e+f&g
	// hyvatti    http://h/../a;b/../c%2fd?e%20f&amp;g
	// faehnri    HTTP://H:80/../a;b/../c%2fd?e%20f&amp;g#h
	// net/url    http://H:80/../a;b/../c%2fd?e f&amp;g#h
}

// Package net/url is not a substitute: it handles neither default ports nor dot segments, keeps the case of hosts,
// rewrites escapes, and rejects URLs that occur in pages.
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
