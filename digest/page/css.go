package page

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// css adds the references of a style sheet. A URL in an @font-face rule is a font, the URL of an @import a style
// sheet, and any other URL an image. A URL that is only a name, as in @namespace, is not a reference.
func (l *list) css(src []byte) {
	lexer := css.NewLexer(parse.NewInputBytes(slices.Clip(src))) // the lexer writes after data that are not clipped
	const nothing = Kind(0)
	kind := Image
	depth, font := 0, -1 // current nesting depth of blocks, and depth of the @font-face block
	usual := func() Kind {
		if font >= 0 {
			return Font
		}
		return Image
	}
	for {
		switch token, text := lexer.Next(); token {
		case css.ErrorToken:
			return
		case css.AtKeywordToken:
			switch strings.ToLower(string(text)) {
			case "@import":
				kind = Style
			case "@font-face":
				font, kind = depth, nothing
			default:
				kind = nothing
			}
		case css.LeftBraceToken:
			depth++
			kind = usual()
		case css.RightBraceToken:
			if depth = max(depth-1, 0); depth <= font {
				font = -1
			}
			kind = usual()
		case css.SemicolonToken:
			kind = usual()
		case css.URLToken:
			if kind != nothing {
				l.add(unquote(urlArgument(text)), kind)
			}
			if kind == Style {
				kind = nothing
			}
		case css.StringToken:
			if kind == Style {
				l.add(unquote(text), kind)
				kind = nothing
			}
		}
	}
}

// urlArgument returns the argument of url(…).
func urlArgument(token []byte) []byte {
	_, arg, _ := bytes.Cut(token, []byte("("))
	return bytes.Trim(bytes.TrimSuffix(arg, []byte(")")), "\t\n\f\r ")
}

// unquote returns the value of a string, or of a URL without quotes. Escapes stay: real style sheets have none in URLs.
func unquote(text []byte) string { return string(bytes.Trim(text, `"'`)) }
