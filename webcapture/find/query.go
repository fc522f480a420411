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
	out := append(hostForm(p), '/')
	out = append(out, bytes.Trim(loosePath(p), "/")...)
	return string(bytes.ToLower(out))
}

func hostForm(p canon.Parts) []byte {
	if !p.HasAuthority {
		return slices.Concat(p.Scheme, []byte(":"))
	}
	return bytes.TrimPrefix(bytes.ToLower(slices.Clone(p.Host)), []byte("www."))
}

// loosePath returns path, parameters, and query without escapes.
func loosePath(p canon.Parts) []byte { return canon.Decode(nil, fullPath(p)) }

func fullPath(p canon.Parts) []byte {
	path := slices.Clone(p.Path)
	if p.HasParams {
		path = append(append(path, ';'), p.Params...)
	}
	if p.HasQuery {
		path = append(append(bytes.TrimRight(path, "/"), '?'), p.Query...)
	}
	return path
}

// differences returns the parts in which two canonical URLs with the same loose form differ.
func differences(a, b []byte) (parts []string) {
	p, q := canon.Split(a), canon.Split(b)
	add := func(name string, differ bool) {
		if differ {
			parts = append(parts, name)
		}
	}
	add("scheme", !bytes.Equal(p.Scheme, q.Scheme))
	add("userinfo", !bytes.Equal(p.Userinfo, q.Userinfo))
	add("www.", p.HasAuthority && !bytes.EqualFold(p.Host, q.Host))
	add("port", !bytes.Equal(p.Port, q.Port))
	x, y := loosePath(p), loosePath(q)
	add("escapes", !bytes.Equal(fullPath(p), fullPath(q)) && (bytes.Contains(fullPath(p), []byte("%")) !=
		bytes.Contains(fullPath(q), []byte("%")) || bytes.Equal(x, y)))
	add("slash at the end", bytes.HasSuffix(x, []byte("/")) != bytes.HasSuffix(y, []byte("/")))
	add("case", !bytes.Equal(bytes.Trim(x, "/"), bytes.Trim(y, "/")))
	add("fragment", !bytes.Equal(p.Fragment, q.Fragment))
	add("slash", len(parts) == 0 && !bytes.Equal(a, b)) // any other difference
	return parts
}
