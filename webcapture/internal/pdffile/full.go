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
// old cross-reference streams are dropped. A linearization dictionary stays, but becomes invalid: its L is the length
// of the old file (ISO 32000-2:2020, annex F).
//
// The error is the unwrapped error of w, or the reason why the file cannot be written. It wraps ErrLost for a file with
// lost or unreadable objects, because the new file would lack them for good.
func (u *Update) WriteFull(w io.Writer) error {
	if err := u.check(u.next + 1); err != nil {
		return err
	}
	return u.f.guarded(func() error {
		if unread := u.f.Unread(); len(unread) > 0 {
			return wouldLose(unread[0])
		}
		if u.f.Repaired() && u.f.crypt == nil && bytes.Contains(u.f.data, []byte("/Encrypt")) {
			return errors.New("cannot write a full copy: the file is damaged, and its encryption would be lost")
		}
		c := copier{u: u, r: u.f.NewReader(), o: u.output(w), entries: make([]entry, u.next, u.next+1)}
		if err := c.write(); err != nil {
			return err
		}
		return u.f.Intact()
	})
}

// ErrLost means that WriteFull does not write a file, because objects are lost or unreadable.
var ErrLost = errors.New("a full copy would lose objects")

// wouldLose returns the error for a file with an unreadable part.
func wouldLose(unread error) error {
	return fmt.Errorf("%w: %w; recover the file with qpdf or mutool first", ErrLost, unread)
}

// A copier writes a new file.
type copier struct {
	u       *Update
	r       *Reader
	o       *output
	entries []entry // of the new file, by object number
}

func (c *copier) write() error {
	c.o.sum = md5.New()
	c.header()
	if err := c.copyObjects(); err != nil {
		return err
	}
	packed, err := c.packed()
	if err != nil {
		return err
	}
	for _, num := range c.u.numbers() {
		e, err := c.u.write(c.o, num)
		if err != nil {
			return err
		}
		c.entries[num] = e
	}
	if root, ok := c.u.f.trailer.Lookup("Root").Ref(); ok &&
		(uint64(root.Num) >= uint64(len(c.entries)) || c.entries[root.Num].kind == unknown) {
		return fmt.Errorf("cannot write a full copy: the catalog %v is missing", root)
	}
	s := section{subs: []subsection{{0, c.entries}}, size: c.u.next, stream: packed || c.u.f.endsInStream()}
	if s.stream {
		s.own = s.size
		s.add(s.own, entry{at: c.o.at, kind: inFile})
		s.size++
	}
	return s.write(c.o, c.u.f.trailer)
}

// header writes the version line of the file, and the comment that marks it as binary (7.5.2).
func (c *copier) header() {
	fmt.Fprintf(c.o, "%s%s\n%%\xe2\xe3\xcf\xd3\n", headerMark, cmp.Or(c.u.f.version, "1.7"))
}

// copyObjects copies the objects outside of object streams.
func (c *copier) copyObjects() error {
	f := c.u.f
	var nums []uint32
	for num, e := range f.entries {
		if e.kind == inFile && num > 0 { // 0 is no object (7.5.4)
			nums = append(nums, uint32(num))
		}
	}
	slices.SortStableFunc(nums, func(a, b uint32) int { return cmp.Compare(f.entries[a].at, f.entries[b].at) })
	for _, num := range nums {
		if _, ok := c.u.objects[num]; ok {
			continue
		}
		e := f.entries[num]
		parts, err := c.object(object.Ref{Num: num, Gen: e.gen}, e.at)
		if err != nil {
			return wouldLose(err)
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

// object returns the bytes to write for object ref at offset at. A cross-reference stream has no bytes.
func (c *copier) object(ref object.Ref, at int64) (parts [][]byte, err error) {
	f := c.u.f
	p, err := f.start(ref, at)
	if err != nil {
		return nil, err
	}
	b := f.data
	start := object.SkipSpace(b, int(at+f.base))
	o, end, err := f.parse(ref, p)
	if err != nil {
		return nil, err
	}
	if err := c.pay(end - start); err != nil {
		return nil, err
	}
	if o.Kind() != object.Stream {
		return [][]byte{b[start:end], []byte("\nendobj")}, nil
	}
	d, _ := o.Dict()
	if d.Lookup("Type").IsName("XRef") {
		return nil, nil
	}
	// The length may also be in an object stream. If the length is right, readers can use it.
	length, _ := object.Resolve(c.r, d.Lookup("Length"))
	from := f.streamStart(end)
	to, right := f.streamEnd(from, length)
	if err := c.pay(to - from + len(length.Raw())); err != nil {
		return nil, err
	}
	if !right {
		parts = [][]byte{b[start : end-len(d.Raw())], withLength(d, to-from), []byte("\nstream\n"), b[from:to]}
		return append(parts, []byte("\nendstream\nendobj")), nil
	}
	stop := object.SkipSpace(b, to) + len("endstream")
	return [][]byte{b[start:stop], []byte("\nendobj")}, nil
}

// pay pays for n bytes that are copied. A byte of a file that is sound is copied once, but objects of a hostile file
// overlap, and its copy would fill the disk.
func (c *copier) pay(n int) error { return c.r.Pay(16 * int64(n)) }

// withLength returns the dictionary of a stream whose data have n bytes.
func withLength(d object.Dict, n int) []byte {
	return d.AppendWith(nil, object.Setting{Key: "Length", Value: strconv.AppendInt(nil, int64(n), 10)})
}

// packed adds entries for the objects in copied object streams, and reports whether there are any. The error names an
// object that a search did not find, or whose stream is not copied.
func (c *copier) packed() (any bool, err error) {
	for num, e := range c.u.f.entries {
		if _, ok := c.u.objects[uint32(num)]; ok || num == 0 {
			continue
		}
		ref := object.Ref{Num: uint32(num)}
		switch {
		case e.kind == lost, e.kind == brokenOff:
			return false, wouldLose(&object.Malformed{Ref: ref, Reason: whyLost[e.kind]})
		case e.kind != inStream:
			continue
		case e.at >= int64(len(c.entries)) || c.entries[e.at].kind != inFile:
			return false, wouldLose(damaged("%v is not in object stream %d", ref, e.at))
		}
		c.entries[num] = e
		any = true
	}
	return any, nil
}
