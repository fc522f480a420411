package outline

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/hex"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// imageFile is a file with an image, and an outliner that reads it.
type imageFile struct {
	*outliner
	ref  object.Ref
	dict object.Dict
}

// newImageFile returns a file with an image, and with the objects of the text more.
func newImageFile(t *testing.T, dict, data, more string) imageFile {
	t.Helper()
	return openImageFile(t, context.Background(), dict, data, more)
}

func openImageFile(t *testing.T, ctx context.Context, dict, data, more string) imageFile {
	t.Helper()
	d, err := webcapturetest.Parse(more)
	if err != nil {
		t.Fatal(err)
	}
	ref := object.Ref{Num: uint32(d.AddStream("/Subtype /Image "+dict, []byte(data)))}
	return imageOf(ctx, t, d.Bytes(webcapturetest.Layout{}), ref)
}

// imageOf opens a file and returns the image ref.
func imageOf(ctx context.Context, t *testing.T, data []byte, ref object.Ref) imageFile {
	t.Helper()
	f, err := webcapture.New(ctx, data, webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	im := imageFile{outliner: &outliner{reader: f.NewReader()}, ref: ref}
	o, err := im.reader.Get(ref)
	if err != nil {
		t.Fatal(err)
	}
	im.dict, _ = o.Dict()
	return im
}

// decoded returns the picture of the image, which must be a PNG file.
func (im imageFile) decoded(t *testing.T) image.Image {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(im.picture(im.ref, im.dict)))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// tableText and table are the table of an Indexed colour space, with room for five colours of three components.
const tableText = "<000102 ff8040 10f0a0 808080 07c7ff>"

var table = [...]byte{0, 1, 2, 255, 128, 64, 16, 240, 160, 128, 128, 128, 7, 199, 255}

// components converts sample values from 0 to most into components from 0 to 1.
func components(v []int, most int) []float64 {
	var c []float64
	for _, v := range v {
		c = append(c, float64(v)/float64(most))
	}
	return c
}

// entryOf returns the components of colour v[0] in table, which has colours of n components. Outside of it, all are 0.
func entryOf(n int) func(v []int, _ int) []float64 {
	return func(v []int, _ int) []float64 {
		c := make([]float64, n)
		for i := range c {
			if at := v[0]*n + i; (v[0]+1)*n <= len(table) {
				c[i] = float64(table[at]) / 255
			} else if n == 4 {
				c[i] = 1 // black in CMYK
			}
		}
		return c
	}
}

// red, green, and blue of a colour by the number of its components, from 0 to 255.
func naiveRGB(c []float64) [3]float64 {
	switch len(c) {
	case 1:
		return [3]float64{255 * c[0], 255 * c[0], 255 * c[0]}
	case 3:
		return [3]float64{255 * c[0], 255 * c[1], 255 * c[2]}
	}
	return [3]float64{255 * (1 - c[0]) * (1 - c[3]), 255 * (1 - c[1]) * (1 - c[3]), 255 * (1 - c[2]) * (1 - c[3])}
}

// colourSpaces are colour spaces with pictures. Values of n samples become the components of a colour.
var colourSpaces = []struct {
	text   string
	n      int
	colour func(v []int, most int) []float64
}{
	{"/DeviceGray", 1, components},
	{"/DeviceRGB", 3, components},
	{"/DeviceCMYK", 4, components},
	{"/CalGray", 1, components},
	{"[ /DeviceRGB ]", 3, components},
	{"[ /CalGray << /WhitePoint [ 1 1 1 ] >> ]", 1, components},
	{"[ /CalRGB << /WhitePoint [ 1 1 1 ] >> ]", 3, components},
	{"[ /ICCBased 11 0 R ]", 1, components},
	{"[ /ICCBased 13 0 R ]", 3, components},
	{"[ /ICCBased 14 0 R ]", 4, components},
	{"20 0 R", 3, components},
	{"[ 21 0 R 13 0 R ]", 3, components},
	{"[ /Indexed /DeviceGray 14 " + tableText + " ]", 1, entryOf(1)},
	{"[ /Indexed /DeviceRGB 4 " + tableText + " ]", 1, entryOf(3)},
	{"[ /Indexed /DeviceCMYK 2 " + tableText + " ]", 1, entryOf(4)},
	{"[ /Indexed [ /CalRGB << >> ] 4 " + tableText + " ]", 1, entryOf(3)},
	{"[ /Indexed 22 0 R 4 23 0 R ]", 1, entryOf(3)},
	{"[ /Indexed 20 0 R 4 24 0 R ]", 1, entryOf(3)},
}

// spaceObjects are the objects to which colourSpaces refers.
const spaceObjects = `
	11 0 obj << /N 1 >> stream
	endstream
	13 0 obj << /N 30 0 R >> stream
	endstream
	14 0 obj << /N 4 >> stream
	endstream
	20 0 obj /DeviceRGB
	21 0 obj /ICCBased
	22 0 obj [ 21 0 R 13 0 R ]
	23 0 obj ` + tableText + `
	24 0 obj << /Filter /ASCIIHexDecode >> stream
000102ff804010f0a080808007c7ff>
endstream
	30 0 obj 3
`

// naiveValue reads a component bit by bit. A row of samples begins at a whole byte (8.9.3).
func naiveValue(data string, width, n, bits, x, y, i int) int {
	row := width * n * bits
	for row%8 != 0 {
		row++
	}
	v := 0
	for b := range bits {
		at := y*row + (x*n+i)*bits + b
		v = 2*v + int(data[at/8]>>(7-at%8)&1)
	}
	return v
}

// TestPicturesHaveTheColoursOfTheImage: each pixel has the colour of its sample, by colour space (8.6), number of bits
// (8.9.3), and Decode (8.9.5.2).
func TestPicturesHaveTheColoursOfTheImage(t *testing.T) {
	const width, height = 7, 3
	r := rand.New(rand.NewPCG(1, 2))
	for _, space := range colourSpaces {
		for _, bits := range []int{1, 2, 4, 8} {
			data := make([]byte, (width*space.n*bits+7)/8*height)
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			most := 1<<bits - 1
			greatest := most // of Decode
			if !strings.Contains(space.text, "Indexed") {
				greatest = 1
			}
			for decode, inverted := range map[string]bool{
				"": false,
				"/Decode [ " + strings.Repeat(fmt.Sprintf("0 %d ", greatest), space.n) + "]": false,
				"/Decode [ " + strings.Repeat(fmt.Sprintf("%d 0 ", greatest), space.n) + "]": true,
			} {
				dict := fmt.Sprintf("/Width %d /Height %d /BitsPerComponent %d /ColorSpace %s %s", width, height, bits,
					space.text, decode)
				got := newImageFile(t, dict, string(data), spaceObjects).decoded(t)
				samePixels(t, dict, got, width, height, func(x, y int) [3]float64 {
					v := make([]int, space.n)
					for i := range v {
						if v[i] = naiveValue(string(data), width, space.n, bits, x, y, i); inverted {
							v[i] = most - v[i]
						}
					}
					return naiveRGB(space.colour(v, most))
				})
			}
		}
	}
}

// samePixels compares a picture with the wanted red, green, and blue. A difference of 1 is a matter of rounding.
func samePixels(t *testing.T, what string, got image.Image, width, height int, want func(x, y int) [3]float64) {
	t.Helper()
	if size := got.Bounds().Size(); size != image.Pt(width, height) {
		t.Errorf("%s: the picture is %v large, want %d by %d", what, size, width, height)
		return
	}
	for y := range height {
		for x := range width {
			r, g, b, a := got.At(x, y).RGBA()
			is, want := [3]uint32{r >> 8, g >> 8, b >> 8}, want(x, y)
			for i := range want {
				if d := float64(is[i]) - want[i]; d < -1.01 || d > 1.01 || a != 0xffff {
					t.Errorf("%s: pixel %d, %d is %d, want %.1f, opaque", what, x, y, is, want)
					return
				}
			}
		}
	}
}

// TestLargeImagesAreReduced: a picture has the mean colours of squares. The squares are as small as the maximum side
// of a picture permits.
func TestLargeImagesAreReduced(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {127, 2}, {128, 3}, {129, 2}, {5, 256}, {257, 7}, {300, 131}, {3, 1000}} {
		width, height := size[0], size[1]
		var data []byte
		for y := range height {
			for x := range width {
				data = append(data, byte(x), byte(y), byte(3*x+5*y))
			}
		}
		side := 1
		for max(width, height) > maxPictureSide*side {
			side++
		}
		type square struct{ x, y int }
		sum, count := map[square][3]float64{}, map[square]float64{}
		for i := range width * height {
			at := square{i % width / side, i / width / side}
			s := sum[at]
			for c := range s {
				s[c] += float64(data[3*i+c])
			}
			sum[at] = s
			count[at]++
		}
		dict := fmt.Sprintf("/Width %d /Height %d /BitsPerComponent 8 /ColorSpace /DeviceRGB", width, height)
		last := square{(width - 1) / side, (height - 1) / side}
		samePixels(t, dict, newImageFile(t, dict, string(data), "").decoded(t), last.x+1, last.y+1,
			func(x, y int) (mean [3]float64) {
				for c, total := range sum[square{x, y}] {
					mean[c] = total / count[square{x, y}]
				}
				return mean
			})
	}
}

