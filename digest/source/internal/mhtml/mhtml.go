// Package mhtml opens pages that browsers have saved with their files in one message (RFC 2557).
package mhtml

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

func (m *mhtml) List(yield func(*capture.Candidate, error) bool) {
	var list []*mhtmlPart
	for parts := range maps.Values(m.parts) {
		for _, p := range parts {
			list = append(list, p.mhtmlPart)
		}
	}
	slices.SortFunc(list, func(a, b *mhtmlPart) int { return cmp.Compare(a.Start, b.Start) })
	for _, p := range slices.Compact(list) { // a part has two keys if it has a Content-ID
		if !yield(m.candidate(p), nil) {
			return
		}
	}
}

// mhtml is a page with its files in one message (RFC 2557). The positions of the parts are found once. mime/multipart
// is not used because it does not return positions, and stops at the first damaged header.
type mhtml struct {
	path  string
	file  *os.File
	parts map[string][]namedPart // by the common form of alike URLs in Content-Location and Content-ID
	stats capture.Stats
}

// namedPart is a part under one of its names.
type namedPart struct {
	name string // Content-Location or Content-ID, as a URL
	*mhtmlPart
}

// mhtmlPart is one part of the message, or a message that is not a multipart.
type mhtmlPart struct {
	localfile.Span
	url       string
	mediaType string
	coding    string // Content-Transfer-Encoding, in lower case
	time      time.Time
	uncertain bool
}

// browser matches the From field of messages saved by browsers. Browsers rewrite HTML when they save it.
var browser = regexp.MustCompile(`(?i)saved by (blink|webkit|mozilla|opera|(windows|microsoft) internet explorer)`)

func Is(path string) bool {
	h, err := body.ReadHeader(bufio.NewReader(bytes.NewReader(localfile.Beginning(path))))
	if err != nil || h.Status != 0 {
		return false
	}
	kind, _ := mediaType(h)
	return strings.HasPrefix(kind, "multipart/") ||
		h.Get("MIME-Version") != "" && h.Get("Content-Type") != "" && h.Get("Content-Location") != ""
}

func Open(path string) (capture.Source, error) {
	if err := localfile.Regular(path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	m := &mhtml{path: path, file: file, parts: map[string][]namedPart{}}
	if err := m.index(io.NewSectionReader(file, 0, localfile.ToEnd)); err != nil {
		file.Close()
		return nil, err
	}
	return m, nil
}

func (m *mhtml) add(url string, p *mhtmlPart) {
	k := urlkey.Alike(url)
	list := m.parts[k]
	if n := len(list); n > 0 && list[n-1].mhtmlPart == p {
		return // Content-Location and Content-ID are the same
	}
	m.parts[k] = append(list, namedPart{url, p})
}

func (m *mhtml) Lookup(url string) iter.Seq2[*capture.Candidate, error] {
	if scheme, id, _ := strings.Cut(url, ":"); strings.EqualFold(scheme, "cid") {
		url = "cid:" + string(canon.Decode(nil, []byte(id))) // cid: URLs have escapes (RFC 2392)
	}
	url = withoutBlanks(url)
	return m.lookup(url, urlkey.Same(url))
}

func (m *mhtml) LookupAlike(url string) iter.Seq2[*capture.Candidate, error] {
	return m.lookup(url, urlkey.IsAlike(url))
}

// lookup yields the captures of the URLs that are alike url and for which is(URL) is true.
func (m *mhtml) lookup(url string, is func(string) bool) iter.Seq2[*capture.Candidate, error] {
	return func(yield func(*capture.Candidate, error) bool) {
		for _, p := range m.parts[urlkey.Alike(url)] {
			if !is(p.name) {
				continue
			}
			if !yield(m.candidate(p.mhtmlPart), nil) {
				return
			}
		}
	}
}

func (m *mhtml) candidate(p *mhtmlPart) *capture.Candidate {
	c := &capture.Candidate{
		URL:       p.url,
		MediaType: p.mediaType,
		Time:      p.time,
		Where:     fmt.Sprintf("%s, offset %d", m.path, p.Start),
		Size:      -1,
		Record:    "MHTML part",
		Body:      m.body(p),
	}
	switch p.coding {
	case "base64", "binary":
	default: // the original file may have had other line ends, or blanks before line ends
		c.Doubt = "MHTML does not keep the line ends of text"
	}
	if p.uncertain {
		c.Doubt = "browsers rewrite pages when they save them"
	}
	if p.coding != "base64" && p.coding != "quoted-printable" {
		c.Size = p.End - p.Start
	}
	return c
}

// body returns the body of a part. The transfer coding is removed, because the original file did not have it. Lines of
// text in a message end in CRLF, even if they end in LF in the original file (RFC 2045, 2.7, 2.8, and 6.7).
func (m *mhtml) body(p *mhtmlPart) *body.Body {
	b := &body.Body{}
	decode := func(r io.Reader) io.Reader { return r }
	switch p.coding {
	case "base64":
		decode = body.FromBase64
	case "quoted-printable":
		decode = body.FromQuotedPrintable
	case "", "7bit", "8bit", "binary":
	default:
		b.Open = func() (io.ReadCloser, error) {
			return nil, fmt.Errorf("the transfer coding %.40q is unknown", p.coding)
		}
		return b
	}
	if p.coding != "base64" && p.coding != "binary" {
		b.Restore = func(r io.Reader) io.Reader { return &withoutCR{r: bufio.NewReader(r)} }
	}
	b.Open = func() (io.ReadCloser, error) {
		return io.NopCloser(decode(io.NewSectionReader(m.file, p.Start, p.End-p.Start))), nil
	}
	return b
}

// transferCoding returns the name of a coding in a field, without the comment that may follow (RFC 5322, 3.2.2).
func transferCoding(field string) string {
	name, _, _ := strings.Cut(strings.ToLower(field), "(")
	return strings.TrimSpace(name)
}

// withoutCR reads r and replaces each CRLF by LF.
type withoutCR struct{ r *bufio.Reader }

func (w *withoutCR) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		c, err := w.r.ReadByte()
		if err != nil {
			return n, err
		}
		if c == '\r' {
			if next, err := w.r.Peek(1); err == nil && next[0] == '\n' {
				continue
			}
		}
		p[n] = c
		n++
	}
	return n, nil
}

func (m *mhtml) Stats() capture.Stats { return m.stats }
func (m *mhtml) Close() error         { return m.file.Close() }
