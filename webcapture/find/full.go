package find

import (
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/catalog"
)

// full searches all content sets for the queries that a viewer does not find.
func (w *search) full() (err error) {
	if w.db, err = w.file.Database(); err != nil {
		return err
	}
	w.out.Facts = w.file.Facts(w.db)
	w.out.Unread = append(w.out.Unread, rule.UnreadOf(w.file, w.db)...)
	for _, t := range w.db.Trees() {
		w.out.Unread = append(w.out.Unread, rule.UnreadIn(t)...)
	}
	w.exact = slices.Clone(w.found)
	w.out.Matches = slices.DeleteFunc(w.out.Matches, func(m Match) bool { return m.Answer == Missed }) // added again
	keys := w.keysOfValues()
	work := w.reader.BytesRead() + w.file.Budget().Work
	var buf []byte
	for content, err := range w.file.Contents(w.db).All(w.reader) {
		switch {
		case w.reader.BytesRead() > work:
			w.out.Unread = append(w.out.Unread, rule.Unread{Place: rule.PlaceOfContent(content), Err: errWork})
			return w.explain()
		case err == nil && content.Set != nil && content.Set.Recognized():
			buf, err = w.content(content, keys, buf)
		}
		if err != nil {
			if err = rule.NoteUnread(&w.out.Unread, rule.PlaceOfContent(content), err); err != nil {
				return err
			}
		}
	}
	return w.explain()
}

var errWork error = &object.Malformed{
	Reason: "content sets from here on were not searched: too much work for a file of this size"}

// keysOfValues returns the queries whose key is anywhere in a tree, by the value of the entry.
func (w *search) keysOfValues() map[object.Ref][]int {
	out := map[object.Ref][]int{}
	for _, t := range w.db.Trees() {
		for _, e := range t.Entries() {
			ref, _ := e.Value.Ref()
			for _, q := range w.keys[t.Name][e.Key] {
				if ref.Num != 0 && !w.found[q] {
					out[ref] = append(out[ref], q)
				}
			}
			if t.Name != webcapture.URLS || ref.Num == 0 {
				continue
			}
			for _, q := range w.prefix {
				if strings.HasPrefix(string(e.Key), string(w.queries[q].Key)) {
					out[ref] = append(out[ref], q)
				}
			}
		}
	}
	return out
}

