package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/page"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// sourcedSet is a content set whose ID is to be checked against its source.
type sourcedSet struct {
	ref object.Ref
	set *rule.Set // only if ref.Num is 0
}

// noteIdentity records a content set for the phase of identities.
func (w *Worker) noteIdentity(s *rule.Set) {
	if !w.Run.wantsIdentities() {
		return
	}
	one := sourcedSet{ref: s.Ref}
	if s.Ref.Num == 0 {
		one.set = s
	}
	w.sourced = append(w.sourced, one)
}

func (r *Runner) wantsIdentities() bool { return r.opt.Source != nil || r.opt.Embedded }

// identities is the sixth phase: it checks the ID of each content set against its source.
func (r *Runner) identities() error {
	if !r.wantsIdentities() {
		return nil
	}
	var files []source.Source
	if r.opt.Source != nil {
		files = append(files, r.opt.Source)
	}
	opaque := false
	err := r.each(1, func(w *Worker, _, _ int) error {
		if r.opt.Embedded {
			files = append(files, w.embedded())
		}
		opaque = w.opaqueWriter()
		return nil
	})
	if err != nil {
		return err
	}
	search := page.FromSource(source.Join(files...))
	verdicts := make([]rule.Identity, len(r.sourced))
	err = r.each(len(r.sourced), func(w *Worker, from, to int) error {
		for i := from; i < to; i++ {
			s := r.sourced[i].set
			if s == nil {
				s = &w.set
				s.Reuse(r.sourced[i].ref)
				if err := w.Reader.Read(object.MakeRef(s.Ref), &s.ContentSet); err != nil {
					return err // not malformed: it was readable before
				}
			}
			v := verifier{w: w, set: s, search: search, opaque: opaque}
			verdicts[i] = v.verify()
			if verdicts[i].Proof == rule.Mismatch && len(r.rules.identity) == 0 {
				verdicts[i].Proof = rule.NotCheckable
				verdicts[i].Reason = "WC512, which compares IDs with sources, is disabled"
			}
			for _, w.Rule = range r.rules.identity {
				w.Rule.CheckIdentity(&w.Pass, &verdicts[i])
			}
			if !w.Spend(rule.ElementCost) {
				return ErrBudget
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	at := rule.Place{Part: "sources"}
	if search.Exhausted() { // the results depend on the order of work
		r.phase = Found{unread: []rule.Unread{{Place: at, Err: page.ErrExhausted}}}
		return nil
	}
	if err := search.Capped(); err != nil {
		r.phase.unread = append(r.phase.unread, rule.Unread{Place: at, Err: err})
	}
	r.verdicts = verdicts
	return nil
}

// verifier checks the ID of one content set against its source.
type verifier struct {
	w      *Worker
	set    *rule.Set
	search *page.Search
	opaque bool // see opaqueWriter

	wanted func(digest.ID) bool // reports whether an identifier is the expected one
	tid    digest.ID            // text identifier; valid if hasTID
	hasTID bool
	urls   []string
	out    rule.Identity

	seen      *page.File // file that should give the ID; an error response only if there is no other
	uncertain *page.File // file that may belong to another URL, or may have changed
	flawed    *page.File // file that may differ from the captured data
	failed    error      // error in reading a source
	deadEnd   error      // redirect whose target no source has
	unread    error      // why the files to which a page refers could not be looked up
	tried     int        // number of captures of earlier URLs; none gave the ID
	missing   int        // number of files to which a page refers and that no source has
	lacking   int        // number of such files to which style sheets or frames refer
	doubtful  int        // number of files to which a page refers and that may differ from the retrieved ones
	capped    bool       // not all combinations of a page's files were tried
	unknown   string     // why the files to which a page refers are unknown
}

func (v *verifier) verify() rule.Identity {
	s := v.set
	v.out = rule.Identity{Place: s.At(), Subtype: s.Subtype, ID: nametree.Key(s.ID.Bytes)}
	v.urls = v.w.urlsOf(s)
	if len(v.urls) > 0 {
		v.out.URL = v.urls[0]
	}
	id, ok := s.Identifier()
	if !ok {
		v.out.Reason = "the set has no ID of 16 bytes"
		return v.out
	}
	v.wanted = func(sum digest.ID) bool { return sum == id }
	if tid, err := v.w.Reader.String(s.TID); err == nil {
		v.tid, v.hasTID = rule.Identifier(tid)
	}
	for _, url := range v.urls {
		v.out.URL = url
		if v.bySource(url) {
			return v.out
		}
		v.tried += v.search.Looked(url)
	}
	if len(v.urls) > 0 {
		v.out.URL = v.urls[0]
	}
	if !v.byOwnData() {
		v.explain()
	}
	return v.out
}

// urlsOf returns the URLs of a content set, each once: its destinations, then the redirects to them. If there are none,
// it returns the keys of its entries in URLS.
func (w *Worker) urlsOf(s *rule.Set) []string {
	var list, redirects []string
	for i := range s.Sources {
		for role, url := range s.Sources[i].URLs() {
			if role == webcapture.Destination {
				list = append(list, string(url))
			} else {
				redirects = append(redirects, string(url))
			}
		}
	}
	list = append(list, redirects...)
	if t := w.Run.Trees[webcapture.URLS]; len(list) == 0 && t != nil && s.Ref.Num != 0 {
		w.urls, w.ids = w.Run.links.Of(s.Ref, w.urls[:0], w.ids[:0])
		for _, i := range w.urls {
			list = append(list, string(t.Entry(i).Key))
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(url string) bool {
		before := seen[url]
		seen[url] = true
		return before
	})
}

// captured records the capture that contains a file, and how many captures were tried up to it.
func (v *verifier) captured(f *page.File, tried int) {
	if c := f.Capture; c != nil {
		v.out.Capture = rule.Capture{Record: c.Record, Time: c.Time, Status: c.Status, MD5: f.ID}
		v.out.Tried = tried
	}
}

// verified records that the data at where give the ID. It returns true.
func (v *verifier) verified(where, reading string) bool {
	v.out.Proof, v.out.Where, v.out.Reading = rule.Verified, where, reading
	return true
}

// bySource tries the captures of a URL in order until one gives the ID, and reports whether one does.
func (v *verifier) bySource(url string) bool {
	for f, err := range v.search.Each(url) {
		if err != nil {
			if _, ok := errors.AsType[*source.DeadEnd](err); ok {
				v.deadEnd = cmp.Or(v.deadEnd, err)
			} else {
				v.failed = cmp.Or(v.failed, err)
			}
			continue
		}
		done := v.wanted(f.ID) && v.verified(f.Where, "the file itself")
		if v.set.Subtype == webcapture.PageSet {
			done = v.byPage(url, &f, done) || done
		}
		if done {
			v.captured(&f, v.tried+f.Number)
			return true
		}
		v.note(&f)
	}
	return false
}

// note records a file that does not give the ID.
func (v *verifier) note(f *page.File) {
	if f.Flaw != nil && v.flawed == nil {
		v.flawed = f
	}
	switch {
	case f.Uncertain && v.uncertain == nil:
		v.uncertain = f
	case !f.Uncertain && (v.seen == nil || v.seen.Failed && !f.Failed):
		v.seen = f
	}
}

// byPage looks for the ID among the readings of a page set's source, unless done is true. It also looks for the text
// identifier.
func (v *verifier) byPage(url string, f *page.File, done bool) bool {
	looks := !done && f.Refers() // without references, the only reading is the file itself
	if f.Alone() || !looks && !v.wantsText() {
		return false
	}
	data, plain, err := f.Read()
	if err != nil {
		if v.unread == nil && !f.Uncertain {
			v.unread = err
		}
		return false
	}
	v.text(plain, f.MediaType)
	if !looks {
		return false
	}
	doubtful := map[string]bool{}
	pg := page.Coded(data, plain, f.MediaType, cmp.Or(f.URL, url), func(url string) iter.Seq[page.File] {
		return v.known(url, doubtful)
	})
	c, ok := pg.MatchFunc(v.wanted)
	if ok {
		reading := c.Reading.String()
		if n := c.Supplied(inDatabase); n > 0 {
			reading += fmt.Sprintf(", %d of its files known only by IDs in the database", n)
		}
		if n := len(c.Missing); n > 0 && c.Reading.Files != 0 {
			reading += fmt.Sprintf(", without %d of its files", n)
		}
		return v.verified(f.Where, reading)
	}
	if !f.Uncertain {
		v.capped = v.capped || pg.Capped()
		v.unknown = cmp.Or(v.unknown, pg.Unknown())
		v.missing = max(v.missing, len(c.Missing))
		v.lacking = max(v.lacking, pg.Lacking())
		v.doubtful = max(v.doubtful, len(doubtful))
	}
	return false
}

// wantsText reports whether the content set has a text identifier that no reading has given yet.
func (v *verifier) wantsText() bool { return v.hasTID && v.out.Text == "" }

// text looks for the text identifier among the readings of a source's text.
func (v *verifier) text(data []byte, mediaType string) {
	if !v.wantsText() {
		return
	}
	if reading, ok := page.MatchText(data, mediaType, v.tid); ok {
		v.out.Text = reading.String()
	}
}

// inDatabase is the Where of an identifier that comes from an image set in the same PDF.
const inDatabase = "the content database"

// known yields the possible files for a URL to which a page refers: those in sources, then those known only by the ID
// of an image set under the URL. It adds the URL to doubtful if a file in a source may be another one, or is damaged or
// unreadable.
func (v *verifier) known(url string, doubtful map[string]bool) iter.Seq[page.File] {
	return func(yield func(page.File) bool) {
		if v.damaged(url) != nil {
			doubtful[url] = true
		}
		for f, err := range v.search.Each(url) {
			if err != nil || f.Uncertain {
				doubtful[url] = true
			}
			if err == nil && !yield(f) {
				return
			}
		}
		for _, f := range v.imageSets(url) {
			if !yield(f) {
				return
			}
		}
	}
}

// imageSets returns the image sets in URLS under a URL, as files with only an ID.
func (v *verifier) imageSets(url string) (list []page.File) {
	t := v.w.Run.Trees[webcapture.URLS]
	if t == nil {
		return nil
	}
	for _, profile := range []*canon.Profile{canon.PDF, canon.PDF2} {
		key := nametree.Key(profile.Append(nil, []byte(url)))
		for i := range t.All(key) {
			list = v.addImageSets(list, t.Entry(i).Value)
		}
	}
	return list
}

// addImageSets adds the IDs of the image sets in a value.
func (v *verifier) addImageSets(list []page.File, value object.Object) []page.File {
	var set webcapture.ContentSet
	for o, err := range v.w.Reader.Values(value) {
		if err != nil || !v.w.Spend(rule.ElementCost) {
			break
		}
		if v.w.Reader.Read(o, &set) != nil || set.Subtype != webcapture.ImageSet {
			continue
		}
		if id, ok := set.Identifier(); ok {
			list = append(list, page.File{ID: id, Where: inDatabase})
		}
	}
	return list
}

// byOwnData compares the ID of an image set with the MD5 of those images that are stored as fetched. A match verifies
// the ID only if no source has a file for the URL.
func (v *verifier) byOwnData() bool {
	if v.set.Subtype != webcapture.ImageSet {
		return false
	}
	id, _ := v.set.Identifier()
	for o := range v.set.Members() {
		ref, ok := o.Ref()
		if !ok || !v.w.Spend(rule.ElementCost) {
			continue
		}
		m := rule.Member{Ref: ref}
		if m.Object, _ = v.w.Reader.Get(ref); m.Object.Kind() != object.Stream {
			continue
		}
		m.Dict, _ = m.Object.Dict()
		if proof, _ := v.w.DigestOf(&m, rule.Membership{ID: id, HasID: true}); proof == rule.Verified && v.seen == nil {
			return v.verified(fmt.Sprintf("object %v", ref), "the data of the image")
		}
	}
	return false
}

// acrobat matches the version of Acrobat in Producer or Creator.
var acrobat = regexp.MustCompile(`\bAcrobat\b[^0-9]{0,40}([0-9]{1,3})`)

// opaqueWriter reports whether the document information names Acrobat 9 or later. These versions compute page set IDs
// by an unknown method.
func (w *Worker) opaqueWriter() bool {
	// Malformed information is not reported, because it is not part of the content database.
	info, err := w.Reader.Resolve(w.Audit.File.DocumentInfo())
	if object.IgnoreMalformed(err) != nil {
		w.failed = err
	}
	d, _ := info.Dict()
	for _, key := range []string{"Producer", "Creator"} {
		s, err := w.Reader.String(d.Lookup(key))
		if object.IgnoreMalformed(err) != nil {
			w.failed = err
		}
		// In UTF-16, ASCII characters have an additional byte 0.
		text := strings.ReplaceAll(string(bytes.TrimLeft(s.Bytes, "\xfe\xff")), "\x00", "")
		if m := acrobat.FindStringSubmatch(text); m != nil {
			if n, _ := strconv.Atoi(m[1]); n >= 9 {
				return true
			}
		}
	}
	return false
}
