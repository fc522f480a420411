package body

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/webcap-tools/webcap/digest/meter"
)

func headerOf(t testing.TB, text string) *Header {
	t.Helper()
	h, err := ReadHeader(bufio.NewReader(strings.NewReader(text)))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return h
}

// coded returns data in a content coding.
func coded(t testing.TB, coding, data string) string {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "br":
		w = brotli.NewWriter(&b)
	case "zlib":
		w = zlib.NewWriter(&b)
	case "flate":
		w, _ = flate.NewWriter(&b, 9)
	case "zstd":
		w, _ = zstd.NewWriter(&b)
	case "chunked":
		for len(data) > 0 {
			n := min(len(data), 7)
			fmt.Fprintf(&b, "%x; ext=1\r\n%s\r\n", n, data[:n])
			data = data[n:]
		}
		return b.String() + "0\r\nTrailer: x\r\n\r\n"
	default:
		t.Fatalf("no coding %q", coding)
	}
	if _, err := w.Write([]byte(data)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func stringOpener(data string) Opener {
	return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(data)), nil }
}

// readCoding removes one coding from data, and returns the decoded data and the doubt.
func readCoding(t testing.TB, name string, in io.Reader) (data, flaw string) {
	t.Helper()
	stored := bufio.NewReader(in)
	p := &pass{body: &Body{}, stored: io.NopCloser(stored)}
	p.add("", nil, stored)
	p.add(name, p.last().data, p.decoder(name, p.last().data))
	all, err := io.ReadAll(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(all), p.flaw
}

// TestForms: a body is read as it is stored, as it was sent, and without codings. Codings are removed as the data show
// them; each difference from the declaration is a doubt.
func TestForms(t *testing.T) {
	const plain = "the body, which is a little longer than a chunk, and than what a decoder has at hand"
	gz, br, zlib, flate, zs := coded(t, "gzip", plain), coded(t, "br", plain), coded(t, "zlib", plain),
		coded(t, "flate", plain), coded(t, "zstd", plain)
	chunks, chunkedGzip := coded(t, "chunked", plain), coded(t, "chunked", gz)
	badSum := gz[:len(gz)-8] + "\x00\x00\x00\x00" + gz[len(gz)-4:]
	const differs, invalid, long = "the header declares the codings ", "the data are not valid ",
		"longer than its header says"
	for _, row := range []struct{ name, fields, stored, sent, decoded, doubt string }{
		{"plain", "", plain, plain, plain, ""},
		{"identity", "Content-Encoding: identity\n", plain, plain, plain, ""},
		{"gzip", "Content-Encoding: GZIP\n", gz, gz, plain, ""},
		{"x-gzip", "Content-Encoding: x-gzip\n", gz, gz, plain, ""},
		{"two members", "Content-Encoding: gzip\n", gz + gz, gz + gz, plain + plain, ""},
		{"zlib", "Content-Encoding: deflate\n", zlib, zlib, plain, ""},
		{"zstd", "Content-Encoding: zstd\n", zs, zs, plain, ""},
		{"br", "Content-Encoding: br\n", br, br, plain, ""},
		{"raw deflate", "Content-Encoding: deflate\n", flate, flate, flate, differs},
		{"quotation marks", "Content-Encoding: \"gzip\"\n", gz, gz, plain, differs},
		{"an empty name", "Content-Encoding: , gzip\n", gz, gz, plain, ""},
		{"NULs after gzip", "Content-Encoding: gzip\n", gz + "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
			gz + "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", plain, invalid + "gzip"},
		{"gzip without its trailer", "Content-Encoding: gzip\n", gz[:len(gz)-8], gz[:len(gz)-8], plain, invalid + "gzip"},
		{"a wrong CRC", "Content-Encoding: gzip\n", badSum, badSum, plain, invalid + "gzip"},
		{"zlib without its checksum", "Content-Encoding: deflate\n", zlib[:len(zlib)-4], zlib[:len(zlib)-4], plain,
			invalid + "deflate"},
		{"CRLF after brotli", "Content-Encoding: br\n", br + "\r\n", br + "\r\n", plain, invalid + "br"},
		{"zlib called gzip", "Content-Encoding: gzip\n", zlib, zlib, plain, differs},
		{"gzip called deflate", "Content-Encoding: deflate\n", gz, gz, plain, differs},
		{"gzip undeclared", "", gz, gz, plain, differs},
		{"gzip once more", "Content-Encoding: gzip\n", coded(t, "gzip", gz), coded(t, "gzip", gz), plain, differs},
		{"gzip named twice", "Content-Encoding: gzip\nContent-Encoding: gzip\n", gz, gz, plain, differs},
		{"br undeclared", "", br, br, br, "no known type"},
		{"decoded before", "Content-Encoding: gzip\n", plain, plain, plain, differs},
		{"br decoded before", "Content-Encoding: br\n", plain, plain, plain, differs},
		{"an unknown coding", "Content-Encoding: sdch\n", plain, plain, plain, differs},
		{"nothing", "Content-Encoding: gzip\n", "", "", "", differs},
		{"two fields", "Content-Encoding: gzip\nContent-Encoding: br\n", coded(t, "br", gz), coded(t, "br", gz), plain, ""},
		{"chunks", "Transfer-Encoding: chunked\n", chunks, plain, plain, ""},
		{"no chunk", "Transfer-Encoding: chunked\n", "0\r\n\r\n", "", "", ""},
		{"chunks undeclared", "", chunks, plain, plain, differs},
		{"chunks removed before", "Transfer-Encoding: chunked\n", plain, plain, plain, differs},
		{"chunks and gzip", "Transfer-Encoding: chunked\nContent-Encoding: gzip\n", chunkedGzip, gz, plain, ""},
		{"gzip for transfer", "Transfer-Encoding: gzip, chunked\n", chunkedGzip, gz, plain, ""},
		{"both, chunks removed before", "Transfer-Encoding: chunked\nContent-Encoding: gzip\n", gz, gz, plain, differs},
		{"its length", fmt.Sprintf("Content-Length: %d\n", len(plain)), plain, plain, plain, ""},
		{"a longer body", "Content-Length: 3\n", plain, plain, plain, long},
		{"a body that should be empty", "Content-Length: 0\n", plain, plain, plain, long},
		{"a longer body in gzip", "Content-Encoding: gzip\nContent-Length: 3\n", gz, gz, plain, long},
		{"a shorter body", "Content-Length: 9999\n", plain, plain, plain, "cut off"},
		{"a length beyond all numbers", "Content-Length: 99999999999999999999\n", plain, plain, plain, "cut off"},
		{"chunks with a length", "Transfer-Encoding: chunked\nContent-Length: 9999\n", chunks, plain, plain, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			b := headerOf(t, row.fields+"\n").Body(stringOpener(row.stored))
			s, err := b.Sums(nil)
			if err != nil || (s.Doubt == "") != (row.doubt == "") || !strings.Contains(s.Doubt, row.doubt) {
				t.Errorf("doubt %q, %v, want %q", s.Doubt, err, row.doubt)
			}
			for f, want := range []string{row.stored, row.sent, row.decoded} {
				if s.ID[f] != md5.Sum([]byte(want)) || s.Size[f] != int64(len(want)) {
					t.Errorf("%v: the MD5 is not that of %q", Form(f), want)
				}
			}
			r, err := b.OpenDecoded(nil)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if data, err := io.ReadAll(r); string(data) != row.decoded || err != nil {
				t.Errorf("%q, %v, want %q", data, err, row.decoded)
			}
		})
	}
}

