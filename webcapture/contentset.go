package webcapture

import (
	"fmt"
	"iter"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
)

// A Subtype distinguishes page sets and image sets (14.10.4, table 388, entry S).
type Subtype uint8

// The subtypes. The zero Subtype means that S is neither.
const (
	NoSubtype Subtype = iota
	PageSet           // S is SPS
	ImageSet          // S is SIS
)

// String returns the standard's name of the subtype.
func (s Subtype) String() string { return [...]string{"content set", "page set", "image set"}[s] }

// MarshalText returns the result of String. The error is always nil.
func (s Subtype) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText sets the subtype by its String. Any other text means NoSubtype. The error is always nil.
func (s *Subtype) UnmarshalText(name []byte) error {
	for *s = ImageSet; *s > NoSubtype && s.String() != string(name); *s-- {
	}
	return nil
}

// A ContentSet is a content set (14.10.4, tables 388 to 390). It always has the raw objects, and also decoded
// fields if the types are right. The next call that fills it overwrites its slices.
type ContentSet struct {
	Object  object.Object // the object in place of the set, resolved
	Dict    object.Dict   // Object, if it is a dictionary
	S       object.Object // resolved
	Subtype Subtype       // according to S
	ID      String        // digital identifier
	O       object.Object // resolved; Members yields its elements
	SI      object.Object // resolved: a dictionary, or an array of them
	Sources []SourceInfo  // dictionaries in SI

	// Entries as stored, unresolved; null if absent.
	Type, CT, TS, T, TID, R object.Object

	buf []byte
	end int64 // limit of the Reader's bytes while it reads the set, see check
}

// check returns an error if too many bytes were read for one content set, without the set itself. Only sets that refer
// to the same objects many times need more: a thousand redirects take a tenth of a megabyte.
func (r *Reader) check(cs *ContentSet) error {
	if r.read <= cs.end {
		return nil
	}
	return &object.Malformed{Reason: fmt.Sprintf("a content set with data of more than %d bytes", r.file.pdf.Piece())}
}

// Read fills cs from o, a content set as stored. The error means that o, or an object of the set, could not be read.
func (r *Reader) Read(o object.Object, cs *ContentSet) error {
	*cs = ContentSet{Sources: cs.Sources[:0], buf: cs.buf[:0]}
	var err error
	if cs.Object, err = r.Resolve(o); err != nil {
		return err
	}
	cs.end = r.read + r.file.pdf.Piece()
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

// Recognized reports whether the dictionary is probably a content set. At least two of the required entries S, ID,
// O, and SI must exist and have the right type. Type is optional, and absent in real files.
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

// Entry returns the value of an entry as it is in the ContentSet: some values are resolved. It returns null for a
// key that is not in ContentSetTable.
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

// Identifier returns the set's digital identifier. It returns false if ID is not a string of 16 bytes (14.10.3.3).
func (cs *ContentSet) Identifier() (digest.ID, bool) {
	return digest.FromBytes(cs.ID.Bytes)
}

// Members yields the elements of O, the pages or images of the set, in order.
func (cs *ContentSet) Members() iter.Seq[object.Object] {
	list, _ := cs.O.Array()
	return list.All()
}
