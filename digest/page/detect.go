package page

import (
	"bytes"
	"mime"
	"net/http"
	"regexp"
	"strings"
)

// headSize is the number of bytes of a file that detect reads.
const headSize = 512

// essence returns a media type in lower case without its parameters; empty if the type is invalid. Parameters may be
// invalid.
func essence(mediaType string) string {
	kind, _, _ := strings.Cut(mediaType, ";")
	kind, _, _ = mime.ParseMediaType(kind)
	return kind
}

// typeOf returns the media type that the source declares. If this is empty or means unknown data, typeOf returns the
// detected media type.
func typeOf(mediaType, detected string) string {
	switch essence(mediaType) {
	case "application/octet-stream", "unknown/unknown":
		return detected
	case "":
		if strings.TrimSpace(mediaType) == "" {
			return detected
		}
	}
	return mediaType
}

// tags finds HTML in UTF-16, and HTML whose beginning browsers do not recognize as HTML (MIME Sniffing Standard, 7.1).
var tags = regexp.MustCompile(`(?i)<(!doctype html|html|head|meta|title|body|frameset|center|table|p|a|img)\b`)

// detect returns the media type of data from their first bytes.
func detect(head []byte) string {
	kind := essence(http.DetectContentType(head))
	if kind == "text/plain" && tags.Match(bytes.ReplaceAll(head, []byte{0}, nil)) {
		return "text/html"
	}
	return kind
}
