package audit

import (
	"errors"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/checks"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/engine"
	"github.com/webcap-tools/webcap/webcapture/audit/outline"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// A Report is the result of auditing one file.
type Report struct {
	Path string // as the caller named it
	webcapture.Facts

	PageSets  int // content sets that the trees lead to, by subtype
	ImageSets int
	OtherSets int // content sets with another subtype, or none

	// Images that content sets list, by whether the MD5 of their data is their
	// digital identifier (14.10.3.3). Only what is stored as it was fetched can
	// be checked. All are 0 if rule WC511 was not checked.
	DigestsVerified  int // it is
	DigestsDiffer    int // it is not
	DigestsUnchecked int // the data were encoded anew, or there is no identifier

	// Identities says for each content set whether its ID is that of its source,
	// in the order of their places. It is nil if no sources were given.
	Identities []rule.Identity

	// Outline is the shape of the database. It is nil if the options do not ask for it.
	Outline *outline.Outline

	// Entries are what the trees hold, row by row, and Producer and Creator are by which
	// programs the file says that it was made. They are nil and "" if the options do not ask for them.
	Entries           *Entries
	Producer, Creator string

	Findings rule.Findings // in the order of their places

	// Subjects say what the first findings of each rule are about, as people know it: the URL of
	// the content set, with its pages or the size of its image. They are found by the text of the
	// place; not all places have one.
	Subjects map[string]string

	// Positions say where in their tree the same findings are, as people count: "entry 12 of 64 in
	// node 5 of 16 of /IDS". They are found by the text of the place.
	Positions map[string]string

	Omitted []rule.Omitted // findings that are only counted, in the order of rules
	Unread  []rule.Unread  // what could not be checked; if there are Omitted, that is said here
}

// OverBudget returns why a part of the audit was left out because it is not in proportion
// to the file ([webcapture.Budget]); nil if none was. It is one of Unread, too. A tree that
// was not read as a whole is not meant.
func (r *Report) OverBudget() error {
	for _, u := range r.Unread {
		if e, ok := errors.AsType[*engine.OverBudget](u.Err); ok {
			return e
		}
	}
	return nil
}

// CountSets adds to the number of content sets with a subtype.
func (r *Report) CountSets(s webcapture.Subtype, n int) {
	switch s {
	case webcapture.PageSet:
		r.PageSets += n
	case webcapture.ImageSet:
		r.ImageSets += n
	default:
		r.OtherSets += n
	}
}

// Worst returns the highest level among the findings; 0 if there are none.
func (r *Report) Worst() rule.Level {
	var worst rule.Level
	for i := range r.Findings.Len() {
		worst = max(worst, r.Findings.Rule(i).Level)
	}
	for _, o := range r.Omitted {
		worst = max(worst, o.Rule.Level)
	}
	return worst
}

// Proofs returns the number of Identities by proof.
func (r *Report) Proofs() (verified, mismatch, notCheckable int) {
	var n [rule.Proofs]int
	for i := range r.Identities {
		n[r.Identities[i].Proof]++
	}
	return n[rule.Verified], n[rule.Mismatch], n[rule.NotCheckable]
}

// Count returns the number of findings with a level, Omitted included.
func (r *Report) Count(l rule.Level) int {
	n := 0
	for i := range r.Findings.Len() {
		if r.Findings.Rule(i).Level == l {
			n++
		}
	}
	for _, o := range r.Omitted {
		if o.Rule.Level == l {
			n += o.Count
		}
	}
	return n
}

// Signed reports whether the document was found to be signed or certified (rule
// WC532).
func (r *Report) Signed() bool {
	for i := range r.Findings.Len() {
		if r.Findings.Rule(i).ID == checks.Signature.ID {
			return true
		}
	}
	return false
}
