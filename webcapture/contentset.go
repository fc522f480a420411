package webcapture

import (
	"fmt"
	"iter"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
)

// A Subtype tells page sets and image sets apart (14.10.4, table 388, entry S).
type Subtype uint8

// The subtypes. The zero Subtype is that of a dictionary whose S is neither.
const (
	NoSubtype Subtype = iota
	PageSet           // S is SPS
	ImageSet          // S is SIS
)

// String returns the subtype in the standard's words.
func (s Subtype) String() string { return [...]string{"content set", "page set", "image set"}[s] }

// A ContentSet is a content set (14.10.4, tables 388 to 390) as it is read:
// typed where the type is right, raw everywhere. Its slices are overwritten by
// the next call that fills it.
type ContentSet struct {
	Object  object.Object // what stands in the set's place, resolved
	Dict    object.Dict   // of Object, if it is a dictionary
	S       object.Object // resolved
	Subtype Subtype       // by S
	ID      String        // the digital identifier
	O       object.Object // resolved; Members yields its elements
	SI      object.Object // resolved: a dictionary, or an array of them
	Sources []SourceInfo  // the dictionaries in SI

	// As they are stored, unresolved; null if absent.
	Type, CT, TS, T, TID, R object.Object

	buf []byte
	end int64 // what r may have read when the set is read, see maxSetBytes
}

// maxSetBytes bounds the size of the objects that one content set is made of,
// the set itself not counted. What needs more shares objects many times over: a
// thousand redirections take a tenth of a megabyte.
const maxSetBytes = 16 << 20

// check returns an error when too much was read for one content set.
func (r *Reader) check(cs *ContentSet) error {
	if r.read <= cs.end {
		return nil
	}
	return &object.Malformed{Reason: fmt.Sprintf("a content set made of more than %d bytes", maxSetBytes)}
}

// Read fills cs from o, a content set as it is stored. The error is that of
// the source: that o, or one of the objects that make up the set, could not be
// read.
func (r *Reader) Read(o object.Object, cs *ContentSet) error {
	*cs = ContentSet{Sources: cs.Sources[:0], buf: cs.buf[:0]}
	var err error
	if cs.Object, err = r.Resolve(o); err != nil {
		return err
	}
	cs.end = r.read + maxSetBytes
	cs.Dict, _ = cs.Object.Dict()
	var id object.Object
	for k, v := range cs.Dict.All() {
		switch string(k) {
		case "Type":
			cs.Type = v
		case "S":
			cs.S = v
		case "ID":
			id = v
		case "O":
			cs.O = v
		case "SI":
			cs.SI = v
		case "CT":
			cs.CT = v
		case "TS":
			cs.TS = v
		case "T":
			cs.T = v
		case "TID":
			cs.TID = v
		case "R":
			cs.R = v
		}
	}
	if cs.S, err = r.Resolve(cs.S); err != nil {
		return err
	}
	switch {
	case cs.S.IsName("SPS"):
		cs.Subtype = PageSet
	case cs.S.IsName("SIS"):
		cs.Subtype = ImageSet
	}
	if cs.ID, cs.buf, err = r.str(id, cs.buf); err != nil {
		return err
	}
	if cs.O, err = r.Resolve(cs.O); err != nil {
		return err
	}
	return r.readSources(cs)
}

// Recognized reports whether the dictionary is meant as a content set: at least
// two of the entries S, ID, O and SI, which every set shall have, are there and
// of their type. Type is optional, and absent from real files.
func (cs *ContentSet) Recognized() bool {
	n := 0
	for _, ok := range [...]bool{
		cs.Subtype != NoSubtype,
		cs.ID.OK(),
		cs.O.Kind() == object.Array,
		len(cs.Sources) > 0,
	} {
		if ok {
			n++
		}
	}
	return n >= 2
}

// Entry returns the value of an entry as ContentSet has it: stored or resolved;
// null for a key that is not in ContentSetTable.
func (cs *ContentSet) Entry(key string) object.Object {
	switch key {
	case "Type":
		return cs.Type
	case "S":
		return cs.S
	case "ID":
		return cs.ID.Object
	case "O":
		return cs.O
	case "SI":
		return cs.SI
	case "CT":
		return cs.CT
	case "TS":
		return cs.TS
	case "T":
		return cs.T
	case "TID":
		return cs.TID
	case "R":
		return cs.R
	}
	return object.Object{}
}

// Identifier returns the set's digital identifier; false if ID is not a string
// of 16 bytes (14.10.3.3).
func (cs *ContentSet) Identifier() (digest.ID, bool) {
	return digest.FromBytes(cs.ID.Bytes)
}

// Members yields the elements of O, the pages or images of the set, in order.
func (cs *ContentSet) Members() iter.Seq[object.Object] {
	list, _ := cs.O.Array()
	return list.All()
}
