package pdffile

import (
	"context"
	"crypto/aes"
	"fmt"
	"regexp"
	"strings"
	"testing"

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
			f, err := New(context.Background(), []byte(table.ReplaceAllString(data, "xref\n"+section)), Options{})
			if err != nil || !f.Repaired() || !strings.Contains(strings.Join(f.Notices(), "\n"), "is invalid") {
				t.Errorf("section %s: %v, %q", section, err, f.Notices())
			}
		})
	}
}

// TestPositionOfMissingObjects: an object with a number beyond all numbers of the file has the offset 0.
func TestPositionOfMissingObjects(t *testing.T) {
	f, err := New(context.Background(), webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(webcapturetest.Layout{}),
		Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, num := range []uint32{uint32(f.Objects()), 1 << 22} {
		t.Run(fmt.Sprint(num), func(t *testing.T) {
			if ref := (object.Ref{Num: num}); f.offset(ref) != 0 {
				t.Errorf("%v stands at %d", ref, f.offset(ref))
			}
		})
	}
}
