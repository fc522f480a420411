package webcapturetest

import (
	"bytes"
	"compress/lzw"
	"compress/zlib"
	"encoding/ascii85"
	"encoding/hex"
	"fmt"
	"sync"
)

// encode returns filtered data, and the dictionary entries for the filter. width is the length of a row for the
// predictor.
func encode(f Filter, p Predictor, width int, data []byte) (dict string, out []byte) {
	parms := ""
	if p != NoPredictor {
		data = predict(p, width, data)
		parms = fmt.Sprintf("/Predictor %d/Columns %d", int(p), width)
	}
	switch f {
	case Flate:
		dict, out = "/Filter/FlateDecode", deflate(data)
	case Plain:
		return "", data
	case ASCIIHex:
		return "/Filter/ASCIIHexDecode", append(hex.AppendEncode(nil, data), '>')
	case ASCII85Flate:
		z := deflate(data)
		out = make([]byte, ascii85.MaxEncodedLen(len(z)))
		out = append(out[:ascii85.Encode(out, z)], "~>"...)
		dict = "/Filter[/ASCII85Decode/FlateDecode]"
		if parms != "" {
			dict += "/DecodeParms[null<<" + parms + ">>]"
		}
		return dict, out
	case LZW:
		var b bytes.Buffer
		w := lzw.NewWriter(&b, lzw.MSB, 8)
		w.Write(data)
		w.Close()
		dict, out = "/Filter/LZWDecode", b.Bytes()
		parms += "/EarlyChange 0"
	default:
		panic(fmt.Sprintf("webcapturetest: filter %d", f))
	}
	if parms != "" {
		dict += "/DecodeParms<<" + parms + ">>"
	}
	return dict, out
}

func deflate(data []byte) []byte {
	var b bytes.Buffer
	w := deflaters.Get().(*zlib.Writer)
	defer deflaters.Put(w)
	w.Reset(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// deflaters reuses writers, because each takes almost a megabyte.
var deflaters = sync.Pool{New: func() any { return zlib.NewWriter(nil) }}

// predict applies the predictor to data. Rows have width columns of one byte.
func predict(p Predictor, width int, data []byte) []byte {
	var out []byte
	prev := make([]byte, width)
	for i := 0; i*width < len(data); i++ {
		row := data[i*width : (i+1)*width]
		kind := 0
		switch p {
		case TIFF:
			kind = 1
		case PNGUp:
			kind = 2
		case PNGMixed:
			kind = i % 5
		}
		if p != TIFF {
			out = append(out, byte(kind))
		}
		for j, c := range row {
			var left, corner int
			if j > 0 {
				left, corner = int(row[j-1]), int(prev[j-1])
			}
			up := int(prev[j])
			switch kind {
			case 1:
				c -= byte(left)
			case 2:
				c -= byte(up)
			case 3:
				c -= byte((left + up) / 2)
			case 4:
				c -= byte(paeth(left, up, corner))
			}
			out = append(out, c)
		}
		prev = row
	}
	return out
}

func paeth(left, up, corner int) int {
	abs := func(n int) int { return max(n, -n) }
	p := left + up - corner
	l, u, c := abs(p-left), abs(p-up), abs(p-corner)
	switch {
	case l <= u && l <= c:
		return left
	case u <= c:
		return up
	}
	return corner
}
