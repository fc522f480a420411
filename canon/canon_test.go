package canon

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestProfilesAreFoundByName(t *testing.T) {
	for _, p := range Profiles() {
		if got, ok := Lookup(p.Name()); got != p || !ok {
			t.Errorf("Lookup(%q) = %v, %v", p.Name(), got, ok)
		}
		if p.Clause() == "" || !strings.HasSuffix(p.Doc(), ".") {
			t.Errorf("%s: clause %q, doc %q", p.Name(), p.Clause(), p.Doc())
		}
	}
	for _, name := range []string{"", "PDF", "pdf3"} {
		if p, ok := Lookup(name); p != nil || ok {
			t.Errorf("Lookup(%q) found something", name)
		}
	}
}

func TestStepsAreLetteredInOrder(t *testing.T) {
	for _, p := range Profiles() {
		for i, s := range p.Steps() {
			if s.Letter != byte('a'+i) || s.Title == "" || s.Clause == "" {
				t.Errorf("%s: step %d is %+v", p.Name(), i, s)
			}
		}
		p.Steps()[0].Letter = 'z'
		if p.Steps()[0].Letter != 'a' {
			t.Errorf("%s: Steps hands out its own table", p.Name())
		}
	}
}

func TestChangesNamesEachStep(t *testing.T) {
	for _, row := range []struct{ name, url, pdf, pdf2 string }{
		{"canonical", "http://h/a?b", "", ""},
		{"fragment", "http://h/#", "b", "b"},
		{"scheme", "hTTP://h/", "c", "c"},
		{"host", "http://H/", "d", "d"},
		{"host, far into the net_loc", "http://aaaaaaaaaaaaaaaaaaaaaaA/", "d", "d"},
		{"localhost", "file://localhost/", "e", "e"},
		{"capital localhost", "file://LOCALhost/", "de", "de"},
		{"port", "http://h:80/", "f", "f"},
		{"dots", "http://h/a/../b", "g", "g"},
		{"dots at the end", "http://h/a/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/.", "g", "g"},
		{"leading dots", "http://h/../x", "", "g"},
		{"dots in parameters", "http://h/a;b/../c", "", "g"},
		{"dots in the query", "http://h/a?b/../c", "", ""},
		{"everything", "HTTP://H:80/./#", "bcdfg", "bcdfg"},
		{"relative", "a", "", ""},
		{"other scheme", "NEWS:A/../b#", "bc", "bc"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := PDF.Changes([]byte(row.url)).String(); got != row.pdf {
				t.Errorf("PDF.Changes(%q) = %q, want %q", row.url, got, row.pdf)
			}
			if got := PDF2.Changes([]byte(row.url)).String(); got != row.pdf2 {
				t.Errorf("PDF2.Changes(%q) = %q, want %q", row.url, got, row.pdf2)
			}
		})
	}
}

func TestStepsHas(t *testing.T) {
	s := PDF.Changes([]byte("HTTP://h/#"))
	for c := range 256 {
		if got, want := s.Has(byte(c)), c == 'b' || c == 'c'; got != want {
			t.Errorf("Has(%d) = %v", c, got)
		}
	}
}

func TestSplit(t *testing.T) {
	// The parts are shown with their delimiters, so that an absent part differs from an empty one.
	show := func(u Parts) string {
		var b strings.Builder
		part := func(has bool, before string, part []byte, after string) {
			if has {
				b.WriteString(" " + before + string(part) + after)
			}
		}
		part(u.Absolute(), "", u.Scheme, ":")
		part(u.HasAuthority, "//", nil, "")
		part(u.HasUserinfo, "", u.Userinfo, "@")
		part(u.HasAuthority, "", u.Host, "")
		part(u.HasPort, ":", u.Port, "")
		part(true, "", u.Path, "")
		part(u.HasParams, ";", u.Params, "")
		part(u.HasQuery, "?", u.Query, "")
		part(u.HasFragment, "#", u.Fragment, "")
		return b.String()
	}
	for _, row := range []struct{ name, in, want string }{
		{"nothing", "", " "},
		{"everything", "HTTP://u:p@H:1/a/b;c?d#e", " HTTP: // u:p@ H :1 /a/b ;c ?d #e"},
		{"everything empty", "x://@:;?#", " x: // @  :;  ? #"},
		{"empty parts", "x://@:/;?#", " x: // @  : / ; ? #"},
		{"relative", "a/b", " a/b"},
		{"net_loc alone", "//h", " // h "},
		{"question mark ends the net_loc", "http://h?a/b", " http: // h  ?a/b"},
		{"number sign first", "a#b:?;//", " a #b:?;//"},
		{"question mark before semicolon", "a?b;c", " a ?b;c"},
		{"first semicolon", "a;b/c;d", " a ;b/c;d"},
		{"IPv6", "ftp://a@b@[1::2]:21", " ftp: // a@b@ [1::2] :21 "},
		{"other scheme", "mailto:A@B;c", " mailto: A@B ;c"},
		{"digit", "1+.-:x", " 1+.-: x"},
		{"no scheme", ":x", " :x"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := show(Split([]byte(row.in))); got != row.want {
				t.Errorf("Split(%q) = %q, want %q", row.in, got, row.want)
			}
		})
	}
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	dst := append(make([]byte, 0, 64), "key="...)
	got := PDF.Append(dst, []byte("HTTP://H/a/../b"))
	if want := "key=http://h/b"; string(got) != want || &got[0] != &dst[0] {
		t.Errorf("Append = %q, want %q in the same memory", got, want)
	}
	url := []byte("HTTP://H:80/a/../b#c")
	PDF.Append(nil, url)
	PDF.Changes(url)
	PDF.Resolve(nil, url, []byte("d"))
	PDF.Trace(url, url)
	if string(url) != "HTTP://H:80/a/../b#c" {
		t.Errorf("the input was changed to %q", url)
	}
	if got := PDF.Append(url[:0], url); string(got) != "http://h/b" {
		t.Errorf("Append in place = %q", got)
	}
}

