// Package keys lists the entries of the two name trees, each with the verdict of an audit.
//
//	rep, err := audit.Run(f, audit.Options{Keys: true})
//	…
//	list := keys.Of(f, db, rep)
//	for row, err := range list.Rows() {
//		…
//	}
//
// The verdict follows from the findings of the audit. This package has no rules of its own.
package keys

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Verdict is the judgement of a key.
type Verdict uint8

// The verdicts, in the order of rows.
const (
	Wrong     Verdict = iota // an audit has an error or warning about the key
	Unchecked                // nothing in the file says whether the key is right
	Right                    // a key of URLS that is a canonical URL of a content set in its value
	Agrees                   // a key of IDS that is the ID of a content set in its value
	Proven                   // Agrees, and the ID is the MD5 of the data of an image, or of a capture in a source

	Verdicts
)

// String returns the verdict in words.
func (v Verdict) String() string {
	return [Verdicts]string{"wrong", "cannot be checked", "right", "agrees", "proven"}[v]
}

// Row is an entry of a name tree.
type Row struct {
	Tree     webcapture.TreeName
	Key      nametree.Key
	Expected nametree.Key // the key by the standard: Key unless Wrong; empty if it is unknown
	Verdict  Verdict
	Rule     *rule.Rule // rule of the first finding about the key; nil unless Wrong
	Reason   string     // why it is wrong, unchecked, or not proven, or which source proves it; may be empty
	Page     int        // number of the first page of the content set, from 1; 0 if it has none
	Set      object.Ref // first content set in the value; Num 0 for a direct object
	Image    object.Ref // first image of an image set; Num 0 if there is none

	// URL is only for IDS: a key of URLS with the same value. It is empty if there is none.
	URL nametree.Key

	list *List
}

// List is the list of entries of a file.
type List struct {
	Counts [webcapture.TreeCount][Verdicts]int

	file       *webcapture.File
	db         *webcapture.Database
	rep        *audit.Report
	reader     *webcapture.Reader
	verdicts   [webcapture.TreeCount][]Verdict   // by index of the entry
	findings   [webcapture.TreeCount]map[int]int // index of the finding about a key, by index of the entry
	byContent  map[object.Ref]int                // index of the finding about the data of a content set
	identities map[object.Ref]int                // index of the identity of a content set
	urls       []int32                           // index of an entry of URLS, plus one, by the object number of its value
	unread     map[object.Ref]bool               // content sets that could not be read
	incomplete error                             // why findings are missing
}

// Of returns the list of an audited file. The audit must have the option Keys, and all rules. The error is one of
// reading the file that is not about its content.
func Of(f *webcapture.File, db *webcapture.Database, rep *audit.Report) (*List, error) {
	l := &List{file: f, db: db, rep: rep, reader: f.NewReader(), byContent: map[object.Ref]int{},
		identities: map[object.Ref]int{}, unread: map[object.Ref]bool{}, incomplete: rep.OverBudget()}
	l.collect()
	for _, t := range db.Trees() {
		l.verdicts[t.Name] = make([]Verdict, t.Len())
		for i, e := range t.Entries() {
			v, err := l.verdict(t, i, e)
			if err != nil {
				return nil, err
			}
			if ref, ok := e.Value.Ref(); ok && t.Name == webcapture.URLS && ref.Num <= object.MaxNumber {
				if more := int(ref.Num) + 1 - len(l.urls); more > 0 {
					l.urls = append(l.urls, make([]int32, more)...)
				}
				l.urls[ref.Num] = int32(i + 1)
			}
			l.verdicts[t.Name][i] = v
			l.Counts[t.Name][v]++
		}
	}
	return l, nil
}

// collect finds the findings about keys and about the data of content sets, and the identities.
func (l *List) collect() {
	for i, f := range l.rep.Findings {
		if f.Level() < rule.Warning {
			continue
		}
		at := f.Place
		if name, ok := webcapture.ParseTreeName(at.Tree); ok && isAboutKeys(f.Rule) && at.Node != nil && !at.Node.Kid {
			if entry, ok := l.db.Tree(name).EntryAt(at.Node.Position(), at.Node.Index); ok {
				l.note(name, entry, i)
			}
		}
		if f.Rule.CheckIdentity != nil || f.Rule.Action == rule.RecomputeID {
			l.byContent[at.Set] = i
		}
	}
	for _, u := range l.rep.Unread {
		l.unread[u.Place.Set] = u.Place.Set.Num != 0
	}
	for i := range l.rep.Identities {
		if set := l.rep.Identities[i].Place.Set; set.Num != 0 {
			l.identities[set] = i
		}
	}
}

