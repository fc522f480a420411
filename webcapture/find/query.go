package find

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
)

// A Query is one URL or digital identifier to find.
type Query struct {
	Text string // text as given
	Tree webcapture.TreeName
	Key  nametree.Key // canonical URL, or the 16 bytes of an identifier
}

// Parse parses a query. 32 hexadecimal digits are an identifier; any other text must be an absolute URL. The
// error explains why the text is neither.
func Parse(text string) (Query, error) {
	if id, err := hex.DecodeString(strings.Trim(text, "<>")); err == nil && len(id) == len(digest.ID{}) {
		return Query{Text: text, Tree: webcapture.IDS, Key: nametree.Key(id)}, nil
	}
	switch {
	case text == "":
		return Query{}, errors.New("it is empty")
	case !canon.Split([]byte(text)).Absolute():
		return Query{}, errors.New("not a URL with a scheme, such as http://" + strings.TrimLeft(text, "/") +
			", or an ID of 32 hexadecimal digits")
	}
	return Query{Text: text, Tree: webcapture.URLS, Key: nametree.Key(canon.PDF.Append(nil, []byte(text)))}, nil
}

// looseForm returns a text that is the same for all forms of one URL: host without "www.", path, and query, in
// lower case and without escapes or a slash at the end.
func looseForm(canonical []byte) string {
	p := canon.Split(canonical)
	host := slices.Concat(p.Scheme, []byte(":"))
	if p.HasAuthority {
		host = bytes.TrimPrefix(bytes.ToLower(p.Host), []byte("www."))
	}
	path := slices.Clone(p.Path)
	if p.HasParams {
		path = append(append(path, ';'), p.Params...)
	}
	if p.HasQuery {
		path = append(append(bytes.TrimRight(path, "/"), '?'), p.Query...)
	}
	path = bytes.Trim(canon.Decode(nil, path), "/")
	return string(bytes.ToLower(slices.Concat(host, []byte("/"), path)))
}
