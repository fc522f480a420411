package engine

import (
	"slices"
	"sync"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// tree runs the checks of a whole tree.
func (r *Runner) tree(t *rule.Tree) error {
	err := r.each(1, func(w *Worker, _, _ int) error {
		for _, w.Rule = range r.rules.tree {
			if err := r.File.Err(); err != nil {
				return err // rules about trees do not check for a canceled audit
			}
			w.Rule.CheckTree(&w.Pass, t)
		}
		w.Found.unread = append(w.Found.unread, w.Found.undecoded.TakeAll(rule.UnreadIn(t.Tree))...)
		return nil
	})
	r.Spent.Store(0) // the reader of trees has its own limits; no finding is dropped here
	r.keep()
	if err == ErrBudget {
		return nil
	}
	return err
}

// keys runs the checks of entries alone. If a value is direct, or refers to an object number that no file can have, its
// entry is recorded as unresolved. Such entries are rare.
func (r *Runner) keys(t *rule.Tree) error {
	return r.each(t.Len(), func(w *Worker, from, to int) error {
		for i := from; i < to; i++ {
			if !w.Spend(0) {
				return ErrBudget
			}
			w.entry = rule.NewEntry(t, i)
			if t.Name == webcapture.URLS {
				for _, w.Rule = range r.rules.url {
					w.Rule.CheckURL(&w.Pass, &w.entry)
				}
			}
			if ref, ok := w.entry.Value.Ref(); !ok || ref.Num > object.MaxNumber {
				w.unresolved.Entries[t.Name] = append(w.unresolved.Entries[t.Name], i)
			}
		}
		return nil
	})
}

// values visits each object to which a value refers once, in file order.
func (r *Runner) values() error {
	targets := make([]object.Ref, 0, r.links.objects())
	for _, t := range r.Trees {
		if t == nil {
			continue
		}
		for i := range t.Len() {
			value := t.Value(i)
			ref, ok := value.Ref()
			if ok && ref.Num <= object.MaxNumber && r.visited.Add(ref) {
				targets = append(targets, ref)
			}
		}
	}
	r.File.SortByPosition(targets)
	return r.each(len(targets), func(w *Worker, from, to int) error {
		for _, ref := range targets[from:to] {
			if !w.Spend(0) {
				return ErrBudget
			}
			if err := w.visit(ref); err != nil {
				return err
			}
		}
		return nil
	})
}

// visit runs the first phase for one object.
func (w *Worker) visit(ref object.Ref) error {
	r := w.Run
	w.urls, w.ids = r.links.Of(ref, w.urls[:0], w.ids[:0])
	s := &w.set
	s.Reuse(ref)
	if err := w.Reader.Read(object.MakeRef(ref), &s.ContentSet); err != nil {
		r.Lost.Store(true)
		return w.CouldNotRead(s.At(), err)
	}
	var consistent [webcapture.TreeCount]bool
	if s.Recognized() {
		w.bySelf(s)
		consistent = [...]bool{webcapture.URLS: w.consistentURL(s), webcapture.IDS: w.consistentID(s)}
		switch isConsistent := consistent[webcapture.URLS] && consistent[webcapture.IDS]; {
		case !isConsistent:
			w.unresolved.Inconsistent = append(w.unresolved.Inconsistent, ref)
		case !r.opt.AllUnresolved:
			return nil
		}
		if r.opt.AllUnresolved {
			consistent = [webcapture.TreeCount]bool{}
		}
		w.unresolved.Sets = append(w.unresolved.Sets, ref)
	}
	if !consistent[webcapture.URLS] {
		w.unresolved.Entries[webcapture.URLS] = append(w.unresolved.Entries[webcapture.URLS], w.urls...)
	}
	if !consistent[webcapture.IDS] {
		w.unresolved.Entries[webcapture.IDS] = append(w.unresolved.Entries[webcapture.IDS], w.ids...)
	}
	return nil
}

// bySelf counts a content set and runs the checks of content sets alone.
func (w *Worker) bySelf(s *rule.Set) {
	w.Run.sets[s.Subtype].Add(1)
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

// unresolvedEntries is the second phase: it checks the entries that are not known to be consistent, each with all
// content sets in its value.
func (r *Runner) unresolvedEntries() error {
	for _, t := range r.Trees {
		if t == nil {
			continue
		}
		list := r.InFileOrder(t, r.Unresolved.Entries[t.Name])
		var adding sync.Mutex // guards the link table, which this phase does not read
		err := r.each(len(list), func(w *Worker, from, to int) error {
			w.last = sharedValue{}
			for k := from; k < to; k++ {
				if !w.Spend(0) {
					return ErrBudget
				}
				refs, err := w.value(t, list[k])
				if err != nil {
					return err
				}
				adding.Lock()
				for _, ref := range refs {
					r.links.Add(ref, t.Tree, list[k])
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

// value runs the second phase for one entry. It returns the references in an array value, which the caller must not
// change.
func (w *Worker) value(t *rule.Tree, i int) (refs []object.Ref, err error) {
	v := rule.Value{Entry: rule.NewEntry(t, i)}
	in := &w.last
	if ref, _ := v.Value.Ref(); ref.Num == 0 || ref != in.ref {
		*in = sharedValue{ref: ref}
		if err := w.readValue(&v, in); err != nil {
			return nil, err
		}
	}
	if in.err != nil {
		w.CouldNotRead(v.At(), in.err)
		return nil, nil
	}
	v.Resolved, v.Elements, v.Sets = in.resolved, in.elements, in.sets
	in.place(&v)
	for _, u := range in.unread {
		at := v.At()
		at.Set = u.Ref
		w.NoteUnread(rule.Unread{Place: at, Err: u.Err})
	}
	work := int64(rule.URLCost+len(v.Key)*8) * int64(v.Elements)
	if !w.Spend(work) {
		return nil, ErrBudget
	}
	for _, w.Rule = range w.Run.rules.value {
		w.Rule.CheckValue(&w.Pass, &v)
	}
	for _, s := range v.Sets {
		switch {
		case !s.Recognized():
		case s.Ref.Num != 0:
			w.unresolved.Sets = append(w.unresolved.Sets, s.Ref)
		default:
			w.bySelf(s)
			w.withLinks(s, v.Entry)
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
		if !w.Spend(rule.ElementCost) {
			return ErrBudget
		}
		if in.elements++; in.elements > w.Run.records {
			*in = sharedValue{ref: in.ref, err: webcapture.ErrArray}
			w.Run.Lost.Store(true)
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
func (w *Worker) addSet(in *sharedValue, o object.Object) error {
	s := new(rule.Set)
	s.Ref, _ = o.Ref()
	if err := w.Reader.Read(o, &s.ContentSet); err != nil {
		in.unread = append(in.unread, rule.Unread{Ref: s.Ref, Err: err})
		w.Run.Lost.Store(true)
		return object.IgnoreMalformed(err)
	}
	in.sets = append(in.sets, s)
	if !w.Spend(s.URLWork()) {
		return ErrBudget
	}
	return nil
}

// place sets the place of direct content sets to that of the entry.
func (in *sharedValue) place(v *rule.Value) {
	at := v.At()
	for _, s := range in.sets {
		if s.Ref.Num == 0 {
			s.Place = at
		}
	}
}

// withLinks runs the checks of links for a direct content set in the value of e. It does not look for other entries
// with the same array.
func (w *Worker) withLinks(s *rule.Set, e rule.Entry) {
	l := rule.Links{Set: s}
	if e.Tree.Name == webcapture.URLS {
		l.URLS = []rule.Entry{e}
	} else {
		l.IDS = []rule.Entry{e}
	}
	w.checkLinks(&l)
}

func (w *Worker) checkLinks(l *rule.Links) {
	for _, w.Rule = range w.Run.rules.links {
		w.Rule.CheckLinks(&w.Pass, l)
	}
}

// unresolvedSets is the third phase: it checks the content sets that are not known to be consistent, each with all its
// entries.
func (r *Runner) unresolvedSets() error {
	targets := r.Unresolved.Sets
	r.File.SortByPosition(targets)
	targets = slices.Compact(targets)
	return r.each(len(targets), func(w *Worker, from, to int) error {
		for _, ref := range targets[from:to] {
			if !w.Spend(0) {
				return ErrBudget
			}
			if err := w.linked(ref); err != nil {
				return err
			}
		}
		return nil
	})
}

// linked runs the third phase for one content set.
func (w *Worker) linked(ref object.Ref) error {
	s := &w.set
	s.Reuse(ref)
	if err := w.Reader.Read(object.MakeRef(ref), &s.ContentSet); err != nil {
		return w.CouldNotRead(s.At(), err)
	}
	if !w.Run.visited.Has(ref) {
		w.bySelf(s)
	}
	l := rule.Links{Set: s}
	w.urls, w.ids = w.Run.links.Of(ref, w.urls[:0], w.ids[:0])
	if !w.Spend(3*s.URLWork() + rule.ElementCost*int64(len(w.urls)+len(w.ids))) {
		return ErrBudget
	}
	l.URLS, l.IDS = make([]rule.Entry, 0, len(w.urls)), make([]rule.Entry, 0, len(w.ids))
	for _, i := range w.urls {
		l.URLS = append(l.URLS, rule.NewEntry(w.Run.Trees[webcapture.URLS], i))
		w.Spend(rule.URLCost + 8*int64(len(l.URLS[len(l.URLS)-1].Key)))
	}
	for _, i := range w.ids {
		l.IDS = append(l.IDS, rule.NewEntry(w.Run.Trees[webcapture.IDS], i))
	}
	w.checkLinks(&l)
	return nil
}