// TestDigests: each declared digest must be that of one of the forms.
func TestDigests(t *testing.T) {
	const plain = "the body"
	gz := coded(t, "gzip", plain)
	chunks := coded(t, "chunked", gz)
	of := func(data string) Checksum { return Checksum(fmt.Sprintf("md5:%x", md5.Sum([]byte(data)))) }
	for name, row := range map[string]struct {
		digests []Checksum
		agrees  bool
	}{
		"none":       {nil, true},
		"stored":     {[]Checksum{of(chunks)}, true},
		"sent":       {[]Checksum{of(gz)}, true},
		"decoded":    {[]Checksum{of(plain)}, true},
		"two":        {[]Checksum{of(plain), of(gz)}, true},
		"other":      {[]Checksum{of("other")}, false},
		"one of two": {[]Checksum{of(plain), of("other")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := headerOf(t, "Transfer-Encoding: chunked\nContent-Encoding: gzip\n\n").Body(stringOpener(chunks))
			b.Digests = row.digests
			if s, err := b.Sums(nil); err != nil || (s.Doubt == "") != row.agrees {
				t.Errorf("%q, %v", s.Doubt, err)
			}
		})
	}
}

// TestReadErrors: a read error of the disk is not a doubt about the data.
func TestReadErrors(t *testing.T) {
	disk := errors.New("disk failure")
	for coding, fields := range map[string]string{
		"gzip": "Content-Encoding: gzip\n", "zlib": "Content-Encoding: deflate\n",
		"br": "Content-Encoding: br\n", "zstd": "Content-Encoding: zstd\n",
		"chunked": "Transfer-Encoding: chunked\n",
	} {
		t.Run(coding, func(t *testing.T) {
			stored := coded(t, coding, strings.Repeat("the body ", 100))
			for _, n := range []int{0, 1, len(stored) / 2, len(stored)} {
				b := headerOf(t, fields+"\n").Body(func() (io.ReadCloser, error) {
					return io.NopCloser(io.MultiReader(strings.NewReader(stored[:n]), iotest.ErrReader(disk))), nil
				})
				if _, err := b.Sums(nil); !errors.Is(err, disk) {
					t.Errorf("%d bytes of %s: %v, want that of the disk", n, coding, err)
				}
				if r, err := b.OpenDecoded(nil); err == nil {
					if _, err := io.ReadAll(r); !errors.Is(err, disk) {
						t.Errorf("%d bytes of %s: %v, want that of the disk", n, coding, err)
					}
				}
			}
		})
	}
}

