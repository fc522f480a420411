package checks

// Values of both trees: a reference to a content set, or an array of content sets (7.9.6, 14.10.3.1).

import (
	"fmt"
	"iter"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var valueNull = &rule.Rule{
	ID:      "WC120",
	Title:   "Every key leads to an object, or to an array with elements.",
	Problem: "Keys that lead to nothing",
	Clause:  "ISO 32000-2:2020, 7.9.6 and 14.10.3.1",
	Level:   rule.Error,
	Doc: "The value is null, an empty array, or a reference to an object that is not in the file. A viewer finds the " +
		"key, but the key leads nowhere.",
	Repair: "Remove the entry.",
	Basis: rule.Basis{
		Wrong: "A key has a value that is null, an empty array, or missing from the file",
		Right: "The file has no content set for the key; unreadable parts do not count as missing",
	},
	Action:     rule.RemoveEntry,
	CheckValue: checkValueNull,
}

var valueDirect = &rule.Rule{
	ID:      "WC121",
	Title:   "Values are references.",
	Problem: "Values stored directly in the tree",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Note,
	Doc: "Dictionaries and arrays should be indirect objects. A content set stored directly in one tree cannot be " +
		"a value of the other tree or of a second key.",
	Repair: "Make a content set an indirect object, or a reference to the same content set elsewhere. Keep it if " +
		"another set of its kind has its ID. Keep arrays.",
	Basis: rule.Basis{
		Wrong:     "A value is stored directly in the tree; the standard asks for a reference",
		Right:     "Not needed: the content set is kept as an indirect object",
		Otherwise: "Arrays are kept, and content sets whose ID another set of their kind has",
	},
	Action:     rule.OwnObject,
	CheckValue: checkValueDirect,
}

var valueSet = &rule.Rule{
	ID:      "WC122",
	Title:   "Values are content sets or arrays of content sets.",
	Problem: "Values that are not content sets",
	Clause:  "ISO 32000-2:2020, 14.10.3.1",
	Level:   rule.Error,
	Doc: "A content set is a dictionary with the entries S, ID, O, and SI. A dictionary with fewer than two of " +
		"them does not count as a content set. No viewer can use it.",
	Repair: "Remove array elements that are missing from the file. The right form of any other value is unknown.",
	Basis: rule.Basis{
		Wrong:     "An element of an array value is missing from the file",
		Right:     "The file has no content set for it",
		Otherwise: "Any other value is kept",
	},
	Action:     rule.TidyValue,
	CheckValue: checkValueSet,
}

var valueRepeated = &rule.Rule{
	ID:      "WC125",
	Title:   "An array value lists each content set once.",
	Problem: "Arrays that list a content set twice",
	Clause:  "ISO 32000-2:2020, 14.10.3.1",
	Level:   rule.Note,
	Doc:     "Viewers that go through the array process this content set twice.",
	Repair:  "Remove the duplicate.",
	Basis: rule.Basis{
		Wrong: "An array lists a content set twice",
		Right: "Not needed: the content set is kept once",
	},
	Action:     rule.TidyValue,
	CheckValue: checkValueRepeated,
}

func checkValueNull(p *rule.Pass, v *rule.Value) {
	fix := &rule.Fix{Action: rule.RemoveEntry, Old: v.Key}
	ref, ok := v.Value.Ref()
	switch {
	case v.Resolved.Kind() == object.Array && v.Elements == 0:
		p.Reportf(v.At(), fix, "the value of key %v is an empty array (14.10.3)", v.Key)
	case !v.Resolved.IsNull():
	case ok:
		p.Reportf(v.At(), fix, "key %v leads to %v, which is not in the file (7.9.6)", v.Key, ref)
	default:
		p.Reportf(v.At(), fix, "key %v leads to null (7.9.6)", v.Key)
	}
}

func checkValueDirect(p *rule.Pass, v *rule.Value) {
	k := v.Value.Kind()
	if k != object.Dictionary && k != object.Array {
		return
	}
	var fix *rule.Fix
	if k == object.Dictionary && len(v.Sets) == 1 && !hasOtherTwin(p, v.Sets[0]) {
		fix = &rule.Fix{Action: rule.OwnObject}
	}
	p.Reportf(v.At(), fix, "the value of key %v is %s stored directly in the tree, not a reference", v.Key,
		rule.Article(k))
}

// hasOtherTwin reports whether another content set of its kind has the ID of a direct content set, and is not equal to
// it.
func hasOtherTwin(p *rule.Pass, s *rule.Set) bool {
	has, err := setTableOf(p).HasTwin(p.Reader, s.Object, &s.ContentSet)
	return has || isMissing(p, err)
}

func checkValueSet(p *rule.Pass, v *rule.Value) {
	if v.Resolved.IsNull() {
		return
	}
	for i, s := range v.Sets {
		if s.Recognized() {
			continue
		}
		what := "the value"
		if v.Resolved.Kind() == object.Array {
			what = fmt.Sprintf("element %d of the value", i)
		}
		var fix *rule.Fix
		if s.Object.IsNull() {
			fix = &rule.Fix{Action: rule.TidyValue}
		}
		p.Reportf(v.At(), fix, "%s of key %v is %s, not a content set", what, v.Key, describeSet(s))
	}
}

// describeSet describes an object in the place of a content set.
func describeSet(s *rule.Set) string {
	switch k := s.Object.Kind(); k {
	case object.Null:
		if s.Ref.Num != 0 {
			return s.Ref.String() + ", which is not in the file"
		}
		return "null"
	case object.Dictionary:
		return "a dictionary without the entries of a content set"
	default:
		return rule.Article(k)
	}
}

func checkValueRepeated(p *rule.Pass, v *rule.Value) {
	seen := map[object.Ref]bool{}
	for _, s := range v.Sets {
		if s.Ref.Num != 0 && seen[s.Ref] {
			p.Reportf(v.At(), &rule.Fix{Action: rule.TidyValue}, "the value of key %v lists %v more than once", v.Key, s.Ref)
		}
		seen[s.Ref] = true
	}
}

// hasKnownSets reports whether all elements of the value are readable and at least one is a content set. Only then
// rules compare them.
func hasKnownSets(v *rule.Value) bool {
	if len(v.Sets) == 0 || len(v.Sets) != v.Elements {
		return false
	}
	for _, s := range v.Sets {
		if s.Recognized() {
			return true
		}
	}
	return false
}

// valueOf returns an entry with the readable content sets in its value. It is for rules that check only the entry.
func valueOf(p *rule.Pass, e rule.Entry) *rule.Value {
	v := &rule.Value{Entry: e}
	for o, err := range p.Reader.Values(e.Value) {
		if err != nil || !p.Spend(meter.Object) {
			break
		}
		v.Elements++
		s := new(rule.Set)
		s.Ref, _ = o.Ref()
		if p.Reader.Read(o, &s.ContentSet) == nil {
			v.Sets = append(v.Sets, s)
		}
	}
	return v
}

// setsIn yields the content sets in a value; nil for an unreadable element. It skips null.
func setsIn(p *rule.Pass, value object.Object) iter.Seq[*rule.Set] {
	return func(yield func(*rule.Set) bool) {
		for o, err := range p.Reader.Values(value) {
			s := new(rule.Set)
			s.Ref, _ = o.Ref()
			switch r, unread := p.Reader.Resolve(o); {
			case isMissing(p, err), !p.Spend(meter.Object):
				return
			case err == nil && unread == nil && r.IsNull():
				continue
			case err != nil, isUnreadable(p, o, &s.ContentSet):
				s = nil
			}
			if !yield(s) {
				return
			}
		}
	}
}

// refOf returns a blank and the reference of a content set; empty for a direct one.
func refOf(s *rule.Set) string {
	if s.Ref.Num == 0 {
		return ""
	}
	return " " + s.Ref.String()
}

// MaxSame is the maximum number of content sets or entries that are compared for one key. Duplicate keys are a finding
// already, and without a limit each of many content sets with one key would be compared with all others.
const MaxSame = 16

// leadsTo is the relation of the entries under a key to a content set.
type leadsTo uint8

const (
	nowhere   leadsTo = iota // there is no entry under the key
	elsewhere                // there are entries, without the content set
	here
)

// findEntries finds the entries under keys, up to one whose value has the content set. It returns the relation, and the
// indexes of the entries. A file without the tree has no entries.
func findEntries[K ~string](p *rule.Pass, t *webcapture.Tree, keys []K, set object.Ref) (found leadsTo, entries []int) {
	if t == nil {
		return nowhere, nil
	}
	for _, k := range keys {
		n := 0
		for i := range t.All(nametree.Key(k)) {
			if n++; n > MaxSame {
				break
			}
			found = max(found, elsewhere)
			entries = append(entries, i)
			for o := range p.Reader.Values(t.Entry(i).Value) { // unreadable ones are reported elsewhere
				if !p.Spend(meter.Object) {
					break
				}
				if ref, ok := o.Ref(); ok && ref == set && set.Num != 0 {
					return here, entries
				}
			}
		}
	}
	return found, entries
}
