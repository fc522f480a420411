package jsondoc

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// A Finding is the JSON of a finding, without its fingerprint.
type Finding struct {
	Rule    string `json:"rule"`
	Level   string `json:"level"`
	Place   Place  `json:"place"`
	Message string `json:"message"`
	Fix     *Fix   `json:"fix,omitempty"`
}

// A Fix is the change that would repair a finding.
type Fix struct {
	Action  string `json:"action"`
	Tree    string `json:"tree,omitempty"`
	Old     *Key   `json:"old,omitempty"`
	New     *Key   `json:"new,omitempty"`
	Set     Ref    `json:"contentSet,omitzero"`
	Element *int   `json:"element,omitempty"`
}

// FindingOf returns the JSON of a finding.
func FindingOf(f *rule.Finding) Finding {
	out := Finding{Rule: f.Rule.ID, Level: f.Level().String(), Place: PlaceOf(f.Place), Message: Text(f.Message)}
	if f.Fix != nil {
		out.Fix = fixOf(f.Fix)
	}
	return out
}

func fixOf(f *rule.Fix) *Fix {
	out := &Fix{Action: f.Action.String(), Tree: Text(f.Tree), Set: Ref(f.Set)}
	if f.Action.HasOld() {
		out.Old = new(Key(f.Old))
	}
	if f.Action.HasNew() {
		out.New = new(Key(f.New))
	}
	if f.Action == rule.DropMember || f.Action == rule.ReplaceMember {
		out.Element = &f.Index
	}
	return out
}

// Decode returns the finding. rules maps IDs to rules. The error is ErrFormat.
func (f Finding) Decode(rules map[string]*rule.Rule) (rule.Finding, error) {
	out := rule.Finding{Rule: rules[f.Rule], Message: f.Message, Place: f.Place.Decode()}
	if out.Rule == nil {
		return out, ErrFormat
	}
	if f.Fix == nil {
		return out, nil
	}
	action, ok := rule.ParseAction(f.Fix.Action)
	if !ok {
		return out, ErrFormat
	}
	out.Fix = &rule.Fix{Action: action, Tree: f.Fix.Tree, Set: object.Ref(f.Fix.Set)}
	if f.Fix.Element != nil {
		out.Fix.Index = *f.Fix.Element
	}
	if f.Fix.Old != nil {
		out.Fix.Old = nametree.Key(*f.Fix.Old)
	}
	if f.Fix.New != nil {
		out.Fix.New = nametree.Key(*f.Fix.New)
	}
	return out, nil
}
