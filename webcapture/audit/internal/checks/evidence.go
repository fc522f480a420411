package checks

import (
	"crypto/md5"
	"fmt"
	"io"
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
func judgeID(p *rule.Pass, key nametree.Key, s *rule.Set, carried *witness.Carried) witness.Verdict {
	k, c := witness.Claim{Value: key}, witness.Claim{Value: nametree.Key(s.ID.Bytes)}
	if n := carried.IDs[k.Value]; n > 0 {
		k.Records = append(k.Records, fmt.Sprintf("the ID of %s", counted(n, "member")))
	}
	if n := carried.IDs[c.Value]; n > 0 {
		c.Records = append(c.Records, fmt.Sprintf("the ID of %s", counted(n, "member")))
	}
	var doubt []string
	if n := carried.Members - carried.IDs[k.Value] - carried.IDs[c.Value]; n > 0 {
		doubt = append(doubt, counted(n, "member"))
	}
	proven, by := imageDigests(p, s), "the MD5 of its image"
	if url, ok := onlyURL(s); ok && len(proven) == 0 {
		proven, by = sourceDigests(p, url), "what sources have for its URL"
	}
	for _, claim := range []*witness.Claim{&k, &c} {
		if includes(proven, claim.Value) {
			claim.Proofs = []string{by}
		}
	}
	verdict := witness.Decide(k, c, doubt, p.Audit.Prefer)
	if verdict.Right == witness.Open {
		verdict.Why += "; " + remedySets
	}
	return verdict
}

// includes reports whether a key is one of some MD5 digests.
func includes(sums []digest.ID, key nametree.Key) bool {
	return slices.ContainsFunc(sums, func(sum digest.ID) bool { return nametree.Key(sum[:]) == key })
}

// isIDDisputed reports whether members of a content set, or the data of its images, speak against its ID: it does not
// become a key.
func isIDDisputed(p *rule.Pass, s *rule.Set, carried *witness.Carried) bool {
	id, ok := s.Identifier()
	images := func() []digest.ID { return imageDigests(p, s) }
	return ok && carried.Disputes(nametree.Key(id[:]), images, p.Audit.Prefer)
}

// anyIDDisputed reports whether isIDDisputed holds for any of some sets.
func anyIDDisputed(p *rule.Pass, sets []*rule.Set) (any bool) {
	for _, s := range sets {
		carried := carriedIDs(p, s)
		noteUnread(p, s, carried)
		any = any || isIDDisputed(p, s, carried)
	}
	return any
}

// carriedIDs returns the IDs that the members of a content set carry.
func carriedIDs(p *rule.Pass, s *rule.Set) *witness.Carried {
	c := new(witness.Carried)
	for m, err := range witness.Members(p.Reader, &s.ContentSet) {
		if c.Add(m, err); isMissing(p, err) || !p.Spend(rule.ElementCost) {
			break
		}
	}
	return c
}

// isMissing reports whether an error is about the file, which cannot be read any more: the audit fails.
func isMissing(p *rule.Pass, err error) bool {
	if object.IgnoreMalformed(err) == nil {
		return false
	}
	p.Fail(err)
	return true
}

// isUnreadable reads a content set, and reports whether that failed.
func isUnreadable(p *rule.Pass, o object.Object, s *webcapture.ContentSet) bool {
	err := p.Reader.Read(o, s)
	isMissing(p, err)
	return err != nil
}

// noteUnread records the members that could not be read.
func noteUnread(p *rule.Pass, s *rule.Set, carried *witness.Carried) {
	for _, err := range carried.Unread {
		p.CouldNotRead(s.At(), err)
	}
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

// judgeURL decides between a key of URLS and the URL of a content set in its value. One file may be at several URLs, so
// what sources have for one of the two proves nothing alone. The key is proven if they have the file of the set for it,
// and another one for the URL of the set. They never prove the URL against the key: another set may be looked for there.
func judgeURL(p *rule.Pass, key nametree.Key, s *rule.Set, url []byte) witness.Verdict {
	k, c := witness.Claim{Value: key}, witness.Claim{Value: shown(url)}
	if own := capturedAs(p, s); len(own) > 0 {
		isOwn := func(sum digest.ID) bool { return slices.Contains(own, sum) }
		atKey, atURL := sourceDigests(p, rule.KeyBytes(key)), sourceDigests(p, url)
		if len(atURL) > 0 && slices.ContainsFunc(atKey, isOwn) && !slices.ContainsFunc(atURL, isOwn) {
			k.Proofs = []string{"what sources have for both URLs"}
		}
	}
	verdict := witness.Decide(k, c, nil, p.Audit.Prefer)
	if verdict.Right == witness.Open {
		verdict.Why += "; " + remedyEither
	}
	return verdict
}

// capturedAs returns the MD5 of what a content set was captured from: of its images, if they are stored as they were
// fetched, or its ID, if members do not carry another one. It returns nothing if neither is known.
func capturedAs(p *rule.Pass, s *rule.Set) []digest.ID {
	if sums := imageDigests(p, s); len(sums) > 0 {
		return sums
	}
	id, ok := s.Identifier()
	if !ok || isIDDisputed(p, s, carriedIDs(p, s)) {
		return nil
	}
	return []digest.ID{digest.ID(id)}
}

// sourceDigests returns the MD5 of what sources have for a URL; nothing if a part of that is damaged, cut, or doubtful,
// since the rest would not tell what the URL was not.
func sourceDigests(p *rule.Pass, url []byte) (sums []digest.ID) {
	if p.Audit.Witness == nil || !p.Spend(rule.URLCost) {
		return nil
	}
	for c, err := range p.Audit.Witness.Lookup(string(url)) {
		if err != nil || c.Uncertain || c.Doubt != nil {
			return nil
		}
		for _, body := range c.Bodies {
			sum, n, err := digestOf(body.Open)
			switch {
			case err != nil && body.Undeclared: // it is not in this form
			case err != nil || !p.Spend(n):
				return nil
			default:
				sums = append(sums, sum)
			}
		}
	}
	return sums
}

// digestOf returns the MD5 of data, and their size.
func digestOf(open func() (io.ReadCloser, error)) (sum digest.ID, n int64, err error) {
	r, err := open()
	if err != nil {
		return sum, 0, err
	}
	defer r.Close()
	h := md5.New()
	n, err = io.Copy(h, r)
	return digest.ID(h.Sum(nil)), n, err
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
		return nil, "only a content set with one URL and an object of its own can change; " + remedyOriginal
	}
	verdict := judgeURL(p, v.Key, s, url)
	switch verdict.Right {
	case witness.Sets:
		return sendHome(v, s), verdict.Why
	case witness.Keys:
		return fixSource(p, v, s, url, verdict)
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
			if isMissing(p, err) || err != nil || !p.Spend(rule.ElementCost) {
				return false
			}
			var other webcapture.ContentSet
			if ref, _ := o.Ref(); ref == s.Ref || isUnreadable(p, o, &other) || other.Subtype != s.Subtype {
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

// fixMissingID returns the fix that gives a content set its ID as key; nil if the ID is in dispute.
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

// fixSharedURL returns the fix that adds a content set to the value of a key of URLS; nil if the sets in the value
// do not come from there, so that the key is in doubt, or if the set may be a copy of one of them.
func fixSharedURL(p *rule.Pass, l *rule.Links, e nametree.Entry) *rule.Fix {
	agree, differ := false, false
	for s := range setsIn(p, e.Value) {
		switch {
		case s == nil || !s.Recognized() || !namesURLs(s):
		case !s.Accepts(e.Key):
			differ = true
		case s.Subtype == l.Subtype && sharesMember(&s.ContentSet, &l.ContentSet):
			return nil
		default:
			agree = true
		}
	}
	if differ && !agree {
		return nil
	}
	return fixMissingURL(p, l, e.Key)
}

// counted returns a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "one " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
