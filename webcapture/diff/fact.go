package diff

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// fact is what a file says at one place of a content set or of SpiderInfo. A fact without an entry says that something
// is there: a source, a command, or an element of O.
type fact struct {
	Place
	value  []byte        // equal for equal values; empty for an unreadable one
	object object.Object // value as stored; element of O for a fact about one
}

// The entries that are compared.
var (
	setEntries     = []string{"S", "ID", "CT", "TS", "T", "TID", "R"}
	sourceEntries  = []string{"AU", "TS", "E", "S", "C"}
	commandEntries = []string{"URL", "L", "F", "P", "CT", "H", "S"}
)

// exists is the value of a fact that only says that something is there.
var exists = []byte{1}

// compareFacts orders facts by place and value.
func compareFacts(a, b fact) int { return cmp.Or(comparePlaces(a, b), compareValues(a, b)) }

func comparePlaces(a, b fact) int { return a.Place.compare(&b.Place) }

func compareValues(a, b fact) int { return bytes.Compare(a.value, b.value) }

// facts collects facts. The order of sources does not count, so they are sorted.
type facts struct {
	list   []fact
	values []byte // memory of values
	err    error  // an error that is not about the content of the file; else the first unreadable value
}

// reset empties the list for other facts. It keeps the memory.
func (f *facts) reset() { f.list, f.values, f.err = f.list[:0], f.values[:0], nil }

func (f *facts) fail(err error) {
	if err != nil && (f.err == nil || object.IsMalformed(f.err)) {
		f.err = err
	}
}

// put adds a fact. Its value is what values, which extend f.values, have more; err is why it is unreadable.
func (f *facts) put(at Place, o object.Object, values []byte, err error) {
	from := len(f.values)
	if f.fail(err); err == nil {
		f.values = values
	}
	f.list = append(f.list, fact{at, f.values[from:], o})
}

// is adds a fact with a known value.
func (f *facts) is(at Place, o object.Object, value []byte) { f.list = append(f.list, fact{at, value, o}) }

// entry adds the fact of an entry; none if it is absent or null. T is a text string, and sources may share C.
func (f *facts) entry(d *document, at Place, key string, o object.Object) {
	r, err := d.Reader.Resolve(o)
	if err == nil && r.IsNull() {
		return
	}
	b := f.values
	switch {
	case err != nil:
	case at.Part == ContentSet && key == "T":
		b, err = d.AppendText(b, r)
	case at.Part == Source && key == "C":
		b, err = d.appendCommand(b, o)
	default:
		b, err = d.AppendValue(b, o)
	}
	at.Entry = key
	f.put(at, o, b, err)
}

// appendCommand appends the hash of a command. It reads a command that sources share only once.
func (d *document) appendCommand(dst []byte, o object.Object) ([]byte, error) {
	ref, isRef := o.Ref()
	known, ok := d.commands[ref]
	if !isRef || !ok {
		var err error
		if known, err = d.Value(o); err != nil {
			return dst, err
		}
		if isRef {
			d.commands[ref] = known
		}
	}
	return append(dst, known[:]...), nil
}

// setFacts adds the facts of a content set.
func (f *facts) setFacts(d *document, cs *webcapture.ContentSet) {
	for _, key := range setEntries {
		f.entry(d, Place{Part: ContentSet}, key, cs.Entry(key))
	}
	before := len(f.list)
	for i := range cs.Sources {
		at := Place{Part: Source, Key: urlOf(&cs.Sources[i])}
		f.is(at, object.Object{}, exists)
		for _, key := range sourceEntries {
			f.entry(d, at, key, cs.Sources[i].Entry(key))
		}
	}
	if len(cs.Sources) > 1 {
		slices.SortFunc(f.list[before:], compareFacts)
	}
	at := Place{Part: Member}
	for m := range cs.Members() {
		f.member(d, at, m)
		at.Index++
	}
}

// member adds the facts of an element of O. An object that is neither a page nor an image counts by kind and ID.
func (f *facts) member(d *document, at Place, m object.Object) {
	ref, _ := m.Ref()
	id := at
	id.Entry = "ID"
	pg, im := d.Page(ref), d.Image(ref)
	switch {
	case pg != nil:
		f.is(at, m, d.contents[pg.Number-1][:])
		if pg.ID != "" {
			f.is(id, m, []byte(pg.ID))
		}
		if zoom := d.zooms[ref]; zoom != 0 {
			at.Entry = "PZ"
			f.is(at, m, strconv.AppendFloat(nil, zoom, 'g', -1, 32))
		}
	case im != nil:
		f.put(at, m, appendImage(f.values, im), nil)
		if im.ID != "" {
			f.is(id, m, []byte(im.ID))
		}
	default:
		o, err := d.Reader.Resolve(m)
		f.fail(err)
		f.is(at, m, []byte{byte(o.Kind())})
		dict, _ := o.Dict()
		s, err := d.Reader.String(dict.Lookup("ID"))
		f.fail(err)
		if s.OK() {
			f.is(id, m, []byte(s.Bytes))
		}
	}
}

