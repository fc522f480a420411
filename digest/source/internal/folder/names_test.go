package folder

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Folders are hosts if they are named like hosts of the Internet. Pages and folders of saved files are not hosts.
func TestIsHost(t *testing.T) {
	for name, want := range map[string]bool{
		"www.example.com": true, "WWW.Example.COM": true, "a.museum": true, "h.xn--p1ai": true, "localhost": true,
		"127.0.0.1": true, "::1": true, "[::1]": true, "[::1]:81": true, "::1+81": true,
		"h:81": true, "h+81": true, "h.example:81": true, "h.example+81": true, "h.example_81": true,
		"h": false, "h_81": false, "h:": false, "h:x": false, "localhost2": false, ":81": false,
		".hidden": false, ".com": false, "a.b": false, "a.b2": false, "a.": false, "a.b-c": false,
		"page.html": false, "page.php": false, "Title.files": false, "Title_files": false, "": false, ".": false,
	} {
		t.Run(name, func(t *testing.T) {
			if got := isHost(name); got != want {
				t.Errorf("isHost() = %v, want %v", got, want)
			}
		})
	}
}

// The first folder that is a host splits a path.
func TestHostIn(t *testing.T) {
	for dir, want := range map[string]string{
		"h.example": "|h.example", "a/h.example": "a|h.example", "a/b/h.example/c": "a/b|h.example",
		"h.example/i.example": "|h.example", "a/b": "|", "": "|", ".": "|",
	} {
		t.Run(dir, func(t *testing.T) {
			before, host := hostIn(dir)
			if got := before + "|" + host; got != want {
				t.Errorf("hostIn() = %s, want %s", got, want)
			}
		})
	}
}

func TestPortOf(t *testing.T) {
	for name, want := range map[string]string{
		"h:81": "h|81", "h+81": "h|81", "h_81": "h|81", "::1:81": "::1|81", "h": "h|", "h:": "h:|", "h:8x": "h:8x|",
		":81": ":81|", "a_b:81": "a_b|81", "h:8": "h|8",
	} {
		t.Run(name, func(t *testing.T) {
			host, port := portOf(name)
			if got := host + "|" + port; got != want {
				t.Errorf("portOf() = %s, want %s", got, want)
			}
		})
	}
}

// All spellings of a name that programs write have the same plain name.
func TestPlainName(t *testing.T) {
	for want, names := range map[string]string{
		"a": "a A %61 %2541 a.html a.htm a.css a.orig a.1 a.1234 a.html.orig a.html.1 a.1.orig a.gz " +
			"a.br a.z a.zlib a(1)",
		"a.png":    "a.png a.PNG a%2Epng a.png.orig a.png.1 a(1).png a(1234).png",
		"a@x=1":    "a?x=1 a@x=1 a%3Fx=1 a?x=1.html",
		"h+81":     "h:81 h+81",
		"a.12345":  "a.12345",
		"a(12345)": "a(12345)",
		".orig":    ".orig",
		".html":    ".html",
		"(1).png":  "(1).png",
		"é":        "é %C3%A9 %E9 \xe9",
		"a.gzip":   "a.gzip",
	} {
		for _, name := range strings.Fields(names) {
			t.Run(name, func(t *testing.T) {
				if got := plainName(name); got != want {
					t.Errorf("plainName() = %q, want %q", got, want)
				}
			})
		}
	}
}

func TestKindsOfNames(t *testing.T) {
	for _, row := range []struct {
		what  string
		is    func(string) bool
		names string // that are
		other string // that are not
	}{
		{"page", isPageName, "a a.html A.HTM a.xhtml a.shtml a.php a.asp a.aspx a.jsp a.cfm a.html.1 " +
			"a.php.orig a.php.2.orig a.1 a.orig", "a.png a.txt a.html5 a.php.gz"},
		{"shown", isShown, "a.gif a.jpg a.JPEG a.png a.svg a.webp a.ico a.bmp a.pdf a.css a.js a.swf a.gif.orig d/a.html " +
			"a.php", "a a.txt d.x/a a.gif.1 a.docx"},
		{"saved", isSavedName, "a.html a.HTM a.xhtml", "a a.php a.html.orig a.shtml html"},
		{"foreign", isForeignName, "a.warc.xz a.warc.gz.bz2 a.har.lz4 a.mhtml.7z a.wacz.rar a.webarchive a.zip",
			"a.xz a.txt.bz2 a.zip.xz a.warc a.7z zip webarchive"},
	} {
		for _, name := range strings.Fields(row.names) {
			if !row.is(name) {
				t.Errorf("%s is not the name of a %s file", name, row.what)
			}
		}
		for _, name := range strings.Fields(row.other) {
			if row.is(name) {
				t.Errorf("%s is the name of a %s file", name, row.what)
			}
		}
	}
}

