package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Helpers of rules about trees.

// shouldBe describes the correct Limits of a node; empty if unknown.
func shouldBe(t *rule.Tree, node int) string {
	n := t.Node(node)
	if !n.HasBounds {
		return ""
	}
	return ", expected [" + rule.Short(n.Bounds.Least) + " " + rule.Short(n.Bounds.Greatest) + "]"
}

// Describe describes an object for messages.
func Describe(p *rule.Pass, o object.Object) string {
	if ref, ok := o.Ref(); ok {
		if !p.Spend(0) {
			return ref.String()
		}
		r, err := p.Reader.Resolve(o)
		switch {
		case object.IgnoreMalformed(err) != nil:
			p.Fail(err)
			return ref.String()
		case err != nil:
			return ref.String() + ", which cannot be read"
		case r.IsNull():
			return ref.String() + ", which is not in the file"
		}
		return ref.String() + ", " + Describe(p, r)
	}
	const long = 40
	switch raw := o.Raw(); {
	case o.IsNull():
		return "null"
	case o.Kind() == object.String:
		s, _ := o.AppendString(nil)
		return "the string " + nametree.Key(s[:min(len(s), long)]).String()
	case o.Kind() == object.Dictionary, o.Kind() == object.Array, o.Kind() == object.Stream, len(raw) > long:
		return rule.Article(o.Kind())
	default:
		return rule.Article(o.Kind()) + " " + printable(raw)
	}
}

// printable returns raw with all bytes except printable ASCII replaced.
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

// rewriteTree is the fix of all findings that rewriting their tree repairs. It is shared, because a tree may have a
// million of them.
var rewriteTree = &rule.Fix{Action: rule.RewriteTree}

func dropMember(set object.Ref, index int) *rule.Fix {
	return &rule.Fix{Action: rule.DropMember, Set: set, Index: index}
}
