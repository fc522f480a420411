package html

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// A fileSection is the section of a file.
type fileSection struct {
	fileRow
	Result string
	Facts  []string

	// Damage by a tool, and the command that repairs it: see report.Groups.
	Damage, Next, Command string

	Groups      report.Groups
	Subjects    map[string]string // see audit.Report
	Notices     []string
	NoticesLeft int // number of further notices
	Unread      []rule.Unread
	UnreadLeft  int
	Ignored     []report.Ignored
	IgnoredLeft int
	Identities  [][]string // proofs, and texts about content sets

	Keys string // command for a page of each key; empty without a content database
}

// newFileSection returns the section of a record.
func newFileSection(r *report.Record, row fileRow, o *report.Options) *fileSection {
	out := &fileSection{fileRow: row, Result: layout.Printable(r.Result())}
	rep := r.Report
	if rep == nil {
		return out
	}
	out.Groups, out.Subjects = report.GroupsOf(rep, maxRows), rep.Subjects
	out.Damage = out.Groups.Verdict(rep)
	out.Next, out.Command = out.Groups.NextStep(rep, r.Path, o)
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
	out.Notices, out.NoticesLeft = some(rep.Notices)
	out.Unread, out.UnreadLeft = some(rep.Unread)
	out.Ignored, out.IgnoredLeft = some(r.Ignored)
	out.Identities = report.IdentityRows(rep, maxSets)
	if rep.Present {
		out.Keys = report.KeysCommand(r.Path)
	}
	return out
}

// some returns the first items of a list, and the number of the others.
func some[E any](list []E) (first []E, left int) {
	n := min(len(list), maxNotices)
	return list[:n], len(list) - n
}
