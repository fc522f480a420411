package report

import (
	"errors"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/outline"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
)

// The JSON of the outline of trees and content sets.
type (
	jsonOutline struct {
		Trees []jsonTreeOutline `json:"trees"`
		Sets  []jsonSetOutline  `json:"contentSets"`
		Left  int               `json:"left"`
	}
	jsonTreeOutline struct {
		Tree  string            `json:"tree"`
		Nodes []jsonNodeOutline `json:"nodes"`
		Left  int               `json:"left"`
	}
	jsonNodeOutline struct {
		Object  jsondoc.Ref       `json:"object,omitzero"`
		Parent  int               `json:"parent"` // -1 for the root
		Depth   int               `json:"depth"`
		Kids    int               `json:"kids"`
		Pairs   int               `json:"pairs"`
		Limits  *jsonLimits       `json:"limits,omitempty"`
		Bounds  *jsonLimits       `json:"bounds,omitempty"`
		Fault   string            `json:"fault,omitempty"`
		First   *jsondoc.Key      `json:"first,omitempty"`
		Last    *jsondoc.Key      `json:"last,omitempty"`
		Bad     []jsonPairOutline `json:"bad"`
		BadLeft int               `json:"badLeft"`
	}
	jsonLimits struct {
		Least    jsondoc.Key `json:"least"`
		Greatest jsondoc.Key `json:"greatest"`
	}
	jsonPairOutline struct {
		Pair int          `json:"pair"`
		Key  *jsondoc.Key `json:"key,omitempty"`
	}
	jsonSetOutline struct {
		Place       jsondoc.Place       `json:"place"`
		Entries     []jsondoc.Place     `json:"entries,omitempty"`
		Kind        string              `json:"kind"`
		ID          jsondoc.Key         `json:"id"`
		URLs        []jsondoc.Key       `json:"urls"`
		URLsLeft    int                 `json:"urlsLeft"`
		Title       string              `json:"title,omitempty"`
		ContentType string              `json:"contentType,omitempty"`
		Date        string              `json:"date,omitempty"`
		Members     []jsonMemberOutline `json:"members"`
		MembersLeft int                 `json:"membersLeft"`
	}
	jsonMemberOutline struct {
		Object jsondoc.Ref `json:"object,omitzero"`
		Page   int         `json:"page,omitempty"`
		Width  int64       `json:"width,omitempty"`
		Height int64       `json:"height,omitempty"`

		Picture []byte `json:"picture,omitempty"`
	}
)

func outlineJSON(o *outline.Outline) jsonOutline {
	out := jsonOutline{Trees: []jsonTreeOutline{}, Sets: []jsonSetOutline{}, Left: o.SetsLeft}
	for _, t := range o.Trees {
		tree := jsonTreeOutline{Tree: t.Name, Nodes: []jsonNodeOutline{}, Left: t.NodesLeft}
		for i := range t.Nodes {
			tree.Nodes = append(tree.Nodes, nodeOutline(&t.Nodes[i]))
		}
		out.Trees = append(out.Trees, tree)
	}
	for i := range o.Sets {
		out.Sets = append(out.Sets, setOutline(&o.Sets[i]))
	}
	return out
}

func nodeOutline(n *outline.Node) jsonNodeOutline {
	out := jsonNodeOutline{
		Object: jsondoc.Ref(n.Ref), Parent: n.Parent, Depth: n.Depth, Kids: n.Kids, Pairs: n.Pairs,
		Limits: limits(n.Limits), Bounds: limits(n.Bounds), Fault: n.Fault.String(), Bad: []jsonPairOutline{},
		BadLeft: n.BadLeft,
	}
	if n.Pairs > 0 {
		out.First, out.Last = new(jsondoc.Key(n.First)), new(jsondoc.Key(n.Last))
	}
	for _, p := range n.Bad {
		pair := jsonPairOutline{Pair: p.Index}
		if p.Entry {
			pair.Key = new(jsondoc.Key(p.Key))
		}
		out.Bad = append(out.Bad, pair)
	}
	return out
}

