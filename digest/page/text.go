package page

import (
	"bytes"

	"golang.org/x/net/html"

	"github.com/webcap-tools/webcap/digest"
)

// scope is the part of the text of an HTML source that counts. Comments never do.
type scope uint8

const (
	textAndTitle scope = iota // all but scripts and style sheets
	textOnly                  // all but scripts, style sheets, and the title
	betweenTags               // all text, including scripts, style sheets, and the title
)

var scopeNames = [...]string{"text and title", "text", "all between tags"}

// TextReading is one reading of the ambiguous parts of the standard about text identifiers.
type TextReading struct {
	scope scope

	// Decoded means that the text counts in UTF-8, with character references decoded. Otherwise the stored bytes of
	// the text count.
	Decoded bool

	// Collapsed means that each run of white space counts as one blank, and does not count at both ends of the text.
	Collapsed bool
}

// TextReadings returns all readings, the most natural first.
func TextReadings() []TextReading {
	var list []TextReading
	for scope := textAndTitle; scope <= betweenTags; scope++ {
		for _, decoded := range []bool{false, true} {
			for _, collapsed := range []bool{false, true} {
				list = append(list, TextReading{scope, decoded, collapsed})
			}
		}
	}
	return list
}

// String returns the name of a reading, such as "text and title, decoded, collapsed".
func (r TextReading) String() string {
	name := scopeNames[r.scope]
	if r.Decoded {
		name += ", decoded"
	} else {
		name += ", as stored"
	}
	if r.Collapsed {
		name += ", collapsed"
	}
	return name
}

// ParseTextReading returns the reading with a name.
func ParseTextReading(s string) (r TextReading, ok bool) {
	for _, r := range TextReadings() {
		if r.String() == s {
			return r, true
		}
	}
	return TextReading{}, false
}

// Text returns the text identifier of a source. For HTML, the text between the tags counts; for other media types, all
// text counts. A source in UTF-16 is converted to UTF-8 without byte order mark.
func Text(src []byte, mediaType string, r TextReading) digest.ID {
	w := textWriter{collapsed: r.Collapsed}
	g := grammarOf(mediaType)
	if c := codingOf(src, mediaType); r.Decoded || c.wide {
		src = c.text(src)
	}
	if g != markup && g != xml {
		w.add(src)
		return w.text.ID()
	}
	z := tokenizer{html.NewTokenizer(bytes.NewReader(src)), g == xml}
	z.AllowCDATA(z.isXML)
	skipped := "" // current element, if its text does not count; otherwise empty
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return w.text.ID()
		case html.TextToken:
			switch {
			case skipped != "":
			case r.Decoded:
				w.add(z.Text())
			default:
				w.add(z.Raw())
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			empty := kind == html.SelfClosingTagToken && z.isXML
			z.entered(string(name), kind == html.SelfClosingTagToken)
			if skipped == "" && !empty && r.scope.skips(string(name)) {
				skipped = string(name)
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == skipped {
				skipped = ""
			}
		}
	}
}

// skips reports whether the text of an element is excluded.
func (s scope) skips(element string) bool {
	switch element {
	case "script", "style":
		return s != betweenTags
	case "title":
		return s == textOnly
	}
	return false
}

// MatchText returns the first reading that gives a text identifier.
func MatchText(src []byte, mediaType string, id digest.ID) (r TextReading, ok bool) {
	for _, r := range TextReadings() {
		if Text(src, mediaType, r) == id {
			return r, true
		}
	}
	return TextReading{}, false
}

// textWriter writes text to a digest and optionally collapses white space.
type textWriter struct {
	text      digest.Text
	collapsed bool
	begun     bool
	space     bool // write a blank before the next text
}

const whiteSpace = "\t\n\v\f\r "

func (w *textWriter) add(run []byte) {
	if !w.collapsed {
		w.text.Add(string(run))
		return
	}
	for len(run) > 0 {
		word := bytes.TrimLeft(run, whiteSpace)
		w.space = w.space || len(word) < len(run)
		if len(word) == 0 {
			return
		}
		end := bytes.IndexAny(word, whiteSpace)
		if end < 0 {
			end = len(word)
		}
		if w.space && w.begun {
			w.text.Add(" ")
		}
		w.text.Add(string(word[:end]))
		w.begun, w.space = true, false
		run = word[end:]
	}
}
