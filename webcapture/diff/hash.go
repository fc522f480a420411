package diff

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// contentHash is a hash of content. Equal contents have equal hashes. Different contents with equal
// hashes are not expected.
type contentHash [16]byte

func hashOf(b []byte) contentHash {
	s := sha256.Sum256(b)
	return contentHash(s[:])
}

func compareHashes(a, b contentHash) int { return bytes.Compare(a[:], b[:]) }

// hasher writes objects of a database in a form that is equal for objects with the same meaning. It follows references.
type hasher struct {
	r        *webcapture.Reader
	b        []byte                     // scratch buffer
	commands map[object.Ref]contentHash // by reference; commands that are direct are not in it
}

// Limits on an object with all objects to which it refers. Only settings of commands nest, and they take a few hundred
// bytes.
const (
	maxNesting = 32
	maxObject  = 1 << 20
)

var (
	errNesting = &object.Malformed{Reason: "objects nest too deeply to be compared"}
	errSize    = &object.Malformed{Reason: "an object too large to be compared"}
)

// append appends the form of an object.
func (h *hasher) append(dst []byte, o object.Object) ([]byte, error) {
	return h.appendBelow(dst, o, maxNesting, h.r.BytesRead()+maxObject)
}

func (h *hasher) appendBelow(dst []byte, o object.Object, depth int, end int64) ([]byte, error) {
	o, err := h.r.Resolve(o)
	switch {
	case err != nil:
		return dst, err
	case depth == 0:
		return dst, errNesting
	case h.r.BytesRead() > end:
		return dst, errSize
	}
	dst = append(dst, byte(o.Kind()))
	switch o.Kind() {
	case object.Boolean:
		dst = append(dst, o.Raw()[0])
	case object.Integer, object.Real:
		// 1 and 1.0 are the same number.
		dst[len(dst)-1] = byte(object.Real)
		if f, ok := o.Number(); ok {
			dst = appendNumber(dst, f)
		} else {
			dst = appendBytes(dst, o.Raw())
		}
	case object.String:
		b, _ := o.AppendString(nil)
		dst = appendBytes(dst, b)
	case object.Name:
		b, _ := o.Name()
		dst = appendBytes(dst, b)
	case object.Array:
		list, _ := o.Array()
		dst = appendCount(dst, list.Len())
		for e := range list.All() {
			if dst, err = h.appendBelow(dst, e, depth-1, end); err != nil {
				return dst, err
			}
		}
	case object.Dictionary:
		return h.appendDict(dst, o, depth, end)
	}
	return dst, nil
}

