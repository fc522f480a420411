package rewrite

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// sources makes the source URLs in content sets canonical (ISO 32000-2:2020, 14.10.5). It writes new strings, because
// other objects that need the original URL may share the old ones, such as a command.
func (p *planner) sources() error {
	refs, err := p.allSets()
	if err != nil {
		return err
	}
	w := sourceWriter{p: p, done: map[object.Ref]bool{}}
	for _, ref := range refs {
		if e := p.sets[ref]; e != nil && e.si != nil || p.without[change{action: rule.ChangeSource, set: ref}] != "" {
			continue
		}
		o, err := p.reader.Get(ref)
		if object.IgnoreMalformed(err) != nil {
			return err
		}
		d, _ := o.Dict()
		if s := d.Lookup("S"); !s.IsName("SPS") && !s.IsName("SIS") {
			continue
		}
		w.set, w.changed = ref, false
		text, err := w.list(d.Lookup("SI"))
		if err != nil {
			return err
		}
		if w.changed {
			p.set(ref).si = text
		}
	}
	return nil
}

// changeSource changes one URL of a content set. It copies SI first, because other content sets may share its objects.
func (p *planner) changeSource(fix *rule.Fix) error {
	o, err := p.reader.Get(fix.Set)
	if err != nil {
		return object.IgnoreMalformed(err)
	}
	d, _ := o.Dict()
	w := sourceWriter{p: p, done: map[object.Ref]bool{}, set: fix.Set, fix: fix}
	text, err := w.list(d.Lookup("SI"))
	if err == nil && w.changed {
		p.set(fix.Set).si = text
	}
	return err
}

// allSets returns the indirect content sets of the entries with an indirect value, in the file order of these
// values.
func (v *view) allSets() ([]object.Ref, error) {
	seen := map[object.Ref]bool{}
	var refs []object.Ref
	for _, t := range v.db.Trees() {
		for _, e := range t.Entries() {
			if ref, ok := e.Value.Ref(); ok && !seen[ref] {
				seen[ref] = true
				refs = append(refs, ref)
			}
		}
	}
	v.file.SortByPosition(refs)
	values := refs
	refs = nil
	clear(seen)
	for _, value := range values {
		list, err := v.elements(object.MakeRef(value))
		if object.IgnoreMalformed(err) != nil {
			return nil, err
		}
		for _, o := range list {
			if ref, ok := o.Ref(); ok && !seen[ref] {
				seen[ref] = true
				refs = append(refs, ref)
			}
		}
	}
	return refs, nil
}

// sourceWriter writes SI of content sets with canonical URLs. Indirect dictionaries and arrays stay indirect. Each is
// written once, for all references to it.
type sourceWriter struct {
	p       *planner
	set     object.Ref // content set whose SI is being written
	changed bool       // the object being written differs from the old one
	done    map[object.Ref]bool
	fix     *rule.Fix // if not nil, change only its URL, in a copy of SI; otherwise make all URLs canonical
}

// list writes SI: a source information dictionary, or an array of them.
func (w *sourceWriter) list(si object.Object) ([]byte, error) {
	r, err := w.p.reader.Resolve(si)
	if err != nil {
		return si.Append(nil), object.IgnoreMalformed(err)
	}
	if _, isArray := r.Array(); isArray {
		return w.nested(si, w.source)
	}
	return w.source(si)
}

// array writes an array by calling each for its elements.
func (w *sourceWriter) array(list object.List, each func(object.Object) ([]byte, error)) ([]byte, error) {
	text := []byte{'['}
	for o := range list.All() {
		e, err := each(o)
		if err != nil {
			return nil, err
		}
		text = append(append(text, e...), ' ')
	}
	return append(text, ']'), nil
}

// source writes a source information dictionary.
func (w *sourceWriter) source(o object.Object) ([]byte, error) {
	return w.entries(o, entryWriter{"AU", w.url})
}

// url writes AU: a string, or a URL alias dictionary.
func (w *sourceWriter) url(o object.Object) ([]byte, error) {
	r, err := w.p.reader.Resolve(o)
	if object.IgnoreMalformed(err) != nil {
		return nil, err
	}
	if _, isAlias := r.Dict(); isAlias {
		return w.entries(o, entryWriter{"U", w.text}, entryWriter{"C", w.chains})
	}
	return w.text(o)
}

// chains writes C of a URL alias dictionary: an array of arrays of strings.
func (w *sourceWriter) chains(o object.Object) ([]byte, error) {
	return w.nested(o, func(o object.Object) ([]byte, error) { return w.nested(o, w.text) })
}

func (w *sourceWriter) nested(o object.Object, each func(object.Object) ([]byte, error)) ([]byte, error) {
	r, err := w.p.reader.Resolve(o)
	if object.IgnoreMalformed(err) != nil {
		return nil, err
	}
	list, _ := r.Array()
	return w.unless(o, func() ([]byte, error) { return w.array(list, each) })
}

// entryWriter writes one entry of a dictionary.
type entryWriter struct {
	key   string
	write func(object.Object) ([]byte, error)
}

// entries writes a dictionary with some entries rewritten.
func (w *sourceWriter) entries(o object.Object, by ...entryWriter) ([]byte, error) {
	r, err := w.p.reader.Resolve(o)
	if object.IgnoreMalformed(err) != nil {
		return nil, err
	}
	d, _ := r.Dict()
	return w.unless(o, func() ([]byte, error) {
		var changes []object.Setting
		for _, e := range by {
			v := d.Lookup(e.key)
			if v.IsNull() {
				continue
			}
			text, err := e.write(v)
			if err != nil {
				return nil, err
			}
			changes = append(changes, object.Setting{Key: e.key, Value: text})
		}
		return d.AppendWith(nil, changes...), nil
	})
}

// unless returns the result of write for o, or o itself if write changes nothing. A reference stays, and its object is
// rewritten; but if fix is set, the reference is replaced with a changed copy.
func (w *sourceWriter) unless(o object.Object, write func() ([]byte, error)) ([]byte, error) {
	ref, own := o.Ref()
	own = own && w.fix == nil
	if own && w.done[ref] {
		return o.Append(nil), nil
	}
	w.done[ref] = own
	before := w.changed
	w.changed = false
	text, err := write()
	if err == nil && w.changed && own {
		w.p.objects = append(w.p.objects, objectEdit{ref, slices.Clone(text)})
	}
	if !w.changed || own {
		text = o.Append(nil)
	}
	w.changed = before || w.changed && !own
	return text, err
}

// text writes a URL.
func (w *sourceWriter) text(o object.Object) ([]byte, error) {
	s, err := w.p.reader.String(o)
	if err != nil || !s.OK() || len(s.Bytes) == 0 {
		return o.Append(nil), object.IgnoreMalformed(err)
	}
	url := nametree.Key(s.Bytes)
	if w.fix != nil {
		if url != w.fix.Old {
			return o.Append(nil), nil
		}
		w.changed = true
		return object.AppendString(nil, []byte(w.fix.New)), nil
	}
	plain, _ := rule.PlainURL(s.Bytes)
	form := w.p.canonical(nametree.Key(plain))
	if form == url {
		return o.Append(nil), nil
	}
	w.changed = true
	w.p.add(Step{
		Action: rule.ChangeSource, Place: &rule.Place{Set: w.set}, Old: url.String(), New: form.String(),
		Reason: "the URL of the source is not canonical",
	})
	return object.AppendString(nil, []byte(form)), nil
}
