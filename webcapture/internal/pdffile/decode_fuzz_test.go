package pdffile

import (
	"bytes"
	"compress/lzw"
	"compress/zlib"
	"encoding/ascii85"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/filter"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
)

// FuzzDecode: for any chain of filters, decoding gives the same data as naive decoders without limits, or those of the
// standard library. Data that were encoded first are restored.
func FuzzDecode(f *testing.F) {
	const text = "-----A---B, some data, some data, some data"
	for filter := range byte(5) {
		for _, second := range []byte{0, 1, 3, 6} {
			f.Add([]byte(text), []byte{filter, second, second * 7, 5}, true)
			f.Add([]byte(text), []byte{filter, second, 12, 7, second, filter, 0, 3}, true)
		}
		f.Add([]byte("80 0b 60 50 22 0c 0c 85 01>~>"), []byte{3, 0, 0, 0, filter, filter, filter, filter}, false)
	}
	f.Add([]byte("zz!"), []byte{2, 0, 0, 0}, false)
	f.Add(uncleared(true, 3840, 4095), []byte{1, 0, 0, 0}, false)
	f.Add(bytes.Repeat([]byte(text), 200), []byte{1, 0, 0, 0}, true)
	f.Add([]byte("\x81\x00\x81\x00\x81\x00\x81\x00"), bytes.Repeat([]byte{4, 0, 0, 0}, 3), false)

	f.Fuzz(func(t *testing.T, data, how []byte, encoded bool) {
		if len(data) > 1<<14 {
			t.Skip()
		}
		chain := codings(how)
		stored := data
		if encoded {
			for _, c := range slices.Backward(chain) {
				data, stored = c.encode(data, stored)
			}
		}
		want, whole, cut := stored, true, false
		for _, c := range chain {
			want, whole = c.decode(want, whole)
			if len(want) > naiveMost {
				want, cut = want[:naiveMost], true
			}
		}
		const left = 1 << 21 // bytes that the file may still decode: more than the naive decoders return
		file := &File{fileBytes: fileBytes{meter: meter.New(0)}}
		file.meter.Limit(left, 0)
		got, all, err := decodeAll(t, file, dictOf(chain), stored, left)
		where := fmt.Sprintf("%s, %q", dictOf(chain), stored)
		if n, _ := file.meter.Spent(); n > left+meteredPiece+int64(len(chain))<<16 {
			t.Fatalf("%s: %d bytes are decoded that may not be", where, n)
		}
		switch {
		case cut: // where the naive decoders stop
			n := min(len(got), len(want))
			if !bytes.Equal(got[:n], want[:n]) {
				t.Fatalf("%s: %q, want %q", where, got[:n], want[:n])
			}
		case err != nil && (whole || len(want) > 0), !bytes.Equal(got, want), err == nil && all != whole:
			t.Fatalf("%s: %q, whole %v, %v, want %q, whole %v", where, got, all, err, want, whole)
		case encoded && (!whole || !bytes.Equal(got, data)):
			t.Fatalf("%s: %q, whole %v, was %q", where, got, whole, data)
		}
	})
}

// naiveMost is the number of bytes after which a naive decoder may stop.
const naiveMost = 1 << 17

// A coding is a filter with its parameters.
type coding struct {
	name      string
	late      bool // LZW with EarlyChange 0
	predictor int  // 0 is none
	colors    int
	bits      int
	columns   int
}

// codings returns at most three filters. Four bytes of how describe each.
func codings(how []byte) []coding {
	var all []coding
	for b := range slices.Chunk(how, 4) {
		if len(b) < 4 || len(all) == 3 {
			break
		}
		c := coding{name: []string{"FlateDecode", "LZWDecode", "ASCII85Decode", "ASCIIHexDecode",
			"RunLengthDecode"}[b[0]%5]}
		if b[0]%5 < 2 {
			c.late = b[0]%5 == 1 && b[0]/5%2 == 1
			c.predictor = []int{0, 2, 10, 11, 12, 13, 14, 15}[b[1]%8]
			c.colors, c.bits, c.columns = 1+int(b[2]%4), 1<<(b[2]/4%5), 1+int(b[3]%64)
			if c.predictor == 2 {
				c.bits = 8
			}
		}
		all = append(all, c)
	}
	return all
}

