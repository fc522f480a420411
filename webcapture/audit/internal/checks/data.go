package checks

import (
	"sync"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Helpers of rules about image sets whose ID is not the MD5 of their image. The ID stays unless the user prefers the
// data.

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
	if isMissing(p, err) || !p.Spend(rule.ElementCost) {
		return nil, "the image set cannot be read"
	}
	members := 0
	for range s.Members() {
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
	n.once.Do(func() {
		n.ids = map[digest.ID]bool{}
		dests := destinationsOf(p)
		for name := range dests.all {
			for m := range digest.Splits(name) {
				n.ids[m.ID] = true
			}
			if !p.Spend(rule.ElementCost) {
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
	})
	return n
}

func (n *namedIDs) has(id digest.ID) bool { return !n.whole || n.ids[id] }
