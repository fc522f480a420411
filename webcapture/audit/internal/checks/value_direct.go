package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

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