// Each program writes the URL of a page in its own way. Other text, and URLs that are not retrieved, do not count.
func TestSavedFrom(t *testing.T) {
	for head, want := range map[string]string{
		"<!DOCTYPE html>\n<!-- saved from url=(0012)http://h/a -->":                     "http://h/a",
		"<!-- saved from url=(0014)about:internet -->":                                  "",
		"<!-- saved from url=(0012)http://h/a b -->":                                    "",
		"<!-- saved from url=http://h/a -->":                                            "",
		"<!--\n Page saved with SingleFile \n url: https://h/b \n":                      "https://h/b",
		"<!-- Page saved with SingleFile url: about:blank":                              "",
		"<!-- Mirrored from h/c.html by HTTrack Website Copier":                         "http://h/c.html",
		"<!-- Mirrored from h/c.html by another program":                                "",
		"<!-- saved from url=(0014)about:internet --><!-- Mirrored from h/d by HTTrack": "http://h/d",
	} {
		t.Run(head, func(t *testing.T) {
			if got := savedFrom([]byte(head)); got != want {
				t.Errorf("savedFrom() = %q, want %q", got, want)
			}
		})
	}
}

// A name with an escape or an at sign may come from several URLs, and a URL with escaped escapes may have several
// names. The name of a file: URL is exact.
func TestHasReadings(t *testing.T) {
	for _, row := range []struct {
		url, name string
		want      bool
	}{
		{"http://h/a", "h/a", false},
		{"http://h/a%20b", "h/a b", false},
		{"http://h/a", "h/%61", true},
		{"http://h/a?b", "h/a@b", true},
		{"http://h/a%2541", "h/aA", true},
		{"http://h/a%3Fb", "h/a?b", true},
		{"http://h/a%3fb", "h/a?b", true},
		{"file:///a%2541", "a%41", false},
		{"file:///a@b", "a@b", false},
	} {
		t.Run(row.url, func(t *testing.T) {
			if got := hasReadings(row.url, row.name); got != row.want {
				t.Errorf("hasReadings(%q) = %v, want %v", row.name, got, row.want)
			}
		})
	}
}

// An authority has a host and a port. Colons in userinfo and in brackets are not before a port.
func TestHostPort(t *testing.T) {
	for authority, want := range map[string]string{
		"h": "h|", "h:81": "h|81", "me:pw@h": "h|", "me:pw@h:81": "h|81",
		"[::1]": "[::1]|", "[::1]:81": "[::1]|81", "": "|",
	} {
		t.Run(authority, func(t *testing.T) {
			host, port := hostPort(authority)
			if got := host + "|" + port; got != want {
				t.Errorf("hostPort() = %s, want %s", got, want)
			}
		})
	}
}

// A style writes octets plainly, except those that it escapes. The end of a folder gets the name index.html.
func TestNameStyle(t *testing.T) {
	const all = "%2f%3a%01%7f%20%80%9f%a0%41"
	for _, row := range []struct {
		style nameStyle
		want  string
	}{
		{nameStyle{}, "/:\x01\x7f \x80\x9f\xa0A"},
		{nameStyle{unsafe: "/"}, "%2F:\x01\x7f \x80\x9f\xa0A"},
		{nameStyle{unsafe: ":"}, "/%3A\x01\x7f \x80\x9f\xa0A"},
		{nameStyle{control: true}, "/:%01%7F \x80\x9f\xa0A"},
		{nameStyle{high: escapeC1}, "/:\x01\x7f %80%9F\xa0A"},
		{nameStyle{high: escapeAll}, "/:\x01\x7f %80%9F%A0A"},
		{nameStyle{raw: true, unsafe: "/", control: true, high: escapeAll}, all},
	} {
		if got := row.style.write(all); got != row.want {
			t.Errorf("%+v: %q, want %q", row.style, got, row.want)
		}
	}
	once, twice := nameStyle{query: "?"}, nameStyle{query: "@", twice: true}
	for _, row := range []struct {
		style       nameStyle
		file, query string
		hasQuery    bool
		want        string
	}{
		{once, "a/b", "", false, "a/b"}, {once, "a/", "", false, "a/index.html"}, {once, "", "x", true, "index.html?x"},
		{once, "a", "", true, "a?"}, {once, "%2541", "%2541", true, "%41?%41"}, {twice, "%2541", "%2541", true, "A@%41"},
		{once, "a//b", "", false, "a/b"}, {once, "%2e%2e/a", "", false, "%2E%2E/a"},
	} {
		if got := row.style.join(row.file, row.query, row.hasQuery); got != row.want {
			t.Errorf("%+v: %q, want %q", row, got, row.want)
		}
	}
}

