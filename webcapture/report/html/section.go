package html

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/outline"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// The section of a file on the page. All strings are printable.

// A fileSection is the section of a file.
type fileSection struct {
	fileRow
	Result      string
	Facts       []string
	Notices     []string
	NoticesLeft int
	Unread      []string
	UnreadLeft  int
	Findings    int
	Rules       []ruleFindings
	Left        int // number of findings that are not in the markup
	Known       int // number of findings in the data of the script
	Trees       []treeDrawing
	Map         []siteHost
	SetsLeft    int
	Ignored     []ignoredRow
	IgnoredLeft int
	NoOutline   bool // the file has trees without an outline
}

// ruleFindings are the findings of a rule in a file.
type ruleFindings struct {
	ruleInfo
	Rows []findingRow
	Left int
}

// A findingRow is a finding in the markup.
type findingRow struct{ Name, Place, Message, Fix string }

// An ignoredRow is an ignored finding.
type ignoredRow struct{ Rule, Place, Message, Reason string }

// newFileSection returns the section of a record. names are the fingerprints of its findings. known is the
// number of them in the data of the script.
func newFileSection(r *report.Record, row fileRow, names []string, known int) *fileSection {
	out := &fileSection{fileRow: row, Result: layout.Printable(r.Result()), Known: known}
	rep := r.Report
	if rep == nil {
		return out
	}
	out.Findings = rep.Findings.Len()
	out.Facts = append(out.Facts, "PDF "+layout.Printable(rep.Version), group(int(rep.Size))+" bytes")
	if rep.Encrypted {
		out.Facts = append(out.Facts, "encrypted")
	}
	if rep.Repaired {
		out.Facts = append(out.Facts, phrase.Repaired)
	}
	if n := report.ProofsOf(rep); n != (report.Proofs{}) {
		out.Facts = append(out.Facts, "identifiers: "+n.String())
	}
	for _, n := range rep.Notices[:min(len(rep.Notices), maxNotices)] {
		out.Notices = append(out.Notices, layout.Printable(n))
	}
	out.NoticesLeft = len(rep.Notices) - len(out.Notices)
	for _, u := range rep.Unread[:min(len(rep.Unread), maxNotices)] {
		out.Unread = append(out.Unread, phrase.Unread(u))
	}
	out.UnreadLeft = len(rep.Unread) - len(out.Unread)
	out.addFindings(rep.Findings, names)
	for _, f := range r.Ignored[:min(len(r.Ignored), maxRows)] {
		out.Ignored = append(out.Ignored, ignoredRow{layout.Printable(f.Rule.ID), layout.Printable(f.Place.String()),
			layout.Printable(f.Message), layout.Printable(f.Reason)})
	}
	out.IgnoredLeft = len(r.Ignored) - len(out.Ignored)
	out.NoOutline = rep.Present && rep.Outline == nil
	links := linksTo(rep.Findings, names[:known], setsByEntry(rep.Outline))
	if rep.Outline != nil {
		for i := range rep.Outline.Trees {
			out.Trees = append(out.Trees, newTreeDrawing(&rep.Outline.Trees[i], links))
		}
	}
	out.addSets(rep, links)
	return out
}

// addFindings adds the first findings, grouped by rule.
func (h *fileSection) addFindings(list rule.Findings, names []string) {
	byRule := map[string]*ruleFindings{}
	var rules []*rule.Rule
	for i := range list.Len() {
		rule := list.Rule(i)
		group := byRule[rule.ID]
		if group == nil {
			group = &ruleFindings{ruleInfo: newRuleInfo(rule, 0, 0)}
			byRule[rule.ID] = group
			rules = append(rules, rule)
		}
		if group.Count++; i >= maxRows {
			group.Left++
			continue
		}
		f := list.At(i)
		group.Rows = append(group.Rows, findingRow{names[i], layout.Printable(f.Place.String()), layout.Printable(f.Message),
			fixText(f.Fix)})
	}
	h.Left = max(0, list.Len()-maxRows)
	slices.SortFunc(rules, func(a, b *rule.Rule) int {
		return report.ByWeight(a, b, byRule[a.ID].Count,
			byRule[b.ID].Count)
	})
	for _, r := range rules {
		h.Rules = append(h.Rules, *byRule[r.ID])
	}
}

// A findingLink links to the findings about one place.
type findingLink struct {
	Name  string     // fingerprint of the first finding of Level; empty if no finding is in the data of the script
	Level rule.Level // highest level of the findings
	N     int
}

// Class returns the highest level of the findings.
func (l findingLink) Class() string { return l.Level.String() }

