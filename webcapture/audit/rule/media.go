package rule

import (
	"bytes"
	"errors"
	"mime"
	"regexp"
	"strings"
)

// comment matches a comment of RFC 822, which mime.ParseMediaType does not read.
var comment = regexp.MustCompile(`\([^()]*\)`)

// isPlainMedia reports whether v is a type and a subtype in lower case, without parameters, as in nearly all files. It
// needs no parser, which would allocate memory.
func isPlainMedia(v []byte) bool {
	kind, subtype, _ := bytes.Cut(v, []byte("/"))
	return len(kind) > 0 && len(subtype) > 0 && !bytes.ContainsFunc(kind, notPlain) &&
		!bytes.ContainsFunc(subtype, notPlain)
}

func notPlain(r rune) bool { return (r < 'a' || r > 'z') && r != '-' && r != '+' && r != '.' }

// MediaFault describes why a value is not a media type (RFC 2045, 5.1), such as text/html; charset=utf-8; empty if it
// is one. Unlike mime.ParseMediaType, it rejects a type without a slash, and a semicolon at the end.
func MediaFault(v []byte) string {
	if isPlainMedia(v) {
		return ""
	}
	text := string(v)
	for strings.Contains(text, "(") && comment.MatchString(text) {
		text = comment.ReplaceAllString(text, " ")
	}
	_, _, err := mime.ParseMediaType(text)
	essence, parameters, more := strings.Cut(text, ";")
	kind, subtype, slash := strings.Cut(strings.TrimSpace(essence), "/")
	switch invalid := errors.Is(err, mime.ErrInvalidMediaParameter); {
	case kind == "":
		return "it does not begin with a type"
	case !slash:
		return "the slash after the type is missing"
	case subtype == "":
		return "the subtype after the slash is missing"
	case err != nil && !invalid && !more:
		return "it is not type/subtype"
	case err != nil || more && strings.TrimSpace(parameters) == "" || NotASCII(v) >= 0:
		return "a parameter is not name=value"
	}
	return ""
}
