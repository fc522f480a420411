package command

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The list is bounded even if its URLs repeat one byte: it would be a thousand times as long as the compressed file.
func TestSourceListIsBounded(t *testing.T) {
	const records, length = 2000, 60_000
	path := filepath.Join(t.TempDir(), "bomb.warc.gz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	const reply = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nx"
	z := gzip.NewWriter(f)
	for i := range records {
		fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%d>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"+
			"WARC-Target-URI: http://a/%d%s\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			i, i, strings.Repeat("a", length), len(reply), reply)
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		z.Reset(f)
	}
	size, err := f.Seek(0, io.SeekCurrent)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"table", "json"} {
		t.Run(format, func(t *testing.T) {
			var said strings.Builder
			out := new(byteCounter)
			code := Run([]string{"webcap", "source", "list", "--format", format, path}, nil, out, &said)
			if limit := 64<<20 + 32*size + 1<<20; code != exitFailed || int64(*out) > limit {
				t.Errorf("exit %d, %d bytes; want %d, and at most %d bytes", code, *out, exitFailed, limit)
			}
			if !strings.Contains(said.String(), "later records are not listed") {
				t.Errorf("it says %q", said.String())
			}
		})
	}
}

// byteCounter counts the bytes written.
type byteCounter int64

func (c *byteCounter) Write(p []byte) (int, error) {
	*c += byteCounter(len(p))
	return len(p), nil
}
