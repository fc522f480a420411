package har

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
)

// headSize is the number of bytes of a page that browsers search for the name of its encoding.
const headSize = 1024

// look collects properties of a body. It is an io.Writer.
type look struct {
	size     int64
	head     []byte // first bytes, in which a page may name its encoding
	tail     []byte // last bytes, which may be the start of a character
	foreign  bool   // the body has bytes outside of ASCII
	replaced bool   // the body has U+FFFD, by which browsers replace undecodable bytes
}

var replacement = []byte(string(utf8.RuneError))

func (l *look) Write(p []byte) (int, error) {
	l.size += int64(len(p))
	l.head = append(l.head, p[:min(len(p), headSize-len(l.head))]...)
	l.foreign = l.foreign || bytes.IndexFunc(p, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0
	if l.foreign && !l.replaced {
		begin := append(l.tail, p[:min(len(p), len(replacement))]...)
		l.replaced = bytes.Contains(begin, replacement) || bytes.Contains(p, replacement)
		end := p
		if len(p) < len(replacement) {
			end = begin // all bytes of p follow the tail here
		}
		l.tail = append(l.tail[:0], end[max(len(end)-len(replacement)+1, 0):]...)
	}
	return len(p), nil
}

func (e *harEntry) isBase64() bool { return strings.EqualFold(e.Response.Content.Encoding, "base64") }

// isStored reports whether the body is stored as bytes, and not as decoded text.
func (e *harEntry) isStored() bool { return e.isBase64() || e.Response.Content.File != "" }

// doubt returns the reason why the body of an entry may differ from the data that the server sent; empty if there
// is none.
func (e *harEntry) doubt(l *look) string {
	content := &e.Response.Content
	charset, sure := e.charset(l)
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
	case !sure && (l.foreign || e.hasUnknownCharset()), charset != utf8Name && (l.foreign || !extendsASCII(charset)):
		return "the HAR file has decoded text, which may not have been sent as UTF-8"
	}
	return body.StatusDoubt(int(e.Response.Status))
}

// isShortened reports whether the body in the log does not have the length that the response declares. It is false for
// a response with codings.
func (e *harEntry) isShortened(l *look) bool {
	h := e.header()
	n, err := strconv.ParseInt(h.Get("Content-Length"), 10, 64)
	return err == nil && n != l.size && !h.IsCoded()
}

const (
	utf8Name = "utf-8"
)

// replacementName is the name of the encoding that stands for all encodings that browsers do not decode, such as
// ISO-2022-KR.
const replacementName = "replacement"

// extendsASCII reports whether an encoding contains ASCII unchanged.
func extendsASCII(name string) bool {
	return name != "utf-16le" && name != "utf-16be" && name != "iso-2022-jp" && name != replacementName
}

// hasUnknownCharset reports whether the media type names an encoding unknown to browsers, such as UTF-7.
func (e *harEntry) hasUnknownCharset() bool {
	_, parameters, err := mime.ParseMediaType(e.Response.Content.MimeType)
	name := parameters["charset"]
	_, unknown := htmlindex.Get(name)
	return err == nil && name != "" && unknown != nil
}

// charset returns the name of the encoding in which a text was sent; sure is true if the media type names it. Without
// this, it is the encoding that the text names, and without either, the default of browsers.
func (e *harEntry) charset(l *look) (name string, sure bool) {
	_, name, sure = charset.DetermineEncoding(bytes.Map(asASCII, l.head), e.Response.Content.MimeType)
	if named := encodingName.FindSubmatch(l.head); named != nil && !sure {
		if _, own := charset.Lookup(string(named[1])); own != "" {
			name = own
		}
	}
	return name, sure
}

// asASCII replaces characters that would show that the log stores the text as UTF-8.
func asASCII(r rune) rune {
	if r == '\ufeff' { // the byte order mark
		return r
	}
	return min(r, utf8.RuneSelf-1)
}

// encodingName finds the encoding that an XML file or a style sheet names in its first line.
var encodingName = regexp.MustCompile(`^(?:<\?xml\b[^>]*\bencoding\s*=\s*|@charset\s*)["']([^"']*)["']`)

// bodyOf returns the body of the entry at a place.
func (h *File) bodyOf(at, size int64, e *harEntry, l *look) *body.Body {
	b := &body.Body{Open: h.open(at, size, e.Response.Content.Encoding)}
	name, _ := e.charset(l)
	if e.isStored() || name == utf8Name || name == replacementName || !l.foreign && extendsASCII(name) {
		return b
	}
	if encoding, err := htmlindex.Get(name); err == nil { // the text in the log is decoded
		b.Restore = func(r io.Reader) io.Reader { return transform.NewReader(r, encoding.NewEncoder()) }
	}
	return b
}
