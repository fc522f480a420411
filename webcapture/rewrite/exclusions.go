package rewrite

import (
	"errors"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/rewrite/restore"
)

// This file excludes steps that would cause new findings.

// change identifies a step in any round, by its finding and fix. A step that only an option causes has only an action
// and a content set.
type change struct {
	rule             *rule.Rule
	tree, part       string
	set, object, has object.Ref // has is the content set of the fix
	key, from, to    nametree.Key
	index            int
	action           rule.Action
	restored         restoredSet
}

// restoredSet is a content set of an original, with the original's name.
type restoredSet struct {
	original string
	set      object.Ref
}

// exclusions are the excluded changes, with the reasons.
type exclusions map[change]string

// changeOf returns the change for a finding with a fix.
func changeOf(f *rule.Finding) change {
	c := change{rule: f.Rule, tree: f.Place.Tree, part: f.Place.Part, set: f.Place.Set, object: f.Place.Object,
		key: f.Place.Key, action: f.Fix.Action}
	c.has, c.from, c.to, c.index = f.Fix.Set, f.Fix.Old, f.Fix.New, f.Fix.Index
	return c
}

// changes returns the changes of a step.
func (s Step) changes() (list []change) {
	if s.restored != (restoredSet{}) {
		return []change{{action: s.Action, restored: s.restored}}
	}
	if len(s.findings) == 0 {
		return []change{{action: s.Action, set: s.Place.Set}}
	}
	for _, f := range s.findings {
		list = append(list, changeOf(f))
	}
	return list
}

// changeSubject is an object or a key that a step or a trouble is about.
type changeSubject struct {
	ref object.Ref
	key nametree.Key
}

// subjects returns the objects and keys that a step's change is about.
func (c change) subjects(s Step) []changeSubject {
	if c.restored != (restoredSet{}) {
		return []changeSubject{{ref: s.Place.Set}, {ref: s.Place.Object}, {key: s.Place.Key}}
	}
	return []changeSubject{{ref: c.set}, {ref: c.object}, {ref: c.has}, {key: c.key}, {key: c.from}, {key: c.to}}
}

// isLeftOut reports whether a change is about a content set that is not restored from an original. A change only in the
// form of a tree or value does not count.
func (c change) isLeftOut(records []restore.Records) bool {
	switch c.action {
	case rule.RewriteTree, rule.MergeEntries, rule.TidyValue, rule.OwnObject:
		return false
	}
	return slices.ContainsFunc(records, func(r restore.Records) bool {
		return slices.ContainsFunc(c.subjects(Step{}), func(s changeSubject) bool { return r.Sets[s.ref] || r.Keys[s.key] })
	})
}

// leftOut returns the excluded content sets of an original, with the reasons.
func (e exclusions) leftOut(original string) map[object.Ref]string {
	sets := map[object.Ref]string{}
	for c, reason := range e {
		if c.restored.original == original && c.restored.set.Num != 0 {
			sets[c.restored.set] = reason
		}
	}
	return sets
}

// blame excludes the changes that may cause troubles. It tries three groups, and excludes the first with a change that
// is not excluded yet: changes about the same object or key, changes of the same tree, all changes.
func (e exclusions) blame(c *course, before state, troubles []error) error {
	about, err := aboutWhat(troubles, before, c.after)
	if err != nil {
		return err
	}
	for _, causeOf := range []func(change, Step) error{
		func(c change, s Step) error {
			for _, t := range c.subjects(s) {
				if trouble := about[t]; trouble != nil && t != (changeSubject{}) {
					return trouble
				}
			}
			return nil
		},
		func(_ change, s Step) error {
			i := slices.IndexFunc(troubles, func(trouble error) bool { return treeOf(trouble) == s.Tree })
			if i < 0 {
				return nil
			}
			return troubles[i]
		},
		func(change, Step) error { return troubles[0] },
	} {
		if e.excludeWith(c.steps, causeOf) {
			break
		}
	}
	return nil
}

// excludeWith excludes the changes for which causeOf returns a trouble. It reports whether any of them was not excluded
// before.
func (e exclusions) excludeWith(steps []Step, causeOf func(change, Step) error) (any bool) {
	for _, s := range steps {
		for _, c := range s.changes() {
			trouble := causeOf(c, s)
			if trouble == nil || e[c] != "" {
				continue
			}
			any = true
			if e[c] = consequence(trouble); c.restored == (restoredSet{}) {
				e[c] = fmt.Sprintf("This repair would cause a new finding: %s.", consequence(trouble))
			}
		}
	}
	return any
}

// consequence describes what a trouble would mean for the file.
func consequence(trouble error) string {
	if f, ok := errors.AsType[*newFinding](trouble); ok {
		return f.Finding.String()
	}
	return trouble.Error()
}

// treeOf returns the name of the tree that a trouble is about; empty if it is about no tree or about all.
func treeOf(trouble error) string {
	if f, ok := errors.AsType[*newFinding](trouble); ok {
		return f.Place.Tree
	}
	return ""
}

// aboutWhat returns the subjects of troubles. For a content set, they include its keys before and after the rewrite.
func aboutWhat(troubles []error, states ...state) (map[changeSubject]error, error) {
	about := map[changeSubject]error{}
	for _, trouble := range troubles {
		f, ok := errors.AsType[*newFinding](trouble)
		if !ok {
			continue
		}
		for _, t := range []changeSubject{{ref: f.Place.Set}, {ref: f.Place.Object}, {key: f.Place.Key}, {key: f.Place.ID}} {
			if t != (changeSubject{}) && about[t] == nil {
				about[t] = trouble
			}
		}
	}
	for _, s := range states {
		r := s.file.NewReader()
		for _, t := range s.db.Trees() {
			for _, e := range t.Entries() {
				for o, err := range r.Values(e.Value) {
					if object.IgnoreMalformed(err) != nil {
						return nil, err
					}
					ref, _ := o.Ref()
					if trouble := about[changeSubject{ref: ref}]; trouble != nil && ref.Num != 0 {
						about[changeSubject{key: e.Key}] = trouble
					}
				}
			}
		}
	}
	return about, nil
}
