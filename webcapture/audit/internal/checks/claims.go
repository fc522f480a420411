package checks

import (
	"hash/maphash"
	"slices"
	"sync"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// claims are the URLs of the content sets that do not agree with their entries at once, as
// hashes of their forms: who asks has a key of URLS that is not a URL of its value, and
// wants to know whether another set has it. They are gathered when somebody first asks,
// which in most files nobody does.
type claims struct {
	once   sync.Once
	seed   maphash.Seed
	hashes []uint64 // sorted
}

// isURLOfOther reports whether the key of an entry of URLS is a URL of a content set that
// is not in its value.
func isURLOfOther(p *rule.Pass, v *rule.Value) bool {
	for i := range p.DB.URLS.All(v.Key) {
		if i != v.Index && leadsToOwn(p, i) {
			return true
		}
	}
	c := rule.Shared[claims](p.Audit)
	c.once.Do(func() { c.gather(p) })
	return slices.ContainsFunc(rule.Forms(rule.KeyBytes(v.Key)), func(f string) bool {
		_, ok := slices.BinarySearch(c.hashes, maphash.String(c.seed, f))
		return ok
	})
}

// leadsToOwn reports whether an entry of URLS leads to a content set whose URL the key is.
func leadsToOwn(p *rule.Pass, entry int) bool {
	e := p.DB.URLS.Entry(entry)
	for o, err := range p.Reader.Values(e.Value) {
		var s rule.Set
		if err != nil || !p.Spend(rule.ElementCost) {
			return false
		}
		if p.Reader.Read(o, &s.ContentSet) == nil && s.Recognized() && s.Accepts(e.Key) {
			return true
		}
	}
	return false
}

// gather reads the sets that are unresolved, and those of unresolved entries. What cannot
// be read is reported where it is visited.
func (c *claims) gather(p *rule.Pass) {
	c.seed = maphash.MakeSeed()
	var s rule.Set
	add := func(o object.Object) bool {
		if p.Reader.Read(o, &s.ContentSet) == nil && s.Recognized() {
			for _, url := range s.SourceURLs {
				for _, f := range rule.Forms(url) {
					c.hashes = append(c.hashes, maphash.String(c.seed, f))
				}
			}
		}
		return p.Spend(rule.ElementCost + s.URLWork())
	}
	refs := slices.Clone(p.Audit.Unresolved.Sets)
	for name, t := range p.Audit.Trees {
		if t == nil {
			continue
		}
		for _, i := range p.Audit.Unresolved.Entries[name] {
			if ref, ok := t.Entry(i).Value.Ref(); ok {
				refs = append(refs, ref)
			}
		}
	}
	p.Audit.File.SortByPosition(refs)
	for _, ref := range slices.Compact(refs) {
		for o, err := range p.Reader.Values(object.MakeRef(ref)) {
			if err != nil || !add(o) {
				break
			}
		}
	}
	slices.Sort(c.hashes)
}