// gray is an image of one row of three gray samples of eight bits.
const gray = "/Width 3 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray "

func hexOf(data string) string { return hex.EncodeToString([]byte(data)) + ">" }

func zlibOf(data string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write([]byte(data))
	z.Close()
	return b.String()
}

// TestPicturesOfUnusualImages: filters are reversed, entries may be references, and missing data are black.
func TestPicturesOfUnusualImages(t *testing.T) {
	const samples = "\x10\x80\xf0"
	const more = "10 0 obj /FlateDecode\n11 0 obj [ /ASCIIHexDecode 10 0 R ]\n12 0 obj 3\n13 0 obj true"
	whole, bits := []float64{0x10, 0x80, 0xf0}, []float64{255, 0, 255}
	for _, row := range []struct {
		name, dict, data string
		want             []float64
	}{
		{"no filter", gray, samples, whole},
		{"null filter", gray + "/Filter null", samples, whole},
		{"one filter", gray + "/Filter /FlateDecode", zlibOf(samples), whole},
		{"a list of one filter", gray + "/Filter [ /FlateDecode ]", zlibOf(samples), whole},
		{"two filters", gray + "/Filter [ /ASCIIHexDecode /FlateDecode ]", hexOf(zlibOf(samples)), whole},
		{"indirect filter", gray + "/Filter 10 0 R", zlibOf(samples), whole},
		{"indirect filters", gray + "/Filter 11 0 R", hexOf(zlibOf(samples)), whole},
		{"indirect width", "/Width 12 0 R /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray", samples, whole},
		{"more data than samples", gray, samples + "more", whole},
		{"fewer data than samples", gray, samples[:2], []float64{0x10, 0x80, 0}},
		{"mask", "/Width 3 /Height 1 /ImageMask true", "\xa0", bits},
		{"indirect mask", "/Width 3 /Height 1 /ImageMask 13 0 R", "\xa0", bits},
		{"mask with other numbers", gray + "/ImageMask true", "\xa0", bits}, // a mask has one bit (table 87)
		{"no mask", gray + "/ImageMask false", samples, whole},
		{"inverted mask", "/Width 3 /Height 1 /ImageMask true /Decode [ 1 0 ]", "\x5f", bits},
		{"no number of bits", "/Width 3 /Height 1 /ColorSpace /DeviceGray", "\xa0", bits}, // read as if it were a mask
	} {
		t.Run(row.name, func(t *testing.T) {
			got := newImageFile(t, row.dict, row.data, more).decoded(t)
			samePixels(t, row.dict, got, 3, 1, func(x, _ int) [3]float64 {
				return [3]float64{row.want[x], row.want[x], row.want[x]}
			})
		})
	}
}

