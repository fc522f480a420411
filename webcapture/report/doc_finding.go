package report

import "github.com/webcap-tools/webcap/webcapture/audit"

type jsonFinding struct {
	Rule    string    `json:"rule"`
	Level   string    `json:"level"`
	Place   jsonPlace `json:"place"`
	Message string    `json:"message"`
	Fix     *jsonFix  `json:"fix,omitempty"`
}

type jsonFix struct {
	Action  string   `json:"action"`
	Tree    string   `json:"tree,omitempty"`
	Old     *jsonKey `json:"old,omitempty"`
	New     *jsonKey `json:"new,omitempty"`
	Set     *jsonRef `json:"contentSet,omitempty"`
	Element *int     `json:"element,omitempty"`
}

func finding(f *audit.Finding) jsonFinding {
	out := jsonFinding{Rule: f.Rule.ID, Level: f.Level().String(), Place: place(f.Place), Message: jsonText(f.Message)}
	if f.Fix != nil {
		out.Fix = fix(f.Fix)
	}
	return out
}

func fix(f *audit.Fix) *jsonFix {
	out := &jsonFix{Action: f.Action.String(), Tree: jsonText(f.Tree), Set: reference(f.Set)}
	if f.Action.HasOld() {
		k := key(f.Old)
		out.Old = &k
	}
	if f.Action.HasNew() {
		k := key(f.New)
		out.New = &k
	}
	if f.Action == audit.DropMember {
		out.Element = &f.Index
	}
	return out
}

func (f jsonFinding) finding(rules map[string]*audit.Rule) (audit.Finding, error) {
	out := audit.Finding{Rule: rules[f.Rule], Message: f.Message}
	if out.Rule == nil {
		return out, errFormat
	}
	var err error
	if out.Place, err = f.Place.place(); err != nil || f.Fix == nil {
		return out, err
	}
	out.Fix, err = f.Fix.fix()
	return out, err
}

func (f *jsonFix) fix() (*audit.Fix, error) {
	action, ok := audit.ParseAction(f.Action)
	if !ok {
		return nil, errFormat
	}
	out := &audit.Fix{Action: action, Tree: f.Tree, Set: f.Set.ref()}
	if f.Element != nil {
		out.Index = *f.Element
	}
	var err error
	if f.Old != nil {
		if out.Old, err = f.Old.key(); err != nil {
			return nil, err
		}
	}
	if f.New != nil {
		out.New, err = f.New.key()
	}
	return out, err
}

// finding appends the JSON of finding(f). A result may hold millions of findings,
// so they are written out here; a test holds the two to each other.
func (d *document) finding(f *audit.Finding) {
	d.text("{")
	d.findingMembers(f)
	d.text("}")
}

func (d *document) findingMembers(f *audit.Finding) {
	d.text(`"rule":`)
	d.string(f.Rule.ID)
	d.text(`,"level":"`)
	d.text(f.Level().String())
	d.text(`","place":`)
	d.place(f.Place)
	d.text(`,"message":`)
	d.string(f.Message)
	if f.Fix != nil {
		d.text(`,"fix":`)
		d.fix(f.Fix)
	}
}

func (d *document) fix(f *audit.Fix) {
	d.text(`{"action":"`)
	d.text(f.Action.String())
	d.text(`"`)
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
	d.text("}")
}
