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

// An original may be damaged, or be another capture of the same pages. So it changes a record of the file only if other
// records of the file do not support that record. A content set of the file keeps its ID if its key and members have
// the same ID, or if the MD5 of its image proves the ID. It keeps its URL if the URL is its key.

// The same holds for the original. If its records of a content set contradict each other, it proves none of them. Such
// records are restored together with a content set that the file lacks, but never change an existing content set.

// agreement tells which records of a content set agree with each other: its ID with keys and members, and its URL with
// keys.
type agreement struct{ id, url bool }

// in reports whether the record that is the key in a tree agrees: the ID for IDS, the URL for URLS.
func (a agreement) in(tree webcapture.TreeName) bool {
	if tree == webcapture.IDS {
		return a.id
	}
	return a.url
}

// prove sets t.proof: the records of a content set of the original that no other record there contradicts.
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

// provesTag compares the ID of a page or image of the original with the content sets that list it there. agrees means
// that one of them has the ID, or that there are none. proven means that, in addition, no other record contradicts the
// ID of that content set.
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

// agreeSets finds the records of the file that stay: they agree with each other, or the original does not prove
// another ID. A content set does not keep an unproven ID or URL that another one gets from the original, because
// their agreement is then accidental.
func (r *restoration) agreeSets() (err error) {
	r.sets.agrees = map[object.Ref]agreement{}
	theirs := map[string]bool{} // URLs of the original; they move with their content sets
	for _, t := range r.sets.original {
		theirs[r.canonicalURL(t)] = true
	}
	ids, urls := newClaims(), map[object.Ref]bool{}
	for ref, t := range r.sets.was {
		own := r.sets.own[ref]
		id, proven, err := r.agreesID(t, own)
		if err != nil {
			return err
		}
		if !id && !t.proof.id && t.id != "" && own.id != "" && t.id != own.id {
			id, proven = true, true // the two may be different content sets
			r.sets.disputed[t] = true
		}
		ids.add(ref, id, proven, own.id, t.id)
		urls[ref] = !theirs[r.canonicalURL(own)] && r.agreesURL(t, own)
	}
	ids.settle()
	for ref := range r.sets.was {
		r.sets.agrees[ref] = agreement{ids.kept[ref], urls[ref]}
	}
	r.sets.foreign, err = r.isForeign()
	return err
}

// canonicalURL returns the canonical form of the first URL of a content set.
func (r *restoration) canonicalURL(t *traits) string {
	return string(r.Canonical(nametree.Key(t.url())))
}

// isForeign reports whether the original is another capture of the same pages. It is in two cases: more than half of
// its content sets have other IDs in the file; or none of its IDs is in the file, and at least one content set has
// another ID. IDs that are the MD5 of an image do not count as common, because they are equal in every capture. For a
// content set without any ID, another date counts as another ID.
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
		isOther := func(own *traits) bool { // such a set has pages or images of the original, and another ID
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
	return 2*others > all || n == 0, nil
}

// isID reports whether a string has the length of an ID.
func isID(s string) bool { return len(s) == md5.Size }

// hasAnyID reports whether a content set has an ID, or a key or member of it has one.
func (r *restoration) hasAnyID(own *traits) bool {
	return isID(own.id) ||
		slices.ContainsFunc(own.keys, func(k treeKey) bool {
			return k.tree == webcapture.IDS &&
				isID(string(k.key))
		}) ||
		slices.ContainsFunc(own.stored, func(ref object.Ref) bool { return isID(r.known.ids[ref]) })
}

// hasOtherDate reports whether both content sets have a valid date, and these differ.
func hasOtherDate(t, is *traits) bool {
	a, faultA := rule.ParseDate([]byte(t.others[0]))
	b, faultB := rule.ParseDate([]byte(is.others[0]))
	return faultA == "" && faultB == "" && !a.Equal(b)
}

// claims holds the IDs of all content sets.
type claims struct {
	kept     map[object.Ref]bool
	proven   map[object.Ref]bool
	original map[object.Ref]string   // values in the original, by content set of the file
	holders  map[string][]object.Ref // content sets that would keep a value, by value
}

func newClaims() *claims {
	return &claims{map[object.Ref]bool{}, map[object.Ref]bool{}, map[object.Ref]string{}, map[string][]object.Ref{}}
}

