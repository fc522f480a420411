package restore

import (
	"cmp"
	"slices"

	"github.com/webcap-tools/webcap/webcapture"
)

// Two content sets of the file may match one of the original. For example, a stray copy has its ID and pages, and
// the set itself has lost some pages. If each of the two has a record that the other lacks, the right one is
// unknown. The copy does not count if a matched content set of the file has all records of the original that the
// copy has. If records of the original contradict each other, members alone do not decide against another content
// set.

// setsAmbiguous is the reason why such a content set of the original is not restored.
const setsAmbiguous = "it cannot be distinguished from other content sets of the file"

// leaveRivals marks the content sets of the original that cannot be matched with certainty as left out.
func (r *restoration) leaveRivals() {
	ids := map[string]bool{}
	for _, t := range r.sets.original {
		ids[t.id] = t.id != ""
	}
	rivals, others := map[string][]*traits{}, map[string][]*traits{} // content sets of the file, by their labels
	for _, t := range r.sets.own {
		isOfOriginal := ids[t.id] || len(t.members) > 0 // other content sets belong to another capture
		list := rivals
		if r.sets.was[t.ref] != nil {
			list = others
		} else if !isOfOriginal || !r.changesBack(t.ref) {
			continue
		}
		for _, label := range t.labels() {
			list[label] = append(list[label], t)
		}
	}
	for _, t := range r.sets.original {
		is := r.sets.own[r.sets.is[t.ref]]
		if _, known := r.sets.known[identityOf(t.subtype, t.id)]; is == nil && known && t.id != "" && t.proof.id {
			r.LeftOut[t.ref] = cmp.Or(r.LeftOut[t.ref], setsAmbiguous) // another content set of the file has its ID
		}
		for _, label := range t.labels() {
			isRival := func(rival *traits) bool {
				covers := func(other *traits) bool { return t.common(other).covers(t.common(rival)) }
				return !t.isWhole(is) && !slices.ContainsFunc(others[label], covers)
			}
			isClaimed := func(other *traits) bool { return is != nil && t.isClaimed(t.common(is), t.common(other)) }
			if label != "ID " && label != "URL " && r.LeftOut[t.ref] == "" &&
				(slices.ContainsFunc(rivals[label], isRival) || slices.ContainsFunc(others[label], isClaimed)) {
				r.LeftOut[t.ref] = setsAmbiguous
			}
		}
	}
}

// isWhole reports whether the match of a content set t of the original has its ID, URLs, and members, and no record of
// the original contradicts t. is may be nil, for no match.
func (t *traits) isWhole(is *traits) bool {
	if is == nil || !t.isProven() {
		return false
	}
	has := t.common(is)
	return has.id && has.url && has.members
}

// isClaimed reports whether another content set of the file, not the match, has a proven record of t. This counts only
// if the original contradicts itself about t, and the match has no proven record. Members do not count as records here.
func (t *traits) isClaimed(is, other commonRecords) bool {
	return !t.isProven() && !t.hasProven(is) && t.hasProven(other)
}

// hasProven reports whether c includes a proven ID or URL of t, in the content set itself or as a key.
func (t *traits) hasProven(c commonRecords) bool {
	return t.proof.id && (c.id || c.inIDS) || t.proof.url && (c.url || c.inURLS)
}

// isProven reports whether no record of the original contradicts a content set there.
func (t *traits) isProven() bool { return t.proof == agreement{true, true} }

// commonRecords tells which records a content set of the original and one of the file have in common.
type commonRecords struct{ id, url, members, inURLS, inIDS bool }

func (t *traits) common(is *traits) (c commonRecords) {
	c.id = t.id != "" && t.id == is.id
	c.url = len(t.urls) > 0 && slices.Equal(t.urls, is.urls)
	c.members = slices.Equal(t.members, is.members)
	for _, k := range t.keys {
		if slices.Contains(is.keys, k) {
			c.inURLS = c.inURLS || k.tree == webcapture.URLS
			c.inIDS = c.inIDS || k.tree == webcapture.IDS
		}
	}
	return c
}

// covers reports whether c includes all records in o.
func (c commonRecords) covers(o commonRecords) bool {
	return (c.id || !o.id) && (c.url || !o.url) && (c.members || !o.members) && (c.inURLS || !o.inURLS) && (c.inIDS || !o.inIDS)
}
