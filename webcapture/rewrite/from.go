package rewrite

import (
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
	"github.com/webcap-tools/webcap/webcapture/rewrite/restore"
)

// ErrNoOriginal reports that a file in Options.From has nothing to bring back.
var ErrNoOriginal = restore.ErrNoOriginal

// planFrom plans to bring back what originals have, and nothing else: of each, what is not in what
// those before it lead to.
func planFrom(s state, opt Options) (*Plan, error) {
	whole := newPlanner(s.file, s.db, s.rep, opt).plan
	for i, name := range opt.From {
		if i > 0 {
			s.file = whole.update.Preview()
			var err error
			if s.db, err = s.file.DatabaseAfter(whole.db); err != nil {
				return nil, err
			}
		}
		p, err := planFromOne(s, opt, name)
		if err != nil {
			return nil, err
		}
		unmatched := slices.Concat(whole.Unmatched, p.Unmatched)
		p.follow(whole)
		p.Unmatched, whole = unmatched, p
	}
	return whole, nil
}

// planFromOne plans to bring back what one original has.
func planFromOne(s state, opt Options, name string) (*Plan, error) {
	var p *planner
	var back *restore.Changes
	if err := withOriginal(name, opt, func(f *webcapture.File) (err error) {
		p = newPlanner(s.file, s.db, s.rep, opt) // anew if this is called again, after a repair of the original
		back, err = restore.From(f, name, s.file, s.db, p.plan.update, knownKeys{p})
		return err
	}); err != nil {
		return nil, err
	}

	// The objects that are brought back are read like others when the trees are built.
	preview := p.plan.update.Preview()
	db, err := preview.Database()
	if err != nil {
		return nil, err
	}
	q := newPlanner(preview, db, s.rep, opt)
	q.take(back, name)
	err = q.build()
	q.plan.Steps.sort()
	return q.plan, err
}

// take takes what an original brings back.
func (p *planner) take(back *restore.Changes, name string) {
	p.inCatalog, p.plan.Unmatched = back.Catalog, back.Unmatched
	for _, ref := range back.Sets {
		p.plan.unseen[ref] = true
	}
	for _, s := range back.Steps {
		p.plan.Steps.Add(Step{Action: audit.Plant, Tree: s.Tree, Place: s.Place, New: s.New, Reason: name + " has it"})
	}
	for _, e := range back.Entries {
		p.trees[e.Tree].add(e.Key, object.MakeRef(e.Set))
	}
	p.dests.planted = back.Destinations
}

// withOriginal calls do with an original, a second time if the original had to be repaired. Errors name it.
func withOriginal(name string, opt Options, do func(*webcapture.File) error) error {
	f, err := webcapture.Open(name, webcapture.Options{Passwords: opt.Passwords, Context: opt.Context})
	if err != nil {
		return fmt.Errorf("%s: %w", name, oserror.ReasonOf(err, name))
	}
	defer f.Close()
	if err := f.Repairing(func() error { return do(f) }); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// knownKeys is what a planner knows about the keys of content sets.
type knownKeys struct{ p *planner }

func (k knownKeys) Canonical(url nametree.Key) nametree.Key { return k.p.canonical(url) }
func (k knownKeys) ContentSets() ([]object.Ref, error)      { return k.p.allSets() }
func (k knownKeys) OwnKeys(tree webcapture.TreeName, set object.Object) ([]nametree.Key, error) {
	return k.p.ownKeys(tree, set)
}

// BringsBack reports whether a rewrite of the file at path would bring something back from an
// original. It audits neither of them, and ignores what else a rewrite does.
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
		p, err = planFrom(state{f, db, new(audit.Report)}, opt)
		return err
	})
	return err == nil && !p.Empty(), err
}
