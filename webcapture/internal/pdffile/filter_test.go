package pdffile

import (
	"bytes"
	"compress/lzw"
	"compress/zlib"
	"encoding/ascii85"
	"encoding/hex"
	"io"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestAbbreviatedFilters: a filter is decoded under its short name as under its own.
func TestAbbreviatedFilters(t *testing.T) {
	const want = "some data, some data, some data"
	packed := func(by func(io.Writer) io.WriteCloser) string {
		var b bytes.Buffer
		w := by(&b)
		io.WriteString(w, want)
		w.Close()
		return b.String()
	}
	flate := packed(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })
	ascii := packed(ascii85.NewEncoder) + "~>"
	for filters, data := range map[string]string{
		"/Fl /FlateDecode":     flate,
		"/A85 /ASCII85Decode":  ascii,
		"/AHx /ASCIIHexDecode": hex.EncodeToString([]byte(want)) + ">",
		"/RL /RunLengthDecode": string(rune(len(want)-1)) + want + "\x80",
		"/LZW /LZWDecode": packed(func(w io.Writer) io.WriteCloser {
			return lzw.NewWriter(w,
				lzw.MSB, 8)
		}),
		"[/AHx/Fl] [/ASCIIHexDecode/FlateDecode]": hex.EncodeToString([]byte(flate)) + ">",
		"[/AHx/FlateDecode] [/ASCIIHexDecode/Fl]": hex.EncodeToString([]byte(flate)) + ">",
	} {
		t.Run(filters, func(t *testing.T) {
			short, long, _ := bytes.Cut([]byte(filters), []byte(" "))
			for _, filter := range [][]byte{short, long} {
				d := sample(false)
				num := d.Reserve()
				d.SetStream(num, "/Filter "+string(filter), []byte(data))
				got, err := DataOf(opened(t, string(filter), d.Bytes(webcapturetest.Layout{}),
					"").NewReader().Data(object.Ref{Num: uint32(num)}))
				if err != nil || string(got) != want {
					t.Errorf("%s: the data are %q, %v", filter, got, err)
				}
			}
		})
	}
}

// TestDamagedFlate: the error has the words of webcap, not those of the library.
func TestDamagedFlate(t *testing.T) {
	for name, data := range map[string]string{"no header": "data", "no blocks": "\x78\x9c\xff\xff\xff\xff"} {
		t.Run(name, func(t *testing.T) {
			d := sample(false)
			num := d.Reserve()
			d.SetStream(num, "/Filter /FlateDecode", []byte(data))
			file := opened(t, name, d.Bytes(webcapturetest.Layout{}), "")
			_, err := DataOf(file.NewReader().Data(object.Ref{Num: uint32(num)}))
			if err == nil || !strings.HasSuffix(err.Error(), "the deflated data are damaged") {
				t.Errorf("%v", err)
			}
		})
	}
}
