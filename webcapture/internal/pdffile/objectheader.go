package pdffile

import (
	"bytes"

	"github.com/webcap-tools/webcap/nametree/object"
)

// headerReach is the length of "n g obj", including white space and comments.
const headerReach = 4_096

// header reads "n g obj" at p or shortly after. It returns the position after the header, and the object's number.
func (f *File) header(p int64) (after int, num uint32, ok bool) {
	if p < 0 || p >= f.Size() {
		return 0, 0, false
	}
	b := f.data[:min(p+headerReach, f.Size())]
	q := object.SkipSpace(b, int(p))
	n, q1 := digits(b, q)
	if q1 == q || n > object.MaxNumber {
		return 0, 0, false
	}
	q = object.SkipSpace(b, q1)
	_, q1 = digits(b, q)
	if q1 == q {
		return 0, 0, false
	}
	q = object.SkipSpace(b, q1)
	if !bytes.HasPrefix(b[q:], []byte("obj")) {
		return 0, 0, false
	}
	return q + 3, uint32(n), true
}

// digits reads an unsigned decimal number at p. If the number is too large, its remaining digits are skipped.
func digits(b []byte, p int) (n int64, after int) {
	for p < len(b) && b[p] >= '0' && b[p] <= '9' {
		if n < 1<<58 {
			n = n*10 + int64(b[p]-'0')
		}
		p++
	}
	return n, p
}

// headerBefore reads the numbers of "n g obj" backwards from the keyword at p.
func headerBefore(b []byte, p int) (at int, num uint32, gen uint16, ok bool) {
	word := func(end int) (start int, n int64) {
		for end > 0 && object.IsSpace(b[end-1]) {
			end--
		}
		start = end
		for start > 0 && end-start < 10 && b[start-1] >= '0' && b[start-1] <= '9' {
			start--
		}
		n, _ = digits(b[:end], start)
		return start, n
	}
	g, gn := word(p)
	if gn > 1<<16-1 || g == 0 || !object.IsSpace(b[g-1]) {
		return 0, 0, 0, false
	}
	at, n := word(g)
	return at, uint32(n), uint16(gn), n > 0 && n <= object.MaxNumber
}