// note records a finding about a key, unless there is one with a higher level.
func (l *List) note(tree webcapture.TreeName, entry, finding int) {
	if l.findings[tree] == nil {
		l.findings[tree] = map[int]int{}
	}
	before, ok := l.findings[tree][entry]
	if !ok || l.rep.Findings[before].Rule.Level < l.rep.Findings[finding].Rule.Level {
		l.findings[tree][entry] = finding
	}
}

// isAboutKeys reports whether findings of a rule at an entry are about its key.
func isAboutKeys(r *rule.Rule) bool {
	group := r.Group().Name
	return (group == "urls" || group == "ids") && (r.CheckURL != nil || r.CheckValue != nil || r.CheckTree != nil)
}

// verdict returns the verdict on an entry.
func (l *List) verdict(t *webcapture.Tree, i int, e nametree.Entry) (Verdict, error) {
	if _, ok := l.findings[t.Name][i]; ok {
		return Wrong, nil
	}
	if l.incomplete != nil {
		return Unchecked, nil
	}
	ref, _ := e.Value.Ref()
	if l.isOpen(t, i, e) {
		s, err := l.agreeing(t.Name, e)
		if s == nil || err != nil {
			return Unchecked, err
		}
		ref = s.Ref
	}
	if t.Name == webcapture.URLS {
		return Right, nil
	}
	if _, differs := l.byContent[ref]; differs && ref.Num != 0 {
		return Wrong, nil
	}
	if l.isProven(ref) {
		return Proven, nil
	}
	return Agrees, nil
}

// isOpen reports whether an entry is not known to agree with its content sets.
func (l *List) isOpen(t *webcapture.Tree, i int, e nametree.Entry) bool {
	ref, _ := e.Value.Ref()
	return len(l.unread) > 0 && l.unread[ref] || l.rep.Keys.IsDeferred(t.Name, i)
}

// isProven reports whether the ID of a content set is the MD5 of the data of an image, or of a capture in a source.
func (l *List) isProven(set object.Ref) bool {
	id, s := l.identity(set), l.rep.Keys.Set(set)
	return id != nil && id.Proof == rule.Verified || s != nil && s.Proof == rule.Verified
}

// identity returns the result of comparing a content set with the sources; nil without sources.
func (l *List) identity(set object.Ref) *rule.Identity {
	i, ok := l.identities[set]
	if !ok || set.Num == 0 {
		return nil
	}
	return &l.rep.Identities[i]
}

// agreeing returns the first content set in the value of an entry that has the key as its ID or URL; nil if there is
// none.
func (l *List) agreeing(tree webcapture.TreeName, e nametree.Entry) (found *rule.Set, err error) {
	for s, err := range l.sets(e) {
		if err != nil {
			return nil, err
		}
		if s.Recognized() && (tree == webcapture.URLS && s.Accepts(e.Key) ||
			tree == webcapture.IDS && string(s.ID.Bytes) == string(e.Key)) {
			return s, nil
		}
	}
	return nil, nil
}

// sets yields the readable content sets in the value of an entry. It stops after an error that is not about the content
// of the file.
func (l *List) sets(e nametree.Entry) iter.Seq2[*rule.Set, error] {
	return func(yield func(*rule.Set, error) bool) {
		for o, err := range l.reader.Values(e.Value) {
			s := new(rule.Set)
			s.Ref, _ = o.Ref()
			if err == nil {
				err = l.reader.Read(o, &s.ContentSet)
			}
			if object.IsMalformed(err) {
				continue
			}
			if !yield(s, err) || err != nil {
				return
			}
		}
	}
}

// Rows yields the entries: wrong keys first, then those that cannot be checked, then all others, each in the order of
// the trees. A Row is valid until the next one. An error is the last element.
func (l *List) Rows() iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		row := new(Row)
		for _, first := range []Verdict{Wrong, Unchecked, Right} {
			for _, t := range l.db.Trees() {
				for i, v := range l.verdicts[t.Name] {
					if min(v, Right) != first {
						continue
					}
					err := l.fill(row, t, i, v)
					if !yield(row, err) || err != nil {
						return
					}
				}
			}
		}
	}
}