// The file of a URL may be in folders that match the last folders of the URL. A host must be that of the URL.
func TestMayBe(t *testing.T) {
	for _, row := range []struct {
		url, name string
		hosts     bool // there are folders of hosts
		want      bool
	}{
		{"http://h.example/d/a.png", "h.example/d/a.png", true, true},
		{"http://h.example/d/a.png", "H.Example/d/a.png", true, true},
		{"http://h.example/d/a.png", "x/h.example/d/a.png", true, true},
		{"http://h.example/d/a.png", "h.example/a.png", true, true}, // --cut-dirs
		{"http://h.example/d/e/a.png", "h.example/e/a.png", true, true},
		{"http://h.example/d/e/a.png", "h.example/d/a.png", true, false},
		{"http://h.example/a.png", "h.example/d/a.png", true, false},
		{"http://h.example/d/a.png", "i.example/d/a.png", true, false},
		{"http://h.example:81/a.png", "h.example+81/a.png", true, true},
		{"http://h.example/a.png", "h.example+81/a.png", true, false},
		{"http://h.example:81/a.png", "h.example/a.png", true, false},
		{"http://[::1]/a.png", "::1/a.png", true, true},
		{"http://bücher.example/a.png", "xn--bcher-kva.example/a.png", true, true},
		{"http://xn--bcher-kva.example/a.png", "bücher.example/a.png", true, true},
		{"http://h.example/a.png", "d/a.png", false, true},
		{"http://h.example/a.png", "d/a.png", true, false},
		{"http://h.example/a.png", "Title_files/a.png", true, true},
		{"http://h.example/d/a/", "h.example/d/a/index.html", true, true},
		{"http://h.example/d/a", "h.example/a/index.html", true, true},
	} {
		t.Run(row.url+" "+row.name, func(t *testing.T) {
			if got := newURLNames(row.url).mayBe(row.name, row.hosts); got != row.want {
				t.Errorf("mayBe() = %v, want %v", got, row.want)
			}
		})
	}
}

// Files of one name are in the order of their matching folders. Then the exact name comes first, then index pages.
func TestNamedOrder(t *testing.T) {
	for _, row := range []struct{ url, names, want string }{
		{"http://h/d/e/a.png", "a.png x/a.png e/a.png d/e/a.png e/d/a.png",
			"d/e/a.png e/a.png a.png x/a.png e/d/a.png"},
		{"http://h/a.png", "A.png a.png.1 a.png a.png.orig", "a.png a.png.orig A.png a.png.1"},
		{"http://h/q?x", "q@x q?x.html q?x q", "q?x q@x q?x.html q"},
		{"http://h/d/", "d/other.html d/index.html d/a.png e/index.html", "d/index.html d/other.html"},
		{"http://h/d", "d/other.html d/index.html d.html d", "d/index.html d/other.html d d.html"},
		{"http://h/", "h/x.html index.html h/index.html page.html", "h/index.html h/x.html index.html page.html"},
		{"http://h:81/", "h_81/x.html h+81/index.html", "h+81/index.html h_81/x.html"},
		{"http://h/x", "y", ""},
		{"no URL", "no URL", ""},
	} {
		t.Run(row.url, func(t *testing.T) {
			f := &folder{}
			for _, name := range strings.Fields(row.names) {
				f.names.add(name)
			}
			f.names.complete()
			got := strings.Join(f.named(row.url), " ")
			if got != row.want {
				t.Errorf("named() = %s, want %s", got, row.want)
			}
		})
	}
}

// Names are found by what they have in common, in the order in which they were added. Each keeps its folder.
func TestNameIndex(t *testing.T) {
	var x nameIndex
	names := []string{"b/a.png", "a.png", "b/A.png", "c/a.png.orig", "d/b", "d/page.html", "b/c.gif"}
	for _, name := range names {
		x.add(name)
	}
	x.complete()
	for i, name := range names {
		if got := x.name(uint32(i)); got != name {
			t.Errorf("name(%d) = %q, want %q", i, got, name)
		}
	}
	for key, want := range map[string]string{
		"a.png": "b/a.png a.png b/A.png c/a.png.orig", "b": "d/b", "page": "d/page.html",
		inFolder("d"): "d/b d/page.html",
		inFolder("b"): "", inFolder("."): "", "none": "", "": "",
	} {
		t.Run(key, func(t *testing.T) {
			if got := x.find(key); !slices.Equal(got, strings.Fields(want)) {
				t.Errorf("find() = %q, want %q", got, want)
			}
		})
	}
	if len(x.dirs) != 4 {
		t.Errorf("%q are stored, want each of the 4 folders once", x.dirs)
	}
}

// The best names are tried, up to the limit.
func TestNamedTakesTheBest(t *testing.T) {
	f := &folder{}
	for i := range maxNamed + 9 {
		f.names.add(fmt.Sprintf("x%d/a.png", i))
	}
	f.names.add("d/a.png")
	f.names.complete()
	if list := f.named("http://h/d/a.png"); len(list) != maxNamed || list[0] != "d/a.png" || list[1] != "x0/a.png" {
		t.Errorf("named() returns %d names, first %q", len(list), list[:2])
	}
}
