package pdffile

import (
	"github.com/webcap-tools/webcap/nametree/object"
)

func findHeader(b []byte) (int, bool) {
	window := b[:min(len(b), headerWindow+len("%PDF-"))]
	for i := 0; i+5 <= len(window); i++ {
		if window[i] == '%' && string(window[i:i+5]) == "%PDF-" {
			return i, true
		}
	}
	return 0, false
}

// HeaderVersion returns the version that the header names, such as "1.4".
func (f *File) HeaderVersion() string {
	at, _ := findHeader(f.data)
	end := at + len("%PDF-")
	for end < len(f.data) && end < at+len("%PDF-")+8 && object.IsRegular(f.data[end]) {
		end++
	}
	return string(f.data[at+len("%PDF-") : end])
}