// content compares a content set with the queries.
func (w *search) content(content *webcapture.Content, keys map[object.Ref][]int, buf []byte) ([]byte, error) {
	answered := map[int]bool{}
	add := addMatch(func(q int, answer Answer, key nametree.Key, differs []string) error {
		if w.found[q] || answered[q] {
			return nil
		}
		answered[q] = true
		if answer == Missed && w.queries[q].Prefix { // other queries are already decided
			ok, err := w.viewerFinds(w.queries[q].Tree, key, content)
			if err != nil {
				return err
			}
			if ok {
				answer = Found
			}
		}
		w.exact[q] = w.exact[q] || answer != OtherForm
		m, err := w.match(q, answer, content)
		if err == nil {
			m.Differs = differs
		}
		return err
	})
	id := nametree.Key(content.Set.ID.Bytes)
	for _, q := range w.keys[webcapture.IDS][id] {
		if err := add(q, Missed, id, nil); err != nil {
			return buf, err
		}
	}
	each := func(do func(url []byte, role webcapture.Role, add addMatch) error) error {
		for i := range content.Set.Sources {
			for role, u := range content.Set.Sources[i].URLs() {
				buf = canon.PDF.Append(buf[:0], u)
				if err := do(buf, role, add); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := each(w.sameURL); err != nil {
		return buf, err
	}
	for _, ref := range []object.Ref{content.Ref, content.Value} {
		for _, q := range keys[ref] {
			answer := Missed
			if !agrees(content.Set, w.queries[q]) {
				answer = OtherCapture
			}
			if ref.Num == 0 || answer == OtherCapture && !w.queries[q].Prefix {
				continue // a viewer does not find this set, and its URL or ID is another
			}
			if err := add(q, answer, w.queries[q].Key, nil); err != nil {
				return buf, err
			}
		}
	}
	return buf, each(w.otherForm)
}

type addMatch = func(query int, answer Answer, key nametree.Key, differs []string) error

// sameURL adds matches for a canonical URL of a content set.
func (w *search) sameURL(url []byte, role webcapture.Role, add addMatch) error {
	for _, q := range w.keys[webcapture.URLS][nametree.Key(url)] {
		answer, differs := Missed, []string(nil)
		if role == webcapture.Redirect {
			answer, differs = OtherForm, []string{"redirect"}
		}
		if err := add(q, answer, nametree.Key(url), differs); err != nil {
			return err
		}
	}
	for _, q := range w.prefix {
		if role == webcapture.Destination && strings.HasPrefix(string(url), string(w.queries[q].Key)) {
			if err := add(q, Missed, nametree.Key(url), nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// otherForm adds matches for the queries whose URL is another form of a canonical URL of a content set.
func (w *search) otherForm(url []byte, role webcapture.Role, add addMatch) error {
	if len(w.loose) == 0 {
		return nil
	}
	for _, q := range w.loose[looseForm(url)] {
		differs := differences([]byte(w.queries[q].Key), url)
		if role == webcapture.Redirect {
			differs = append(differs, "redirect")
		}
		if len(differs) == 0 {
			continue
		}
		if err := add(q, OtherForm, nametree.Key(url), differs); err != nil {
			return err
		}
	}
	return nil
}

// viewerFinds reports whether a viewer that looks up the key finds the content set.
func (w *search) viewerFinds(name webcapture.TreeName, key nametree.Key, content *webcapture.Content) (bool, error) {
	t := w.db.Tree(name)
	if t == nil {
		return false, nil
	}
	i, ok := t.Find(key)
	if !ok {
		return false, nil
	}
	e := t.Entry(i)
	ref, _ := e.Value.Ref()
	ok = ref == content.Ref || ref == content.Value
	if ref.Num == 0 {
		ok = content.Tree == t && content.Entry.Node == e.Node && content.Entry.Pair == e.Pair
	}
	if !ok || !slices.ContainsFunc(skipped, func(k nametree.DefectKind) bool { return t.DefectCount(k) > 0 }) {
		return ok, nil
	}
	value, ok, err := w.reader.Lookup(name, key)
	there, _ := value.Ref()
	return ok && there == ref, err
}

// skipped are the defects that [nametree.Tree.Find] skips, although a viewer may stop its search there.
var skipped = []nametree.DefectKind{nametree.Unreadable, nametree.KidNotDictionary, nametree.NodeCycle, nametree.NodeShared,
	nametree.KeyNull, nametree.KeyNotString, nametree.KeyUnreadable}

// explain removes matches in other forms if there is a match in the right form. It audits the file if a viewer
// misses a match.
func (w *search) explain() error {
	w.out.Matches = slices.DeleteFunc(w.out.Matches, func(m Match) bool {
		return m.Answer == OtherForm && w.exact[m.Query]
	})
	if !slices.ContainsFunc(w.out.Matches, func(m Match) bool { return m.Answer == Missed }) {
		return nil
	}
	opt := w.opt
	opt.Database = w.db
	rep, err := audit.Run(w.file, opt)
	if err != nil {
		return err
	}
	found := catalog.FindingsOf(w.db, rep)
	for i := range w.out.Matches {
		if m := &w.out.Matches[i]; m.Answer == Missed {
			list := found(m.Capture, w.queries[m.Query].Tree)
			for _, f := range list {
				if !slices.Contains(m.Rules, f.Rule.ID) {
					m.Rules = append(m.Rules, f.Rule.ID)
				}
				m.Repaired = m.Repaired || f.Fix != nil
			}
		}
	}
	return nil
}
