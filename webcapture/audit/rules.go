package audit

import (
	"strconv"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/internal/checks"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Select returns the rules that a name selects. The name is that of a group, or the beginning of rule IDs, such as
// "WC2", "WC204", or "204". Select returns nil for any other name.
func Select(name string) []*rule.Rule {
	if _, err := strconv.ParseUint(name, 10, 16); err == nil {
		name = "WC" + name
	}
	for _, g := range rule.Groups() {
		if strings.EqualFold(name, g.Name) {
			name = g.Prefix
		}
	}
	var selected []*rule.Rule
	for _, r := range checks.Rules {
		if len(name) >= len("WC1") && strings.HasPrefix(r.ID, strings.ToUpper(name)) {
			selected = append(selected, r)
		}
	}
	return selected
}

// Rules returns all rules in the order of their IDs. The caller may change the slice, but not the rules.
func Rules() []*rule.Rule { return append([]*rule.Rule(nil), checks.Rules...) }

// Lookup returns the rule with an ID; false if there is none.
func Lookup(id string) (*rule.Rule, bool) {
	for _, r := range checks.Rules {
		if r.ID == id {
			return r, true
		}
	}
	return nil, false
}
