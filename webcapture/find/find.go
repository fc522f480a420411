// Package find looks up captures by URL or digital identifier. It searches first as a viewer does, then in all
// content sets.
//
//	q, err := find.Parse("http://www.example.com/")
//	s := find.New([]find.Query{q}, audit.Options{})
//	res, err := s.Search(f)
//	for _, m := range res.Matches {
//		fmt.Println(m.Answer, m.Capture.URL)
//	}
//
// For each query, a search reads one path of a tree. It reads all content sets only if a viewer does not find a query.
// It audits the file only if, in addition, a content set has the URL or identifier of such a query.
package find

import (
	"cmp"
	"slices"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
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
	// OtherForm means that the URL of the set is another form of the URL of the query, or that a redirect leads from
	// the URL of the query, or another form of it, to the set.
	OtherForm Answer = "other form"
)

var answers = []Answer{Found, Missed, OtherCapture, OtherForm}

// A Match is a content set that matches a query.
type Match struct {
	Query   int // index of the query
	Answer  Answer
	Capture *catalog.Capture // lacks the pages of images, and the status
	Rules   []string         // only for Missed: the rules violated there, the most severe first
	Differs []string         // only for OtherForm: the parts that differ, such as "scheme"
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
	opt     audit.Options
	keys    [webcapture.TreeCount]map[nametree.Key][]int
	loose   map[string][]int
}

// New returns a Searcher for queries. opt are the options for auditing files in which a viewer misses a match.
func New(queries []Query, opt audit.Options) *Searcher {
	s := &Searcher{queries: queries, opt: opt, loose: map[string][]int{}}
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
		err = w.full()
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
	db     *webcapture.Database // nil before the full search
	found  []bool               // by query: a viewer finds a match
	exact  []bool               // by query: a set has the URL or ID
	out    *Result
}

// guided looks queries up as a viewer does.
func (w *search) guided() error {
	for i, q := range w.queries {
		value, _, err := w.reader.Lookup(q.Tree, q.Key) // null leads to nothing
		if err != nil {
			return err
		}
		if w.found[i], err = w.leadsTo(i, value); err != nil {
			return err
		}
	}
	return nil
}

// leadsTo adds matches for the content sets in value, whose entry has the key of a query. It reports whether one of
// them is Found.
func (w *search) leadsTo(query int, value object.Object) (found bool, err error) {
	var set webcapture.ContentSet
	for o, err := range w.reader.Values(value) {
		if err == nil {
			err = w.reader.Read(o, &set)
		}
		if err != nil {
			if err = object.IgnoreMalformed(err); err != nil {
				return found, err
			}
			continue // the full search reports the error
		}
		if !set.Recognized() {
			continue
		}
		ref, _ := o.Ref()
		answer := Found
		q := w.queries[query]
		if !agrees(&set, q.Tree, q.Key) {
			answer = OtherCapture
		}
		m, err := w.match(query, answer, q.Key, &webcapture.Content{Ref: ref, Set: &set, Index: -1})
		if err != nil {
			return found, err
		}
		found = found || m.Answer == Found
	}
	return found, nil
}

// agrees reports whether the key of a content set in a tree is one of its URLs, or its ID. A set without any URL or ID
// also agrees.
func agrees(set *webcapture.ContentSet, tree webcapture.TreeName, key nametree.Key) bool {
	if tree == webcapture.IDS {
		return len(set.ID.Bytes) == 0 || nametree.Key(set.ID.Bytes) == key
	}
	says := false
	var buf []byte
	for i := range set.Sources {
		for _, u := range set.Sources[i].URLs() {
			if buf = canon.PDF.Append(buf[:0], u); nametree.Key(buf) == key {
				return true
			}
			says = true
		}
	}
	return !says
}

// match adds a match. key is the URL of a set without one. If no page of a page set is in the document, Found becomes
// Missed.
func (w *search) match(query int, answer Answer, key nametree.Key, content *webcapture.Content) (*Match, error) {
	c, unread, err := catalog.Of(w.file, w.reader, content)
	if err != nil {
		return nil, err
	}
	w.out.Unread = append(w.out.Unread, unread...)
	if c.URL == "" && w.queries[query].Tree == webcapture.URLS {
		c.URL = string(key)
		c.Canonical = c.URL
	}
	if answer == Found && c.Kind == catalog.Page && len(c.Pages) == 0 {
		answer = Missed
	}
	m := Match{Query: query, Answer: answer, Capture: c}
	if err := w.reader.Keep(matchSize + int64(len(c.URL)+len(c.Title)+len(c.Canonical))); err != nil {
		return nil, err
	}
	w.out.Matches = append(w.out.Matches, m)
	return &w.out.Matches[len(w.out.Matches)-1], nil
}

// matchSize is the memory of a match without its texts, in bytes.
const matchSize = 400

func (w *search) sort() {
	slices.SortStableFunc(w.out.Matches, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Query, b.Query),
			cmp.Compare(slices.Index(answers, a.Answer), slices.Index(answers, b.Answer)),
			compareDates(a.Capture.Captured(), b.Capture.Captured()), cmp.Compare(a.Capture.URL, b.Capture.URL))
	})
}

// compareDates orders dates. Captures without a date come last.
func compareDates(a, b catalog.Date) int {
	if a.OK() != b.OK() {
		return map[bool]int{true: -1, false: 1}[a.OK()]
	}
	return a.Time.Compare(b.Time)
}