// fill sets the row of an entry.
func (l *List) fill(r *Row, t *webcapture.Tree, i int, v Verdict) error {
	e := t.Entry(i)
	*r = Row{Tree: t.Name, Key: e.Key, Expected: e.Key, Verdict: v, list: l}
	r.Set, _ = e.Value.Ref()
	if t.Name == webcapture.IDS && int64(r.Set.Num) < int64(len(l.urls)) && l.urls[r.Set.Num] > 0 {
		url := l.db.Tree(webcapture.URLS).Entry(int(l.urls[r.Set.Num]) - 1)
		if ref, _ := url.Value.Ref(); ref == r.Set {
			r.URL = url.Key
		}
	}
	if l.isOpen(t, i, e) {
		if err := l.describeValue(r, e); err != nil {
			return err
		}
	}
	s := l.rep.Keys.Set(r.Set)
	if s != nil {
		r.Page, r.Image = int(s.Page), s.Image
	}
	switch v {
	case Wrong:
		l.explainWrong(r, i, s)
	case Unchecked:
		r.Expected = ""
		if l.incomplete != nil {
			r.Reason = l.incomplete.Error()
		}
	case Proven:
		if id := l.identity(r.Set); id != nil && id.Proof == rule.Verified {
			r.Reason = fmt.Sprintf("proven by %s: %s", id.Where, cmp.Or(id.Evidence(), id.Reading))
		}
	case Agrees:
		switch id := l.identity(r.Set); {
		case id != nil:
			r.Reason = "not proven: " + id.Reason
		case r.Image.Num == 0:
		case s.Proof == rule.Mismatch:
			r.Reason = fmt.Sprintf("not proven: the MD5 of the image data is <%v>", s.MD5)
		default:
			r.Reason = "not proven: the PDF stores the image in another form than the fetched file"
		}
	}
	return nil
}

// explainWrong sets the reason and the expected key of a wrong key.
func (l *List) explainWrong(r *Row, entry int, s *rule.SetSummary) {
	k, ok := l.findings[r.Tree][entry]
	if !ok {
		k = l.byContent[r.Set]
	}
	f := l.rep.Findings[k]
	r.Rule, r.Reason = f.Rule, f.Message
	switch {
	case ok && f.Fix != nil && f.Fix.Old == r.Key && f.Fix.New != "":
		r.Expected = f.Fix.New
	case !ok && s != nil && s.Proof == rule.Mismatch:
		r.Expected = nametree.Key(s.MD5[:])
	case r.Expected == r.Key:
		r.Expected = ""
	}
}

// describeValue sets the content set of an entry that is not known to agree with it, and what the content set expects.
func (l *List) describeValue(r *Row, e nametree.Entry) error {
	r.Set, r.Expected = object.Ref{}, ""
	n := 0
	for s, err := range l.sets(e) {
		if err != nil {
			return err
		}
		if n++; n == 1 {
			r.Set = s.Ref
		}
		if r.Verdict != Wrong && r.Verdict != Unchecked {
			r.Expected = r.Key
			continue
		}
		if id, ok := s.Identifier(); ok && r.Tree == webcapture.IDS && n == 1 {
			r.Expected = nametree.Key(id[:])
		}
	}
	switch {
	case n == 0:
		r.Reason = "no content set in the value can be read"
	case r.Tree == webcapture.URLS:
		r.Reason = "no content set in the value has a URL"
	default:
		r.Reason = "no content set in the value has an ID"
	}
	return nil
}

// JPEG returns the first image of the row, if the file has it as a JPEG of at most limit bytes; nil otherwise. The
// error is one of reading the file that is not about its content.
func (r *Row) JPEG(limit int) ([]byte, error) {
	if r.Image.Num == 0 {
		return nil, nil
	}
	data, err := r.list.jpeg(r.Image, int64(limit))
	if err != nil || len(data) > limit || !bytes.HasPrefix(data, []byte("\xff\xd8\xff")) {
		return nil, object.IgnoreMalformed(err)
	}
	return data, nil
}

func (l *List) jpeg(image object.Ref, limit int64) ([]byte, error) {
	o, err := l.reader.Get(image)
	if err != nil {
		return nil, err
	}
	dict, _ := o.Dict()
	look := func(o object.Object) (object.Object, bool) {
		found, err := l.reader.Resolve(o)
		return found, err == nil
	}
	if o.Kind() != object.Stream || !webcapture.IsAsFetched(dict, look) {
		return nil, nil
	}
	data, err := l.reader.Stream(image)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(data, limit+1))
}
