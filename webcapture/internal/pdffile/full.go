package pdffile

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/webcap-tools/webcap/nametree/object"
)

// WriteFull writes a new file. It contains the unchanged objects, in the order of the file and with the same
// numbers, then the objects that were put, then one cross-reference section. Object streams are copied as a whole;
// old cross-reference streams are dropped. If pdfcpu has read the file, object streams are also dropped, and their
// objects are written directly. A linearization dictionary stays, but becomes invalid: its L is the length of the
// old file (ISO 32000-2:2020, annex F).
//
// Lost returns the objects that could not be copied. The error is the unwrapped error of w, or the reason why the
// file cannot be written.
func (u *Update) WriteFull(w io.Writer) error {
	u.lost = nil
	if err := u.check(u.next + 1); err != nil {
		return err
	}
	return u.f.guarded(func() error {
		if u.f.lostKey() {
			return errors.New("cannot write a full copy: the file is damaged, and its encryption would be lost")
		}
		c := copier{u: u, r: u.f.NewReader(), o: newOutput(w), entries: make([]entry, u.next, u.next+1)}
		if err := c.write(); err != nil {
			return err
		}
		return u.f.Intact()
	})
}

// lostKey reports whether the file seems to be encrypted although its reconstructed trailer has no Encrypt. pdfcpu
// returns decrypted objects, and may ignore a direct encryption dictionary.
func (f *File) lostKey() bool {
	return f.Repaired() && f.crypt == nil && (f.Encrypted() || bytes.Contains(f.data, []byte("/Encrypt")))
}

// A copier writes a new file.
type copier struct {
	u       *Update
	r       *Reader
	o       *output
	entries []entry // of the new file, by object number
	spent   int64   // bytes of the old file searched so far
}

func (c *copier) write() error {
	c.o.sum = md5.New()
	c.header()
	copyObjects := c.fromFile
	if c.u.f.byPdfcpu != nil {
		copyObjects = c.fromPdfcpu
	}
	if err := copyObjects(); err != nil {
		return err
	}
	packed := c.packed()
	c.loseMissing()
	for _, num := range c.u.numbers() {
		e, err := c.u.write(c.o, num)
		if err != nil {
			return err
		}
		c.entries[num] = e
	}
	slices.SortFunc(c.u.lost, object.Ref.Compare)
	if root, ok := c.u.f.trailer.Lookup("Root").Ref(); ok &&
		(uint64(root.Num) >= uint64(len(c.entries)) || c.entries[root.Num].kind == unknown) {
		return fmt.Errorf("cannot write a full copy: the catalog %v is missing", root)
	}
	s := section{subs: []subsection{{0, c.entries}}, size: c.u.next, stream: packed || c.u.f.endsInStream()}
	if s.stream {
		s.own = s.size
		s.add(s.own, entry{})
		s.size++
	}
	return s.write(c.o, c.u.f.trailer)
}

