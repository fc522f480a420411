package engine

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/meter"
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
	if w.Run.opt.Source == nil {
		return
	}
	one := sourcedSet{ref: s.Ref}
	if s.Ref.Num == 0 {
		one.set = s
	}
	w.sourced = append(w.sourced, one)
}

// identities checks the ID of each content set against its source.
func (r *Runner) identities() error {
	if r.opt.Source == nil {
		return nil
	}
	opaque := false
	err := r.once(func(w *Worker) error {
		opaque = w.opaqueWriter()
		return nil
	})
	if err != nil {
		return err
	}
	search := page.FromSource(r.opt.Source)
	list := make([]rule.Identity, len(r.sourced))
	err = r.each(len(r.sourced), func(w *Worker, i int) error {
		s := r.sourced[i].set
		if s == nil {
			s = &w.set
			s.Reuse(r.sourced[i].ref)
			if err := w.Reader.Read(object.MakeRef(s.Ref), &s.ContentSet); err != nil {
				return err // not malformed: it was readable before
			}
		}
		v := verifier{w: w, set: s, search: search, opaque: opaque}
		list[i] = v.verify()
		if list[i].Proof == rule.Mismatch && len(r.rules.identity) == 0 {
			list[i].Proof = rule.NotCheckable
			list[i].Reason = "WC512, which compares IDs with sources, is disabled"
		}
		for _, w.Rule = range r.rules.identity {
			w.Rule.CheckIdentity(&w.Pass, &list[i])
		}
		return w.step(meter.Object)
	})
	if err != nil {
		return err
	}
	at := rule.Place{Part: "sources"}
	if err := search.Over(); err != nil { // the results depend on the order of work
		r.phase = rule.Found{Unread: []rule.Unread{{Place: at, Err: err}}}
		return nil
	}
	if err := search.Capped(); err != nil {
		r.phase.Unread = append(r.phase.Unread, rule.Unread{Place: at, Err: err})
	}
	r.identified = list
	return nil
}

// verifier checks the ID of one content set against its source.
type verifier struct {
	w      *Worker
	set    *rule.Set
	search *page.Search
	opaque bool // see opaqueWriter

	id     digest.ID // the expected identifier
	tid    digest.ID // text identifier; valid if hasTID
	hasTID bool
	urls   []string
	out    rule.Identity

	seen     *page.File // first capture with data; nil for none
	doubtful *page.File // first capture that may differ from the captured data
	tried    int        // number of captures of earlier URLs; none gave the ID
}

