package checks

// Entries of content sets, sources, and aliases: present, and of the right type and value (tables 388 to 392).
// fieldFault also checks SpiderInfo, commands, and their settings (tables 386 and 393 to 395).

import (
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setEntries = &rule.Rule{
	ID:      "WC437",
	Title:   "Entries of content sets, sources, and aliases are present, and have the right type and value.",
	Problem: "Content sets with missing or invalid entries",
	Clause:  "ISO 32000-2:2020, 14.10.4 and 14.10.5, tables 388 to 392; 7.9.2.2; RFC 2045, 5.1",
	Level:   rule.Warning,
	Doc: "A reader that expects a date, a string, or a reference ignores any other object, or stops there. An entry of " +
		"the other kind of content set has no meaning and suggests that S of the set is wrong. CT is a media type, " +
		"which a refresh compares with the header that the server sends. T is the title that viewers show. TID is the " +
		"MD5 digest of the text. S of a source is 0, 1, or 2, for no form, GET, or POST. Each array in C of an alias " +
		"is one chain of redirects. Other rules cover S, ID, O, SI, AU, and dates.",
	Repair:   "None.",
	CheckSet: checkSetEntries,
}

func checkSetEntries(p *rule.Pass, s *rule.Set) {
	for i := range setFields {
		checkField(p, s, part{}, &setFields[i], s.Entry(setFields[i].Key))
	}
	for k := range s.Sources {
		si := &s.Sources[k]
		for i := range sourceFields {
			checkField(p, s, part{set: s, source: k}, &sourceFields[i], si.Entry(sourceFields[i].Key))
		}
		if si.Alias == nil {
			continue
		}
		for i := range aliasFields {
			checkField(p, s, part{s, k, true}, &aliasFields[i], si.Alias.Entry(aliasFields[i].Key))
		}
		checkChains(p, s, part{s, k, true}, si.Alias)
	}
}

// The entries whose types have no rule of their own.
var (
	setFields    = without(webcapture.ContentSetTable, "S", "ID", "O", "SI") // WC401 to WC403, WC405
	sourceFields = without(webcapture.SourceTable, "AU")                     // WC405
	aliasFields  = without(webcapture.AliasTable)
)

func without(t []webcapture.Field, keys ...string) []webcapture.Field {
	return slices.DeleteFunc(slices.Clone(t), func(f webcapture.Field) bool { return slices.Contains(keys, f.Key) })
}

// checkField reports an entry that does not comply with the table of its dictionary.
func checkField(p *rule.Pass, s *rule.Set, in part, f *webcapture.Field, stored object.Object) {
	if f.Only != webcapture.NoSubtype && f.Only != s.Subtype {
		if !stored.IsNull() {
			p.Reportf(s.At(), nil, "%v%s is in %s, but belongs in %s (table %d)", in, f.Key, withArticle(s.Subtype),
				withArticle(f.Only), f.Table)
		}
		return
	}
	if fault := fieldFault(p, s, f, stored); fault != "" {
		p.Reportf(s.At(), nil, "%v%s", in, fault)
	}
}

// withArticle returns a subtype with its article.
func withArticle(t webcapture.Subtype) string {
	if t == webcapture.ImageSet {
		return "an " + t.String()
	}
	return "a " + t.String()
}

// checkChains reports elements of C of an alias that are not arrays of strings, and empty arrays.
func checkChains(p *rule.Pass, s *rule.Set, in part, a *webcapture.Alias) {
	if list, ok := a.C.Array(); ok && list.Len() != len(a.Chains) {
		p.Reportf(s.At(), nil, "%vC has %d elements, but only %d arrays (table 392)", in, list.Len(), len(a.Chains))
	}
	for i, chain := range a.Chains {
		if len(chain) == 0 {
			p.Reportf(s.At(), nil, "%vchain %d in C is empty (table 392)", in, i)
		}
		for j := range chain {
			if !chain[j].OK() {
				p.Reportf(s.At(), nil, "%vURL %d of chain %d in C is %s, not a string (table 392)", in, j, i,
					Describe(p, chain[j].Object))
			}
		}
	}
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

// shown returns a copy of bytes in the type that messages use for strings.
func shown(b []byte) nametree.Key { return nametree.Key(b) }

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

// Describe describes an object for messages.
func Describe(p *rule.Pass, o object.Object) string {
	if ref, ok := o.Ref(); ok {
		if !p.Spend(0) {
			return ref.String()
		}
		r, err := p.Reader.Resolve(o)
		switch {
		case object.IgnoreMalformed(err) != nil:
			p.Fail(err)
			return ref.String()
		case err != nil:
			return ref.String() + ", which cannot be read"
		case r.IsNull():
			return ref.String() + ", which is not in the file"
		}
		return ref.String() + ", " + Describe(p, r)
	}
	const long = 40
	switch raw := o.Raw(); {
	case o.IsNull():
		return "null"
	case o.Kind() == object.String:
		s, _ := o.AppendString(nil)
		return "the string " + nametree.Key(s[:min(len(s), long)]).String()
	case o.Kind() == object.Dictionary, o.Kind() == object.Array, o.Kind() == object.Stream, len(raw) > long:
		return rule.Article(o.Kind())
	default:
		return rule.Article(o.Kind()) + " " + printable(raw)
	}
}

// printable returns raw with all bytes except printable ASCII replaced.
func printable(raw []byte) string {
	out := make([]byte, len(raw))
	for i, c := range raw {
		out[i] = c
		if c < 0x20 || c > 0x7e {
			out[i] = '?'
		}
	}
	return string(out)
}
