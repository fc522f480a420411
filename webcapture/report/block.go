package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
)

// Groups are the findings of one file, grouped by rule. The most important rule comes first: see [byWeight].
type Groups []*Group

// A Group holds the findings of one rule in one file.
type Group struct {
	Rule     *rule.Rule
	Count    int            // number of findings
	Examples []rule.Finding // the first findings

	listed     int // number of findings in the report, which may only count others
	repairable int // number of repairable findings
}

// GroupsOf groups the findings of a report by rule, with at most some examples for each rule.
func GroupsOf(rep *audit.Report, some int) Groups {
	of := make(map[*rule.Rule]*Group)
	var groups Groups
	for _, f := range rep.Findings {
		b := of[f.Rule]
		if b == nil {
			b = &Group{Rule: f.Rule}
			of[f.Rule] = b
			groups = append(groups, b)
		}
		b.listed++
		b.Count++
		if f.Repairable() {
			b.repairable++
		}
		if len(b.Examples) < some {
			b.Examples = append(b.Examples, f)
		}
	}
	for _, o := range rep.Omitted {
		if b := of[o.Rule]; b != nil {
			b.Count += o.Count
		}
	}
	slices.SortFunc(groups, func(a, b *Group) int { return byWeight(a.Rule, b.Rule, a.Count, b.Count) })
	return groups
}

// Left returns the number of findings without an example.
func (b *Group) Left() int { return b.Count - len(b.Examples) }

// listed returns the groups whose findings are listed, and not only counted.
func (o *Options) listed(g Groups) Groups {
	return slices.DeleteFunc(slices.Clone(g), func(b *Group) bool { return !o.lists(b.Rule.Level) })
}

// keys returns the number of keys in the tree, if each example is about a key of the same tree; otherwise 0.
func (b *Group) keys(rep *audit.Report) int {
	tree, seen := "", make(map[int]bool)
	for _, f := range b.Examples {
		p := f.Place
		if p.Node == nil || p.Node.Kid || p.Node.Index < 0 || seen[p.Node.Index] && p.Node.Ref.Num == 0 ||
			tree != "" && tree != p.Tree {
			return 0
		}
		tree = p.Tree
		seen[p.Node.Index] = true
	}
	return map[string]int{"URLS": rep.URLS, "IDS": rep.IDS}[tree]
}

// headline describes the problem, its usual cause, and the number of findings.
func (b *Group) headline(rep *audit.Report) string {
	s := b.Rule.Problem
	if b.Rule.Cause != "" {
		s += ", " + b.Rule.Cause
	}
	n := b.Count
	if keys := b.keys(rep); n > 1 && keys >= n {
		s += fmt.Sprintf(": %d of %d", n, keys)
	} else if n > 1 {
		s += fmt.Sprintf(": %d times", n)
	}
	return s
}

// Verdict describes in one line the keys that a tool has damaged. It is empty for other files.
func (g Groups) Verdict(rep *audit.Report) string {
	for _, b := range g {
		n, keys := b.Count, b.keys(rep)
		if b.Rule.Cause == "" || keys < n || b.Examples[0].Fix == nil || b.Examples[0].Fix.Action != rule.ChangeKey {
			continue
		}
		how := fmt.Sprintf("%d of %d", n, keys)
		what := "keys"
		switch {
		case keys == 1:
			how, what = "the only", "key"
		case keys == n:
			how = fmt.Sprintf("all %d", n)
		}
		return fmt.Sprintf("A tool that rewrote this file damaged %s %s of %s, which lead viewers from a page or "+
			"image to its capture.", how, what, b.Examples[0].Place.Tree)
	}
	return ""
}

// example describes a finding: its object in words, or else the number of its position, and the message. With -v, it
// has the exact place. Without -v, an object in words has no message if the headline has the cause.
func (o *Options) example(rep *audit.Report, f *rule.Finding) string {
	place := f.Place.String()
	about := rep.Subjects[place]
	switch {
	case o.Verbose && about != "":
		place += ": " + about
	case o.Verbose:
	case about != "" && f.Rule.Cause != "":
		return about
	default:
		place = cmp.Or(about, rep.Positions[place], place)
	}
	return place + ": " + f.Message
}

// more returns the number of findings without an example, and how to list them. It is empty if there are none.
func (b *Group) more() string {
	left := b.Left()
	switch {
	case left == 0:
		return ""
	case b.Count > b.listed:
		return fmt.Sprintf("… and %d more; --format json lists the first %d", left, b.listed)
	case len(b.Examples) == maxShown:
		return phrase.MoreOf(left)
	}
	return fmt.Sprintf("… and %d more; -v lists more, --format json all", left)
}
