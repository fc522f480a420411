package command

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// MD5s are those of the data as sent and fully decoded. If there is no encoding, both are the same; if decoding
// fails, there is only one.
func TestSourceListDigests(t *testing.T) {
	rows, err := csv.NewReader(bytes.NewReader(webcap(t, "source", "list", "--md5", "--format", "csv",
		testSource(t)))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range rows {
		got = append(got, strings.Join([]string{row[0], row[5], row[6], row[8]}, " "))
	}
	const (
		wrong   = "http://h/%s 9 361ba562c957c41671b2df81cc310597 361ba562c957c41671b2df81cc310597"
		chunked = "http://h/g 14 c4acde6474da9da824dee84464e7d36c 841a2d689ad86bd1611447453c22c6fc"
	)
	want := []string{
		"url bytes md5_stored md5_decoded",
		strings.Replace(wrong, "%s", "a", 1), "http://h/b 0  ", strings.Replace(wrong, "%s", "c", 1),
		"http://h/f 3 7f021a1415b86f2d013b2618fb31ae53 7f021a1415b86f2d013b2618fb31ae53", chunked,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

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
	for _, format := range []string{"table", "json", "csv"} {
		t.Run(format, func(t *testing.T) {
			var out countingWriter
			var said strings.Builder
			out.w = io.Discard
			code := Run([]string{"webcap", "source", "list", "--format", format, path}, nil, &out, &said)
			if limit := baseListed + byteListed*size + 1<<20; code != exitFailed || out.n > limit {
				t.Errorf("exit %d, %d bytes; want %d, and at most %d bytes", code, out.n, exitFailed, limit)
			}
			if !strings.Contains(said.String(), "records after this one are omitted") {
				t.Errorf("it says %q", said.String())
			}
		})
	}
}

// Data that look compressed, but that the source does not declare so, have a second digest only if they can be
// decoded.
func TestUndeclaredForms(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte("text"))
	z.Close()
	for name, tt := range map[string]struct {
		data  string
		forms int
	}{
		"text":         {"text", 1},
		"gzip":         {packed.String(), 2},
		"no real gzip": {"\x1f\x8b\x08\xff text", 1},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.warc")
			record := sourcetest.WARCRecord("resource", "http://h/", tt.data, "Content-Type: text/plain")
			if err := os.WriteFile(path, []byte(record), 0o666); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			code, stderr := run(nil, &out, "source", "list", "--md5", "-f", "json", path)
			if n := strings.Count(out.String(), `"form":`); code != exitClean || stderr != "" || n != tt.forms {
				t.Errorf("exit %d, %d forms, want %d:\n%s%s", code, n, tt.forms, out.String(), stderr)
			}
		})
	}
}