// add adds a content set of the file with its values in the file and in the original.
func (c *claims) add(set object.Ref, kept, proven bool, own, original string) {
	c.original[set] = original
	if kept {
		c.kept[set], c.proven[set] = true, proven
		c.holders[own] = append(c.holders[own], set)
	}
}

// settle takes unproven IDs away from content sets if other content sets get them from the original.
func (c *claims) settle() {
	var todo []object.Ref // content sets that get the value in the original
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

// agreesID reports whether the ID of a content set of the file differs from the original's, and other records of the
// file agree with it. proven means that the ID in the file is the MD5 of the image.
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

// isImageDigest reports whether an ID is the MD5 of an image in an image set of the file.
func (r *restoration) isImageDigest(own *traits, id string) (is bool, err error) {
	for _, ref := range own.stored {
		if own.subtype == webcapture.ImageSet && !is && err == nil {
			is, err = r.isDigest(ref, id)
		}
	}
	return is, err
}

// isDigest reports whether an ID is the MD5 of an image's data as stored.
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

// agreesURL reports whether the URL of a content set of the file differs from the original's, and is a key of the
// content set.
func (r *restoration) agreesURL(t, own *traits) bool {
	if own.url() == "" || own.url() == t.url() {
		return false
	}
	url := r.canonicalURL(own)
	isSame := func(u string) bool { return string(r.Canonical(nametree.Key(u))) == url }
	return !slices.ContainsFunc(t.urls, isSame) && (own.hasURLKey(url) || own.hasURLKey(own.url()))
}

// hasURLKey reports whether a content set has a key in URLS.
func (t *traits) hasURLKey(key string) bool {
	return slices.Contains(t.keys, treeKey{webcapture.URLS, nametree.Key(key)})
}

// keepsForm reports whether a content set of the file keeps the form of its URLs. The caller has checked that they are
// equivalent to those of the original. It keeps them if the forms differ, and a URL of the original is not a key there
// verbatim.
func (r *restoration) keepsForm(set object.Ref) bool {
	t, own := r.sets.was[set], r.sets.own[set]
	isNoKey := func(url string) bool { return !t.hasURLKey(url) }
	return len(t.urls) == len(own.urls) && !slices.Equal(t.urls, own.urls) && slices.ContainsFunc(t.urls, isNoKey)
}

// staysIn reports whether the keys of a content set in a tree stay.
func (r *restoration) staysIn(tree webcapture.TreeName, set object.Ref) bool {
	a := r.sets.agrees[set]
	return a.id || a.url && tree == webcapture.URLS
}

// sayContradictions reports the content sets whose records contradict each other in the original and differ from those
// of the file.
func (r *restoration) sayContradictions() {
	for _, t := range r.sets.original {
		if r.sets.disputed[t] {
			r.changes.Unmatched = append(r.changes.Unmatched, fmt.Sprintf(
				"%s: the records of %v %v contradict each other in the original, so those of the file stay; repair the original first",
				r.Name, t.subtype, nametree.Key(t.id)))
		}
	}
}

// sayAgreements reports the content sets of the file that keep their records although the original has others.
func (r *restoration) sayAgreements() {
	if r.sets.foreign {
		r.changes.Unmatched = append(r.changes.Unmatched, r.Name+": it is another capture of these pages: "+
			"its IDs differ from those in the file; webcap restores nothing from it")
		return
	}
	for _, t := range r.sets.original {
		set := r.sets.is[t.ref]
		switch a := r.sets.agrees[set]; {
		case a.id && !r.sets.disputed[t]:
			r.changes.Unmatched = append(r.changes.Unmatched, fmt.Sprintf(
				"%s: %v %v has the ID %v in the file (content set %v); other records there, or its image, support it, so it stays",
				r.Name, t.subtype, nametree.Key(t.id), nametree.Key(r.sets.own[set].id), set))
		case a.url && r.changesBack(set):
			r.changes.Unmatched = append(r.changes.Unmatched, fmt.Sprintf(
				"%s: %v %v has the URL %s in the original and %s in the file; the key there is the same, so it stays", r.Name,
				t.subtype,
				nametree.Key(t.id), nametree.Key(t.url()).Shorten(maxShown),
				nametree.Key(r.sets.own[set].url()).Shorten(maxShown)))
		}
	}
}
