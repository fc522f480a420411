package audit

import (
	"iter"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// What rules about trees share.

// defects yields the tree's defects of some kinds, in document order.
func (t *Tree) defects(kinds ...nametree.DefectKind) iter.Seq[nametree.Defect] {
	return func(yield func(nametree.Defect) bool) {
		for d := range t.Defects() {
			if slices.Contains(kinds, d.Kind) && !yield(d) {
				return
			}
		}
	}
}

// defects yields those defects of a tree that break the rule whose check is running. Of
// those that the tree only counts, each counts for a finding.
func (p *Pass) defects(t *Tree, kinds ...nametree.DefectKind) iter.Seq[nametree.Defect] {
	return func(yield func(nametree.Defect) bool) {
		left := 0
		for _, k := range kinds {
			left += t.DefectCount(k)
		}
		for d := range t.defects(kinds...) {
			if left--; !yield(d) || p.run.file.Err() != nil {
				return
			}
		}
		p.found.omit(p.rule, left)
	}
}

// atDefect returns the place of a defect.
func (t *Tree) atDefect(d nametree.Defect) Place {
	switch {
	case d.Node < 0:
		return t.At()
	case d.Index < 0:
		return t.AtNode(d.Node)
	case d.Entry >= 0 || !t.Node(d.Node).HasKids:
		return t.AtPair(d.Node, d.Index)
	default:
		return t.AtKid(d.Node, d.Index)
	}
}

// shouldBe says what the Limits of a node should be, if that is known.
func shouldBe(t *Tree, node int) string {
	n := t.Node(node)
	if !n.HasBounds {
		return ""
	}
	return ", should be [" + short(n.Bounds.Least) + " " + short(n.Bounds.Greatest) + "]"
}

// describe says what an object is, for messages.
func describe(p *Pass, o object.Object) string {
	if ref, ok := o.Ref(); ok {
		if !p.spend(0) {
			return ref.String()
		}
		r, err := p.Reader.Resolve(o)
		switch {
		case object.IgnoreMalformed(err) != nil:
			p.failed = err
			return ref.String()
		case err != nil:
			return ref.String() + ", which cannot be read"
		case r.IsNull():
			return ref.String() + ", which is not in the file"
		}
		return ref.String() + ", " + describe(p, r)
	}
	const long = 40
	switch raw := o.Raw(); {
	case o.IsNull():
		return "null"
	case o.Kind() == object.String:
		s, _ := o.AppendString(nil)
		return "the string " + nametree.Key(s[:min(len(s), long)]).String()
	case o.Kind() == object.Dictionary, o.Kind() == object.Array, o.Kind() == object.Stream, len(raw) > long:
		return article(o.Kind())
	default:
		return article(o.Kind()) + " " + printable(raw)
	}
}

func article(k object.Kind) string {
	if k == object.Integer || k == object.Array {
		return "an " + k.String()
	}
	return "a " + k.String()
}

// printable returns raw with everything but printable ASCII replaced.
func printable(raw []byte) string {
	out := make([]byte, len(raw))
	for i, c := range raw {
		out[i] = c
		if c < 0x20 || c > 0x7e {
			out[i] = '?'
		}
	}
	return string(out)
}

// firstOf returns the first element of a sequence.
func firstOf(s iter.Seq[int]) (int, bool) {
	for i := range s {
		return i, true
	}
	return 0, false
}

// identifier returns the digital identifier that a string is.
func identifier(s webcapture.String) (digest.ID, bool) {
	return digest.FromBytes(s.Bytes)
}
