// Package restore brings a content database back from an original: into a file that a tool made of it,
// and of which it dropped or broke the database.
//
// First pages and images of the file are recognized (likeness.go, match.go). Then comes, in this order:
//
//	sets.go    content sets of which a page or image is in the file, and their keys
//	join.go    what those that the file has already lack of them
//	tags.go    ID and PZ of these pages and images
//	links.go   links that Web Capture has converted
//	names.go   named destinations that begin with the ID of a content set
//	info.go    SpiderInfo and its commands
//
// Whatever else these refer to is copied (copy.go).
package restore

import (
	"errors"
	"fmt"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// ErrNoOriginal reports that an original has nothing to bring back.
var ErrNoOriginal = errors.New("it has no Web Capture content database, so there is nothing to bring back from it")

// Repair is the repair that the database is brought back for: it knows the content sets of the file and their keys.
type Repair interface {
	// Canonical returns the form of a URL that a key has.
	Canonical(url nametree.Key) nametree.Key

	// ContentSets returns the content sets that entries of the file lead to, in the order of the file.
	ContentSets() ([]object.Ref, error)

	// OwnKeys returns the keys that a content set of the file has in a tree by its ID and URLs.
	OwnKeys(tree webcapture.TreeName, set object.Object) ([]nametree.Key, error)
}

// Changes are what a file gets back of an original, apart from the objects, which are in the update.
type Changes struct {
	Entries      []Entry
	Destinations map[nametree.Key][]byte // named destinations, by name, as PDF text
	Catalog      []object.Setting        // entries of the catalog
	Sets         []object.Ref            // content sets that are new in the file
	Steps        []Step                  // what comes back, for people
	Unmatched    []string                // pages and content sets of the original that stay away, a line each
}

// Entry is an entry that a tree gets.
type Entry struct {
	Tree webcapture.TreeName
	Key  nametree.Key
	Set  object.Ref
}

// Step is one thing that comes back.
type Step struct {
	Tree  string // that it changes; empty if it changes something else
	Place rule.Place
	New   string // as PDF text
}

// side is one of the two files.
type side struct {
	file   *webcapture.File
	db     *webcapture.Database
	reader *webcapture.Reader
}

func sideOf(f *webcapture.File, db *webcapture.Database) side { return side{f, db, f.NewReader()} }

// restoration is the work of bringing a database back from an original.
type restoration struct {
	Repair
	name     string // of the original, for messages
	original side
	file     side
	update   *webcapture.Update // of the file
	changes  Changes

	known  recognition
	copies map[object.Ref]object.Ref // objects of the file, by those of the original that they are copies of
	sets   setIndex
}

// recognition says which pages and images of the file are which of the original.
type recognition struct {
	is      map[object.Ref]*likeness // pages and images of the file, by those of the original
	shown   map[object.Ref]int       // images of the file, by how many of its pages show them
	numbers map[object.Ref]int       // pages of the file, by their place in page order
	whole   bool                     // the file has the pages of the original, and no others
}

// From brings back into a file what an original has and the file has not. The objects that come back are put
// into the update of the file. The name is that of the original in messages.
func From(original *webcapture.File, name string, file *webcapture.File, db *webcapture.Database,
	update *webcapture.Update, repair Repair) (*Changes, error) {
	from, err := original.Database()
	if err != nil {
		return nil, err
	}
	if !from.Present() {
		return nil, ErrNoOriginal
	}
	before, err := likenessesOf(original, from)
	if err != nil {
		return nil, err
	}
	after, err := likenessesOf(file, db)
	if err != nil {
		return nil, err
	}
	r := &restoration{
		Repair: repair, name: name, original: sideOf(original, from), file: sideOf(file, db), update: update,
		changes: Changes{Destinations: map[nametree.Key][]byte{}}, copies: map[object.Ref]object.Ref{},
		sets: newSetIndex(),
	}
	pages, images := matched(before, after)
	r.known = recognize(before, after, pages, images)
	if len(r.known.is) == 0 && len(before.pages) > 0 {
		r.changes.Unmatched = append(r.changes.Unmatched,
			name+": none of its pages and images is in the file, so nothing is brought back from it")
		return &r.changes, nil
	}
	r.changes.Unmatched = pages.unmatched(name, before.pages, after.pages)
	if err := r.restore(before); err != nil {
		return nil, err
	}
	r.say("content sets that are in the file with other source information, which stays", r.sets.differing)
	r.say("content sets with pages or images that are in another one already, and stay there", r.sets.elsewhere)
	return &r.changes, nil
}

// recognize returns what matchings of pages and images say.
func recognize(before, after *likenesses, pages, images *matching) recognition {
	known := recognition{is: map[object.Ref]*likeness{}, shown: map[object.Ref]int{}, numbers: map[object.Ref]int{}}
	known.whole = len(pages.is) == len(before.pages) && len(pages.is) == len(after.pages)
	for _, m := range []*matching{pages, images} {
		for l, is := range m.is {
			known.is[l.ref] = is
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

// say adds a line about content sets of the original, if there are any.
func (r *restoration) say(what string, ids []nametree.Key) {
	if len(ids) > 0 {
		r.changes.Unmatched = append(r.changes.Unmatched, fmt.Sprintf("%s: %s: %s", r.name, what, several(ids, ", ")))
	}
}

// step adds a step.
func (r *restoration) step(tree string, at rule.Place, what string) {
	r.changes.Steps = append(r.changes.Steps, Step{tree, at, what})
}

// restore brings back everything, in the order that the comment on the package gives.
func (r *restoration) restore(before *likenesses) error {
	if err := r.indexSets(); err != nil {
		return err
	}
	for _, tree := range r.original.db.Trees() {
		if err := r.entries(tree); err != nil {
			return err
		}
	}
	for _, list := range [][]*likeness{before.pages, before.images} {
		for _, l := range list {
			if err := r.tag(l); err != nil {
				return err
			}
		}
	}
	ids := map[string]bool{}
	for _, l := range before.pages {
		ids[l.id] = l.id != ""
		if err := r.links(l); err != nil {
			return err
		}
	}
	if err := r.destinations(ids); err != nil {
		return err
	}
	return r.spiderInfo()
}
