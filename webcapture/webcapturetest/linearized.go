package webcapturetest

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// linearized writes the first revision in linearized order into buf, which the
// file must write to. The file is small enough to patch it there.
func (f *file) linearized(buf *bytes.Buffer, r revision, last bool) {
	nums := slices.Sorted(maps.Keys(r.objects))
	var front, rest []int
	page := 0
	for i, n := range nums {
		o := r.objects[n]
		if page == 0 && isLeaf(o) {
			page = n
		}
		if n == r.root || n == page || !o.free && i > len(nums)/2 {
			front = append(front, n)
		} else {
			rest = append(rest, n)
		}
	}
	lin := f.reserve()
	num := 0 // of the first cross-reference stream
	if f.l.XRef == Stream {
		num = f.reserve()
	}

	// The two parts whose contents are known only at the end are left blank.
	blank := func(n int) (at int64) {
		at = f.off
		f.bytes(append(bytes.Repeat([]byte{' '}, n-1), '\n'))
		return at
	}
	f.top = max(f.top, lin)
	f.rows = append(f.rows, row{num: lin, kind: 1, a: f.off - f.base})
	const linSize = 200
	linAt := blank(linSize)
	if num > 0 {
		f.top = max(f.top, num)
		f.rows = append(f.rows, row{num: num, kind: 1, a: f.off - f.base})
	}
	frontSize := 1200 + 50*(len(front)+3) + 2*len(r.trailer)
	frontAt := blank(frontSize)

	packs := f.l.ObjectStreams
	f.l.ObjectStreams = 0 // the first objects stand alone
	f.objects(r, front, f.l.XRef)
	f.l.ObjectStreams = packs
	f.encryptionDict()
	frontRows, frontEnd := f.rows, f.off
	f.rows = nil

	f.objects(r, rest, f.l.XRef)
	restAt := f.off - f.base
	tail := restAt // of a table, the white space before the first row
	if f.l.XRef == Stream {
		own := f.reserve()
		f.top = max(f.top, own)
		f.rows = append(f.rows, row{num: own, kind: 1, a: restAt})
		f.bytes(f.xrefStream(own, f.rows, f.trailer(r, -1), true))
	} else {
		b := f.table(f.rows, true)
		tail += int64(bytes.IndexByte(b[len("xref\n"):], '\n') + len("xref\n"))
		f.bytes(b)
		f.bytes([]byte("trailer\n<<" + f.trailer(r, -1) + ">>\n"))
	}
	f.rows = nil
	start := frontAt - f.base
	f.prev = start
	if last {
		start += int64(f.l.StartXRefOff)
	}
	f.bytes(fmt.Appendf(nil, "startxref\n%d\n%%%%EOF\n", start))
	f.flush()

	var b []byte
	if f.l.XRef == Stream {
		b = f.xrefStream(num, frontRows, f.trailer(r, restAt), false)
	} else {
		b = f.table(frontRows, false)
		b = append(b, "trailer\n<<"+f.trailer(r, restAt)+">>\n"...)
	}
	b = append(b, "startxref\n0\n%%EOF\n"...)
	dict := fmt.Sprintf("%d 0 obj\n<</Linearized 1/L %d/H[%d 0]/O %d/E %d/N %d/T %d>>\nendobj\n",
		lin, f.off-f.base, frontEnd-f.base, page, frontEnd-f.base, max(1, countPages(r)), tail)
	if len(b) > frontSize || len(dict) > linSize {
		f.fail(errors.New("linearized: more than was reserved"))
		return
	}
	copy(buf.Bytes()[linAt:], dict)
	copy(buf.Bytes()[frontAt:], b)
}

func countPages(r revision) int {
	n := 0
	for _, o := range r.objects {
		if isLeaf(o) {
			n++
		}
	}
	return n
}
