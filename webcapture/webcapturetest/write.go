package webcapturetest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
)

// fileID is the identifier of every file. The key of an encrypted file depends on it.
var fileID = []byte("webcapturetest\x00\xff")

// Bytes returns the document as a file. It panics if the layout is impossible.
func (d *Document) Bytes(l Layout) []byte {
	var b bytes.Buffer
	if err := d.Encode(&b, l); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Encode writes the document as a file. The error is that of w, or the reason why the layout is impossible.
func (d *Document) Encode(w io.Writer, l Layout) error {
	l, err := l.check()
	if err != nil {
		return fmt.Errorf("webcapturetest: %w", err)
	}
	if d.Root == 0 {
		return errors.New("webcapturetest: document without Root")
	}
	var buf bytes.Buffer
	f := newFile(&buf, l, d.next)
	for i, r := range append(slices.Clip(d.done), d.revision()) {
		if i == 0 && l.Linearized {
			f.linearized(&buf, r, len(d.done) == 0)
			continue
		}
		xref := l.XRef
		if i > 0 {
			xref = l.UpdateXRef
		}
		f.objects(r, slices.Sorted(maps.Keys(r.objects)), xref)
		f.section(r, xref, i == 0, i == len(d.done))
	}
	if f.flush(); f.err != nil {
		return fmt.Errorf("webcapturetest: %w", f.err)
	}
	_, err = w.Write(buf.Bytes())
	return err
}

// A file writes a PDF file.
type file struct {
	w       *bufio.Writer
	err     error // first error
	l       Layout
	crypt   *crypt // nil for a plain file
	encrypt string // value of Encrypt in the trailer, or ""

	off  int64 // number of bytes written
	base int64 // offsets count from here
	next int   // highest object number assigned
	top  int   // highest object number written
	prev int64 // offset of the previous section, or -1

	entries []xrefEntry // entries of the next section
	packed  objectStream
	scratch []byte
}

// An objectStream is the current object stream. If num is 0, there is none.
type objectStream struct {
	num, count int
	hidden     bool
	head, body []byte
}

func newFile(w io.Writer, l Layout, next int) *file {
	f := &file{w: bufio.NewWriterSize(w, 1<<16), l: l, next: next, prev: -1}
	f.bytes(l.Prefix)
	if !l.OffsetsFromStart {
		f.base = f.off
	}
	f.bytes([]byte("%PDF-" + l.Version + "\n%\xe2\xe3\xcf\xd3\n"))
	if e := l.Encryption; e != nil {
		f.crypt = newCrypt(e, fileID)
		f.encrypt = "<<" + f.crypt.dict + ">>"
		if !e.Direct {
			f.encrypt = strconv.Itoa(f.reserve()) + " 0 R"
		}
	}
	return f
}

func (f *file) reserve() int {
	f.next++
	return f.next
}

func (f *file) bytes(b []byte) {
	if f.err == nil {
		_, f.err = f.w.Write(b)
	}
	f.off += int64(len(b))
}

func (f *file) flush() {
	if f.err == nil {
		f.err = f.w.Flush()
	}
}

// objects writes the objects nums of a revision.
func (f *file) objects(r revision, nums []int, xref XRef) {
	for _, num := range nums {
		o := r.objects[num]
		switch {
		case o.free:
			f.entries = append(f.entries, xrefEntry{num: num, b: o.gen + 1})
		case o.stream:
			f.stream(num, o.gen, o.body, o.data)
		default:
			packed := f.l.ObjectStreams > 0 && o.gen == 0 && xref != Table
			if xref == Hybrid && (num == r.root || num == r.info || isPage(o.body)) {
				packed = false
			}
			f.object(num, o.gen, []byte(o.body), packed, xref == Hybrid)
		}
	}
	f.endObjectStream()
}

// object writes an object that is not a stream, either directly or in an object stream.
func (f *file) object(num, gen int, body []byte, packed, hidden bool) {
	if packed {
		f.pack(num, body, hidden)
		return
	}
	f.add(num, gen)
	b := appendHead(f.scratch[:0], num, gen)
	if f.crypt != nil {
		b = f.crypt.strings(b, body, num, gen)
	} else {
		b = append(b, body...)
	}
	f.scratch = append(b, "\nendobj\n"...)
	f.bytes(f.scratch)
}

// pack adds an object to the current object stream.
func (f *file) pack(num int, body []byte, hidden bool) {
	f.top = max(f.top, num)
	s := &f.packed
	if s.num == 0 {
		s.num, s.hidden = f.reserve(), hidden
	}
	s.head = append(strconv.AppendInt(s.head, int64(num), 10), ' ')
	s.head = append(strconv.AppendInt(s.head, int64(len(s.body)), 10), ' ')
	s.body = append(append(s.body, body...), '\n')
	f.entries = append(f.entries, xrefEntry{num: num, kind: 2, hidden: hidden, a: int64(s.num), b: s.count})
	if s.count++; s.count == f.l.ObjectStreams {
		f.endObjectStream()
	}
}

// stream writes a stream. It encrypts the data if the file is encrypted.
func (f *file) stream(num, gen int, dict string, data []byte) {
	if f.crypt != nil {
		data = f.crypt.stream(dict, data, num, gen)
		dict = string(f.crypt.strings(nil, []byte(dict), num, gen))
	}
	length := 0
	if !lengthKey.MatchString(dict) {
		if f.l.IndirectLength {
			length = f.reserve()
			dict += fmt.Sprintf("/Length %d 0 R", length)
		} else {
			dict += fmt.Sprintf("/Length %d", len(data))
		}
	}
	f.rawStream(num, gen, dict, data)
	if length > 0 {
		f.object(length, 0, strconv.AppendInt(nil, int64(len(data)), 10), false, false)
	}
}

func (f *file) rawStream(num, gen int, dict string, data []byte) {
	f.add(num, gen)
	f.bytes(appendStream(nil, num, gen, dict, data))
}

func appendHead(b []byte, num, gen int) []byte {
	b = strconv.AppendInt(b, int64(num), 10)
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(gen), 10)
	return append(b, " obj\n"...)
}

func appendStream(b []byte, num, gen int, dict string, data []byte) []byte {
	b = appendHead(b, num, gen)
	b = append(b, "<<"+dict+">>\nstream\n"...)
	b = append(b, data...)
	return append(b, "\nendstream\nendobj\n"...)
}

// endObjectStream writes the current object stream.
func (f *file) endObjectStream() {
	s := f.packed
	if s.num == 0 {
		return
	}
	dict, data := encode(f.l.ObjectStreamFilter, NoPredictor, 0, append(s.head, s.body...))
	before := len(f.entries)
	f.stream(s.num, 0, fmt.Sprintf("/Type/ObjStm/N %d/First %d%s", s.count, len(s.head), dict), data)
	for i := range f.entries[before:] {
		f.entries[before+i].hidden = s.hidden
	}
	f.packed = objectStream{head: s.head[:0], body: s.body[:0]}
}

func (f *file) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}
