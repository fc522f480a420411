package webcapturetest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An xrefEntry is an entry of a cross-reference section.
type xrefEntry struct {
	num    int
	kind   byte // 0: free; 1: at offset a, with generation b; 2: in object stream a, at index b
	hidden bool // in a hybrid file: listed only in the stream
	a      int64
	b      int
}

// position returns the offset of the next byte, counted from base.
func (f *file) position() int64 { return f.off - f.base }

// add adds the entry of object num, which must be written next.
func (f *file) add(num, gen int) {
	f.top = max(f.top, num)
	f.entries = append(f.entries, xrefEntry{num: num, kind: 1, a: f.position(), b: gen})
}

// section ends a revision. It writes cross-reference data, trailer, and startxref; in the first revision, it also
// writes the encryption dictionary before them.
func (f *file) section(r revision, xref XRef, first, last bool) {
	f.endObjectStream()
	if first {
		f.encryptionDict()
	}
	start := f.position()
	switch xref {
	case Stream:
		num := f.reserve()
		f.add(num, 0)
		f.bytes(f.xrefStream(num, f.entries, f.trailer(r, f.prev), first))
	case Hybrid:
		start = f.hybridSection(r, first)
	default:
		f.bytes(f.table(f.entries, first))
		f.bytes([]byte("trailer\n<<" + f.trailer(r, f.prev) + ">>\n"))
	}
	f.entries = f.entries[:0]
	f.prev = start
	f.startXRef(start, last)
}

// hybridSection writes a cross-reference stream with the hidden objects, and a table for the others. It returns the
// offset for startxref.
func (f *file) hybridSection(r revision, first bool) (start int64) {
	num, stream := f.reserve(), f.position()
	f.add(num, 0)
	f.entries[len(f.entries)-1].hidden = true
	hidden := slices.DeleteFunc(slices.Clone(f.entries), func(e xrefEntry) bool { return !e.hidden })
	f.bytes(f.xrefStream(num, hidden, fmt.Sprintf("/Size %d", f.top+1), false))
	start = f.position()
	f.bytes(f.table(f.entries, first))
	f.bytes([]byte("trailer\n<<" + f.trailer(r, f.prev)))
	if !f.l.HybridOneSection {
		f.bytes([]byte(">>\n"))
		f.startXRef(start, false)
		f.prev, start = start, f.position()
		f.bytes([]byte("xref\n0 0\ntrailer\n<<" + f.trailer(r, f.prev)))
	}
	f.bytes(fmt.Appendf(nil, "/XRefStm %d>>\n", stream))
	return start
}

// startXRef ends a section. In the last section, it adds StartXRefOff to the offset.
func (f *file) startXRef(start int64, last bool) {
	if last {
		start += int64(f.l.StartXRefOff)
	}
	f.bytes(fmt.Appendf(nil, "startxref\n%d\n%%%%EOF\n", start))
}

