package checks

import (
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Helpers of rules about entries of content sets and of the dictionaries below them.

// The entries whose types have no rule of their own.
var (
	setFields    = without(webcapture.ContentSetTable, "S", "ID", "O", "SI") // WC401 to WC404
	sourceFields = without(webcapture.SourceTable, "AU")                     // WC405
	aliasFields  = without(webcapture.AliasTable)
)

func without(t []webcapture.Field, keys ...string) []webcapture.Field {
	return slices.DeleteFunc(slices.Clone(t), func(f webcapture.Field) bool { return slices.Contains(keys, f.Key) })
}

// stringIn appends the bytes of a string entry of a content set to buf. It returns false if the entry is absent or not
// a string.
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

// shown returns a copy of bytes in the type that messages use for strings.
func shown(b []byte) nametree.Key { return nametree.Key(b) }

// checkField reports an entry that has the wrong type, or is otherwise invalid according to the table of its
// dictionary.
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

// belongs reports whether an entry is allowed in a content set with the subtype of s, or in a dictionary below it.
func belongs(f *webcapture.Field, s *rule.Set) bool {
	return f.Only == webcapture.NoSubtype || f.Only == s.Subtype
}

// part is the place of an entry within a content set. The zero part is the content set itself.
type part struct {
	set    *rule.Set
	source int  // index in Sources
	alias  bool // in the alias dictionary of the source
}

// String returns the prefix for the entry's key in messages.
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
