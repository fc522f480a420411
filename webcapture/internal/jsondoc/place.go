package jsondoc

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// A Place is a place in a file.
type Place struct {
	Text string `json:"text"`
	Tree string `json:"tree,omitempty"`
	Node *Node  `json:"node,omitempty"`
	Pair *int   `json:"pair,omitempty"`
	Kid  *int   `json:"kid,omitempty"`
	Set  Ref    `json:"contentSet,omitzero"`

	Part   string `json:"part,omitempty"`
	Page   int    `json:"page,omitempty"`
	Object Ref    `json:"object,omitzero"`

	Key Key `json:"key,omitempty"`
	ID  Key `json:"id,omitempty"`
}

// A Node is a node of a name tree.
type Node struct {
	Object Ref  `json:"object,omitzero"`
	Direct bool `json:"direct,omitempty"` // the node has no object number
}

// PlaceOf returns the JSON of a place.
func PlaceOf(p rule.Place) Place {
	out := Place{
		Text: Text(p.String()), Tree: Text(p.Tree), Set: Ref(p.Set), Part: Text(p.Part), Page: p.Page, Object: Ref(p.Object),
		Key: Key(p.Key), ID: Key(p.ID),
	}
	if n := p.Node; n != nil {
		out.Node = new(NodeOf(n.Ref))
		switch {
		case n.Index < 0:
		case n.Kid:
			out.Kid = &n.Index
		default:
			out.Pair = &n.Index
		}
	}
	return out
}

// NodeOf returns the JSON of the node that r refers to.
func NodeOf(r object.Ref) Node { return Node{Ref(r), r.Num == 0} }

// Decode returns the place.
func (p Place) Decode() rule.Place {
	out := rule.Place{
		Tree: p.Tree, Set: object.Ref(p.Set), Part: p.Part, Page: p.Page, Object: object.Ref(p.Object),
		Key: nametree.Key(p.Key), ID: nametree.Key(p.ID),
	}
	if p.Node == nil {
		return out
	}
	out.Node = &rule.NodePlace{Ref: object.Ref(p.Node.Object), Index: -1}
	switch {
	case p.Kid != nil:
		out.Node.Index, out.Node.Kid = *p.Kid, true
	case p.Pair != nil:
		out.Node.Index = *p.Pair
	}
	return out
}
