// Package restore restores the content database of a file from its original. A tool made the file from the original,
// and dropped or damaged the database.
//
// First it recognizes the pages and images of the original in the file (likeness.go, match.go). Then it works in this
// order:
//
//	intact.go  whether the file lost any content set; if not, only links, names, and SpiderInfo remain
//	identify.go which content set of the file is which of the original
//	agreement.go which records of these stay: those of the file agree, or those of the original do not
//	sets.go    content sets with a page or image in the file, and their keys
//	mend.go    entries of content sets that the file has: missing ones, and changed ones
//	join.go    members of content sets that the file has
//	tags.go    ID and PZ of pages and images
//	links.go   links that Web Capture converted
//	names.go   named destinations that begin with the ID of a content set
//	info.go    SpiderInfo and its commands
//
// It also copies other objects to which these refer (copy.go).
package restore

import (
	"errors"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// ErrNoOriginal means that an original has no database to restore.
var ErrNoOriginal = errors.New("it has no Web Capture content database, so webcap can restore nothing from it")

// errNoSets means that an original is damaged and has no database to restore.
var errNoSets = errors.New("damaged: webcap can read no content set in it, so it can restore nothing from it")

// Inputs are the inputs of a restoration: the original and the file.
type Inputs struct {
	Original  *webcapture.File
	Name      string // name of the original in messages
	File      *webcapture.File
	Database  *webcapture.Database // database of the file
	Update    *webcapture.Update   // update of the file; receives the restored objects
	Canonical func(nametree.Key) nametree.Key

	// Settled are content sets, pages, and images of the file that an earlier original has. They keep their records,
	// and only get missing ones.
	Settled map[object.Ref]bool

	// LeftOut are content sets of the original that must not be restored, with the reasons: they would cause new
	// findings.
	LeftOut map[object.Ref]string
}

// Changes are the restored parts of a file. Restored objects are in the update.
type Changes struct {
	Entries      []Entry
	Removals     []Entry                 // entries of the file that the original contradicts
	Destinations map[nametree.Key][]byte // named destinations, by name, as PDF text
	Catalog      []object.Setting        // new entries of the catalog
	Sets         []object.Ref            // new content sets of the file
	Copies       []object.Ref            // copies of content sets of the file; they get the same records
	Known        []object.Ref            // content sets, pages, and images that both files have
	LeftOut      Records                 // records of content sets that are not restored; see Inputs
	Steps        []Step                  // descriptions of the restored parts
	Unmatched    []string                // unrecognized pages of the original, and other notices, one per line
	Outcome      Outcome
}

// Entry is a new or removed entry of a tree: a key with one content set.
type Entry struct {
	Tree webcapture.TreeName
	Key  nametree.Key
	Set  object.Ref
}

// Records holds content sets of the file, with their present and intended keys.
type Records struct {
	Sets map[object.Ref]bool
	Keys map[nametree.Key]bool
}

// Step is one restored part.
type Step struct {
	Tree  string // changed tree; empty for another object
	Place rule.Place
	Old   string     // old value as text; empty for a new part
	New   string     // new value as text; empty if the part is removed
	From  object.Ref // content set of the original; number 0 if there is none
}

// side is the original or the file.
type side struct {
	file   *webcapture.File
	db     *webcapture.Database
	reader *webcapture.Reader
}

func sideOf(f *webcapture.File, db *webcapture.Database) side { return side{f, db, f.NewReader()} }

// restoration is the state of restoring a database from one original.
type restoration struct {
	Inputs
	original side
	file     side
	changes  Changes

	known  recognition
	copies map[object.Ref]object.Ref // copies in the file, by object of the original
	ids    map[object.Ref]string     // IDs of pages and images of the original
	sets   setIndex

	foreign map[object.Ref]bool // content sets of the file that keep their records; see findForeign
}

// recognition maps the pages and images of the original to those of the file.
type recognition struct {
	is      map[object.Ref]*likeness   // pages and images of the file, by match in the original
	further map[object.Ref][]*likeness // copies of images, and of pages with their IDs, by match in the original
	was     map[object.Ref]object.Ref  // pages and images of the original, by match in the file; includes copies
	sure    map[object.Ref]bool        // pages and images of the file recognized by ID, content, or text
	ids     map[object.Ref]string      // IDs of pages and images of the file
	shown   map[object.Ref]int         // number of pages that show an image of the file
	numbers map[object.Ref]int         // page numbers in the file
	whole   bool                       // the file has exactly the pages of the original
	derived bool                       // the file has only pages of the original, and copies of them
}

// From restores the parts of an original that a file lacks. If the original has all pages and images of a content set,
// From also changes back records that differ from the original.
func From(in Inputs) (*Changes, error) {
	from, err := in.Original.Database()
	if err != nil {
		return nil, err
	}
	if !from.Present() {
		return nil, ErrNoOriginal
	}
	before, err := likenessesOf(in.Original, from)
	if err != nil {
		return nil, err
	}
	after, err := likenessesOf(in.File, in.Database)
	if err != nil {
		return nil, err
	}
	r := &restoration{
		Inputs: in, original: sideOf(in.Original, from), file: sideOf(in.File, in.Database),
		changes: Changes{Destinations: map[nametree.Key][]byte{}, Outcome: Outcome{Original: in.Name}},
		copies:  map[object.Ref]object.Ref{}, ids: before.ids(),
	}
	pages, images := matched(before, after)
	r.known = recognize(before, after, pages, images)
	r.changes.Unmatched = pages.unmatched(in.Name, before.pages, after.pages)
	if err := r.shareCommands(); err != nil {
		return nil, err
	}
	if intact, err := r.isIntact(before, after); err != nil {
		return nil, err
	} else if intact {
		return &r.changes, r.restoreRest(before)
	}
	if err := r.indexSets(); err != nil {
		return nil, err
	}
	if len(r.sets.original) == 0 {
		return nil, errNoSets
	}
	r.sayAgreements()
	if len(r.known.is) == 0 && len(before.pages) > 0 {
		r.changes.Unmatched = append(r.changes.Unmatched,
			in.Name+": webcap recognizes none of its pages and images in the file, so it restores nothing from it")
	} else if r.sets.foreign {
		// such an original proves nothing about this file
	} else if err := r.restore(before); err != nil {
		return nil, err
	}
	r.sayContradictions()
	r.attribute()
	if !r.sets.foreign {
		r.noteLeftOut()
	}
	r.account(before, after)
	return &r.changes, nil
}

// recognize combines matched pages and images to a recognition.
func recognize(before, after *likenesses, pages, images *matching) recognition {
	known := recognition{
		is: map[object.Ref]*likeness{}, further: map[object.Ref][]*likeness{}, was: map[object.Ref]object.Ref{},
		sure: map[object.Ref]bool{}, ids: after.ids(), shown: map[object.Ref]int{},
		numbers: map[object.Ref]int{},
	}
	known.whole = len(pages.is) == len(before.pages) && len(pages.is) == len(after.pages)
	known.derived = len(after.pages) > 0 && len(pages.taken) == len(after.pages)
	for _, m := range []*matching{pages, images} {
		for l, is := range m.is {
			known.is[l.ref], known.was[is.ref], known.sure[is.ref] = is, l.ref, m.sure[l]
		}
	}
	for l, copies := range images.copies {
		known.further[l.ref] = copies
		for _, c := range copies {
			known.was[c.ref], known.sure[c.ref] = l.ref, true
		}
	}
	for l, copies := range pages.copies {
		for _, c := range copies {
			if c.id == l.id && l.id != "" { // its ID identifies its content set
				known.further[l.ref] = append(known.further[l.ref], c)
				known.was[c.ref], known.sure[c.ref] = l.ref, true
			}
		}
	}
	for _, l := range after.pages {
		known.numbers[l.ref] = l.number
		for _, ref := range l.images {
			known.shown[ref]++
		}
	}
	return known
}

// found returns the matches of a page or image of the original in the file. Copies come last.
func (k *recognition) found(ref object.Ref) []*likeness {
	if is := k.is[ref]; is != nil {
		return append([]*likeness{is}, k.further[ref]...)
	}
	return nil
}

// changesBack reports whether records of an object of the file may change back to those of the original.
func (r *restoration) changesBack(ref object.Ref) bool { return !r.foreign[ref] && !r.Settled[ref] }

// findForeign finds the content sets of the file that list a page or image that the original lacks. They keep their
// records, unless the file has only pages of the original.
func (r *restoration) findForeign(own []*traits) {
	r.foreign = map[object.Ref]bool{}
	for _, t := range own {
		isOther := func(ref object.Ref) bool { return r.known.was[ref].Num == 0 }
		r.foreign[t.ref] = !r.known.derived && slices.ContainsFunc(t.stored, isOther)
	}
}

// step adds a step that restores a part.
func (r *restoration) step(tree string, at rule.Place, what string) {
	r.replacement(tree, at, "", what)
}

// replacement adds a step that changes a value back.
func (r *restoration) replacement(tree string, at rule.Place, was, is string) {
	r.changes.Steps = append(r.changes.Steps, Step{tree, at, was, is, object.Ref{}})
}

// noteLeftOut records the keys and content sets that belong to content sets that are not restored.
func (r *restoration) noteLeftOut() {
	sets, keys := map[object.Ref]bool{}, map[nametree.Key]bool{}
	for _, t := range r.sets.original {
		if r.LeftOut[t.ref] == "" {
			continue
		}
		list := []*traits{t}
		for _, ref := range r.sets.all(r.sets.is[t.ref]) {
			sets[ref] = true
			list = append(list, r.sets.own[ref])
		}
		for _, t := range list {
			for _, k := range t.keys {
				keys[k.key] = true
			}
			for _, key := range append(t.urls, t.id) {
				keys[nametree.Key(key)] = key != ""
			}
		}
	}
	r.changes.LeftOut = Records{sets, keys}
}

// attribute sets From of each step to the content set of the original that caused the step.
func (r *restoration) attribute() {
	from := map[object.Ref]object.Ref{}
	for was, is := range r.sets.is {
		for _, ref := range r.sets.all(is) {
			from[ref] = was
		}
	}
	for i := range r.changes.Steps {
		s := &r.changes.Steps[i]
		if s.From.Num == 0 {
			s.From = from[s.Place.Set]
		}
	}
}

// restore restores everything, in the order of the package comment.
func (r *restoration) restore(before *likenesses) error {
	for _, tree := range r.original.db.Trees() {
		if err := r.entries(tree); err != nil {
			return err
		}
	}
	r.removals()
	for _, list := range [][]*likeness{before.pages, before.images} {
		for _, l := range list {
			if err := r.tag(l); err != nil {
				return err
			}
		}
	}
	return r.restoreRest(before)
}

// restoreRest restores everything except content sets: links, named destinations, and SpiderInfo.
func (r *restoration) restoreRest(before *likenesses) error {
	ids := map[string]bool{}
	for _, l := range before.pages {
		is := r.known.is[l.ref]
		ids[l.id] = ids[l.id] || l.id != "" && is != nil && is.id == l.id
		if err := r.links(l); err != nil {
			return err
		}
	}
	if err := r.destinations(ids); err != nil {
		return err
	}
	return r.spiderInfo()
}
