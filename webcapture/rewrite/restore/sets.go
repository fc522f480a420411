package restore

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// This file matches the content sets of the original with those of the file.

// set holds the properties that identify a content set.
type set struct {
	ref     object.Ref    // number 0 for a direct content set, which only an original may have here
	value   object.Object // reference, or the direct content set
	subtype webcapture.Subtype
	id      string         // ID if it has 16 bytes, otherwise empty
	urls    []nametree.Key // URLs of its sources
	made    time.Time      // TS; zero if it is absent or no date
	members []object.Ref
	keys    [webcapture.TreeCount][]nametree.Key
}

// setMatch is a content set of the original with its match in the file.
type setMatch struct {
	was    *set
	proven bool       // no other record of the original contradicts the ID of was
	is     *set       // nil if the file has none
	reason reason     // reason why it is left
	set    object.Ref // the content set in the file after the restoration; number 0 if there is none

	// For the content set in the file after the restoration: its ID, O, new keys, and wrong keys.
	id           string
	members      []object.Ref
	added, wrong [webcapture.TreeCount][]nametree.Key
}

func (m *setMatch) left() bool { return m.reason != none }

// identity is a kind of content set with an ID.
type identity struct {
	subtype webcapture.Subtype
	id      string
}

// readSets reads the content sets of both files.
func (r *restoration) readSets() error {
	theirs, lost, err := setsOf(r.original)
	if err != nil {
		return err
	}
	if lost > 0 {
		r.notice(fmt.Sprintf("damaged: keys without a content set: %d; webcap restores nothing for them", lost))
	}
	if r.own, _, err = setsOf(r.file); err != nil {
		return err
	}
	r.theirs, r.names = map[treeKey]bool{}, map[treeKey][]*set{}
	for _, s := range theirs {
		for tree, keys := range s.keys {
			for _, k := range keys {
				r.theirs[treeKey{webcapture.TreeName(tree), k}] = true
			}
		}
		for k := range s.names(true) {
			r.names[k] = append(r.names[k], s)
		}
		r.matches = append(r.matches, &setMatch{was: s, proven: r.isProven(s)})
	}
	r.lists = map[object.Ref][]*set{}
	for _, s := range r.own {
		for _, ref := range s.members {
			r.lists[ref] = append(r.lists[ref], s)
		}
		for tree, keys := range s.keys {
			for _, k := range keys {
				r.recordEntry(treeKey{webcapture.TreeName(tree), k}, s.ref, true)
			}
		}
	}
	return nil
}

// recordEntry records that a key leads to a content set of the file, before the restoration or only after it.
func (r *restoration) recordEntry(k treeKey, set object.Ref, before bool) {
	if r.entries[k] == nil {
		r.entries[k] = map[object.Ref]bool{}
	}
	r.entries[k][set] = before
}

// setsOf reads the content sets of a file's entries, in the order of their first entries. lost is the number of entries
// whose value is not a content set.
func setsOf(d *match.Document) (list []*set, lost int, err error) {
	known := map[string]*set{}
	for _, tree := range d.Database.Trees() {
		for _, e := range tree.Entries() {
			for o, err := range d.Reader.Values(e.Value) {
				if object.IgnoreMalformed(err) != nil {
					return nil, 0, err
				}
				if err != nil {
					continue
				}
				label := string(o.AppendNormal(nil)) // a reference, or the text of a direct content set
				s := known[label]
				if s == nil {
					s = &set{value: o.Clone()}
					s.ref, _ = o.Ref()
					known[label] = s
					list = append(list, s)
				}
				s.keys[tree.Name] = append(s.keys[tree.Name], e.Key)
			}
		}
	}
	order := d.File.OrderByPosition(len(list), func(i int) object.Ref { return list[i].ref })
	isSet := make([]bool, len(list))
	for _, i := range order {
		if isSet[i], err = list[i].read(d); err != nil {
			return nil, 0, err
		}
	}
	var sets []*set
	for i, s := range list {
		if isSet[i] {
			sets = append(sets, s)
		} else {
			lost += len(s.keys[webcapture.URLS]) + len(s.keys[webcapture.IDS])
		}
	}
	return sets, lost, nil
}

// read reads the properties of a content set. It returns false if the object is not one.
func (s *set) read(d *match.Document) (bool, error) {
	var cs webcapture.ContentSet
	if err := d.Reader.Read(s.value, &cs); err != nil || !cs.Recognized() {
		return false, object.IgnoreMalformed(err)
	}
	s.subtype = cs.Subtype
	if id, ok := cs.Identifier(); ok {
		s.id = string(id[:])
	}
	for m := range cs.Members() {
		if ref, ok := m.Ref(); ok {
			s.members = append(s.members, ref)
		}
	}
	for i := range cs.Sources {
		for _, url := range cs.Sources[i].URLs() {
			s.urls = append(s.urls, nametree.Key(url))
		}
	}
	var err error
	s.made, err = dateOf(d, cs.TS)
	return true, err
}