// header copies the version line and, if there is one, the comment on the next line that marks the file as binary
// (7.5.2). If the file has no header, it writes a new one.
func (c *copier) header() {
	b := c.u.f.data
	start, _ := findHeader(b)
	if start < 0 {
		io.WriteString(c.o, "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
		return
	}
	b = b[start:min(len(b), start+headerWindow)]
	end := lineEnd(b, 0)
	if end < len(b) && b[end] == '%' {
		end = lineEnd(b, end)
	}
	c.o.Write(b[:end])
	if b[end-1] != '\n' && b[end-1] != '\r' {
		io.WriteString(c.o, "\n")
	}
}

// lineEnd returns the position after the line at p.
func lineEnd(b []byte, p int) int {
	i := bytes.IndexAny(b[p:], "\r\n")
	if i < 0 {
		return len(b)
	}
	p += i + 1
	if b[p-1] == '\r' && p < len(b) && b[p] == '\n' {
		p++
	}
	return p
}

func (c *copier) lose(ref object.Ref) { c.u.lost = append(c.u.lost, ref) }

// fromFile copies the objects outside of object streams.
func (c *copier) fromFile() error {
	f := c.u.f
	var nums []uint32
	for num, e := range f.entries {
		if e.kind == inFile {
			nums = append(nums, uint32(num))
		}
	}
	slices.SortStableFunc(nums, func(a, b uint32) int { return cmp.Compare(f.entries[a].at, f.entries[b].at) })
	for i, num := range nums {
		if _, ok := c.u.objects[num]; ok {
			continue
		}
		next := f.Size()
		if i+1 < len(nums) {
			next = f.entries[nums[i+1]].at + f.base
		}
		e := f.entries[num]
		parts, ok := c.object(object.Ref{Num: num, Gen: e.gen}, e.at+f.base, next)
		if !ok {
			c.lose(object.Ref{Num: num, Gen: e.gen})
		}
		if len(parts) == 0 {
			continue
		}
		c.entries[num] = entry{at: c.o.at, gen: e.gen, kind: inFile}
		for _, part := range parts {
			c.o.Write(part)
		}
		if _, err := io.WriteString(c.o, "\n"); err != nil {
			return err
		}
	}
	return nil
}

// object returns the bytes to write for object ref at offset at; next is the offset of the following object. A
// cross-reference stream has no bytes. ok is false if the object is unreadable.
func (c *copier) object(ref object.Ref, at, next int64) (parts [][]byte, ok bool) {
	f := c.u.f
	p, num, ok := f.header(at)
	if !ok || num != ref.Num || num == 0 || c.spent > copiedFactor*f.Size() {
		return nil, false
	}
	b := f.data
	start := object.SkipSpace(b, int(at))
	o, end, err := f.parse(ref, p)
	if err != nil {
		// The object is malformed, but its end may be known.
		i := bytes.Index(b[p:max(int64(p), min(next, f.Size()))], []byte("endobj"))
		if i < 0 {
			return nil, false
		}
		return [][]byte{b[start : p+i+len("endobj")]}, true
	}
	c.spent += int64(end - start)
	if o.Kind() != object.Stream {
		return [][]byte{b[start:end], []byte("\nendobj")}, true
	}
	d, _ := o.Dict()
	if d.Lookup("Type").IsName("XRef") {
		return nil, true
	}
	// The length may also be in an object stream. If the length is right, readers can use it.
	length, _ := object.Resolve(c.r, d.Lookup("Length"))
	from := f.streamStart(end)
	to, right := f.streamEnd(from, length)
	c.spent += int64(to - from + len(length.Raw()))
	if !right {
		parts = [][]byte{b[start : end-len(d.Raw())], withLength(d, to-from), []byte("\nstream\n"), b[from:to]}
		return append(parts, []byte("\nendstream\nendobj")), true
	}
	stop := object.SkipSpace(b, to) + len("endstream")
	return [][]byte{b[start:stop], []byte("\nendobj")}, true
}

// withLength returns the dictionary of a stream whose data have n bytes.
func withLength(d object.Dict, n int) []byte {
	return d.AppendWith(nil, object.Setting{Key: "Length", Value: strconv.AppendInt(nil, int64(n), 10)})
}

// packed adds entries for the objects in copied object streams, and reports whether there are any.
func (c *copier) packed() bool {
	any := false
	for num, e := range c.u.f.entries {
		if _, ok := c.u.objects[uint32(num)]; ok || e.kind != inStream {
			continue
		}
		if num == 0 || e.at >= int64(len(c.entries)) || c.entries[e.at].kind != inFile {
			c.lose(object.Ref{Num: uint32(num)})
			continue
		}
		c.entries[num] = e
		any = true
	}
	return any
}

// loseMissing adds the objects that were not found in the file to the lost ones.
func (c *copier) loseMissing() {
	for num, e := range c.u.f.entries {
		if _, ok := c.u.objects[uint32(num)]; !ok && e.kind == lost {
			c.lose(object.Ref{Num: uint32(num), Gen: e.gen})
		}
	}
}

// fromPdfcpu writes the objects of a file read by pdfcpu, which has them as values. Members of object streams are
// written directly.
func (c *copier) fromPdfcpu() error {
	for _, ref := range c.u.f.byPdfcpu.refs() {
		if _, ok := c.u.objects[ref.Num]; ok || ref.Num == 0 {
			continue
		}
		o, err := c.r.Get(ref)
		if err != nil {
			c.lose(ref)
			continue
		}
		d, _ := o.Dict()
		if kind := d.Lookup("Type"); o.IsNull() ||
			o.Kind() == object.Stream && (kind.IsName("XRef") || kind.IsName("ObjStm")) {
			continue
		}
		c.entries[ref.Num] = entry{at: c.o.at, gen: ref.Gen, kind: inFile}
		fmt.Fprintf(c.o, "%d %d obj\n", ref.Num, ref.Gen)
		if o.Kind() == object.Stream {
			data := c.u.f.byPdfcpu.stream(ref)
			fmt.Fprintf(c.o, "%s\nstream\n", withLength(d, len(data)))
			c.o.Write(data)
			io.WriteString(c.o, "\nendstream")
		} else {
			c.o.Write(o.Append(nil))
		}
		if _, err := io.WriteString(c.o, "\nendobj\n"); err != nil {
			return err
		}
	}
	return nil
}
