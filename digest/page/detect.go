package page

import (
	"mime"
	"strings"

	"github.com/webcap-tools/webcap/digest/source"
)

// essence returns a media type in lower case without its parameters; empty if the type is invalid. Parameters may be
// invalid.
func essence(mediaType string) string {
	kind, _, _ := strings.Cut(mediaType, ";")
	kind, _, _ = mime.ParseMediaType(kind)
	return kind
}

// typeOf returns the media type that the source declares. If this is empty, invalid, or means unknown data, typeOf
// returns the media type that the data show.
func typeOf(mediaType string, sums source.Sums) string {
	switch essence(mediaType) {
	case "", "application/octet-stream", "unknown/unknown":
		return essence(sums.MediaType)
	}
	return mediaType
}
