package outline

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io"

	"github.com/webcap-tools/webcap/nametree/object"
)

// picture returns a picture of an image; nil if the image is not simple or too large. The audit reports unreadable
// objects.
func (o *outliner) picture(ref object.Ref, d object.Dict) []byte {
	if o.pictures >= maxPictures || !d.Lookup("F").IsNull() {
		return nil
	}
	var picture []byte
	switch filter := o.lastFilter(d); filter {
	case "DCTDecode":
		picture = o.stored(ref)
	case "JPXDecode", "JBIG2Decode", "CCITTFaxDecode":
	default:
		picture = o.drawn(ref, d)
	}
	if len(picture) > MaxPicture || PictureType(picture) == "" {
		return nil
	}
	o.pictures += len(picture)
	return picture
}

// get returns the resolved entry or element; null if it is unreadable.
func (o *outliner) get(entry object.Object) object.Object {
	value, _ := o.reader.Resolve(entry)
	return value
}

// lastFilter returns the filter of an image that decodes to samples; empty if there is none. It returns "DCTDecode"
// only if that is the only filter.
func (o *outliner) lastFilter(d object.Dict) string {
	value := o.get(d.Lookup("Filter"))
	list, _ := value.Array()
	for f := range list.All() {
		value = o.get(f)
	}
	name, _ := value.Name()
	if string(name) == "DCTDecode" && list.Len() > 1 {
		return "JPXDecode" // not shown, like JPXDecode
	}
	return string(name)
}

// stored returns the data of a stream as stored, at most one byte more than a picture may have.
func (o *outliner) stored(ref object.Ref) []byte {
	data, err := o.reader.Stream(ref)
	if err != nil {
		return nil
	}
	b, err := io.ReadAll(io.LimitReader(data, MaxPicture+1))
	if err != nil {
		return nil
	}
	return b
}

// drawn returns a PNG file of an image, reduced if the image is large.
func (o *outliner) drawn(ref object.Ref, d object.Dict) []byte {
	s, ok := o.samplesOf(d)
	if !ok {
		return nil
	}
	data, err := o.reader.Data(ref)
	if err != nil {
		return nil
	}
	s.data = make([]byte, s.row*s.height)
	if n, err := io.ReadFull(data, s.data); n == 0 ||
		err != nil && err != io.ErrUnexpectedEOF { // a truncated image is shown as far as it goes
		return nil
	}
	small := max(1, (max(s.width, s.height)+maxPictureSide-1)/maxPictureSide)
	img := image.NewRGBA(image.Rect(0, 0, (s.width+small-1)/small, (s.height+small-1)/small))
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			img.SetRGBA(x, y, s.mean(x*small, y*small, small))
		}
	}
	var out bytes.Buffer
	if png.Encode(&out, img) != nil {
		return nil
	}
	return out.Bytes()
}

// samples are the samples of an image (8.9.5).
type samples struct {
	width, height, bits, colours int
	row                          int    // bytes per row
	palette                      []byte // palette of an Indexed colour space
	base                         int    // number of components of the base colour space
	inverted                     bool
	data                         []byte
}

// samplesOf returns the properties of an image's samples, before these are read; false if they are not simple, or too
// many.
func (o *outliner) samplesOf(d object.Dict) (s samples, ok bool) {
	number := func(key string, or int64) int {
		n, ok := o.get(d.Lookup(key)).Int()
		if !ok {
			n = or
		}
		return int(min(max(n, 0), maxPictureSamples+1))
	}
	s = samples{width: number("Width", 0), height: number("Height", 0), bits: number("BitsPerComponent", 1), colours: 1}
	if mask, _ := o.get(d.Lookup("ImageMask")).Bool(); mask {
		s.bits = 1
	} else if s.colours, s.palette, s.base = o.colours(d.Lookup("ColorSpace")); s.colours == 0 {
		return s, false
	}
	decode, _ := o.get(d.Lookup("Decode")).Array()
	first, _, _ := decode.Cut()
	least, _ := first.Number()
	s.inverted = least > 0
	switch s.bits {
	case 1, 2, 4, 8:
	default:
		return s, false
	}
	s.row = (s.width*s.colours*s.bits + 7) / 8
	return s, s.width > 0 && s.height > 0 && s.width <= maxPictureSamples && s.height <= maxPictureSamples/max(1, s.row)
}

