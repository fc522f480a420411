package pdffile

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
)

// checkEnd checks that no other revision follows end, the end of the last cross-reference section (7.5.6). Objects
// there that no section lists are slack, or belong to a newer revision without a section.
func (f *File) checkEnd(end int) error {
	what, at := f.unknownAfter(end)
	if what == "" {
		return nil
	}
	last := f.revisionEnd(end)
	if i := bytes.LastIndex(f.data, []byte("startxref")); i > last {
		last = f.revisionEnd(i)
	}
	newer := at >= last && f.startsRevision(last)
	if newer || at < last {
		both := ""
		if newer {
			both = "; without these bytes, that revision is complete"
		}
		return damaged("%d bytes after the last revision in the cross-reference data, with %s at offset %d%s",
			len(f.data)-f.revisionEnd(end), what, int64(at)-f.base, both)
	}
	f.slack = last
	f.notice("webcap ignores the last %d bytes of the file: they follow the last revision, and do not start another",
		len(f.data)-last)
	if num, at, ok := f.unknownObject(last); ok && bytes.Contains(f.data[at:], []byte("endobj")) {
		f.lose("the ignored bytes after the last revision contain an object %d at offset %d; they may be a newer "+
			"revision", num, int64(at)-f.base)
	}
	return nil
}

// used returns the number of bytes before the slack.
func (f *File) used() int {
	if f.slack > 0 {
		return f.slack
	}
	return len(f.data)
}

// startsRevision reports whether a newer revision, or its beginning, follows p, the end of a revision. Other bytes
// there are slack that some writers leave, from a buffer or an older file. Slack does not begin with an object.
func (f *File) startsRevision(p int) bool {
	b := f.data
	q := object.SkipSpace(b, p)
	if q == len(b) || q > 0 && !object.IsSpace(b[q-1]) && !bytes.HasSuffix(b[:q], []byte(endMarker)) {
		return false
	}
	for _, word := range sectionWords {
		if at, ok := keywordBefore(b[:min(len(b), q+maxCutHeader)], q, word.key, word.next); ok && at == q {
			return true
		}
	}
	_, _, whole := f.header(int64(q))
	return whole || startsHeader(b[q:])
}

// unknownAfter finds the beginning of a newer revision after p. It returns "" if there is none. Bytes without the
// start of an object do not count: padding, comments, and the ends of downloads are often appended to files.
func (f *File) unknownAfter(p int) (what string, at int) {
	if num, at, ok := f.unknownObject(p); ok {
		return fmt.Sprintf("object %d", num), at
	}
	return partAfter(f.data, f.revisionEnd(p))
}

// partAfter finds a part of a revision other than a whole object after p. It returns "" if there is none.
func partAfter(b []byte, p int) (what string, at int) {
	for _, word := range sectionWords {
		if at, ok := keywordBefore(b, p, word.key, word.next); ok {
			return "the keyword " + word.key, at
		}
	}
	if startsHeader(b[p:]) {
		return "the start of an object", p
	}
	return "", 0
}

// sectionWords are the keywords of a trailer and a cross-reference table, each with the bytes that may follow it.
var sectionWords = []struct{ key, next string }{{"trailer", "<"}, {"xref", "0123456789"}}

// unknownObject returns the first object after p that is not where the cross-reference data places it.
func (f *File) unknownObject(p int) (num uint32, at int, ok bool) {
	for q := p; ; {
		i := bytes.Index(f.data[q:], []byte("obj"))
		if i < 0 {
			return 0, 0, false
		}
		q += i + len("obj")
		at, num, _, ok := headerBefore(f.data, q-len("obj"))
		if ok && at >= p && !f.isListedAt(num, at) {
			return num, at, true
		}
	}
}

// keywordBefore finds the first keyword key after p that is followed by a byte of next.
func keywordBefore(b []byte, p int, key, next string) (at int, ok bool) {
	for {
		i := bytes.Index(b[p:], []byte(key))
		if i < 0 {
			return 0, false
		}
		at, p = p+i, p+i+len(key)
		q := object.SkipSpace(b, p)
		if q < len(b) && strings.IndexByte(next, b[q]) >= 0 && !object.IsRegular(b[at-1]) {
			return at, true
		}
	}
}

// isListedAt reports whether the cross-reference data places object num at p.
func (f *File) isListedAt(num uint32, p int) bool {
	e := f.entry(num)
	return e.kind == inFile && e.at+f.base == int64(p)
}

// revisionEnd returns the end of the revision whose last section ends at p. The revision includes startxref with
// its offset and the line with %%EOF (7.5.5), if they exist.
func (f *File) revisionEnd(p int) int {
	b := f.data
	for _, word := range []string{"endstream", "endobj", "startxref"} {
		q := object.SkipSpace(b, p)
		if !bytes.HasPrefix(b[q:], []byte(word)) {
			continue
		}
		if p = q + len(word); word == "startxref" {
			_, p = digits(b, object.SkipSpace(b, p))
		}
	}
	if i := bytes.Index(b[p:object.SkipSpace(b, p)], []byte(endMarker)); i >= 0 {
		p += i + len(endMarker)
	}
	for p < len(b) && (b[p] == '\r' || b[p] == '\n') {
		p++
	}
	return p
}

// endMarker is the last line of a revision (7.5.5).
const endMarker = "%%EOF"

// maxCutHeader is the length of an incomplete "n g obj" at the end of a cut-off file.
const maxCutHeader = 32

// startsHeader reports whether b is only the start of "n g obj" on one line. The number 0 does not count: HTTP's
// chunked coding ends with 0.
func startsHeader(b []byte) bool {
	p := object.SkipSpace(b, 0)
	return len(b)-p < maxCutHeader && cutHeader.Match(b[p:])
}

// cutHeader is the start of "n g obj".
var cutHeader = regexp.MustCompile(`^[1-9][0-9]*( +([0-9]+( +(o|ob|obj)?)?)?)?$`)

// findCutOff checks whether the file is complete: it ends with the line %%EOF, or has slack after it. The last object
// of the file must not end before end. If the end is missing, that part may contain newer versions of existing objects.
func (f *File) findCutOff(end int) {
	if f.slack > 0 {
		return
	}
	if i := bytes.LastIndex(f.data[end:], []byte(endMarker)); i >= 0 {
		if what, _ := partAfter(f.data, end+i+len(endMarker)); what == "" {
			return
		}
	}
	f.isCutOff = true
	f.lose("cut off after %d bytes; the missing part is unknown", f.Size())
}

// lastObject returns the position of the keyword obj of the last object outside of object streams, or 0.
func (f *File) lastObject() int {
	for p := len(f.data); ; {
		if p = bytes.LastIndex(f.data[:p], []byte("obj")); p < 0 {
			return 0
		}
		if _, _, _, ok := headerBefore(f.data, p); ok {
			return p
		}
	}
}
