package audit

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/outline"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// pictureOf returns the picture of an image.
func pictureOf(t *testing.T, dict, data string) []byte {
	t.Helper()
	d := newDatabase()
	image := d.AddStream("/Type /XObject /Subtype /Image "+dict, []byte(data))
	d.id(id16(1), refTo(d.Add(fmt.Sprintf("<< /S /SIS /ID %s /O [ %d 0 R ] >>", id16(1), image))))
	return auditBytes(t, d.done().Bytes(webcapturetest.Layout{}),
		Options{Outline: true}).Outline.Sets[0].Members[0].Picture
}

// An image of simple samples is shown in its colours.
func TestOutlineDrawsPictures(t *testing.T) {
	for _, tt := range []struct {
		dict, data string
		want       [2]color.RGBA // of the first two pixels
	}{
		{"/Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceRGB", "\x10\x20\x30\x40\x50\x60",
			[2]color.RGBA{{16, 32, 48, 255}, {64, 80, 96, 255}}},
		{"/Width 2 /Height 1 /BitsPerComponent 4 /ColorSpace /DeviceGray", "\x0f",
			[2]color.RGBA{{0, 0, 0, 255}, {255, 255, 255, 255}}},
		{"/Width 2 /Height 1 /BitsPerComponent 1 /ColorSpace /DeviceGray /Decode [ 1 0 ]", "\x40",
			[2]color.RGBA{{255, 255, 255, 255}, {0, 0, 0, 255}}},
		{"/Width 2 /Height 1 /ImageMask true", "\x40", [2]color.RGBA{{0, 0, 0, 255}, {255, 255, 255, 255}}},
		{"/Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceCMYK", "\xff\x00\x00\x00\x00\x00\x00\x80", [2]color.RGBA{{0, 255, 255, 255}, {127, 127, 127, 255}}},
		{"/Width 2 /Height 1 /BitsPerComponent 2 /ColorSpace [ /Indexed /DeviceRGB 1 <000000ff0080> ]", "\x70", [2]color.RGBA{{255, 0, 128, 255}, {0, 0, 0, 255}}},
		{"/Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace [ /CalGray << >> ]", "\x01\x02", [2]color.RGBA{{1, 1, 1, 255}, {2, 2, 2, 255}}},
		{"/Width 2 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray", "\x01\x02\x03", [2]color.RGBA{{1, 1, 1, 255}, {2, 2, 2, 255}}}, // ends early
	} {
		t.Run(tt.dict, func(t *testing.T) {
			im, err := png.Decode(bytes.NewReader(pictureOf(t, tt.dict, tt.data)))
			if err != nil {
				t.Errorf("%s: %v", tt.dict, err)
				return
			}
			for x, want := range tt.want {
				if got := color.RGBAModel.Convert(im.At(x, 0)); got != want {
					t.Errorf("%s: pixel %d is %v, want %v", tt.dict, x, got, want)
				}
			}
		})
	}
}

// A large image is reduced, and a JPEG file is shown verbatim. An image that is not known to be simple, small, and
// harmless has no picture.
func TestOutlineBoundsPictures(t *testing.T) {
	big := pictureOf(t, "/Width 1000 /Height 300 /BitsPerComponent 8 /ColorSpace /DeviceGray",
		strings.Repeat("\x80", 300_000))
	if c, err := png.DecodeConfig(bytes.NewReader(big)); err != nil || c.Width != 125 || c.Height != 38 {
		t.Errorf("the picture is %d by %d, %v; want 125 by 38", c.Width, c.Height, err)
	}
	const jpeg = "\xff\xd8\xff\xdb and so on"
	for _, filter := range []string{"/DCTDecode", "[ /DCTDecode ]"} {
		t.Run(filter, func(t *testing.T) {
			if got := pictureOf(t, "/Filter "+filter, jpeg); string(got) != jpeg {
				t.Errorf("Filter %s: the picture is %q, want the file", filter, got)
			}
		})
	}
	for what, tt := range map[string][2]string{
		"script":      {"/Filter /DCTDecode", "<svg onload='alert(1)'/>"},
		"large file":  {"/Filter /DCTDecode", jpeg + strings.Repeat(" ", outline.MaxPicture)},
		"filters":     {"/Filter [ /ASCIIHexDecode /DCTDecode ]", jpeg},
		"elsewhere":   {"/F (other.jpg) /Filter /DCTDecode", jpeg},
		"JPEG 2000":   {"/Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /JPXDecode", "x"},
		"huge":        {"/Width 100000 /Height 100000 /BitsPerComponent 8 /ColorSpace /DeviceGray", "x"},
		"negative":    {"/Width -1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray", "x"},
		"wide":        {"/Width 9223372036854775807 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceRGB", "x"},
		"16 bits":     {"/Width 1 /Height 1 /BitsPerComponent 16 /ColorSpace /DeviceGray", "xx"},
		"spot colour": {"/Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace [ /Separation /Gold /DeviceGray << >> ]", "x"},
		"in itself":   {"/Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace [ /Indexed [ /Indexed /DeviceGray 1 (a) ] 1 (abcdef) ]", "x"},
		"no data":     {"/Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray", ""},
	} {
		t.Run(what, func(t *testing.T) {
			if got := pictureOf(t, tt[0], tt[1]); got != nil {
				t.Errorf("%s: there is a picture of %d bytes, want none", what, len(got))
			}
		})
	}
}
