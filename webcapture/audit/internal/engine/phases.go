package engine

import (
	"slices"
	"sync"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// trees runs the checks of whole trees.
func (r *Runner) trees() error {
	for _, t := range r.Trees {
		if t == nil {
			continue
		}
		err := r.once(func(w *Worker) error {
			for _, w.Rule = range r.rules.tree {
				if err := r.File.Err(); err != nil {
					return err // rules about trees do not check for a canceled audit
				}
				w.Rule.CheckTree(&w.Pass, t)
			}
			w.Found.Unread = append(w.Found.Unread, rule.UnreadIn(t.Tree)...)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// keys runs the checks of entries alone.
func (r *Runner) keys() error {
	t := r.Trees[webcapture.URLS]
	if t == nil {
		return nil
	}
	return r.each(t.Len(), func(w *Worker, i int) error {
		w.entry = rule.NewEntry(t, i)
		for _, w.Rule = range r.rules.url {
			w.Rule.CheckURL(&w.Pass, &w.entry)
		}
		return nil
	})
}

// contentSets visits each object to which a value refers once, in file order. It defers entries with a direct value, or
// with an object number that no file can have. Such entries are rare.
func (r *Runner) contentSets() error {
	targets := make([]object.Ref, 0, r.links.objects())
	for _, t := range r.Trees {
		if t == nil {
			continue
		}
		for i := range t.Len() {
			value := t.Entry(i).Value
			switch ref, ok := value.Ref(); {
			case !ok || ref.Num > object.MaxNumber:
				r.entries[t.Name] = append(r.entries[t.Name], i)
			case r.visited.Add(ref):
				targets = append(targets, ref)
			}
		}
	}
	return r.eachObject(targets, (*Worker).visit)
}

// visit checks a content set alone. It defers the content set and its entries if they are not known to be consistent.
func (w *Worker) visit(ref object.Ref) error {
	r := w.Run
	w.urls, w.ids = r.links.Of(ref, w.urls[:0], w.ids[:0])
	s := &w.set
	s.Reuse(ref)
	if err := w.Reader.Read(object.MakeRef(ref), &s.ContentSet); err != nil {
		r.Lost.Store(true)
		return w.CouldNotRead(s.At(), err)
	}
	isURL, isID := false, false
	if s.Recognized() {
		w.bySelf(s)
		isURL = !r.opt.AllDeferred && w.consistentURL(s)
		isID = !r.opt.AllDeferred && w.consistentID(s)
		if isURL && isID {
			return nil
		}
		w.sets = append(w.sets, ref)
	}
	if !isURL {
		w.entries[webcapture.URLS] = append(w.entries[webcapture.URLS], w.urls...)
	}
	if !isID {
		w.entries[webcapture.IDS] = append(w.entries[webcapture.IDS], w.ids...)
	}
	return nil
}

// bySelf counts a content set and runs the checks of content sets alone.
func (w *Worker) bySelf(s *rule.Set) {
	w.Found.Sets[s.Subtype]++
	w.collectMembers(s)
	w.noteIdentity(s)
	for _, w.Rule = range w.Run.rules.set {
		w.Rule.CheckSet(&w.Pass, s)
	}
}

// consistentURL reports whether a content set and its entry in URLS are consistent: the content set has one entry, and
// the key is the canonical form of its only URL. Nearly all content sets are. Checks of values and of links have no
// findings for them.
func (w *Worker) consistentURL(s *rule.Set) bool {
	if len(w.urls) != 1 || len(s.Sources) != 1 || !s.Sources[0].AU.OK() {
		return false
	}
	w.canon = canon.PDF.Append(w.canon[:0], s.Sources[0].AU.Bytes)
	return string(w.Run.Trees[webcapture.URLS].Entry(w.urls[0]).Key) == string(w.canon)
}

// consistentID is like consistentURL for IDS, where the key is the ID of the content set.
func (w *Worker) consistentID(s *rule.Set) bool {
	if _, ok := s.Identifier(); !ok {
		return false
	}
	t := w.Run.Trees[webcapture.IDS]
	return t == nil || len(w.ids) == 1 && string(t.Entry(w.ids[0]).Key) == string(s.ID.Bytes) && w.Run.alone(t, w.ids[0])
}

// alone reports whether entry i is the only one in IDS with its key.
func (r *Runner) alone(t *rule.Tree, i int) bool {
	if r.repeated {
		for k := range t.All(t.Entry(i).Key) {
			if k != i {
				return false
			}
		}
	}
	return true
}

// deferred checks the deferred entries, each with all content sets in its value. Then it checks the deferred content
// sets, each with all its entries.
func (r *Runner) deferred() error {
	r.Deferred = r.entries
	var adding sync.Mutex // guards the link table, which checks of entries do not read
	for _, t := range r.Trees {
		if t == nil {
			continue
		}
		list := r.inFileOrder(t, r.entries[t.Name])
		err := r.each(len(list), func(w *Worker, k int) error {
			refs, err := w.value(t, list[k])
			adding.Lock()
			defer adding.Unlock()
			for _, ref := range refs {
				r.links.Add(ref, t.Tree, list[k])
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return r.eachObject(r.sets, func(w *Worker, ref object.Ref) error {
		s := &w.set
		s.Reuse(ref)
		if err := w.Reader.Read(object.MakeRef(ref), &s.ContentSet); err != nil {
			return w.CouldNotRead(s.At(), err)
		}
		if !r.visited.Has(ref) {
			w.bySelf(s)
		}
		w.urls, w.ids = r.links.Of(ref, w.urls[:0], w.ids[:0])
		return w.withEntries(s)
	})
}

// inFileOrder returns the given entries of t, each once, in the file order of their values.
func (r *Runner) inFileOrder(t *rule.Tree, entries []int) []int {
	order := r.File.OrderByPosition(len(entries), func(k int) object.Ref {
		ref, _ := t.Entry(entries[k]).Value.Ref()
		return ref
	})
	for k, i := range order {
		order[k] = entries[i]
	}
	return slices.Compact(order)
}

// value checks an entry with the content sets in its value. It returns the references in an array value, which the
// caller must not change.
func (w *Worker) value(t *rule.Tree, i int) ([]object.Ref, error) {
	v := rule.Value{Entry: rule.NewEntry(t, i)}
	in := &w.last
	if ref, _ := v.Value.Ref(); ref.Num == 0 || ref != in.ref {
		*in = sharedValue{ref: ref}
		if err := w.readValue(&v, in); err != nil {
			return nil, err
		}
	}
	at := v.At()
	if in.err != nil {
		return nil, w.CouldNotRead(at, in.err)
	}
	v.Resolved, v.Elements, v.Sets = in.resolved, in.elements, in.sets
	for _, u := range in.unread {
		u.Place, u.Place.Set = at, u.Ref
		w.NoteUnread(rule.Unread{Place: u.Place, Err: u.Err})
	}
	if err := w.step(rule.KeyWork(v.Key) * int64(v.Elements)); err != nil {
		return nil, err
	}
	for _, s := range v.Sets {
		if s.Ref.Num == 0 {
			s.Place = at
		}
	}
	for _, w.Rule = range w.Run.rules.value {
		w.Rule.CheckValue(&w.Pass, &v)
	}
	for _, s := range v.Sets {
		switch {
		case !s.Recognized():
		case s.Ref.Num != 0:
			w.sets = append(w.sets, s.Ref)
		default: // only this entry has it
			w.bySelf(s)
			w.urls, w.ids = w.urls[:0], w.ids[:0]
			if t.Name == webcapture.URLS {
				w.urls = append(w.urls, i)
			} else {
				w.ids = append(w.ids, i)
			}
			if err := w.withEntries(s); err != nil {
				return nil, err
			}
		}
	}
	return in.refs, nil
}

// sharedValue holds the content sets of a value, for all entries with that value. Entries are visited in file order of
// values, so entries with one value are adjacent.
type sharedValue struct {
	ref      object.Ref // the value; Num 0 for a direct one
	err      error      // why the value is unreadable
	resolved object.Object
	elements int
	sets     []*rule.Set
	refs     []object.Ref  // references in an array value
	unread   []rule.Unread // unreadable elements, with their Ref
}

// Arrays of few sets are released soon, so their memory does not count. A larger one counts as if it were kept.
const (
	fewSets = 64
	setSize = 1024 // memory of a set, in bytes
)

// readValue reads the value of an entry.
func (w *Worker) readValue(v *rule.Value, in *sharedValue) error {
	var err error
	if in.resolved, err = w.Reader.Resolve(v.Value); err != nil {
		in.err = err
		w.Run.Lost.Store(true)
		return object.IgnoreMalformed(err)
	}
	list, isArray := in.resolved.Array()
	if !isArray {
		in.elements = 1
		return w.addSet(in, v.Value)
	}
	for e := range list.All() {
		if err := w.step(meter.Object); err != nil {
			return err
		}
		if in.elements++; in.elements > fewSets {
			if err := w.Reader.Keep(setSize); err != nil {
				return err
			}
		}
		if ref, ok := e.Ref(); ok {
			in.refs = append(in.refs, ref)
		}
		if err := w.addSet(in, e); err != nil {
			return err
		}
	}
	return nil
}

// addSet reads an element of a value.
func (w *Worker) addSet(in *sharedValue, o object.Object) error {
	s := new(rule.Set)
	s.Ref, _ = o.Ref()
	if err := w.Reader.Read(o, &s.ContentSet); err != nil {
		in.unread = append(in.unread, rule.Unread{Ref: s.Ref, Err: err})
		w.Run.Lost.Store(true)
		return object.IgnoreMalformed(err)
	}
	in.sets = append(in.sets, s)
	return w.step(s.URLWork())
}

// withEntries checks a content set with the entries w.urls and w.ids, which lead to it.
func (w *Worker) withEntries(s *rule.Set) error {
	if err := w.step(3*s.URLWork() + meter.Object*int64(len(w.urls)+len(w.ids))); err != nil {
		return err
	}
	l := rule.Links{Set: s, URLS: make([]rule.Entry, 0, len(w.urls)), IDS: make([]rule.Entry, 0, len(w.ids))}
	for _, i := range w.urls {
		e := rule.NewEntry(w.Run.Trees[webcapture.URLS], i)
		l.URLS = append(l.URLS, e)
		w.Spend(rule.KeyWork(e.Key))
	}
	for _, i := range w.ids {
		l.IDS = append(l.IDS, rule.NewEntry(w.Run.Trees[webcapture.IDS], i))
	}
	for _, w.Rule = range w.Run.rules.links {
		w.Rule.CheckLinks(&w.Pass, &l)
	}
	return nil
}
