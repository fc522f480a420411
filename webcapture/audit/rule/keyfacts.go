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

	sets     []SetSummary
	byNumber []int32              // index of a summary with an object number, plus one; 0 for none
	others   map[object.Ref]int32 // indexes of further summaries with the same number, and another generation
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
	if int64(ref.Num) >= int64(len(k.byNumber)) || k.byNumber[ref.Num] == 0 {
		return nil
	}
	if s := &k.sets[k.byNumber[ref.Num]-1]; s.Ref == ref {
		return s
	}
	if i, ok := k.others[ref]; ok {
		return &k.sets[i]
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

// Summarize sets the summaries of the content sets in members, in which those of a content set follow each other in
// stored order. page returns the number of the page that is a member, or that shows an image, from 1; 0 if there is
// none. Summarize sorts proofs.
func (k *KeyFacts) Summarize(members []MemberRow, proofs []ImageProof, page func(member object.Ref) int) {
	slices.SortFunc(proofs, func(a, b ImageProof) int {
		return cmp.Or(a.Set.Compare(b.Set), b2i(b.Proof == Verified)-b2i(a.Proof == Verified))
	})
	n, highest := 0, uint32(0)
	for i, m := range members {
		if m.Set.Num <= object.MaxNumber {
			highest = max(highest, m.Set.Num)
		}
		n += b2i(i == 0 || members[i-1].Set != m.Set)
	}
	k.sets, k.byNumber, k.others = make([]SetSummary, 0, n), make([]int32, highest+1), map[object.Ref]int32{}
	var s *SetSummary
	for _, m := range members {
		if m.Set.Num == 0 || m.Set.Num > highest {
			continue
		}
		if s == nil || s.Ref != m.Set {
			s = k.add(m.Set)
		}
		if m.Subtype == webcapture.ImageSet && s.Image.Num == 0 {
			s.Image = m.Member
		}
		if p := int32(page(m.Member)); p != 0 && (s.Page == 0 || p < s.Page) {
			s.Page = p
		}
	}
	for _, p := range proofs {
		if s := k.Set(p.Set); s != nil && p.Proof != NotCheckable && s.Proof != Verified {
			s.Proof, s.MD5, s.Image = p.Proof, p.MD5, p.Image
		}
	}
}

// add adds the summary of a content set.
func (k *KeyFacts) add(set object.Ref) *SetSummary {
	i := int32(len(k.sets))
	k.sets = append(k.sets, SetSummary{Ref: set})
	if k.byNumber[set.Num] == 0 {
		k.byNumber[set.Num] = i + 1
	} else {
		k.others[set] = i
	}
	return &k.sets[i]
}
