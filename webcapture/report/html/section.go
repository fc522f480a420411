package html

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
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
	Ignored     []ignoredRow
	IgnoredLeft int

	Keys, Captures string // commands for pages of each key, and of what was captured; empty without a content database
	Identities     []identityRow
	IdentitiesLeft int
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
	out.Findings = len(rep.Findings)
	out.Facts = append(out.Facts, "PDF "+layout.Printable(rep.Version), group(int(rep.Size))+" bytes")
	if rep.Encrypted {
		out.Facts = append(out.Facts, "encrypted")
	}
	if rep.WithoutXRef {
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
	out.addIdentities(rep)
	if rep.Present {
		out.Keys = report.PageCommand("keys", "keys", r.Path)
		out.Captures = report.PageCommand("list", "captures", r.Path)
	}
	return out
}

// addFindings adds the first findings, grouped by rule.
func (h *fileSection) addFindings(list rule.Findings, names []string) {
	byRule := map[string]*ruleFindings{}
	var rules []*rule.Rule
	for i, f := range list {
		rule := f.Rule
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
		group.Rows = append(group.Rows, findingRow{names[i], layout.Printable(f.Place.String()), layout.Printable(f.Message),
			fixText(f.Fix)})
	}
	h.Left = max(0, len(list)-maxRows)
	slices.SortFunc(rules, func(a, b *rule.Rule) int {
		return report.ByWeight(a, b, byRule[a.ID].Count,
			byRule[b.ID].Count)
	})
	for _, r := range rules {
		h.Rules = append(h.Rules, *byRule[r.ID])
	}
}

// setPlace returns the place of the content set in at, or at itself for a direct content set.
func setPlace(at rule.Place) string {
	if at.Set.Num != 0 {
		at = rule.Place{Set: at.Set}
	}
	return at.String()
}

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