// colours returns the number of components of a colour space (8.6), or its palette and the number of components of its
// base; 0 if the colour space is not simple.
func (o *outliner) colours(space object.Object) (n int, palette []byte, base int) {
	value := o.get(space)
	list, isArray := value.Array()
	var rest object.List
	if isArray {
		var first object.Object
		first, rest, _ = list.Cut()
		value = o.get(first)
	}
	next := func() object.Object {
		var first object.Object
		first, rest, _ = rest.Cut()
		return first
	}
	name, _ := value.Name()
	switch string(name) {
	case "DeviceGray", "CalGray":
		return 1, nil, 0
	case "DeviceRGB", "CalRGB":
		return 3, nil, 0
	case "DeviceCMYK":
		return 4, nil, 0
	case "ICCBased":
		profile, _ := o.get(next()).Dict()
		if n, _ := o.get(profile.Lookup("N")).Int(); n == 1 || n == 3 || n == 4 {
			return int(n), nil, 0
		}
	case "Indexed":
		of := o.get(next())
		inner, _ := of.Array()
		if first, _, _ := inner.Cut(); o.get(first).IsName("Indexed") {
			return 0, nil, 0 // not allowed, and possibly endless
		}
		base, _, _ = o.colours(of)
		next()
		if palette = o.palette(next()); base > 0 && len(palette) >= base {
			return 1, palette, base
		}
	}
	return 0, nil, 0
}

// palette returns the table of an Indexed colour space, a string or a stream.
func (o *outliner) palette(entry object.Object) []byte {
	const most = 256 * 4
	if s, err := o.reader.String(entry); err == nil && len(s.Bytes) > 0 {
		return s.Bytes[:min(len(s.Bytes), most)]
	}
	ref, ok := entry.Ref()
	if !ok {
		return nil // the zero reference is that of object 0, which a hostile file may have
	}
	data, err := o.reader.Data(ref) // empty if entry is not a stream
	if err != nil {
		return nil
	}
	b, err := io.ReadAll(io.LimitReader(data, most))
	if err != nil {
		return nil
	}
	return b
}

// mean returns the mean colour of a square of samples.
func (s *samples) mean(x, y, side int) color.RGBA {
	var sum [3]int
	n := 0
	for v := y; v < min(y+side, s.height); v++ {
		for u := x; u < min(x+side, s.width); u++ {
			c := s.at(u, v)
			for i := range sum {
				sum[i] += int(c[i])
			}
			n++
		}
	}
	return color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 255}
}

// at returns the colour of a sample.
func (s *samples) at(x, y int) [3]byte {
	var c [4]byte
	most := byte(1<<s.bits - 1)
	for i := range s.colours {
		bit := (x*s.colours + i) * s.bits
		v := s.data[y*s.row+bit/8] >> (8 - s.bits - bit%8) & most
		if s.inverted {
			v = most - v
		}
		if s.palette != nil {
			return s.entry(int(v))
		}
		c[i] = byte(int(v) * 255 / int(most))
	}
	return rgb(c[:s.colours])
}

// entry returns a colour of the palette; black for an index outside of it.
func (s *samples) entry(i int) [3]byte {
	if (i+1)*s.base > len(s.palette) {
		return [3]byte{}
	}
	return rgb(s.palette[i*s.base : (i+1)*s.base])
}

// rgb converts a colour of one, three or four components to RGB, roughly: good enough to recognize an image.
func rgb(c []byte) [3]byte {
	switch len(c) {
	case 1:
		return [3]byte{c[0], c[0], c[0]}
	case 3:
		return [3]byte(c)
	}
	light := 255 - int(c[3])
	mix := func(i int) byte { return byte((255 - int(c[i])) * light / 255) }
	return [3]byte{mix(0), mix(1), mix(2)}
}
