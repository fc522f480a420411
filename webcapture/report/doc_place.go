package report

import (
	"errors"

	"github.com/webcap-tools/webcap/webcapture/audit"
)

type jsonPlace struct {
	Text string    `json:"text"`
	Tree string    `json:"tree,omitempty"`
	Node *jsonNode `json:"node,omitempty"`
	Pair *int      `json:"pair,omitempty"`
	Kid  *int      `json:"kid,omitempty"`
	Set  *jsonRef  `json:"contentSet,omitempty"`

	Part   string   `json:"part,omitempty"`
	Page   int      `json:"page,omitempty"`
	Object *jsonRef `json:"object,omitempty"`

	Key *jsonKey `json:"key,omitempty"`
	ID  *jsonKey `json:"id,omitempty"`
}

type jsonNode struct {
	Object *jsonRef `json:"object,omitempty"`
	Direct bool     `json:"direct,omitempty"` // without an object number
}

func place(p audit.Place) jsonPlace {
	out := jsonPlace{
		Text: jsonText(p.String()), Tree: jsonText(p.Tree), Set: reference(p.Set), Part: jsonText(p.Part), Page: p.Page, Object: reference(p.Object),
		Key: some(p.Key), ID: some(p.ID),
	}
	if n := p.Node; n != nil {
		out.Node = &jsonNode{reference(n.Ref), n.Ref.Num == 0}
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

func (p jsonPlace) place() (audit.Place, error) {
	out := audit.Place{Tree: p.Tree, Set: p.Set.ref(), Part: p.Part, Page: p.Page, Object: p.Object.ref()}
	var err, errID error
	out.Key, err = p.Key.some()
	out.ID, errID = p.ID.some()
	if err = errors.Join(err, errID); err != nil || p.Node == nil {
		return out, err
	}
	out.Node = &audit.NodePlace{Ref: p.Node.Object.ref(), Index: -1}
	switch {
	case p.Kid != nil:
		out.Node.Index, out.Node.Kid = *p.Kid, true
	case p.Pair != nil:
		out.Node.Index = *p.Pair
	}
	return out, nil
}

func (d *document) place(p audit.Place) {
	d.text(`{"text":`)
	d.string(p.String())
	d.stringMember("tree", p.Tree)
	if n := p.Node; n != nil {
		d.text(`,"node":{`)
		if n.Ref.Num == 0 {
			d.text(`"direct":true}`)
		} else {
			d.text(`"object":`)
			d.reference(n.Ref)
			d.text("}")
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
	d.text("}")
}
