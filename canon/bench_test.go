package canon

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
)

// sample returns n URLs that are typical of Web Capture: 80 bytes on average, 35% with a query, 12% with a
// fragment, 9% with capitals in the host, 4% with dot segments. The sample is always the same.
func sample(n int) [][]byte {
	r := rand.New(rand.NewPCG(14, 10))
	hosts := []string{
		"www.example.com", "docs.example.org", "en.wikipedia.org", "www.nal.usda.gov", "upload.wikimedia.org",
		"localhost.example", "news.bbc.co.uk", "x.org", "static01.cdn.example.net", "www.w3.org", "ftp.gnu.org",
		"archive.org", "web.mit.edu", "a.very.long.sub.domain.of.some.university.example.edu",
	}
	word := func(least, most int) string {
		b := make([]byte, least+r.IntN(most-least+1))
		for i := range b {
			b[i] = "abcdefghijklmnopqrstuvwxyzABCDEF0123456789-_"[r.IntN(44)]
		}
		return string(b)
	}
	urls := make([][]byte, n)
	for i := range urls {
		var b strings.Builder
		b.WriteString([]string{"http://", "https://"}[r.IntN(2)])
		host := hosts[r.IntN(len(hosts))]
		if r.IntN(100) < 9 {
			host = strings.ToUpper(host[:5]) + host[5:]
		}
		b.WriteString(host)
		for range 2 + r.IntN(4) {
			b.WriteString("/" + word(4, 16))
		}
		if r.IntN(100) < 4 {
			b.WriteString([]string{"/.", "/..", "/./" + word(3, 9), "/../" + word(3, 9)}[r.IntN(4)])
		} else {
			b.WriteString([]string{"/", ".html", ".aspx", ""}[r.IntN(4)])
		}
		if r.IntN(100) < 35 {
			b.WriteString("?" + word(2, 6) + "=" + word(6, 20) + "&" + word(2, 6) + "=%20" + word(4, 20))
		}
		if r.IntN(100) < 12 {
			b.WriteString("#" + word(3, 12))
		}
		urls[i] = []byte(b.String())
	}
	return urls
}

// BenchmarkCanon compares the profiles with net/url on the same URLs. One operation is one URL.
func BenchmarkCanon(b *testing.B) {
	urls := sample(8192) // more than a branch predictor can learn
	texts := make([]string, len(urls))
	size := 0
	for i, u := range urls {
		texts[i] = string(u)
		size += len(u)
	}
	each := func(name string, f func(i int)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(size / len(urls)))
			for i := 0; b.Loop(); i++ {
				f(i % len(urls))
			}
		})
	}
	buf := make([]byte, 0, 1024)
	each("copy", func(i int) { buf = append(buf[:0], urls[i]...) })
	for _, p := range Profiles() {
		each(p.Name(), func(i int) { buf = p.Append(buf[:0], urls[i]) })
	}
	var steps Steps
	each("Changes", func(i int) { steps |= PDF.Changes(urls[i]) })
	each("Resolve", func(i int) { buf = PDF.Resolve(buf[:0], urls[i], []byte("../a/b.html?c#d")) })
	each("URL", func(i int) { _ = URL(texts[i]) })
	each("net-url", func(i int) {
		u, err := url.Parse(texts[i])
		if err != nil {
			b.Fatal(err)
		}
		_ = u.String()
	})
}

type input struct {
	name string
	url  []byte
}

// hostile returns inputs of about n bytes that make a careless implementation quadratic.
func hostile(n int) []input {
	repeat := func(head, unit string) []byte {
		return append([]byte(head), bytes.Repeat([]byte(unit), n/len(unit))...)
	}
	return []input{
		{"up", repeat("http://h/", "../")},
		{"down-up", repeat("http://h", "/a/..")},
		{"nest", append(repeat("http://h/", "a/"), bytes.Repeat([]byte("../"), n/2)...)},
		{"dots", repeat("http://h/", "./")},
		{"slashes", repeat("http://h", "/")},
		{"escapes", repeat("http://h/", "%25")},
		{"params", repeat("http://h/", ";")},
		{"fragments", repeat("http://h/", "#")},
		{"amp", repeat("http://h/?", "&amp;")},
		{"colons and dots", repeat("http://", ":1.2.3.4")},
		{"scheme", repeat("", "A")},
		{"userinfo", repeat("http://", "U@")},
		{"colons", repeat("http://h", ":")},
		{"zeros", append(repeat("http://h:", "0"), "80"...)},
		{"brackets", repeat("http://[", "[")},
	}
}

// BenchmarkHostile shows that time is linear in the length: compare the MB/s of one input.
func BenchmarkHostile(b *testing.B) {
	for _, mb := range []int{1, 10} {
		for _, in := range hostile(mb << 20) {
			for _, p := range Profiles() {
				b.Run(fmt.Sprintf("%s/%s/%dMB", in.name, p.Name(), mb), func(b *testing.B) {
					buf := make([]byte, 0, 8*len(in.url)) // profiles outside PDF need more than the URL
					b.SetBytes(int64(len(in.url)))
					for b.Loop() {
						buf = p.Append(buf[:0], in.url)
					}
				})
			}
		}
	}
}
