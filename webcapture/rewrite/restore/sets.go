package restore

import (
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// This file restores content sets and their keys.

// setIndex holds the content sets of both files, and how they match.
type setIndex struct {
	original []*traits                   // content sets of the original, in order
	is       map[object.Ref]object.Ref   // content sets of the file, by match in the original; Num 0: not restored
	copies   map[object.Ref][]object.Ref // further copies in the file, by the first content set
	was      map[object.Ref]*traits      // content sets of the original, by match in the file; includes copies
	own      map[object.Ref]*traits      // content sets of the file before the restoration
	known    map[string]object.Ref       // content sets of the file, by subtype and ID
	owner    map[object.Ref]object.Ref   // content sets of the file, by page or image in O
	mended   map[object.Ref]bool         // content sets of the file that mend has handled
	right    map[Entry]bool              // entries of the original, including repaired forms
	first    map[setIn]nametree.Key      // first key in the original, by content set and tree
	agrees   map[object.Ref]agreement    // records that stay, by content set of the file
	disputed map[*traits]bool            // content sets of the original with unproven records that the file contradicts
	lists    map[object.Ref][]*traits    // content sets of the original, by page or image in O
	theirs   map[object.Ref]*traits      // content sets of the original, by reference
	foreign  bool                        // the original is another capture; see isForeign
}

// setIn is a content set of the file together with a tree.
type setIn struct {
	tree webcapture.TreeName
	set  object.Ref
}

// indexSets indexes the content sets of both files, and matches them.
func (r *restoration) indexSets() (err error) {
	x := &r.sets
	*x = setIndex{
		was: map[object.Ref]*traits{}, own: map[object.Ref]*traits{}, known: map[string]object.Ref{},
		owner: map[object.Ref]object.Ref{}, mended: map[object.Ref]bool{}, right: map[Entry]bool{},
		first: map[setIn]nametree.Key{}, lists: map[object.Ref][]*traits{},
		disputed: map[*traits]bool{}, theirs: map[object.Ref]*traits{},
	}
	x.original, err = traitsOf(r.original, func(ref object.Ref) object.Ref { return ref })
	if err != nil {
		return err
	}
	var lost int
	if x.original, lost = readable(x.original); lost > 0 {
		r.changes.Unmatched = append(r.changes.Unmatched, fmt.Sprintf(
			"%s: damaged: keys without a content set: %d; webcap restores nothing for them", r.Name, lost))
	}
	for _, t := range x.original {
		if err := r.prove(t); err != nil {
			return err
		}
		x.theirs[t.ref] = t
		for _, ref := range t.stored {
			x.lists[ref] = append(x.lists[ref], t)
		}
	}
	own, err := traitsOf(r.file, func(ref object.Ref) object.Ref { return r.known.was[ref] })
	if err != nil {
		return err
	}
	own, _ = readable(own)
	r.findForeign(own)
	x.is, x.copies = identify(x.original, own, r.changesBack)
	for _, t := range x.original {
		for _, ref := range x.all(x.is[t.ref]) {
			x.was[ref] = t
			r.changes.Known = append(r.changes.Known, ref)
		}
	}
	for _, t := range own {
		x.own[t.ref] = t
		if t.id != "" {
			x.known[identityOf(t.subtype, t.id)] = t.ref
		}
		for _, ref := range t.stored {
			if x.was[t.ref] != nil || x.was[x.owner[ref]] == nil {
				x.owner[ref] = t.ref // a content set with a match takes precedence over a stray copy
			}
		}
	}
	r.leaveRivals()
	if len(r.LeftOut) > 0 {
		r.spreadLeftOut(own)
	}
	return r.agreeSets()
}

// spreadLeftOut also leaves out content sets that share a record in the file with one that is left out. Two content
// sets may have exchanged records, and then neither must be restored alone. Content sets that are left out keep their
// records.
func (r *restoration) spreadLeftOut(own []*traits) {
	sharing := map[string][]*traits{}
	for _, t := range own {
		for _, label := range t.ownLabels() {
			sharing[label] = append(sharing[label], t)
		}
	}
	todo := slices.Clone(r.sets.original)
	for len(todo) > 0 {
		t, reason := todo[0], r.LeftOut[todo[0].ref]
		if todo = todo[1:]; reason == "" {
			continue
		}
		for _, ref := range r.sets.all(r.sets.is[t.ref]) {
			r.foreign[ref] = true
		}
		for _, label := range t.ownLabels() {
			for _, is := range sharing[label] {
				if was := r.sets.was[is.ref]; was != nil && r.LeftOut[was.ref] == "" {
					r.LeftOut[was.ref] = reason
					todo = append(todo, was)
				}
			}
		}
	}
}

// all returns a content set of the file and its copies; none if its number is 0.
func (x *setIndex) all(set object.Ref) []object.Ref {
	if set.Num == 0 {
		return nil
	}
	return append([]object.Ref{set}, x.copies[set]...)
}

func identityOf(s webcapture.Subtype, id string) string { return s.String() + id }

// entries restores the entries of a tree of the original.
func (r *restoration) entries(tree *webcapture.Tree) error {
	for _, e := range tree.Entries() {
		list, err := valuesOf(r.original.reader, e.Value)
		if object.IgnoreMalformed(err) != nil {
			return err
		}
		for _, o := range list {
			if err := r.entry(tree.Name, e.Key, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// entry restores one content set in an entry.
func (r *restoration) entry(name webcapture.TreeName, key nametree.Key, o object.Object) error {
	var s rule.Set
	if err := r.original.reader.Read(o, &s.ContentSet); err != nil || !s.Recognized() {
		return object.IgnoreMalformed(err)
	}
	set, err := r.set(o, &s.ContentSet)
	if err != nil || set.Num == 0 || r.staysIn(name, set) {
		return err
	}
	if t := r.sets.was[set]; !r.provesIn(name, set) {
		r.sets.disputed[t] = r.sets.disputed[t] || !r.leadsTo(name, key, set)
		return nil
	}
	if at := (setIn{name, set}); r.sets.first[at] == "" {
		r.sets.first[at] = key
	}
	own := r.ownKeys(name, &s.ContentSet)
	plain, _ := rule.PlainURL([]byte(key))
	for _, k := range append(own, key, r.Canonical(nametree.Key(plain))) {
		r.sets.right[Entry{name, k, set}] = true
	}
	if is := r.sets.own[set]; is != nil && name == webcapture.URLS {
		for _, k := range is.keys {
			e := Entry{name, k.key, set}
			r.sets.right[e] = r.sets.right[e] || k.tree == name && s.Accepts(k.key)
		}
	}
	if r.leadsTo(name, key, set) || r.isRepaired(name, key, set, &s, own) {
		return nil
	}
	r.add(Entry{name, key, set})
	return nil
}

// ownKeys returns the keys in a tree for the ID or URLs of a content set of the original.
func (r *restoration) ownKeys(name webcapture.TreeName, cs *webcapture.ContentSet) (keys []nametree.Key) {
	if name == webcapture.IDS {
		if id, ok := cs.Identifier(); ok {
			keys = append(keys, nametree.Key(id[:]))
		}
		return keys
	}
	for i := range cs.Sources {
		for role, url := range cs.Sources[i].URLs() {
			if role == webcapture.Destination && len(url) > 0 {
				plain, _ := rule.PlainURL(url)
				keys = append(keys, r.Canonical(nametree.Key(plain)))
			}
		}
	}
	return keys
}

// leadsTo reports whether an entry of the file has a content set, or a copy of it, under a key.
func (r *restoration) leadsTo(name webcapture.TreeName, key nametree.Key, set object.Ref) bool {
	return slices.ContainsFunc(r.sets.all(set), func(ref object.Ref) bool {
		own := r.sets.own[ref]
		return own != nil && slices.Contains(own.keys, treeKey{name, key})
	})
}

// isRepaired reports whether an entry of the original needs no restoration, because the file already has the content
// set under a key of its ID or URL, and the original's key is wrong or not canonical. A repair would remove that key
// again.
func (r *restoration) isRepaired(
	name webcapture.TreeName, key nametree.Key, set object.Ref, s *rule.Set, own []nametree.Key,
) bool {
	if !slices.ContainsFunc(own, func(k nametree.Key) bool { return r.leadsTo(name, k, set) }) {
		return false
	}
	plain, _ := rule.PlainURL([]byte(key))
	return name == webcapture.IDS || !s.Accepts(key) || r.Canonical(nametree.Key(plain)) != key
}

// removals removes keys of matched content sets that the original does not have for them. If a key belongs to another
// content set, its last entry stays, because the right content set for it is unknown. If a copy would lose its last
// key, it gets the first key of its content set.
func (r *restoration) removals() {
	uses, claimed := r.keyUses()
	for _, t := range r.sets.original {
		set := r.sets.is[t.ref]
		for _, ref := range r.sets.all(set) {
			own := r.sets.own[ref]
			if own == nil || r.sets.was[ref] != t || !r.changesBack(ref) {
				continue
			}
			isOther := func(set object.Ref) bool { return set != ref }
			stays := map[webcapture.TreeName]bool{}
			for _, k := range own.keys {
				stays[k.tree] = stays[k.tree] || r.sets.right[Entry{k.tree, k.key, set}]
			}
			for _, k := range own.keys {
				if first, ok := r.sets.first[setIn{k.tree, set}]; ok && !r.staysIn(k.tree, ref) && t.proof.in(k.tree) &&
					!r.sets.right[Entry{k.tree, k.key, set}] &&
					(uses[k] > 1 || !slices.ContainsFunc(claimed[k], isOther)) {
					r.remove(Entry{k.tree, k.key, ref})
					uses[k]--
					if ref != set && !stays[k.tree] {
						r.add(Entry{k.tree, first, ref})
						stays[k.tree] = true
					}
				}
			}
		}
	}
}

// keyUses returns, for each key, the number of content sets that will have it, and the content sets of the file whose
// ID or URL it is. Keys of the original are listed with content set number 0.
func (r *restoration) keyUses() (uses map[treeKey]int, claimed map[treeKey][]object.Ref) {
	uses, claimed = map[treeKey]int{}, map[treeKey][]object.Ref{}
	claim := func(tree webcapture.TreeName, key nametree.Key, set object.Ref) {
		claimed[treeKey{tree, key}] = append(claimed[treeKey{tree, key}], set)
	}
	for _, t := range r.sets.own {
		for _, k := range t.keys {
			uses[k]++
		}
		if !r.getsIDBack(t.ref) {
			claim(webcapture.IDS, nametree.Key(t.id), t.ref)
		}
		for _, url := range t.urls {
			claim(webcapture.URLS, nametree.Key(url), t.ref)
			claim(webcapture.URLS, r.Canonical(nametree.Key(url)), t.ref)
		}
	}
	for _, t := range r.sets.original {
		claim(webcapture.IDS, nametree.Key(t.id), object.Ref{})
		for _, k := range t.keys {
			claim(k.tree, k.key, object.Ref{})
		}
	}
	for _, e := range r.changes.Entries {
		uses[treeKey{e.Tree, e.Key}]++
	}
	return uses, claimed
}

// getsIDBack reports whether a content set of the file gets its ID from the original.
func (r *restoration) getsIDBack(set object.Ref) bool {
	was := r.sets.was[set]
	return was != nil && isID(was.id) && r.changesBack(set) && !r.sets.agrees[set].id && was.proof.id
}

// provesIn reports whether the original's entries of a content set in a tree are right: no other record of the original
// contradicts them.
func (r *restoration) provesIn(tree webcapture.TreeName, set object.Ref) bool {
	t := r.sets.was[set]
	return t == nil || t.proof.in(tree) // nil for a new content set
}

// add adds an entry.
func (r *restoration) add(e Entry) {
	r.changes.Entries = append(r.changes.Entries, e)
	r.step(e.Tree.String(), rule.Place{Tree: e.Tree.String(), Set: e.Set, Key: e.Key},
		e.Key.String()+" "+e.Set.String())
}

// remove removes an entry.
func (r *restoration) remove(e Entry) {
	r.changes.Removals = append(r.changes.Removals, e)
	r.replacement(e.Tree.String(), rule.Place{Tree: e.Tree.String(), Set: e.Set, Key: e.Key},
		e.Key.String()+" "+e.Set.String(), "")
}

// valuesOf returns the content sets in a value.
func valuesOf(reader *webcapture.Reader, value object.Object) (list []object.Object, err error) {
	for o, err := range reader.Values(value) {
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, nil
}

// set returns the content set of the file for one of the original. If it exists, it gets missing records. Otherwise it
// is restored if a page or image of it is in the file, or if it has no members in the original.
func (r *restoration) set(o object.Object, cs *webcapture.ContentSet) (object.Ref, error) {
	ref, isRef := o.Ref()
	if isRef && r.LeftOut[ref] != "" {
		return object.Ref{}, nil
	}
	if is, ok := r.sets.is[ref]; ok && isRef {
		if is.Num == 0 || r.sets.mended[is] {
			return is, nil
		}
		r.sets.mended[is] = true
		for _, ref := range r.sets.all(is) {
			if err := r.mend(ref, cs); err != nil {
				return object.Ref{}, err
			}
		}
		r.changes.Copies = append(r.changes.Copies, r.sets.copies[is]...)
		return is, nil
	}
	is, err := r.newSet(ref, cs)
	if isRef {
		r.sets.is[ref] = is
	}
	return is, err
}

// newSet restores a content set that the file lacks. If several in the original have the same ID, only the first is
// restored. ref is the content set in the original; its number is 0 for a direct object in a tree.
func (r *restoration) newSet(ref object.Ref, cs *webcapture.ContentSet) (object.Ref, error) {
	identity := identityOf(cs.Subtype, string(cs.ID.Bytes))
	if known, ok := r.sets.known[identity]; ok && cs.ID.OK() {
		if t := r.sets.was[known]; t == nil || t.id == string(cs.ID.Bytes) {
			return known, nil
		}
		if t := r.sets.theirs[ref]; t != nil && !t.proof.id {
			r.sets.disputed[t] = true
			return object.Ref{}, nil // the ID may belong to the other content set of the file
		}
	}
	list, found, err := r.wanted(object.Ref{}, cs, nil)
	if all, _ := cs.O.Array(); err != nil || !found && all.Len() > 0 {
		return object.Ref{}, err
	}
	counts, err := r.counts(cs, list)
	if err != nil {
		return object.Ref{}, err
	}
	changes := []object.Setting{{Key: "O", Value: listText(list, func(m member) object.Object { return m.object })}}
	for k, v := range cs.Dict.All() {
		text := counts
		switch {
		case string(k) == "O":
			continue
		case string(k) != "R" || counts == nil:
			if text, err = r.copied(v, maxDepth); err != nil {
				return object.Ref{}, err
			}
		}
		changes = append(changes, object.Setting{Key: string(k), Value: text})
	}
	set := r.Update.New()
	r.Update.Put(set, object.Dict{}.AppendWith(nil, changes...))
	r.changes.Sets = append(r.changes.Sets, set)
	r.changes.Known = append(r.changes.Known, set)
	if cs.ID.OK() {
		r.sets.known[identity] = set
	}
	return set, nil
}

// sourceText returns the source URLs of a content set as text.
func (r *restoration) sourceText(cs *webcapture.ContentSet) (text string) {
	for i := range cs.Sources {
		for _, url := range cs.Sources[i].URLs() {
			text += fmt.Sprintf("%q ", r.Canonical(nametree.Key(url)))
		}
	}
	return text
}
