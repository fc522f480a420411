package jsondoc

import (
	"errors"

	"github.com/webcap-tools/webcap/webcapture/audit"
)

// A Finding is a finding, without its fingerprint.
type Finding struct {
	Rule    string `json:"rule"`
	Level   string `json:"level"`
	Place   Place  `json:"place"`
	Message string `json:"message"`
	Fix     *Fix   `json:"fix,omitempty"`
}

// A Fix is what would repair a finding.
type Fix struct {
	Action  string `json:"action"`
	Tree    string `json:"tree,omitempty"`
	Old     *Key   `json:"old,omitempty"`
	New     *Key   `json:"new,omitempty"`
	Set     *Ref   `json:"contentSet,omitempty"`
	Element *int   `json:"element,omitempty"`
}

// FindingOf returns the JSON of a finding.
func FindingOf(f *audit.Finding) Finding {
	out := Finding{Rule: f.Rule.ID, Level: f.Level().String(), Place: PlaceOf(f.Place), Message: Text(f.Message)}
	if f.Fix != nil {
		out.Fix = fixOf(f.Fix)
	}
	return out
}

func fixOf(f *audit.Fix) *Fix {
	out := &Fix{Action: f.Action.String(), Tree: Text(f.Tree), Set: RefOf(f.Set)}
	if f.Action.HasOld() {
		out.Old = new(KeyOf(f.Old))
	}
	if f.Action.HasNew() {
		out.New = new(KeyOf(f.New))
	}
	if f.Action == audit.DropMember {
		out.Element = &f.Index
	}
	return out
}

// Decode returns the finding, of one of the rules by their IDs. The error is ErrFormat.
func (f Finding) Decode(rules map[string]*audit.Rule) (audit.Finding, error) {
	out := audit.Finding{Rule: rules[f.Rule], Message: f.Message}
	if out.Rule == nil {
		return out, ErrFormat
	}
	var err error
	if out.Place, err = f.Place.Decode(); err != nil || f.Fix == nil {
		return out, err
	}
	out.Fix, err = f.Fix.decode()
	return out, err
}

func (f *Fix) decode() (*audit.Fix, error) {
	action, ok := audit.ParseAction(f.Action)
	if !ok {
		return nil, ErrFormat
	}
	out := &audit.Fix{Action: action, Tree: f.Tree, Set: f.Set.Decode()}
	if f.Element != nil {
		out.Index = *f.Element
	}
	var errOld, errNew error
	out.Old, errOld = f.Old.Decode()
	out.New, errNew = f.New.Decode()
	return out, errors.Join(errOld, errNew)
}

// Finding appends the JSON of FindingOf(f). A document may hold millions of findings,
// so they are written out here; a test holds the two to each other.
func (d *Document) Finding(f *audit.Finding) {
	d.Text("{")
	d.FindingMembers(f)
	d.Text("}")
}

// FindingMembers appends what Finding does, without the braces.
func (d *Document) FindingMembers(f *audit.Finding) {
	d.Text(`"rule":`)
	d.Quote(f.Rule.ID)
	d.Text(`,"level":"`)
	d.Text(f.Level().String())
	d.Text(`","place":`)
	d.place(f.Place)
	d.Text(`,"message":`)
	d.Quote(f.Message)
	if f.Fix != nil {
		d.Text(`,"fix":`)
		d.fix(f.Fix)
	}
}

func (d *Document) fix(f *audit.Fix) {
	d.Text(`{"action":"`)
	d.Text(f.Action.String())
	d.Text(`"`)
	d.stringMember("tree", f.Tree)
	if f.Action.HasOld() {
		d.keyMember("old", f.Old)
	}
	if f.Action.HasNew() {
		d.keyMember("new", f.New)
	}
	d.referenceMember("contentSet", f.Set)
	if f.Action == audit.DropMember {
		d.intMember("element", f.Index)
	}
	d.Text("}")
}
