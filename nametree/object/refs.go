package object

import "iter"

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
