package body

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// storedOf returns data as a source stores them. open is the number of readers that are not closed.
func storedOf(data string, open *int) Stored {
	return Stored{Head: []byte(data[:min(len(data), HeadSize)]), Size: int64(len(data)),
		Open: func() (io.ReadCloser, error) {
			*open++
			return sourcetest.ClosingReader{Reader: strings.NewReader(data), Done: func() { *open-- }}, nil
		}}
}

// formsOf returns the form and the data of each body, followed by "(flaw)" or "(error)" if they do not end in io.EOF.
func formsOf(list []capture.Body) (forms []string) {
	for _, b := range list {
		data, err := sourcetest.ReadAll(b)
		form := fmt.Sprintf("%s: %s", b.Form, data)
		if _, ok := errors.AsType[*capture.Flaw](err); ok {
			form += "(flaw)"
		} else if err != nil {
			form = b.Form + ": (error)"
		}
		forms = append(forms, form)
	}
	return forms
}

// undeclaredOf returns the undeclared forms of a body with these header fields. Reading them closes all readers.
func undeclaredOf(t *testing.T, fields, stored string) []string {
	t.Helper()
	open := 0
	var list []capture.Body
	for _, b := range headerOf(t, fields+"\n").BodiesOf(storedOf(stored, &open)) {
		if (strings.Contains(b.Form, "undeclared") || strings.Contains(b.Form, "cut to")) != b.Undeclared ||
			b.Undeclared && b.Coded {
			t.Errorf("%s: Undeclared is %v, Coded %v", b.Form, b.Undeclared, b.Coded)
		}
		if b.Undeclared {
			list = append(list, b)
		}
	}
	forms := formsOf(list)
	if open != 0 {
		t.Errorf("%d readers are open still", open)
	}
	return forms
}

// inOneChunk returns data as one chunk, and the end of the chunks.
func inOneChunk(data string) string { return fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(data), data) }

// TestUndeclaredForms: a body has undeclared forms without the codings that its first bytes show, or may hide.
func TestUndeclaredForms(t *testing.T) {
	const plain = "the body, which is a little longer than a chunk"
	const decoded, asBr = "undeclared codings decoded: ", "undeclared br decoded: "
	const asDeflate = "undeclared raw deflate decoded: "
	gz, br, flate := coded(t, "gzip", plain), coded(t, "br", plain), coded(t, "flate", plain)
	zlib, zstd := coded(t, "zlib", plain), coded(t, "zstd", plain)
	nested := plain
	for range maxCodings + 1 {
		nested = inOneChunk(nested)
	}
	for _, row := range []struct {
		name, fields, stored string
		want                 []string
	}{
		{"text", "", plain, nil},
		{"gzip", "", gz, []string{decoded + plain}},
		{"zlib", "", zlib, []string{decoded + plain}},
		{"zstd", "", zstd, []string{decoded + plain}},
		{"chunks", "", inOneChunk(plain), []string{decoded + plain}},
		{"gzip in chunks", "", inOneChunk(gz), []string{decoded + plain}},
		{"zstd in gzip", "", coded(t, "gzip", zstd), []string{decoded + plain}},
		{"gzip that is cut off", "", gz[:len(gz)-8], []string{decoded + plain + "(flaw)"}},
		{"declared gzip", "Content-Encoding: gzip\n", gz, nil},
		{"declared x-gzip", "Content-Encoding: x-gzip\n", gz, nil},
		{"declared zlib", "Content-Encoding: deflate\n", zlib, nil},
		{"declared chunks", "Transfer-Encoding: chunked\n", inOneChunk(plain), nil},
		{"gzip declared as br", "Content-Encoding: br\n", gz, []string{decoded + plain}},
		{"gzip in gzip, once declared", "Content-Encoding: gzip\n", coded(t, "gzip", gz), nil},
		{"a file of type gzip", "Content-Type: application/gzip\n", gz, nil},
		{"a file of another type", "Content-Type: application/zip\n", gz, []string{decoded + plain}},
		{"chunks of declared gzip", "Content-Encoding: gzip\n", inOneChunk(gz),
			[]string{decoded + plain, "undeclared chunks joined, gzip decoded: " + plain}},
		{"chunks of declared br", "Content-Encoding: br\n", inOneChunk(br),
			[]string{decoded + br, "undeclared chunks joined, br decoded: " + plain}},
		{"undeclared gzip in declared chunks", "Transfer-Encoding: chunked\n", inOneChunk(gz), []string{decoded + plain,
			"undeclared chunks joined, chunked decoded: (flaw)"}},
		{"br", "", br, []string{asBr + plain, asDeflate + "(error)"}},
		{"raw deflate", "", flate, []string{asBr + "(error)", asDeflate + plain}},
		{"declared br", "Content-Encoding: br\n", br, nil},
		{"declared br in chunks", "Content-Encoding: br\nTransfer-Encoding: chunked\n", inOneChunk(br), nil},
		{"br in declared chunks", "Transfer-Encoding: chunked\n", inOneChunk(br),
			[]string{asBr + plain, asDeflate + "(error)"}},
		{"br in chunks that do not end", "Transfer-Encoding: chunked\n", strings.TrimSuffix(inOneChunk(br), "0\r\n\r\n"),
			[]string{asBr + plain, asDeflate + "(error)"}},
		{"br below declared gzip", "Content-Encoding: br, gzip\n", br, []string{asBr + plain, asDeflate + "(error)"}},
		{"br with CRLF", "", br + "\r\n", []string{asBr + "(error)", asDeflate + "(error)"}},
		{"8 octets", "", "\x00\x01\x02\x03\x04\x05\x06\x07", []string{asBr + "(error)", asDeflate + "(error)"}},
		{"7 octets", "", "\x00\x01\x02\x03\x04\x05\x06", nil},
		{"many chunks in chunks", "", nested, []string{decoded + inOneChunk(plain)}},
		{"many declared chunks in chunks", strings.Repeat("Transfer-Encoding: chunked\n", maxCodings), nested, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			sourcetest.Equal(t, "undeclared forms", undeclaredOf(t, row.fields, row.stored), row.want)
		})
	}
}

