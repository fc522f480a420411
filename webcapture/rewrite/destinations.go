package rewrite

import (
	"maps"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
)

// destEdit holds the changes of steps to the named destinations (ISO 32000-2:2020, 12.3.2.4).
type destEdit struct {
	tree     *nametree.Tree                  // nil until it is read
	names    map[nametree.Key][]nametree.Key // new names for keys of Dests
	restored map[nametree.Key][]byte         // values of restored destinations
}

func (d *destEdit) rename(from, to nametree.Key) {
	if d.names == nil {
		d.names = map[nametree.Key][]nametree.Key{}
	}
	if !slices.Contains(d.names[from], to) {
		d.names[from] = append(d.names[from], to)
	}
}

// edit returns the edit of the tree Dests; nil if nothing changes. left has the names that steps would change, but
// that stay: the tree does not have them exactly once, or several new names are possible.
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
		e.SetKey(at[0], to[0])
	}
	for _, key := range slices.Sorted(maps.Keys(d.restored)) {
		if e == nil {
			e = t.Edit()
		}
		e.Add(key, d.restored[key])
	}
	return e, left
}