// dateOf returns a date; the zero time if it is absent or invalid.
func dateOf(d *match.Document, stored object.Object) (time.Time, error) {
	s, err := d.Reader.String(stored)
	t, fault := rule.ParseDate(s.Bytes)
	if err != nil || fault != "" {
		return time.Time{}, object.IgnoreMalformed(err)
	}
	return t, nil
}

// fits reports whether two content sets may be of one kind. S may be missing.
func (s *set) fits(t *set) bool {
	return s.subtype == t.subtype || s.subtype == webcapture.NoSubtype || t.subtype == webcapture.NoSubtype
}

// matchSets finds the match of each content set of the original, and the reasons why it is left.
func (r *restoration) matchSets() {
	byID, byKey := map[identity][]*set{}, map[nametree.Key][]*set{}
	for _, s := range r.own {
		if s.id != "" {
			byID[identity{s.subtype, s.id}] = append(byID[identity{s.subtype, s.id}], s)
		}
		for _, k := range s.keys[webcapture.IDS] {
			byKey[k] = append(byKey[k], s)
		}
	}
	claims := map[*set][]*setMatch{}
	for _, m := range r.matches {
		list, isOther := r.byMembers(m.was), r.isAnother
		if len(list) == 0 && m.was.id != "" {
			list, isOther = byID[identity{m.was.subtype, m.was.id}], r.isAmbiguous
		}
		if len(list) == 0 && m.was.id != "" {
			cannotBe := func(s *set) bool { return !s.fits(m.was) || !r.mayHaveID(s, m.was) || r.isAnother(s, m.was) }
			list = slices.DeleteFunc(slices.Clone(byKey[nametree.Key(m.was.id)]), cannotBe)
		}
		if slices.ContainsFunc(list, func(s *set) bool { return isOther(s, m.was) }) {
			m.reason = ambiguous
			continue
		}
		if len(list) > 1 {
			list = slices.DeleteFunc(slices.Clone(list), func(s *set) bool { return !s.isOfDate(m.was) })
			if len(list) != 1 {
				m.reason = ambiguous
				continue
			}
		}
		if len(list) == 1 {
			m.is = list[0]
			claims[m.is] = append(claims[m.is], m)
		}
	}
	for s, list := range claims {
		if len(list) > 1 {
			keepSameDate(s, list)
		}
	}
	for _, m := range r.matches {
		r.decideMatch(m)
	}
}

// keepSameDate keeps, of several content sets of the original with one match, the one with the same TS.
func keepSameDate(s *set, list []*setMatch) {
	same := 0
	for _, m := range list {
		if s.isOfDate(m.was) {
			same++
		}
	}
	for _, m := range list {
		if same != 1 || !s.isOfDate(m.was) {
			m.is, m.reason = nil, ambiguous
		}
	}
}

// isOfDate reports whether two content sets have the same TS.
func (s *set) isOfDate(t *set) bool { return !s.made.IsZero() && s.made.Equal(t.made) }

// mayHaveID reports whether a content set of the file, to which the ID of was leads, may have lost it.
func (r *restoration) mayHaveID(s, was *set) bool {
	return s.id == "" || s.isOfDate(was) ||
		slices.ContainsFunc(s.members, func(ref object.Ref) bool { return idIn(r.file, ref) == was.id })
}

// byMembers returns the content sets of the file that list a page or image of one of the original.
func (r *restoration) byMembers(was *set) (list []*set) {
	for _, ref := range was.members {
		for _, is := range r.pairs.Found(ref) {
			for _, s := range r.lists[is] {
				if s.fits(was) && !slices.Contains(list, s) {
					list = append(list, s)
				}
			}
		}
	}
	return list
}

// isAnother reports whether the ID and URLs of a content set of the file are those of other content sets of the
// original, and not of was. Then O may be wrong.
func (r *restoration) isAnother(s, was *set) bool {
	ofWas, ofOthers := r.named(s, was)
	return ofOthers && !ofWas
}

// isAmbiguous reports whether some of the ID and URLs of a content set of the file are those of was, and some those of
// other content sets of the original. Without common members, it is unknown which of them the file has.
func (r *restoration) isAmbiguous(s, was *set) bool {
	ofWas, ofOthers := r.named(s, was)
	return ofOthers && ofWas
}

