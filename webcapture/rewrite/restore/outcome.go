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
	Reason  Reason
	Set     object.Ref // content set of the file to which the reason refers; number 0 if none
	Finding string     // for Unsound: new finding that it would cause
}

// Why returns the reason in words.
func (m MissingSet) Why() string {
	switch {
	case m.Reason == Elsewhere && m.Set.Num != 0:
		return "content set " + m.Set.String() + " of the file has its pages or images; " +
			"take them out of its O to restore this one"
	case m.Reason == OtherCapture && m.Set.Num != 0:
		return m.Reason.String() + " (content set " + m.Set.String() + ")"
	case m.Reason == Unsound:
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

// Reason is the reason why a content set is left.
type Reason uint8

// The reasons.
const (
	none            Reason = iota
	PagesGone              // none of its pages is in the file
	ImagesGone             // none of its images is in the file
	ImagesUnshown          // none of its images is in the file, and no page of the original shows one
	PagesAmbiguous         // it is unknown which pages of the file are its pages
	ImagesAmbiguous        // it is unknown which images of the file are its images
	Elsewhere              // another content set of the file has its pages or images
	OtherCapture           // the file has another capture: with another ID, or TS
	Contradicted           // records of the original contradict its ID, or it has no valid ID there
	Unsound                // the file would have a new finding
	SetsAmbiguous          // several content sets of either file may be it
	reasons
)

// reasonTexts describe the reasons: for one content set, and after the numbers 1 and n.
var reasonTexts = [reasons][3]string{
	PagesGone:       {"no page of it is in the file", "has no page in the file", "have no page in the file"},
	ImagesGone:      {"no image of it is in the file", "has no image in the file", "have no image in the file"},
	ImagesUnshown:   {"no page shows its images", "is not on any page", "are not on any page"},
	PagesAmbiguous:  {"its pages cannot be distinguished from others of the file", "page cannot be distinguished from others", "pages cannot be distinguished from others"},
	ImagesAmbiguous: {"its images cannot be distinguished from others of the file", "image cannot be distinguished from others", "images cannot be distinguished from others"},
	Elsewhere: {"another content set of the file has its pages or images",
		"belongs to another content set of the file", "belong to other content sets of the file"},
	OtherCapture: {"the file has another capture of it, with another date or ID", "is another capture in the file",
		"are other captures in the file"},
	Contradicted: {"the original contradicts itself about its ID; repair the original first",
		"is contradicted in the original", "are contradicted in the original"},
	Unsound: {"the file would have a new finding", "would cause a new finding", "would cause new findings"},
	SetsAmbiguous: {"it cannot be distinguished from other content sets",
		"cannot be distinguished from other content sets", "cannot be distinguished from other content sets"},
}

// String describes the reason for one content set.
func (r Reason) String() string { return reasonTexts[r][0] }

// count describes the reason for n content sets.
func (r Reason) count(n int) string { return fmt.Sprintf("%d %s", n, reasonTexts[r][min(n, 2)]) }

// String returns how many content sets are in the file, and how many are left by reason.
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
	shown := r.original.Uses()
	for _, m := range r.matches {
		if !m.left() && m.set.Num != 0 {
			o.Restored += count(restored[m.was.ref])
			continue
		}
		left := MissingSet{Subtype: m.was.subtype, ID: nametree.Key(m.was.id), Reason: m.reason}
		if len(m.was.urls) > 0 {
			left.URL = m.was.urls[0]
		}
		switch {
		case m.reason == Unsound:
			left.Finding = r.LeftOut[m.was.ref]
		case m.reason == OtherCapture:
			left.Set = m.is.ref
		case m.reason == none || m.reason == Contradicted && m.is == nil && !r.hasMember(m):
			left.Reason, left.Set = r.whyMissing(m, shown)
		}
		o.Missing = append(o.Missing, left)
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// hasMember reports whether a page or image of a content set is in the file.
func (r *restoration) hasMember(m *setMatch) bool {
	return slices.ContainsFunc(m.was.members, func(ref object.Ref) bool { return len(r.pairs.Found(ref)) > 0 })
}

// whyMissing returns the reason why a content set without a match is not restored, and the content set of the file that
// lists its members.
func (r *restoration) whyMissing(m *setMatch, shown map[object.Ref]int) (Reason, object.Ref) {
	isImage := m.was.subtype == webcapture.ImageSet
	isShown := func(ref object.Ref) bool { return shown[ref] > 0 }
	for _, was := range m.was.members {
		for _, is := range r.pairs.Found(was) {
			if list := r.lists[is]; len(list) > 0 {
				return Elsewhere, list[0].ref
			}
		}
	}
	switch {
	case isImage && (r.hasMember(m) || slices.ContainsFunc(m.was.members, r.mayBeImage)):
		return ImagesAmbiguous, object.Ref{}
	case slices.ContainsFunc(m.was.members, r.mayBePage):
		return PagesAmbiguous, object.Ref{}
	case isImage && !slices.ContainsFunc(m.was.members, isShown):
		return ImagesUnshown, object.Ref{}
	case isImage:
		return ImagesGone, object.Ref{}
	}
	return PagesGone, object.Ref{}
}

// mayBePage reports whether the file has pages that may be a page of the original without a match.
func (r *restoration) mayBePage(ref object.Ref) bool {
	return len(r.pairs.Candidates[r.original.Page(ref)]) > 0
}

// mayBeImage reports whether the file has the data of an image of the original without a match.
func (r *restoration) mayBeImage(ref object.Ref) bool {
	was := r.original.Image(ref)
	return was != nil && len(r.pairs.Images(ref)) == 0 && slices.ContainsFunc(r.file.Images,
		func(im *match.Image) bool { return im.Data == was.Data })
}
