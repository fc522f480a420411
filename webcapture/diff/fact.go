package diff

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// fact is what a file says at one place, as text that is the same in both files if the meaning is. A fact of a source,
// command, or element of O without an entry says that it is there.
type fact struct {
	Place
	value []byte
}

// unreadable is the value of an unreadable part.
const unreadable = "unreadable"

// maxShown is the maximum number of bytes of a key or value in a text. Longer values end with their hash.
const maxShown = 512

// The entries that are compared, in the order of facts.
var (
	setEntries     = []string{"CT", "ID", "R", "S", "T", "TID", "TS"}
	sourceEntries  = []string{"AU", "C", "E", "S", "TS"}
	commandEntries = []string{"CT", "F", "H", "L", "P", "S"}
)

func compareFacts(a, b fact) int { return cmp.Or(comparePlaces(a, b), compareValues(a, b)) }

func comparePlaces(a, b fact) int { return a.Place.compare(&b.Place) }

func compareValues(a, b fact) int { return bytes.Compare(a.value, b.value) }

// facts collects the facts of one object.
type facts struct {
	of     *document
	list   []fact
	values []byte // memory of values
	err    error  // a failure to read the file; otherwise the first reason why a value is unreadable
}

// reset empties the list and keeps its memory.
func (f *facts) reset() { f.list, f.values, f.err = f.list[:0], f.values[:0], nil }

// fail records why a value is unreadable.
func (f *facts) fail(err error) {
	if err != nil && (f.err == nil || object.IsMalformed(f.err)) {
		f.err = err
	}
}

// put adds a fact. Its value is what extended has in addition to f.values; err is why the value is unreadable.
func (f *facts) put(at Place, extended []byte, err error) {
	from := len(f.values)
	if f.fail(err); err != nil {
		extended = append(f.values, unreadable...)
	}
	if value := extended[from:]; len(value) > maxShown {
		sum := match.Sum(value)
		extended = fmt.Appendf(extended[:from+maxShown], "… %x", sum)
	}
	f.values = extended
	f.list = append(f.list, fact{Place: at, value: extended[from:]})
}

// add adds a fact with a value that is known.
func (f *facts) add(at Place, value string) { f.put(at, append(f.values, value...), nil) }

// entry adds the fact of an entry; none if it is absent or null. It reads a dictionary only once, because sources may
// share commands. T is a text string.
func (f *facts) entry(at Place, key string, o object.Object) {
	at.Entry = key
	ref, isRef := o.Ref()
	if known, ok := f.of.dicts[ref]; ok && isRef {
		f.put(at, append(f.values, known...), nil)
		return
	}
	r, err := f.of.Reader.Resolve(o)
	b := f.values
	switch {
	case err != nil:
	case r.IsNull():
		return
	case at.Part == ContentSet && key == "T" && r.Kind() == object.String:
		text, _ := r.AppendString(nil)
		b = append(b, nametree.Key(rule.TitleText(text)).String()...)
	case r.Kind() == object.Stream:
		b, err = f.of.AppendValue(b, o)
	default:
		b, err = f.of.AppendValue(b, r)
	}
	f.put(at, b, err)
	if isRef && err == nil && r.Kind() == object.Dictionary {
		f.of.dicts[ref] = bytes.Clone(f.list[len(f.list)-1].value)
	}
}

// set adds the facts of a content set. The order of its sources does not count.
func (f *facts) set(cs *webcapture.ContentSet) {
	for _, key := range setEntries {
		f.entry(Place{Part: ContentSet}, key, cs.Entry(key))
	}
	before := len(f.list)
	for i := range cs.Sources {
		at := Place{Part: Source, Key: urlOf(&cs.Sources[i])}
		f.add(at, "")
		for _, key := range sourceEntries {
			f.entry(at, key, cs.Sources[i].Entry(key))
		}
	}
	if len(cs.Sources) > 1 {
		slices.SortFunc(f.list[before:], compareFacts)
	}
	at := Place{Part: Member}
	for m := range cs.Members() {
		f.member(at, m)
		at.Index++
	}
}

// member adds the facts of an element of O. An object that is neither a page nor an image counts by kind and ID.
func (f *facts) member(at Place, m object.Object) {
	d := f.of
	ref, _ := m.Ref()
	id, zoom, text, isUnread := "", 0.0, "", false
	if pg, im := d.Page(ref), d.Image(ref); pg != nil {
		text, isUnread = fmt.Sprintf("page with content %x", pg.Content), pg.Unread
		if pg.Content == (match.Hash{}) {
			text = "page without content"
		}
		id, zoom = pg.ID, d.zooms[ref]
	} else if im != nil {
		text, isUnread = fmt.Sprintf("image of %d × %d with data %x", im.Width, im.Height, im.Data), im.Unread
		id = im.ID
	} else {
		o, err := d.Reader.Resolve(m)
		f.fail(object.IgnoreMalformed(err))
		text, isUnread = o.Kind().String(), err != nil
		dict, _ := o.Dict()
		s, err := d.Reader.String(dict.Lookup("ID"))
		f.fail(err)
		id = string(s.Bytes)
	}
	if isUnread { // match has noted the reason
		text = unreadable
	}
	f.add(at, text)
	if at.Entry = "ID"; id != "" {
		f.put(at, object.AppendString(f.values, []byte(id)), nil)
	}
	if at.Entry = "PZ"; zoom != 0 {
		f.put(at, strconv.AppendFloat(f.values, zoom, 'g', -1, 32), nil)
	}
}

// info adds the facts of SpiderInfo.
func (f *facts) info() {
	d := f.of
	if _, err := d.Reader.Dict(d.Database.Catalog.Lookup("SpiderInfo")); err != nil {
		f.fail(err)
		return
	}
	info, err := d.Reader.Info(d.Database)
	if f.fail(err); info == nil {
		return
	}
	f.add(Place{Part: Info}, "")
	f.entry(Place{Part: Info}, "V", info.Dict.Lookup("V"))
	for i := range info.Commands {
		c := &info.Commands[i]
		f.fail(c.Err)
		at := Place{Part: Command, Index: c.Index}
		f.put(at, object.AppendString(f.values, c.URL.Bytes), nil)
		for _, key := range commandEntries {
			f.entry(at, key, c.Dict.Lookup(key))
		}
	}
}

// hashes returns the hash of all facts, and of those about sources. It returns scratch, which is memory, for the next
// call.
func (f *facts) hashes(scratch []byte) (all, sources match.Hash, memory []byte) {
	b := scratch[:0]
	for _, isSource := range []bool{true, false} {
		for i := range f.list {
			if x := &f.list[i]; (x.Part == Source) == isSource {
				b = appendBytes(appendBytes(append(b, byte(x.Part)), []byte(x.Key)), []byte(x.Entry))
				b = appendBytes(binary.AppendUvarint(b, uint64(x.Index)), x.value)
			}
		}
		if isSource {
			sources = match.Sum(b)
		}
	}
	return match.Sum(b), sources, b
}

func appendBytes(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// urlOf returns the first URL of a source; empty if it has none.
func urlOf(si *webcapture.SourceInfo) nametree.Key {
	for _, url := range si.URLs() {
		return nametree.Key(url)
	}
	return ""
}
