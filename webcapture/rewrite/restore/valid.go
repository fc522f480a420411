package restore

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// This file decides whether a value is valid by itself. Invalid values of the file are filled, and invalid values of
// the original are never copied. The conditions are those of the rules WC401, WC402, WC405, WC412, and WC437.

// fieldOf returns the entry of a table with a key; nil if there is none.
func fieldOf(table []webcapture.Field, key string) *webcapture.Field {
	i := slices.IndexFunc(table, func(f webcapture.Field) bool { return f.Key == key })
	if i < 0 {
		return nil
	}
	return &table[i]
}

// isValid reports whether the value of an entry is valid, as stored. An absent value is not.
func isValid(d *match.Document, f *webcapture.Field, stored object.Object) (bool, error) {
	o, err := d.Reader.Resolve(stored)
	if err != nil || o.IsNull() || !f.Types.Fits(o) || f.Indirect && stored.Kind() != object.Reference {
		return false, object.IgnoreMalformed(err)
	}
	if s, ok := o.AppendString(nil); ok {
		return isValidString(f, s), nil
	}
	n, _ := o.Number()
	inRange := f.Max == 0 || 0 <= n && n <= float64(f.Max)
	return inRange && (f.Name == "" || o.IsName(f.Name)), nil
}

func isValidString(f *webcapture.Field, s []byte) bool {
	switch {
	case f.Length > 0:
		return len(s) == f.Length
	case f.Syntax == webcapture.MediaType:
		return rule.MediaFault(s) == ""
	case f.Types == webcapture.DateString:
		_, fault := rule.ParseDate(s)
		return fault == ""
	case f.Types == webcapture.TextString:
		return rule.TextFault(s) == ""
	}
	return isURL(s) || f.Key != "AU" && f.Key != "U"
}

// isURL reports whether a URL is not empty, and ASCII.
func isURL(s []byte) bool { return len(s) > 0 && rule.NotASCII(s) < 0 }

// isValidChains reports whether the value of C in an alias is an array of non-empty arrays of ASCII strings.
func isValidChains(a *webcapture.Alias) bool {
	list, ok := a.C.Array()
	return ok && list.Len() == len(a.Chains) && !slices.ContainsFunc(a.Chains, func(chain []webcapture.String) bool {
		isNoURL := func(s webcapture.String) bool { return !s.OK() || !isURL(s.Bytes) }
		return len(chain) == 0 || slices.ContainsFunc(chain, isNoURL)
	})
}

// isValidSource reports whether a source has a valid URL, and valid chains if it has any.
func isValidSource(si *webcapture.SourceInfo) bool {
	if si.Alias != nil {
		return si.Alias.U.OK() && isURL(si.Alias.U.Bytes) && (si.Alias.C.IsNull() || isValidChains(si.Alias))
	}
	return si.AU.OK() && isURL(si.AU.Bytes)
}
