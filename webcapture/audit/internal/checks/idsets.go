package checks

// Keys of IDS and the IDs of their content sets: each leads to the other, and no two content sets of one kind have the
// same ID (14.10.3.1, 14.10.3.3). A valid key and a valid ID that contradict each other both stay unless the user
// prefers one side.

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var idKey = &rule.Rule{
	ID:      "WC302",
	Title:   "An IDS key is the ID of every content set in its value.",
	Problem: "IDS keys that lead to content sets with another ID",
	Clause:  "ISO 32000-2:2020, 14.10.3.1 and 14.10.3.3",
	Level:   rule.Error,
	Doc: "A viewer looks up the ID of a page or image in IDS. Under another key, it does not find the content set, " +
		"so the page has lost its origin.",
	Repair: "With --prefer sets, make the ID of the set the key. With --prefer data, make the MD5 of the " +
		"image both. Otherwise keep both: each is valid by itself.",
	Basis: rule.Basis{
		Wrong:     "An IDS key differs from the ID of its content set",
		Right:     "The user: --prefer sets, or --prefer data for an image set whose image has one MD5",
		Otherwise: "Both are kept",
	},
	Action:      rule.ChangeKey,
	OtherAction: rule.RecomputeID,
	MayFollow:   []rule.Action{rule.ChangeID}, // a content set may get an ID
	CheckValue:  checkIDKey,
}

var idMissing = &rule.Rule{
	ID:      "WC304",
	Title:   "The ID of a content set is a key of IDS that leads to the set.",
	Problem: "Content sets that cannot be found by their ID",
	Clause:  "ISO 32000-2:2020, 14.10.3.1 and 14.10.3.3",
	Level:   rule.Warning,
	Doc: "IDS may be absent. If it exists, a viewer finds a set by its pages and images only if the ID is a key, and " +
		"the key leads to this set and not only to others.",
	Repair: "Add an entry with the ID as key, if no other set has this ID or the same members, and its pages and " +
		"images carry no other ID. If the key exists, add the set to its value, which becomes an array.",
	Basis: rule.Basis{
		Wrong: "The ID of a content set is not a key of IDS, or the key leads only to other sets or nothing. No key " +
			"leads to the set: one with other bytes is WC301 or WC302",
		Right: "The ID of the set, if its members and images do not contradict it, and no other set of its kind " +
			"has this ID or one of its members",
		Otherwise: "The set gets no key",
	},
	Action: rule.AddKey,
	// After RemoveEntry, the ID may no longer be a key. BuildIDS gives no key to a disputed ID. A key added or changed
	// for one set may also be the ID of another.
	MayFollow: []rule.Action{rule.RemoveEntry, rule.BuildIDS, rule.ChangeID, rule.AddKey, rule.ChangeKey,
		rule.Restore},
	CheckLinks: checkIDMissing,
}

var idMissingMember = &rule.Rule{
	ID:      "WC305",
	Title:   "If members of a content set carry its ID, the ID is a key of IDS.",
	Problem: "Content sets that cannot be found by the ID of their pages or images",
	Clause:  "ISO 32000-2:2020, 14.10.3.3 and 14.10.6",
	Level:   rule.Error,
	Doc: "A viewer finds the content set of a page or image only by looking up its ID in IDS. The members of this " +
		"set carry its ID, but the ID leads nowhere.",
	Repair: "Add an entry with the ID as key, if no other set has this ID or the same members.",
	Basis: rule.Basis{
		Wrong: "The ID of a content set and its members is not a key of IDS. No key leads to the set: one with other " +
			"bytes is WC301 or WC302",
		Right:     "The ID of the set, if no other set of its kind has it or one of its members",
		Otherwise: "The set gets no key",
	},
	Action:     rule.AddKey,
	MayFollow:  []rule.Action{rule.ChangeID, rule.RemoveEntry, rule.Restore, rule.BuildIDS}, // the ID may be no key now
	CheckLinks: checkIDMissingMember,
}

