package page

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// headSize is how much of a file it takes to tell what it is by its content.
const headSize = 512

// typeOf returns the media type of a file: as its source has it or, if that says
// nothing, by how it begins.
func typeOf(mediaType, detected string) string {
	essence, _, _ := strings.Cut(mediaType, ";")
	switch strings.TrimSpace(strings.ToLower(essence)) {
	case "", "application/octet-stream", "unknown/unknown":
		return detected
	}
	return mediaType
}

// beginnings are those of files that are told apart here: what refers to others, and what is a page by itself.
var beginnings = []struct{ bytes, mediaType string }{
	{"%PDF-", "application/pdf"},
	{"%!PS-Adobe-", "application/postscript"}, // in which something may look like a tag
	{"\x89PNG\r\n\x1a\n", "image/png"}, {"\xff\xd8\xff", "image/jpeg"}, {"GIF87a", "image/gif"}, {"GIF89a", "image/gif"},
	{"BM", "image/bmp"}, {"\x00\x00\x01\x00", "image/x-icon"}, {"\x00\x00\x02\x00", "image/x-icon"},
}

var (
	// htmlStart and xmlStart are what browsers take for HTML and XML (MIME Sniffing Standard, 7.1).
	htmlStart = regexp.MustCompile(`(?i)^[\t\n\f\r ]*<(!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[ >]`)
	xmlStart  = regexp.MustCompile(`^[\t\n\f\r ]*<\?xml`)

	// tags finds HTML that begins in another way, or is in UTF-16.
	tags = regexp.MustCompile(`(?i)<(!doctype html|html|head|meta|title|body|frameset|center|table|p|a|img)\b`)

	// binary finds what is in no text that begins without a byte order mark.
	binary = regexp.MustCompile(`[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]`)
)

// detect returns the media type of data by how they begin.
func detect(head []byte) string {
	switch {
	case htmlStart.Match(head):
		return "text/html"
	case xmlStart.Match(head):
		return "text/xml"
	case bytes.HasPrefix(head, []byte("RIFF")) && len(head) >= 14 && string(head[8:14]) == "WEBPVP":
		return "image/webp"
	}
	for _, b := range beginnings {
		if bytes.HasPrefix(head, []byte(b.bytes)) {
			return b.mediaType
		}
	}
	switch {
	case binary.Match(head) && !marked(head):
		return "application/octet-stream"
	case tags.Match(bytes.ReplaceAll(head, []byte{0}, nil)):
		return "text/html"
	}
	return "text/plain"
}

// marked reports whether data begin with a byte order mark.
func marked(head []byte) bool {
	return slices.ContainsFunc([]string{"\xef\xbb\xbf", "\xfe\xff", "\xff\xfe"}, func(mark string) bool { return bytes.HasPrefix(head, []byte(mark)) })
}
