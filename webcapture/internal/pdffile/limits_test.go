package pdffile

import (
	"bytes"
	"context"
	"crypto/aes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestBrokenCiphertextIsAnError: data with a length that no ciphertext has are an error, not empty.
func TestBrokenCiphertextIsAnError(t *testing.T) {
	key := make([]byte, aes.BlockSize)
	for _, n := range []int{2*aes.BlockSize + 1, 3*aes.BlockSize - 1} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if data, err := openAES(key, make([]byte, n)); err == nil {
				t.Errorf("%d bytes: %q, without an error", n, data)
			}
		})
	}
}

// TestDataThatBreakOffAtOnce: compressed data of which nothing can be decoded are an error, not empty.
func TestDataThatBreakOffAtOnce(t *testing.T) {
	for _, data := range []string{"\x78\x9c", "\x78\x9c\x07", "no zlib data"} {
		t.Run(data, func(t *testing.T) {
			z, err := inflater(strings.NewReader(data))
			if err != nil {
				return
			}
			if out, _, err := readUpTo(z, 100); err == nil {
				t.Errorf("%q: %q, without an error", data, out)
			}
		})
	}
}

// TestImpossibleNumbersInSections: impossible numbers in a section are damage, and allocate no memory.
func TestImpossibleNumbersInSections(t *testing.T) {
	for text, want := range map[string]bool{
		"[ ]": true, "[ 0 7 1099511627776 ]": true,
		"[ -1 ]": false, "[ 1 1.5 ]": false, "[ 1 (2) ]": false, "[ 1099511627777 ]": false, "7": false,
	} {
		t.Run(text, func(t *testing.T) {
			o, _, err := object.Parse([]byte(text), 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := ints(o); ok != want {
				t.Errorf("ints(%s): %v, want %v", text, ok, want)
			}
		})
	}
	data := string(webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(webcapturetest.Layout{}))
	table := regexp.MustCompile(`xref\n0 \d+`)
	for _, section := range []string{"8388600 12", "9999999999 12", "0 99999"} {
		t.Run(section, func(t *testing.T) {
			f, err := New(context.Background(), []byte(table.ReplaceAllString(data, "xref\n"+section)), nil)
			if err != nil || !f.Repaired() || !strings.Contains(strings.Join(f.Notices(), "\n"), "is invalid") {
				t.Errorf("section %s: %v, %q", section, err, f.Notices())
			}
		})
	}
}

// TestAESKeysOfTenBytes: a 40-bit file key and AESV2 give object keys of ten bytes, which AES does not have. This is an
// error of each string and stream.
func TestAESKeysOfTenBytes(t *testing.T) {
	c := &crypt{key: make([]byte, 5), strings: aesKey, streams: aesKey}
	ref := object.Ref{Num: 7}
	if b, err := c.encrypt(ref, []byte("(secret)"), strings.NewReader(strings.Repeat("x", 99))); err == nil {
		t.Errorf("encrypted as %q", b)
	}
	if o, err := c.decrypt(ref, literal("<"+strings.Repeat("00", 32)+">")); !object.IsMalformed(err) {
		t.Errorf("decrypted as %v, %v", o, err)
	}
	if r, err := c.stream(ref, rawStream{data: make([]byte, 48)}, nil); err == nil {
		t.Errorf("a stream has the reader %v", r)
	}
}

// TestAESStreamsInSmallReads: the size of the reads does not change the data of an encrypted stream.
func TestAESStreamsInSmallReads(t *testing.T) {
	key := []byte("a key of sixteen")
	for _, n := range []int{0, 1, 15, 16, 17, 256*aes.BlockSize - 1, 256 * aes.BlockSize, 600 * aes.BlockSize} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			want := strings.Repeat("0123456789abcdefg", n/17+1)[:n]
			sealed, err := sealAES(key, []byte(want), strings.NewReader("vector of 16 byte"))
			if err != nil {
				t.Fatal(err)
			}
			for _, in := range []func(io.Reader) io.Reader{iotest.OneByteReader, iotest.HalfReader} {
				r, err := newAESReader(key, sealed)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := io.ReadAll(in(r)); err != nil || string(got) != want {
					t.Errorf("%d bytes become %d: %v", n, len(got), err)
				}
			}
		})
	}
}

// TestStringsOfSignatures: only Contents of a signature stays as it is when strings are encrypted.
func TestStringsOfSignatures(t *testing.T) {
	c := &crypt{key: make([]byte, 16), strings: rc4Key}
	for text, plain := range map[string]bool{"<</Contents(secret)>>": false, "<</ByteRange[1]/Other(secret)>>": false,
		"<</ByteRange[1]/Contents(secret)>>": true} {
		t.Run(text, func(t *testing.T) {
			got, err := c.encrypt(object.Ref{Num: 7}, []byte(text), nil)
			if err != nil || bytes.Contains(got, []byte("(secret)")) != plain {
				t.Errorf("%s, %v", got, err)
			}
		})
	}
}

