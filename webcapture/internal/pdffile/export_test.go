package pdffile

import (
	"context"
	"io"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// EachLayout calls do with each of the layouts, for tests outside of this package.
func EachLayout(do func(name string, l webcapturetest.Layout, password string)) {
	for _, l := range layouts {
		do(l.name, l.layout, l.password)
	}
}

// DataOf reads a Stream.
func DataOf(s *Stream, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return io.ReadAll(s)
}

// Reading has do called before each read of mapped bytes, until stop is called.
func Reading(do func()) (stop func()) {
	reading = do
	return func() { reading = nil }
}

// openAES decrypts data in CBC mode.
func openAES(key, data []byte) ([]byte, error) {
	r, err := newAESReader(key, data)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// newFile is New; withoutXRef says to ignore the cross-reference data.
func newFile(ctx context.Context, data []byte, withoutXRef bool, passwords ...string) (*File, error) {
	f := &File{fileBytes: fileBytes{data: data, ctx: ctx, passwords: passwords}}
	return f, f.open(withoutXRef)
}
