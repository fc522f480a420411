package object

import (
	"bytes"
	"iter"
)

// Refs yields all references in o, at any depth, in stored order. If o is a reference, it yields o itself. For a
// stream, it yields the references in the dictionary. The bytes of o are scanned once.
func (o Object) Refs() iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		if ref, ok := o.Ref(); ok {
			yield(ref)
			return
		}
		// Invariant: Parse has checked the bytes, so each string is closed.
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

// MayRefer reports whether o may contain, at any depth, a reference that is in the set to. It is much faster than Refs,
// but may return true by mistake: if a string or comment looks like a reference, or if a reference contains white space
// other than blanks.
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

// numberBefore reads the number that ends before p, and the blanks after it. It returns the start of the number; start
// is p if there is none. sure is false for other white space, because a comment may end there.
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
