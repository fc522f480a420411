package webcapture

import (
	"iter"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A SourceInfo is a source information dictionary (14.10.5.1, table 391).
type SourceInfo struct {
	Dict  object.Dict
	AU    String // URL of the data; if AU is not a string, see Alias
	Alias *Alias // URL alias dictionary in AU; nil if AU is not a dictionary

	// Entries as stored, unresolved; null if absent.
	TS, E, S, C object.Object
}

// String returns the dictionary as PDF text.
func (si *SourceInfo) String() string { return si.Dict.String() }

// Entry returns the value of an entry as it is in the SourceInfo: some values are resolved. It returns null for a
// key that is not in SourceTable.
func (si *SourceInfo) Entry(key string) object.Object {
	switch key {
	case "AU":
		return si.AU.Object
	case "TS":
		return si.TS
	case "E":
		return si.E
	case "S":
		return si.S
	case "C":
		return si.C
	}
	return object.Object{}
}

// An Alias is a URL alias dictionary (14.10.5.2, table 392): URLs that redirect to one destination.
type Alias struct {
	Dict   object.Dict
	U      String        // the destination
	C      object.Object // resolved; null if absent
	Chains [][]String    // the arrays in C; each is a chain of redirects, in order
}

// Entry returns the resolved value of an entry. It returns null for a key that is not in AliasTable.
func (a *Alias) Entry(key string) object.Object {
	switch key {
	case "U":
		return a.U.Object
	case "C":
		return a.C
	}
	return object.Object{}
}

// readSources resolves cs.SI and fills cs.Sources.
func (r *Reader) readSources(cs *ContentSet) error {
	var err error
	if cs.SI, err = r.Resolve(cs.SI); err != nil {
		return err
	}
	list, ok := cs.SI.Array()
	if !ok {
		return r.addSource(cs, cs.SI)
	}
	for e := range list.All() {
		if e, err = r.Resolve(e); err != nil {
			return err
		}
		if err = r.check(cs); err != nil {
			return err
		}
		if err = r.addSource(cs, e); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) addSource(cs *ContentSet, o object.Object) error {
	d, ok := o.Dict()
	if !ok {
		return nil
	}
	si := SourceInfo{Dict: d}
	var au object.Object
	for k, v := range d.All() {
		switch string(k) {
		case "AU":
			au = v
		case "TS":
			si.TS = v
		case "E":
			si.E = v
		case "S":
			si.S = v
		case "C":
			si.C = v
		}
	}
	var err error
	if si.AU, cs.buf, err = r.str(au, cs.buf); err != nil {
		return err
	}
	if alias, ok := si.AU.Object.Dict(); ok {
		if si.Alias, err = r.alias(cs, alias); err != nil {
			return err
		}
	}
	cs.Sources = append(cs.Sources, si)
	r.read += perObject
	return r.check(cs)
}

func (r *Reader) alias(cs *ContentSet, d object.Dict) (*Alias, error) {
	a := &Alias{Dict: d}
	var err error
	if a.U, err = r.String(d.Lookup("U")); err != nil {
		return nil, err
	}
	if a.C, err = r.Resolve(d.Lookup("C")); err != nil {
		return nil, err
	}
	chains, _ := a.C.Array()
	for o := range chains.All() {
		if o, err = r.Resolve(o); err != nil {
			return nil, err
		}
		urls, ok := o.Array()
		if !ok {
			continue
		}
		var chain []String
		for u := range urls.All() {
			s, err := r.String(u)
			if err != nil {
				return nil, err
			}
			chain = append(chain, s)
			r.read += perObject
			if err := r.check(cs); err != nil {
				return nil, err
			}
		}
		a.Chains = append(a.Chains, chain)
		if err := r.check(cs); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// A Role is the role of a URL in a source information dictionary.
type Role uint8

// The roles of URLs.
const (
	Destination Role = iota // URL of the data: AU, or U of an alias dictionary
	Redirect                // URL that redirected to the destination: an element of a chain of the alias dictionary
)

// URLs yields the URLs of the source, as stored: the destination first. It skips values that are not strings.
func (si *SourceInfo) URLs() iter.Seq2[Role, []byte] {
	return func(yield func(Role, []byte) bool) {
		if si.AU.OK() {
			yield(Destination, si.AU.Bytes)
			return
		}
		if si.Alias == nil {
			return
		}
		if si.Alias.U.OK() && !yield(Destination, si.Alias.U.Bytes) {
			return
		}
		for _, chain := range si.Alias.Chains {
			for _, u := range chain {
				if u.OK() && !yield(Redirect, u.Bytes) {
					return
				}
			}
		}
	}
}
