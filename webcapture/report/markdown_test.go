package report

import (
	"os"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Text from files is in a block of code.
func FuzzMarkdown(f *testing.F) {
	fuzzHostile(f, func(t *testing.T, s string) {
		out := resultsIn(t, "markdown", Options{Head: Head{Version: s}}, Complete, hostileRecords(s)...)
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		for i, line := range lines {
			if i > 0 && line != "" && !strings.HasPrefix(line, "    ") {
				t.Errorf("%.40q: %q is outside of code", s, line)
			}
		}
	})
}

// TestRuleURL checks that the link of each rule leads to its anchor.
func TestRuleURL(t *testing.T) {
	for _, rule := range audit.Rules() {
		page, anchor, _ := strings.Cut(ruleURL(rule), "#")
		path, ok := strings.CutPrefix(page, projectURL+"/blob/main/")
		text, err := os.ReadFile("../../" + path)
		if !ok || err != nil || !strings.Contains(string(text), "\n<a id=\""+anchor+"\"></a>\n\n## "+rule.ID+" ") {
			t.Errorf("the link %s of %s is dead: %v", ruleURL(rule), rule.ID, err)
		}
	}
	if got := ruleURL(&rule.Rule{ID: "WC999"}); got != "" {
		t.Errorf("an unknown rule has the link %s", got)
	}
}
