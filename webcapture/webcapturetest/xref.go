package webcapturetest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A row is an entry of a cross-reference section.
type row struct {
	num    int
	kind   byte // 0 free, 1 at offset a with generation b, 2 in object stream a at index b
	hidden bool // in a hybrid file: only in the stream
	a      int64
	b      int
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
