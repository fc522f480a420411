package body

import (
	"bytes"
	"io"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// FuzzCodings removes any codings from any body.
func FuzzCodings(f *testing.F) {
	f.Add("gzip", sourcetest.Gzip("body"))
	f.Add("deflate, br", []byte("x\x9c"))
	f.Add("gzip", []byte("\x1f\x8b"))
	f.Add("zstd,gzip", []byte("\x28\xb5\x2f\xfd"))
	f.Add("gzip, gzip, gzip, gzip, gzip", sourcetest.Gzip(string(sourcetest.Gzip("x"))))
	f.Fuzz(func(t *testing.T, header string, body []byte) {
		stored := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		r, err := decoded(stored, codingsOf(header))()
		if err != nil {
			return
		}
		defer r.Close()
		io.Copy(io.Discard, io.LimitReader(r, capture.MaxBody))
	})
}