// TestImagesWithoutPicture: an image has no picture if its data are elsewhere, cannot be decoded here, or are damaged.
func TestImagesWithoutPicture(t *testing.T) {
	indexed := func(space string) string {
		return "/Width 3 /Height 1 /BitsPerComponent 8 /ColorSpace [ /Indexed " + space + " ]"
	}
	for name, row := range map[string][2]string{
		"data in another file":      {gray + "/F (a.raw)", "abc"},
		"JPEG 2000":                 {gray + "/Filter /JPXDecode", "abc"},
		"JBIG2":                     {gray + "/Filter /JBIG2Decode", "abc"},
		"fax":                       {gray + "/Filter /CCITTFaxDecode", "abc"},
		"fax after another filter":  {gray + "/Filter [ /ASCIIHexDecode /CCITTFaxDecode ]", "61 62 63>"},
		"JPEG after another filter": {gray + "/Filter [ /ASCIIHexDecode /DCTDecode ]", "ffd8ff>"},
		"JPEG whose stored data are one": {gray + "/Filter [ /ASCIIHexDecode /DCTDecode ]",
			"\xff\xd8\xff"},
		"unknown filter":              {gray + "/Filter /Other", "abc"},
		"data that are not zlib":      {gray + "/Filter /FlateDecode", "abc"},
		"zlib that ends early":        {gray + "/Filter /FlateDecode", zlibOf("abc")[:4]},
		"no data":                     {gray, ""},
		"DCTDecode without a JPEG":    {gray + "/Filter /DCTDecode", "\xff\xd8 not JPEG"},
		"base that is not simple":     {indexed("/Pattern 1 <000102ff8040>"), "\x00\x01\x00"},
		"Indexed in Indexed":          {indexed("[ /Indexed /DeviceRGB 1 <000102ff8040> ] 0 <00>"), "\x00\x00\x00"},
		"indirect Indexed":            {indexed("[ 10 0 R /DeviceRGB 1 <000102ff8040> ] 0 <00>"), "\x00\x00\x00"},
		"table of less than a colour": {indexed("/DeviceRGB 0 <0001>"), "\x00\x00\x00"},
		"empty table":                 {indexed("/DeviceRGB 0 <>"), "\x00\x00\x00"},
		"table that is a number":      {indexed("/DeviceRGB 0 7"), "\x00\x00\x00"},
		"table that is a dictionary":  {indexed("/DeviceRGB 0 11 0 R"), "\x00\x00\x00"},
		"table that is damaged":       {indexed("/DeviceRGB 0 12 0 R"), "\x00\x00\x00"},
		"table that ends early":       {indexed("/DeviceRGB 0 13 0 R"), "\x00\x00\x00"},
		"no table":                    {indexed("/DeviceRGB"), "\x00\x00\x00"},
	} {
		t.Run(name, func(t *testing.T) {
			im := newImageFile(t, row[0], row[1], "10 0 obj /Indexed\n11 0 obj << /A 1 >>\n"+
				"12 0 obj << /Filter /Other >> stream\nabcdef\nendstream\n"+
				"13 0 obj << /Filter /FlateDecode >> stream\n"+zlibOf("abcdef")[:6]+"\nendstream")
			if got := im.picture(im.ref, im.dict); got != nil {
				t.Errorf("the picture is %q, want none", got)
			}
		})
	}
}

