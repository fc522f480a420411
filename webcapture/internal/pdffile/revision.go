package pdffile

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
)

// CutOff means that the end of a file, and so of its newest revision, is missing. The missing part is unknown: it
// may contain newer versions of existing objects.
type CutOff struct {
	Size  int64 // size of the file in bytes
	After int64 // bytes after the last complete revision; Size if there is none

	// Unmarked means that the file ends after a trailer or startxref: only the end marker is missing.
	Unmarked bool
}

// Error describes how many bytes follow the last complete revision.
func (c *CutOff) Error() string {
	switch {
	case c.After < c.Size:
		return fmt.Sprintf("cut off after %d bytes, %d of them after the last complete revision; the missing part "+
			"is unknown", c.Size, c.After)
	case c.Unmarked:
		return fmt.Sprintf("no end marker %s in %d bytes; data may be missing", endMarker,
			c.Size)
	}
	return fmt.Sprintf("cut off after %d bytes; the missing part is unknown", c.Size)
}

// CutOff returns nil if the file does not seem to be cut off.
func (f *File) CutOff() *CutOff { return f.cutOff }

// LastComplete opens the file without the bytes after its last complete revision. The result is nil if the file is
// not cut off, or has no such revision. The file must stay open; the result need not be closed.
func (f *File) LastComplete(passwords []string) (*File, error) {
	if f.cutOff == nil || f.cutOff.After == f.cutOff.Size {
		return nil, nil
	}
	g := &File{fileBytes: f.fileBytes}
	g.data = g.data[:len(g.data)-int(f.cutOff.After)]
	if err := g.open(Options{Passwords: passwords}); err != nil {
		return nil, err
	}
	return g, nil
}

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
	f.loseSlack()
	return nil
}

// loseSlack reports a complete object in slack without an equal one in the file: it may belong to a newer revision.
func (f *File) loseSlack() {
	for p := f.slack; f.stopped() == nil; {
		i := bytes.Index(f.data[p:], []byte("obj"))
		if i < 0 {
			return
		}
		p += i + len("obj")
		at, num, _, ok := headerBefore(f.data, p-len("obj"))
		if !ok || at < f.slack {
			continue
		}
		end := bytes.Index(f.data[p:], []byte("endobj"))
		if end < 0 {
			return
		}
		p += end
		if !f.hasObject(num, f.data[at:p], f.slack) {
			f.lose("the ignored bytes after the last revision contain an object %d at offset %d that was not found "+
				"like this in the rest of the file; they may be a newer revision", num, int64(at)-f.base)
			return
		}
		p += len("endobj")
	}
}

// hasObject reports whether object num with the same text occurs before p. It looks where the cross-reference data
// places the object, and then searches all bytes before p.
func (f *File) hasObject(num uint32, text []byte, p int) bool {
	if f.hasEntry(num) && f.entries[num].kind == inFile {
		if at := f.entries[num].at + f.base; at >= 0 && at < int64(p) && bytes.HasPrefix(f.data[at:p], text) {
			return true
		}
	}
	f.paySearch(p)
	return bytes.Contains(f.data[:p], text)
}

// used returns the number of bytes before the slack.
func (f *File) used() int {
	if f.slack > 0 {
		return f.slack
	}
	return len(f.data)
}

// startsRevision reports whether a newer revision, or its beginning, follows p, the end of a revision. Other bytes
// there are slack that some writers leave, from a buffer or an older file. Slack begins within an object, or has
// only copies of existing objects and objects without references to existing ones.
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
	if startsHeader(b[q:]) {
		return true
	}
	for {
		_, num, ok := f.header(int64(q))
		if !ok {
			return false
		}
		end := bytes.Index(b[q:], []byte("endobj"))
		if end < 0 {
			return f.refersHere(b[q:])
		}
		text := b[q : q+end]
		if f.stopped() != nil || !f.hasObject(num, text, p) {
			return f.refersHere(text)
		}
		q = object.SkipSpace(b, q+end+len("endobj"))
	}
}

// refersHere reports whether an object with this text may belong to this file. It may if it has no references, or
// if one of them refers to an existing object or to a higher number, which may be a new object that is cut off.
func (f *File) refersHere(text []byte) bool {
	text, _, _ = bytes.Cut(text[:min(len(text), typeWindow)], []byte("stream"))
	refs := reference.FindAllSubmatch(text, -1)
	for _, ref := range refs {
		num, _ := digits(ref[1], 0)
		if num >= int64(len(f.entries)) || f.entries[num].kind == inFile || f.entries[num].kind == inStream {
			return true
		}
	}
	return len(refs) == 0
}

// reference matches "n g R".
var reference = regexp.MustCompile(`\b([0-9]+)[ \r\n\t]+[0-9]+[ \r\n\t]+R\b`)

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
	return f.hasEntry(num) && f.entries[num].kind == inFile && f.entries[num].at+f.base == int64(p)
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

// findCutOff returns nil if the file is complete: it ends with the line %%EOF, or has slack after it. The last object
// of the file must not end before end.
func (f *File) findCutOff(header, end int) *CutOff {
	if f.slack > 0 {
		return nil
	}
	if i := bytes.LastIndex(f.data[end:], []byte(endMarker)); i >= 0 {
		if what, _ := partAfter(f.data, end+i+len(endMarker)); what == "" {
			return nil
		}
	}
	c := &CutOff{Size: f.Size(), After: f.Size() - int64(f.lastComplete(header))}
	c.Unmarked = c.After == c.Size && f.endsInTrailer(end)
	return c
}

// endsInTrailer reports whether the file ends with a trailer, or with startxref and an offset. The search starts at
// p, in or after the last object.
func (f *File) endsInTrailer(p int) bool {
	b := f.data
	i := max(bytes.LastIndex(b[p:], []byte("trailer")), bytes.LastIndex(b[p:], []byte("startxref")))
	if i < 0 {
		return false
	}
	p += i
	if bytes.HasPrefix(b[p:], []byte("trailer")) {
		o, end, err := object.Parse(b, p+len("trailer"))
		return err == nil && o.Kind() == object.Dictionary && object.SkipSpace(b, end) == len(b)
	}
	at := object.SkipSpace(b, p+len("startxref"))
	_, end := digits(b, at)
	return end > at && object.SkipSpace(b, end) == len(b)
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

// lastComplete returns the end of the last revision whose startxref points to its cross-reference section, or 0.
func (f *File) lastComplete(header int) int {
	end := len(f.data)
	for range trailerAttempts {
		end = bytes.LastIndex(f.data[:end], []byte("startxref"))
		if end < 0 {
			return 0
		}
		at, _ := digits(f.data, object.SkipSpace(f.data, end+len("startxref")))
		for _, base := range []int64{int64(header), 0} {
			if at > 0 && at+base < int64(end) && f.isSection(at+base) {
				return f.revisionEnd(end)
			}
		}
	}
	return 0
}