// TestAppendable: each reason has its own words.
func TestAppendable(t *testing.T) {
	for want, f := range map[string]*File{
		"":                           {newest: 9},
		"the file has no header":     {newest: 9, headerAt: -1},
		"the header is at offset 7,": {newest: 9, headerAt: 7},
		"the file's cross-reference data is damaged": {newest: 9, searched: true},
	} {
		t.Run(want, func(t *testing.T) {
			if err := f.Appendable(); (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		})
	}
	if got := reason(errFlate) + reason(damaged("x")); got != errFlate.Error()+"x" {
		t.Errorf("the reasons are %q", got)
	}
}

// TestReferencesToOtherObjects: a reference whose place has another object means null.
func TestReferencesToOtherObjects(t *testing.T) {
	f := &File{fileBytes: fileBytes{data: []byte("7 0 obj 5 ")},
		entries: []entry{3: {kind: inFile}, 4: {at: 7, kind: inFile}, 5: {kind: inStream}, 7: {kind: inFile}}}
	for text, want := range map[string]string{"7 0 R": "5", "3 0 R": "", "4 0 R": "", "5 0 R": "", "9 0 R": "",
		"(a)": "(a)"} {
		t.Run(text, func(t *testing.T) {
			if got, _ := object.Resolve(plainSource{f}, literal(text)); string(got.Raw()) != want {
				t.Errorf("%v, want %s", got, want)
			}
		})
	}
}

// TestCanceledFilesAreNotRead: after the context is canceled, each read returns its cause.
func TestCanceledFilesAreNotRead(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	f, err := New(ctx, webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(webcapturetest.Layout{}), nil)
	if err != nil || f.Err() != nil {
		t.Fatal(err, f.Err())
	}
	during := f.guarded(func() error { cancel(cause); return &object.Malformed{} })
	_, got := f.NewReader().Get(object.Ref{Num: 1})
	_, written := f.WriteTo(io.Discard)
	_, opened := New(ctx, f.data, nil)
	for name, err := range map[string]error{"during": during, "Err": f.Err(), "Intact": f.Intact(), "Get": got,
		"WriteTo": written, "New": opened} {
		if err != cause {
			t.Errorf("%s: %v, want %v", name, err, cause)
		}
	}
}

// TestWidthsOfFields: a field has as many bytes as its largest number needs, and at least one.
func TestWidthsOfFields(t *testing.T) {
	for n, want := range map[uint64]int{0: 1, 1: 1, 255: 1, 256: 2, 65535: 2, 65536: 3, 1<<32 - 1: 4, 1 << 32: 5} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if got := width(n); got != want {
				t.Errorf("%d needs %d bytes, want %d", n, got, want)
			}
		})
	}
}

// TestPasswordsArePaid: fewer passwords are tried from revision 5 on.
func TestPasswordsArePaid(t *testing.T) {
	for revision, most := range map[int64]int{2: 32768, 5: 1024} {
		t.Run(fmt.Sprint(revision), func(t *testing.T) {
			h := &standardHandler{revision: revision, lengths: []int{5}, owner: make([]byte, 48), user: make([]byte, 48)}
			for n, want := range map[int]error{1: ErrPassword, most: meter.Over{}} { // one more is the empty password
				if key, err := h.fileKey(make([]string, n), meter.New(0)); key != nil || err != want {
					t.Errorf("%d passwords: key %x, %v, want %v", n, key, err, want)
				}
			}
		})
	}
}

// TestFilesOverTheirMeter: a file whose objects are malformed, or whose streams have no end, pays for the bytes that
// are searched in vain. After it has paid too much, no part is missing in silence.
func TestFilesOverTheirMeter(t *testing.T) {
	d := webcapturetest.Sets(1, webcapturetest.Options{})
	sound := object.Ref{Num: uint32(d.Add("(sound)"))}
	malformed := object.Ref{Num: uint32(d.Add("[ (not closed"))}
	endless := object.Ref{Num: uint32(d.AddStream("<</Length 9999>>", []byte(strings.Repeat("data", 99))))}
	f := opened(t, "searches", d.Bytes(webcapturetest.Layout{}), "")
	for _, read := range []func() error{
		func() error { _, err := f.NewReader().Get(malformed); return err },
		func() error { _, err := f.NewReader().Stream(endless); return object.IgnoreMalformed(err) },
	} {
		before, _ := f.meter.Spent()
		err := read()
		if after, _ := f.meter.Spent(); after == before {
			t.Errorf("nothing is paid: %v", err)
		}
	}
	f.meter.Pay(1 << 60)
	r := f.NewReader()
	for _, ref := range []object.Ref{sound, malformed, endless} {
		_, err := r.Get(ref)
		_, inStream := r.Data(ref)
		if err != (meter.Over{}) || inStream != (meter.Over{}) {
			t.Errorf("%v: %v, %v", ref, err, inStream)
		}
	}
	if err := f.Repair(damaged("late")); err != (meter.Over{}) {
		t.Errorf("a file that is repaired has a new meter: %v", err)
	}
}