// TestNumberIsNotObject0: a table that is a number is not the stream with the number 0, which is not allowed.
func TestNumberIsNotObject0(t *testing.T) {
	for table, has := range map[string]bool{"7": false, "0 0 R": true} {
		d, err := webcapturetest.Parse("9 0 obj << >> stream\nabcdef\nendstream\n")
		if err != nil {
			t.Fatal(err)
		}
		ref := object.Ref{Num: uint32(d.AddStream("/Subtype /Image /Width 3 /Height 1 /BitsPerComponent 8 "+
			"/ColorSpace [ /Indexed /DeviceRGB 1 "+table+" ]", []byte("\x00\x01\x00")))}
		data := d.Bytes(webcapturetest.Layout{})
		at := bytes.Index(data, []byte("9 0 obj"))
		data[at] = '0'
		entry := bytes.Index(data, []byte(" 65535 f")) - 10 // the entry of object 0 is the first one
		copy(data[entry:], fmt.Sprintf("%010d 00000 n", at))
		im := imageOf(t.Context(), t, data, ref)
		if got := im.picture(im.ref, im.dict); (got != nil) != has {
			t.Errorf("table %s: a picture: %v, want %v", table, got != nil, has)
		}
	}
}

// TestTablesOfOneColour: the shortest useful table of an Indexed colour space has one colour.
func TestTablesOfOneColour(t *testing.T) {
	dict := "/Width 2 /Height 1 /BitsPerComponent 1 /ColorSpace [ /Indexed /DeviceRGB 0 <102030> ]"
	samePixels(t, dict, newImageFile(t, dict, "\x00", "").decoded(t), 2, 1, func(int, int) [3]float64 {
		return [3]float64{0x10, 0x20, 0x30}
	})
}

