package rewrite

import (
	"maps"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// destEdit has the changes that steps make to the named destinations (ISO 32000-2:2020,
// 12.3.2.4).
type destEdit struct {
	tree    *nametree.Tree                  // nil before it is read
	names   map[nametree.Key][]nametree.Key // the names that keys of Dests become
	planted map[nametree.Key][]byte         // values of those that are brought back
}

func (d *destEdit) rename(from, to nametree.Key) {
	if d.names == nil {
		d.names = map[nametree.Key][]nametree.Key{}
	}
	if !slices.Contains(d.names[from], to) {
		d.names[from] = append(d.names[from], to)
	}
}

// edit returns the edit of the tree Dests; nil if nothing changes. A key from which
// several names may come, or that stands twice, is left alone: nothing tells which
// it was.
func (d *destEdit) edit(t *nametree.Tree) (e *nametree.Edit, left map[string]bool) {
	left = map[string]bool{}
	for _, from := range slices.Sorted(maps.Keys(d.names)) {
		to := d.names[from]
		var at []int
		for i := range t.All(from) {
			at = append(at, i)
		}
		if len(to) != 1 || len(at) != 1 {
			left[from.String()] = true
			continue
		}
		if e == nil {
			e = t.Edit()
		}
		e.SetKey(at[0], to[0], object.Ref{})
	}
	for _, key := range slices.Sorted(maps.Keys(d.planted)) {
		if e == nil {
			e = t.Edit()
		}
		e.Add(key, object.Ref{}, d.planted[key])
	}
	return e, left
}
