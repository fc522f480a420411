package har

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/transform"

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
	charset := e.charset(l)
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
	case charset != utf8Name && (l.foreign || !extendsASCII(charset)):
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

// Names of encodings. The last stands for all encodings that browsers do not decode, such as ISO-2022-KR.
const (
	utf8Name        = "utf-8"
	defaultName     = "windows-1252"
	replacementName = "replacement"
)

// extendsASCII reports whether an encoding contains ASCII unchanged. It is false for an unknown encoding.
func extendsASCII(name string) bool {
	return name != "" && name != "utf-16le" && name != "utf-16be" && name != "iso-2022-jp" && name != replacementName
}

// charset returns the name of the encoding in which a text was sent: that of its byte order mark or media type, or else
// the default of browsers. It is empty for an encoding that browsers do not know.
func (e *harEntry) charset(l look) string {
	_, parameters, err := mime.ParseMediaType(e.Response.Content.MimeType)
	label := parameters["charset"]
	switch {
	case l.marked:
		return utf8Name
	case err != nil || label == "":
		return defaultName
	}
	_, name := charset.Lookup(label)
	return name
}

// bodyOf returns the body of the entry at a place.
func (h *File) bodyOf(at, size int64, e *harEntry, l look) *body.Body {
	b := &body.Body{Open: h.open(at, size, e.Response.Content.Encoding)}
	name := e.charset(l)
	if e.isStored() || name == utf8Name || !l.foreign && extendsASCII(name) {
		return b
	}
	if encoding, _ := charset.Lookup(name); encoding != nil && name != replacementName { // the text in the log is decoded
		b.Restore = func(r io.Reader) io.Reader { return transform.NewReader(r, encoding.NewEncoder()) }
	}
	return b
}
