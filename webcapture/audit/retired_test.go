package audit

import (
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// TestRetiredRules: a former rule is not a rule, and what it is part of is one.
func TestRetiredRules(t *testing.T) {
	isRule := func(id string) bool {
		return slices.ContainsFunc(Rules(), func(r *rule.Rule) bool { return r.ID == id })
	}
	for id, parts := range retired {
		if isRule(id) {
			t.Errorf("%s is still a rule", id)
		}
		for _, part := range strings.Fields(parts) {
			if !isRule(part) {
				t.Errorf("%s is part of %s, which is not a rule", id, part)
			}
		}
	}
	for name, want := range map[string]string{
		"WC205": "WC205 is part of WC204", "wc225": "WC225 is part of WC223 and WC304", "502": "WC502 was removed",
		"WC204": "", "WC999": "", "urls": "",
	} {
		if got, ok := Retired(name); got != want || ok != (want != "") {
			t.Errorf("Retired(%q) = %q, %v, want %q", name, got, ok, want)
		}
	}
}