func TestNothingAllocates(t *testing.T) {
	buf := make([]byte, 0, 256)
	base := []byte("HTTP://U@H:80/x/y;z?q#f")
	for _, url := range []string{
		"http://www.example.com/a/b.html?c=d",
		"HTTP://User@WWW.Example.COM:80/a/./b/../c;P?Q#F",
		"file://LOCALHOST/../a/.././b", "file:/a/..//b", "mailto:A@b", "../g;x?y#z", "?q", "",
	} {
		in := []byte(url)
		for _, p := range Profiles() {
			if n := testing.AllocsPerRun(100, func() {
				buf = p.Append(buf[:0], in)
				buf = p.Resolve(buf[:0], base, in)
				if p.Changes(in).Has('z') || Split(in).Host == nil && Split(in).HasAuthority {
					t.Error("unreachable")
				}
				var local [128]byte // a caller's buffer may stay on its stack
				_ = p.Append(local[:0], in)
			}); n != 0 {
				t.Errorf("%s: %v allocations for %q, want none", p.Name(), n, url)
			}
		}
	}
	if n := testing.AllocsPerRun(100, func() { _ = URL("http://www.example.com/a/b.html?c=d") }); n != 0 {
		t.Errorf("URL: %v allocations for a canonical URL, want none", n)
	}
}

// TestHostileInputIsHarmless is about the time that it takes: were a step quadratic, it would not end today.
func TestHostileInputIsHarmless(t *testing.T) {
	size := 2 << 20
	if testing.Short() {
		size = 1 << 16
	}
	for _, in := range hostile(size) {
		for _, p := range Profiles() {
			got := p.Append(nil, in.url)
			if again := p.Append(nil, got); !bytes.Equal(got, again) {
				t.Errorf("%s: %s: not a fixed point", p.Name(), in.name)
			}
			if got := p.Resolve(nil, in.url, in.url[size/2:]); len(got) > 2*len(in.url)+1 {
				t.Errorf("%s: %s: resolved to %d bytes", p.Name(), in.name, len(got))
			}
			if (p.Changes(in.url) == 0) != bytes.Equal(in.url, got) {
				t.Errorf("%s: %s: Changes = %q", p.Name(), in.name, p.Changes(in.url))
			}
			if in.name == "up" && p == PDF2 && string(got) != "http://h/" {
				t.Errorf("%d bytes are left of many ../, want none but http://h/", len(got))
			}
		}
	}
}

// FuzzURL holds the package to what its comments promise for any bytes.
func FuzzURL(f *testing.F) {
	for _, row := range rows(f, "pdf.tsv", 5) {
		f.Add([]byte(row[1]), []byte(row[0]))
	}
	f.Add([]byte("file:/a"), []byte("////..//.//b"))
	f.Add([]byte("a"), []byte("./b:c/..//..//"))
	f.Fuzz(func(t *testing.T, base, url []byte) {
		in := slices.Clone(url)
		for _, p := range Profiles() {
			got := p.Append(nil, url)
			if len(got) > len(url) {
				t.Errorf("%s: Append(%q) = %q, which is longer", p.Name(), url, got)
			}
			checkEveryWay(t, p, "", string(url), string(got))
			checkEveryWay(t, p, string(base), string(url), string(p.Resolve(nil, base, url)))
			if Split(url).Absolute() {
				if again := p.Append(nil, got); !bytes.Equal(again, got) {
					t.Errorf("%s: %q became %q and then %q", p.Name(), url, got, again)
				}
			}
			// The quick look must not see more than the close one.
			cut, _, _ := bytes.Cut(url, []byte("#"))
			private := slices.Clone(cut)
			if slow := p.reduce(private[:0], split(private, p.rfc)); !bytes.Equal(slow, got) {
				t.Errorf("%s: Append(%q) = %q, but %q step by step", p.Name(), url, got, slow)
			}
		}
		u := Split(url)
		if joined := u.appendTo(nil, nil); !bytes.Equal(joined, url) {
			t.Errorf("Split(%q) = %+v", url, u)
		}
		for _, part := range [][]byte{u.Scheme, u.Userinfo, u.Host, u.Port, u.Path, u.Params, u.Query, u.Fragment} {
			// A subslice ends where the memory of url does, so capacities tell where it lies.
			if at := cap(url) - cap(part); len(part) > 0 && (at < 0 || at+len(part) > len(url) || &url[at] != &part[0]) {
				t.Errorf("Split(%q): %q is not a part of it", url, part)
			}
		}
		if !bytes.Equal(url, in) {
			t.Errorf("%q was changed to %q", in, url)
		}
	})
}
