package checks

import (
	"hash/maphash"
	"slices"
	"sync"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/witness"
)

// minPattern is the minimum number of entries of IDS that other evidence must decide before a pattern counts. Then the
// key of an entry may also change if the only evidence is this pattern and the ID of the content set.
const minPattern = 3

// idMoves decides which entries of IDS get the IDs of their content sets as keys. A key that may belong to another
// content set must stay in the tree: its entry changes only if that content set gets the key. All entries that were not
// found consistent are judged together, on first use.
type idMoves struct {
	once    sync.Once
	seed    maphash.Seed
	entries map[int]*idMove
	homes   map[uint64][]*idMove // entries by the IDs of their sets; nil for a set outside IDS
	carried map[uint64]bool      // IDs of members
	barred  map[uint64]bool      // IDs of content sets that cannot get a key
	refuted bool                 // a proof supports some key against a content set and its members
	mixed   bool                 // some page in an image set, or image in a page set, has the ID of the set
}

// doubt returns the reason why agreement of a content set and its members does not count against a key; empty if it
// counts.
func (m *idMoves) doubt() string {
	switch {
	case m.mixed:
		return "a page in an image set, or an image in a page set, has the ID of that set, " +
			"so IDs and members may have been exchanged together"
	case m.refuted:
		return "a proof shows that some content set and its members agree on a wrong ID"
	}
	return ""
}

// idMove is an entry of IDS with the evidence about its key.
type idMove struct {
	key     uint64
	moves   bool      // the evidence so far favors the content sets
	pattern bool      // moves only if others do
	agreed  bool      // moves only if agreement is not refuted
	chosen  bool      // moves by the user's choice
	proven  bool      // a proof supports the key for some content set
	taken   bool      // the ID of a content set is already a key of the tree
	copied  *rule.Set // content set of which one in the value may be a copy
}

// moveOf returns the evidence about the key of an entry of IDS.
func moveOf(p *rule.Pass, v *rule.Value) idMove {
	if e := gatheredMoves(p).entries[v.Index]; e != nil {
		return *e
	}
	return idMove{}
}

// isIDElsewhere reports whether the ID of a content set is also a key of IDS, the ID of a member, or that of a content
// set that cannot get a key.
func isIDElsewhere(p *rule.Pass, s *rule.Set) bool {
	for range p.DB.IDS.All(nametree.Key(s.ID.Bytes)) {
		return true
	}
	m := gatheredMoves(p)
	id := m.hash(s.ID.Bytes)
	return m.carried[id] || m.barred[id]
}

func gatheredMoves(p *rule.Pass) *idMoves {
	m := rule.Shared[idMoves](p.Audit)
	m.once.Do(func() { m.gather(p) })
	return m
}

func (m *idMoves) hash(id []byte) uint64 { return maphash.Bytes(m.seed, id) }

func (m *idMoves) gather(p *rule.Pass) {
	m.seed, m.entries = maphash.MakeSeed(), map[int]*idMove{}
	m.homes, m.carried, m.barred = map[uint64][]*idMove{}, map[uint64]bool{}, map[uint64]bool{}
	t := p.Audit.Trees[webcapture.IDS]
	listed := map[object.Ref]bool{}
	decided := 0
	for _, i := range p.Audit.InFileOrder(t, p.Audit.Unresolved.Entries[webcapture.IDS]) {
		v := valueOf(p, rule.NewEntry(t, i))
		if transcodingOf(v) != nil {
			continue
		}
		e := m.judge(p, v)
		m.entries[i] = e
		if e.moves && !e.pattern {
			decided++
		}
		for _, s := range v.Sets {
			listed[s.Ref] = true
		}
	}
	for _, ref := range p.Audit.Unresolved.Sets {
		var s rule.Set
		if listed[ref] || p.Reader.Read(object.MakeRef(ref), &s.ContentSet) != nil || !p.Spend(rule.ElementCost) {
			continue
		}
		s.Ref = ref
		carried := carriedIDs(p, &s)
		m.note(carried)
		m.refuted = m.refuted || refutesAgreement(p, &s, carried)
		m.mixed = m.mixed || carried.Mixed
		if id, ok := s.Identifier(); ok && (isIDDisputed(p, &s, carried) || copiedFrom(p, &s, 0) != nil) {
			m.barred[m.hash(id[:])] = true
		} else if ok {
			h := m.hash(id[:])
			m.homes[h] = append(m.homes[h], nil)
		}
	}
	for _, e := range m.entries {
		e.moves = e.moves && (!e.pattern || e.taken && decided >= minPattern) && !(e.agreed && m.refuted) &&
			(e.chosen || !m.mixed)
	}
	m.settle()
}