// TestDeclaredLength: a body that is longer than its header says has an undeclared form with the declared length.
func TestDeclaredLength(t *testing.T) {
	const plain, cut = "the body of the response", "cut to the declared length"
	gz := coded(t, "gzip", plain)
	for _, row := range []struct {
		name, fields, stored string
		want                 []string
	}{
		{"longer", "Content-Length: 8", plain, []string{cut + ": the body"}},
		{"longer by one", "Content-Length: 23", plain, []string{cut + ": " + plain[:23]}},
		{"exact", "Content-Length: 24", plain, nil},
		{"shorter", "Content-Length: 25", plain, nil},
		{"one", "Content-Length: 1", plain, []string{cut + ": t"}},
		{"nothing", "Content-Length: 0", plain, nil},
		{"negative", "Content-Length: -8", plain, nil},
		{"invalid", "Content-Length: 8x", plain, nil},
		{"huge", "Content-Length: 99999999999999999999", plain, nil},
		{"in chunks", "Content-Length: 8\nTransfer-Encoding: chunked", inOneChunk(plain), nil},
		{"gzip", fmt.Sprintf("Content-Length: %d", len(gz)), gz + "x",
			[]string{cut + ": " + gz, cut + ", undeclared codings decoded: " + plain,
				"undeclared codings decoded: " + plain + "(flaw)"}},
		{"declared gzip", fmt.Sprintf("Content-Encoding: gzip\nContent-Length: %d", len(gz)), gz + "x",
			[]string{cut + ": " + gz}},
		{"a file of type gzip", fmt.Sprintf("Content-Type: application/gzip\nContent-Length: %d", len(gz)), gz + "x",
			[]string{cut + ": " + gz}},
	} {
		t.Run(row.name, func(t *testing.T) {
			sourcetest.Equal(t, "undeclared forms", undeclaredOf(t, row.fields+"\n", row.stored), row.want)
		})
	}
}

// TestFirstChunk: the first chunk of a body is what follows a size, up to that size (RFC 9112, 7.1). "\x00none" stands
// for a body that does not begin with a chunk.
func TestFirstChunk(t *testing.T) {
	const none = "\x00none"
	for head, want := range map[string]string{
		"5\r\nhello\r\n":         "hello",
		"5\r\nhello\r\n0\r\n":    "hello",
		"5\nhello\n0\n":          "hello",
		"5\r\nhello\n0":          "hello",
		"5; a=b\r\nhello\r\n":    "hello",
		" 005 \r\nhello\r\n":     "hello",
		"A\r\n0123456789\r\n":    "0123456789",
		"5\r\nhelloX\n":          none,
		"5\r\nhello\rX":          none,
		"5\r\nhel":               "hel", // the rest is not in the first bytes
		"5\r\n":                  "",
		"7fffffff\r\nhello\r\n0": "hello\r\n0",
		"80000000\r\nhello\r\n0": none, // larger than any chunk of a real server
		"5\nhel":                 none, // a text whose first line is a number
		"0\r\n\r\n":              none, // nothing to join
		"-5\r\nhello\r\n":        none,
		"g\r\nhello\r\n":         none,
		"\r\nhello\r\n":          none,
		"5":                      none,
		"5\r":                    none,
		"":                       none,
	} {
		t.Run(fmt.Sprintf("%q", head), func(t *testing.T) {
			got := inFirstChunk([]byte(head))
			if (got == nil) != (want == none) || got != nil && string(got) != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}