// TestSimpleImages: an image is simple if it has samples of 1, 2, 4, or 8 bits in a known colour space.
// maxPictureSamples limits the bytes of all samples, and the width.
func TestSimpleImages(t *testing.T) {
	const most = maxPictureSamples
	size := func(width, height int) string { return fmt.Sprintf("/Width %d /Height %d ", width, height) }
	const deep, one = "/BitsPerComponent 8 /ColorSpace /DeviceGray ", "/BitsPerComponent 1 /ColorSpace /DeviceGray "
	for dict, want := range map[string]bool{
		size(1, 1) + deep:         true,
		size(0, 1) + deep:         false,
		size(1, 0) + deep:         false,
		size(-1, 1) + deep:        false,
		"/Height 1 " + deep:       false,
		"/Width 1 " + deep:        false,
		"/Width 1.5 /Height 1 ":   false,
		size(most, 1) + deep:      true,
		size(most+1, 1) + deep:    false,
		size(most, 8) + one:       true,
		size(most, 9) + one:       false,
		size(most+1, 1) + one:     false,
		size(1, most) + deep:      true,
		size(1, most+1) + deep:    false,
		size(4, most/4) + deep:    true,
		size(4, most/4+1) + deep:  false,
		size(1<<62, 1<<62) + deep: false,
		size(1024, 1365) + "/BitsPerComponent 8 /ColorSpace /DeviceRGB": true, // 1,365 rows of 3,072 bytes
		size(1024, 1366) + "/BitsPerComponent 8 /ColorSpace /DeviceRGB": false,

		size(1, 1) + "/ColorSpace /DeviceGray /BitsPerComponent 0":  false,
		size(1, 1) + "/ColorSpace /DeviceGray /BitsPerComponent 3":  false,
		size(1, 1) + "/ColorSpace /DeviceGray /BitsPerComponent 16": false,

		size(1, 1) + "/BitsPerComponent 8":                                          false,
		size(1, 1) + "/BitsPerComponent 8 /ColorSpace /Pattern":                     false,
		size(1, 1) + "/BitsPerComponent 8 /ColorSpace [ ]":                          false,
		size(1, 1) + "/BitsPerComponent 8 /ColorSpace [ /Lab << >> ]":               false,
		size(1, 1) + "/BitsPerComponent 8 /ColorSpace [ /ICCBased << /N 2 >> ]":     false,
		size(1, 1) + "/BitsPerComponent 8 /ColorSpace [ /ICCBased << /N 5 >> ]":     false,
		size(1, 1) + "/BitsPerComponent 8 /ColorSpace [ /ICCBased ]":                false,
		size(1, 1) + "/BitsPerComponent 8 /ColorSpace [ /Indexed ]":                 false,
		size(1, 1) + "/BitsPerComponent 8 /ColorSpace << /DeviceGray /DeviceRGB >>": false,
	} {
		im := newImageFile(t, dict, "x", "")
		if _, ok := im.samplesOf(im.dict); ok != want {
			t.Errorf("%s: simple is %v, want %v", dict, ok, want)
		}
	}
}

