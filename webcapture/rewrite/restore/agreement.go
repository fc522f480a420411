package restore

import (
	"crypto/md5"
	"fmt"
	"io"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// An original may be damaged, or be another capture of the same pages. So it counts only against records of the
// file that disagree with each other: a content set of the file keeps an ID that its key and its members share, or
// that the MD5 of its image proves, and it keeps a URL that is its key.

// The same holds for the original: if its records of a content set contradict each other, it proves none of them.
// They are restored with a content set that the file lacks, but change no existing content set.

// agreement describes which records of a content set agree with each other: its ID with keys and members, its URL
// with keys.
type agreement struct{ id, url bool }

// in reports whether the entries in a tree are among the agreeing records.
func (a agreement) in(tree webcapture.TreeName) bool {
	if tree == webcapture.IDS {
		return a.id
	}
	return a.url
}

// prove sets the records of a content set of the original that no other record there contradicts.
func (r *restoration) prove(t *traits) error {
	otherID := func(ref object.Ref) bool { id := r.ids[ref]; return isID(id) && t.id != "" && id != t.id }
	a := agreement{id: !slices.ContainsFunc(t.stored, otherID), url: true}
	var s rule.Set
	if err := r.original.reader.Read(object.MakeRef(t.ref), &s.ContentSet); err != nil {
		return object.IgnoreMalformed(err)
	}
	for _, k := range t.keys {
		switch k.tree {
		case webcapture.IDS:
			a.id = a.id && (t.id == "" || string(k.key) == t.id)
		case webcapture.URLS:
			a.url = a.url && (t.url() == "" || slices.Contains(t.urls, string(k.key)) || s.Accepts(k.key))
		}
	}
	t.proof = a
	return nil
}

// provesTag reports whether a page or image of the original has the ID of a content set that lists it, and no other
// record there contradicts that set.
func (r *restoration) provesTag(l *likeness) (agrees, proven bool) {
	lists := r.sets.lists[l.ref]
	for _, t := range lists {
		if t.id != l.id || r.LeftOut[t.ref] != "" {
			continue
		}
		if t.proof.id {
			return true, true
		}
		agrees = true
	}
	return agrees || len(lists) == 0, false
}

// agreeSets finds agreeing records of the file. A content set does not keep an ID or URL that another one gets:
// then they agree only by accident.
func (r *restoration) agreeSets() (err error) {
	r.sets.agrees = map[object.Ref]agreement{}
	theirs := map[string]bool{} // URLs of the original, which move with their content sets
	for _, t := range r.sets.original {
		theirs[r.canonicalURL(t)] = true
	}
	ids, urls := newClaims(), newClaims()
	for ref, t := range r.sets.was {
		own := r.sets.own[ref]
		id, proven, err := r.agreesID(t, own)
		if err != nil {
			return err
		}
		if !id && !t.proof.id && t.id != "" && own.id != "" && t.id != own.id {
			id, proven = true, true // they may be two content sets
			r.sets.disputed[t] = true
		}
		ids.add(ref, id, proven, own.id, t.id)
		url := r.canonicalURL(own)
		urls.add(ref, !theirs[url] && r.agreesURL(t, own), false, url, r.canonicalURL(t))
	}
	ids.settle()
	urls.settle()
	for ref := range r.sets.was {
		if a := (agreement{ids.kept[ref], urls.kept[ref]}); a != (agreement{}) {
			r.sets.agrees[ref] = a
		}
	}
	r.sets.foreign, err = r.isForeign()
	return err
}

// canonicalURL returns the canonical form of the first URL of a content set.
func (r *restoration) canonicalURL(t *traits) string {
	return string(r.Canonical(nametree.Key(t.url())))
}

// isForeign reports whether the original is another capture of the same pages: most of its IDs are not in the file,
// where most content sets have others; or none is, and one has another. The MD5 of an image is its ID in every capture.
// Content sets that have lost their IDs have other dates.
func (r *restoration) isForeign() (bool, error) {
	known := map[string]bool{}
	for _, id := range r.known.ids {
		known[id] = true
	}
	for _, own := range r.sets.own {
		known[own.id] = true
		for _, k := range own.keys {
			known[string(k.key)] = known[string(k.key)] || k.tree == webcapture.IDS
		}
	}
	theirs, at := map[string]bool{}, map[string][]*traits{}
	for _, t := range r.sets.original {
		theirs[t.id] = true
	}
	for _, own := range r.sets.own {
		at[r.canonicalURL(own)] = append(at[r.canonicalURL(own)], own)
	}
	var common []*traits
	all, others := 0, 0
	for _, t := range r.sets.original {
		is := r.sets.own[r.sets.is[t.ref]]
		isOther := func(own *traits) bool { // has pages or images of the original
			return !theirs[own.id] && r.hasAnyID(own) && len(own.members) > 0
		}
		switch {
		case t.id == "":
			continue
		case is != nil && known[t.id]:
			common = append(common, t)
		case is != nil && (r.hasAnyID(is) || hasOtherDate(t, is)), is == nil && !known[t.id] && t.url() != "" &&
			slices.ContainsFunc(at[r.canonicalURL(t)], isOther):
			others++
		case is == nil:
			continue
		}
		all++
	}
	if others == 0 {
		return false, nil
	}
	n := 0
	for _, t := range common {
		isDigest, err := r.isImageDigest(r.sets.own[r.sets.is[t.ref]], t.id)
		if err != nil {
			return false, err
		}
		n += boolInt(!isDigest)
	}
	return 2*n < all && 2*others > all || n == 0, nil
}

// isID reports whether a string has the length of an ID.
func isID(s string) bool { return len(s) == md5.Size }

// hasAnyID reports whether a content set, a key of it, or a member has an ID.
func (r *restoration) hasAnyID(own *traits) bool {
	return isID(own.id) ||
		slices.ContainsFunc(own.keys, func(k treeKey) bool {
			return k.tree == webcapture.IDS &&
				isID(string(k.key))
		}) ||
		slices.ContainsFunc(own.stored, func(ref object.Ref) bool { return isID(r.known.ids[ref]) })
}

// hasOtherDate reports whether two content sets are of different dates.
func hasOtherDate(t, is *traits) bool {
	a, faultA := rule.ParseDate([]byte(t.others[0]))
	b, faultB := rule.ParseDate([]byte(is.others[0]))
	return faultA == "" && faultB == "" && !a.Equal(b)
}

// claims holds the values of one record for all content sets.
type claims struct {
	kept     map[object.Ref]bool
	proven   map[object.Ref]bool
	original map[object.Ref]string   // values of content sets in the original
	holders  map[string][]object.Ref // content sets that would keep a value
}

func newClaims() *claims {
	return &claims{map[object.Ref]bool{}, map[object.Ref]bool{}, map[object.Ref]string{}, map[string][]object.Ref{}}
}

// add adds the value of a content set in the file, and in the original.
func (c *claims) add(set object.Ref, kept, proven bool, own, original string) {
	c.original[set] = original
	if kept {
		c.kept[set], c.proven[set] = true, proven
		c.holders[own] = append(c.holders[own], set)
	}
}

// settle makes content sets give up values that others get.
func (c *claims) settle() {
	var todo []object.Ref // content sets that get the value of the original
	for set := range c.original {
		if !c.kept[set] {
			todo = append(todo, set)
		}
	}
	for len(todo) > 0 {
		set := todo[0]
		todo = todo[1:]
		for _, holder := range c.holders[c.original[set]] {
			if c.kept[holder] && !c.proven[holder] {
				c.kept[holder] = false
				todo = append(todo, holder)
			}
		}
	}
}

// agreesID reports whether a content set has another ID than in the original, and the file supports or proves it.
func (r *restoration) agreesID(t, own *traits) (agrees, proven bool, err error) {
	if own.id == t.id || !isID(own.id) || t.id == "" {
		return false, false, nil
	}
	if is, err := r.isImageDigest(own, own.id); is || err != nil {
		return is, is, err
	}
	same := 0
	for _, ref := range own.stored {
		switch r.known.ids[ref] {
		case own.id:
			same++
		case "":
		default:
			return false, false, nil
		}
	}
	return same > 0 && slices.Contains(own.keys, treeKey{webcapture.IDS, nametree.Key(own.id)}), false, nil
}

// isImageDigest reports whether an ID is the MD5 of an image in a content set of the file.
func (r *restoration) isImageDigest(own *traits, id string) (is bool, err error) {
	for _, ref := range own.stored {
		if own.subtype == webcapture.ImageSet && !is && err == nil {
			is, err = r.isDigest(ref, id)
		}
	}
	return is, err
}

// isDigest reports whether an ID is the MD5 of an image as stored.
func (r *restoration) isDigest(image object.Ref, id string) (bool, error) {
	data, err := r.file.reader.Stream(image)
	if err != nil {
		return false, object.IgnoreMalformed(err)
	}
	h := md5.New()
	if _, err := io.Copy(h, data); err != nil {
		return false, object.IgnoreMalformed(err)
	}
	return string(h.Sum(nil)) == id, nil
}

// agreesURL reports whether a content set has another URL than in the original, and that is its key.
func (r *restoration) agreesURL(t, own *traits) bool {
	if own.url() == "" || own.url() == t.url() {
		return false
	}
	url := r.canonicalURL(own)
	isSame := func(u string) bool { return string(r.Canonical(nametree.Key(u))) == url }
	return !slices.ContainsFunc(t.urls, isSame) && (own.hasURLKey(url) || own.hasURLKey(own.url()))
}

// hasURLKey reports whether a key of URLS leads to a content set.
func (t *traits) hasURLKey(key string) bool {
	return slices.Contains(t.keys, treeKey{webcapture.URLS, nametree.Key(key)})
}

// keepsForm reports whether a content set of the file keeps the form of its URLs: those of the original are
// equivalent, and are not its keys verbatim.
func (r *restoration) keepsForm(set object.Ref) bool {
	t, own := r.sets.was[set], r.sets.own[set]
	isNoKey := func(url string) bool { return !t.hasURLKey(url) }
	return len(t.urls) == len(own.urls) && !slices.Equal(t.urls, own.urls) && slices.ContainsFunc(t.urls, isNoKey)
}

// staysIn reports whether the entries of a content set in a tree do not change.
func (r *restoration) staysIn(tree webcapture.TreeName, set object.Ref) bool {
	a := r.sets.agrees[set]
	return a.id || a.url && tree == webcapture.URLS
}

// sayContradictions reports the content sets whose records contradict each other in the original, if the file has
// different ones.
func (r *restoration) sayContradictions() {
	for _, t := range r.sets.original {
		if r.sets.disputed[t] {
			r.changes.Unmatched = append(r.changes.Unmatched, fmt.Sprintf(
				"%s: the records of %v %v contradict each other in the original, so those of the file stay; repair the original first",
				r.Name, t.subtype, nametree.Key(t.id)))
		}
	}
}

// sayAgreements reports the content sets that keep their records.
func (r *restoration) sayAgreements() {
	if r.sets.foreign {
		r.changes.Unmatched = append(r.changes.Unmatched, r.Name+": it is another capture of these pages: "+
			"most content sets have other IDs in the file; webcap restores nothing from it")
		return
	}
	for _, t := range r.sets.original {
		set := r.sets.is[t.ref]
		switch a := r.sets.agrees[set]; {
		case a.id && !r.sets.disputed[t]:
			r.changes.Unmatched = append(r.changes.Unmatched, fmt.Sprintf(
				"%s: %v %v has the ID %v in the file (content set %v); key and members there have it too, so it stays", r.Name,
				t.subtype,
				nametree.Key(t.id), nametree.Key(r.sets.own[set].id), set))
		case a.url && r.changesBack(set):
			r.changes.Unmatched = append(r.changes.Unmatched, fmt.Sprintf(
				"%s: %v %v has the URL %s in the original and %s in the file; the key there is the same, so it stays", r.Name,
				t.subtype,
				nametree.Key(t.id), nametree.Key(t.url()).Shorten(maxShown),
				nametree.Key(r.sets.own[set].url()).Shorten(maxShown)))
		}
	}
}
