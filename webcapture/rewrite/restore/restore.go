// Package restore restores the content database of a file from its original. A tool made the file from the original,
// and dropped or damaged the database.
//
// The original fills what is absent or broken in the file, and decides where records of the file contradict each other.
// It never replaces a value that is valid and contradicted by nothing in the file. Values of the original that an audit
// of the original reports are never copied.
//
// Package match recognizes the pages and images of the original in the file. Then restore works in this order:
//
//	info.go    SpiderInfo and its commands
//	sets.go    which content set of the file is which of the original
//	keys.go    which ID and URLs a content set has, and its keys in both trees
//	fill.go    absent or broken entries of content sets and sources (valid.go), and content sets that the file lacks
//	members.go O and R
//	tags.go    ID and PZ of pages and images
//	names.go   named destinations that begin with the ID of a content set
//	links.go   PA of links that Web Capture converted
//
// It also copies other objects to which these refer (copy.go). outcome.go reports each content set of the original.
package restore

import (
	"errors"
	"fmt"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// ErrNoOriginal means that an original has no database to restore.
var ErrNoOriginal = errors.New("it has no Web Capture content database, so webcap can restore nothing from it")

// errNoSets means that an original has a database without a content set that can be read.
var errNoSets = errors.New("webcap can read no content set in it, so it can restore nothing from it")

// Inputs are the inputs of a restoration: the original and the file.
type Inputs struct {
	Original *webcapture.File
	Name     string // name of the original in messages
	File     *webcapture.File
	Database *webcapture.Database // database of the file
	Update   *webcapture.Update   // update of the file; receives the restored objects
	Base     rule.Base            // base of relative URLs

	// LeftOut are content sets of the original that must not be restored, with the reasons: they would cause new
	// findings.
	LeftOut map[object.Ref]string
}

// Changes are the restored parts of a file. Restored objects are in the update.
type Changes struct {
	Entries      []Entry
	Removals     []Entry                 // wrong entries of content sets that have the right ones
	Destinations map[nametree.Key][]byte // named destinations, by name, as PDF text
	Catalog      []object.Setting        // new entries of the catalog
	Sets         []object.Ref            // new content sets of the file
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

// Step is one restored part.
type Step struct {
	Tree  string // changed tree; empty for another object
	Place rule.Place
	Old   string     // old value as text; empty for a new part
	New   string     // new value as text; empty if the part is removed
	From  object.Ref // content set of the original; number 0 if there is none
}

// restoration is the state of restoring a database from one original.
type restoration struct {
	Inputs
	original, file *match.Document
	pairs          *match.Pairing
	changes        Changes

	theirDests, ownDests *nametree.Tree // named destinations of the original and of the file

	matches []*setMatch                     // content sets of the original, in order
	own     []*set                          // content sets of the file
	lists   map[object.Ref][]*set           // content sets of the file, by member
	uses    map[object.Ref]int              // number of pages of the file that show an image
	onPages map[object.Ref]bool             // images of the file that pages with a match show
	copies  map[object.Ref]object.Ref       // copies in the file, by object of the original
	ids     map[object.Ref]string           // new IDs of pages and images of the file
	dicts   map[object.Ref]object.Dict      // changed dictionaries of pages and images
	from    object.Ref                      // content set of the original that causes the next steps
	theirs  map[treeKey]bool                // keys of the original
	names   map[treeKey][]*set              // content sets of the original, by ID, key of IDS, and URL
	entries map[treeKey]map[object.Ref]bool // entries of the file after the restoration; true if they were there before
}

// treeKey is a key of one of the two trees.
type treeKey struct {
	tree webcapture.TreeName
	key  nametree.Key
}

// From restores the parts of an original that a file lacks.
func From(in Inputs) (*Changes, error) {
	from, err := in.Original.Database()
	if err != nil {
		return nil, err
	}
	if !from.Present() {
		return nil, ErrNoOriginal
	}
	r := &restoration{
		Inputs: in, copies: map[object.Ref]object.Ref{}, ids: map[object.Ref]string{},
		dicts: map[object.Ref]object.Dict{}, entries: map[treeKey]map[object.Ref]bool{},
		changes: Changes{Destinations: map[nametree.Key][]byte{}, Outcome: Outcome{Original: in.Name}},
	}
	if r.original, err = match.Read(in.Original, from); err != nil {
		return nil, err
	}
	if r.file, err = match.Read(in.File, in.Database); err != nil {
		return nil, err
	}
	r.pairs, r.uses = match.Pairs(r.original, r.file), r.file.Uses()
	r.onPages = r.pairs.Shown()
	r.noticeUnmatched()
	if err := r.readSets(); err != nil {
		return nil, err
	}
	if len(r.matches) == 0 {
		return nil, errNoSets
	}
	if r.pairs.Empty() {
		r.notice("webcap recognizes none of its pages and images in the file, so it restores nothing from it")
	} else if err := r.restore(); err != nil {
		return nil, err
	}
	r.account()
	return &r.changes, nil
}

// restore restores everything, in the order of the package comment.
func (r *restoration) restore() error {
	r.matchSets()
	if err := r.spiderInfo(); err != nil {
		return err
	}
	for _, m := range r.matches {
		if m.left() {
			continue
		}
		r.from = m.was.ref
		if err := r.restoreSet(m); err != nil {
			return err
		}
	}
	r.removeKeys()
	for _, m := range r.matches {
		if m.set.Num != 0 && !m.left() {
			r.from = m.was.ref
			if err := r.tagMembers(m); err != nil {
				return err
			}
		}
	}
	r.from = object.Ref{}
	return r.restoreRest()
}

// restoreRest restores named destinations of pages that have the ID of the original, and PA of links.
func (r *restoration) restoreRest() error {
	if err := r.readDestinations(); err != nil {
		return err
	}
	ids := map[string]bool{}
	for _, pg := range r.original.Pages {
		if is := r.pairs.Page(pg.Ref); is != nil && pg.ID != "" && r.idOf(is.Ref) == pg.ID {
			ids[pg.ID] = true
		}
	}
	if err := r.destinations(ids); err != nil {
		return err
	}
	for _, pg := range r.original.Pages {
		if is := r.pairs.Page(pg.Ref); is != nil {
			if err := r.links(pg, is); err != nil {
				return err
			}
		}
	}
	return nil
}

// notice adds a notice about the original.
func (r *restoration) notice(text string) {
	r.changes.Unmatched = append(r.changes.Unmatched, r.Name+": "+text)
}

// step adds a step that restores a part.
func (r *restoration) step(tree string, at rule.Place, what string) {
	r.replacement(tree, at, "", what)
}

// replacement adds a step that changes a value.
func (r *restoration) replacement(tree string, at rule.Place, was, is string) {
	r.changes.Steps = append(r.changes.Steps, Step{tree, at, was, is, r.from})
}

// noticeUnmatched names the unrecognized pages of the original. Each page with candidates gets a line, up to
// maxUnmatched lines; the pages without candidates share one.
func (r *restoration) noticeUnmatched() {
	listed := 0
	var gone []int
	for _, pg := range r.pairs.Unmatched {
		list := r.pairs.Candidates[pg]
		switch {
		case len(list) == 0:
			gone = append(gone, pg.Number)
		case listed < maxUnmatched:
			var numbers []int
			for _, is := range list {
				numbers = append(numbers, is.Number)
			}
			r.notice(fmt.Sprintf("skipped page %d, which may be page %s of the file", pg.Number, several(numbers, " or ")))
			listed++
		}
	}
	if len(gone) > 0 {
		r.notice(fmt.Sprintf("pages that are not in the file (%d of %d): %s", len(gone), len(r.original.Pages),
			several(gone, ", ")))
	}
}

// several returns the first elements of a list, and the number of the others, as text.
func several[T any](list []T, separator string) string {
	var text strings.Builder
	for i, e := range list[:min(len(list), maxUnmatched)] {
		if i > 0 {
			text.WriteString(separator)
		}
		fmt.Fprint(&text, e)
	}
	if more := len(list) - maxUnmatched; more > 0 {
		fmt.Fprintf(&text, " and %d more", more)
	}
	return text.String()
}
