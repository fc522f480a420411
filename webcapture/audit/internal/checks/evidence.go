package checks

import (
	"crypto/md5"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/witness"
)

// What rules share that ask which of two records is right: see package witness. They ask only where
// records contradict each other.

// judgeID decides between a key of IDS and the ID of a content set in its value.
func judgeID(p *rule.Pass, key nametree.Key, s *rule.Set, carried carriedCount) witness.Verdict {
	k, c := witness.Claim{Value: key}, witness.Claim{Value: nametree.Key(s.ID.Bytes)}
	if n := carried.of(k.Value); n > 0 {
		k.Records = append(k.Records, fmt.Sprintf("the ID of %s", counted(n, "member")))
	}
	if n := carried.of(c.Value); n > 0 {
		c.Records = append(c.Records, fmt.Sprintf("the ID of %s", counted(n, "member")))
	}
	var doubt []string
	if n := carried.members - carried.of(k.Value) - carried.of(c.Value); n > 0 {
		doubt = append(doubt, counted(n, "member"))
	}
	for _, sum := range imageDigests(p, s) {
		for _, claim := range []*witness.Claim{&k, &c} {
			if nametree.Key(sum[:]) == claim.Value {
				claim.Proofs = append(claim.Proofs, "the MD5 of its image")
			}
		}
	}
	return witness.Decide(k, c, doubt, p.Audit.Prefer)
}

// isIDDisputed reports whether members of a content set carry IDs, but not that of the set.
func isIDDisputed(s *rule.Set, carried carriedCount) bool {
	id, ok := s.Identifier()
	return ok && carried.of(nametree.Key(id[:])) == 0 && slices.ContainsFunc(slices.Collect(maps.Keys(carried.byID)),
		func(other nametree.Key) bool { return len(other) == len(id) })
}

// anyIDDisputed reports whether isIDDisputed holds for any of some sets.
func anyIDDisputed(p *rule.Pass, sets []*rule.Set) (any bool) {
	for _, s := range sets {
		carried := carriedIDs(p, s)
		carried.noteUnread(p, s)
		any = any || isIDDisputed(s, carried)
	}
	return any
}

// carriedCount says how many members of a content set carry which ID.
type carriedCount struct {
	members int
	byID    map[nametree.Key]int
	unread  []error
}

// noteUnread records the members that could not be read.
func (c carriedCount) noteUnread(p *rule.Pass, s *rule.Set) {
	for _, err := range c.unread {
		p.CouldNotRead(s.At(), err)
	}
}

func (c carriedCount) of(id nametree.Key) int { return c.byID[id] }

func carriedIDs(p *rule.Pass, s *rule.Set) carriedCount {
	c := carriedCount{byID: map[nametree.Key]int{}}
	for m, err := range witness.Members(p.Reader, &s.ContentSet) {
		if err != nil {
			c.unread = append(c.unread, err)
		}
		if c.members++; m.ID.OK() {
			c.byID[nametree.Key(m.ID.Bytes)]++
		}
		if !p.Spend(rule.ElementCost) {
			break
		}
	}
	return c
}

// imageDigests returns the MD5 of the images of a content set that are stored as they were fetched.
func imageDigests(p *rule.Pass, s *rule.Set) (sums []digest.ID) {
	if s.Subtype != webcapture.ImageSet {
		return nil
	}
	id, _ := s.Identifier()
	in := rule.Membership{Set: s.Ref, Subtype: s.Subtype, ID: id, HasID: true}
	for m, err := range witness.Members(p.Reader, &s.ContentSet) {
		if err != nil || m.Ref.Num == 0 || !p.Spend(rule.ElementCost) {
			continue
		}
		if proof, sum := p.DigestOf(&rule.Member{Ref: m.Ref, Dict: m.Dict}, in); proof != rule.NotCheckable {
			sums = append(sums, sum)
		}
	}
	return sums
}

