package rewrite

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
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

// refill builds IDS from the content sets in URLS if the steps would leave IDS empty. Viewers find the content set of a
// page only by IDS.
func (p *planner) refill() error {
	t := p.trees[webcapture.IDS]
	if !t.touched || len(t.added) > 0 || len(p.repairs[rule.BuildIDS]) == 0 {
		return nil
	}
	for i := range t.tree.Len() {
		if !t.gone(i) {
			return nil
		}
	}
	n, err := p.buildIDS()
	if err != nil || n == 0 {
		return err
	}
	p.add(Step{
		Rules: []string{p.repairs[rule.BuildIDS][0].ID}, Action: rule.BuildIDS, Tree: webcapture.IDS.String(),
		Place: &rule.Place{Tree: webcapture.IDS.String()},
		New:   countOfEntries(n), Reason: "otherwise the tree would be empty",
	})
	return nil
}

// gone reports whether the steps leave no content set in entry i, so that it is removed.
func (t *treeEdit) gone(i int) bool {
	list, ok := t.value[i]
	return ok && len(list) == 0
}
