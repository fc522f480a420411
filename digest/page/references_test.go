package page

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"
)

const base = "http://h/d/p.html"

// listed returns references, one per line. URLs below http://h/d/ are shortened.
func listed(refs []Reference) string {
	var b strings.Builder
	for _, r := range refs {
		fmt.Fprintf(&b, "%v %s\n", r.Kind, strings.TrimPrefix(r.URL, "http://h/d/"))
	}
	return b.String()
}

func TestReferencesOfHTML(t *testing.T) {
	for _, f := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"img", `<IMG alt=x SRC=a.gif>`, "image a.gif\n"},
		{"each once, in order", `<img src=b><img src=a><img src="b">`, "image b\nimage a\n"},
		{"once for each kind", `<img src=a><script src=a></script>`, "image a\nscript a\n"},
		{"one URL in two forms", `<img src=a><img src="../d/./a#x"><img src=HTTP://H:80/d/a>`, "image a\n"},
		{"input", `<input type=Image src=a><input type=text src=b><input src=c>`, "image a\n"},
		{"background", `<body background=a><table background=b><tr background=c><td background=d><th background=e>` +
			`<p background=f>`, "image a\nimage b\nimage c\nimage d\nimage e\n"},
		{"link", `<link rel="alternate StyleSheet" href=a><link href=b rel="shortcut icon"><link rel=next href=c>` +
			`<link href=d>`, "style a\nicon b\n"},
		{"script", `<script src=a>document.write("<img src=b>")</script><img src=c>`, "script a\nimage c\n"},
		{"frames", `<frameset><frame src=a><frame src=b></frameset><iframe src=c></iframe>`,
			"frame a\nframe b\nframe c\n"},
		{"fallbacks count", `<noframes><img src=a></noframes><noscript><img src=b></noscript><iframe src=c><img ` +
			`src=d></iframe><noembed><img src=e></noembed>`, "image a\nimage b\nframe c\nimage d\nimage e\n"},
		{"object", `<object classid="clsid:1" data=a></object><embed src=d>`, "object a\nobject d\n"},
		{"media", `<video src=a poster=b><source src=c><track src=d></video><audio src=e></audio><bgsound src=f>`,
			"media a\nimage b\nmedia c\nmedia d\nmedia e\nmedia f\n"},
		{"alternatives do not count", `<img lowsrc=a srcset="b 1x" src=c><picture><source srcset="d"></picture>`,
			"image c\n"},
		{"dynsrc", `<img src=b dynsrc=c>`, "image b\nmedia c\n"},
		{"svg", `<svg><image xlink:href=a /><image href=b /></svg>`, "image a\nimage b\n"},
		{"style element", `<style>@import "a"; p { background: url(b) }</style><style></style>url(c)`,
			"style a\nimage b\n"},
		{"style attribute", `<p background=x style="background:url('a')" id=y><p style="list-style-image:url(&quot;` +
			`b&quot;)">`, "image a\nimage b\n"},
		{"attributes in their order", `<body style="background:url(b)" background=a>`, "image b\nimage a\n"},
		{"first attribute of a name", `<img src=a src=b>`, "image a\n"},
		{"base", `<img src=a><base href="/e/"><base href=/f/><img src=b>`, "image http://h/e/a\nimage http://h/e/b\n"},
		{"base without href", `<base target=x><base href=../e/><img src=a>`, "image http://h/e/a\n"},
		{"comments", `<!-- <img src=a> --><!--[if IE]><img src=b><![endif]--><img src=c>`, "image c\n"},
		{"raw text", `<title><img src=a></title><textarea><img src=b></textarea><xmp><img src=c></xmp>`, ""},
		{"character references", `<img src="a?x=1&amp;y=2"><img src="&#98;">`, "image a?x=1&y=2\nimage b\n"},
		{"white space", "<img src=' \r\n a\t/\nb '>", "image a/b\n"},
		{"no files", `<img src=""><img src="#x"><img src="data:,x"><iframe src=" JavaScript:x"></iframe><frame ` +
			`src=about:blank><img src=mailto:x>`, ""},
		{"other schemes", `<img src="ftp://F/a"><img src="cid:x@y"><img src="//G/a">`,
			"image ftp://f/a\nimage cid:x@y\nimage http://g/a\n"},
		{"what URLs cannot have", "<img src='a b.gif'><img src='c\"<d>'>", "image a%20b.gif\nimage c%22%3Cd%3E\n"},
		{"escapes stay", "<img src='a%20b%zz.gif'>", "image a%20b%zz.gif\n"},
		{"not in UTF-8", "<img src='\xe9.gif?\xe9'><img src='&eacute;.gif?&eacute;&#8364;'>",
			"image %C3%A9.gif?%C3%A9\nimage %C3%A9.gif?%C3%A9%E2%82%AC\n"},
		{"backslashes", `<img src='i\a.gif?b\c'><img src='\e.gif'>`, "image i/a.gif?b\\c\nimage http://h/e.gif\n"},
		{"octet 7F", "<img src='a\x7fb'>", "image a%7Fb\n"},
		{"a file with the name of a scheme", `<img src=data>`, "image data\n"},
		{"an import in an attribute", `<p style='@import "a"'>`, ""},
		{"style element that ends itself", `<style/>p { background: url(a) }</style>`, "image a\n"},
		{"base with a blank", `<base href="/e f/"><img src=a>`, "image http://h/e%20f/a\n"},
		{"end without end", `<img src=a><img src="b`, "image a\n"},
		{"an empty script is not empty in HTML", `<script src=a /><img src=b></script><img src=c>`,
			"script a\nimage c\n"},
	} {
		t.Run(f.name, func(t *testing.T) {
			if got := listed(References([]byte(f.in), "text/html; charset=iso-8859-1", base)); got != f.want {
				t.Errorf("References(%q) =\n%swant\n%s", f.in, got, f.want)
			}
		})
	}
}