var idShared = &rule.Rule{
	ID:      "WC306",
	Title:   "No two page sets and no two image sets have the same ID.",
	Problem: "Content sets of one kind with the same ID",
	Clause:  "ISO 32000-2:2020, 14.10.3.3 and 14.10.5.1",
	Level:   rule.Warning,
	Doc: "If several URLs have the same data, one content set lists all of them in its source information. Two " +
		"sets with the same ID were captured twice, or merged from two files.",
	Repair: "None: merging page sets changes which pages belong together.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.BuildIDS, rule.OwnObject,
		rule.ChangeID, rule.Restore},
	CheckLinks: checkIDShared,
}

func checkIDKey(p *rule.Pass, v *rule.Value) {
	if v.Tree.Name != webcapture.IDS || transcodedIDOf(v).set != nil || len(v.Key) != len(digest.ID{}) {
		return
	}
	for _, s := range v.Sets {
		id, ok := s.Identifier()
		if !ok || !s.Recognized() || nametree.Key(id[:]) == v.Key {
			continue
		}
		fix, why := preferredID(p, v, s, nametree.Key(id[:]))
		p.Reportf(v.At(), fix, "key %v is not the ID of its content set%s, %v: %s", v.Key, refOf(s), nametree.Key(id[:]), why)
	}
}

// preferredID returns the fix for a key of IDS that differs from the ID of its content set, with the reason. It is nil
// unless the user chose. If the key is the MD5 of the image, only data is a choice.
func preferredID(p *rule.Pass, v *rule.Value, s *rule.Set, id nametree.Key) (*rule.Fix, string) {
	if data, problem := dataID(p, s.Ref); problem == "" && data.New == v.Key {
		fix, why := preferredData(p, s.Ref)
		return fix, "the key is the MD5 of the image; " + why
	}
	switch p.Audit.Prefer {
	case rule.Sets:
		fix := chosenMove(v, s, id)
		if fix == nil {
			return nil, "the content set is stored directly in an array; " + remedyOriginal
		}
		return fix, "you chose --prefer sets"
	case rule.Keys:
		return nil, "no choice changes the ID of a content set to a key; " + remedySets
	case rule.Data:
		if fix, problem := dataID(p, s.Ref); problem == "" {
			return fix, chosenData
		}
	}
	return nil, remedySets
}

func checkIDMissing(p *rule.Pass, l *rule.Links) {
	switch key, where, entries := findOwnID(p, l); {
	case where == nowhere && !memberHas(p, l.Set): // otherwise another rule reports it
		fix, why := addID(p, l, key, nil)
		p.Reportf(l.At(), fix, "ID %v is not a key of IDS (14.10.3.3)%s", key, why)
	case where == elsewhere && l.Ref.Num != 0 && !sameKind(p, l.Set, entries[0]):
		fix, why := addID(p, l, key, entries)
		p.Reportf(l.At(), fix, "key %v of IDS, at %v, is the ID of this set, but does not lead to it (14.10.3.1)%s", key,
			rule.PlaceOf(p.DB.IDS, p.DB.IDS.Entry(entries[0])), why)
	}
}

func checkIDMissingMember(p *rule.Pass, l *rule.Links) {
	if key, where, _ := findOwnID(p, l); where == nowhere && memberHas(p, l.Set) {
		fix, why := addID(p, l, key, nil)
		p.Reportf(l.At(), fix, "ID %v, which members of the set carry, is not a key of IDS%s", key, why)
	}
}

// findOwnID looks up the ID of a content set in IDS. The result is here for a content set without ID, and for one under
// any key, because the rule for that entry reports another key.
func findOwnID(p *rule.Pass, l *rule.Links) (key nametree.Key, where leadsTo, entries []int) {
	id, ok := l.Identifier()
	if !ok || isEmpty(p.DB.IDS) || len(l.IDS) > 0 {
		return "", here, nil
	}
	where, entries = findEntries(p, p.DB.IDS, []string{string(id[:])}, l.Ref)
	return nametree.Key(id[:]), where, entries
}

