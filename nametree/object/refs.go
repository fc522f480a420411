package object

import (
	"bytes"
	"iter"
)

// Refs yields every reference in o, at any depth, in the order in which they
// stand there: in one scan over its bytes, however deep they nest. A reference
// yields itself, and a stream those of its dictionary.
func (o Object) Refs() iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		if ref, ok := o.Ref(); ok {
			yield(ref)
			return
		}
		// Here: Parse has found the bytes well formed, so every string is closed.
		s := scanner{b: o.raw}
		for p := skipSpace(s.b, 0); p < len(s.b); p = skipSpace(s.b, p) {
			switch c := s.b[p]; {
			case c == '(':
				p = s.skipLiteral(p)
			case c == '<' && s.b[p+1] != '<':
				p = s.skip(p, 0)
			case c == '<':
				p += 2
			case c == '/':
				p = skipRegular(s.b, p+1)
			case !IsRegular(c):
				p++
			default:
				num, gen, after := parseRef(s.b, p)
				if after == 0 {
					p = skipRegular(s.b, p)
				} else if p = after; !yield(Ref{num, gen}) {
					return
				}
			}
		}
	}
}

// MayRefer reports whether o may have a reference to one of to, at any depth. It takes a fraction of
// the time of Refs, and is true, too, where only the text of a string or a comment looks like one, or
// other white space than a blank stands in one.
func (o Object) MayRefer(to *RefSet) bool {
	if ref, ok := o.Ref(); ok {
		return to.Has(ref)
	}
	for b, p := o.raw, 0; ; p++ {
		i := bytes.IndexByte(b[p:], 'R')
		if i < 0 {
			return false
		}
		if p += i; p+1 < len(b) && IsRegular(b[p+1]) {
			continue
		}
		gen, q, sure := numberBefore(b, p)
		num, start, alsoSure := numberBefore(b, q)
		if !sure || !alsoSure || start < q && to.Has(Ref{uint32(num), uint16(gen)}) {
			return true
		}
	}
}

// numberBefore reads the number that stands before p, with blanks between, and returns where it
// starts; p if there is none. It is not sure of that after other white space: a comment may end there.
func numberBefore(b []byte, p int) (n uint64, start int, sure bool) {
	end := p
	for end > 0 && b[end-1] == ' ' {
		end--
	}
	start = end
	for start > 0 && b[start-1]-'0' <= 9 {
		start--
	}
	if start == end || end == p {
		return 0, p, end == 0 || !IsSpace(b[end-1])
	}
	n, _ = parseUint(b, start, 1<<32-1)
	return n, start, true
}
