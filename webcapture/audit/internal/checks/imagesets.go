package checks

// Image sets: their members are images that were fetched, and the ID is the MD5 of their data (14.10.3.3, 14.10.4.3).
// An ID that is not the MD5 stays unless the user prefers the data.

import (
	"fmt"
	"slices"
	"sync"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var memberMask = &rule.Rule{
	ID:      "WC504",
	Title:   "A member of an image set is not a soft mask of another image.",
	Problem: "Image sets that list the soft mask of another image",
	Clause:  "ISO 32000-2:2020, 14.10.4.3 and 11.6.5.2",
	Level:   rule.Note,
	Doc: "A soft mask is a part of the image that refers to it. It was not fetched by itself, and viewers ignore " +
		"its ID.",
	Repair: "Remove the mask from O, and its count from R.",
	Basis: rule.Basis{
		Wrong:     "O lists a soft mask",
		Right:     "The user, by naming the rule",
		Otherwise: "The mask stays in O",
	},
	OnRequest:   true,
	Action:      rule.DropMember,
	CheckMember: checkMemberMask,
}

var imageDigest = &rule.Rule{
	ID:      "WC511",
	Title:   "If an image is stored as it was fetched, its ID is the MD5 of its data.",
	Problem: "Images whose data does not match their ID",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   rule.Error,
	Doc: "The ID of an image set is the MD5 of the image file. Acrobat stores JPEG and JPEG 2000 files as it fetched " +
		"them, so a match proves where the image is from. If the MD5 is not the ID, the image was re-encoded or " +
		"replaced, or the ID belongs to something else. White space after the end-of-image marker may belong to the " +
		"file, or come from a tool, so webcap also compares the MD5 without it. Images in other encodings cannot be " +
		"checked. The report counts the images that match, those that differ, and those that cannot be checked.",
	Repair: "With --prefer data, make the MD5 the ID of the image set, of its images, and of the key. This gives up the " +
		"recorded MD5 of the fetched file. If you have an original, use --from first.",
	Basis: rule.Basis{
		Wrong:     "An image is stored as it was fetched, and its MD5 is not its ID",
		Right:     "The user: --prefer data, if the image set has one MD5 and no name contains its ID",
		Otherwise: "The ID is kept",
	},
	Action:      rule.RecomputeID,
	MayFollow:   []rule.Action{rule.ReplaceMember, rule.ChangeID, rule.Rebuild},
	CheckMember: checkImageDigest,
}

func checkMemberMask(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	if in, ok := m.First(webcapture.ImageSet); ok && doc.Masks[m.Ref] {
		p.Reportf(m.At(in), dropMember(in.Set, in.Index),
			"the member of an image set is a soft mask, expected its image")
	}
}

func checkImageDigest(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	in, ok := m.First(webcapture.ImageSet)
	if !ok || !m.Fits(webcapture.ImageSet, doc) {
		return
	}
	proof, sums := p.DigestOf(m, in)
	p.Found.Digests[proof]++
	noteProofs(p, m, sums)
	if proof != rule.Mismatch || isExplained(p, m, sums) {
		return
	}
	found := fmt.Sprintf("%v", nametree.Key(sums[0][:]))
	if len(sums) > 1 {
		found += fmt.Sprintf(", without white space at the end %v", nametree.Key(sums[1][:]))
	}
	fix, why := preferredData(p, in.Set)
	p.Reportf(m.At(in), fix, "the MD5 of the image data is %s, which is not the ID: %s", found, why)
}

// noteProofs records whether the data of an image prove the IDs of the image sets that list the image.
func noteProofs(p *rule.Pass, m *rule.Member, sums []digest.ID) {
	if !p.Audit.WantsKeys {
		return
	}
	for _, in := range m.In {
		if in.Subtype != webcapture.ImageSet || !in.HasID {
			continue
		}
		proof := rule.ImageProof{Set: in.Set, Image: m.Ref}
		switch {
		case slices.Contains(sums, in.ID):
			proof.Proof, proof.MD5 = rule.Verified, in.ID
		case len(sums) > 0:
			proof.Proof, proof.MD5 = rule.Mismatch, sums[0]
		}
		p.Found.Images = append(p.Found.Images, proof)
		if err := p.Reader.Keep(imageProofSize); err != nil {
			p.Fail(err)
		}
	}
}

// imageProofSize is the memory of an ImageProof, and of the summary of its content set.
const imageProofSize = 88

// isExplained reports whether an MD5 of an image is the ID of a content set that lists it, or a key that leads to one.
// Then another rule reports the record that differs.
func isExplained(p *rule.Pass, m *rule.Member, sums []digest.ID) bool {
	return slices.ContainsFunc(m.In, func(in rule.Membership) bool {
		return in.Subtype == webcapture.ImageSet && slices.ContainsFunc(sums, func(sum digest.ID) bool {
			if in.HasID && in.ID == sum {
				return true
			}
			if p.DB.IDS == nil {
				return false
			}
			where, _ := findEntries(p, p.DB.IDS, []string{string(sum[:])}, in.Set)
			return where == here
		})
	})
}

const remedyData = remedyOriginal + ", or choose with --prefer data"

const chosenData = "you chose --prefer data, which gives up the recorded MD5 of the fetched file; " +
	"if you have an original, give --from first"

// preferredData returns the fix that makes the MD5 of an image set's image its ID, with the reason. It is nil unless
// the user prefers data.
func preferredData(p *rule.Pass, set object.Ref) (*rule.Fix, string) {
	fix, problem := dataID(p, set)
	switch {
	case problem != "":
		return nil, problem + "; " + remedyOriginal
	case p.Audit.Prefer != rule.Data:
		return nil, remedyData
	}
	return fix, chosenData
}

// dataID returns the fix that makes the MD5 of an image set's image its ID, or the reason why that is not possible.
func dataID(p *rule.Pass, set object.Ref) (fix *rule.Fix, problem string) {
	s := &rule.Set{Ref: set}
	if set.Num == 0 || isUnreadable(p, object.MakeRef(set), &s.ContentSet) || p.DB.IDS == nil {
		return nil, "the image set is not an indirect object with a tree IDS"
	}
	images, err := rule.ImageDigests(p.Reader, &s.ContentSet)
	if isMissing(p, err) || !p.Spend(meter.Object) {
		return nil, "the image set cannot be read"
	}
	members := 0
	for _, err := range webcapture.Members(p.Reader, &s.ContentSet) {
		if err != nil && p.CouldNotRead(s.At(), err) != nil {
			return nil, "the image set cannot be read"
		}
		members++
	}
	if len(images) == 0 || len(images) != members {
		return nil, "not all images of the set are stored as they were fetched"
	}
	for _, sums := range images {
		if len(sums) > 1 {
			return nil, "white space after the end-of-image marker makes two MD5s possible"
		}
		if sums[0] != images[0][0] {
			return nil, "the images of the set have several MD5s"
		}
	}
	id, old := images[0][0], s.ID
	wanted := *s
	wanted.ID.Bytes = id[:]
	if !isAlone(p, &wanted) {
		return nil, "another content set has the MD5 as its ID, or the same image"
	}
	if own, ok := rule.Identifier(old); ok && namedIDsOf(p).has(own) {
		return nil, "the name of a destination or field may contain the ID of the set"
	}
	return &rule.Fix{Action: rule.RecomputeID, Old: shown(old.Bytes), New: nametree.Key(id[:]), Set: set, Chosen: true}, ""
}

// namedIDs holds the IDs that names of destinations and fields may contain.
type namedIDs struct {
	once  sync.Once
	ids   map[digest.ID]bool
	whole bool // all names are readable
}

// namedIDsOf reads all names on first use. It may run at the same time as other checks of its phase: checks that read
// destinations without it are in other phases.
func namedIDsOf(p *rule.Pass) *namedIDs {
	n := rule.Shared[namedIDs](p.Audit)
	n.once.Do(func() { p.Apart(func() { n.read(p) }) })
	return n
}

func (n *namedIDs) read(p *rule.Pass) {
	n.ids = map[digest.ID]bool{}
	dests := destinationsOf(p)
	for name := range dests.all {
		for m := range digest.Splits(name) {
			n.ids[m.ID] = true
		}
		if !p.Spend(meter.Object) {
			return
		}
	}
	for f := range formFields(p) {
		t, ok := p.LookString(rule.Place{Object: f.ref}, f.dict.Lookup("T"))
		if !ok {
			return
		}
		for m := range digest.FieldSplits(string(t.Bytes)) {
			n.ids[m.ID] = true
		}
	}
	n.whole = dests.whole
}

func (n *namedIDs) has(id digest.ID) bool { return !n.whole || n.ids[id] }
