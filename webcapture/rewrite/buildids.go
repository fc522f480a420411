package rewrite

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// buildIDS adds the content sets in URLS that have an undisputed ID to IDS, and returns the number of new keys. It
// skips content sets that are removed, or direct objects.
func (p *planner) buildIDS() (n int, err error) {
	seen, keys := map[object.Ref]bool{}, map[nametree.Key]bool{}
	for _, e := range p.trees[webcapture.URLS].tree.Entries() {
		list, err := p.elements(e.Value)
		if object.IgnoreMalformed(err) != nil {
			return 0, err
		}
		for _, o := range list {
			ref, ok := o.Ref()
			if !ok || seen[ref] || p.isRemoved(o) {
				continue // another tree cannot refer to a direct content set
			}
			seen[ref] = true
			ids, err := p.addOwnKeys(webcapture.IDS, o)
			if err != nil {
				return 0, err
			}
			for _, id := range ids {
				keys[id] = true
			}
		}
	}
	return len(keys), nil
}

// countOfEntries describes the number of entries of a step.
func countOfEntries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}
