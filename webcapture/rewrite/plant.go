package rewrite

import (
	"errors"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
)

// ErrNoOriginal says that a file in Options.From has nothing to bring back.
var ErrNoOriginal = errors.New("it has no Web Capture content database, so there is nothing to bring back from it")

// How a content database is brought back from an original. First pages and images of the file
// are known again (likeness.go). Then comes, in this order:
//
//	plantsets.go   content sets of which a page or image is in the file, and their keys
//	plantjoin.go   what those that the file has already lack of them
//	planttags.go   ID and PZ of these pages and images
//	plantlinks.go  links that Web Capture has converted
//	plantnames.go  named destinations that begin with the ID of a content set
//	plantinfo.go   SpiderInfo and its commands
//
// Whatever else these refer to is copied (plantcopy.go).

// A planter brings back the content database of an original.
type planter struct {
	*planner
	name   string
	from   *webcapture.File
	db     *webcapture.Database
	reader *webcapture.Reader

	is      map[object.Ref]*likeness // pages and images of the file, by those of the original
	shown   map[object.Ref]int       // images of the file, by how many of its pages show them
	numbers map[object.Ref]int       // pages of the file, by their place in page order
	whole   bool                     // the file has the pages of the original, and no others
	copies  map[object.Ref]object.Ref
	sets    map[object.Ref]object.Ref   // content sets of the file, by those of the original; Num 0 for what is left out
	known   map[string]object.Ref       // content sets that the file has, by S and ID
	listed  map[object.Ref]nametree.Key // pages and images in O of these, by the ID of the set
	joined  map[object.Ref]bool         // content sets of the file that the original has, too

	elsewhere, differing []nametree.Key // IDs of content sets of the original, see say
}

// plant plans to bring back what originals have, and nothing else: of each, what is not in what
// those before it lead to.
func plant(s state, opt Options) (*Plan, error) {
	whole := newPlanner(s.file, s.db, s.rep, opt).plan
	for i, name := range opt.From {
		if i > 0 {
			s.file = whole.update.Preview()
			var err error
			if s.db, err = s.file.DatabaseAfter(whole.db); err != nil {
				return nil, err
			}
		}
		p, err := plantOne(s, opt, name)
		if err != nil {
			return nil, err
		}
		unmatched := slices.Concat(whole.Unmatched, p.Unmatched)
		p.follow(whole)
		p.Unmatched, whole = unmatched, p
	}
	return whole, nil
}

// plantOne plans to bring back what one original has.
func plantOne(s state, opt Options, name string) (*Plan, error) {
	f, err := webcapture.Open(name, webcapture.Options{Passwords: opt.Passwords, Context: opt.Context})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, oserror.ReasonOf(err, name))
	}
	var p *planner
	err = f.Repairing(func() error {
		p = newPlanner(s.file, s.db, s.rep, opt)
		return p.plantFrom(f, name)
	})
	f.Close()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p.putInfo()

	// The objects that are brought back are read like others when the trees are built.
	preview := p.plan.update.Preview()
	db, err := preview.Database()
	if err != nil {
		return nil, err
	}
	q := newPlanner(preview, db, s.rep, opt)
	q.inCatalog, q.plan.unseen, q.plan.Unmatched, q.plan.Steps = p.inCatalog, p.plan.unseen, p.plan.Unmatched, p.plan.Steps
	for name, t := range p.trees {
		for _, a := range t.added {
			q.trees[name].add(a.key, a.set)
		}
	}
	q.dests.planted = p.dests.planted
	err = q.build()
	q.plan.Steps.sort()
	return q.plan, err
}

// BringsBack reports whether there is something in an original that a rewrite of the file at path
// would bring back. It audits neither of them; what else a rewrite does, it does not ask.
func BringsBack(path, original string, opt Options) (bool, error) {
	f, err := webcapture.Open(path, webcapture.Options{Passwords: opt.Passwords, Context: opt.Context})
	if err != nil {
		return false, err
	}
	defer f.Close()
	opt.From = []string{original}
	var p *Plan
	err = f.Repairing(func() error {
		db, err := f.Database()
		if err != nil {
			return err
		}
		p, err = plant(state{f, db, new(audit.Report)}, opt)
		return err
	})
	return err == nil && !p.Empty(), err
}

// plantFrom brings back what one original has.
func (p *planner) plantFrom(f *webcapture.File, name string) error {
	db, err := f.Database()
	if err != nil {
		return err
	}
	if !db.Present() {
		return ErrNoOriginal
	}
	before, err := likenessesOf(f, db)
	if err != nil {
		return err
	}
	after, err := likenessesOf(p.plan.file, p.db)
	if err != nil {
		return err
	}
	w := &planter{
		planner: p, name: name, from: f, db: db, reader: f.NewReader(), is: map[object.Ref]*likeness{}, shown: map[object.Ref]int{}, numbers: map[object.Ref]int{},
		copies: map[object.Ref]object.Ref{}, sets: map[object.Ref]object.Ref{}, known: map[string]object.Ref{},
		listed: map[object.Ref]nametree.Key{}, joined: map[object.Ref]bool{},
	}
	pages, images := matched(before, after)
	w.whole = len(pages.is) == len(before.pages) && len(pages.is) == len(after.pages)
	for _, m := range []*matching{pages, images} {
		for l, is := range m.is {
			w.is[l.ref] = is
		}
	}
	for _, l := range after.pages {
		w.numbers[l.ref] = l.number
		for _, ref := range l.images {
			w.shown[ref]++
		}
	}
	if len(w.is) == 0 && len(before.pages) > 0 {
		p.plan.Unmatched = append(p.plan.Unmatched, name+": none of its pages and images is in the file, so nothing is brought back from it")
		return nil
	}
	p.plan.Unmatched = append(p.plan.Unmatched, pages.unmatched(name, before.pages, after.pages)...)
	err = w.plant(before)
	w.say("content sets that are in the file with other source information, which stays", w.differing)
	w.say("content sets with pages or images that are in another one already, and stay there", w.elsewhere)
	return err
}

// say adds a line about content sets of the original, if there are any.
func (w *planter) say(what string, ids []nametree.Key) {
	if len(ids) > 0 {
		w.plan.Unmatched = append(w.plan.Unmatched, fmt.Sprintf("%s: %s: %s", w.name, what, several(ids, ", ")))
	}
}

func (w *planter) plant(before *likenesses) error {
	if err := w.index(); err != nil {
		return err
	}
	for _, tree := range w.db.Trees() {
		for _, e := range tree.Entries() {
			list, err := w.valuesOf(e.Value)
			if err != nil {
				return err
			}
			for _, o := range list {
				if err := w.entry(tree.Name, e.Key, o); err != nil {
					return err
				}
			}
		}
	}
	for _, list := range [][]*likeness{before.pages, before.images} {
		for _, l := range list {
			if err := w.tag(l); err != nil {
				return err
			}
		}
	}
	ids := map[string]bool{}
	for _, l := range before.pages {
		ids[l.id] = l.id != ""
		if err := w.links(l); err != nil {
			return err
		}
	}
	if err := w.namesOf(ids); err != nil {
		return err
	}
	return w.spiderInfo()
}
