package command

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"testing"
)

// captured returns n lines with URLs that are typical of captures: 80 bytes on average, some with a query, a
// fragment, capitals in the host, or dot segments. The sample is always the same.
func captured(n int) []byte {
	r := rand.New(rand.NewPCG(14, 10))
	word := func(least, most int) string {
		b := make([]byte, least+r.IntN(most-least+1))
		for i := range b {
			b[i] = "abcdefghijklmnopqrstuvwxyzABCDEF0123456789-_"[r.IntN(44)]
		}
		return string(b)
	}
	hosts := []string{"www.example.com", "docs.example.org", "news.example.co.uk", "x.example",
		"static01.cdn.example.net"}
	var b bytes.Buffer
	for range n {
		host := hosts[r.IntN(len(hosts))]
		if r.IntN(100) < 9 {
			host = "WWW." + host
		}
		fmt.Fprintf(&b, "http://%s/%s/%s/%s", host, word(4, 16), word(4, 16), word(4, 12))
		if r.IntN(100) < 4 {
			b.WriteString("/../" + word(3, 9))
		}
		if r.IntN(100) < 35 {
			fmt.Fprintf(&b, "?%s=%s&%s=%%20%s", word(2, 6), word(6, 20), word(2, 6), word(4, 20))
		}
		if r.IntN(100) < 12 {
			b.WriteString("#" + word(3, 12))
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// BenchmarkCanonCommand measures webcap canon from its arguments to its output and, on the same lines, the time in
// which net/url parses and writes them on one core. One operation is all lines; the relevant metric is URLs a
// second.
func BenchmarkCanonCommand(b *testing.B) {
	const n = 1_000_000
	lines := captured(n)
	perSecond := func(b *testing.B) { b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "URLs/s") }
	for _, args := range [][]string{{"canon"}, {"canon", "--format=json"}} {
		b.Run(fmt.Sprint(args[1:]), func(b *testing.B) {
			b.SetBytes(int64(len(lines)))
			for b.Loop() {
				if code, stderr := run(bytes.NewReader(lines), io.Discard, args...); stderr != "" {
					b.Fatal(code, stderr)
				}
			}
			perSecond(b)
		})
	}
	b.Run("net-url", func(b *testing.B) {
		b.SetBytes(int64(len(lines)))
		for b.Loop() {
			for line := range bytes.Lines(lines) {
				u, err := url.Parse(string(bytes.TrimSuffix(line, []byte("\n"))))
				if err != nil {
					b.Fatal(err)
				}
				_ = u.String()
			}
		}
		perSecond(b)
	})
}
