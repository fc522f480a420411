package page

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"github.com/webcap-tools/webcap/canon"
)

// Reference is a reference of a source to a file.
type Reference struct {
	URL  string // canonical, without fragment, escaped as clients do; absolute if the URL of the source is absolute
	Kind Kind   // one bit
}

// References returns the references of an HTML, XML, or SVG source or a style sheet, in order of first reference. A URL
// occurs once for each kind. Sources of other media types have no references. The first base element of a source
// overrides base.
//
// References in comments do not count, even in conditional comments. References in fallback content (noscript,
// noframes, noembed, and iframe) count, because the capturing program may lack scripts, frames, or plug-ins.
func References(src []byte, mediaType, base string) []Reference {
	g := grammarOf(mediaType)
	if g == opaque {
		return nil
	}
	var l list
	var refs []Reference
	switch src, _ = inUTF8(src, mediaType); g {
	case style:
		l.css(src)
	case markup, xml:
		l.html(src, g == xml)
	}
	if l.base != nil {
		base = resolve(base, requested(*l.base))
	}
	seen := map[Reference]bool{}
	size := 0
	for _, r := range l.refs {
		r.URL = resolve(base, requested(r.URL))
		if size += len(r.URL); size > maxURLs {
			break
		}
		if !seen[r] {
			seen[r] = true
			refs = append(refs, r)
		}
	}
	return refs
}

func resolve(base, ref string) string {
	return string(canon.PDF2.Resolve(nil, []byte(base), []byte(ref)))
}

// grammar is the syntax of a source.
type grammar int

const (
	opaque grammar = iota // a source without references
	markup
	xml // markup in which any element may be self-closing
	style
)

func grammarOf(mediaType string) grammar {
	switch essence(mediaType) {
	case "text/html":
		return markup
	case "application/xhtml+xml", "image/svg+xml", "application/xml", "text/xml":
		return xml
	case "text/css":
		return style
	}
	return opaque
}

// inUTF8 returns a source in UTF-8, without byte order mark. It determines the encoding by the byte order mark, the
// media type, or the content, in this order. isWide means that the encoding is UTF-16, in which tags are not ASCII.
func inUTF8(src []byte, mediaType string) (text []byte, isWide bool) {
	e, name, certain := charset.DetermineEncoding(src, mediaType)
	if !certain && utf8.Valid(src) { // charset looks only at the first 1024 bytes
		e, name = charset.Lookup("utf-8")
	}
	text, err := e.NewDecoder().Bytes(src)
	if err != nil {
		text = src
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), strings.HasPrefix(name, "utf-16")
}