// named reports whether the ID or a URL of a content set of the file is that of was, and whether one is only that of
// other content sets of the original. If the ID or all URLs are missing, keys of IDS count as well.
func (r *restoration) named(s, was *set) (ofWas, ofOthers bool) {
	for k := range s.names(s.id == "" || len(s.urls) == 0) {
		list := r.names[k]
		if slices.Contains(list, was) {
			ofWas = true
		} else if slices.ContainsFunc(list, s.fits) {
			ofOthers = true
		}
	}
	return ofWas, ofOthers
}

// names yields the ID and URLs of a content set, as keys, and with withKeys its keys of IDS.
func (s *set) names(withKeys bool) iter.Seq[treeKey] {
	ids := []nametree.Key{nametree.Key(s.id)}
	if withKeys {
		ids = append(ids, s.keys[webcapture.IDS]...)
	}
	return func(yield func(treeKey) bool) {
		for tree, keys := range [webcapture.TreeCount][]nametree.Key{webcapture.URLS: s.urls, webcapture.IDS: ids} {
			for _, k := range keys {
				if k != "" && !yield(treeKey{webcapture.TreeName(tree), k}) {
					return
				}
			}
		}
	}
}

// decideMatch sets the ID of a content set after the restoration, or the reason why it is left.
func (r *restoration) decideMatch(m *setMatch) {
	switch {
	case m.left():
		return
	case r.LeftOut[m.was.ref] != "" && m.was.ref.Num != 0:
		m.reason = unsound
		return
	case m.is == nil:
		m.id = m.was.id
		if !m.proven {
			m.reason = contradicted
		}
		return
	case !m.is.made.IsZero() && !m.was.made.IsZero() && !m.is.made.Equal(m.was.made):
		m.reason = otherCapture
		return
	}
	m.set, m.id = m.is.ref, m.is.id
	if !m.proven {
		return
	}
	records := r.idsOf(r.file, m.is)
	switch values := records.values(); {
	case len(values) == 0, slices.Contains(values, m.was.id):
		m.id = m.was.id
	case len(values) == 1:
		m.set, m.reason = object.Ref{}, otherCapture
	case r.hasContent(m) && !records.agree():
		m.id = m.was.id
	}
}

// hasContent reports whether a content set matches by the content of a member.
func (r *restoration) hasContent(m *setMatch) bool {
	return slices.ContainsFunc(m.was.members, func(ref object.Ref) bool {
		isIn := func(is object.Ref) bool { return slices.Contains(m.is.members, is) }
		return r.pairs.HasContent(ref) && slices.ContainsFunc(r.pairs.Found(ref), isIn)
	})
}

// idRecords are the records of the ID of a content set: its own ID, its keys in IDS, and the IDs of its members. Each
// record may have several values.
type idRecords [3][]string

// idsOf returns the records of a content set's ID. Values that are broken by themselves do not count.
func (r *restoration) idsOf(d *match.Document, s *set) (records idRecords) {
	add := func(i int, id string) {
		if len(id) == idSize && !slices.Contains(records[i], id) {
			records[i] = append(records[i], id)
		}
	}
	add(0, s.id)
	for _, k := range s.keys[webcapture.IDS] {
		if _, isText := rule.Transcoded([]byte(s.id), []byte(k)); !isText || s.id == string(k) {
			add(1, string(k))
		}
	}
	for _, ref := range s.members {
		add(2, idIn(d, ref))
	}
	return records
}

// idIn returns the ID of a page or image; empty if it has none.
func idIn(d *match.Document, ref object.Ref) string {
	if pg := d.Page(ref); pg != nil {
		return pg.ID
	}
	if im := d.Image(ref); im != nil {
		return im.ID
	}
	return ""
}

// values returns the values of all records, each once.
func (x idRecords) values() (list []string) {
	for _, values := range x {
		for _, v := range values {
			if !slices.Contains(list, v) {
				list = append(list, v)
			}
		}
	}
	return list
}

// agree reports whether two records have a common value.
func (x idRecords) agree() bool { return len(x.values()) < len(x[0])+len(x[1])+len(x[2]) }

// isProven reports whether a content set of the original has an ID that no other record there contradicts.
func (r *restoration) isProven(s *set) bool {
	return s.id != "" && len(r.idsOf(r.original, s).values()) == 1
}

const idSize = 16 // size of an ID in bytes (14.10.3.3)

// isFree reports whether a page or image of the file is in no O of a content set other than is.
func (r *restoration) isFree(ref object.Ref, is *set) bool {
	return !slices.ContainsFunc(r.lists[ref], func(s *set) bool { return s != is })
}
