package report

import (
	"os"
	"slices"
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

// TestCodeBlockInPieces: each line of a block is indented, however its bytes arrive.
func TestCodeBlockInPieces(t *testing.T) {
	const text, want = "# one\n\ntwo\n", "    # one\n\n    two\n"
	for n := 1; n <= len(text); n++ {
		var out strings.Builder
		c := &codeBlock{w: &out}
		for piece := range slices.Chunk([]byte(text), n) {
			if _, err := c.Write(piece); err != nil {
				t.Fatal(err)
			}
		}
		if out.String() != want {
			t.Errorf("in pieces of %d bytes: %q, want %q", n, out.String(), want)
		}
	}
}
