package restore

import (
	"maps"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// This file restores the keys of content sets, and removes wrong ones.

// addKeys adds the keys that a content set of the file lacks: its ID, and the keys of the original that lead to one of
// its URLs. cs is the content set after the restoration. Keys that contradict the original's URLs are wrong there.
func (f *filling) addKeys(cs *webcapture.ContentSet) {
	m := f.m
	if m.hasOriginalID() && !m.hasKey(webcapture.IDS, func(k nametree.Key) bool {
		_, isText := rule.Transcoded([]byte(m.id), []byte(k)) // a repair without the original changes it
		return isText || string(k) == m.id
	}) {
		f.addEntry(m, webcapture.IDS, nametree.Key(m.id))
	}
	own, theirs := rule.Set{ContentSet: *cs}, rule.Set{ContentSet: f.theirs}
	for _, k := range m.was.keys[webcapture.URLS] {
		key := f.canonical(k)
		isSame := func(k nametree.Key) bool { return f.canonical(k) == key }
		if isURL([]byte(key)) && theirs.Accepts(k) && own.Accepts(key) && !m.hasKey(webcapture.URLS, isSame) {
			f.addEntry(m, webcapture.URLS, key)
		}
	}
}

// hasOriginalID reports whether the ID of a content set is that of the original.
func (m *setMatch) hasOriginalID() bool { return m.proven && m.id == m.was.id }

// canonical returns the canonical form of a key, also if a tool took it for text.
func (r *restoration) canonical(k nametree.Key) nametree.Key {
	key, _ := r.Base.Key([]byte(k))
	return key
}

// hasKey reports whether any key of a content set in a tree of the file satisfies is.
func (m *setMatch) hasKey(tree webcapture.TreeName, is func(nametree.Key) bool) bool {
	return m.is != nil && slices.ContainsFunc(m.is.keys[tree], is) || slices.ContainsFunc(m.added[tree], is)
}

// addEntry adds an entry.
func (r *restoration) addEntry(m *setMatch, tree webcapture.TreeName, key nametree.Key) {
	m.added[tree] = append(m.added[tree], key)
	r.recordEntry(treeKey{tree, key}, m.set, false)
	e := Entry{tree, key, m.set}
	r.changes.Entries = append(r.changes.Entries, e)
	r.step(tree.String(), e.place(), e.String())
}

func (e Entry) place() rule.Place { return rule.Place{Tree: e.Tree.String(), Set: e.Set, Key: e.Key} }

// String returns the key and the content set.
func (e Entry) String() string { return e.Key.String() + " " + e.Set.String() }

// findWrongKeys finds the wrong keys of a content set of the file. It has the right key, which the original uses. The
// original uses the wrong ones for other content sets, or the right key is new in the file. A key that the original
// does not know may otherwise be the right one of another content set. cs is the content set after the restoration.
func (r *restoration) findWrongKeys(m *setMatch, cs *webcapture.ContentSet) {
	s := rule.Set{ContentSet: *cs}
	isRight := [webcapture.TreeCount]func(nametree.Key) bool{
		webcapture.IDS:  func(k nametree.Key) bool { return string(k) == m.id },
		webcapture.URLS: s.Accepts,
	}
	for tree, keys := range m.is.keys {
		isNew := func(k nametree.Key) bool { return !r.wasThere(treeKey{webcapture.TreeName(tree), k}) }
		isReplaced := slices.ContainsFunc(m.added[tree], isNew)
		isUsed := func(k nametree.Key) bool { return slices.Contains(m.was.keys[tree], k) }
		if !m.hasKey(webcapture.TreeName(tree), func(k nametree.Key) bool { return isRight[tree](k) && isUsed(k) }) {
			continue
		}
		for _, k := range keys {
			_, isText := rule.Transcoded([]byte(m.id), []byte(k)) // a repair without the original changes it
			if !isRight[tree](k) && !isUsed(k) && (isReplaced || r.theirs[treeKey{webcapture.TreeName(tree), k}]) &&
				!(isText && webcapture.TreeName(tree) == webcapture.IDS) {
				m.wrong[tree] = append(m.wrong[tree], k)
			}
		}
	}
}

// wasThere reports whether the file had a key before the restoration.
func (r *restoration) wasThere(k treeKey) bool {
	for _, before := range r.entries[k] {
		if before {
			return true
		}
	}
	return false
}

// removeKeys removes wrong keys. A key that another content set has as its ID or URL stays if it leads nowhere else:
// the right content set for it is unknown then.
func (r *restoration) removeKeys() {
	claims := r.claims()
	for _, m := range r.matches {
		for tree, keys := range m.wrong {
			for _, k := range keys {
				at := treeKey{webcapture.TreeName(tree), k}
				if claims[at] && len(r.entries[at]) < 2 {
					continue
				}
				delete(r.entries[at], m.set)
				e := Entry{at.tree, k, m.set}
				r.changes.Removals = append(r.changes.Removals, e)
				r.from = m.was.ref
				r.replacement(at.tree.String(), e.place(), e.String(), "")
			}
		}
	}
}

// claims returns the IDs and URLs of content sets of both files, and the keys of the original.
func (r *restoration) claims() map[treeKey]bool {
	claims := maps.Clone(r.theirs)
	decided := map[*set]string{}
	for _, m := range r.matches {
		if m.is != nil && !m.left() {
			decided[m.is] = m.id
		}
	}
	for _, s := range r.own {
		id, ok := decided[s]
		if !ok {
			id = s.id
		}
		claims[treeKey{webcapture.IDS, nametree.Key(id)}] = true
		for _, ref := range s.members {
			claims[treeKey{webcapture.IDS, nametree.Key(idIn(r.file, ref))}] = true
		}
		for _, url := range s.urls {
			claims[treeKey{webcapture.URLS, url}] = true
			claims[treeKey{webcapture.URLS, r.canonical(url)}] = true
		}
	}
	return claims
}
