package page

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"

	"github.com/webcap-tools/webcap/digest"
)

// TextReading is one reading of the ambiguous parts of the standard about text identifiers. The title of an HTML source
// counts; comments, scripts, and style sheets do not.
type TextReading int

const (
	stored    TextReading = iota // the stored bytes of the text
	decoded                      // the text in UTF-8, with character references decoded
	collapsed                    // decoded; a run of white space is one blank, and none at both ends of the text
)

var textNames = []string{"text and title, as stored", "text and title, decoded", "text and title, decoded, collapsed"}

// TextReadings returns all readings, the most natural first. They are choices: no known capture proves one.
func TextReadings() []TextReading { return []TextReading{stored, decoded, collapsed} }

// String returns the name of a reading, such as "text and title, decoded, collapsed".
func (r TextReading) String() string { return textNames[r] }

// Text returns the text identifier of a source. For HTML, the text between the tags counts; for other media types, all
// text counts. A source in UTF-16 is converted to UTF-8 without byte order mark.
func Text(src []byte, mediaType string, r TextReading) digest.ID {
	g := grammarOf(mediaType)
	if text, isWide := inUTF8(src, mediaType); r != stored || isWide {
		src = text
	}
	if g != markup && g != xml {
		return textID(string(src), r)
	}
	z := tokenizer{html.NewTokenizer(bytes.NewReader(src)), g == xml}
	z.AllowCDATA(z.isXML)
	var text bytes.Buffer
	skipped := "" // current element, if its text does not count; otherwise empty
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return textID(text.String(), r)
		case html.TextToken:
			switch {
			case skipped != "":
			case r != stored:
				text.Write(z.Text())
			default:
				text.Write(z.Raw())
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			empty := kind == html.SelfClosingTagToken && z.isXML
			z.entered(string(name), kind == html.SelfClosingTagToken)
			if element := string(name); skipped == "" && !empty && (element == "script" || element == "style") {
				skipped = element
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == skipped {
				skipped = ""
			}
		}
	}
}

// MatchText returns the first reading that gives a text identifier.
func MatchText(src []byte, mediaType string, id digest.ID) (r TextReading, ok bool) {
	for _, r := range TextReadings() {
		if Text(src, mediaType, r) == id {
			return r, true
		}
	}
	return 0, false
}

// textID returns the identifier of a text.
func textID(text string, r TextReading) digest.ID {
	if r == collapsed {
		isBlank := func(c rune) bool { return strings.ContainsRune("\t\n\v\f\r ", c) }
		text = strings.Join(strings.FieldsFunc(text, isBlank), " ")
	}
	var t digest.Text
	t.Add(text)
	return t.ID()
}
