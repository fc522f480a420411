package find

import (
	"slices"

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
	var buf []byte
	for content, err := range w.file.Contents(w.db).All(w.reader) {
		if err == nil && content.Set != nil && content.Set.Recognized() {
			buf, err = w.content(content, keys, buf)
		}
		if err = rule.NoteUnread(&w.out.Unread, rule.PlaceOfContent(content), err); err != nil {
			return err
		}
	}
	return w.explain()
}

// A keyedQuery is a query with a key that matches it.
type keyedQuery struct {
	query int
	key   nametree.Key
}

// keysOfValues returns the queries with a matching key anywhere in a tree, by the value of the entry.
func (w *search) keysOfValues() map[object.Ref][]keyedQuery {
	out := map[object.Ref][]keyedQuery{}
	for _, t := range w.db.Trees() {
		for _, e := range t.Entries() {
			ref, _ := e.Value.Ref()
			if ref.Num == 0 {
				continue
			}
			for _, q := range w.keys[t.Name][e.Key] {
				out[ref] = append(out[ref], keyedQuery{q, e.Key})
			}
		}
	}
	return out
}

// content compares a content set with the queries.
func (w *search) content(content *webcapture.Content, keys map[object.Ref][]keyedQuery, buf []byte) ([]byte, error) {
	c := &comparison{search: w, content: content, answered: map[int]bool{}}
	id := nametree.Key(content.Set.ID.Bytes)
	for _, q := range w.keys[webcapture.IDS][id] {
		if err := c.add(q, Missed, id, nil); err != nil {
			return buf, err
		}
	}
	each := func(do func(url []byte, role webcapture.Role) error) error {
		for i := range content.Set.Sources {
			for role, u := range content.Set.Sources[i].URLs() {
				buf = canon.PDF.Append(buf[:0], u)
				if err := do(buf, role); err != nil {
					return err
				}
			}
		}
		return nil
	}
	err := each(c.sameURL)
	if err == nil {
		err = c.sameValue(keys)
	}
	if err == nil {
		err = each(c.otherForm)
	}
	return buf, err
}

// comparison compares one content set with the queries. A set matches a query once.
type comparison struct {
	*search
	content  *webcapture.Content
	answered map[int]bool
}

// add adds a match, unless the query has one.
func (c *comparison) add(q int, answer Answer, key nametree.Key, differs []string) error {
	if c.found[q] || c.answered[q] {
		return nil
	}
	c.answered[q] = true
	c.exact[q] = c.exact[q] || answer != OtherForm
	m, err := c.match(q, answer, key, c.content)
	if err == nil {
		m.Differs = differs
	}
	return err
}

// sameValue adds matches for the keys of entries whose value is the content set, or its array.
func (c *comparison) sameValue(keys map[object.Ref][]keyedQuery) error {
	list := slices.Concat(keys[c.content.Ref], keys[c.content.Value])
	if c.content.Tree != nil {
		for _, q := range c.keys[c.content.Tree.Name][c.content.Entry.Key] {
			list = append(list, keyedQuery{q, c.content.Entry.Key})
		}
	}
	for _, k := range list {
		if !agrees(c.content.Set, c.queries[k.query].Tree, k.key) {
			continue // a viewer does not find this set, and its URL or ID is another
		}
		if err := c.add(k.query, Missed, k.key, nil); err != nil {
			return err
		}
	}
	return nil
}

// sameURL adds matches for a canonical URL of a content set.
func (c *comparison) sameURL(url []byte, role webcapture.Role) error {
	for _, q := range c.keys[webcapture.URLS][nametree.Key(url)] {
		answer, differs := Missed, []string(nil)
		if role == webcapture.Redirect {
			answer, differs = OtherForm, []string{"redirect"}
		}
		if err := c.add(q, answer, nametree.Key(url), differs); err != nil {
			return err
		}
	}
	return nil
}

// otherForm adds matches for the queries whose URL is another form of a canonical URL of a content set. Those with the
// URL itself are already answered.
func (c *comparison) otherForm(url []byte, role webcapture.Role) error {
	if len(c.loose) == 0 {
		return nil
	}
	for _, q := range c.loose[looseForm(url)] {
		differs := differences([]byte(c.queries[q].Key), url)
		if role == webcapture.Redirect {
			differs = append(differs, "redirect")
		}
		if err := c.add(q, OtherForm, nametree.Key(url), differs); err != nil {
			return err
		}
	}
	return nil
}

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
			for _, f := range found(m.Capture, w.queries[m.Query].Tree) {
				if !slices.Contains(m.Rules, f.Rule.ID) {
					m.Rules = append(m.Rules, f.Rule.ID)
				}
			}
		}
	}
	return nil
}