func TestReferencesOfStyleSheets(t *testing.T) {
	for _, f := range []struct{ name, in, want string }{
		{"import", `@charset "x"; @import "a" screen; @IMPORT url(b); @import url("c") print; p{}`,
			"style a\nstyle b\nstyle c\n"},
		{"images", `a { background: url(a) , URL( 'b' ) } b { content: url("c") }`, "image a\nimage b\nimage c\n"},
		{"font", `@font-face { font-family: x; src: url(a) format("woff"), url("b") } p { background: url(c) }`,
			"font a\nfont b\nimage c\n"},
		{"font first", `@font-face { src: url(a) }`, "font a\n"},
		{"block in a font rule", `@font-face { x { y: url(a) } src: url(b) } p { background: url(c) }`,
			"font a\nfont b\nimage c\n"},
		{"declaration after a font rule", `@font-face { src: url(a) } background: url(b)`, "font a\nimage b\n"},
		{"only the first of an import", `@import "a" url(b); @import url(c) "d" url(e);`, "style a\nstyle c\n"},
		{"declaration after an import", `@import "a"; background: url(b)`, "style a\nimage b\n"},
		{"nothing in quotes", `p { background: url("") }`, ""},
		{"font in a block", `@media print { @font-face { src: url(a) } p { background: url(b) } } q { background: ` +
			`url(c) }`, "font a\nimage b\nimage c\n"},
		{"names", `@namespace s url(http://www.w3.org/2000/svg); @-moz-document url(http://x/) { p { background: ` +
			`url(a) } }`, "image a\n"},
		{"declarations without blocks", `background: url(a); color: red; list-style: url(b)`, "image a\nimage b\n"},
		{"comments", `/* url(a) */ <!-- p { background: url(b) } --> /* url(c)`, "image b\n"},
		{"strings are not URLs", `p { content: "url(a)"; font-family: "b" }`, ""},
		{"broken", `p { background: url(a b), url("c` + "\n" + `) } @import`, ""},
		{"unfinished string", `p { background: url("a`, "image a\n"},
		{"unfinished", `p { background: url(a`, "image a\n"},
	} {
		t.Run(f.name, func(t *testing.T) {
			if got := listed(References([]byte(f.in), "text/css", base)); got != f.want {
				t.Errorf("References(%q) =\n%swant\n%s", f.in, got, f.want)
			}
		})
	}
}

