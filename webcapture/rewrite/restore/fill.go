package restore

import (
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// filling is a content set of the file while its absent and broken entries are filled.
type filling struct {
	*restoration
	m           *setMatch
	theirs, own webcapture.ContentSet // own is empty for a content set that the file lacks
	at          rule.Place
	changes     []object.Setting
}

// restoreSet restores a content set: it fills the one of the file, or makes a new one.
func (r *restoration) restoreSet(m *setMatch) error {
	f := &filling{restoration: r, m: m}
	if err := r.original.Reader.Read(m.was.value, &f.theirs); err != nil {
		return object.IgnoreMalformed(err)
	}
	if m.is == nil {
		return f.makeSet()
	}
	if err := r.file.Reader.Read(m.is.value, &f.own); err != nil {
		return object.IgnoreMalformed(err)
	}
	f.at = rule.Place{Set: m.set, ID: nametree.Key(m.id)}
	for _, fill := range []func() error{f.fillEntries, f.fillSources, f.fillMembers} {
		if err := fill(); err != nil {
			return err
		}
	}
	if len(f.changes) > 0 {
		r.Update.Put(m.set, f.own.Dict.AppendWith(nil, f.changes...))
	}
	f.addKeys(&f.own)
	r.findWrongKeys(m, &f.own)
	return nil
}

// set adds a change of an entry, and its step.
func (f *filling) set(key string, value []byte, was, is string) {
	f.changes = append(f.changes, object.Setting{Key: key, Value: value})
	f.replacement("", f.at, was, is)
}

// fillEntries fills the entries of a content set one by one. For SI, see fillSources; for O and R, see members.go.
func (f *filling) fillEntries() error {
	if f.own.Subtype == webcapture.NoSubtype && f.theirs.Subtype != webcapture.NoSubtype {
		f.set("S", f.theirs.S.Append(nil), f.shown("S", f.own.S), f.shown("S", f.theirs.S))
	}
	if f.m.id != "" && f.m.id != string(f.own.ID.Bytes) {
		id := object.AppendString(nil, []byte(f.m.id))
		f.set("ID", id, f.shown("ID", f.own.ID.Object), "ID "+nametree.Key(f.m.id).String())
	}
	keys := []string{"CT", "TS", "T", "TID"}
	changes, err := f.filled("", webcapture.ContentSetTable, keys, f.theirs.Dict, f.own.Dict)
	f.changes = append(f.changes, changes...)
	return err
}

// filled returns those of some entries of a dictionary that are absent or broken in the file, and valid in the
// original. It adds their steps, in which their names have a prefix.
func (f *filling) filled(prefix string, table []webcapture.Field, keys []string, theirs, own object.Dict) (
	changes []object.Setting, err error,
) {
	for _, key := range keys {
		field := fieldOf(table, key)
		if !f.mayHave(field) {
			continue
		}
		if valid, err := isValid(f.file, field, own.Lookup(key)); err != nil {
			return nil, err
		} else if valid {
			continue
		}
		if valid, err := isValid(f.original, field, theirs.Lookup(key)); err != nil {
			return nil, err
		} else if !valid {
			continue
		}
		was, err := f.file.Reader.Resolve(own.Lookup(key))
		if object.IgnoreMalformed(err) != nil {
			return nil, err
		}
		is, err := f.original.Reader.Resolve(theirs.Lookup(key))
		if err != nil {
			return nil, err
		}
		text, err := f.copied(theirs.Lookup(key), maxDepth)
		if err != nil {
			return nil, err
		}
		f.replacement("", f.at, f.shown(prefix+key, was), f.shown(prefix+key, is))
		changes = append(changes, object.Setting{Key: key, Value: text})
	}
	return changes, nil
}

// shown returns the value of an entry for steps; empty for null.
func (f *filling) shown(key string, o object.Object) string {
	if o.IsNull() {
		return ""
	}
	value := string(o.AppendNormal(nil))
	if s, ok := o.AppendString(nil); ok {
		value = nametree.Key(s).String()
	}
	if len(value) > maxShown {
		value = value[:maxShown] + "…"
	}
	return key + " " + value
}

// makeSet restores a content set that the file lacks. It lists the matched pages and images that no content set of the
// file lists.
func (f *filling) makeSet() error {
	list := f.matchedMembers()
	if len(list) == 0 {
		return nil
	}
	entries := []object.Setting{{Key: "O", Value: fmt.Append(nil, list)}}
	if f.theirs.Subtype == webcapture.ImageSet {
		counts, err := f.countsAfter(list, nil)
		if err != nil {
			return err
		}
		entries = append(entries, object.Setting{Key: "R", Value: fmt.Append(nil, counts)})
	}
	others, err := f.copiedEntries(f.theirs.Dict, webcapture.ContentSetTable, func(key string) ([]byte, bool, error) {
		switch key {
		case "O", "R":
			return nil, true, nil
		case "SI":
			text, err := f.sourcesText()
			return text, true, err
		}
		return nil, false, nil
	})
	if err != nil {
		return err
	}
	entries = append(entries, others...)
	f.m.set = f.Update.New()
	f.Update.Put(f.m.set, object.Dict{}.AppendWith(nil, entries...))
	f.restoration.changes.Sets = append(f.restoration.changes.Sets, f.m.set)
	f.m.is, f.m.members = &set{ref: f.m.set, id: f.m.id, members: list}, list
	for _, ref := range list {
		f.lists[ref] = append(f.lists[ref], f.m.is)
	}
	f.addKeys(&f.theirs)
	return nil
}

// fillSources fills the sources of a content set. Each one belongs to the source of the original with its URL.
func (f *filling) fillSources() error {
	if len(f.own.Sources) == 0 {
		return f.fillSI()
	}
	changes := make([][]object.Setting, len(f.own.Sources))
	if err := f.decideURL(changes); err != nil {
		return err
	}
	for i := range f.own.Sources {
		j := f.sourceOf(&f.own.Sources[i])
		if j < 0 {
			continue
		}
		own, theirs := &f.own.Sources[i], &f.theirs.Sources[j]
		list, err := f.fillSource(own, theirs)
		if err != nil {
			return err
		}
		changes[i] = append(changes[i], list...)
	}
	if !slices.ContainsFunc(changes, func(list []object.Setting) bool { return len(list) > 0 }) {
		return nil
	}
	text, err := f.changedSI(changes)
	f.changes = append(f.changes, object.Setting{Key: "SI", Value: text})
	return err
}

// fillSI copies all sources, if no key of the content set contradicts them.
func (f *filling) fillSI() error {
	keys := f.m.is.keys[webcapture.URLS]
	s := rule.Set{ContentSet: f.theirs}
	if len(keys) > 0 && !slices.ContainsFunc(keys, s.Accepts) {
		return nil
	}
	text, err := f.sourcesText()
	if err != nil || text == nil {
		return err
	}
	f.own.Sources = f.theirs.Sources
	f.set("SI", text, f.shown("SI", f.own.SI), "SI "+f.urlOf(&f.theirs.Sources[0]).Shorten(maxShown))
	return nil
}

// urlOf returns the destination of a source; empty if it has none.
func (f *filling) urlOf(si *webcapture.SourceInfo) nametree.Key {
	for role, url := range si.URLs() {
		if role == webcapture.Destination {
			return nametree.Key(url)
		}
	}
	return ""
}

// sourceOf returns the index of the original's source with the URL of a source of the file; -1 if there is none.
func (f *filling) sourceOf(si *webcapture.SourceInfo) int {
	url := f.urlOf(si)
	return slices.IndexFunc(f.theirs.Sources, func(theirs webcapture.SourceInfo) bool {
		return url != "" && isValidSource(&theirs) && f.canonical(f.urlOf(&theirs)) == f.canonical(url)
	})
}

// decideURL copies the URL of the original to a source whose URL is absent or broken, or that contradicts the keys of
// the content set. Its URL in the original must then be one of these keys. It does so only for a single such source, and
// not if another key is a valid URL that neither file knows: the set may have been retrieved again from there.
func (f *filling) decideURL(changes [][]object.Setting) error {
	keys, s := f.m.is.keys[webcapture.URLS], rule.Set{ContentSet: f.own}
	isWrong := func(k nametree.Key) bool { return !s.Accepts(k) }
	contradicts := slices.ContainsFunc(keys, isWrong)
	var open, fitting []int
	taken := map[int]bool{}
	for i := range f.own.Sources {
		if j := f.sourceOf(&f.own.Sources[i]); j >= 0 {
			taken[j] = true
			continue
		}
		one := rule.Set{ContentSet: webcapture.ContentSet{Sources: f.own.Sources[i : i+1]}}
		if !isValidSource(&f.own.Sources[i]) || contradicts && !slices.ContainsFunc(keys, one.Accepts) {
			open = append(open, i)
		}
	}
	for j := range f.theirs.Sources {
		one := rule.Set{ContentSet: webcapture.ContentSet{Sources: f.theirs.Sources[j : j+1]}}
		isOf := func(k nametree.Key) bool { return one.Accepts(k) }
		if !taken[j] && isValidSource(&f.theirs.Sources[j]) && (len(keys) == 0 || slices.ContainsFunc(keys, isOf)) {
			fitting = append(fitting, j)
		}
	}
	theirs := rule.Set{ContentSet: f.theirs}
	isOther := func(k nametree.Key) bool {
		return isWrong(k) && !theirs.Accepts(k) && isURL([]byte(k)) && f.canonical(k) == k
	}
	if len(open) != 1 || len(fitting) != 1 || slices.ContainsFunc(keys, isOther) {
		return nil
	}
	i, j := open[0], fitting[0]
	text, err := f.copied(f.theirs.Sources[j].Dict.Lookup("AU"), maxDepth)
	if err != nil {
		return err
	}
	was := f.shown("AU", f.own.Sources[i].Dict.Lookup("AU"))
	if url := f.urlOf(&f.own.Sources[i]); url != "" {
		was = "AU " + url.Shorten(maxShown)
	}
	f.replacement("", f.at, was, "AU "+f.urlOf(&f.theirs.Sources[j]).Shorten(maxShown))
	changes[i] = append(changes[i], object.Setting{Key: "AU", Value: text})
	f.own.Sources[i].AU, f.own.Sources[i].Alias = f.theirs.Sources[j].AU, f.theirs.Sources[j].Alias
	return nil
}

// fillSource returns the entries that a source of the file lacks.
func (f *filling) fillSource(own, theirs *webcapture.SourceInfo) (changes []object.Setting, err error) {
	refreshed, err := f.isRefreshed(own, theirs)
	if err == nil && !refreshed { // a later capture may have no such entry
		changes, err = f.filled("SI.", webcapture.SourceTable, []string{"TS", "E", "S", "C"}, theirs.Dict, own.Dict)
	}
	if err != nil {
		return nil, err
	}
	if own.Alias == nil || theirs.Alias == nil || isValidChains(own.Alias) || !isValidChains(theirs.Alias) ||
		own.Dict.Lookup("AU").IsNull() {
		return changes, nil
	}
	chains, err := f.copied(theirs.Alias.Dict.Lookup("C"), maxDepth)
	if err != nil {
		return nil, err
	}
	f.replacement("", f.at, f.shown("AU.C", own.Alias.C), f.shown("AU.C", theirs.Alias.C))
	alias := own.Alias.Dict.AppendWith(nil, object.Setting{Key: "C", Value: chains})
	return append(changes, object.Setting{Key: "AU", Value: alias}), nil
}

// isRefreshed reports whether the file's source has another valid date than the original's: it was retrieved again.
func (f *filling) isRefreshed(own, theirs *webcapture.SourceInfo) (bool, error) {
	is, err := dateOf(f.file, own.TS)
	if err != nil {
		return false, err
	}
	was, err := dateOf(f.original, theirs.TS)
	return !is.IsZero() && !was.IsZero() && !is.Equal(was), err
}

// changedSI returns SI of the file with changes of its sources, as text.
func (f *filling) changedSI(changes [][]object.Setting) ([]byte, error) {
	list, isArray := f.own.SI.Array()
	if !isArray {
		return f.own.Sources[0].Dict.AppendWith(nil, changes[0]...), nil
	}
	text, n := []byte{'['}, 0
	for e := range list.All() {
		o, err := f.file.Reader.Resolve(e)
		if object.IgnoreMalformed(err) != nil {
			return nil, err
		}
		if _, ok := o.Dict(); !ok || err != nil || n == len(changes) {
			text = append(e.Append(text), ' ')
			continue
		}
		if len(changes[n]) == 0 {
			text = e.Append(text)
		} else {
			text = f.own.Sources[n].Dict.AppendWith(text, changes[n]...)
		}
		text, n = append(text, ' '), n+1
	}
	return append(text, ']'), nil
}

// sourcesText returns the valid entries of the original's sources, as text; nil if there is none.
func (f *filling) sourcesText() ([]byte, error) {
	var text []byte
	for i := range f.theirs.Sources {
		si := &f.theirs.Sources[i]
		entries, err := f.copiedEntries(si.Dict, webcapture.SourceTable, func(key string) ([]byte, bool, error) {
			if key != "AU" || !isValidSource(si) {
				return nil, key == "AU", nil
			}
			text, err := f.copied(si.Dict.Lookup("AU"), maxDepth)
			return text, true, err
		})
		if err != nil {
			return nil, err
		}
		if len(entries) > 0 {
			text = append(object.Dict{}.AppendWith(text, entries...), ' ')
		}
	}
	if _, isArray := f.theirs.SI.Array(); isArray && text != nil {
		text = append(append([]byte{'['}, text...), ']')
	}
	return text, nil
}

// copiedEntries copies the entries of a dictionary of the original, except those that are invalid according to its
// table. own may provide the text of an entry instead; an entry without text is omitted.
func (f *filling) copiedEntries(
	d object.Dict, table []webcapture.Field, own func(key string) (text []byte, ok bool, err error),
) (entries []object.Setting, err error) {
	for k, v := range d.All() {
		key := string(k)
		text, ok, err := own(key)
		if err != nil {
			return nil, err
		}
		if field := fieldOf(table, key); !ok && field != nil {
			valid, err := isValid(f.original, field, v)
			if err != nil {
				return nil, err
			}
			ok = !valid || !f.mayHave(field)
		}
		if !ok {
			if text, err = f.copied(v, maxDepth); err != nil {
				return nil, err
			}
		}
		if text != nil {
			entries = append(entries, object.Setting{Key: key, Value: text})
		}
	}
	return entries, nil
}

// mayHave reports whether an entry is for content sets of this kind.
func (f *filling) mayHave(field *webcapture.Field) bool {
	return field.Only == webcapture.NoSubtype || field.Only == f.theirs.Subtype
}
