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

// A sum stands for content: what is equal has the same sum, and nobody makes
// two contents with one.
type sum [16]byte

func sumOf(b []byte) sum {
	s := sha256.Sum256(b)
	return sum(s[:])
}

func compareSums(a, b sum) int { return bytes.Compare(a[:], b[:]) }

// A summer writes the objects of a database in a form that is the same for all
// that mean the same, references followed.
type summer struct {
	r        *webcapture.Reader
	b        []byte // scratch
	commands map[object.Ref]sum
}

// What an object may be made of, references followed. Settings of commands are
// the only ones that nest, and take a few hundred bytes.
const (
	maxNesting = 32
	maxObject  = 1 << 20
)

var (
	errNesting = &object.Malformed{Reason: "objects nest too deeply to be compared"}
	errSize    = &object.Malformed{Reason: "an object too large to be compared"}
)

// append appends an object.
func (s *summer) append(dst []byte, o object.Object) ([]byte, error) {
	return s.appendBelow(dst, o, maxNesting, s.r.BytesRead()+maxObject)
}

func (s *summer) appendBelow(dst []byte, o object.Object, depth int, end int64) ([]byte, error) {
	o, err := s.r.Resolve(o)
	switch {
	case err != nil:
		return dst, err
	case depth == 0:
		return dst, errNesting
	case s.r.BytesRead() > end:
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
			if dst, err = s.appendBelow(dst, e, depth-1, end); err != nil {
				return dst, err
			}
		}
	case object.Dictionary:
		return s.appendDict(dst, o, depth, end)
	}
	return dst, nil
}

// appendDict appends the entries of a dictionary that are not null, in the
// order of their keys.
func (s *summer) appendDict(dst []byte, o object.Object, depth int, end int64) ([]byte, error) {
	d, _ := o.Dict()
	type entry struct{ key, value []byte }
	var entries []entry
	for k, v := range d.All() {
		b, err := s.appendBelow(nil, v, depth-1, end)
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

// setEntries are the entries of a content set that are compared as they are.
// O and SI are not among them.
var setEntries = [...]string{"S", "ID", "CT", "TS", "T", "TID", "R"}

// ofSet returns the sums of a set, without its members, and of its sources.
func (s *summer) ofSet(cs *webcapture.ContentSet) (all, sources sum, err error) {
	list, err := s.ofSources(cs)
	if err != nil {
		return all, sources, err
	}
	slices.SortFunc(list, compareSums)
	b := s.b[:0]
	for _, one := range list {
		b = append(b, one[:]...)
	}
	sources = sumOf(b)
	b = append(b[:0], sources[:]...)
	for _, key := range setEntries {
		if b, err = s.appendEntry(b, cs, key); err != nil {
			return all, sources, err
		}
	}
	s.b = b
	return sumOf(b), sources, nil
}

// appendEntry appends an entry of a content set. R of one image is an integer or
// an array of one (table 390).
func (s *summer) appendEntry(dst []byte, cs *webcapture.ContentSet, key string) ([]byte, error) {
	o := cs.Entry(key)
	if key == "R" {
		r, err := s.r.Resolve(o)
		if err != nil {
			return dst, err
		}
		if list, ok := r.Array(); ok && list.Len() == 1 {
			for o = range list.All() {
			}
		}
	}
	return s.append(dst, o)
}

// ofSources returns the sum of each source.
func (s *summer) ofSources(cs *webcapture.ContentSet) ([]sum, error) {
	var list []sum
	for i := range cs.Sources {
		var b []byte
		for _, key := range sourceEntries {
			var err error
			if b, err = s.appendSource(b, &cs.Sources[i], key); err != nil {
				return nil, err
			}
		}
		list = append(list, sumOf(b))
	}
	return list, nil
}

// sourceEntries are the entries of a source that are compared.
var sourceEntries = [...]string{"AU", "TS", "E", "S", "C"}

// appendSource appends an entry of a source.
func (s *summer) appendSource(dst []byte, si *webcapture.SourceInfo, key string) ([]byte, error) {
	o := si.Entry(key)
	switch {
	case key == "S" && o.IsNull():
		return appendNumber(append(dst, byte(object.Real)), 0), nil // the default (table 391)
	case key == "C" && !o.IsNull():
		command, err := s.command(o)
		return append(dst, command[:]...), err
	}
	return s.append(dst, o)
}

// command returns the sum of a command, as it stands somewhere. Sets share
// commands.
func (s *summer) command(o object.Object) (sum, error) {
	ref, isRef := o.Ref()
	if known, ok := s.commands[ref]; ok && isRef {
		return known, nil
	}
	o, err := s.r.Resolve(o)
	if err != nil {
		return sum{}, err
	}
	d, _ := o.Dict()
	b := []byte{byte(o.Kind())}
	for _, key := range commandEntries {
		if b, err = s.appendCommand(b, d, key); err != nil {
			return sum{}, err
		}
	}
	out := sumOf(b)
	if isRef {
		if s.commands == nil {
			s.commands = map[object.Ref]sum{}
		}
		s.commands[ref] = out
	}
	return out, nil
}

// commandEntries are the entries of a command that are compared.
var commandEntries = [...]string{"URL", "L", "F", "P", "CT", "H", "S"}

// appendCommand appends an entry of a command, or its default (table 393).
func (s *summer) appendCommand(dst []byte, d object.Dict, key string) ([]byte, error) {
	o := d.Lookup(key)
	if o.IsNull() && (key == "L" || key == "F") {
		absent := map[string]float64{"L": 1, "F": 0}[key]
		return appendNumber(append(dst, byte(object.Real)), absent), nil
	}
	return s.append(dst, o)
}

// compareIdentities orders sets by what they are known by.
func compareIdentities(a, b *set) int {
	return cmp.Or(cmp.Compare(a.subtype, b.subtype), compareBools(a.hasID, b.hasID), bytes.Compare(a.id[:], b.id[:]))
}

// compareSets orders sets by what they are known by, then by content.
func compareSets(a, b *set) int {
	return cmp.Or(compareIdentities(a, b), compareSums(a.sources, b.sources), compareSums(a.sum, b.sum))
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
