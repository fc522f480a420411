// Package find looks up captures by URL or digital identifier, first as a viewer does, then in all content sets.
//
//	q, err := find.Parse("http://www.example.com/")
//	s := find.New([]find.Query{q}, audit.Options{})
//	res, err := s.Search(f)
//	for _, m := range res.Matches {
//		fmt.Println(m.Answer, m.Capture.URL)
//	}
//
// A search reads one path of a tree for each query. Only a file in which a viewer does not find a query is read as a
// whole, and it is audited only if a content set has the URL or identifier all the same.
package find

import (
	"cmp"
	"errors"
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

// An Answer is the way in which a content set answers a query.
type Answer string

// The answers, from the best.
const (
	// Found: a viewer finds the set, and its source or ID matches. A page set has a page in the document.
	Found Answer = "found"
	// Missed: the set has the URL or ID, but a viewer does not find it, or none of its pages.
	Missed Answer = "missed"
	// OtherCapture: a viewer finds the set under the key, but it has another URL or ID.
	OtherCapture Answer = "other capture"
	// OtherForm: the URL of the set, or one redirected to it, is another form of the URL.
	OtherForm Answer = "other form"
)

var answers = []Answer{Found, Missed, OtherCapture, OtherForm}

// A Match is a content set that answers a query.
type Match struct {
	Query    int // index
	Answer   Answer
	Capture  *catalog.Capture // without pages of images and without a status
	Rules    []string         // of a Missed one: the rules that the audit found broken there, the gravest first
	Repaired bool             // webcap rewrite repairs one of them
	Differs  []string         // of an OtherForm: what differs, such as "scheme"
}

// A Result is what a search found in one file.
type Result struct {
	webcapture.Facts               // only the read parts, without entries, if only paths of the trees were read
	Matches          []Match       // by query, then answer, date, and URL
	Unread           []rule.Unread // parts that could not be searched
}

// A Searcher looks for queries in files. It serves any number of goroutines.
type Searcher struct {
	queries []Query
	opt     audit.Options
	keys    [webcapture.TreeCount]map[nametree.Key][]int
	loose   map[string][]int
	prefix  []int
}

// New returns a Searcher for queries. The options are those of the audit of files in which a viewer misses something.
func New(queries []Query, opt audit.Options) *Searcher {
	s := &Searcher{queries: queries, opt: opt, loose: map[string][]int{}}
	for t := range s.keys {
		s.keys[t] = map[nametree.Key][]int{}
	}
	for i, q := range queries {
		switch {
		case q.Prefix:
			s.prefix = append(s.prefix, i)
		default:
			s.keys[q.Tree][q.Key] = append(s.keys[q.Tree][q.Key], i)
			if q.Tree == webcapture.URLS {
				form := looseForm([]byte(q.Key))
				s.loose[form] = append(s.loose[form], i)
			}
		}
	}
	return s
}

// Search searches a file for all queries. The error is that of the disk or the context, or about the catalog, see
// [webcapture.File.Repairing]; other damage is in Unread.
func (s *Searcher) Search(f *webcapture.File) (*Result, error) {
	w := &search{Searcher: s, file: f, reader: f.NewReader(), found: make([]bool, len(s.queries)),
		out: &Result{Facts: webcapture.Facts{Size: f.Size(), Present: true}}}
	if err := w.guided(); err != nil {
		return nil, err
	}
	if slices.Contains(w.found, false) {
		if err := w.full(); err != nil {
			return nil, err
		}
	}
	w.sort()
	w.out.Unread = rule.GatherUnread(w.out.Unread)
	return w.out, nil
}

// A search is the search of one file.
type search struct {
	*Searcher
	file   *webcapture.File
	reader *webcapture.Reader
	db     *webcapture.Database // nil for a guided search
	found  []bool               // by a viewer, by query
	exact  []bool               // by query: a set has the URL or ID
	out    *Result
	size   int64 // of the matches, about
}

// guided looks queries up as a viewer does.
func (w *search) guided() error {
	for i, q := range w.queries {
		if q.Prefix {
			continue
		}
		value, ok, err := w.reader.Lookup(q.Tree, q.Key)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if w.found[i], err = w.leadsTo(i, value); err != nil {
			return err
		}
	}
	return nil
}

// leadsTo adds matches for the content sets of an entry with the key of a query. It reports whether one of them
// really matches.
func (w *search) leadsTo(query int, value object.Object) (found bool, err error) {
	var set webcapture.ContentSet
	for o, err := range w.reader.Values(value) {
		if err == nil {
			err = w.reader.Read(o, &set)
		}
		if err != nil {
			if err = object.IgnoreMalformed(err); err != nil {
				return false, err
			}
			continue // the full search says so
		}
		if !set.Recognized() {
			continue
		}
		ref, _ := o.Ref()
		answer := Found
		if !agrees(&set, w.queries[query]) {
			answer = OtherCapture
		}
		m, err := w.match(query, answer, &webcapture.Content{Ref: ref, Set: &set, Index: -1})
		if err != nil {
			return false, err
		}
		found = found || m.Answer == Found
	}
	return found, nil
}

// agrees reports whether a content set has the URL or the ID of a query; a set without any agrees.
func agrees(set *webcapture.ContentSet, q Query) bool {
	if q.Tree == webcapture.IDS {
		return len(set.ID.Bytes) == 0 || nametree.Key(set.ID.Bytes) == q.Key
	}
	says := false
	var buf []byte
	for i := range set.Sources {
		for _, u := range set.Sources[i].URLs() {
			buf = canon.PDF.Append(buf[:0], u)
			if nametree.Key(buf) == q.Key || q.Prefix && strings.HasPrefix(string(buf), string(q.Key)) {
				return true
			}
			says = true
		}
	}
	return !says
}

var errMatches error = &object.Malformed{
	Reason: "matches from here on are omitted: too much output for a file of this size"}

// match adds a match. A page set without a page that the document has is not Found but Missed.
func (w *search) match(query int, answer Answer, content *webcapture.Content) (*Match, error) {
	c, unread, err := catalog.Of(w.file, w.reader, content)
	if err != nil {
		return nil, err
	}
	w.out.Unread = append(w.out.Unread, unread...)
	if c.URL == "" && w.queries[query].Tree == webcapture.URLS && !w.queries[query].Prefix {
		c.URL = string(w.queries[query].Key)
		c.Canonical = c.URL
	}
	if answer == Found && c.Kind == catalog.Page && len(c.Pages) == 0 {
		answer = Missed
	}
	m := Match{Query: query, Answer: answer, Capture: c}
	if w.size += matchSize + int64(len(c.URL)+len(c.Title)+len(c.Canonical)); w.size > w.file.Budget().Output {
		if len(w.out.Unread) == 0 || !errors.Is(w.out.Unread[len(w.out.Unread)-1].Err, errMatches) {
			w.out.Unread = append(w.out.Unread, rule.Unread{Place: rule.PlaceOfContent(content), Err: errMatches})
		}
		return &m, nil
	}
	w.out.Matches = append(w.out.Matches, m)
	return &w.out.Matches[len(w.out.Matches)-1], nil
}

// matchSize is about what a match takes in output, besides its texts.
const matchSize = 400

func (w *search) sort() {
	slices.SortStableFunc(w.out.Matches, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Query, b.Query),
			cmp.Compare(slices.Index(answers, a.Answer), slices.Index(answers, b.Answer)),
			compareDates(a.Capture.Captured(), b.Capture.Captured()), cmp.Compare(a.Capture.URL, b.Capture.URL))
	})
}

// compareDates puts captures without a date last.
func compareDates(a, b catalog.Date) int {
	if a.OK() != b.OK() {
		return map[bool]int{true: -1, false: 1}[a.OK()]
	}
	return a.Time.Compare(b.Time)
}