// requested returns a reference in the form in which clients request it. Invalid characters are escaped in UTF-8. Before
// the query, a backslash counts as a slash.
func requested(ref string) string {
	ref, _, _ = strings.Cut(ref, "#")
	path, query, hasQuery := strings.Cut(ref, "?")
	b := escape(nil, strings.ReplaceAll(path, `\`, "/"))
	if hasQuery {
		b = escape(append(b, '?'), query)
	}
	return string(b)
}

func escape(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>`", c) >= 0 {
			const digits = "0123456789ABCDEF"
			dst = append(dst, '%', digits[c>>4], digits[c&15])
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

// list holds the references of a source, as written.
type list struct {
	base *string // href of the first base element; nil without one
	refs []Reference
	seen map[Reference]bool
}

func (l *list) add(url string, kind Kind) {
	r := Reference{attributeURL(url), kind}
	if r.URL == "" || r.URL[0] == '#' || !isFile(r.URL) || len(l.refs) == maxReferences || l.seen[r] {
		return
	}
	if l.seen == nil {
		l.seen = map[Reference]bool{}
	}
	l.seen[r] = true
	l.refs = append(l.refs, r)
}

// attributeURL returns the URL in an attribute, without surrounding white space and without tabs and line ends.
func attributeURL(s string) string {
	s = strings.Trim(s, "\t\n\f\r ")
	if strings.ContainsAny(s, "\t\r\n") {
		s = strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(s)
	}
	return s
}

// isFile reports whether a reference may name a file. It is false for schemes that hold data or commands themselves,
// such as data and javascript.
func isFile(ref string) bool {
	scheme, _, ok := strings.Cut(ref[:min(len(ref), len("javascript:"))], ":")
	if !ok {
		return true
	}
	switch strings.ToLower(scheme) {
	case "about", "blob", "clsid", "data", "java", "javascript", "mailto", "vbscript":
		return false
	}
	return true
}

// uses maps elements and their attributes to the kind of reference. The function special handles attributes whose
// kind depends on other attributes.
var uses = map[string]map[string]Kind{
	"audio":   {"src": Media},
	"bgsound": {"src": Media},
	"embed":   {"src": Object},
	"feimage": {"href": Image, "xlink:href": Image},
	"frame":   {"src": Frame},
	"iframe":  {"src": Frame},
	"image":   {"src": Image, "href": Image, "xlink:href": Image},
	"img":     {"src": Image, "dynsrc": Media},
	"layer":   {"src": Frame},
	"ilayer":  {"src": Frame},
	"script":  {"src": Script, "href": Script, "xlink:href": Script},
	"object":  {"data": Object},
	"source":  {"src": Media},
	"track":   {"src": Media},
	"video":   {"src": Media, "poster": Image},
}

func (l *list) html(src []byte, isXML bool) {
	z := tokenizer{html.NewTokenizer(bytes.NewReader(src)), isXML}
	z.AllowCDATA(isXML)
	inStyle := false
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.TextToken:
			if inStyle {
				l.css(z.Raw())
			}
		case html.EndTagToken:
			inStyle = false
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			closed := t.Type == html.SelfClosingTagToken
			z.entered(t.Data, closed)
			inStyle = t.Data == "style" && !(closed && isXML)
			l.tag(&t)
		}
	}
}

// tokenizer is an HTML tokenizer that parses the content of fallback elements as markup. In XML, it also parses the
// text after a self-closing element as markup.
type tokenizer struct {
	*html.Tokenizer
	isXML bool
}

// entered is called at each start tag.
func (z tokenizer) entered(name string, selfClosing bool) {
	switch name {
	case "iframe", "noembed", "noframes", "noscript":
		z.NextIsNotRawText()
	default:
		if selfClosing && z.isXML {
			z.NextIsNotRawText()
		}
	}
}

// value returns the value of an attribute; empty if the tag does not have it.
func value(t *html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// tag adds the references of a start tag, in the order of its attributes.
func (l *list) tag(t *html.Token) {
	known := uses[t.Data]
	for _, a := range t.Attr {
		switch kind := known[a.Key]; {
		case a.Key == "style":
			if strings.Contains(a.Val, "(") { // a style attribute without url(…) has no reference
				l.css([]byte(a.Val))
			}
		case kind != 0:
			l.add(a.Val, kind)
		default:
			l.special(t, a)
		}
	}
}

// special adds the reference of an attribute whose meaning depends on other attributes. It also records the base.
func (l *list) special(t *html.Token, a html.Attribute) {
	switch t.Data {
	case "base":
		if l.base == nil && a.Key == "href" {
			href := attributeURL(a.Val)
			l.base = &href
		}
	case "body", "layer", "ilayer", "table", "tbody", "td", "tfoot", "th", "thead", "tr":
		if a.Key == "background" {
			l.add(a.Val, Image)
		}
	case "input":
		if a.Key == "src" && strings.EqualFold(value(t, "type"), "image") {
			l.add(a.Val, Image)
		}
	case "link":
		rel := strings.ToLower(value(t, "rel"))
		switch {
		case a.Key != "href":
		case strings.Contains(rel, "stylesheet"):
			l.add(a.Val, Style)
		case strings.Contains(rel, "icon"):
			l.add(a.Val, Icon)
		}
	}
}
