package body

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestMaxCodings(t *testing.T) {
	for n, want := range map[int]string{maxCodings - 1: "", maxCodings: "the header declares the codings "} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			stored := "body"
			for range n {
				stored = coded(t, "gzip", stored)
			}
			b := headerOf(t, "Content-Encoding: "+strings.Repeat("gzip, ", n)+"\n\n").Body(stringOpener(stored))
			if s, err := b.Sums(nil); err != nil || (s.Doubt == "") != (want == "") || !strings.HasPrefix(s.Doubt, want) {
				t.Errorf("%q, %v, want %q", s.Doubt, err, want)
			}
		})
	}
}

// A zstd body that takes more memory than the zstd program would is not decoded.
func TestMaxWindow(t *testing.T) {
	for window, fits := range map[int]bool{(128 << 20): true, 2 * (128 << 20): false} {
		t.Run(fmt.Sprint(window), func(t *testing.T) {
			b := headerOf(t, "Content-Encoding: zstd\n\n").Body(stringOpener(zstdFrame(window, "body")))
			r, err := b.OpenDecoded(nil)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			got, _ := io.ReadAll(r)
			s, err := b.Sums(nil)
			if err != nil || (string(got) == "body") != fits || (s.Doubt == "") != fits ||
				!fits && !strings.Contains(s.Doubt, "not valid zstd") {
				t.Errorf("a body with a window of %d bytes: %q, %q, %v", window, got, s.Doubt, err)
			}
		})
	}
}

// zstdFrame returns data in a zstd frame that declares a window of this size.
func zstdFrame(window int, data string) string {
	exponent := 0
	for ; 1<<(10+exponent) < window; exponent++ {
	}
	b := append([]byte("\x28\xb5\x2f\xfd"), 0, byte(exponent<<3))
	block := uint32(len(data))<<3 | 1
	return string(append(b, byte(block), byte(block>>8), byte(block>>16))) + data
}
