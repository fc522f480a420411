package audit

import (
	"slices"
	"sync"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// tree runs the checks of a tree as a whole.
func (r *run) tree(t *Tree) error {
	err := r.each(1, func(w *worker, _, _ int) error {
		for _, w.rule = range r.rules.tree {
			if err := r.file.Err(); err != nil {
				return err // trees are large, and their rules have no budget to ask
			}
			w.rule.CheckTree(&w.Pass, t)
		}
		w.found.unread = append(w.found.unread, w.found.undecoded.takeAll(UnreadIn(t.Tree))...)
		return nil
	})
	r.spent.Store(0) // the tree has caps of its own, and what heeds the budget leaves out no finding
	r.keep()
	if err == errBudget {
		return nil
	}
	return err
}

// keys runs the checks of entries by themselves. An entry that does not refer
// to its value, as nearly all do, is unresolved, and so is one that refers to what no
// file can have.
func (r *run) keys(t *Tree) error {
	return r.each(t.Len(), func(w *worker, from, to int) error {
		for i := from; i < to; i++ {
			if !w.Spend(0) {
				return errBudget
			}
			if r.leftOut(t.Value(i)) {
				continue
			}
			w.entry = newEntry(t, i)
			if t.Name == webcapture.URLS {
				for _, w.rule = range r.rules.url {
					w.rule.CheckURL(&w.Pass, &w.entry)
				}
			}
			if ref, ok := w.entry.Value.Ref(); !ok || ref.Num > object.MaxNumber {
				w.unresolved.entries[t.Name] = append(w.unresolved.entries[t.Name], i)
			}
		}
		return nil
	})
}

// leftOut reports whether a value, and the entries that have it, are not to be
// looked at.
func (r *run) leftOut(value object.Object) bool {
	ref, ok := value.Ref()
	return ok && r.opt.Only != nil && !r.opt.Only.Has(ref)
}

// values visits every object that a value refers to, once, in the order of the file.
func (r *run) values() error {
	targets := make([]object.Ref, 0, r.links.objects())
	for _, t := range r.trees {
		if t == nil {
			continue
		}
		for i := range t.Len() {
			value := t.Value(i)
			ref, ok := value.Ref()
			if ok && ref.Num <= object.MaxNumber && !r.leftOut(value) && r.visited.Add(ref) {
				targets = append(targets, ref)
			}
		}
	}
	r.file.SortByPosition(targets)
	return r.each(len(targets), func(w *worker, from, to int) error {
		for _, ref := range targets[from:to] {
			if !w.Spend(0) {
				return errBudget
			}
			if err := w.visit(ref); err != nil {
				return err
			}
		}
		return nil
	})
}

// visit is the first phase for one object.
func (w *worker) visit(ref object.Ref) error {
	r := w.run
	w.urls, w.ids = r.links.of(ref, w.urls[:0], w.ids[:0])
	s := &w.set
	s.Reuse(ref)
	if err := w.Reader.Read(object.MakeRef(ref), &s.ContentSet); err != nil {
		r.lost.Store(true)
		return w.couldNotRead(s.At(), err)
	}
	var consistent [webcapture.TreeCount]bool
	if s.Recognized() {
		w.bySelf(s)
		if !r.opt.AllUnresolved {
			consistent = [...]bool{webcapture.URLS: w.consistentURL(s), webcapture.IDS: w.consistentID(s)}
		}
		if consistent[webcapture.URLS] && consistent[webcapture.IDS] {
			return nil
		}
		w.unresolved.sets = append(w.unresolved.sets, ref)
	}
	if !consistent[webcapture.URLS] {
		w.unresolved.entries[webcapture.URLS] = append(w.unresolved.entries[webcapture.URLS], w.urls...)
	}
	if !consistent[webcapture.IDS] {
		w.unresolved.entries[webcapture.IDS] = append(w.unresolved.entries[webcapture.IDS], w.ids...)
	}
	return nil
}

// bySelf counts a set and runs the checks of sets by themselves.
func (w *worker) bySelf(s *Set) {
	w.run.sets[s.Subtype].Add(1)
	w.collectMembers(s)
	w.noteIdentity(s)
	for _, w.rule = range w.run.rules.set {
		w.rule.CheckSet(&w.Pass, s)
	}
}

// consistentURL reports whether a set and its entry in URLS agree to the letter, in
// the way of all real files: there is one entry, and its key is the canonical
// form of the set's one URL. No check of values has anything to say of that
// entry then, nor a check of links of that URL.
func (w *worker) consistentURL(s *Set) bool {
	t := w.run.trees[webcapture.URLS]
	if t == nil {
		return true
	}
	if len(w.urls) != 1 || len(s.Sources) != 1 || !s.Sources[0].AU.OK() {
		return false
	}
	w.canon = canon.PDF.Append(w.canon[:0], s.Sources[0].AU.Bytes)
	return string(t.Entry(w.urls[0]).Key) == string(w.canon)
}

// consistentID is consistentURL for IDS, where the key is the set's identifier.
func (w *worker) consistentID(s *Set) bool {
	if _, ok := s.Identifier(); !ok {
		return false
	}
	t := w.run.trees[webcapture.IDS]
	return t == nil || len(w.ids) == 1 && string(t.Entry(w.ids[0]).Key) == string(s.ID.Bytes) && w.run.alone(t, w.ids[0])
}

// alone reports whether no other entry of IDS has the key of entry i.
func (r *run) alone(t *Tree, i int) bool {
	if r.repeated {
		for k := range t.All(t.Entry(i).Key) {
			if k != i {
				return false
			}
		}
	}
	return true
}

// unresolvedEntries is the second phase: the entries whose sets did not agree with
// them at once, each with all sets of its value.
func (r *run) unresolvedEntries() error {
	for _, t := range r.trees {
		if t == nil {
			continue
		}
		list := r.inFileOrder(t, r.unresolved.entries[t.Name])
		var adding sync.Mutex // to the link table, which nobody reads in this phase
		err := r.each(len(list), func(w *worker, from, to int) error {
			w.last = shared{}
			for k := from; k < to; k++ {
				if !w.Spend(0) {
					return errBudget
				}
				refs, err := w.value(t, list[k])
				if err != nil {
					return err
				}
				adding.Lock()
				for _, ref := range refs {
					r.links.add(ref, t.Tree, list[k])
				}
				adding.Unlock()
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// value is the second phase for one entry. It returns the references that stand
// in an array value; the caller does not change them.
func (w *worker) value(t *Tree, i int) (refs []object.Ref, err error) {
	v := Value{Entry: newEntry(t, i)}
	in := &w.last
	if ref, ok := v.Value.Ref(); !ok || ref != in.ref {
		*in = shared{ref: ref}
		if err := w.readValue(&v, in); err != nil {
			return nil, err
		}
	}
	if in.err != nil {
		w.couldNotRead(v.At(), in.err)
		return nil, nil
	}
	v.Resolved, v.Elements, v.Sets = in.resolved, in.elements, in.sets
	in.place(&v)
	for _, u := range in.unread {
		at := v.At()
		at.Set = u.Ref
		w.NoteUnread(Unread{Place: at, Err: u.Err})
	}
	work := int64(urlCost+len(v.Key)*8) * int64(v.Elements)
	if !w.Spend(work) {
		return nil, errBudget
	}
	for _, w.rule = range w.run.rules.value {
		w.rule.CheckValue(&w.Pass, &v)
	}
	for _, s := range v.Sets {
		switch {
		case !s.Recognized():
		case s.Ref.Num != 0:
			w.unresolved.sets = append(w.unresolved.sets, s.Ref)
		default:
			w.bySelf(s)
			w.withLinks(s, v.Entry)
		}
	}
	return in.refs, nil
}

// A shared is what a value holds, for all entries that have it: they come one
// after the other, since they are in the order of the file.
type shared struct {
	ref      object.Ref // the value; Num 0 if it stands in its entry
	err      error      // why it could not be read
	resolved object.Object
	elements int
	sets     []*Set
	refs     []object.Ref // in an array
	unread   []Unread     // elements, by their Ref
}

// readValue reads the value of an entry.
func (w *worker) readValue(v *Value, in *shared) error {
	var err error
	if in.resolved, err = w.Reader.Resolve(v.Value); err != nil {
		in.err = err
		w.run.lost.Store(true)
		return object.IgnoreMalformed(err)
	}
	list, isArray := in.resolved.Array()
	if !isArray {
		in.elements = 1
		return w.addSet(in, v.Value)
	}
	for e := range list.All() {
		if !w.Spend(elementCost) {
			return errBudget
		}
		if in.elements++; in.elements > w.run.records {
			*in = shared{ref: in.ref, err: webcapture.ErrArray}
			w.run.lost.Store(true)
			return nil
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
func (w *worker) addSet(in *shared, o object.Object) error {
	s := new(Set)
	s.Ref, _ = o.Ref()
	if err := w.Reader.Read(o, &s.ContentSet); err != nil {
		in.unread = append(in.unread, Unread{Ref: s.Ref, Err: err})
		w.run.lost.Store(true)
		return object.IgnoreMalformed(err)
	}
	in.sets = append(in.sets, s)
	if !w.Spend(s.urlWork()) {
		return errBudget
	}
	return nil
}

// place gives the sets that have no number the place of the entry.
func (in *shared) place(v *Value) {
	at := v.At()
	for _, s := range in.sets {
		if s.Ref.Num == 0 {
			s.place = at
		}
	}
}

// withLinks runs the checks of links for a set that stands in an entry itself,
// where no other entry can refer to it.
func (w *worker) withLinks(s *Set, e Entry) {
	l := Links{Set: s}
	if e.Tree.Name == webcapture.URLS {
		l.URLS = []Entry{e}
	} else {
		l.IDS = []Entry{e}
	}
	w.checkLinks(&l)
}

func (w *worker) checkLinks(l *Links) {
	for _, w.rule = range w.run.rules.links {
		w.rule.CheckLinks(&w.Pass, l)
	}
}

// unresolvedSets is the third phase: the sets that did not agree with their entries
// at once, each with all entries that lead to it.
func (r *run) unresolvedSets() error {
	targets := r.unresolved.sets
	r.file.SortByPosition(targets)
	targets = slices.Compact(targets)
	return r.each(len(targets), func(w *worker, from, to int) error {
		for _, ref := range targets[from:to] {
			if !w.Spend(0) {
				return errBudget
			}
			if err := w.linked(ref); err != nil {
				return err
			}
		}
		return nil
	})
}

// linked is the third phase for one set.
func (w *worker) linked(ref object.Ref) error {
	s := &w.set
	s.Reuse(ref)
	if err := w.Reader.Read(object.MakeRef(ref), &s.ContentSet); err != nil {
		return w.couldNotRead(s.At(), err)
	}
	if !w.run.visited.Has(ref) {
		w.bySelf(s)
	}
	l := Links{Set: s}
	w.urls, w.ids = w.run.links.of(ref, w.urls[:0], w.ids[:0])
	if !w.Spend(3*s.urlWork() + elementCost*int64(len(w.urls)+len(w.ids))) {
		return errBudget
	}
	l.URLS, l.IDS = make([]Entry, 0, len(w.urls)), make([]Entry, 0, len(w.ids))
	for _, i := range w.urls {
		l.URLS = append(l.URLS, newEntry(w.run.trees[webcapture.URLS], i))
		w.Spend(urlCost + 8*int64(len(l.URLS[len(l.URLS)-1].Key)))
	}
	for _, i := range w.ids {
		l.IDS = append(l.IDS, newEntry(w.run.trees[webcapture.IDS], i))
	}
	w.checkLinks(&l)
	return nil
}
