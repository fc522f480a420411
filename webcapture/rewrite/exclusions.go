package rewrite

import (
	"errors"
	"fmt"
	"maps"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// This file excludes steps that would cause new findings.

// change identifies a step in any round, by its finding and fix. Nodes do not count, because they move. A step without
// a finding has only an action, and the content set that it adds, changes, or restores.
type change struct {
	rule        *rule.Rule
	tree, part  string
	set, object object.Ref
	key         nametree.Key
	fix         rule.Fix
	restored    restoredSet
}

// restoredSet is a content set of an original, with the original's name.
type restoredSet struct {
	original string
	set      object.Ref
}

// exclusions are the excluded changes, with the reasons.
type exclusions map[change]string

func (e exclusions) clone() exclusions {
	c := exclusions{}
	maps.Copy(c, e)
	return c
}

// changeOf returns the change for a finding with a fix.
func changeOf(f *rule.Finding) change {
	at := &f.Place
	return change{rule: f.Rule, tree: at.Tree, part: at.Part, set: at.Set, object: at.Object, key: at.Key, fix: *f.Fix}
}

// changeWithout returns the change for a step without a finding.
func changeWithout(action rule.Action, set object.Ref) change {
	return change{set: set, fix: rule.Fix{Action: action}}
}

// changes returns the changes of a step.
func (s Step) changes() (list []change) {
	if s.restored != (restoredSet{}) {
		return []change{{restored: s.restored}}
	}
	if len(s.findings) == 0 {
		return []change{changeWithout(s.Action, s.Place.Set)}
	}
	for _, f := range s.findings {
		list = append(list, changeOf(f))
	}
	return list
}

// changeSubject is an object or a key that a step or a problem is about.
type changeSubject struct {
	ref object.Ref
	key nametree.Key
}

// subjects returns the objects and keys that a step's change is about.
func (c change) subjects(s Step) []changeSubject {
	if c.restored != (restoredSet{}) {
		return subjectsAt(*s.Place)
	}
	return []changeSubject{
		{ref: c.set}, {ref: c.object}, {ref: c.fix.Set}, {key: c.key}, {key: c.fix.Old}, {key: c.fix.New},
	}
}

// subjectsAt returns the objects and keys of a place.
func subjectsAt(at rule.Place) []changeSubject {
	return []changeSubject{{ref: at.Set}, {ref: at.Object}, {key: at.Key}, {key: at.ID}}
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

// excludeCauses excludes the changes about the subjects of problems; if all of these are excluded already, those of the
// last round; if these are, too, all changes.
func (e exclusions) excludeCauses(c *combinedPlan, was state, problems []error) error {
	about, err := aboutWhat(problems, was, c.after)
	if err != nil {
		return err
	}
	before := len(e)
	for pass, steps := range [][]Step{c.steps, c.last.steps, c.steps} {
		for _, s := range steps {
			for _, ch := range s.changes() {
				problem := problems[0]
				if pass == 0 {
					problem = ch.problemOf(s, about)
				}
				if problem != nil && e[ch] == "" {
					e[ch] = ch.reason(problem)
				}
			}
		}
		if len(e) > before {
			break
		}
	}
	return nil
}

// reason describes a problem as the reason why a change is excluded.
func (c change) reason(problem error) string {
	if c.restored != (restoredSet{}) {
		return consequence(problem)
	}
	return fmt.Sprintf("This repair would cause a new finding: %s.", consequence(problem))
}

// problemOf returns the problem about one of the subjects of a step's change; nil if there is none.
func (c change) problemOf(s Step, about map[changeSubject]error) error {
	for _, t := range c.subjects(s) {
		if problem := about[t]; problem != nil && t != (changeSubject{}) {
			return problem
		}
	}
	return nil
}

// consequence describes what a problem would mean for the file.
func consequence(problem error) string {
	if f, ok := errors.AsType[*newFinding](problem); ok {
		return f.Finding.String()
	}
	return problem.Error()
}

// aboutWhat returns the subjects of problems. For a content set, they include its keys before and after the rewrite.
func aboutWhat(problems []error, states ...state) (map[changeSubject]error, error) {
	about := map[changeSubject]error{}
	for _, problem := range problems {
		f, ok := errors.AsType[*newFinding](problem)
		if !ok {
			continue
		}
		for _, t := range subjectsAt(f.Place) {
			if t != (changeSubject{}) && about[t] == nil {
				about[t] = problem
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
					if problem := about[changeSubject{ref: ref}]; problem != nil && ref.Num != 0 {
						about[changeSubject{key: e.Key}] = problem
					}
				}
			}
		}
	}
	return about, nil
}
