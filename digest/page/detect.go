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

// essence returns a media type in lower case without its parameters, which may be damaged; empty if it is invalid.
func essence(mediaType string) string {
	kind, _, _ := strings.Cut(mediaType, ";")
	kind, _, _ = mime.ParseMediaType(kind)
	return kind
}

// typeOf returns the media type of a file: that of its source or, if there is none, by its first bytes.
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

// tags finds HTML whose beginning browsers do not recognize as HTML (MIME Sniffing Standard, 7.1), or that is in
// UTF-16.
var tags = regexp.MustCompile(`(?i)<(!doctype html|html|head|meta|title|body|frameset|center|table|p|a|img)\b`)

// detect returns the media type of data by their first bytes.
func detect(head []byte) string {
	kind := essence(http.DetectContentType(head))
	if kind == "text/plain" && tags.Match(bytes.ReplaceAll(head, []byte{0}, nil)) {
		return "text/html"
	}
	return kind
}
