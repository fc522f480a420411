// Package keys lists the entries of the two name trees, each with the verdict of an audit.
//
//	rep, err := audit.Run(f, audit.Options{Keys: true})
//	…
//	for row, err := range keys.Of(f, db, rep).Rows() {
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
	file       *webcapture.File
	db         *webcapture.Database
	rep        *audit.Report
	reader     *webcapture.Reader
	findings   [webcapture.TreeCount]map[int]int // index of the finding about a key, by index of the entry
	byContent  map[object.Ref]int                // index of the finding about the data of a content set
	identities map[object.Ref]int                // index of the identity of a content set
	unread     map[object.Ref]bool               // content sets that could not be read
	incomplete error                             // why findings are missing
}

// Of returns the list of an audited file. The audit must have the option Keys, and all rules.
func Of(f *webcapture.File, db *webcapture.Database, rep *audit.Report) *List {
	l := &List{file: f, db: db, rep: rep, reader: f.NewReader(), byContent: map[object.Ref]int{},
		identities: map[object.Ref]int{}, unread: map[object.Ref]bool{}, incomplete: rep.OverBudget()}
	l.collect()
	return l
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
		if at.Set.Num != 0 && (f.Rule.CheckIdentity != nil || f.Rule.Action == rule.RecomputeID) {
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

// Rows yields the entries in the order of the trees, URLS first. A Row is valid until the next one. An error is the
// last element; it is one of reading the file that is not about its content.
func (l *List) Rows() iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		row := new(Row)
		var urls []int32 // index of an entry of URLS, plus one, by the object number of its value
		for _, t := range l.db.Trees() {
			for i, e := range t.Entries() {
				*row = Row{Tree: t.Name, Key: e.Key, list: l}
				row.Set, _ = e.Value.Ref()
				switch num := int64(row.Set.Num); {
				case num == 0: // a direct object
				case t.Name == webcapture.URLS && num <= object.MaxNumber:
					if more := num + 1 - int64(len(urls)); more > 0 {
						urls = append(urls, make([]int32, more)...)
					}
					urls[num] = int32(i + 1)
				case t.Name == webcapture.IDS && num < int64(len(urls)) && urls[num] > 0:
					url := l.db.Tree(webcapture.URLS).Entry(int(urls[num]) - 1)
					if ref, _ := url.Value.Ref(); ref == row.Set {
						row.URL = url.Key
					}
				}
				err := l.judge(row, i, e)
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

// judge sets the verdict on an entry, and what follows from it.
func (l *List) judge(r *Row, i int, e nametree.Entry) error {
	finding, isWrong := l.findings[r.Tree][i]
	agrees := true
	if l.unread[r.Set] || l.rep.Keys.IsDeferred(r.Tree, i) {
		var err error
		if agrees, err = l.readValue(r, e); err != nil {
			return err
		}
	}
	s := l.rep.Keys.Set(r.Set)
	if s != nil {
		r.Page, r.Image = int(s.Page), s.Image
	}
	if !isWrong && agrees && r.Tree == webcapture.IDS && l.incomplete == nil {
		finding, isWrong = l.byContent[r.Set]
		if isWrong && s != nil && s.Proof == rule.Mismatch {
			r.Expected = nametree.Key(s.MD5[:])
		}
	}
	isData := r.Tree == webcapture.IDS && s != nil && s.Proof != rule.NotCheckable && r.Key == nametree.Key(s.MD5[:])
	switch {
	case isWrong && isData:
		// The finding is about another record of the ID.
		r.Verdict, r.Expected, r.Reason = Proven, r.Key, l.rep.Findings[finding].Message
		return nil
	case isWrong:
		r.Verdict = Wrong
		l.explainWrong(r, &l.rep.Findings[finding])
		return nil
	case l.incomplete != nil:
		r.Verdict, r.Expected, r.Reason = Unchecked, "", l.incomplete.Error()
		return nil
	case !agrees:
		r.Verdict, r.Expected = Unchecked, ""
		return nil
	}
	r.Reason, r.Expected = "", r.Key
	if r.Verdict = Right; r.Tree == webcapture.IDS {
		r.Verdict = Agrees
		l.explainAgrees(r, s)
	}
	return nil
}

// readValue reads the content sets in the value of an entry that is not known to agree with them. It sets Set to the
// one that has the key as its ID or URL, or else to the first; Expected to the ID of the first; and Reason to why none
// has the key. It reports whether one has the key.
func (l *List) readValue(r *Row, e nametree.Entry) (agrees bool, err error) {
	r.Set = object.Ref{}
	n := 0
	for s, err := range l.sets(e) {
		if err != nil {
			return false, err
		}
		if n++; n == 1 {
			r.Set = s.Ref
			if id, ok := s.Identifier(); ok && r.Tree == webcapture.IDS {
				r.Expected = nametree.Key(id[:])
			}
		}
		if s.Recognized() && (r.Tree == webcapture.URLS && s.Accepts(e.Key) ||
			r.Tree == webcapture.IDS && string(s.ID.Bytes) == string(e.Key)) {
			r.Set = s.Ref
			return true, nil
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
	return false, nil
}

// explainWrong sets the reason and the expected key of a wrong key.
func (l *List) explainWrong(r *Row, f *rule.Finding) {
	r.Rule, r.Reason = f.Rule, f.Message
	switch {
	case f.Fix != nil && f.Fix.Old == r.Key && f.Fix.New != "":
		r.Expected = f.Fix.New
	case r.Expected == r.Key:
		r.Expected = ""
	}
}

// explainAgrees says whether the ID of a content set is proven, and why.
func (l *List) explainAgrees(r *Row, s *rule.SetSummary) {
	id := l.identity(r.Set)
	switch {
	case id != nil && id.Proof == rule.Verified:
		r.Verdict = Proven
		r.Reason = fmt.Sprintf("proven by %s: %s", id.Where, cmp.Or(id.Evidence(), id.Reading))
	case s != nil && s.Proof == rule.Verified:
		r.Verdict = Proven
	case id != nil:
		r.Reason = "not proven: " + id.Reason
	case r.Image.Num == 0:
	case s.Proof == rule.Mismatch:
		r.Reason = fmt.Sprintf("not proven: the MD5 of the image data is <%v>", s.MD5)
	default:
		r.Reason = "not proven: the PDF stores the image in another form than the fetched file"
	}
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