func TestReferencesByMediaType(t *testing.T) {
	const src = `<script src=a /><img src=b>p { background: url(c) }`
	for _, f := range []struct{ mediaType, want string }{
		{"text/html", "script a\n"},
		{"TEXT/HTML;charset=", "script a\n"},
		{"application/xhtml+xml", "script a\nimage b\n"},
		{"image/svg+xml", "script a\nimage b\n"},
		{"text/xml", "script a\nimage b\n"},
		{"application/xml; charset=utf-8", "script a\nimage b\n"},
		{"text/css", "image c\n"},
		{"text/plain", ""},
		{"application/pdf", ""},
		{"", ""},
	} {
		t.Run(f.mediaType, func(t *testing.T) {
			if got := listed(References([]byte(src), f.mediaType, base)); got != f.want {
				t.Errorf("References as %q = %q, want %q", f.mediaType, got, f.want)
			}
		})
	}
}

// TestReferencesOfXML: in XML, self-closing elements are empty, and CDATA is text.
func TestReferencesOfXML(t *testing.T) {
	for _, f := range []struct{ name, in, want string }{
		{"CDATA", `<p><![CDATA[ a > <img src="a"/> ]]><img src="b"/></p>`, "image b\n"},
		{"comment", `<!-- href="a" --><img src="b"/>`, "image b\n"},
		{"empty style", `<style/><p>p { background: url(a) }</p>`, ""},
	} {
		t.Run(f.name, func(t *testing.T) {
			if got := listed(References([]byte(f.in), "application/xhtml+xml", base)); got != f.want {
				t.Errorf("%s: References(%q) = %q, want %q", f.name, f.in, got, f.want)
			}
		})
	}
}

// The media type says how a source is coded; if it says nothing, the bytes do.
func TestReferencesInOtherCodings(t *testing.T) {
	for _, f := range []struct{ mediaType, src, want string }{
		{"text/html", "<img src='\xe9.gif'>", "image %C3%A9.gif\n"},
		{"text/html", "<img src='\xc3\xa9.gif'>", "image %C3%A9.gif\n"},
		{"text/html; charset=iso-8859-1", "<img src='\xc3\xa9.gif'>", "image %C3%83%C2%A9.gif\n"},
	} {
		t.Run(f.mediaType, func(t *testing.T) {
			if got := listed(References([]byte(f.src), f.mediaType, base)); got != f.want {
				t.Errorf("References(%q) as %s = %q, want %q", f.src, f.mediaType, got, f.want)
			}
		})
	}
}

func TestReferencesInUTF16(t *testing.T) {
	for name, f := range map[string]struct{ mark, mediaType string }{
		"mark":           {"\ufeff", "text/html"},
		"charset":        {"", "text/html; charset=UTF-16LE"},
		"mark and other": {"\ufeff", "text/html; charset=iso-8859-1"},
	} {
		t.Run(name, func(t *testing.T) {
			var little, big []byte
			for _, u := range utf16.Encode([]rune(f.mark + `<img src="é.gif?é">`)) {
				little = append(little, byte(u), byte(u>>8))
				big = append(big, byte(u>>8), byte(u))
			}
			for order, src := range map[string][]byte{"little": little, "big": big} {
				mediaType := f.mediaType
				if order == "big" {
					mediaType = strings.Replace(mediaType, "LE", "BE", 1)
				}
				if got, want := listed(References(src, mediaType, base)), "image %C3%A9.gif?%C3%A9\n"; got != want {
					t.Errorf("%s, %s: References = %q, want %q", name, order, got, want)
				}
			}
		})
	}
}

// TestReferencesInUTF8: UTF-8 is recognized even if the first kilobyte is only ASCII.
func TestReferencesInUTF8(t *testing.T) {
	src := strings.Repeat(" ", 2000) + `<img src="é.gif">`
	if got, want := listed(References([]byte(src), "text/html", base)), "image %C3%A9.gif\n"; got != want {
		t.Errorf("References = %q, want %q", got, want)
	}
}

func TestReferencesWithoutBase(t *testing.T) {
	got := References([]byte(`<img src=a#x>`), "text/html", "")
	if want := []Reference{{"a", Image}}; !reflect.DeepEqual(got, want) {
		t.Errorf("References = %v, want %v", got, want)
	}
}