func dictOf(chain []coding) string {
	var names, parms strings.Builder
	for _, c := range chain {
		names.WriteString("/" + c.name)
		parms.WriteString("<<")
		if c.predictor > 0 {
			fmt.Fprintf(&parms, "/Predictor %d/Colors %d/BitsPerComponent %d/Columns %d", c.predictor, c.colors, c.bits,
				c.columns)
		}
		if c.late {
			parms.WriteString("/EarlyChange 0")
		}
		parms.WriteString(">>")
	}
	return "<</Filter[" + names.String() + "]/DecodeParms[" + parms.String() + "]>>"
}

func (c coding) row() int { return (c.colors*c.columns*c.bits + 7) / 8 }

// pixel returns the number of bytes of a pixel, rounded up: the distance to the byte on the left that predicts a byte.
func (c coding) pixel() int { return (c.colors*c.bits + 7) / 8 }

// encode encodes data, which were made from plain. It also returns what plain becomes after complete decoding: a
// predictor fills the last row of data with zeros.
func (c coding) encode(plain, data []byte) (is, encoded []byte) {
	is = plain
	if c.predictor > 0 {
		filled := append(bytes.Clone(data), make([]byte, (c.row()-len(data)%c.row())%c.row())...)
		if len(plain) == len(data) && bytes.Equal(plain, data) {
			is = filled
		}
		data = c.predict(filled)
	}
	var b bytes.Buffer
	var w io.WriteCloser
	switch c.name {
	case "FlateDecode":
		w = zlib.NewWriter(&b)
	case "LZWDecode":
		if c.late {
			w = lzw.NewWriter(&b, lzw.MSB, 8)
			break
		}
		return is, packedByPdfcpu(c.name, data)
	case "ASCII85Decode":
		w = ascii85.NewEncoder(&b)
	case "ASCIIHexDecode":
		return is, append(hex.AppendEncode(nil, data), '>')
	case "RunLengthDecode":
		return is, packedByPdfcpu(c.name, data)
	}
	w.Write(data)
	w.Close()
	if c.name == "ASCII85Decode" {
		b.WriteString("~>")
	}
	return is, b.Bytes()
}

func packedByPdfcpu(name string, data []byte) []byte {
	fl, err := filter.NewFilter(name, nil, -1)
	if err != nil {
		panic(err)
	}
	r, err := fl.Encode(bytes.NewReader(data))
	if err != nil {
		panic(err)
	}
	encoded, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return encoded
}

// predict applies the predictor. The PNG functions alternate from row to row.
func (c coding) predict(data []byte) (out []byte) {
	above := make([]byte, c.row())
	i := 0
	for row := range slices.Chunk(data, c.row()) {
		kind := byte(1)
		if c.predictor != 2 {
			kind = byte(i % 5)
			out = append(out, kind)
		}
		for j := range row {
			out = append(out, row[j]-c.predicted(kind, row, above, j))
		}
		above = row
		i++
	}
	return out
}

// predicted returns the predicted value of byte j of a row (PNG, clause 9).
func (c coding) predicted(kind byte, row, above []byte, j int) byte {
	var a, b, diagonal int
	if b = int(above[j]); j >= c.pixel() {
		a, diagonal = int(row[j-c.pixel()]), int(above[j-c.pixel()])
	}
	switch kind {
	case 1:
		return byte(a)
	case 2:
		return byte(b)
	case 3:
		return byte((a + b) / 2)
	case 4:
		near := []int{a, b, diagonal}
		distance := func(n int) int { return max(a+b-diagonal-n, n-a-b+diagonal) }
		return byte(slices.MinFunc(near, func(x, y int) int { return distance(x) - distance(y) }))
	}
	return 0
}

