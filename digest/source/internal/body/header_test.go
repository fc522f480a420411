package body

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
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
		return string(sourcetest.Gzip(data))
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

// TestFlaws: bodies that do not quite match their header are read as far as possible, and end in a Flaw. Exactly one
// body of a response is not Coded: the one with all codings removed.
func TestFlaws(t *testing.T) {
	const plain = "the body, which is a little longer than a chunk, and than what a decoder has at hand"
	gz, br, zlib, flate := coded(t, "gzip", plain), coded(t, "br", plain), coded(t, "zlib", plain),
		coded(t, "flate", plain)
	chunks := coded(t, "chunked", plain)
	badSum := gz[:len(gz)-8] + "\x00\x00\x00\x00" + gz[len(gz)-4:]
	chunkedGzip := coded(t, "chunked", gz)
	for _, row := range []struct{ name, fields, stored, want, flaw string }{
		{"gzip", "Content-Encoding: gzip\n", gz, plain, ""},
		{"capitals", "Content-Encoding: GZIP\n", gz, plain, ""},
		{"quotation marks", "Content-Encoding: \"gzip\"\n", gz, plain, errQuoted.Error()},
		{"NULs after gzip", "Content-Encoding: gzip\n", gz + "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", plain,
			"extra bytes follow the data"},
		{"CRLF after gzip", "Content-Encoding: gzip\n", gz + "\r\n", plain, "the data end early"},
		{"garbage after gzip", "Content-Encoding: gzip\n", gz + "<!-- cached -->", plain, "extra bytes follow the data"},
		{"gzip without its trailer", "Content-Encoding: gzip\n", gz[:len(gz)-8], plain, "the data end early"},
		{"gzip with half its trailer", "Content-Encoding: gzip\n", gz[:len(gz)-4], plain, "the data end early"},
		{"gzip that is cut off in its header", "Content-Encoding: gzip\n", gz[:5], "", "the data end early"},
		{"zlib that wants a dictionary", "Content-Encoding: deflate\n", "\x78\xbb\x00\x00\x00\x00", "", "dictionary"},
		{"a wrong CRC", "Content-Encoding: gzip\n", badSum, plain, "checksum"},
		{"zlib called gzip", "Content-Encoding: gzip\n", zlib, plain, errOther.Error()},
		{"gzip called deflate", "Content-Encoding: deflate\n", gz, plain, errOther.Error()},
		{"raw deflate", "Content-Encoding: deflate\n", flate, plain, errOther.Error()},
		{"raw deflate that begins almost like zlib", "Content-Encoding: deflate\n", "\x08\x04\x00\xfb\xfftext\x03\x00",
			"text", errOther.Error()},
		{"raw deflate with a check of zlib", "Content-Encoding: deflate\n",
			"\x00\x1f\x00\xe0\xff" + plain[:31] + "\x03\x00", plain[:31], errOther.Error()},
		{"zlib", "Content-Encoding: deflate\n", zlib, plain, ""},
		{"garbage after zlib", "Content-Encoding: deflate\n", zlib + "\r\n", plain, errTrailing.Error()},
		{"zlib without its checksum", "Content-Encoding: deflate\n", zlib[:len(zlib)-4], plain, "the data end early"},
		{"CRLF after brotli", "Content-Encoding: br\n", br + "\r\n", plain, errTrailing.Error()},
		{"CRLF after zstd", "Content-Encoding: zstd\n", coded(t, "zstd", plain) + "\r\n", plain, "the data end early"},
		{"zstd that is cut off", "Content-Encoding: zstd\n",
			strings.Repeat(coded(t, "zstd", plain), 2)[:len(coded(t, "zstd", plain))+6], plain, "the data end early"},
		{"chunks", "Transfer-Encoding: chunked\n", chunks, plain, ""},
		{"chunks without the end of the trailer", "Transfer-Encoding: chunked\n",
			strings.TrimSuffix(chunks, "Trailer: x\r\n\r\n"), plain, ""},
		{"blanks after sizes", "Transfer-Encoding: chunked\n", strings.ReplaceAll(chunks, "; ext=1", "   "), plain, ""},
		{"no last chunk", "Transfer-Encoding: chunked\n", strings.TrimSuffix(chunks, "0\r\nTrailer: x\r\n\r\n"), plain,
			"the data end early"},
		{"LF alone", "Transfer-Encoding: chunked\n", strings.ReplaceAll(chunks, "\r\n", "\n"), plain,
			errLineEnd.Error()},
		{"a chunk that is cut off", "Transfer-Encoding: chunked\n", "7\r\n" + plain[:3], plain[:3], "the data end early"},
		{"a chunk that is too long", "Transfer-Encoding: chunked\n", "3\r\n" + plain[:7] + "\r\n0\r\n\r\n", plain[:3],
			errChunkEnd.Error()},
		{"garbage after chunks", "Transfer-Encoding: chunked\n", chunks + "x", plain, errTrailing.Error()},
		{"chunked twice", "Transfer-Encoding: chunked, chunked\n", coded(t, "chunked", chunks), plain, ""},
		{"chunks in content", "Content-Encoding: chunked\n", chunks, plain, ""},
		{"joined before", "Transfer-Encoding: chunked\n", plain + "\n", "", errChunkSize.Error()},
		{"a last chunk that is missing, gzip that is whole", "Transfer-Encoding: chunked\nContent-Encoding: gzip\n",
			strings.TrimSuffix(chunkedGzip, "0\r\nTrailer: x\r\n\r\n"), plain, "chunked"},
		{"both", "Transfer-Encoding: chunked\nContent-Encoding: gzip\n", chunkedGzip, plain, ""},
		{"an unknown coding", "Content-Encoding: utf-8\n", plain, "", errCoding.Error()},
		{"decoded before", "Content-Encoding: gzip\n", plain, "", "the first bytes are wrong"},
		{"nothing", "Content-Encoding: gzip\n", "", "", "the data end early"},
		{"nothing for zstd", "Content-Encoding: zstd\n", "", "", "the data end early"},
		{"all that was to come", fmt.Sprintf("Content-Length: %d\n", len(plain)), plain, plain, ""},
		{"more than was to come", "Content-Length: 3\n", plain, plain, "longer than its header says"},
		{"more than nothing", "Content-Length: 0\n", plain, plain, "longer than its header says"},
		{"less than any number", "Content-Length: 99999999999999999999\n", plain, plain, "cut off"},
		{"the first of two flaws", "Content-Encoding: \"gzip\"\n", badSum, plain, errQuoted.Error()},
		{"less than was to come", fmt.Sprintf("Content-Length: %d\n", len(plain)+1), plain, plain, "cut off"},
		{"less than was to come, in chunks", "Transfer-Encoding: chunked\nContent-Length: 9999\n", chunks, plain, ""},
		{"two fields", "Content-Encoding: gzip\nContent-Encoding: br\n", coded(t, "br", gz), plain, ""},
		{"two fields, of which one says nothing", "Content-Encoding: gzip\nContent-Encoding: identity\n", gz, plain,
			""},
		{"two fields for chunks", "Transfer-Encoding: chunked\nTransfer-Encoding: identity\n", chunks, plain, ""},
		{"a coding named once too often", "Content-Encoding: gzip\nContent-Encoding: gzip\n", gz, "", "the first bytes are wrong"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var plainly []capture.Body
			for _, b := range headerOf(t, row.fields+"\n").Bodies(stringOpener(row.stored)) {
				if !b.Coded {
					plainly = append(plainly, b)
				}
			}
			if len(plainly) != 1 {
				t.Fatalf("%d bodies have everything off: %v", len(plainly), plainly)
			}
			got, err := sourcetest.ReadAll(plainly[0])
			flaw, _ := errors.AsType[*capture.Flaw](err)
			if string(got) != row.want || (flaw == nil) != (row.flaw == "") ||
				flaw != nil && (flaw.Damaged || !strings.Contains(flaw.Reason, row.flaw)) {
				t.Errorf("%q, %v, want %q and %q", got, err, row.want, row.flaw)
			}
		})
	}
}