// memberHas reports whether a page or image of a content set has the ID of the content set.
func memberHas(p *rule.Pass, s *rule.Set) bool {
	for _, m := range membersOf(p, s) {
		ref, _ := m.Ref()
		at := rule.Place{Object: ref}
		o, _ := p.Look(at, m)
		d, _ := o.Dict()
		if id, _ := p.LookString(at, d.Lookup("ID")); id.OK() && string(id.Bytes) == string(s.ID.Bytes) {
			return true
		}
	}
	return false
}

// sameKind reports whether the value of an entry of IDS holds another content set with the subtype of s and the key as
// its ID. Another rule reports that.
func sameKind(p *rule.Pass, s *rule.Set, entry int) bool {
	_, ok := otherWithID(p, s, p.DB.IDS.Entry(entry).Key)
	return ok
}

// addID returns the fix that gives a content set its ID as a key of IDS, or the reason why there is none. entries are
// those under the ID. If any of them has a content set of another ID, its key may be wrong.
func addID(p *rule.Pass, l *rule.Links, id nametree.Key, entries []int) (*rule.Fix, string) {
	problem := idProblem(p, l.Set)
	for _, i := range entries {
		for s := range setsIn(p, p.DB.IDS.Entry(i).Value) {
			if problem == "" && (s == nil || string(s.ID.Bytes) != string(id)) {
				problem = "the key leads to a content set with another ID; " + remedyOriginal
			}
		}
	}
	fix, why := addKey(l, "IDS", id, problem)
	if fix != nil {
		fix.Chosen = dependsOnChoice(p, l.Set)
	}
	return fix, why
}

func checkIDShared(p *rule.Pass, l *rule.Links) {
	id, ok := l.Identifier()
	if !ok || p.DB.IDS == nil || l.Subtype == webcapture.NoSubtype {
		return
	}
	if other, ok := otherWithID(p, l.Set, nametree.Key(id[:])); ok {
		p.Reportf(l.At(), nil, "the %v %v has the same ID %v", l.Subtype, other, nametree.Key(id[:]))
	}
}

// otherWithID returns the first content set under key in IDS, other than s, that has the subtype of s and key as its
// ID. It returns false if there is none, or if s comes first.
func otherWithID(p *rule.Pass, s *rule.Set, key nametree.Key) (object.Ref, bool) {
	n := 0
	for i := range p.DB.IDS.All(key) {
		for o, err := range p.Reader.Values(p.DB.IDS.Entry(i).Value) {
			if n++; isMissing(p, err) || err != nil || n > MaxSame {
				return object.Ref{}, false
			}
			ref, ok := o.Ref()
			if !ok {
				continue
			}
			if ref == s.Ref {
				return object.Ref{}, false
			}
			if !p.Spend(meter.Object) {
				return object.Ref{}, false
			}
			if isSuch(p, o, s.Subtype, key) {
				return ref, true
			}
		}
	}
	return object.Ref{}, false
}

// isSuch reports whether o is a content set with a subtype and an ID.
func isSuch(p *rule.Pass, o object.Object, t webcapture.Subtype, id nametree.Key) bool {
	o, err := p.Reader.Resolve(o) // malformed objects do not count, and are reported when visited
	isMissing(p, err)
	d, _ := o.Dict()
	s, _ := p.Reader.Resolve(d.Lookup("S"))
	has, _ := p.Reader.String(d.Lookup("ID"))
	return s.IsName([...]string{webcapture.PageSet: "SPS", webcapture.ImageSet: "SIS"}[t]) && has.OK() &&
		string(has.Bytes) == string(id)
}

// inIDS reports whether an ID is a key of IDS.
func inIDS(p *rule.Pass, id digest.ID) bool {
	return p.DB.IDS != nil && hasKey(p.DB.IDS.Tree, nametree.Key(id[:]))
}
