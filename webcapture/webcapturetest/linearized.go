package webcapturetest

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// A linearization writes the first revision of a linearized file. Two parts are known only at the end: the
// linearization dictionary, and the section for the first objects. They are blank until finish writes them.
type linearization struct {
	*file
	r           revision
	first, rest []int // numbers of the objects before and after the end of the first page
	page        int   // number of the first page

	num, xrefNum     int   // numbers of the dictionary and, if any, of the first cross-reference stream
	dictAt, xrefAt   int64 // offsets from the first byte of the file
	dictEnd, xrefEnd int64
	entries          []xrefEntry // entries of the first objects
	firstEnd         int64       // end of the first objects
	restXRef, tail   int64       // section for the rest; for a table, tail is the white space before its first entry
}

// linearized writes the first revision of a linearized file into buf. The file must write to buf, and is small
// enough to be patched there.
func (f *file) linearized(buf *bytes.Buffer, r revision, last bool) {
	l := &linearization{file: f, r: r}
	l.divide()
	l.reserveFront()
	l.writeFirst()
	l.writeRest()
	f.prev = l.xrefAt - f.base
	f.startXRef(f.prev, last)
	f.flush()
	l.finish(buf.Bytes())
}

// divide chooses the first objects: the catalog, the first page, and the second half of the others.
func (l *linearization) divide() {
	nums := slices.Sorted(maps.Keys(l.r.objects))
	for i, n := range nums {
		o := l.r.objects[n]
		if l.page == 0 && isLeaf(o) {
			l.page = n
		}
		if n == l.r.root || n == l.page || !o.free && i > len(nums)/2 {
			l.first = append(l.first, n)
		} else {
			l.rest = append(l.rest, n)
		}
	}
}

// reserveFront reserves room for the two blank parts.
func (l *linearization) reserveFront() {
	l.num = l.reserve()
	if l.l.XRef == Stream {
		l.xrefNum = l.reserve()
	}
	l.add(l.num, 0)
	l.dictAt, l.dictEnd = l.blank(200)
	if l.xrefNum > 0 {
		l.add(l.xrefNum, 0)
	}
	l.xrefAt, l.xrefEnd = l.blank(1200 + 50*(len(l.first)+3) + 2*len(l.r.trailer))
}

func (l *linearization) blank(n int) (at, end int64) {
	at = l.off
	l.bytes(append(bytes.Repeat([]byte{' '}, n-1), '\n'))
	return at, l.off
}

// writeFirst writes the first objects, without object streams.
func (l *linearization) writeFirst() {
	packed := l.l.ObjectStreams
	l.l.ObjectStreams = 0
	l.objects(l.r, l.first, l.l.XRef)
	l.l.ObjectStreams = packed
	l.encryptionDict()
	l.entries, l.file.entries = l.file.entries, nil
	l.firstEnd = l.position()
}

// writeRest writes the other objects and their section.
func (l *linearization) writeRest() {
	l.objects(l.r, l.rest, l.l.XRef)
	l.restXRef = l.position()
	l.tail = l.restXRef
	if l.l.XRef == Stream {
		num := l.reserve()
		l.add(num, 0)
		l.bytes(l.xrefStream(num, l.file.entries, l.trailer(l.r, -1), true))
	} else {
		b := l.table(l.file.entries, true)
		l.tail += int64(bytes.IndexByte(b[len("xref\n"):], '\n') + len("xref\n"))
		l.bytes(b)
		l.bytes([]byte("trailer\n<<" + l.trailer(l.r, -1) + ">>\n"))
	}
	l.file.entries = nil
}

// finish writes the blank parts.
func (l *linearization) finish(file []byte) {
	dict := fmt.Sprintf("%d 0 obj\n<</Linearized 1/L %d/H[%d 0]/O %d/E %d/N %d/T %d>>\nendobj\n",
		l.num, l.position(), l.firstEnd, l.page, l.firstEnd, max(1, countPages(l.r)), l.tail)
	section := append(l.firstSection(), "startxref\n0\n%%EOF\n"...)
	if int64(len(dict)) > l.dictEnd-l.dictAt || int64(len(section)) > l.xrefEnd-l.xrefAt {
		l.fail(errors.New("linearized: more than was reserved"))
		return
	}
	copy(file[l.dictAt:], dict)
	copy(file[l.xrefAt:], section)
}

// firstSection returns the section for the first objects.
func (l *linearization) firstSection() []byte {
	trailer := l.trailer(l.r, l.restXRef)
	if l.l.XRef == Stream {
		return l.xrefStream(l.xrefNum, l.entries, trailer, false)
	}
	return append(l.table(l.entries, false), "trailer\n<<"+trailer+">>\n"...)
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
