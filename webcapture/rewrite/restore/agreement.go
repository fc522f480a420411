package restore

import (
	"crypto/md5"
	"fmt"
	"io"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// An original is damaged at times, or another capture of the same pages. So what it has counts only against records of
// the file that disagree: a content set of the file keeps an ID that its key and its members have, or that the MD5 of
// its image proves, and it keeps a URL that is its key.

// agreement says which records of a content set stay although the original has others.
type agreement struct{ id, url bool }

// agreeSets finds the records of the file that agree with each other. A content set does not keep an ID or URL that
// another one gets: then several accidents agree with each other.
func (r *restoration) agreeSets() error {
	r.sets.agrees = map[object.Ref]agreement{}
	ids, urls := newClaims(), newClaims()
	for ref, t := range r.sets.was {
		own := r.sets.own[ref]
		id, proven, err := r.agreesID(t, own)
		if err != nil {
			return err
		}
		ids.add(ref, id, proven, own.id, t.id)
		urls.add(ref, r.agreesURL(t, own), false, string(r.Canonical(nametree.Key(own.url))),
			string(r.Canonical(nametree.Key(t.url))))
	}
	ids.settle()
	urls.settle()
	for ref := range r.sets.was {
		if a := (agreement{ids.kept[ref], urls.kept[ref]}); a != (agreement{}) {
			r.sets.agrees[ref] = a
		}
	}
	r.sets.foreign = r.isForeign()
	return nil
}

// isForeign reports whether the original is another capture of the pages of the file: most of its IDs are nowhere in
// the
// file, where most content sets have others.
func (r *restoration) isForeign() bool {
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
	all, common, others := 0, 0, 0
	for ref, t := range r.sets.was {
		if t.id == "" {
			continue
		}
		all++
		if known[t.id] {
			common++
		} else if r.hasAnyID(r.sets.own[ref]) {
			others++
		}
	}
	return 2*common < all && 2*others > all
}

// hasAnyID reports whether a content set, a key of it, or a member has an ID.
func (r *restoration) hasAnyID(own *traits) bool {
	isID := func(id string) bool { return len(id) == md5.Size }
	return isID(own.id) ||
		slices.ContainsFunc(own.keys, func(k treeKey) bool {
			return k.tree == webcapture.IDS &&
				isID(string(k.key))
		}) ||
		slices.ContainsFunc(own.stored, func(ref object.Ref) bool { return isID(r.known.ids[ref]) })
}

// claims are the values of one record of all content sets.
type claims struct {
	kept     map[object.Ref]bool
	proven   map[object.Ref]bool
	original map[object.Ref]string   // what content sets have in the original
	holders  map[string][]object.Ref // content sets that would keep a value
}

func newClaims() *claims {
	return &claims{map[object.Ref]bool{}, map[object.Ref]bool{}, map[object.Ref]string{}, map[string][]object.Ref{}}
}

// add adds the value that a content set has in the file, and in the original.
func (c *claims) add(set object.Ref, kept, proven bool, own, original string) {
	c.original[set] = original
	if kept {
		c.kept[set], c.proven[set] = true, proven
		c.holders[own] = append(c.holders[own], set)
	}
}

// settle lets content sets give up values that others get.
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

// agreesID reports whether a content set has another ID than in the original, and the file supports it, or proves it.
func (r *restoration) agreesID(t, own *traits) (agrees, proven bool, err error) {
	if own.id == t.id || len(own.id) != md5.Size || t.id == "" {
		return false, false, nil
	}
	if own.subtype == webcapture.ImageSet {
		for _, ref := range own.stored {
			if is, err := r.isDigest(ref, own.id); is || err != nil {
				return is, is, err
			}
		}
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

// isDigest reports whether an ID is the MD5 of an image as it is stored.
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
	url := r.Canonical(nametree.Key(own.url))
	if own.url == "" || url == r.Canonical(nametree.Key(t.url)) {
		return false
	}
	return slices.Contains(own.keys, treeKey{webcapture.URLS, url}) ||
		slices.Contains(own.keys, treeKey{webcapture.URLS, nametree.Key(own.url)})
}

// staysIn reports whether the entries of a content set in a tree stay as they are.
func (r *restoration) staysIn(tree webcapture.TreeName, set object.Ref) bool {
	a := r.sets.agrees[set]
	return a.id || a.url && tree == webcapture.URLS
}

// sayAgreements names the content sets that stay.
func (r *restoration) sayAgreements() {
	if r.sets.foreign {
		r.changes.Unmatched = append(r.changes.Unmatched, r.Name+": it is another capture of these pages: "+
			"most content sets have other IDs in the file; nothing is brought back from it")
		return
	}
	for _, t := range r.sets.original {
		set := r.sets.is[t.ref]
		switch a := r.sets.agrees[set]; {
		case a.id:
			r.changes.Unmatched = append(r.changes.Unmatched, fmt.Sprintf(
				"%s: %v %v is %v in the file (content set %v), where key and members agree; it stays", r.Name,
				t.subtype,
				nametree.Key(t.id), nametree.Key(r.sets.own[set].id), set))
		case a.url && r.changesBack(set):
			r.changes.Unmatched = append(r.changes.Unmatched, fmt.Sprintf(
				"%s: %v %v has the URL %s there and %s in the file, where it is also its key; it stays", r.Name,
				t.subtype,
				nametree.Key(t.id), nametree.Key(t.url).Shorten(maxShown),
				nametree.Key(r.sets.own[set].url).Shorten(maxShown)))
		}
	}
}
