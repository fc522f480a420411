package rewrite

import (
	"maps"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// A destEdit is what steps do to the named destinations (ISO 32000-2:2020,
// 12.3.2.4).
type destEdit struct {
	names map[nametree.Key][]nametree.Key // the names that keys of Dests become
}

func (d *destEdit) rename(from, to nametree.Key) {
	if d.names == nil {
		d.names = map[nametree.Key][]nametree.Key{}
	}
	if !slices.Contains(d.names[from], to) {
		d.names[from] = append(d.names[from], to)
	}
}

// settle returns the edit of the tree Dests; nil if nothing changes. A key from
// which two names may come is left alone: nothing tells which it was.
func (d *destEdit) settle(t *nametree.Tree) (e *nametree.Edit, left []nametree.Key) {
	for _, from := range slices.Sorted(maps.Keys(d.names)) {
		to := d.names[from]
		var at []int
		for i := range t.All(from) {
			at = append(at, i)
		}
		if len(to) != 1 || len(at) != 1 {
			left = append(left, from)
			continue
		}
		if e == nil {
			e = t.Edit()
		}
		e.SetKey(at[0], to[0], object.Ref{})
	}
	return e, left
}
