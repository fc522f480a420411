package canon

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"testing"
)

// TestHyvattiFixedPoints tests the vectors about forms that are reduced again.
func TestHyvattiFixedPoints(t *testing.T) {
	for _, row := range rows(t, "hyvatti.tsv", 6) {
		again := Hyvatti.Append(nil, []byte(row[2]))
		if fixed := string(again) == row[2]; fixed != (row[5] == "yes") {
			t.Errorf("%q becomes %q again", row[2], again)
		}
	}
}

func TestHyvatti(t *testing.T) {
	for _, row := range []struct {
		name, in, want string
		options        Options
	}{
		{"no base", "a/../B", "a/../B", Options{}},
		{"semicolon ends the host", "http://H;X/", "http://h;X/", Options{}},
		{"what follows a port", "http://H:80X/", "http://h:80x/", Options{}},
		{"port of IPv6", "http://[::A]:80/", "http://[::a]/", Options{}},
		{"hidden scheme", "%48ttp://H/", "http://h/", Options{}},
		{"octet 0", "http://h/\x00%00", "http://h/%00%00", Options{}},
		{"URL in a sentence", `"<URL:HTTP://H/>"`, "http://h/", Options{FreeText: true}},
		{"nothing but quotes", `<<URL:>">`, "", Options{FreeText: true}},
		{"number sign before the quote", `http://h/>#>`, "http://h/", Options{FreeText: true}},
		{"nothing but the mark", `<URL:`, "", Options{FreeText: true}},
		{"half a mark", `<url`, "url", Options{FreeText: true}},
		{"a mark without its bracket", `xurl:y`, "xurl:y", Options{FreeText: true}},
		{"nothing but a fragment", "#x", "", Options{}},
		{"not from text", `<URL:x>`, "%3CURL:x%3E", Options{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			checkEveryWay(t, Hyvatti.With(row.options), "", row.in, row.want)
			checkEveryWay(t, Hyvatti.With(row.options), "http://base/", row.in, row.want)
		})
	}
}

// TestFaehnriCoding tests the vectors about components instead of URLs.
func TestFaehnriCoding(t *testing.T) {
	for _, row := range rows(t, "faehnri.tsv", 5) {
		switch in, want := []byte(row[0]), row[2]; row[4] {
		case "encode":
			if got := string(EncodeComponent(nil, in)); got != want {
				t.Errorf("EncodeComponent(%q) = %q, want %q", in, got, want)
			}
		case "decode":
			if got := string(Decode(nil, in)); got != want {
				t.Errorf("Decode(%q) = %q, want %q", in, got, want)
			}
		case "resolve", "canon": // see TestVectors
		default:
			t.Errorf("unknown operation %q", row[4])
		}
	}
}

func TestFaehnri(t *testing.T) {
	for _, row := range []struct{ name, base, ref, want string }{
		{"dots of an absolute URL", "", "http://x/a/../b", "http://x/a/../b"},
		{"dots of an absolute URL on a base", page, "http://x/a/../b", "http://x/a/../b"},
		{"dots of another scheme on a base", page, "mailto:a/../b", "mailto:a/../b"},
		{"coded on a base", page, "g h[1]#i j", "http://a/b/c/g%20h%5B1%5D#i%20j"},
		{"brackets in userinfo", "", "http://[u]@[::1]/", "http://%5Bu%5D@[::1]/"},
		{"brackets in a zone", "", "http://[fe80::1%25en0][x]/", "http://%5Bfe80::1%25en0%5D%5Bx%5D/"},
		{"two gaps look like IPv6", "", "http://[1::2::3]/", "http://[1::2::3]/"},
		{"one colon does not", "", "http://[1:2]/", "http://%5B1:2%5D/"},
		{"stray percent signs", "", "http://h/%%34%4{", "http://h/%25%34%254%7B"},
		{"other scheme", "", "mailto:a b", "mailto:a%20b"},
		{"host and port", "", "http://h{:8 0/", "http://h%7B:8%200/"},
		{"brackets around nothing", "", "<>", "%3C%3E"},
		{"octets", "", "/\x00\x1f\x7f\x80\xff", "/%00%1F%7F%80%FF"},
	} {
		t.Run(row.name, func(t *testing.T) { checkEveryWay(t, Faehnri, row.base, row.ref, row.want) })
	}
}

// TestEncodeComponentKeepsLittle compares all octets with QueryEscape of net/url, which differs only in the blank
// and the marks ! * ' ( ).
func TestEncodeComponentKeepsLittle(t *testing.T) {
	for c := range 256 {
		raw := []byte{byte(c)}
		want := url.QueryEscape(string(raw))
		switch {
		case c == ' ':
			want = "%20"
		case bytes.Contains([]byte("!*'()"), raw):
			want = string(raw)
		}
		if got := string(EncodeComponent(nil, raw)); got != want {
			t.Errorf("EncodeComponent(%q) = %q, want %q", raw, got, want)
		}
	}
}

func TestDecodeInPlace(t *testing.T) {
	coded := []byte("%41%2542%%zz%4")
	if got := string(Decode(coded[:0], coded)); got != "A%42%%zz%4" {
		t.Errorf("decoded to %q", got)
	}
}