// judgeURL decides between a key of URLS and the URL of a content set in its value. What sources
// have for a URL proves that it is right if the ID of the set is its MD5.
func judgeURL(p *rule.Pass, key nametree.Key, s *rule.Set, url []byte) witness.Verdict {
	k, c := witness.Claim{Value: key}, witness.Claim{Value: shown(url)}
	if isSourceOf(p, rule.KeyBytes(key), s) {
		k.Proofs = append(k.Proofs, "what sources have for it")
	}
	if isSourceOf(p, url, s) {
		c.Proofs = append(c.Proofs, "what sources have for it")
	}
	return witness.Decide(k, c, nil, p.Audit.Prefer)
}

// isSourceOf reports whether the ID of a content set is the MD5 of what sources have for a URL.
func isSourceOf(p *rule.Pass, url []byte, s *rule.Set) bool {
	id, ok := s.Identifier()
	if !ok || p.Audit.Witness == nil || !p.Spend(rule.URLCost) {
		return false
	}
	for c, err := range p.Audit.Witness.Lookup(string(url)) {
		if err != nil {
			continue
		}
		for _, body := range c.Bodies {
			r, err := body.Open()
			if err != nil {
				continue
			}
			h := md5.New()
			n, _ := io.Copy(h, r) // a body that is cut has another MD5
			r.Close()
			if digest.ID(h.Sum(nil)) == id {
				return true
			}
			if !p.Spend(n) {
				return false
			}
		}
	}
	return false
}

// onlyURL returns the URL of a content set that has one source.
func onlyURL(s *rule.Set) (only []byte, ok bool) {
	for role, url := range s.SourceURLs {
		if role == webcapture.Destination {
			if ok {
				return nil, false
			}
			only, ok = url, true
		}
	}
	return only, ok
}

// fixURL judges a content set that stands under a key of URLS that is none of its URLs. The fix
// sends it to the key that is its own, or makes the key its URL; nil if nothing decides.
func fixURL(p *rule.Pass, v *rule.Value, s *rule.Set) (*rule.Fix, string) {
	url, ok := onlyURL(s)
	if !ok || s.Ref.Num == 0 {
		return nil, witness.Remedy
	}
	verdict := judgeURL(p, v.Key, s, url)
	switch verdict.Right {
	case witness.Sets:
		return sendHome(v, s), verdict.Why
	case witness.Keys:
		return &rule.Fix{Action: rule.ChangeSource, Old: shown(url), New: v.Key, Set: s.Ref}, verdict.Why
	}
	return nil, verdict.Why
}

// hasCopy reports whether IDS leads to another content set with the ID, the subtype, and the first
// member of a set: one of the two is a copy, and nothing tells which.
func hasCopy(p *rule.Pass, s *rule.Set) bool {
	id, ok := s.Identifier()
	if !ok || p.DB.IDS == nil {
		return false
	}
	for i := range p.DB.IDS.All(nametree.Key(id[:])) {
		for o, err := range p.Reader.Values(p.DB.IDS.Entry(i).Value) {
			if err != nil || !p.Spend(rule.ElementCost) {
				return false
			}
			var other webcapture.ContentSet
			if ref, _ := o.Ref(); ref == s.Ref || p.Reader.Read(o, &other) != nil || other.Subtype != s.Subtype {
				continue
			}
			if otherID, ok := other.Identifier(); ok && otherID == id && sharesMember(&other, &s.ContentSet) {
				return true
			}
		}
	}
	return false
}

// sharesMember reports whether two content sets have the same first member.
func sharesMember(a, b *webcapture.ContentSet) bool {
	return firstMember(a).Num != 0 && firstMember(a) == firstMember(b)
}

func firstMember(s *webcapture.ContentSet) (ref object.Ref) {
	for o := range s.Members() {
		ref, _ = o.Ref()
		break
	}
	return ref
}

// fixMissingID returns the fix that gives a content set its ID as key; nil if members dispute the ID.
func fixMissingID(p *rule.Pass, l *rule.Links, id nametree.Key) *rule.Fix {
	if anyIDDisputed(p, []*rule.Set{l.Set}) {
		return nil
	}
	return keyFor(l, "IDS", id)
}

// fixMissingURL returns the fix that gives a content set a key in URLS; nil if the set may be a copy
// of another one.
func fixMissingURL(p *rule.Pass, l *rule.Links, key nametree.Key) *rule.Fix {
	if hasCopy(p, l.Set) {
		return nil
	}
	return keyFor(l, "URLS", key)
}

// counted returns a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "one " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