// judge collects the evidence about the content sets in the value of an entry.
func (m *idMoves) judge(p *rule.Pass, v *rule.Value) *idMove {
	e := &idMove{key: m.hash(rule.KeyBytes(v.Key)), moves: len(v.Sets) == v.Elements}
	for _, s := range v.Sets {
		carried := carriedIDs(p, s)
		m.note(carried)
		id, ok := s.Identifier()
		if !ok || !s.Recognized() {
			continue
		}
		h := m.hash(id[:])
		m.homes[h] = append(m.homes[h], e)
		if nametree.Key(id[:]) == v.Key {
			continue
		}
		for range p.DB.IDS.All(nametree.Key(id[:])) {
			e.taken = true
			break
		}
		verdict := judgeID(p, v.Key, s, carried)
		e.pattern = e.pattern || verdict.Weak
		e.agreed = e.agreed || !verdict.Proven && !verdict.Chosen
		e.chosen = e.chosen || verdict.Chosen
		e.proven = e.proven || verdict.Right == witness.Keys && verdict.Proven
		isRefuted := verdict.Right == witness.Keys && verdict.Proven && carried.IDs[nametree.Key(id[:])] > 0
		m.refuted = m.refuted || isRefuted || refutesAgreement(p, s, carried)
		m.mixed = m.mixed || carried.Mixed
		e.moves = e.moves && (verdict.Right == witness.Sets || verdict.Weak && !hasLostImages(p, s))
		if e.moves && !verdict.Weak {
			e.noteCopy(p, v, s)
		}
	}
	return e
}

// refutesAgreement reports whether a proof supports a key of IDS against a content set and its members.
func refutesAgreement(p *rule.Pass, s *rule.Set, carried *witness.Carried) bool {
	if carried.IDs[nametree.Key(s.ID.Bytes)] == 0 {
		return false
	}
	sums := imageDigests(p, s)
	return !includes(sums, nametree.Key(s.ID.Bytes)) && slices.ContainsFunc(sums, func(sum digest.ID) bool {
		where, _ := findEntries(p, p.DB.IDS, []string{string(sum[:])}, s.Ref)
		return where != nowhere
	})
}

// hasLostImages reports whether a content set is an image set without members. The data of its image could have proven
// the key, so the pattern of other entries does not count.
func hasLostImages(p *rule.Pass, s *rule.Set) bool {
	for _, err := range witness.Members(p.Reader, &s.ContentSet) {
		isMissing(p, err)
		return false
	}
	return s.Subtype == webcapture.ImageSet
}

// noteCopy records whether a content set in the value may be a copy of one outside of the value. The entry then keeps
// its key.
func (e *idMove) noteCopy(p *rule.Pass, v *rule.Value, s *rule.Set) {
	other := copiedFrom(p, s, 1)
	if other != nil && !slices.ContainsFunc(v.Sets, func(in *rule.Set) bool { return in.Ref == other.Ref }) {
		e.copied, e.moves = other, false
	}
}

// note records the IDs of a content set's members.
func (m *idMoves) note(carried *witness.Carried) {
	for id := range carried.IDs {
		m.carried[m.hash([]byte(id))] = true
	}
}

// settle cancels moves that would lose a key, until there are none.
func (m *idMoves) settle() {
	for changed := true; changed; {
		changed = false
		for _, e := range m.entries {
			if e.moves && !m.isKeptOrFree(e) {
				e.moves, changed = false, true
			}
		}
	}
}

// isKeptOrFree reports whether an entry may give up its key. It may in two cases: the key stays in the tree, or gets
// there for another content set; or the key belongs to no content set or member, and no other entry has the new key.
func (m *idMoves) isKeptOrFree(e *idMove) bool {
	homes := m.homes[e.key]
	if slices.ContainsFunc(homes, func(h *idMove) bool { return h == nil || h.moves || h.key == e.key }) {
		return true
	}
	return len(homes) == 0 && !m.carried[e.key] && !m.barred[e.key] && !e.taken
}