func appendImage(dst []byte, im *match.Image) []byte { return append(append(dst, im.Data[:]...), im.Samples[:]...) }

// infoFacts adds the facts of SpiderInfo.
func (f *facts) infoFacts(d *document) {
	if _, err := d.dict(d.Database.Catalog.Lookup("SpiderInfo")); err != nil {
		f.fail(err)
		return
	}
	info, err := d.Reader.Info(d.Database)
	if f.fail(err); info == nil {
		return
	}
	f.is(Place{Part: Info}, object.Object{}, exists)
	f.entry(d, Place{Part: Info}, "V", info.Dict.Lookup("V"))
	for i := range info.Commands {
		c := &info.Commands[i]
		f.fail(c.Err)
		at := Place{Part: Command, Key: nametree.Key(c.URL.Bytes)}
		f.is(at, object.Object{}, exists)
		for _, key := range commandEntries {
			f.entry(d, at, key, c.Dict.Lookup(key))
		}
	}
}

// hashes returns the hash of all facts of a content set, and of those about its sources.
func (f *facts) hashes(scratch []byte) (all, sources match.Hash, memory []byte) {
	b := scratch[:0]
	for _, of := range []bool{true, false} {
		for i := range f.list {
			if x := &f.list[i]; (x.Part == Source) == of {
				b = append(appendBytes(append(b, byte(x.Part)), []byte(x.Key)), x.Entry...)
				b = appendBytes(binary.AppendUvarint(b, uint64(x.Index)), x.value)
			}
		}
		if of {
			sources = hashOf(b)
		}
	}
	return hashOf(b), sources, b
}

func appendBytes(dst, b []byte) []byte { return append(binary.AppendUvarint(dst, uint64(len(b))), b...) }

func hashOf(b []byte) match.Hash {
	s := sha256.Sum256(b)
	return match.Hash(s[:])
}

// urlOf returns the first URL of a source; empty if it has none.
func urlOf(si *webcapture.SourceInfo) nametree.Key {
	for _, url := range si.URLs() {
		return nametree.Key(url)
	}
	return ""
}

// text describes the value of a fact.
func (d *document) text(f *fact) string {
	switch {
	case f.Part == Member && f.Entry == "ID":
		return short(nametree.Key(f.value))
	case f.Part == Member && f.Entry == "PZ":
		return string(f.value)
	case f.Part == Member:
		return d.describe(f.object)
	case f.Entry == "":
		return ""
	}
	return string(d.appendText(nil, f.object, maxTextNesting))
}

// describe describes an element of O.
func (d *document) describe(m object.Object) string {
	ref, _ := m.Ref()
	if pg := d.Page(ref); pg != nil {
		return fmt.Sprintf("page %d, content %x", pg.Number, d.contents[pg.Number-1][:4])
	}
	if im := d.Image(ref); im != nil {
		return fmt.Sprintf("image of %d × %d, data %x", im.Width, im.Height, im.Data[:4])
	}
	o, err := d.Reader.Resolve(m)
	switch {
	case err != nil:
		return "unreadable"
	case o.Kind() == object.Dictionary:
		return "dictionary outside the page tree"
	case o.Kind() == object.Stream:
		return "stream that is not an image"
	}
	return o.Kind().String()
}

// The limits of a value in a text.
const (
	maxShown       = 512 // bytes of a string, or of an array or dictionary
	maxTextNesting = 6
)

// appendText appends a value in the notation of PDF. It replaces references by their objects, and shortens long values.
func (d *document) appendText(dst []byte, o object.Object, depth int) []byte {
	o, err := d.Reader.Resolve(o)
	list, _ := o.Array()
	dict, _ := o.Dict()
	from := len(dst)
	switch kind := o.Kind(); {
	case err != nil:
		return append(dst, "unreadable"...)
	case kind == object.String:
		s, _ := o.AppendString(nil)
		return append(dst, short(nametree.Key(s))...)
	case depth == 0 || kind == object.Stream:
		return append(dst, kind.String()...)
	case kind == object.Array:
		dst = append(dst, '[')
		for e := range list.All() {
			if len(dst)-from > maxShown {
				dst = append(dst, " …"...)
				break
			}
			dst = d.appendText(append(dst, ' '), e, depth-1)
		}
		return append(dst, " ]"...)
	case kind == object.Dictionary:
		dst = append(dst, "<<"...)
		for key, v := range dict.All() {
			if len(dst)-from > maxShown {
				dst = append(dst, " …"...)
				break
			}
			dst = d.appendText(append(object.AppendName(append(dst, ' '), key), ' '), v, depth-1)
		}
		return append(dst, " >>"...)
	}
	raw := o.Raw()
	return append(dst, raw[:min(len(raw), maxShown)]...)
}
