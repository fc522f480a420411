package rule

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"iter"
	"slices"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// StrayPairs are the kinds of defects of pairs that are not entries, because they have no key or no value.
var StrayPairs = []nametree.DefectKind{nametree.OddNames, nametree.KeyNotString, nametree.KeyNull}

// SetTable finds the content sets that share their ID or a member with another one of their kind. It has those in the
// values of entries, and in pairs that are not entries.
type SetTable struct {
	Base   Base
	Prefer Side

	seed maphash.Seed
	rows []setRow // sorted
}

// setRow is a trait of a content set. It holds hashes, because a file may have a million content sets.
type setRow struct {
	trait uint64 // hash of a setTrait
	set   uint64 // see identityOf
}

const direct = 1 << 63 // bit of the identity of direct objects

// setTrait is an ID or a member of a content set.
type setTrait struct {
	kind   webcapture.Subtype
	id     string // empty for a member
	member object.Ref
}

func (r setRow) compare(other setRow) int {
	return cmp.Or(cmp.Compare(r.trait, other.trait), cmp.Compare(r.set, other.set))
}

// NewSetTable reads all content sets of a database, and others, in file order. It ignores unreadable content sets. The
// error is one in reading the file, or [meter.Over].
func NewSetTable(
	f *webcapture.File, db *webcapture.Database, r *webcapture.Reader, others ...object.Ref,
) (*SetTable, error) {
	t := &SetTable{seed: maphash.MakeSeed()}
	values := valuesOf(db)
	for _, ref := range others {
		values = append(values, object.MakeRef(ref))
	}
	order := f.OrderByPosition(len(values), func(i int) object.Ref {
		ref, _ := values[i].Ref()
		return ref
	})
	var last object.Ref
	for _, i := range order { // both trees may have the same reference
		if ref, ok := values[i].Ref(); ok && ref == last {
			continue
		}
		last, _ = values[i].Ref()
		for o, err := range r.Values(values[i]) {
			var cs webcapture.ContentSet
			if err == nil {
				err = r.Read(o, &cs)
			}
			if err := cmp.Or(object.IgnoreMalformed(err), r.Pay(meter.Object)); err != nil {
				return t, err
			}
			if err == nil && cs.Recognized() {
				set := t.identityOf(o)
				for trait := range t.traits(&cs) {
					t.rows = append(t.rows, setRow{trait, set})
					if err := r.Pay(meter.Object); err != nil {
						return t, err
					}
				}
			}
		}
	}
	if err := r.Keep(16 * int64(len(t.rows))); err != nil {
		return t, err
	}
	slices.SortFunc(t.rows, setRow.compare)
	t.rows = slices.Compact(t.rows)
	return t, nil
}

// valuesOf returns the values of all entries, and both halves of the pairs that are not entries.
func valuesOf(db *webcapture.Database) []object.Object {
	n := 0
	for _, t := range db.Trees() {
		n += t.Len()
	}
	values := make([]object.Object, 0, n)
	for _, t := range db.Trees() {
		for _, e := range t.Entries() {
			values = append(values, e.Value)
		}
		for d := range t.Defects() {
			if slices.Contains(StrayPairs, d.Kind) {
				values = append(values, d.Found, d.Value)
			}
		}
	}
	return values
}

// identityOf returns a number that is the same for references to one object, and for equal direct objects.
func (t *SetTable) identityOf(o object.Object) uint64 {
	if ref, ok := o.Ref(); ok {
		return uint64(ref.Num)<<16 | uint64(ref.Gen)
	}
	return maphash.Bytes(t.seed, o.AppendNormal(nil)) | direct
}

// traits yields the hashes of the traits of a content set.
func (t *SetTable) traits(cs *webcapture.ContentSet) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		if cs.ID.OK() && len(cs.ID.Bytes) > 0 &&
			!yield(maphash.Comparable(t.seed, setTrait{kind: cs.Subtype, id: string(cs.ID.Bytes)})) {
			return
		}
		for m := range cs.Members() {
			ref, ok := m.Ref()
			if ok && !yield(maphash.Comparable(t.seed, setTrait{kind: cs.Subtype, member: ref})) {
				return
			}
		}
	}
}

// IsAlone reports whether no other content set of its kind has the ID of a content set, or one of its members. The
// content set is stored as o, a reference or a direct object.
func (t *SetTable) IsAlone(o object.Object, cs *webcapture.ContentSet) bool {
	set := t.identityOf(o)
	for trait := range t.traits(cs) {
		for range t.others(trait, set) {
			return false
		}
	}
	return true
}

// OwnKeys returns the keys that a content set should have in a tree: its ID, or its absolute URLs in canonical form. It
// returns none if these records may belong to another content set, or are contradicted. The content set is stored as o.
// The error is one in reading the file.
func (t *SetTable) OwnKeys(r *webcapture.Reader, tree webcapture.TreeName, o object.Object, cs *webcapture.ContentSet) (
	keys []nametree.Key, err error,
) {
	if !cs.Recognized() || !t.IsAlone(o, cs) {
		return nil, nil
	}
	if tree == webcapture.IDS {
		id, ok := cs.Identifier()
		if by, err := DisputeOf(r, cs, t.Prefer); !ok || by != "" || err != nil {
			return nil, err
		}
		return []nametree.Key{nametree.Key(id[:])}, nil
	}
	for i := range cs.Sources {
		for role, url := range cs.Sources[i].URLs() {
			if key, ok := t.Base.Key(url); ok && role == webcapture.Destination && len(url) > 0 {
				keys = append(keys, key)
			}
		}
	}
	return keys, nil
}

// HasTwin reports whether another content set of its kind has the ID of a direct content set, and is not equal to it.
// The error is one in reading the file.
func (t *SetTable) HasTwin(r *webcapture.Reader, o object.Object, cs *webcapture.ContentSet) (bool, error) {
	only := *cs
	only.O = object.Object{}
	own, text := t.identityOf(o), o.AppendNormal(nil)
	for trait := range t.traits(&only) {
		for set := range t.others(trait, own) {
			if set >= direct {
				return true, nil
			}
			ref := object.Ref{Num: uint32(set >> 16), Gen: uint16(set)}
			other, err := r.Resolve(object.MakeRef(ref))
			if err != nil || !bytes.Equal(other.AppendNormal(nil), text) {
				return true, object.IgnoreMalformed(err)
			}
		}
	}
	return false, nil
}

// others yields the content sets with a trait, except one.
func (t *SetTable) others(trait, except uint64) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		i, _ := slices.BinarySearchFunc(t.rows, setRow{trait: trait}, setRow.compare)
		for ; i < len(t.rows) && t.rows[i].trait == trait; i++ {
			if t.rows[i].set != except && !yield(t.rows[i].set) {
				return
			}
		}
	}
}
