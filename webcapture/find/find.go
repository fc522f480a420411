// Package find looks up captures by URL or digital identifier. It searches first as a viewer does, then in all
// content sets.
//
//	q, err := find.Parse("http://www.example.com/")
//	s := find.New([]find.Query{q})
//	res, err := s.Search(f)
//	for _, m := range res.Matches {
//		fmt.Println(m.Answer, m.Capture.URL)
//	}
//
// For each query, a search reads one path of a tree. It reads all content sets only if a viewer does not find a query.
package find

import (
	"cmp"
	"slices"
	"time"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/catalog"
)

// An Answer says how a content set matches a query.
type Answer string

// The answers, best first.
const (
	// Found means that a viewer finds the set, and the set has the URL or ID of the query, or none at all. At least
	// one page of a page set is in the document.
	Found Answer = "found"
	// Missed means that the set has the URL or ID, but a viewer does not find it, or none of its pages is in the
	// document.
	Missed Answer = "missed"
	// OtherCapture means that a viewer finds the set under the key, but the set has another URL or ID.
	OtherCapture Answer = "other capture"
	// Redirected means that a redirect leads from the URL of the query to the set.
	Redirected Answer = "redirected"
	// OtherForm means that the URL of the set, or of a redirect to it, is another form of the URL of the query: scheme,
	// "www.", port, case, escapes, or a slash differ.
	OtherForm Answer = "other form"
)

// Answers are the answers, best first.
var Answers = []Answer{Found, Missed, OtherCapture, Redirected, OtherForm}

// A Match is a content set that matches a query.
type Match struct {
	Query   int // index of the query
	Answer  Answer
	Capture *catalog.Capture
}

// A Result is the result of searching one file.
type Result struct {
	webcapture.Facts               // only Size and Present if a viewer finds all queries
	Matches          []Match       // sorted by query, then answer, date, and URL
	Unread           []rule.Unread // parts that could not be searched
}

// A Searcher searches files for queries. It is safe for concurrent use.
type Searcher struct {
	queries []Query
	keys    [webcapture.TreeCount]map[nametree.Key][]int
	loose   map[string][]int // by loose form
}

// New returns a Searcher for queries.
func New(queries []Query) *Searcher {
	s := &Searcher{queries: queries, loose: map[string][]int{}}
	for t := range s.keys {
		s.keys[t] = map[nametree.Key][]int{}
	}
	for i, q := range queries {
		s.keys[q.Tree][q.Key] = append(s.keys[q.Tree][q.Key], i)
		if q.Tree == webcapture.URLS {
			form := looseForm([]byte(q.Key))
			s.loose[form] = append(s.loose[form], i)
		}
	}
	return s
}

// Search searches a file for all queries. The error is an I/O error, that of the context, or about the catalog, see
// [webcapture.File.RetryWithoutXRef]. Other damage is in Unread.
func (s *Searcher) Search(f *webcapture.File) (*Result, error) {
	w := &search{Searcher: s, file: f, reader: f.NewReader(), found: make([]bool, len(s.queries)),
		out: &Result{Facts: webcapture.Facts{Size: f.Size(), Present: true}}}
	err := w.guided()
	if err == nil && slices.Contains(w.found, false) {
		err = w.all()
	}
	if err := rule.NoteOver(&w.out.Unread, err); err != nil {
		return nil, err
	}
	w.sort()
	return w.out, rule.NoteOver(&w.out.Unread, f.Meter().Over())
}

// A search is the search of one file.
type search struct {
	*Searcher
	file   *webcapture.File
	reader *webcapture.Reader
	found  []bool // by query: a viewer finds a match
	out    *Result
	buf    []byte
}

