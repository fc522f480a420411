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
	"strings"
)

// fileID is the identifier of every file. It goes into the key of encrypted files.
var fileID = []byte("webcapturetest\x00\xff")

// Bytes returns the document as a file. It panics if the layout is impossible.
func (d *Document) Bytes(l Layout) []byte {
	var b bytes.Buffer
	if err := d.Encode(&b, l); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Encode writes the document as a file. The error is that of w, or says why the
// layout is impossible.
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

// A file is a PDF file on its way out.
type file struct {
	w       *bufio.Writer
	err     error // the first one
	l       Layout
	crypt   *crypt // or nil
	encrypt string // the value of Encrypt in the trailer, or ""

	off  int64 // bytes written
	base int64 // where offsets count from
	next int   // the highest object number given away
	top  int   // the highest object number written
	prev int64 // offset of the section before, or -1

	rows    []row // of the section to come
	pack    pack
	scratch []byte
}

// A row is an entry of a cross-reference section.
type row struct {
	num    int
	kind   byte // 0 free, 1 at offset a with generation b, 2 in object stream a at index b
	hidden bool // in a hybrid file: only in the stream
	a      int64
	b      int
}

// A pack is an object stream being filled. A num of 0 means that there is none.
type pack struct {
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

// objects writes the objects of a revision with the given numbers.
func (f *file) objects(r revision, nums []int, xref XRef) {
	for _, num := range nums {
		o := r.objects[num]
		switch {
		case o.free:
			f.rows = append(f.rows, row{num: num, b: o.gen + 1})
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
	f.endPack()
}

// isPage reports whether the object is a page or a node of the page tree, which
// readers without object streams must find.
func isPage(body string) bool {
	squeezed := strings.ReplaceAll(strings.Join(strings.Fields(body), ""), "/Type/Pages", "/Type/Page")
	i := strings.Index(squeezed, "/Type/Page")
	if i < 0 {
		return false
	}
	rest := squeezed[i+len("/Type/Page"):]
	return rest == "" || strings.ContainsAny(rest[:1], "/<>[]()%")
}

// object writes an object that is not a stream, packed into an object stream or not.
func (f *file) object(num, gen int, body []byte, packed, hidden bool) {
	f.top = max(f.top, num)
	if packed {
		p := &f.pack
		if p.num == 0 {
			p.num, p.hidden = f.reserve(), hidden
		}
		p.head = strconv.AppendInt(p.head, int64(num), 10)
		p.head = append(p.head, ' ')
		p.head = strconv.AppendInt(p.head, int64(len(p.body)), 10)
		p.head = append(p.head, ' ')
		p.body = append(append(p.body, body...), '\n')
		f.rows = append(f.rows, row{num: num, kind: 2, hidden: hidden, a: int64(p.num), b: p.count})
		if p.count++; p.count == f.l.ObjectStreams {
			f.endPack()
		}
		return
	}
	f.rows = append(f.rows, row{num: num, kind: 1, a: f.off - f.base, b: gen})
	b := appendHead(f.scratch[:0], num, gen)
	if f.crypt != nil {
		b = f.crypt.strings(b, body, num, gen)
	} else {
		b = append(b, body...)
	}
	f.scratch = append(b, "\nendobj\n"...)
	f.bytes(f.scratch)
}

// stream writes a stream, encrypted if the file is.
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
	f.top = max(f.top, num)
	f.rows = append(f.rows, row{num: num, kind: 1, a: f.off - f.base, b: gen})
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

// endPack writes the object stream that is being filled.
func (f *file) endPack() {
	p := f.pack
	if p.num == 0 {
		return
	}
	dict, data := encode(f.l.ObjectStreamFilter, NoPredictor, 0, append(p.head, p.body...))
	at := len(f.rows)
	f.stream(p.num, 0, fmt.Sprintf("/Type/ObjStm/N %d/First %d%s", p.count, len(p.head), dict), data)
	for i := range f.rows[at:] {
		f.rows[at+i].hidden = p.hidden
	}
	f.pack = pack{head: p.head[:0], body: p.body[:0]}
}

// section ends a revision: the encryption dictionary in the first one, then
// cross-reference data, trailer and startxref.
func (f *file) section(r revision, xref XRef, first, last bool) {
	f.endPack()
	if first {
		f.encryptionDict()
	}
	start := f.off - f.base
	trailer := func() string { return f.trailer(r, f.prev) }
	switch xref {
	case Stream:
		num := f.reserve()
		f.top = num
		f.rows = append(f.rows, row{num: num, kind: 1, a: start})
		f.bytes(f.xrefStream(num, f.rows, trailer(), first))
	case Hybrid:
		num := f.reserve()
		f.top = num
		at := start
		f.rows = append(f.rows, row{num: num, kind: 1, hidden: true, a: at})
		hidden := slices.DeleteFunc(slices.Clone(f.rows), func(r row) bool { return !r.hidden })
		f.bytes(f.xrefStream(num, hidden, fmt.Sprintf("/Size %d", f.top+1), false))
		start = f.off - f.base
		f.bytes(f.table(f.rows, first))
		f.bytes([]byte("trailer\n<<" + trailer()))
		if !f.l.HybridOneSection {
			f.prev = start
			f.bytes(fmt.Appendf(nil, ">>\nstartxref\n%d\n%%%%EOF\n", start))
			start = f.off - f.base
			f.bytes([]byte("xref\n0 0\ntrailer\n<<" + trailer()))
		}
		f.bytes(fmt.Appendf(nil, "/XRefStm %d>>\n", at))
	default:
		f.bytes(f.table(f.rows, first))
		f.bytes([]byte("trailer\n<<" + trailer() + ">>\n"))
	}
	f.rows = f.rows[:0]
	f.prev = start
	if last {
		start += int64(f.l.StartXRefOff)
	}
	f.bytes(fmt.Appendf(nil, "startxref\n%d\n%%%%EOF\n", start))
}

// encryptionDict writes the encryption dictionary, if it is an object.
func (f *file) encryptionDict() {
	if f.crypt == nil || f.crypt.Direct {
		return
	}
	num, _ := strconv.Atoi(strings.TrimSuffix(f.encrypt, " 0 R"))
	f.top = max(f.top, num)
	f.rows = append(f.rows, row{num: num, kind: 1, a: f.off - f.base})
	f.bytes(fmt.Appendf(nil, "%d 0 obj\n<<%s>>\nendobj\n", num, f.crypt.dict))
}

// trailer returns the entries of the trailer of a revision.
func (f *file) trailer(r revision, prev int64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "/Size %d/Root %d 0 R", f.top+1, r.root)
	if r.info != 0 {
		fmt.Fprintf(&b, "/Info %d 0 R", r.info)
	}
	fmt.Fprintf(&b, "/ID[%s%s]", Hex(fileID), Hex(fileID))
	if f.encrypt != "" {
		b.WriteString("/Encrypt " + f.encrypt)
	}
	if prev >= 0 {
		fmt.Fprintf(&b, "/Prev %d", prev)
	}
	if r.trailer != "" {
		b.WriteString(" " + r.trailer)
	}
	return b.String()
}

// complete returns the rows in order, with object 0 in the first section of a
// file and wherever else objects are free. The first section has no gaps,
// unless it is divided into sub-sections. Rows of free objects get the next free number.
func (f *file) complete(rows []row, first bool) []row {
	rows = slices.SortedStableFunc(slices.Values(rows), func(a, b row) int { return a.num - b.num })
	free := first
	for _, r := range rows {
		free = free || r.kind == 0
	}
	out := make([]row, 0, len(rows)+1)
	if free {
		out = append(out, row{b: 65535})
	}
	gapless := first && f.l.SubSections == 0
	for _, r := range rows {
		for gapless && out[len(out)-1].num+1 < r.num {
			out = append(out, row{num: out[len(out)-1].num + 1})
		}
		out = append(out, r)
	}
	next := 0
	for i := range slices.Backward(out) {
		if out[i].kind == 0 {
			out[i].a, next = int64(next), out[i].num
		}
	}
	return out
}

// subSections yields runs of consecutive numbers, no longer than the layout allows.
func (f *file) subSections(rows []row) [][]row {
	var out [][]row
	for i := 0; i < len(rows); {
		j := i + 1
		for j < len(rows) && rows[j].num == rows[j-1].num+1 && (f.l.SubSections == 0 || j-i < f.l.SubSections) {
			j++
		}
		out = append(out, rows[i:j])
		i = j
	}
	return out
}

// table returns a cross-reference table without its trailer. Hidden rows become
// free ones, or none if there are gaps anyhow.
func (f *file) table(rows []row, first bool) []byte {
	rows = slices.Clone(rows)
	if f.l.SubSections > 0 {
		rows = slices.DeleteFunc(rows, func(r row) bool { return r.hidden })
	}
	for i, r := range rows {
		if r.hidden {
			rows[i] = row{num: r.num}
		}
	}
	rows = f.complete(rows, first)
	b := make([]byte, 0, 20*len(rows)+64)
	b = append(b, "xref\n"...)
	for _, sub := range f.subSections(rows) {
		b = fmt.Appendf(b, "%d %d\n", sub[0].num, len(sub))
		for _, r := range sub {
			b = appendPadded(b, r.a, 10)
			b = append(b, ' ')
			b = appendPadded(b, int64(r.b), 5)
			if r.kind == 0 {
				b = append(b, " f"...)
			} else {
				b = append(b, " n"...)
			}
			b = append(b, f.l.RowEnd...)
		}
	}
	if len(rows) == 0 {
		b = append(b, "0 0\n"...)
	}
	return b
}

func appendPadded(b []byte, n int64, width int) []byte {
	var digits [20]byte
	d := strconv.AppendInt(digits[:0], n, 10)
	for i := len(d); i < width; i++ {
		b = append(b, '0')
	}
	return append(b, d...)
}

// xrefStream returns a cross-reference stream as a whole object.
func (f *file) xrefStream(num int, rows []row, entries string, first bool) []byte {
	rows = f.complete(rows, first)
	if f.l.W[0] == 0 {
		rows = slices.DeleteFunc(rows, func(r row) bool { return r.kind == 0 })
	}
	width := f.l.W[0] + f.l.W[1] + f.l.W[2]
	data := make([]byte, 0, width*len(rows))
	for _, r := range rows {
		if r.kind == 2 && f.l.W[0] == 0 {
			f.fail(errors.New("a row without type field cannot name an object stream"))
		}
		if f.l.W[0] > 0 {
			data = f.field(data, 0, int64(r.kind))
		}
		data = f.field(data, 1, r.a)
		if r.kind == 0 && f.l.W[2] < 2 {
			r.b = 0 // the generation of a free object does not matter
		}
		data = f.field(data, 2, int64(r.b))
	}
	dict, data := encode(f.l.XRefFilter, f.l.Predictor, width, data)
	var b strings.Builder
	fmt.Fprintf(&b, "/Type/XRef/W[%d %d %d]", f.l.W[0], f.l.W[1], f.l.W[2])
	if subs := f.subSections(rows); len(subs) != 1 || subs[0][0].num != 0 || len(subs[0]) != f.top+1 {
		b.WriteString("/Index[")
		for i, sub := range subs {
			if i > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "%d %d", sub[0].num, len(sub))
		}
		b.WriteByte(']')
	}
	fmt.Fprintf(&b, "%s%s/Length %d", entries, dict, len(data))
	return appendStream(nil, num, 0, b.String(), data)
}

// field appends v in the width of field i.
func (f *file) field(b []byte, i int, v int64) []byte {
	w := f.l.W[i]
	if w < 8 && v>>(8*w) != 0 {
		f.fail(fmt.Errorf("%d does not fit a field of %d bytes", v, w))
	}
	for k := w - 1; k >= 0; k-- {
		if k >= 8 {
			b = append(b, 0)
		} else {
			b = append(b, byte(v>>(8*k)))
		}
	}
	return b
}

func (f *file) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

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

// isLeaf reports whether the object is a page, not a node of the page tree.
func isLeaf(o object) bool {
	return !o.stream && isPage(o.body) && !strings.Contains(o.body, "/Kids")
}
