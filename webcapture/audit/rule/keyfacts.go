package rule

import (
	"cmp"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// KeyFacts is what an audit knows of the keys of a file, in addition to its findings.
type KeyFacts struct {
	// Deferred are the indexes of the entries that are not known to agree with their content sets, sorted. All other
	// entries have one content set, and the key is its canonical URL or its ID.
	Deferred [webcapture.TreeCount][]int
	Sets     []SetSummary // sorted by Ref

	byNumber []int32 // index of the first summary with an object number, plus one; 0 for none
}

// SetSummary describes the members of a content set.
type SetSummary struct {
	Ref   object.Ref
	Image object.Ref // first image of an image set
	Page  int32      // number of the first page that is a member or shows an image, from 1; 0 if there is none
	Proof Proof      // whether the MD5 of the data of an image is the ID
	MD5   digest.ID  // the MD5 of the first image; valid unless Proof is NotCheckable
}

// Set returns the summary of a content set; nil if it has none.
func (k *KeyFacts) Set(ref object.Ref) *SetSummary {
	if int64(ref.Num) >= int64(len(k.byNumber)) {
		return nil
	}
	for i := int(k.byNumber[ref.Num]) - 1; i >= 0 && i < len(k.Sets) && k.Sets[i].Ref.Num == ref.Num; i++ {
		if k.Sets[i].Ref == ref {
			return &k.Sets[i]
		}
	}
	return nil
}

// IsDeferred reports whether an entry of a tree is not known to agree with its content sets.
func (k *KeyFacts) IsDeferred(tree webcapture.TreeName, entry int) bool {
	_, ok := slices.BinarySearch(k.Deferred[tree], entry)
	return ok
}

// ImageProof is the result of comparing the data of an image with the ID of an image set that lists it.
type ImageProof struct {
	Set, Image object.Ref
	Proof      Proof
	MD5        digest.ID // valid unless Proof is NotCheckable
}

// Summarize sets the summaries of the content sets in members. page returns the number of the page that is a member, or
// that shows an image, from 1; 0 if there is none. Summarize sorts both lists.
func (k *KeyFacts) Summarize(members []MemberRow, proofs []ImageProof, page func(member object.Ref) int) {
	slices.SortFunc(members, func(a, b MemberRow) int {
		return cmp.Or(a.Set.Compare(b.Set), cmp.Compare(a.Index, b.Index))
	})
	slices.SortFunc(proofs, func(a, b ImageProof) int {
		return cmp.Or(a.Set.Compare(b.Set), b2i(b.Proof == Verified)-b2i(a.Proof == Verified))
	})
	for _, m := range members {
		n := len(k.Sets)
		if n == 0 || k.Sets[n-1].Ref != m.Set {
			k.Sets = append(k.Sets, SetSummary{Ref: m.Set})
			n++
		}
		s := &k.Sets[n-1]
		if m.Subtype == webcapture.ImageSet && s.Image.Num == 0 {
			s.Image = m.Member
		}
		if p := int32(page(m.Member)); p != 0 && (s.Page == 0 || p < s.Page) {
			s.Page = p
		}
	}
	if n := len(k.Sets); n > 0 && k.Sets[n-1].Ref.Num <= object.MaxNumber {
		k.byNumber = make([]int32, k.Sets[n-1].Ref.Num+1)
	}
	for i := len(k.Sets) - 1; i >= 0; i-- {
		k.byNumber[k.Sets[i].Ref.Num] = int32(i + 1)
	}
	for _, p := range proofs {
		if s := k.Set(p.Set); s != nil && p.Proof != NotCheckable && s.Proof != Verified {
			s.Proof, s.MD5, s.Image = p.Proof, p.MD5, p.Image
		}
	}
}