// guided looks queries up as a viewer does.
func (w *search) guided() error {
	for i, q := range w.queries {
		value, _, err := w.reader.Lookup(q.Tree, q.Key) // null leads to nothing
		if err == nil {
			err = w.leadsTo(i, value, false)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// leadsTo adds matches for the content sets in value, whose entry has the key of a query. If a viewer misses the entry,
// only sets without a URL or ID match: all others match by it.
func (w *search) leadsTo(query int, value object.Object, missed bool) error {
	var set webcapture.ContentSet
	for o, err := range w.reader.Values(value) {
		if err == nil {
			err = w.reader.Read(o, &set)
		}
		if err != nil {
			if err = object.IgnoreMalformed(err); err != nil {
				return err
			}
			continue // the search of all content sets reports the error
		}
		if !set.Recognized() {
			continue
		}
		ref, _ := o.Ref()
		c, unread, err := catalog.Of(w.file, w.reader, &webcapture.Content{Ref: ref, Set: &set, Index: -1})
		if err != nil {
			return err
		}
		w.out.Unread = append(w.out.Unread, unread...)
		answer, isBare := w.answer(query, c)
		switch {
		case !missed:
			w.found[query] = w.found[query] || answer == Found
		case isBare:
			answer = Missed
		default:
			continue
		}
		if err := w.add(query, answer, c); err != nil {
			return err
		}
	}
	return nil
}

// answer returns the answer for a content set to which a viewer comes. isBare reports whether the set has no URL or ID.
// A set without a URL gets that of the query.
func (w *search) answer(query int, c *catalog.Capture) (answer Answer, isBare bool) {
	q := w.queries[query]
	agrees := nametree.Key(c.ID) == q.Key
	isBare = c.ID == ""
	if q.Tree == webcapture.URLS {
		urls := w.urls(c)
		isBare = len(urls) == 0
		agrees = slices.ContainsFunc(urls, func(u sourceURL) bool { return nametree.Key(u.canonical) == q.Key })
		if isBare {
			c.URL, c.Canonical = catalog.Text(q.Key), catalog.Text(q.Key)
		}
	}
	switch {
	case !agrees && !isBare:
		return OtherCapture, false
	case c.Kind == catalog.Page && len(c.Pages) == 0:
		return Missed, isBare
	}
	return Found, isBare
}

// sourceURL is a URL of a source of a capture.
type sourceURL struct {
	canonical string
	answer    Answer // Missed for the destination, which a viewer does not find; else Redirected
}

// urls returns the URLs of the sources of a capture.
func (w *search) urls(c *catalog.Capture) (list []sourceURL) {
	add := func(u catalog.Text, a Answer) {
		w.buf = canon.PDF.Append(w.buf[:0], []byte(u))
		list = append(list, sourceURL{string(w.buf), a})
	}
	for _, s := range c.Sources {
		if s.URL != "" {
			add(s.URL, Missed)
		}
		for _, u := range slices.Concat(s.Redirects...) {
			add(u, Redirected)
		}
	}
	return list
}

// all searches all content sets for the queries that a viewer does not find.
func (w *search) all() error {
	db, err := w.file.Database()
	if err != nil {
		return err
	}
	w.out.Facts = w.file.Facts(db)
	c, err := catalog.New(w.file, db)
	if err != nil {
		return err
	}
	defer func() { w.out.Unread = append(w.out.Unread, c.Unread()...) }()
	w.out.Matches = slices.DeleteFunc(w.out.Matches, func(m Match) bool { return m.Answer == Missed }) // added again
	for capture, err := range c.Captures() {
		if err == nil {
			err = w.compare(capture)
		}
		if err != nil {
			return err
		}
	}
	type entry struct {
		query int
		value object.Ref
	}
	seen := map[entry]bool{}
	for _, t := range db.Trees() {
		for _, e := range t.Entries() {
			for _, q := range w.keys[t.Name][e.Key] {
				ref, _ := e.Value.Ref()
				if w.found[q] || seen[entry{q, ref}] {
					continue
				}
				seen[entry{q, ref}] = ref.Num != 0
				if err := w.leadsTo(q, e.Value, true); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// compare adds matches of a capture. It matches a query once, with the best answer.
func (w *search) compare(c *catalog.Capture) error {
	best := map[int]Answer{}
	note := func(list []int, a Answer) {
		for _, q := range list {
			if before, ok := best[q]; !w.found[q] && (!ok || a.rank() < before.rank()) {
				best[q] = a
			}
		}
	}
	note(w.keys[webcapture.IDS][nametree.Key(c.ID)], Missed)
	for _, u := range w.urls(c) {
		note(w.keys[webcapture.URLS][nametree.Key(u.canonical)], u.answer)
		if len(w.loose) > 0 {
			note(w.loose[looseForm([]byte(u.canonical))], OtherForm)
		}
	}
	for q, a := range best {
		if err := w.add(q, a, c); err != nil {
			return err
		}
	}
	return nil
}

func (a Answer) rank() int { return slices.Index(Answers, a) }

// add adds a match.
func (w *search) add(query int, answer Answer, c *catalog.Capture) error {
	w.out.Matches = append(w.out.Matches, Match{query, answer, c})
	return w.reader.Keep(matchSize + int64(len(c.URL)+len(c.Title)+len(c.Canonical)))
}

// matchSize is the memory of a match without its texts, in bytes.
const matchSize = 400

// sort sorts the matches. It removes those in other forms of a query if there are others.
func (w *search) sort() {
	exact := map[int]bool{}
	for _, m := range w.out.Matches {
		exact[m.Query] = exact[m.Query] || m.Answer == Missed
	}
	w.out.Matches = slices.DeleteFunc(w.out.Matches, func(m Match) bool {
		return exact[m.Query] && (m.Answer == OtherForm || m.Answer == Redirected)
	})
	slices.SortStableFunc(w.out.Matches, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(a.Answer.rank(), b.Answer.rank()),
			compareDates(a.Capture.Captured, b.Capture.Captured), cmp.Compare(a.Capture.URL, b.Capture.URL))
	})
}

// compareDates orders dates. Captures without a date come last.
func compareDates(a, b time.Time) int {
	if a.IsZero() != b.IsZero() {
		return b.Compare(a)
	}
	return a.Compare(b)
}
