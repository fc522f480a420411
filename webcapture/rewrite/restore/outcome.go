package restore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Outcome describes how much of an original was restored.
type Outcome struct {
	Original string       `json:"original"` // name of the original
	Sets     int          `json:"sets"`     // number of content sets of the original
	Missing  []MissingSet `json:"missing"`  // content sets that the result lacks
}

// MissingSet is a content set of an original that is not restored.
type MissingSet struct {
	Subtype webcapture.Subtype `json:"-"`
	ID      nametree.Key       `json:"-"`
	URL     nametree.Key       `json:"-"` // URL of its first source
	Reason  Reason             `json:"-"`
	Owner   object.Ref         `json:"-"` // for Elsewhere: content set of the file that has its pages or images
	Finding string             `json:"-"` // for Unsound: new finding that it would cause
}

// Why returns the reason in words.
func (m MissingSet) Why() string {
	if m.Owner.Num != 0 {
		return "content set " + m.Owner.String() + " of the file has its pages or images; " +
			"take them out of its O to restore this one"
	}
	if m.Reason == Unsound {
		return m.Reason.String() + ": " + m.Finding
	}
	return m.Reason.String()
}

// String names the content set and the reason.
func (m MissingSet) String() string {
	text := m.Subtype.String() + " " + m.ID.String()
	if m.URL != "" {
		text += " of " + m.URL.Shorten(maxShown)
	}
	return text + ": " + m.Why()
}

// MarshalText returns the set and the reason as text.
func (m MissingSet) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// Reason is the reason why a content set is not restored.
type Reason uint8

// The reasons.
const (
	PagesGone       Reason = iota // none of its pages is in the file
	ImagesGone                    // none of its images is in the file
	ImagesUnshown                 // none of its images is in the file, and no page of the original shows one
	PagesAmbiguous                // it is unknown which pages of the file are its pages
	ImagesAmbiguous               // it is unknown which images of the file are its images
	Elsewhere                     // another content set of the file has its pages or images
	OtherID                       // it has another ID in the file, which other records or an image there support
	Unsound                       // the file would have a new finding
	SetsAmbiguous                 // several content sets of the file may be it, and no record decides
	reasons
)

// count describes the reason for n content sets.
func (r Reason) count(n int) string {
	one, many := [reasons]string{
		"has no page in the file", "has no image in the file", "is not on any page", "page cannot be distinguished " +
			"from others",
		"image cannot be distinguished from others", "belongs to another content set of the file", "is in the file " +
			"with another ID",
		"would cause a new finding", "cannot be distinguished from other content sets of the file",
	}[r], [reasons]string{
		"have no page in the file", "have no image in the file", "are not on any page",
		"pages cannot be distinguished from others", "images cannot be distinguished from others",
		"belong to other content sets of the file", "are in the file with other IDs",
		"would cause new findings", "cannot be distinguished from other content sets of the file",
	}[r]
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// String describes the reason for one content set.
func (r Reason) String() string {
	return [reasons]string{
		"no page of it is in the file", "no image of it is in the file", "no page shows its images",
		"its pages cannot be distinguished from others of the file", "its images cannot be distinguished from " +
			"others of the file",
		"another content set of the file has its pages or images",
		"it has another ID in the file, which other records there, or its image, support",
		"the file would have a new finding", setsAmbiguous,
	}[r]
}

// String returns how many content sets are in the file, and how many are missing by reason.
func (o *Outcome) String() string {
	if len(o.Missing) == 0 {
		return fmt.Sprintf("%s: content sets in the file: all %d", o.Original, o.Sets)
	}
	var count [reasons]int
	for _, m := range o.Missing {
		count[m.Reason]++
	}
	var parts []string
	for r, n := range count {
		if n > 0 {
			parts = append(parts, Reason(r).count(n))
		}
	}
	return fmt.Sprintf("%s: content sets in the file: %d of %d. Missing %d: %s", o.Original, o.Sets-len(o.Missing),
		o.Sets, len(o.Missing), strings.Join(parts, ", "))
}

// account records the content sets of the original that the file lacks, with the reasons.
func (r *restoration) account(before, after *likenesses) {
	shown := map[object.Ref]bool{}
	for _, page := range before.pages {
		for _, ref := range page.images {
			shown[ref] = true
		}
	}
	alike := map[any]bool{}
	for _, list := range [][]*likeness{after.pages, after.images} {
		for _, l := range list {
			for _, k := range l.keys() {
				alike[k] = true
			}
		}
	}
	ambiguous := map[object.Ref]bool{}
	for _, list := range [][]*likeness{before.pages, before.images} {
		for _, l := range list {
			isAlike := func(k any) bool { return alike[k] }
			ambiguous[l.ref] = r.known.is[l.ref] == nil && slices.ContainsFunc(l.keys(), isAlike)
		}
	}
	for _, t := range r.sets.original {
		r.changes.Outcome.Sets++
		m := MissingSet{Subtype: t.subtype, ID: nametree.Key(t.id), URL: nametree.Key(t.url()), Reason: PagesGone}
		switch set := r.sets.is[t.ref]; {
		case r.LeftOut[t.ref] == setsAmbiguous:
			m.Reason = SetsAmbiguous
			r.changes.Outcome.Missing = append(r.changes.Outcome.Missing, m)
			continue
		case r.LeftOut[t.ref] != "":
			m.Reason, m.Finding = Unsound, r.LeftOut[t.ref]
			r.changes.Outcome.Missing = append(r.changes.Outcome.Missing, m)
			continue
		case r.sets.agrees[set].id && !r.sets.disputed[t]:
			m.Reason = OtherID
			r.changes.Outcome.Missing = append(r.changes.Outcome.Missing, m)
			continue
		case set.Num != 0:
			continue
		}
		isOf := func(set map[object.Ref]bool) bool {
			return slices.ContainsFunc(t.members, func(ref object.Ref) bool { return set[ref] })
		}
		there := slices.IndexFunc(t.members, func(ref object.Ref) bool { return r.known.is[ref] != nil })
		switch image := t.subtype == webcapture.ImageSet; {
		case there >= 0:
			m.Reason, m.Owner = Elsewhere, r.sets.owner[r.known.is[t.members[there]].ref]
		case isOf(ambiguous) && image:
			m.Reason = ImagesAmbiguous
		case isOf(ambiguous):
			m.Reason = PagesAmbiguous
		case image && !isOf(shown):
			m.Reason = ImagesUnshown
		case image:
			m.Reason = ImagesGone
		}
		r.changes.Outcome.Missing = append(r.changes.Outcome.Missing, m)
	}
}