// decode returns the decoded data, and whether they are whole: their end is there, and a predictor has only whole
// rows.
func (c coding) decode(data []byte, whole bool) ([]byte, bool) {
	switch c.name {
	case "FlateDecode":
		data, whole = naiveFlate(data)
	case "LZWDecode":
		data, whole = naiveLZW(data, !c.late)
	case "ASCII85Decode":
		return naive85(data)
	case "ASCIIHexDecode":
		return naiveHex(data)
	case "RunLengthDecode":
		return naiveRuns(data)
	}
	switch c.predictor {
	case 0:
		return data, whole
	case 2:
		n := len(data) / c.row() * c.row()
		out := data[:n:n]
		for i := range out {
			if i%c.row() >= c.pixel() {
				out[i] += out[i-c.pixel()]
			}
		}
		return out, whole && n == len(data)
	}
	return c.byPNG(data, whole)
}

func naiveFlate(data []byte) ([]byte, bool) {
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, false
	}
	out, err := io.ReadAll(io.LimitReader(z, naiveMost+1))
	return out, err == nil
}

func naiveLZW(data []byte, early bool) (out []byte, whole bool) {
	const clear, end = 256, 257
	var table [][]byte
	var last []byte
	width := 0
	for at := 0; len(out) <= naiveMost; {
		if last == nil {
			table, width = table[:0], 9
			for i := range end + 1 {
				table = append(table, []byte{byte(i)})
			}
		}
		if at+width > 8*len(data) {
			return out, false
		}
		code := 0
		for range width {
			code = code<<1 | int(data[at/8]>>(7-at%8)&1)
			at++
		}
		if code == clear {
			last = nil
			continue
		}
		if code == end {
			return out, true
		}
		if code > len(table) || code == len(table) && last == nil {
			return out, false
		}
		if last != nil && len(table) < 1<<12 {
			next := append(bytes.Clone(last), 0)
			if code < len(table) {
				next[len(last)] = table[code][0]
			} else {
				next[len(last)] = last[0]
			}
			table = append(table, next)
		}
		if code == len(table) {
			return out, false
		}
		last = table[code]
		out = append(out, last...)
		size := len(table)
		if early {
			size++
		}
		for width < 12 && size >= 1<<width {
			width++
		}
	}
	return out, false
}

// uncleared returns LZW data that never clear the table: n times the code of A, and then the code last.
func uncleared(early bool, n, last int) (out []byte) {
	const end = 257
	size, width, bits, held := end, 9, 0, 0
	for i := range n + 2 {
		code := 'A'
		if i >= n {
			code = rune([]int{last, end}[i-n])
		}
		bits, held = bits<<width|int(code), held+width
		for ; held >= 8; held -= 8 {
			out = append(out, byte(bits>>(held-8)))
			bits &= 1<<(held-8) - 1
		}
		size++
		if width < 12 && (size >= 1<<width || early && size+1 == 1<<width) {
			width++
		}
	}
	return append(out, byte(bits<<(8-held)))
}

// TestLZWGoesOnWithAFullTable: in a full table that is never cleared, the last code has a value, and any number of
// codes may follow.
func TestLZWGoesOnWithAFullTable(t *testing.T) {
	for _, early := range []bool{true, false} {
		t.Run(fmt.Sprint(early), func(t *testing.T) {
			c := coding{name: "LZWDecode", late: !early}
			for _, n := range []int{3836, 3837, 3838, 3839, 3840, 70_000} {
				for _, last := range []int{'A', 4094, 4095} {
					data := uncleared(early, n, last)
					want, whole := naiveLZW(data, early)
					if last == 'A' && (!whole || len(want) != n+1) {
						t.Fatalf("%d codes, early %v: the naive decoder gives %d bytes, whole %v", n, early, len(want),
							whole)
					}
					got, all, err := decodeAll(t, &File{}, dictOf([]coding{c}), data,
						1<<20)
					if !bytes.Equal(got, want) || all != whole {
						t.Errorf("%d codes, then %d, early %v: %d bytes, whole %v, %v, want %d, whole %v", n, last, early,
							len(got), all, err, len(want), whole)
					}
				}
			}
		})
	}
}

// naive85 treats every byte up to the space as white space. Of groups that exceed four bytes, it uses the lowest four,
// as readers do.
func naive85(data []byte) (out []byte, whole bool) {
	var group []byte
	for _, c := range data {
		switch {
		case c == '~':
			if len(group) == 1 {
				return out, false
			}
			return append(out, value85(group)...), true
		case c <= ' ':
		case c == 'z' && len(group) == 0:
			out = append(out, 0, 0, 0, 0)
		case c < '!' || c > 'u':
			return append(out, value85(group)...), false
		default:
			if group = append(group, c); len(group) == 5 {
				out, group = append(out, value85(group)...), nil
			}
		}
	}
	return append(out, value85(group)...), false
}