func setOutline(s *outline.Set) jsonSetOutline {
	out := jsonSetOutline{
		Place: jsondoc.PlaceOf(s.Place), Kind: s.Subtype.String(), ID: jsondoc.Key(s.ID), URLs: []jsondoc.Key{},
		URLsLeft: s.URLsLeft,
		Title:    s.Title, ContentType: s.ContentType, Date: s.Date, Members: []jsonMemberOutline{},
		MembersLeft: s.MembersLeft,
	}
	for _, at := range s.Entries {
		out.Entries = append(out.Entries, jsondoc.PlaceOf(at))
	}
	for _, url := range s.URLs {
		out.URLs = append(out.URLs, jsondoc.Key(url))
	}
	for _, m := range s.Members {
		out.Members = append(out.Members, jsonMemberOutline{jsondoc.Ref(m.Ref), m.Page, m.Width, m.Height, m.Picture})
	}
	return out
}

func (j jsonOutline) outline() (*outline.Outline, error) {
	out := &outline.Outline{SetsLeft: j.Left}
	for _, t := range j.Trees {
		tree := outline.Tree{Name: t.Tree, NodesLeft: t.Left}
		for i, n := range t.Nodes {
			node, err := n.node()
			if err != nil || node.Parent < -1 || node.Parent >= i {
				return nil, errors.Join(jsondoc.ErrFormat, err)
			}
			tree.Nodes = append(tree.Nodes, node)
		}
		out.Trees = append(out.Trees, tree)
	}
	for _, s := range j.Sets {
		out.Sets = append(out.Sets, s.set())
	}
	return out, nil
}

func (j jsonNodeOutline) node() (outline.Node, error) {
	out := outline.Node{Ref: object.Ref(j.Object), Parent: j.Parent, Depth: j.Depth, Kids: j.Kids, Pairs: j.Pairs,
		BadLeft: j.BadLeft}
	var known bool
	if out.Fault, known = outline.ParseLimitsFault(j.Fault); !known {
		return out, jsondoc.ErrFormat
	}
	limitsOf := func(l *jsonLimits) *nametree.Limits {
		if l == nil {
			return nil
		}
		return &nametree.Limits{Least: nametree.Key(l.Least), Greatest: nametree.Key(l.Greatest)}
	}
	out.Limits, out.Bounds = limitsOf(j.Limits), limitsOf(j.Bounds)
	out.First, out.Last = keyOf(j.First), keyOf(j.Last)
	for _, p := range j.Bad {
		out.Bad = append(out.Bad, outline.Pair{Index: p.Pair, Entry: p.Key != nil, Key: keyOf(p.Key)})
	}
	return out, nil
}

// keyOf returns the key; "" for nil.
func keyOf(k *jsondoc.Key) nametree.Key {
	if k == nil {
		return ""
	}
	return nametree.Key(*k)
}

func (j jsonSetOutline) set() outline.Set {
	out := outline.Set{
		Place: j.Place.Decode(), Subtype: parseKind(j.Kind), ID: nametree.Key(j.ID), URLsLeft: j.URLsLeft,
		Title: j.Title, ContentType: j.ContentType, Date: j.Date, MembersLeft: j.MembersLeft,
	}
	for _, e := range j.Entries {
		out.Entries = append(out.Entries, e.Decode())
	}
	for _, url := range j.URLs {
		out.URLs = append(out.URLs, string(url))
	}
	for _, m := range j.Members {
		out.Members = append(out.Members, outline.Member{Ref: object.Ref(m.Object), Page: m.Page, Width: m.Width,
			Height: m.Height, Picture: m.Picture})
	}
	return out
}

func limits(l *nametree.Limits) *jsonLimits {
	if l == nil {
		return nil
	}
	return &jsonLimits{jsondoc.Key(l.Least), jsondoc.Key(l.Greatest)}
}