// TestFailureIsNotAFlaw: a read error of the disk is not reported as a Flaw of the data.
func TestFailureIsNotAFlaw(t *testing.T) {
	disk := errors.New("disk failure")
	for coding, fields := range map[string]string{
		"gzip": "Content-Encoding: gzip\n", "zlib": "Content-Encoding: deflate\n",
		"flate": "Content-Encoding: deflate\n",
		"br":    "Content-Encoding: br\n", "zstd": "Content-Encoding: zstd\n",
		"chunked": "Transfer-Encoding: chunked\n",
	} {
		t.Run(coding, func(t *testing.T) {
			stored := coded(t, coding, strings.Repeat("the body ", 100))
			for _, n := range []int{0, 1, len(stored) / 2, len(stored)} {
				list := headerOf(t, fields+"\n").Bodies(func() (io.ReadCloser, error) {
					return io.NopCloser(io.MultiReader(strings.NewReader(stored[:n]), iotest.ErrReader(disk))), nil
				})
				if _, err := sourcetest.ReadAll(list[1]); !errors.Is(err, disk) {
					t.Errorf("%d bytes of %s: %v, want that of the disk", n, coding, err)
				}
			}
		})
	}
}

// TestBodies: a body has every form that its header permits. Reading a form shows whether it is right.
func TestBodies(t *testing.T) {
	const plain = "the body, which is a little longer than a chunk"
	gz, br := coded(t, "gzip", plain), coded(t, "br", plain)
	gzChunked := coded(t, "chunked", gz)
	const failed, flawed = "\x00failed", "\x00flawed"
	for _, row := range []struct {
		name, fields, stored string
		want                 []string // form, data, …
	}{
		{"plain", "", plain, []string{"as stored", plain}},
		{"identity", "Content-Encoding: identity\n", plain, []string{"as stored", plain}},
		{"gzip", "Content-Encoding: GZip\n", gz, []string{"as stored", gz, "gzip decoded", plain}},
		{"x-gzip", "Content-Encoding: x-gzip\n", gz, []string{"as stored", gz, "x-gzip decoded", plain}},
		{"two members", "Content-Encoding: gzip\n", gz + gz,
			[]string{"as stored", gz + gz, "gzip decoded", plain + plain}},
		{"decoded before", "Content-Encoding: gzip\n", plain, []string{"as stored", plain, "gzip decoded", failed}},
		{"zlib", "Content-Encoding: deflate\n", coded(t, "zlib", plain),
			[]string{"as stored", coded(t, "zlib", plain), "deflate decoded", plain}},
		{"flate", "Content-Encoding: deflate\n", coded(t, "flate", plain),
			[]string{"as stored", coded(t, "flate", plain), "deflate decoded", plain + flawed}},
		{"br", "Content-Encoding: br\n", br, []string{"as stored", br, "br decoded", plain}},
		{"zstd", "Content-Encoding: zstd\n", coded(t, "zstd", plain),
			[]string{"as stored", coded(t, "zstd", plain), "zstd decoded", plain}},
		{"two codings", "Content-Encoding: gzip, br\n", coded(t, "br", gz),
			[]string{"as stored", coded(t, "br", gz), "br decoded", gz, "br, gzip decoded", plain}},
		{"named once too often", "Content-Encoding: gzip\nContent-Encoding: gzip\n", gz,
			[]string{"as stored", gz, "gzip decoded", plain, "gzip, gzip decoded", failed}},
		{"unknown", "Content-Encoding: sdch\n", plain, []string{"as stored", plain, "sdch decoded", failed}},
		{"too many", "Content-Encoding: br, br, br, br, br\n", plain, []string{"as stored", plain, "decoded", failed}},
		{"chunked", "Transfer-Encoding: Chunked\n", coded(t, "chunked", plain),
			[]string{"as stored", coded(t, "chunked", plain), "chunks joined", plain}},
		{"gzip for transfer", "Transfer-Encoding: gzip, chunked\n", gzChunked,
			[]string{"as stored", gzChunked, "chunks joined", gz, "chunks joined, gzip decoded", plain, "gzip decoded",
				failed}},
		{"joined before", "Transfer-Encoding: chunked\n", plain, []string{"as stored", plain, "chunks joined", failed}},
		{"both", "Transfer-Encoding: chunked\nContent-Encoding: gzip\n", gzChunked,
			[]string{"as stored", gzChunked, "chunks joined", gz, "chunks joined, gzip decoded", plain, "gzip decoded",
				failed}},
		{"both, joined before", "Transfer-Encoding: chunked\nContent-Encoding: gzip\n", gz,
			[]string{"as stored", gz, "chunks joined", failed, "chunks joined, gzip decoded", failed, "gzip decoded",
				plain}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got []string
			for _, b := range headerOf(t, row.fields+"\n").Bodies(stringOpener(row.stored)) {
				data := failed
				if r, err := b.Open(); err == nil {
					all, err := io.ReadAll(r)
					if _, ok := errors.AsType[*capture.Flaw](err); err == nil {
						data = string(all)
					} else if ok && len(all) > 0 {
						data = string(all) + flawed
					}
					r.Close()
				}
				got = append(got, b.Form, data)
			}
			if len(got) != len(row.want) {
				t.Fatalf("%q, want %q", got, row.want)
			}
			for i := range got {
				if got[i] != row.want[i] {
					t.Errorf("%q, want %q", got[i], row.want[i])
				}
			}
		})
	}
}

