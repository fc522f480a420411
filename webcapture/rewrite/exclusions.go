package rewrite

import (
	"errors"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Steps that are left out because something new would be wrong after them.

// change identifies a step in any round: which finding asks for it, and
// with which fix. What only an option asks for has its action and content set alone.
type change struct {
	rule             *rule.Rule
	tree, part       string
	set, object, has object.Ref // has: the set of the fix
	key, from, to    nametree.Key
	index            int
	action           rule.Action
}

// exclusions are the changes that are not made, with the reasons.
type exclusions map[change]string

// changeOf returns the change that a finding with a fix asks for.
func changeOf(f *rule.Finding) change {
	c := change{rule: f.Rule, tree: f.Place.Tree, part: f.Place.Part, set: f.Place.Set, object: f.Place.Object,
		key: f.Place.Key, action: f.Fix.Action}
	c.has, c.from, c.to, c.index = f.Fix.Set, f.Fix.Old, f.Fix.New, f.Fix.Index
	return c
}

// changes returns what a step changes.
func (s Step) changes() (list []change) {
	if len(s.findings) == 0 {
		return []change{{action: s.Action, set: s.Place.Set}}
	}
	for _, f := range s.findings {
		list = append(list, changeOf(f))
	}
	return list
}

// changeSubject is an object or a key, the subject of a step or a trouble.
type changeSubject struct {
	ref object.Ref
	key nametree.Key
}

// subjects returns what a change is about.
func (c change) subjects() []changeSubject {
	return []changeSubject{{ref: c.set}, {ref: c.object}, {ref: c.has}, {key: c.key}, {key: c.from}, {key: c.to}}
}

// blame excludes the changes that troubles may come of: those that are about the same
// object or key; if all of these are excluded, those of the same tree; else all.
func (e exclusions) blame(c *course, before state, troubles []error) error {
	about, err := aboutWhat(troubles, before, c.after)
	if err != nil {
		return err
	}
	var list []change
	for _, s := range c.steps {
		list = append(list, s.changes()...)
	}
	for _, causeOf := range []func(change) error{
		func(c change) error {
			for _, t := range c.subjects() {
				if trouble := about[t]; trouble != nil && t != (changeSubject{}) {
					return trouble
				}
			}
			return nil
		},
		func(c change) error {
			i := slices.IndexFunc(troubles, func(trouble error) bool { return treeOf(trouble) == c.tree })
			if i < 0 {
				return nil
			}
			return troubles[i]
		},
		func(change) error { return troubles[0] },
	} {
		any := false
		for _, c := range list {
			if trouble := causeOf(c); trouble != nil && e[c] == "" {
				e[c] = fmt.Sprintf("Something would be wrong then that is not yet: %s.", consequence(trouble))
				any = true
			}
		}
		if any {
			break
		}
	}
	return nil
}

// consequence says what a trouble is.
func consequence(trouble error) string {
	if f, ok := errors.AsType[*newFinding](trouble); ok {
		return f.Finding.String()
	}
	return trouble.Error()
}

// treeOf returns the tree that a trouble is about; empty if it is about none, or all.
func treeOf(trouble error) string {
	if f, ok := errors.AsType[*newFinding](trouble); ok {
		return f.Place.Tree
	}
	return ""
}

// aboutWhat returns the things that troubles are about: of a content set the keys, too,
// that lead to it before and after.
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
