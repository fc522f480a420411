package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// leadsTo says what the entries of a tree under a key are to a set.
type leadsTo uint8

const (
	nowhere   leadsTo = iota // there is no such entry
	elsewhere                // there is, and the set is not in its value
	here
)

// find says where the entries under the first of the keys that there is lead,
// and which they are.
func findEntries(p *rule.Pass, t *webcapture.Tree, keys []string, set object.Ref) (found leadsTo, entries []int) {
	for _, k := range keys {
		n := 0
		for i := range t.All(nametree.Key(k)) {
			if n++; n > MaxSame {
				break
			}
			found = max(found, elsewhere)
			entries = append(entries, i)
			for o := range p.Reader.Values(t.Entry(i).Value) { // what cannot be read is reported where the entry is visited
				if !p.Spend(rule.ElementCost) {
					break
				}
				if ref, ok := o.Ref(); ok && ref == set && set.Num != 0 {
					return here, entries
				}
			}
		}
	}
	return found, entries
}