// TestMaxBody: reading a body fails after exactly MaxBody bytes.
func TestMaxBody(t *testing.T) {
	const size = 64 << 20
	member := coded(t, "gzip", strings.Repeat("\x00", size))
	bomb := strings.Repeat(member, capture.MaxBody/size+1)
	exact := strings.Repeat(member, capture.MaxBody/size)
	for _, row := range []struct {
		name string
		body capture.Body
		fits bool
	}{
		{"gzip bomb", headerOf(t, "Content-Encoding: gzip\n\n").Bodies(stringOpener(bomb))[1], false},
		{"just fits", headerOf(t, "Content-Encoding: gzip\n\n").Bodies(stringOpener(exact))[1], true},
		{"endless", capture.NewBody(capture.AsStored,
			func() (io.ReadCloser, error) { return io.NopCloser(sourcetest.ZeroReader{}), nil }), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			r, err := row.body.Open()
			if err != nil {
				t.Fatal(err)
			}
			n, err := io.Copy(io.Discard, r)
			var large *capture.TooLarge
			if n != capture.MaxBody || errors.As(err, &large) == row.fits || !row.fits && large.Limit != capture.MaxBody {
				t.Errorf("%s: %d bytes, %v", row.name, n, err)
			}
			if again, err := r.Read(make([]byte, 9)); again != 0 || err == nil {
				t.Errorf("%s: %d bytes more, %v", row.name, again, err)
			}
			r.Close()
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
		for _, b := range h.Bodies(stringOpener(string(rest))) {
			r, err := b.Open()
			if err != nil {
				continue
			}
			io.CopyN(io.Discard, r, 1<<20)
			r.Close()
		}
	})
}