// TestSumsArePaid: stored and decoded bytes are paid, and an error of pay ends reading.
func TestSumsArePaid(t *testing.T) {
	const size = 1 << 20
	stored := coded(t, "gzip", strings.Repeat("\x00", size))
	for budget, fits := range map[int64]bool{size + int64(len(stored)): true, size: false, 0: false} {
		t.Run(fmt.Sprint(budget), func(t *testing.T) {
			m := &meter.Meter{}
			m.Limit(budget, 0)
			s, err := headerOf(t, "Content-Encoding: gzip\n\n").Body(stringOpener(stored)).Sums(m.Pay)
			if errors.Is(err, meter.Over{}) == fits || (s.Size[Decoded] == size) != fits {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
}

func FuzzHead(f *testing.F) {
	gz := coded(f, "gzip", "data")
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + coded(f, "chunked",
		gz)))
	f.Add([]byte("Content-Encoding: zstd, br, deflate\n\n(\xb5\x2f\xfd"))
	f.Add([]byte("HTTP/1.0 302 x\n a: b\n\tc\nLocation:\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bufio.NewReaderSize(bytes.NewReader(data), 16)
		h, err := ReadHeader(r)
		if err != nil {
			return
		}
		rest, _ := io.ReadAll(r)
		if h.Size+int64(len(rest)) != int64(len(data)) || !bytes.HasSuffix(data, rest) {
			t.Fatalf("a header of %d bytes and %d of %d", h.Size, len(rest), len(data))
		}
		b := h.Body(stringOpener(string(rest)))
		decoded, err := b.OpenDecoded(nil)
		if err != nil {
			t.Fatal(err)
		}
		defer decoded.Close()
		io.CopyN(io.Discard, decoded, 1<<20)
	})
}
