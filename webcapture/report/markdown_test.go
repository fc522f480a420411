package report

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Text from files is in code: outside of it there are neither tags nor links except to the documentation, and no
// row has additional cells.
func FuzzMarkdown(f *testing.F) {
	inCode := regexp.MustCompile("`[^`\n]*`")
	link := regexp.MustCompile(`\]\(` + regexp.QuoteMeta(projectURL) + `/[A-Za-z0-9/.#-]*\)`)
	fuzzHostile(f, func(t *testing.T, s string) {
		out := resultsIn(t, "markdown", Options{Head: Head{Version: s}}, Complete, hostileRecords(s)...)
		cells, before := 0, "\n"
		for line := range strings.Lines(out) {
			isCode := strings.HasPrefix(line, "    ")
			if isCode && before != "\n" && !strings.HasPrefix(before, "    ") {
				t.Errorf("%.40q: %q does not begin a block of code after %q", s, line, before)
			}
			if before = line; isCode {
				continue
			}
			plain := link.ReplaceAllString(inCode.ReplaceAllString(line, ""), "")
			if strings.ContainsAny(plain, "<>`@(") || strings.Contains(plain, "://") || strings.Contains(plain, "www.") {
				t.Errorf("%.40q: %q is outside of code", s, plain)
			}
			n := strings.Count(line, "|")
			if n > 0 && cells > 0 && n != cells {
				t.Errorf("%.40q: a row with %d bars in a table with %d: %s", s, n, cells, line)
			}
			cells = n
		}
	})
}

func TestMarkdownCode(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a b": "`a b`", "a`b``c": "`a\\x60b\\x60\\x60c`", `a\|b`: "`a\\\\x7cb`", "a\nb": "`a\\x0ab`", "<b>": "`<b>`",
	} {
		t.Run(in, func(t *testing.T) {
			if got := markdownCode(in); got != want {
				t.Errorf("markdownCode(%q) = %s, want %s", in, got, want)
			}
		})
	}
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
