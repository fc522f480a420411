package har

import (
	"bytes"
	"fmt"
	"mime"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
)

// look has properties of a body.
type look struct {
	size     int64
	marked   bool // text that begins with a byte order mark
	foreign  bool // text with characters outside of ASCII
	replaced bool // text with U+FFFD, by which browsers replace undecodable bytes
}

// lookAt returns the properties of a text.
func lookAt(text []byte) look {
	return look{
		size:     int64(len(text)),
		marked:   bytes.HasPrefix(text, []byte(localfile.ByteOrderMark)),
		foreign:  bytes.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0,
		replaced: bytes.Contains(text, []byte(string(utf8.RuneError))),
	}
}

func (e *harEntry) isBase64() bool { return strings.EqualFold(e.Response.Content.Encoding, "base64") }

// isStored reports whether the body is stored as bytes, and not as decoded text.
func (e *harEntry) isStored() bool { return e.isBase64() || e.Response.Content.File != "" }

// doubt returns the reason why the body of an entry may differ from the data that the server sent; empty if there
// is none.
func (e *harEntry) doubt(l look) string {
	content := &e.Response.Content
	switch size := content.Size; {
	case e.Response.Status == 0:
		return "the HAR file has status 0 for the response"
	case len(e.Response.Error) > len(`""`) && string(e.Response.Error) != "null":
		return "the HAR file has an error for the response, so the body may be cut off"
	case e.Response.Status == 304:
		return "the HAR file has status 304: the browser reused a stored file"
	case content.Encoding != "" && !e.isBase64():
		return fmt.Sprintf("the HAR file has the body in the unknown encoding "+
			"%.40q", content.Encoding)
	case e.header().UnknownCoding() != "":
		return fmt.Sprintf("the header names the unknown coding %.40q",
			e.header().UnknownCoding())
	case l.size == 0:
		return "the body is empty; the browser may not have logged it"
	case e.isShortened(l):
		return "the length of the body is not that in its header"
	case size <= 0 && l.size > 0:
		return "the HAR file does not say the size of the body"
	case size > 0 && size != number(l.size):
		return fmt.Sprintf("the HAR file says %s bytes, but the body has %d",
			strconv.FormatFloat(float64(size), 'f', -1, 64), l.size)
	case e.isStored():
	case l.replaced:
		return "the browser has replaced characters that it could not decode"
	case !l.marked && !e.isUTF8(l):
		return "the HAR file has decoded text, which may not have been sent as UTF-8"
	}
	return body.StatusDoubt(int(e.Response.Status))
}

// isShortened reports whether the body in the log does not have the length that the response declares. It is false for
// a response with codings.
func (e *harEntry) isShortened(l look) bool {
	h := e.header()
	n, err := strconv.ParseInt(h.Get("Content-Length"), 10, 64)
	return err == nil && n != l.size && !h.IsCoded()
}

// asciiCharset matches the names of charsets that contain ASCII unchanged, and the name of no charset.
var asciiCharset = regexp.MustCompile(`^(utf-?8|us-ascii|latin1|iso-8859-[0-9]{1,2}|windows-125[0-9]|)$`)

// isUTF8 reports whether a text was certainly sent as it is in UTF-8. The media type says so, or the text and its
// charset are ASCII.
func (e *harEntry) isUTF8(l look) bool {
	_, parameters, _ := mime.ParseMediaType(e.Response.Content.MimeType)
	charset := strings.ToLower(parameters["charset"])
	return charset == "utf-8" || charset == "utf8" || !l.foreign && asciiCharset.MatchString(charset)
}