func TestDoubleCoded(t *testing.T) {
	for _, row := range []struct {
		url  string
		want bool
	}{
		{"", false}, {"%41", false}, {"%25", false}, {"%2541", true}, {"%25zz", false}, {"%25z1", false},
		{"%251z", false}, {"%254", false}, {"%25%34%31", true},
		{"%%34%31", true}, {"http://h/a%252Fb", true}, {"100%25", false}, {"%252541", true},
	} {
		t.Run(row.url, func(t *testing.T) {
			if got := DoubleCoded([]byte(row.url)); got != row.want {
				t.Errorf("DoubleCoded(%q) = %v", row.url, got)
			}
		})
	}
}

func TestDiagnose(t *testing.T) {
	for _, row := range []struct {
		name, key string
		p         *Profile
		skipped   string
	}{
		{"canonical", "ftp://h/;x?a&amp;b", nil, ""},
		{"2.9 keeps localhost", "file://localhost/a", WWWOFFLE29, "e"},
		{"2.9e keeps &amp; too", "file://localhost/?a&amp;b", WWWOFFLE29E, "e"},
		{"2.6 keeps dots in parameters", "file://localhost/a;b/../c", WWWOFFLE26, "e"},
		{"Hyvatti keeps dots", "http://h/[a]/../b", Hyvatti, "g"},
		{"no scheme keeps capitals, ports and fragments, but that of coding alone", "HTTP://H:80/a#b", nil, "bcdf"},
		{"every profile drops a blank", "HTTP://h/ ", nil, "c"},
	} {
		t.Run(row.name, func(t *testing.T) {
			d, ok := Diagnose([]byte(row.key))
			letters := ""
			for _, s := range d.Skipped {
				letters += string(s.Letter)
			}
			if ok != (row.skipped != "") || letters != row.skipped {
				t.Errorf("Diagnose(%q) = %v, skipped %q, want %q", row.key, ok, letters, row.skipped)
			}
			if d.Profile != row.p {
				t.Errorf("Diagnose(%q): profile %+v, want %+v", row.key, d.Profile, row.p)
			}
		})
	}
}

// TestAnythingIsAURL has inputs that are not URLs in any RFC. The steps still define their results.
func TestAnythingIsAURL(t *testing.T) {
	long := bytes.Repeat([]byte("a%zz\x00\xff#?&"), 1<<17)
	for i, in := range [][]byte{nil, {}, {0}, []byte("\x00http://h/"), []byte("http://h\x00x/"), {0xff}, []byte("%"),
		[]byte("%0"), []byte("["), []byte("http://["), []byte("http://]:"), []byte(":"), []byte("@"), []byte("/"),
		[]byte("//"), []byte("/.."), []byte("#"), long} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			for _, p := range Profiles() {
				got := p.Append(nil, in)
				if again := p.Append(nil, slices.Clone(in)); !bytes.Equal(got, again) {
					t.Errorf("%s: %.20q becomes %.20q and %.20q", p.Name(), in, got, again)
				}
				if len(got) > 3*len(in)+64 {
					t.Errorf("%s: %.20q grows to %d octets", p.Name(), in, len(got))
				}
			}
		})
	}
	for i, row := range []struct {
		p        *Profile
		in, want string
	}{
		{PDF, "http://h/\x00#", "http://h/\x00"},
		{WWWOFFLE29, "http://h/a\x00b", "http://h/a"},
		{WWWOFFLE26, "http://h/a?b\x00#", "http://h/a?b"},
		{Hyvatti, "http://h/a\x00b", "http://h/a%00b"},
		{Faehnri, "http://h/a\x00b", "http://h/a%00b"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			checkEveryWay(t, row.p, "", row.in, row.want)
		})
	}
}

// TestNamedFunctions: the functions of README.URL together do what the steps of WWWOFFLE29 do.
func TestNamedFunctions(t *testing.T) {
	for c := range 256 {
		for _, in := range []string{fmt.Sprintf("a%%%02xb", c), fmt.Sprintf("a%cb", byte(c))} {
			decoded := Decode(nil, []byte(in))
			if c == 0 {
				continue // a C string would end
			}
			if got, want := EncodePath(nil, decoded), wwwPath.append(nil, []byte(in)); !bytes.Equal(got, want) {
				t.Errorf("EncodePath(Decode(%q)) = %q, want %q", in, got, want)
			}
			if got, want := EncodePassword(nil, decoded), wwwUserinfo.append(nil, []byte(in)); !bytes.Equal(got, want) {
				t.Errorf("EncodePassword(Decode(%q)) = %q, want %q", in, got, want)
			}
		}
	}
	if got := RecodeFormArgs(nil, []byte("a=%41 b&c=%26;d")); string(got) != "a=A+b&c=%26;d" {
		t.Errorf("RecodeFormArgs = %q", got)
	}
	if got := fmt.Sprintf("%q", SplitFormArgs([]byte("a=1&b=%26;c&"))); got != `["a=1" "b=%26" "c" ""]` {
		t.Errorf("SplitFormArgs = %s", got)
	}
}

// TestParts: joined, the parts are the canonical form.
func TestParts(t *testing.T) {
	for _, file := range []string{"wwwoffle29.tsv", "wwwoffle26.tsv"} {
		for _, row := range rows(t, file, 7) {
			for _, p := range Profiles() {
				u := p.Parts([]byte(row[0]))
				if got, want := u.appendTo(nil, nil), p.Append(nil, []byte(row[0])); !bytes.Equal(got, want) {
					t.Errorf("%s: Parts(%q) are those of %q, want %q", p.Name(), row[0], got, want)
				}
			}
		}
	}
}