func (v *verifier) verify() rule.Identity {
	s := v.set
	v.out = rule.Identity{Place: s.At(), Subtype: s.Subtype, ID: nametree.Key(s.ID.Bytes)}
	v.urls = v.w.urlsOf(s)
	if len(v.urls) > 0 {
		v.out.URL = nametree.Key(v.urls[0])
	}
	id, ok := s.Identifier()
	if !ok {
		v.out.Reason = "the set has no ID of 16 bytes"
		return v.out
	}
	v.id = id
	if tid, err := v.w.Reader.String(s.TID); err == nil {
		v.tid, v.hasTID = rule.Identifier(tid)
	}
	for _, url := range v.urls {
		v.out.URL = nametree.Key(url)
		if v.bySource(url) {
			return v.out
		}
	}
	if len(v.urls) > 0 {
		v.out.URL = nametree.Key(v.urls[0])
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

// verified records that the data at where give the ID. It returns true.
func (v *verifier) verified(where, reading string) bool {
	v.out.Proof, v.out.Where, v.out.Reading = rule.Verified, where, reading
	return true
}

// captured records the capture that contains a file, the MD5 of the file, and how many captures were tried.
func (v *verifier) captured(f *page.File, sum digest.ID, tried int) {
	if c := f.Capture; c != nil {
		v.out.Capture = rule.Capture{Record: c.Record, Time: c.Time, Status: c.Status, MD5: sum, Tried: tried}
	}
}

// bySource tries the captures of a URL in order until one gives the ID, and reports whether one does.
func (v *verifier) bySource(url string) bool {
	tried := v.tried
	for f := range v.search.Each(url) {
		v.tried = tried + f.Number
		if f.Readable {
			if form, ok := f.Sums.Match(v.id); ok {
				v.byText(&f)
				v.captured(&f, v.id, v.tried)
				return v.verified(f.Where+inForm(&f, form), "the file itself")
			}
			if v.set.Subtype == webcapture.PageSet && v.byPage(url, &f) {
				v.captured(&f, f.ID, v.tried)
				return true
			}
			if v.seen == nil {
				v.seen = &f
			}
		}
		if f.Doubt == "" {
			f.Doubt = v.otherDay(&f)
		}
		if f.Doubt != "" && v.doubtful == nil {
			v.doubtful = &f
		}
	}
	return false
}

// inForm describes the form of the data of a file that give an ID, if other forms do not give it.
func inForm(f *page.File, form source.Form) string {
	switch {
	case f.Sums.ID[source.Stored] == f.Sums.ID[form]:
		return ""
	case form == source.Sent:
		return " (without chunks)"
	}
	return " (decoded)"
}

// otherDay returns the reason why a capture may be of another day than the content set; empty if it is of the same day.
func (v *verifier) otherDay(f *page.File) string {
	s, err := v.w.Reader.String(v.set.TS)
	created, fault := rule.ParseDate(s.Bytes)
	switch {
	case err != nil || fault != "":
		return "the content set has no valid TS, so the capture may be of another day"
	case f.Capture.Time.IsZero():
		return "the source has no date, so the capture may be of another day"
	case f.Capture.Time.Sub(created).Abs() > 24*time.Hour:
		return "the capture is of another day than the content set"
	}
	return ""
}

// byPage looks for the ID among the readings of a page set's source. It also looks for the text identifier.
func (v *verifier) byPage(url string, f *page.File) bool {
	v.byText(f)
	if !f.Refers() {
		return false // without references, the only reading is the file itself
	}
	data, err := v.search.Data(f)
	if err != nil {
		return false
	}
	c, ok := page.New(data, f.MediaType, cmp.Or(f.URL, url), v.known).Match(v.id)
	if !ok {
		return false
	}
	reading := c.Reading.String()
	if n := c.Supplied(inDatabase); n > 0 {
		reading += fmt.Sprintf(", %d of its files known only by IDs in the database", n)
	}
	if n := len(c.Missing); n > 0 {
		reading += fmt.Sprintf(", without %d of its files", n)
	}
	return v.verified(f.Where, reading)
}

// byText looks for the text identifier among the readings of the text of a page set's source.
func (v *verifier) byText(f *page.File) {
	if v.set.Subtype != webcapture.PageSet || !v.hasTID || v.out.Text != "" || !f.HasText() {
		return
	}
	if data, err := v.search.Data(f); err == nil {
		if reading, ok := page.MatchText(data, f.MediaType, v.tid); ok {
			v.out.Text = reading.String()
		}
	}
}

// inDatabase is the Where of an identifier that comes from an image set in the same PDF.
const inDatabase = "the content database"

// known yields the file for a URL to which a page refers. An image set under the URL says which file the page had. A
// file in a source counts if it has this ID, or if there is no image set.
func (v *verifier) known(url string) iter.Seq[page.File] {
	return func(yield func(page.File) bool) {
		sets := v.imageSets(url)
		for f := range v.search.Find(url) {
			isSet := slices.ContainsFunc(sets, func(s page.File) bool { return s.ID == f.ID })
			if (isSet || sets == nil) && !yield(f) {
				return
			}
		}
		for _, f := range sets {
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
		if err != nil || !v.w.Spend(meter.Object) {
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
		if !ok || !v.w.Spend(meter.Object) {
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
		w.Fail(err)
	}
	d, _ := info.Dict()
	for _, key := range []string{"Producer", "Creator"} {
		s, err := w.Reader.String(d.Lookup(key))
		if object.IgnoreMalformed(err) != nil {
			w.Fail(err)
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
