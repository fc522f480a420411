package find

import (
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/meter"
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
			for _, q := range w.queriesOf(t.Name, e.Key) {
				out[ref] = append(out[ref], keyedQuery{q, e.Key})
			}
		}
	}
	return out
}

// queriesOf returns the queries that a key of a tree matches.
func (w *search) queriesOf(name webcapture.TreeName, key nametree.Key) []int {
	list := w.keys[name][key]
	if name == webcapture.URLS {
		for _, q := range w.prefix {
			if strings.HasPrefix(string(key), string(w.queries[q].Key)) {
				list = append(slices.Clip(list), q)
			}
		}
	}
	return list
}

// content compares a content set with the queries.
func (w *search) content(content *webcapture.Content, keys map[object.Ref][]keyedQuery, buf []byte) ([]byte, error) {
	c := &comparison{search: w, content: content, answered: map[int]bool{}, prefixes: map[int]prefixMatch{}}
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
	if object.IgnoreMalformed(err) != nil {
		return buf, err
	}
	if failed := c.addPrefixes(); failed != nil {
		return buf, failed
	}
	if err != nil { // the matches so far are correct
		return buf, err
	}
	return buf, each(c.otherForm)
}

// comparison compares one content set with the queries. A set matches a query once.
type comparison struct {
	*search
	content  *webcapture.Content
	answered map[int]bool
	prefixes map[int]prefixMatch // by query: the best match so far
}

type prefixMatch struct {
	answer Answer
	key    nametree.Key
}

// add adds a match. For a prefix, it keeps the match until all keys of the set that begin with it are known.
func (c *comparison) add(q int, answer Answer, key nametree.Key, differs []string) error {
	if c.queries[q].Prefix {
		return c.improve(q, answer, key)
	}
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

// improve replaces the match of a prefix if that of another key is better. The guided search skips prefixes, so improve
// asks viewerFinds.
func (c *comparison) improve(q int, answer Answer, key nametree.Key) error {
	best, ok := c.prefixes[q]
	if best.answer == Found {
		return nil
	}
	finds, err := c.viewerFinds(key, c.content)
	switch {
	case err != nil:
		return err
	case finds && answer == Missed:
		answer = Found
	case !finds && answer == OtherCapture:
		return nil
	}
	if !ok || slices.Index(answers, answer) < slices.Index(answers, best.answer) {
		c.prefixes[q] = prefixMatch{answer, key}
	}
	return nil
}

// addPrefixes adds the best match of each prefix.
func (c *comparison) addPrefixes() error {
	for _, q := range c.prefix {
		if best, ok := c.prefixes[q]; ok {
			if _, err := c.match(q, best.answer, best.key, c.content); err != nil {
				return err
			}
		}
	}
	return nil
}

// sameValue adds matches for the keys of entries whose value is the content set, or its array.
func (c *comparison) sameValue(keys map[object.Ref][]keyedQuery) error {
	list := slices.Concat(keys[c.content.Ref], keys[c.content.Value])
	if c.content.Tree != nil {
		for _, q := range c.queriesOf(c.content.Tree.Name, c.content.Entry.Key) {
			list = append(list, keyedQuery{q, c.content.Entry.Key})
		}
	}
	for _, k := range list {
		answer := Missed
		if !agrees(c.content.Set, c.queries[k.query].Tree, k.key) {
			answer = OtherCapture
		}
		if answer == OtherCapture && !c.queries[k.query].Prefix {
			continue // a viewer does not find this set, and its URL or ID is another
		}
		if err := c.add(k.query, answer, k.key, nil); err != nil {
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
	for _, q := range c.prefix {
		if role == webcapture.Destination && strings.HasPrefix(string(url), string(c.queries[q].Key)) {
			if err := c.add(q, Missed, nametree.Key(url), nil); err != nil {
				return err
			}
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

// viewerFinds reports whether a viewer that looks up the key in URLS finds the content set.
func (w *search) viewerFinds(key nametree.Key, content *webcapture.Content) (bool, error) {
	t := w.db.URLS
	if t == nil {
		return false, nil
	}
	i, ok := t.Find(key)
	if !ok {
		return false, nil
	}
	e := t.Entry(i)
	if slices.ContainsFunc(skipped, func(k nametree.DefectKind) bool { return t.DefectCount(k) > 0 }) {
		value, ok, err := w.reader.Lookup(webcapture.URLS, key)
		ref, _ := e.Value.Ref()
		if there, _ := value.Ref(); err != nil || !ok || there != ref {
			return false, err
		}
	}
	return w.leads(e, content)
}

// leads reports whether the value of an entry of URLS is the content set, or an array with it.
func (w *search) leads(e nametree.Entry, content *webcapture.Content) (bool, error) {
	ref, _ := e.Value.Ref()
	switch {
	case ref.Num != 0 && ref == content.Value:
		return true, nil
	case content.Tree == w.db.URLS && content.Entry.Node == e.Node && content.Entry.Pair == e.Pair:
		return true, nil
	}
	if err := w.reader.Pay(meter.Object + int64(len(e.Value.Raw()))); err != nil { // a set may have many URLs
		return false, err
	}
	for o, err := range w.reader.Values(e.Value) {
		if err != nil {
			return false, object.IgnoreMalformed(err)
		}
		if element, _ := o.Ref(); element.Num != 0 && element == content.Ref {
			return true, nil
		}
	}
	return false, nil
}

// skipped are the defects that [nametree.Tree.Find] skips, although a viewer may stop its search there.
var skipped = []nametree.DefectKind{nametree.Unreadable, nametree.KidNotDictionary, nametree.NodeCycle,
	nametree.NodeShared, nametree.KeyNull, nametree.KeyNotString, nametree.KeyUnreadable}

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
