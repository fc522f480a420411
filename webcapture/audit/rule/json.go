package rule

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// The JSON of results; docs/schema describes it. Levels, proofs, and actions are their names, and a rule is its ID.
// Decoding an ID gives a Rule with only the ID. Errors of decoding are those of encoding/json.

// MarshalText returns the name of the level.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText sets the level to the one with a name.
func (l *Level) UnmarshalText(name []byte) error { return unmarshalName(l, name, Note, Error) }

// MarshalText returns the name of the proof.
func (p Proof) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText sets the proof to the one with a name.
func (p *Proof) UnmarshalText(name []byte) error { return unmarshalName(p, name, 0, Proofs-1) }

// MarshalText returns the name of the action.
func (a Action) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText sets the action to the one with a name. Only actions of fixes are valid.
func (a *Action) UnmarshalText(name []byte) error {
	return unmarshalName(a, name, ChangeKey, fixActions-1)
}

// unmarshalName sets to to the value from first to last with a name.
func unmarshalName[T interface {
	~uint8
	String() string
}](to *T, name []byte, first, last T) error {
	for v := first; v <= last; v++ {
		if v.String() == string(name) {
			*to = v
			return nil
		}
	}
	return &json.UnmarshalTypeError{Value: "string", Type: reflect.TypeFor[T]()}
}

// MarshalText returns the ID of the rule.
func (r *Rule) MarshalText() ([]byte, error) { return []byte(r.ID), nil }

// UnmarshalText sets the ID of the rule.
func (r *Rule) UnmarshalText(id []byte) error {
	r.ID = string(id)
	return nil
}

type (
	findingJSON struct {
		Rule    string    `json:"rule"`
		Level   string    `json:"level"`
		Place   placeJSON `json:"place"`
		Message string    `json:"message"`
		Fix     *fixJSON  `json:"fix,omitempty"`
	}
	fixJSON struct {
		Action  Action        `json:"action"`
		Tree    string        `json:"tree,omitempty"`
		Old     *nametree.Key `json:"old,omitempty"`
		New     *nametree.Key `json:"new,omitempty"`
		Set     object.Ref    `json:"contentSet,omitzero"`
		Element *int          `json:"element,omitempty"`
	}
	placeJSON struct {
		Text   string       `json:"text"` // the String of the place, for people
		Tree   string       `json:"tree,omitempty"`
		Node   *nodeJSON    `json:"node,omitempty"`
		Pair   *int         `json:"pair,omitempty"`
		Kid    *int         `json:"kid,omitempty"`
		Set    object.Ref   `json:"contentSet,omitzero"`
		Part   string       `json:"part,omitempty"`
		Page   int          `json:"page,omitempty"`
		Object object.Ref   `json:"object,omitzero"`
		Key    nametree.Key `json:"key,omitempty"`
		ID     nametree.Key `json:"id,omitempty"`
	}
	nodeJSON struct {
		Object object.Ref `json:"object,omitzero"`
		Direct bool       `json:"direct,omitempty"` // the node has no object number
	}
	unreadJSON struct {
		Place  Place      `json:"place"`
		Object object.Ref `json:"object,omitzero"`
		Reason string     `json:"reason"`
	}
)

// MarshalJSON returns the finding with the level of its rule.
func (f Finding) MarshalJSON() ([]byte, error) {
	out := findingJSON{Rule: f.Rule.ID, Level: f.Level().String(), Place: f.Place.json(), Message: Text(f.Message)}
	if x := f.Fix; x != nil {
		out.Fix = &fixJSON{Action: x.Action, Tree: Text(x.Tree), Set: x.Set}
		if x.Action.HasOld() {
			out.Fix.Old = &x.Old
		}
		if x.Action.HasNew() {
			out.Fix.New = &x.New
		}
		if x.Action == DropMember || x.Action == ReplaceMember {
			out.Fix.Element = &x.Index
		}
	}
	return marshal(out)
}

// UnmarshalJSON sets the finding.
func (f *Finding) UnmarshalJSON(b []byte) error {
	var in findingJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*f = Finding{Rule: &Rule{ID: in.Rule}, Place: in.Place.place(), Message: in.Message}
	if x := in.Fix; x != nil {
		if x.Action == 0 {
			return &json.UnmarshalTypeError{Value: "object", Type: reflect.TypeFor[Fix]()}
		}
		f.Fix = &Fix{Action: x.Action, Tree: x.Tree, Old: valueOf(x.Old), New: valueOf(x.New), Set: x.Set,
			Index: valueOf(x.Element)}
	}
	return nil
}

// valueOf returns the value that p points to; the zero value for nil.
func valueOf[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// MarshalJSON returns the place with its text.
func (p Place) MarshalJSON() ([]byte, error) { return marshal(p.json()) }

// UnmarshalJSON sets the place.
func (p *Place) UnmarshalJSON(b []byte) error {
	var in placeJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*p = in.place()
	return nil
}

func (p *Place) json() placeJSON {
	out := placeJSON{Text: Text(p.String()), Tree: Text(p.Tree), Set: p.Set, Part: Text(p.Part), Page: p.Page,
		Object: p.Object, Key: p.Key, ID: p.ID}
	if n := p.Node; n != nil {
		out.Node = &nodeJSON{n.Ref, n.Ref.Num == 0}
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

func (p *placeJSON) place() Place {
	out := Place{Tree: p.Tree, Set: p.Set, Part: p.Part, Page: p.Page, Object: p.Object, Key: p.Key, ID: p.ID}
	if p.Node != nil {
		out.Node = &NodePlace{Ref: p.Node.Object, Index: -1}
		switch {
		case p.Kid != nil:
			out.Node.Index, out.Node.Kid = *p.Kid, true
		case p.Pair != nil:
			out.Node.Index = *p.Pair
		}
	}
	return out
}

// MarshalJSON returns the identity with texts that are valid UTF-8, and the time in UTC.
func (i Identity) MarshalJSON() ([]byte, error) {
	for _, s := range []*string{&i.Where, &i.Reading, &i.Reason, &i.Text, &i.Capture.Record} {
		*s = Text(*s)
	}
	i.Capture.Time = i.Capture.Time.UTC()
	type members Identity // without this method
	return marshal(members(i))
}

// MarshalJSON returns the part with the text of its error.
func (u Unread) MarshalJSON() ([]byte, error) {
	return marshal(unreadJSON{u.Place, u.Ref, Text(u.Err.Error())})
}

// UnmarshalJSON sets the part.
func (u *Unread) UnmarshalJSON(b []byte) error {
	var in unreadJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*u = Unread{in.Place, in.Object, errors.New(in.Reason)}
	return nil
}

// marshal is json.Marshal without the escapes for HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Text returns s as valid text for a JSON string. Bytes that are not UTF-8 become escapes such as \xff, as in the other
// formats of results.
func Text(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			fmt.Fprintf(&b, `\x%02x`, s[i])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
