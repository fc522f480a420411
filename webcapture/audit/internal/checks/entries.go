package checks

import (
	"fmt"
	"slices"
	"time"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Helpers of rules about entries of content sets and of the dictionaries below them.

// The entries whose types have no rule of their own.
var (
	setFields    = without(webcapture.ContentSetTable, "S", "ID", "O", "SI") // WC401 to WC403, WC405
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

// dateOf returns the date in an entry of a content set. It returns false for a missing date, or for an invalid one,
// which another rule reports.
func dateOf(p *rule.Pass, s *rule.Set, o object.Object) (time.Time, bool) {
	var buf [32]byte
	b, _ := stringIn(p, s, o, buf[:0])
	t, fault := p.LastDate.Parse(b)
	return t, fault == ""
}

// shown returns a copy of bytes in the type that messages use for strings.
func shown(b []byte) nametree.Key { return nametree.Key(b) }

// owner is a content set, a command, or SpiderInfo.
type owner interface{ At() rule.Place }

// fieldFault describes why an entry does not comply with the table of its dictionary; empty if it does.
func fieldFault(p *rule.Pass, of owner, f *webcapture.Field, stored object.Object) string {
	if stored.IsNull() && !f.Required {
		return ""
	}
	o, ok := p.ResolveIn(of, stored)
	fault := ""
	switch {
	case !ok || o.IsNull() && !f.Required:
		return ""
	case o.IsNull():
		fault = fmt.Sprintf(" is %s, expected %v", Describe(p, stored), f.Types)
	case !f.Types.Fits(o):
		fault = fmt.Sprintf(" is %s, not %v", Describe(p, stored), f.Types)
	case f.Indirect && stored.Kind() != object.Reference:
		fault = fmt.Sprintf(" is direct, expected a reference to %v", f.Types)
	default:
		fault = valueFault(p, f, o)
	}
	if fault == "" {
		return ""
	}
	return fmt.Sprintf("%s%s (table %d)", f.Key, fault, f.Table)
}

// valueFault describes why a value of the right type is not allowed; empty if it is. Dates have a rule of their own.
func valueFault(p *rule.Pass, f *webcapture.Field, o object.Object) string {
	if o.Kind() == object.String {
		return stringFault(f, o)
	}
	n, _ := o.Number()
	switch {
	case f.Name != "" && !o.IsName(f.Name):
		return fmt.Sprintf(" is %s, not %s", Describe(p, o), f.Name)
	case f.Max > 0 && (n < 0 || n > float64(f.Max)):
		return fmt.Sprintf(" is %s, expected 0 to %d", Describe(p, o), f.Max)
	}
	return ""
}

func stringFault(f *webcapture.Field, o object.Object) string {
	if f.Syntax == webcapture.HeaderLines {
		b, _ := o.AppendString(nil)
		return headersFault(b)
	}
	var buf [128]byte // not on the heap: there may be a million content sets
	b, _ := o.AppendString(buf[:0])
	fault, expected := "", ""
	switch {
	case f.Length > 0 && len(b) != f.Length:
		return fmt.Sprintf(" %s has %d bytes, not %d", rule.Short(shown(b)), len(b), f.Length)
	case f.Syntax == webcapture.MediaType:
		fault, expected = rule.MediaFault(b), "a media type"
	case f.Types == webcapture.TextString:
		fault, expected = rule.TextFault(b), "a text string"
	}
	if fault == "" {
		return ""
	}
	return fmt.Sprintf(" %s is not %s: %s", rule.Short(shown(b)), expected, fault)
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