func TestReferencesAreCapped(t *testing.T) {
	var b strings.Builder
	for i := range maxReferences + 10 {
		fmt.Fprintf(&b, "<img src=%d>", i)
	}
	if n := len(References([]byte(b.String()), "text/html", base)); n != maxReferences {
		t.Errorf("%d references, want %d", n, maxReferences)
	}
	long := "<base href=http://h/" + strings.Repeat("x", maxURLs/4) + "/>" + b.String()
	if n := len(References([]byte(long), "text/html", base)); n != 3 {
		t.Errorf("%d references with URLs that are a quarter of what all may have, want 3", n)
	}
	if n := len(References([]byte(strings.Repeat("<img src=a><img src=b>", maxReferences)+"<img src=c>"), "text/html",
		base)); n != 3 {
		t.Errorf("%d references of a page that has two many times and then another, want 3", n)
	}
	tag := "<img " + strings.Repeat("x ", 10) + "src=a>"
	if n := len(References([]byte(tag), "text/html", base)); n != 1 {
		t.Errorf("%d references of a tag with a name many times, want 1", n)
	}
}

// References changes neither the source nor the bytes after it.
func TestReferencesLeaveTheSourceAlone(t *testing.T) {
	for _, mediaType := range []string{"text/css", "text/html"} {
		t.Run(mediaType, func(t *testing.T) {
			buf := []byte(`p { background: url(a) }<style>p{background:url(b)}</style>AFTER`)
			before := string(buf)
			References(buf[:len(buf)-len("AFTER")], mediaType, base)
			if string(buf) != before {
				t.Errorf("%s: the source has become %q", mediaType, buf)
			}
		})
	}
}

// TestReferencesTakeAnything reads hostile sources. With quadratic time it would not finish.
func TestReferencesTakeAnything(t *testing.T) {
	size := 1 << 20
	if os.Getenv("WEBCAP_TEST_ALL") == "" {
		size = 1 << 17
	}
	for _, s := range []string{"<", "<a ", "<a b=", "x ", "url(", "@import ", "{", "/*", "\"", "\\", "<style>", "<!--",
		"<svg/>", "&amp", "<img src=\"", "@font-face{", "<img style=\"(", "\x00", "<script>"} {
		t.Run(s, func(t *testing.T) {
			src := []byte(strings.Repeat(s, size/len(s)))
			for _, mediaType := range []string{"text/html", "image/svg+xml", "text/css"} {
				References(src, mediaType, base)
				References(append([]byte("<a "), src...), mediaType, base)
				References(append([]byte("url("), src...), mediaType, base)
			}
		})
	}
}

func FuzzReferences(f *testing.F) {
	f.Add([]byte(`<base href=x><img src=a style="background:url(b)"><style>@import "c"</style>`), "text/html", base)
	f.Add([]byte(`@import url(a);@font-face{src:url(b)}p{background:url("\63")}`), "text/css", base)
	f.Add([]byte("\xfe\xff\x00<\x00i\x00m\x00g"), "text/html", "")
	f.Add([]byte(`<svg><image xlink:href="a"/><![CDATA[<img src=b>]]></svg>`), "image/svg+xml", "file:///C|/x")
	f.Fuzz(func(t *testing.T, src []byte, mediaType, base string) {
		before := string(src)
		refs := References(src, mediaType, base)
		seen := map[Reference]bool{}
		for _, r := range refs {
			if seen[r] {
				t.Errorf("%v twice", r)
			}
			seen[r] = true
			if strings.Contains(r.URL, "#") || r.Kind == 0 || r.Kind&(r.Kind-1) != 0 {
				t.Errorf("%q %b", r.URL, r.Kind)
			}
		}
		for _, r := range TextReadings() {
			Text(src, mediaType, r)
		}
		if string(src) != before {
			t.Errorf("the source has changed")
		}
	})
}

// BenchmarkReferences reads a typical page of text, links, and images.
func BenchmarkReferences(b *testing.B) {
	var src strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&src, "<p class=\"text\">Some text with <a href=\"/page/%d.html\">a link</a> &amp; more of it, "+
			"on and on.</p>\n<img src=\"/images/%d.gif\" width=10 height=10>\n", i, i%200)
	}
	b.SetBytes(int64(src.Len()))
	b.ReportAllocs()
	for b.Loop() {
		References([]byte(src.String()), "text/html", base)
	}
}

// (RFC 3986, 5.2.3).
func TestReferencesOfBaseInDots(t *testing.T) {
	got := References([]byte("<img src=x>"), "text/html", "http://h/a/..")
	if want := []Reference{{"http://h/a/x", Image}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
