package checks

import (
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// What rules about entries of content sets, and of the dictionaries below them, share.

// The entries whose type is not the matter of a rule of its own.
var (
	setFields    = without(webcapture.ContentSetTable, "S", "ID", "O", "SI") // WC401 to WC404
	sourceFields = without(webcapture.SourceTable, "AU")                     // WC405
	aliasFields  = without(webcapture.AliasTable)
)

func without(t []webcapture.Field, keys ...string) []webcapture.Field {
	return slices.DeleteFunc(slices.Clone(t), func(f webcapture.Field) bool { return slices.Contains(keys, f.Key) })
}

// stringIn returns the bytes of an entry of a set after buf; false if it is
// absent, or no string.
func stringIn(p *rule.Pass, s *rule.Set, o object.Object, buf []byte) ([]byte, bool) {
	if o.IsNull() {
		return nil, false
	}
	o, ok := p.ResolveIn(s, o)
	if !ok {
		return nil, false
	}
	return o.AppendString(buf)
}

// shown returns a copy of some bytes as messages show strings.
func shown(b []byte) nametree.Key { return nametree.Key(b) }

// checkField reports an entry that is not what the table of its dictionary
// says.
func checkField(p *rule.Pass, s *rule.Set, in part, f *webcapture.Field, stored object.Object) {
	if stored.IsNull() && !f.Required || !belongs(f, s) {
		return
	}
	o, ok := p.ResolveIn(s, stored)
	switch {
	case !ok:
	case o.IsNull() && f.Required:
		p.Reportf(s.At(), nil, "%v%s is %s, expected %v", in, f.Key, Describe(p, stored), f.Types)
	case o.IsNull():
	case !f.Types.Fits(o):
		p.Reportf(s.At(), nil, "%v%s is %s, not %v", in, f.Key, Describe(p, stored), f.Types)
	case f.Indirect && stored.Kind() != object.Reference:
		p.Reportf(s.At(), nil, "%v%s is direct, expected a reference to %v", in, f.Key, f.Types)
	}
}

// belongs reports whether an entry may stand in a set of the subtype of s, or
// in a dictionary below it.
func belongs(f *webcapture.Field, s *rule.Set) bool {
	return f.Only == webcapture.NoSubtype || f.Only == s.Subtype
}

// A part says where in a set an entry is; the zero part is the set itself.
type part struct {
	set    *rule.Set
	source int  // index in Sources
	alias  bool // in the alias dictionary of the source
}

// String returns what messages put before the entry's key.
func (in part) String() string {
	s := ""
	switch {
	case in.set == nil:
		return s
	case len(in.set.Sources) == 1:
		s = "SI: "
	default:
		s = fmt.Sprintf("SI, source %d: ", in.source)
	}
	if in.alias {
		s += "alias: "
	}
	return s
}
