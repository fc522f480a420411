package body

import (
	"bytes"
	"io"
	"testing"
)

// FuzzCodings removes any codings from any body.
func FuzzCodings(f *testing.F) {
	f.Add("gzip", []byte(coded(f, "gzip", "body")))
	f.Add("deflate, br", []byte("x\x9c"))
	f.Add("gzip", []byte("\x1f\x8b"))
	f.Add("zstd,gzip", []byte("\x28\xb5\x2f\xfd"))
	f.Add("gzip, gzip, gzip, gzip, gzip", []byte(coded(f, "gzip", coded(f, "gzip", "x"))))
	f.Fuzz(func(t *testing.T, header string, body []byte) {
		b := &Body{Codings: codingsOf(header),
			Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }}
		if _, err := b.Sums(nil); err != nil {
			t.Error(err)
		}
	})
}
