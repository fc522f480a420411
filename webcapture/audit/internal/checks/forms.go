package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// leadsTo is the relation of the entries under a key to a content set.
type leadsTo uint8

const (
	nowhere   leadsTo = iota // there is no entry under the key
	elsewhere                // there are entries, without the content set
	here
)

// findEntries finds the entries under keys, up to one whose value has the content set. It returns the relation, and the
// indexes of the entries. A file without the tree has no entries.
func findEntries(p *rule.Pass, t *webcapture.Tree, keys []string, set object.Ref) (found leadsTo, entries []int) {
	if t == nil {
		return nowhere, nil
	}
	for _, k := range keys {
		n := 0
		for i := range t.All(nametree.Key(k)) {
			if n++; n > MaxSame {
				break
			}
			found = max(found, elsewhere)
			entries = append(entries, i)
			for o := range p.Reader.Values(t.Entry(i).Value) { // unreadable ones are reported elsewhere
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
