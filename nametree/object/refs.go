package object

import "iter"

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
