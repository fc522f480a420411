package checks

import (
	"bytes"
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

// Helpers of rules that decide which of two contradictory values is right, such as a key and an ID; see package
// witness.

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
	retrieved := func(digest.ID) bool { return false }
	if p.Audit.Witness != nil && len(proven) == 0 {
		by = "the file that sources have for its URL"
		retrieved = func(id digest.ID) bool { return p.Retrieved(s, only(id)) }
	}
	for _, claim := range []*witness.Claim{&k, &c} {
		if id, ok := digest.FromBytes([]byte(claim.Value)); ok && (slices.Contains(proven, id) || retrieved(id)) {
			claim.Proofs = []string{by}
		}
	}
	verdict := witness.Decide(k, c, doubt, p.Audit.Prefer)
	if verdict.Right == witness.Open {
		verdict.Why += "; " + remedySets
	}
	return verdict
}

// only returns a function that reports whether a digest equals id.
func only(id digest.ID) func(digest.ID) bool { return func(sum digest.ID) bool { return sum == id } }

// includes reports whether a key is one of the MD5 digests.
func includes(sums []digest.ID, key nametree.Key) bool {
	return slices.ContainsFunc(sums, func(sum digest.ID) bool { return nametree.Key(sum[:]) == key })
}

// judgeOwnID decides whether the ID of a content set may become a key; see witness.Carried.Judge.
func judgeOwnID(p *rule.Pass, s *rule.Set, carried *witness.Carried) witness.Verdict {
	id, _ := s.Identifier()
	images := func() []digest.ID { return imageDigests(p, s) }
	return carried.Judge(nametree.Key(id[:]), images, p.Audit.Prefer)
}

// isIDDisputed reports whether the members of a content set, or the data of its images, contradict its ID.
func isIDDisputed(p *rule.Pass, s *rule.Set, carried *witness.Carried) bool {
	return judgeOwnID(p, s, carried).Right != witness.Sets
}

// judgeOwnIDs decides whether the IDs of content sets may become keys. If one must not, or may only by the user's
// choice, it returns the verdict on that.
func judgeOwnIDs(p *rule.Pass, sets ...*rule.Set) witness.Verdict {
	all := witness.Verdict{Right: witness.Sets}
	for _, s := range sets {
		carried := carriedIDs(p, s)
		noteUnread(p, s, carried)
		if _, ok := s.Identifier(); !ok || all.Right != witness.Sets {
			continue
		}
		if own := judgeOwnID(p, s, carried); own.Right != witness.Sets || own.Chosen {
			all = own
		}
	}
	return all
}

// whyDisputed returns the reason why the ID of a content set does not become a key, and the remedy.
func whyDisputed(verdict witness.Verdict) string {
	remedy := remedyOriginal
	if !verdict.Proven {
		remedy += orPreferSets
	}
	return ", but " + verdict.Why + "; " + remedy
}

// carriedIDs returns the IDs of a content set's members.
func carriedIDs(p *rule.Pass, s *rule.Set) *witness.Carried {
	c := new(witness.Carried)
	for m, err := range witness.Members(p.Reader, &s.ContentSet) {
		c.Mixed = c.Mixed || err == nil && isMixed(s, m)
		if c.Add(m, err); isMissing(p, err) || !p.Spend(rule.ElementCost) {
			break
		}
	}
	return c
}

// isMixed reports whether a member has the ID of its content set, although it is an image in a page set, or a page in
// an image set.
func isMixed(s *rule.Set, m witness.Member) bool {
	if !m.ID.OK() || !bytes.Equal(m.ID.Bytes, s.ID.Bytes) {
		return false
	}
	return s.Subtype == webcapture.PageSet && m.Dict.Lookup("Subtype").IsName("Image") ||
		s.Subtype == webcapture.ImageSet && m.Dict.Lookup("Type").IsName("Page")
}

// isMissing reports whether an error means that the file can no longer be read. Malformed objects do not count. If the
// result is true, the audit ends.
func isMissing(p *rule.Pass, err error) bool {
	if object.IgnoreMalformed(err) == nil {
		return false
	}
	p.Fail(err)
	return true
}

// isUnreadable reads a content set, and reports whether reading failed.
func isUnreadable(p *rule.Pass, o object.Object, s *webcapture.ContentSet) bool {
	err := p.Reader.Read(o, s)
	isMissing(p, err)
	return err != nil
}

// noteUnread records the unreadable members of a content set.
func noteUnread(p *rule.Pass, s *rule.Set, carried *witness.Carried) {
	for _, err := range carried.Unread {
		p.CouldNotRead(s.At(), err)
	}
}

// imageDigests returns the MD5 of a content set's images that are stored as fetched.
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

// judgeURL decides between a key of URLS and the URL of a content set in its value. A file may have several URLs, so
// data at one of the two prove nothing alone. The key is proven if sources have the captured file at the key, and
// another file at the URL. The URL is never proven, because the key may belong to another content set.
func judgeURL(p *rule.Pass, key nametree.Key, s *rule.Set, url []byte) witness.Verdict {
	k, c := witness.Claim{Value: key}, witness.Claim{Value: shown(url)}
	if own := capturedAs(p, s); len(own) > 0 {
		isOwn := func(sum digest.ID) bool { return slices.Contains(own, sum) }
		atKey, atURL := sourceDigests(p, rule.KeyBytes(key)), sourceDigests(p, url)
		if len(atURL) > 0 && slices.ContainsFunc(atKey, isOwn) && !slices.ContainsFunc(atURL, isOwn) {
			k.Proofs = []string{"a comparison with the files that sources have for both URLs"}
		}
	}
	verdict := witness.Decide(k, c, nil, p.Audit.Prefer)
	if verdict.Right == witness.Open {
		verdict.Why += "; " + remedyEither
	}
	return verdict
}

