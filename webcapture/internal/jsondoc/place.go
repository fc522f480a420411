package jsondoc

import (
	"errors"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// A Place is a place in a file.
type Place struct {
	Text string `json:"text"`
	Tree string `json:"tree,omitempty"`
	Node *Node  `json:"node,omitempty"`
	Pair *int   `json:"pair,omitempty"`
	Kid  *int   `json:"kid,omitempty"`
	Set  *Ref   `json:"contentSet,omitempty"`

	Part   string `json:"part,omitempty"`
	Page   int    `json:"page,omitempty"`
	Object *Ref   `json:"object,omitempty"`

	Key *Key `json:"key,omitempty"`
	ID  *Key `json:"id,omitempty"`
}

// A Node is a node of a name tree.
type Node struct {
	Object *Ref `json:"object,omitempty"`
	Direct bool `json:"direct,omitempty"` // without an object number
}

// PlaceOf returns the JSON of a place.
func PlaceOf(p audit.Place) Place {
	out := Place{
		Text: Text(p.String()), Tree: Text(p.Tree), Set: RefOf(p.Set), Part: Text(p.Part), Page: p.Page, Object: RefOf(p.Object),
		Key: KeyOrNil(p.Key), ID: KeyOrNil(p.ID),
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

// NodeOf returns the JSON of a node, given the reference that leads to it.
func NodeOf(r object.Ref) Node { return Node{RefOf(r), r.Num == 0} }

// Decode returns the place. The error is ErrFormat.
func (p Place) Decode() (audit.Place, error) {
	out := audit.Place{Tree: p.Tree, Set: p.Set.Decode(), Part: p.Part, Page: p.Page, Object: p.Object.Decode()}
	var err, errID error
	out.Key, err = p.Key.Decode()
	out.ID, errID = p.ID.Decode()
	if err = errors.Join(err, errID); err != nil || p.Node == nil {
		return out, err
	}
	out.Node = &audit.NodePlace{Ref: p.Node.Object.Decode(), Index: -1}
	switch {
	case p.Kid != nil:
		out.Node.Index, out.Node.Kid = *p.Kid, true
	case p.Pair != nil:
		out.Node.Index = *p.Pair
	}
	return out, nil
}

// place appends the JSON of PlaceOf(p).
func (d *Document) place(p audit.Place) {
	d.Text(`{"text":`)
	d.Quote(p.String())
	d.stringMember("tree", p.Tree)
	if n := p.Node; n != nil {
		d.Text(`,"node":{`)
		if n.Ref.Num == 0 {
			d.Text(`"direct":true}`)
		} else {
			d.Text(`"object":`)
			d.reference(n.Ref)
			d.Text("}")
		}
		switch {
		case n.Index < 0:
		case n.Kid:
			d.intMember("kid", n.Index)
		default:
			d.intMember("pair", n.Index)
		}
	}
	d.referenceMember("contentSet", p.Set)
	d.stringMember("part", p.Part)
	if p.Page != 0 {
		d.intMember("page", p.Page)
	}
	d.referenceMember("object", p.Object)
	if p.Key != "" {
		d.keyMember("key", p.Key)
	}
	if p.ID != "" {
		d.keyMember("id", p.ID)
	}
	d.Text("}")
}