// encryptionDict writes the encryption dictionary, if it is an indirect object.
func (f *file) encryptionDict() {
	if f.crypt == nil || f.crypt.Direct {
		return
	}
	num, _ := strconv.Atoi(strings.TrimSuffix(f.encrypt, " 0 R"))
	f.add(num, 0)
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

// complete returns the entries, sorted by number. It adds object 0 to the first section of a file, and to sections
// with free objects. The first section has no gaps, unless it is divided into subsections. The entry of a free
// object contains the number of the next free object.
func (f *file) complete(entries []xrefEntry, first bool) []xrefEntry {
	entries = slices.SortedStableFunc(slices.Values(entries), func(a, b xrefEntry) int { return a.num - b.num })
	free := first
	for _, e := range entries {
		free = free || e.kind == 0
	}
	out := make([]xrefEntry, 0, len(entries)+1)
	if free {
		out = append(out, xrefEntry{b: 65535})
	}
	gapless := first && f.l.SubSections == 0
	for _, e := range entries {
		for gapless && out[len(out)-1].num+1 < e.num {
			out = append(out, xrefEntry{num: out[len(out)-1].num + 1})
		}
		out = append(out, e)
	}
	next := 0
	for i := range slices.Backward(out) {
		if out[i].kind == 0 {
			out[i].a, next = int64(next), out[i].num
		}
	}
	return out
}

// subsections divides entries into runs of consecutive numbers. No run is longer than the layout allows.
func (f *file) subsections(entries []xrefEntry) [][]xrefEntry {
	var out [][]xrefEntry
	for i := 0; i < len(entries); {
		j := i + 1
		for j < len(entries) && entries[j].num == entries[j-1].num+1 &&
			(f.l.SubSections == 0 || j-i < f.l.SubSections) {
			j++
		}
		out = append(out, entries[i:j])
		i = j
	}
	return out
}

// table returns a cross-reference table without its trailer. A hidden object has the entry of a free object, or
// none if the table has gaps anyway.
func (f *file) table(entries []xrefEntry, first bool) []byte {
	entries = slices.Clone(entries)
	if f.l.SubSections > 0 {
		entries = slices.DeleteFunc(entries, func(e xrefEntry) bool { return e.hidden })
	}
	for i, e := range entries {
		if e.hidden {
			entries[i] = xrefEntry{num: e.num}
		}
	}
	entries = f.complete(entries, first)
	b := make([]byte, 0, 20*len(entries)+64)
	b = append(b, "xref\n"...)
	for _, sub := range f.subsections(entries) {
		b = fmt.Appendf(b, "%d %d\n", sub[0].num, len(sub))
		for _, e := range sub {
			b = f.appendTableEntry(b, e)
		}
	}
	if len(entries) == 0 {
		b = append(b, "0 0\n"...)
	}
	return b
}

func (f *file) appendTableEntry(b []byte, e xrefEntry) []byte {
	b = append(appendPadded(b, e.a, 10), ' ')
	b = appendPadded(b, int64(e.b), 5)
	if e.kind == 0 {
		b = append(b, " f"...)
	} else {
		b = append(b, " n"...)
	}
	return append(b, f.l.EntryEnd...)
}

// xrefStream returns a cross-reference stream as a complete object. further has more entries of its dictionary.
func (f *file) xrefStream(num int, entries []xrefEntry, further string, first bool) []byte {
	entries = f.complete(entries, first)
	if f.l.W[0] == 0 {
		entries = slices.DeleteFunc(entries, func(e xrefEntry) bool { return e.kind == 0 })
	}
	width := f.l.W[0] + f.l.W[1] + f.l.W[2]
	data := make([]byte, 0, width*len(entries))
	for _, e := range entries {
		data = f.appendStreamEntry(data, e)
	}
	filter, data := encode(f.l.XRefFilter, f.l.Predictor, width, data)
	dict := fmt.Sprintf("/Type/XRef/W[%d %d %d]%s%s%s/Length %d",
		f.l.W[0], f.l.W[1], f.l.W[2], f.index(entries), further, filter, len(data))
	return appendStream(nil, num, 0, dict, data)
}

func (f *file) appendStreamEntry(b []byte, e xrefEntry) []byte {
	if e.kind == 2 && f.l.W[0] == 0 {
		f.fail(errors.New("an entry without type field cannot name an object stream"))
	}
	if e.kind == 0 && f.l.W[2] < 2 {
		e.b = 0 // the generation of a free object does not matter
	}
	if f.l.W[0] > 0 {
		b = f.field(b, 0, int64(e.kind))
	}
	b = f.field(b, 1, e.a)
	return f.field(b, 2, int64(e.b))
}

// index returns the value of Index in a cross-reference stream. It is "" for the default: all numbers from 0 on.
func (f *file) index(entries []xrefEntry) string {
	subs := f.subsections(entries)
	if len(subs) == 1 && subs[0][0].num == 0 && len(subs[0]) == f.top+1 {
		return ""
	}
	pairs := make([]string, len(subs))
	for i, sub := range subs {
		pairs[i] = fmt.Sprintf("%d %d", sub[0].num, len(sub))
	}
	return "/Index[" + strings.Join(pairs, " ") + "]"
}

// field appends v to b with the width of field i.
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