// capturedAs returns the MD5 of the captured data of a content set: those of its images that are stored as fetched, or
// else its ID, unless it is disputed. It returns nothing if neither is known.
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

// sourceDigests returns the MD5 of the files that sources have for a URL. It returns nothing if any of them is damaged
// or uncertain, because the captured file may then be among these.
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
			case err != nil && body.Undeclared: // the data are not in this form
			case err != nil || !p.Spend(n):
				return nil
			default:
				sums = append(sums, sum)
			}
		}
	}
	return sums
}

// digestOf returns the MD5 and the size of data.
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

// onlyURL returns the URL of a content set; false if it has none or several. Redirects do not count.
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

// fixURL returns the fix for a content set under a key of URLS that is not one of its URLs, with the reason. The fix
// moves the content set to the key of its own URL, or makes the key its URL. It is nil if nothing decides, or if the
// content set cannot change.
func fixURL(p *rule.Pass, v *rule.Value, s *rule.Set) (*rule.Fix, string) {
	url, ok := onlyURL(s)
	if !ok || s.Ref.Num == 0 {
		return nil, "only an indirect content set with one URL can change; " + remedyOriginal
	}
	verdict := judgeURL(p, v.Key, s, url)
	if verdict.Right == witness.Open {
		return nil, verdict.Why
	}
	if copied := copiedFrom(p, s, 1); copied != nil {
		return nil, whyCopy(copied)
	}
	switch verdict.Right {
	case witness.Sets:
		return chosenFix(sendHome(v, s), verdict), verdict.Why
	case witness.Keys:
		return fixSource(p, v, s, url, verdict)
	}
	return nil, verdict.Why
}

// fixMissingID returns the fix that gives a content set its ID as a key, or that makes the MD5 of its image its ID. If
// there is none, it returns the reason.
func fixMissingID(p *rule.Pass, l *rule.Links, id nametree.Key) (*rule.Fix, string) {
	verdict := judgeOwnIDs(p, l.Set)
	if verdict.Right != witness.Sets {
		if m := gatheredMoves(p); verdict.Proven && !m.carried[m.hash([]byte(id))] {
			if fix := fixProvenID(p, l.Set); fix != nil {
				return fix, ", but " + verdict.Why
			}
		}
		return nil, whyDisputed(verdict)
	}
	if doubt := gatheredMoves(p).doubt(); doubt != "" && !verdict.Proven && !verdict.Chosen {
		return nil, "; " + doubt + "; " + remedyOriginal
	}
	fix, why := keyUnlessCopy(p, l, "IDS", id)
	return chosenFix(fix, verdict), why
}

// fixProvenID returns the fix that makes the MD5 of an image the ID of its content set. A key of IDS for the set, or
// the ID of a member, must confirm the MD5; otherwise a tool may have encoded the image again, and the result is nil.
// It is also nil if another content set with the image has that ID, because one of the two is a copy.
func fixProvenID(p *rule.Pass, s *rule.Set) *rule.Fix {
	if s.Ref.Num == 0 || p.DB.IDS == nil {
		return nil
	}
	carried := carriedIDs(p, s)
	for _, sum := range imageDigests(p, s) {
		id := nametree.Key(sum[:])
		where, _ := findEntries(p, p.DB.IDS, []string{string(id)}, s.Ref)
		if (where == here || where == nowhere && carried.IDs[id] > 0) && !hasCopyWithID(p, s, id) {
			return &rule.Fix{Action: rule.ChangeID, Old: shown(s.ID.Bytes), New: id, Set: s.Ref}
		}
	}
	return nil
}

// fixSharedURL returns the fix that adds a content set to the value of a key of URLS, or the reason why there is none.
// There is none in these cases: the content sets in the value have other URLs, so the key is uncertain; another key may
// be the URL of the content set; or keyUnless has none.
func fixSharedURL(p *rule.Pass, l *rule.Links, e nametree.Entry, copied func() *rule.Set) (*rule.Fix, string) {
	agrees := false
	var other *rule.Set
	for s := range setsIn(p, e.Value) {
		switch {
		case s == nil || !s.Recognized() || !namesURLs(s), isCopy(s, l.Set):
		case s.Accepts(e.Key) && s.Subtype == l.Subtype:
			agrees = true
		default:
			other = s
		}
	}
	if agrees && hasForeignKey(p) {
		return nil, "; another key leads only to content sets of other URLs, and may be the URL of this set; " +
			remedyOriginal
	}
	if other != nil && !agrees {
		return nil, fmt.Sprintf("; content set%s in the value of the key %s; %s", refOf(other), comesFrom([]*rule.Set{other}),
			remedyEither)
	}
	return keyUnless(copied(), l, "URLS", e.Key)
}

// counted returns a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "one " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