// appendDict appends the entries of a dictionary in the order of their keys, except null entries.
func (h *hasher) appendDict(dst []byte, o object.Object, depth int, end int64) ([]byte, error) {
	d, _ := o.Dict()
	type entry struct{ key, value []byte }
	var entries []entry
	for k, v := range d.All() {
		b, err := h.appendBelow(nil, v, depth-1, end)
		if err != nil {
			return dst, err
		}
		if b[0] != byte(object.Null) {
			entries = append(entries, entry{bytes.Clone(k), b})
		}
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
	dst = appendCount(dst, len(entries))
	for _, e := range entries {
		dst = append(appendBytes(dst, e.key), e.value...)
	}
	return dst, nil
}

func appendCount(dst []byte, n int) []byte { return binary.AppendUvarint(dst, uint64(n)) }

func appendBytes(dst, b []byte) []byte { return append(appendCount(dst, len(b)), b...) }

func appendNumber(dst []byte, f float64) []byte {
	b, _ := binary.Append(dst, binary.BigEndian, f+0) // minus zero is zero
	return b
}

// setEntries are the entries of a content set that are compared as a whole. O and SI have comparisons of their own.
var setEntries = [...]string{"S", "ID", "CT", "TS", "T", "TID", "R"}

// ofSet returns the hash of a content set without its members, and the hash of its sources.
func (h *hasher) ofSet(cs *webcapture.ContentSet) (all, sources contentHash, err error) {
	list, err := h.ofSources(cs)
	if err != nil {
		return all, sources, err
	}
	slices.SortFunc(list, compareHashes)
	b := h.b[:0]
	for _, one := range list {
		b = append(b, one[:]...)
	}
	sources = hashOf(b)
	for _, key := range setEntries {
		if b, err = h.appendEntry(b, cs, key); err != nil {
			return all, sources, err
		}
	}
	h.b = b
	return hashOf(b), sources, nil
}

// appendEntry appends an entry of a content set. R of a single image has the same form as an integer and as an array of
// one (table 390).
func (h *hasher) appendEntry(dst []byte, cs *webcapture.ContentSet, key string) ([]byte, error) {
	o := cs.Entry(key)
	if key == "R" {
		r, err := h.r.Resolve(o)
		if err != nil {
			return dst, err
		}
		if list, ok := r.Array(); ok && list.Len() == 1 {
			for o = range list.All() {
			}
		}
	}
	return h.append(dst, o)
}

// ofSources returns the hash of each source.
func (h *hasher) ofSources(cs *webcapture.ContentSet) ([]contentHash, error) {
	var list []contentHash
	for i := range cs.Sources {
		var b []byte
		for _, key := range sourceEntries {
			var err error
			if b, err = h.appendSource(b, &cs.Sources[i], key); err != nil {
				return nil, err
			}
		}
		list = append(list, hashOf(b))
	}
	return list, nil
}

// sourceEntries are the entries of a source that are compared.
var sourceEntries = [...]string{"AU", "TS", "E", "S", "C"}

// appendSource appends an entry of a source.
func (h *hasher) appendSource(dst []byte, si *webcapture.SourceInfo, key string) ([]byte, error) {
	o := si.Entry(key)
	is, err := h.r.Resolve(o)
	if err != nil {
		return nil, err
	}
	switch {
	case key == "S" && is.IsNull():
		return appendNumber(append(dst, byte(object.Real)), 0), nil // the default (table 391)
	case key == "C" && !is.IsNull():
		command, err := h.command(o)
		return append(dst, command[:]...), err
	}
	return h.append(dst, o)
}

// command returns the hash of a command, given as stored. Content sets may share commands.
func (h *hasher) command(o object.Object) (contentHash, error) {
	ref, isRef := o.Ref()
	if known, ok := h.commands[ref]; ok && isRef {
		return known, nil
	}
	o, err := h.r.Resolve(o)
	if err != nil {
		return contentHash{}, err
	}
	d, _ := o.Dict()
	b := []byte{byte(o.Kind())}
	for _, key := range commandEntries {
		if b, err = h.appendCommand(b, d, key); err != nil {
			return contentHash{}, err
		}
	}
	out := hashOf(b)
	if isRef {
		h.commands[ref] = out
	}
	return out, nil
}

// commandEntries are the entries of a command that are compared.
var commandEntries = [...]string{"URL", "L", "F", "P", "CT", "H", "S"}

// appendCommand appends an entry of a command, or the default of the entry (table 393).
func (h *hasher) appendCommand(dst []byte, d object.Dict, key string) ([]byte, error) {
	o, err := h.r.Resolve(d.Lookup(key))
	if err != nil {
		return nil, err
	}
	if o.IsNull() && (key == "L" || key == "F") {
		absent := map[string]float64{"L": 1, "F": 0}[key]
		return appendNumber(append(dst, byte(object.Real)), absent), nil
	}
	return h.append(dst, o)
}

// compareIdentities orders content sets by S and ID.
func compareIdentities(a, b *set) int {
	return cmp.Or(cmp.Compare(a.subtype, b.subtype), compareBools(a.hasID, b.hasID), bytes.Compare(a.id[:], b.id[:]))
}

// compareSets orders content sets by S and ID, then by content.
func compareSets(a, b *set) int {
	if order := compareIdentities(a, b); order != 0 {
		return order
	}
	return cmp.Or(compareHashes(a.sources, b.sources), compareHashes(a.hash, b.hash))
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
