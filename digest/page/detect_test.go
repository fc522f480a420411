package page

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
)

// What is told apart by its beginning is what the standard library takes for it, which knows more types.
func TestDetect(t *testing.T) {
	alike := func(mediaType string) string {
		essence, _, _ := strings.Cut(mediaType, ";")
		if f := (&File{MediaType: essence}); f.Refers() || f.Alone() {
			return essence
		}
		return "application/octet-stream" // for what is nothing of that, the type does not count
	}
	check := func(head string) {
		t.Helper()
		known := http.DetectContentType([]byte(head))
		want := alike(known)
		if strings.HasPrefix(known, "text/plain") && tags.MatchString(strings.ReplaceAll(head, "\x00", "")) {
			want = "text/html"
		}
		if got := alike(detect([]byte(head))); got != want {
			t.Errorf("%q is %s, want %s", head, got, want)
		}
	}
	pieces := []string{"", " ", "\n", "\t\f\r ", "\x00", "\x01", "\x0b", "\x1b", "\x7f", "\xff", "\xfe", "\xef\xbb\xbf", "a", "é", "<", ">", "<?xml", "<?XML", "<!--", "<!DOCTYPE html", "<svg",
		"%PDF-", "%PDF", "%!PS-Adobe-", "\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF87a", "GIF89a", "GIF", "BM", "\x00\x00\x01\x00", "\x00\x00\x02\x00", "RIFF", "1234", "WEBPVP", "PK\x03\x04", "\x1f\x8b\x08", "body {}"}
	for _, tag := range []string{"html", "head", "script", "iframe", "h1", "h2", "div", "font", "table", "a", "style", "title", "b", "body", "br", "p", "pre", "img", "meta"} {
		pieces = append(pieces, "<"+tag, "<"+strings.ToUpper(tag))
	}
	check("RIFF\xff\xffé.WEBPVP8 ")
	check("\xff\xfe<\x00p\x00>\x00")
	r := rand.New(rand.NewPCG(16, 2))
	for range 20_000 {
		head := ""
		for range r.IntN(6) {
			head += pieces[r.IntN(len(pieces))]
		}
		check(head)
	}
}
