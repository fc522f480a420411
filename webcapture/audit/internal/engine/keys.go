package engine

import (
	"cmp"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// keySummary returns what the audit knows of keys.
func (r *Runner) keySummary() *rule.KeyFacts {
	k := new(rule.KeyFacts)
	for t, list := range r.entries {
		list = slices.Clone(list)
		slices.Sort(list)
		k.Deferred[t] = slices.Compact(list)
	}
	k.Summarize(r.members, r.found.Images, func(member object.Ref) int {
		return int(cmp.Or(r.doc.Numbers.Get(member), r.doc.ShownOn.Get(member)))
	})
	return k
}
