package body

import (
	"bytes"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// brotliOf returns data as Brotli, with a window of 2 to the power of bits.
func brotliOf(t testing.TB, data []byte, quality, bits int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: quality, LGWin: bits})
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sampleOf returns n bytes: words, of which some are in the dictionary of the format, and noise between them.
func sampleOf(r *rand.Rand, n int) []byte {
	var b bytes.Buffer
	for b.Len() < n {
		switch r.Intn(4) {
		case 0:
			noise := make([]byte, r.Intn(200))
			r.Read(noise)
			b.Write(noise)
		case 1:
			b.WriteString(strings.Repeat(string(rune('a'+r.Intn(26))), r.Intn(3000)))
		default:
			fmt.Fprintf(&b, `<div class="%d"><a href="http://www.example.com/%d">About the University, 2005</a>`,
				r.Intn(9), r.Intn(1000))
		}
	}
	return b.Bytes()[:n]
}

// TestBrotli: data are decoded correctly; truncated data give an error after correct data.
func TestBrotli(t *testing.T) {
	sizes := []int{0, 1, 2, 15, 16, 17, 300, 4095, 4096, 4097, 70_000}
	qualities, windows := []int{0, 1, 5, 11}, []int{10, 16, 22, 24}
	if webcapturetest.All() {
		sizes = append(sizes, 1<<16-1, 1<<16, 1<<20+1)
		qualities, windows = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, []int{10, 11, 14, 16, 17, 18, 20, 22, 24}
	}
	r := rand.New(rand.NewSource(1))
	for _, n := range sizes {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			plain := sampleOf(r, n)
			for _, quality := range qualities {
				for _, bits := range windows {
					stored := brotliOf(t, plain, quality, bits)
					if got, flaw := readCoding(t, "br", bytes.NewReader(stored)); flaw != "" || got != string(plain) {
						t.Fatalf("%d bytes, quality %d, window %d: %d bytes, %s", n, quality, bits, len(got), flaw)
					}
					for range 20 {
						cut := r.Intn(len(stored))
						got, flaw := readCoding(t, "br", bytes.NewReader(stored[:cut]))
						if flaw == "" || !bytes.HasPrefix(plain, []byte(got)) {
							t.Fatalf("%d bytes, quality %d, window %d, cut off at %d: %d bytes, %s", n, quality, bits, cut,
								len(got), flaw)
						}
					}
				}
			}
		})
	}
}

// BenchmarkBrotli decodes a page, and a large file.
func BenchmarkBrotli(b *testing.B) {
	for _, n := range []int{20_000, 4 << 20} {
		plain := sampleOf(rand.New(rand.NewSource(3)), n)
		stored := brotliOf(b, plain, 5, 22)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(n))
			b.ReportAllocs()
			for b.Loop() {
				readCoding(b, "br", bytes.NewReader(stored))
			}
		})
	}
}
