package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/mail"
	"strings"
	"time"
)

// mediaType returns the media type that a head has, in lower case, and its parameters.
func mediaType(h *head) (string, map[string]string) {
	kind, params, err := mime.ParseMediaType(h.get("Content-Type"))
	if err != nil && kind == "" {
		return "", nil
	}
	return kind, params
}

// A container is a multipart that the parts being read are in.
type container struct {
	boundary string
	base     string // what locations in it are relative to; may be empty
	start    string // Content-ID of its root; if empty, that is the first part
	parts    int
}

// An mhtmlReader finds the parts of a message, line by line.
type mhtmlReader struct {
	*bufio.Reader
	m      *mhtml
	t      tally
	offset int64 // of what is read next
	within []container
	open   *mhtmlPart // the one whose body is being read; nil in what counts for nothing
	date   time.Time  // of the message
	saved  bool       // a browser has written it
}

func (m *mhtml) index() error {
	r := &mhtmlReader{Reader: bufio.NewReaderSize(io.NewSectionReader(m.file, 0, 1<<62), 1<<16), m: m}
	r.t.Files = 1
	err := r.read()
	m.stats = r.t.stats()
	switch {
	case err != nil && r.t.Kept == 0:
		return err
	case err != nil && !errors.Is(err, errHead):
		return err
	case r.t.Kept == 0:
		return fmt.Errorf("no part is of use%s", firstSkip(m.stats))
	}
	return nil
}

func (r *mhtmlReader) where(offset int64) string {
	return fmt.Sprintf("%s, offset %d", r.m.path, offset)
}

func (r *mhtmlReader) read() error {
	if err := r.head(); err != nil {
		return err
	}
	single := len(r.within) == 0
	// A line end before a boundary belongs to the boundary (RFC 2046, 5.1.1): ending
	// is the length of that of the line before, and last the last octet of this one
	// as far as it was read.
	ending, last := int64(0), byte(0)
	for whole := true; ; {
		start := r.offset
		line, err := r.ReadSlice('\n')
		r.offset += int64(len(line))
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return err
		}
		if i, closing := r.boundary(line); whole && i >= 0 {
			r.close(start - ending)
			r.within = r.within[:i+1]
			ending = 0
			if closing {
				r.within = r.within[:i]
			} else if err == nil {
				if err := r.head(); err != nil {
					return err
				}
			}
		} else {
			text, ended := bytes.CutSuffix(line, []byte("\n"))
			if len(text) > 0 {
				last = text[len(text)-1]
			}
			switch {
			case !ended:
				ending = 0
			case last == '\r':
				ending, last = 2, 0
			default:
				ending, last = 1, 0
			}
		}
		if err == io.EOF {
			break
		}
		whole = err == nil
	}
	if r.open != nil && !single {
		r.t.skip(r.where(r.open.start), "the end of a part that no boundary closes")
		r.open.loose = true
	}
	r.close(r.offset)
	return nil
}

// boundary returns the index of the multipart whose boundary line is, and
// whether it is the last one; -1 if it is none.
func (r *mhtmlReader) boundary(line []byte) (int, bool) {
	if !bytes.HasPrefix(line, []byte("--")) {
		return -1, false
	}
	text := string(bytes.TrimRight(line[2:], " \t\r\n"))
	for i := len(r.within) - 1; i >= 0; i-- {
		if b := r.within[i].boundary; text == b || text == b+"--" {
			return i, text != b
		}
	}
	return -1, false
}

// close ends the part that is being read.
func (r *mhtmlReader) close(end int64) {
	p := r.open
	if p == nil {
		return
	}
	p.end = end
	r.open = nil
	r.t.Kept++
}

// head reads the head of the message, or of a part, and opens what it is of.
func (r *mhtmlReader) head() error {
	at := r.offset
	h, err := readHead(r.Reader)
	if err != nil {
		r.t.skip(r.where(at), "a part whose head does not end")
		return err
	}
	r.offset += h.size
	top := at == 0
	if top {
		r.date, _ = mail.ParseDate(h.get("Date"))
		r.saved = h.get("Snapshot-Content-Location") != "" || browser.MatchString(h.get("From"))
	}
	var outer *container
	base := ""
	if len(r.within) > 0 {
		outer = &r.within[len(r.within)-1]
		outer.parts++
		base = outer.base
	}
	cid := strings.Trim(h.get("Content-ID"), "<> ")
	if b := location(h, "Content-Base"); b != "" {
		base = resolve(base, b)
	}
	url := location(h, "Content-Location", "Snapshot-Content-Location")
	if url != "" {
		url = resolve(base, url)
	}
	kind, params := mediaType(h)
	if strings.HasPrefix(kind, "multipart/") && params["boundary"] != "" {
		if len(r.within) == maxNested {
			r.t.skip(r.where(at), fmt.Sprintf("more than %d multiparts in one another", maxNested))
			return nil
		}
		if url == "" {
			url = base
		}
		r.within = append(r.within, container{params["boundary"], url, strings.Trim(params["start"], "<> "), 0})
		return nil
	}
	if url == "" && outer != nil && (outer.start == "" && outer.parts == 1 || outer.start != "" && outer.start == cid) {
		url = base
	}
	p := &mhtmlPart{
		span:      span{start: r.offset},
		url:       url,
		mediaType: h.get("Content-Type"),
		coding:    strings.ToLower(h.get("Content-Transfer-Encoding")),
		time:      r.date,
	}
	if date, err := mail.ParseDate(h.get("Date")); err == nil {
		p.time = date
	}
	switch kind {
	case "text/html", "application/xhtml+xml", "text/css":
		p.loose = r.saved
	}
	if cid != "" {
		r.m.add("cid:"+cid, p)
		if p.url == "" {
			p.url = "cid:" + cid
		}
	}
	if url != "" {
		r.m.add(url, p)
	}
	if p.url == "" {
		r.t.skip(r.where(at), "a part without Content-Location and Content-ID")
		return nil
	}
	r.open = p
	return nil
}

// location returns the URL in the first of some fields that is there. It may be
// folded, which adds blanks (RFC 2557, 4.4.2), and coded as other text in heads is.
func location(h *head, names ...string) string {
	for _, name := range names {
		if v := h.get(name); v != "" {
			if plain, err := new(mime.WordDecoder).DecodeHeader(v); err == nil {
				v = plain
			}
			return strings.Join(strings.Fields(v), "")
		}
	}
	return ""
}