func value85(group []byte) []byte {
	if len(group) < 2 {
		return nil
	}
	var v uint32
	for i := range 5 {
		digit := byte('u')
		if i < len(group) {
			digit = group[i]
		}
		v = v*85 + uint32(digit-'!')
	}
	return binary.BigEndian.AppendUint32(nil, v)[:len(group)-1]
}

func naiveHex(data []byte) (out []byte, whole bool) {
	var digits []byte
	for _, c := range data {
		if whole = c == '>'; whole {
			break
		}
		if object.IsSpace(c) {
			continue
		}
		if !strings.ContainsRune("0123456789abcdefABCDEF", rune(c)) {
			break
		}
		digits = append(digits, c)
	}
	if len(digits)%2 == 1 {
		digits = append(digits, '0')
	}
	out, err := hex.DecodeString(string(digits))
	return out, whole && err == nil
}

func naiveRuns(data []byte) (out []byte, whole bool) {
	for len(data) > 0 && len(out) <= naiveMost {
		n := int(data[0])
		data = data[1:]
		switch {
		case n == 128:
			return out, true
		case n < 128:
			run := data[:min(n+1, len(data))]
			out, data = append(out, run...), data[len(run):]
		case len(data) > 0:
			out, data = append(out, bytes.Repeat(data[:1], 257-n)...), data[1:]
		}
	}
	return out, false
}

// byPNG reverses PNG predictors by decoding a PNG image with these rows. It fills each row up to whole pixels. The
// filling is at the end of a row, where no other byte depends on it.
func (c coding) byPNG(data []byte, whole bool) ([]byte, bool) {
	filled := (c.row() + c.pixel() - 1) / c.pixel() * c.pixel()
	var rows []byte
	height := 0
	for row := range slices.Chunk(data, 1+c.row()) {
		if len(row) < 1+c.row() || row[0] > 4 {
			whole = false
			break
		}
		rows = append(append(rows, row...), make([]byte, filled-c.row())...)
		height++
	}
	if height == 0 {
		return nil, whole
	}
	kind := map[int][2]byte{1: {8, 0}, 2: {16, 0}, 3: {8, 2}, 4: {8, 6}, 6: {16, 2}, 8: {16, 6}}[c.pixel()]
	file := bytes.NewBufferString("\x89PNG\r\n\x1a\n")
	chunk := func(name string, data []byte) {
		text := append([]byte(name), data...)
		binary.Write(file, binary.BigEndian, uint32(len(data)))
		file.Write(binary.BigEndian.AppendUint32(text, crc32.ChecksumIEEE(text)))
	}
	header := binary.BigEndian.AppendUint32(nil, uint32(filled/c.pixel()))
	header = binary.BigEndian.AppendUint32(header, uint32(height))
	chunk("IHDR", append(header, kind[0], kind[1], 0, 0, 0))
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	w.Write(rows)
	w.Close()
	chunk("IDAT", z.Bytes())
	chunk("IEND", nil)
	img, err := png.Decode(file)
	if err != nil {
		panic(err)
	}
	var out []byte
	for row := range slices.Chunk(pixels(img, c.pixel()), filled) {
		out = append(out, row[:c.row()]...)
	}
	return out, whole
}

// pixels returns the bytes of all pixels, of which each has size bytes.
func pixels(img image.Image, size int) (out []byte) {
	var all []byte
	stored := size
	switch img := img.(type) {
	case *image.Gray:
		all = img.Pix
	case *image.Gray16:
		all = img.Pix
	case *image.RGBA:
		all, stored = img.Pix, 4
	case *image.NRGBA:
		all = img.Pix
	case *image.RGBA64:
		all, stored = img.Pix, 8
	case *image.NRGBA64:
		all = img.Pix
	default:
		panic(fmt.Sprintf("an image of the type %T", img))
	}
	for p := range slices.Chunk(all, stored) {
		out = append(out, p[:size]...)
	}
	return out
}
