package audit

import (
	"errors"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/checks"
	"github.com/webcap-tools/webcap/webcapture/audit/internal/engine"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Report is the result of auditing one file.
type Report struct {
	Path string // as given by the caller
	webcapture.Facts

	Counts

	// Identities compare the ID of each content set with its source, in the order of places. They are nil if no sources
	// were given.
	Identities []rule.Identity

	// Keys is what the audit knows of the keys, in addition to Findings. It is nil unless Options.Keys is set.
	Keys *rule.KeyFacts

	Findings rule.Findings // in the order of their places

	// Subjects describe the subjects of the first findings of each rule, by the text of the place: the URL of the
	// content set, with its pages or the size of its image. Not all places have one.
	Subjects map[string]string

	// Positions describe the positions of the same findings in their trees, by the text of the place, such as "entry 12
	// of 64 in node 5 of 16 of /IDS".
	Positions map[string]string

	Omitted []rule.Omitted // numbers of findings that are not listed, in the order of rules
	Unread  []rule.Unread  // parts that could not be checked; mentions Omitted if there are any
}

// Counts are numbers of content sets in the trees, and of their images.
type Counts struct {
	PageSets  int `json:"pageSets"`
	ImageSets int `json:"imageSets"`
	OtherSets int `json:"otherSets"` // number of content sets with another subtype, or none

	Digests Digests `json:"digests,omitzero"` // of images; all are 0 if rule WC511 was not checked
}

// Digests are numbers of images in content sets, by whether the MD5 of their data is their digital identifier
// (14.10.3.3). Only images that are stored as fetched can be checked.
type Digests struct {
	Verified  int `json:"verified"`  // the MD5 is the identifier
	Differ    int `json:"differ"`    // the MD5 is not the identifier
	Unchecked int `json:"unchecked"` // the data were encoded again, or there is no identifier
}

// OverBudget returns why a part of the audit was omitted, or only counted: the file exceeds its meter, or has too many
// findings for its size. It returns nil if no part was. The reason is also in Unread. Trees that were only partly read
// do not count.
func (r *Report) OverBudget() error {
	for _, u := range r.Unread {
		if _, ok := errors.AsType[*engine.OnlyCounted](u.Err); ok || errors.Is(u.Err, meter.Over{}) {
			return u.Err
		}
	}
	return nil
}

// CountSets adds n to the number of content sets with a subtype.
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

// Worst returns the highest level among the findings, including Omitted; 0 if there are none.
func (r *Report) Worst() rule.Level {
	var worst rule.Level
	for i := range r.Findings {
		worst = max(worst, r.Findings[i].Rule.Level)
	}
	for _, o := range r.Omitted {
		worst = max(worst, o.Rule.Level)
	}
	return worst
}

// Count returns the number of findings with a level, including Omitted.
func (r *Report) Count(l rule.Level) int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Rule.Level == l {
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

// Signed reports whether the document is signed or certified, according to rule WC532.
func (r *Report) Signed() bool {
	for i := range r.Findings {
		if r.Findings[i].Rule.ID == checks.Signature.ID {
			return true
		}
	}
	return false
}