// jpeg returns data of a length that look like a JPEG file.
func jpeg(n int) string { return "\xff\xd8\xff" + strings.Repeat("x", n-3) }

// TestJPEGFilesAreShown: the picture of a JPEG file is the file, if one picture and all pictures stay within limits.
func TestJPEGFilesAreShown(t *testing.T) {
	for n, want := range map[int]bool{3: true, MaxPicture: true, MaxPicture + 1: false, 2 * MaxPicture: false} {
		im := newImageFile(t, "/Filter [ /DCTDecode ]", jpeg(n), "")
		if got := im.picture(im.ref, im.dict); want != (string(got) == jpeg(n)) || !want && got != nil {
			t.Errorf("a JPEG file of %d bytes has a picture of %d bytes, want it: %v", n, len(got), want)
		}
	}
	im := newImageFile(t, "/Filter /DCTDecode", jpeg(MaxPicture), "")
	for i := range maxPictures/MaxPicture + 2 {
		if got, want := im.picture(im.ref, im.dict) != nil, i < maxPictures/MaxPicture; got != want {
			t.Errorf("picture %d is shown: %v, want %v", i, got, want)
		}
	}
}

// TestPicturesOfAFailingDisk: if the file becomes unreadable, an image has no picture. It never has a part of one.
func TestPicturesOfAFailingDisk(t *testing.T) {
	const more = "10 0 obj << /N 3 >> stream\nendstream\n11 0 obj << >> stream\n\x10\x20\x30\nendstream"
	for name, dict := range map[string]string{
		"JPEG": "/Filter [ /DCTDecode ]",
		"samples": "/Width 1 /Height 1 /BitsPerComponent 8 " +
			"/ColorSpace [ /Indexed [ /ICCBased 10 0 R ] 0 11 0 R ]",
	} {
		c := webcapturetest.NewFailingReads()
		im := openImageFile(t, c, dict, "\xff\xd8\xff", more)
		c.FailAt(0, false)
		if im.picture(im.ref, im.dict) == nil {
			t.Fatalf("%s: no picture", name)
		}
		for at := range c.Reads() {
			c.FailAt(at+1, true)
			if got := im.picture(im.ref, im.dict); got != nil {
				t.Errorf("%s: after a failure at read %d, the picture is %q", name, at+1, got)
			}
		}
	}
}

// TestPictureTypes: the first bytes of a picture tell its type.
func TestPictureTypes(t *testing.T) {
	for picture, want := range map[string]string{
		"\xff\xd8\xff":             "image/jpeg",
		"\xff\xd8\xff\xe0 JFIF":    "image/jpeg",
		"\xff\xd8":                 "",
		"\x89PNG\r\n\x1a\n":        "image/png",
		"\x89PNG\n\x1a\n":          "",
		"":                         "",
		"GIF89a":                   "",
		" \xff\xd8\xff":            "",
		"<svg onload='alert(1)'/>": "",
	} {
		if got := PictureType([]byte(picture)); got != want {
			t.Errorf("%q has the type %q, want %q", picture, got, want)
		}
	}
}