// findingLinks holds the links to findings for each place.
type findingLinks struct {
	at    map[string]findingLink
	pairs map[treeNode][]badPair
}

// A treeNode is a node of one of the trees.
type treeNode struct {
	tree string
	ref  object.Ref
}

// A badPair is a pair of a node that has a finding.
type badPair struct {
	index int
	level rule.Level
}

// setsByEntry maps the place of each tree entry to the places of its content sets.
func setsByEntry(o *outline.Outline) map[string][]string {
	sets := map[string][]string{}
	if o != nil {
		for i := range o.Sets {
			for _, at := range o.Sets[i].Entries {
				sets[at.String()] = append(sets[at.String()], o.Sets[i].Place.String())
			}
		}
	}
	return sets
}

// linksTo returns the findings by object: nodes, pairs, content sets. A finding about a content set in a tree
// counts for the entry and the content set. A finding about an entry also counts for the content sets of the entry.
func linksTo(list rule.Findings, names []string, sets map[string][]string) *findingLinks {
	links := &findingLinks{map[string]findingLink{}, map[treeNode][]badPair{}}
	note := func(at string, i int) {
		l := links.at[at]
		level := list.Rule(i).Level
		if l.N++; l.N == 1 || level > l.Level {
			l.Name, l.Level = names[i], level
		}
		links.at[at] = l
	}
	for i := range names {
		at := list.Place(i)
		entry := ""
		if at.Tree != "" {
			entry = rule.Place{Tree: at.Tree, Node: at.Node}.String()
			note(entry, i)
		}
		if n := at.Node; n != nil && !n.Kid && n.Index >= 0 {
			of := treeNode{at.Tree, n.Ref}
			links.pairs[of] = append(links.pairs[of], badPair{n.Index, list.Rule(i).Level})
		}
		if at.Set.Num != 0 {
			note(rule.Place{Set: at.Set}.String(), i)
			continue
		}
		for _, set := range sets[entry] {
			if set != entry { // not a direct content set, which has the place of its entry
				note(set, i)
			}
		}
	}
	return links
}

// setPlace returns the place of the content set in at, or at itself for a direct content set.
func setPlace(at rule.Place) string {
	if at.Set.Num != 0 {
		at = rule.Place{Set: at.Set}
	}
	return at.String()
}

// addSets adds the content sets of the outline, then those with further identities. Mismatches come first.
func (h *fileSection) addSets(rep *audit.Report, links *findingLinks) {
	var list []siteSet
	seen := map[string]int{}
	left := 0
	if rep.Outline != nil {
		left = rep.Outline.SetsLeft
		for i := range rep.Outline.Sets {
			s := &rep.Outline.Sets[i]
			seen[s.Place.String()] = len(list)
			list = append(list, newSiteSet(s))
		}
	}
	for _, proof := range []rule.Proof{rule.Mismatch, rule.NotCheckable, rule.Verified} {
		for i := range rep.Identities {
			id := &rep.Identities[i]
			if id.Proof != proof {
				continue
			}
			at := id.Place.String()
			k, ok := seen[at]
			switch {
			case ok:
			case len(list) >= maxSets:
				if rep.Outline == nil {
					left++
				}
				continue
			default:
				if k = len(list); rep.Outline != nil {
					left--
				}
				seen[at] = k
				list = append(list, newSiteSet(&outline.Set{Place: id.Place, Subtype: id.Subtype, ID: id.ID, URLs: urlsOf(id)}))
			}
			list[k].prove(id)
		}
	}
	for i := range list {
		list[i].Link = links.at[list[i].Place]
	}
	h.Map, h.SetsLeft = mapOf(list), max(0, left)
}

func urlsOf(id *rule.Identity) []string {
	if id.URL == "" {
		return nil
	}
	return []string{id.URL}
}

// proofClass returns the style class for a proof.
func proofClass(proof string) string { return "is-" + strings.ReplaceAll(proof, " ", "-") }

// fixText describes a fix on one printable line, or returns "".
func fixText(f *rule.Fix) string {
	if f == nil {
		return ""
	}
	s := strings.ReplaceAll(f.Action.String(), "-", " ")
	switch {
	case f.Action == rule.DropMember:
		s += fmt.Sprintf(" %d", f.Index)
	case f.Action.HasOld():
		s += " " + f.Old.String()
	}
	if f.Action.HasNew() {
		if f.Action.HasOld() {
			s += " to"
		}
		s += " " + f.New.String()
	}
	if f.Tree != "" {
		s += " in " + layout.Printable(f.Tree)
	}
	if f.Set != (object.Ref{}) {
		s += fmt.Sprintf(", content set %v", f.Set)
	}
	return s
}
