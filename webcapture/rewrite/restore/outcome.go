package restore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/match"
)

// Outcome describes how much of an original was restored. Each content set of the original is restored, complete, or
// missing.
type Outcome struct {
	Original string       // name of the original
	Sets     int          // number of content sets of the original
	Restored int          // number of content sets that got anything from the original
	Missing  []MissingSet // content sets that are left, with the reason
}

// MissingSet is a content set of an original that is left: webcap takes nothing from it.
type MissingSet struct {
	Subtype webcapture.Subtype
	ID      nametree.Key
	URL     nametree.Key // URL of its first source
	Why     string       // the reason in words
	reason  reason
}

// String names the content set and the reason.
func (m MissingSet) String() string {
	text := m.Subtype.String() + " " + m.ID.String()
	if m.URL != "" {
		text += " of " + m.URL.Shorten(maxShown)
	}
	return text + ": " + m.Why
}

// reason is the reason why a content set is left.
type reason uint8

// The reasons.
const (
	none         reason = iota
	gone                // none of its pages or images is in the file
	ambiguous           // it is unknown which pages, images, or content sets of the file are its own
	elsewhere           // another content set of the file has its pages or images
	otherCapture        // the file has another capture: with another ID, or TS
	contradicted        // records of the original contradict its ID, or it has no valid ID there
	unsound             // the file would have a new finding
	reasons
)

// reasonTexts describe the reasons: after a number of content sets, and for one.
var reasonTexts = [reasons][2]string{
	gone:         {"not in the file", "none of its pages or images is in the file"},
	ambiguous:    {"ambiguous", "it cannot be distinguished from others"},
	elsewhere:    {"in another content set", "another content set of the file has its pages or images"},
	otherCapture: {"of another capture", "the file has another capture of it, with another date or ID"},
	contradicted: {"contradicted", "the original contradicts itself about its ID; repair the original first"},
	unsound:      {"refused", "the file would have a new finding"},
}

// why describes the reason for one content set. set is the content set of the file to which the reason refers; number 0
// if there is none. finding is the new finding that the content set would cause.
func (r reason) why(set object.Ref, finding string) string {
	text := reasonTexts[r][1]
	switch {
	case r == unsound:
		return text + ": " + finding
	case r == elsewhere && set.Num != 0:
		return "content set " + set.String() + " of the file has its pages or images; " +
			"take them out of its O to restore this one"
	case set.Num != 0:
		return text + " (content set " + set.String() + ")"
	}
	return text
}

// String returns how many content sets are in the file, and how many are left by reason.
func (o *Outcome) String() string {
	if len(o.Missing) == 0 {
		return fmt.Sprintf("%s: content sets in the file: all %d", o.Original, o.Sets)
	}
	var count [reasons]int
	for _, m := range o.Missing {
		count[m.reason]++
	}
	var parts []string
	for r, n := range count {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, reasonTexts[r][0]))
		}
	}
	return fmt.Sprintf("%s: content sets in the file: %d of %d. Left %d: %s", o.Original, o.Sets-len(o.Missing),
		o.Sets, len(o.Missing), strings.Join(parts, ", "))
}

// account records the outcome for each content set of the original.
func (r *restoration) account() {
	o := &r.changes.Outcome
	o.Sets = len(r.matches)
	restored := map[object.Ref]bool{}
	for _, s := range r.changes.Steps {
		restored[s.From] = s.From.Num != 0
	}
	for _, m := range r.matches {
		if !m.left() && m.set.Num != 0 {
			if restored[m.was.ref] {
				o.Restored++
			}
			continue
		}
		left, set := MissingSet{Subtype: m.was.subtype, ID: nametree.Key(m.was.id), reason: m.reason}, object.Ref{}
		if len(m.was.urls) > 0 {
			left.URL = m.was.urls[0]
		}
		switch {
		case m.reason == otherCapture:
			set = m.is.ref
		case m.reason == none || m.reason == contradicted && m.is == nil && !r.hasMember(m):
			left.reason, set = r.whyMissing(m)
		}
		left.Why = left.reason.why(set, r.LeftOut[m.was.ref])
		o.Missing = append(o.Missing, left)
	}
}

// hasMember reports whether a page or image of a content set is in the file.
func (r *restoration) hasMember(m *setMatch) bool {
	return slices.ContainsFunc(m.was.members, func(ref object.Ref) bool { return len(r.pairs.Found(ref)) > 0 })
}

// whyMissing returns the reason why a content set without a match is not restored, and the content set of the file that
// lists its members.
func (r *restoration) whyMissing(m *setMatch) (reason, object.Ref) {
	for _, was := range m.was.members {
		for _, is := range r.pairs.Found(was) {
			if list := r.lists[is]; len(list) > 0 {
				return elsewhere, list[0].ref
			}
		}
	}
	if r.hasMember(m) || slices.ContainsFunc(m.was.members, r.mayBeThere) {
		return ambiguous, object.Ref{}
	}
	return gone, object.Ref{}
}

// mayBeThere reports whether the file may have a page or image of the original without a match.
func (r *restoration) mayBeThere(ref object.Ref) bool {
	was := r.original.Image(ref)
	return len(r.pairs.Candidates[r.original.Page(ref)]) > 0 ||
		was != nil && slices.ContainsFunc(r.file.Images, func(im *match.Image) bool { return im.Data == was.Data })
}
