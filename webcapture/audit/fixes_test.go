package audit

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

const fixesFile = "../../testdata/fixes.tsv"

// TestRepairsAreTold holds what rules say of their repair against what their
// findings carry: a rule with a repair has a case with a fix, at least if the user chooses; one
// without has none. It also holds each fix against a file that a person has checked: a wrong fix
// changes a file wrongly.
func TestRepairsAreTold(t *testing.T) {
	fixes := map[string]int{}
	var table strings.Builder
	table.WriteString("# Fixes of findings in cases, made by go test ./webcapture/audit -run RepairsAreTold -update\n" +
		"# case\t--prefer; blank: what is so without it\trule\tplace\tfix\tmessage, unless the case has it\n")
	for _, path := range caseFiles(t) {
		c, err := readCase(path)
		if err != nil {
			continue // TestCases reports it
		}
		seen := map[string]bool{}
		for _, opt := range []Options{{}, {Base: rule.Base{URL: "http://base.example/x/"}, Prefer: rule.Sets},
			{Prefer: rule.Keys}, {Prefer: rule.Data}} {
			opt.now = auditTime
			rep, err := Bytes(t.Context(), "", c.pdf(t, webcapturetest.Layout{}), opt)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			for _, f := range rep.Findings {
				if line := fixLine(c, f); line != "" && !seen[line] {
					seen[line] = true
					fmt.Fprintf(&table, "%s\t%s\t%s\n", strings.TrimSuffix(c.name, ".txtar"), opt.Prefer, line)
				}
				if f.Fix == nil {
					continue
				}
				fixes[f.Rule.ID]++
				if a := f.Fix.Action; a != f.Rule.Action && a != f.Rule.OtherAction {
					t.Errorf("%s: a fix of %s is %v, its rule says %v", c.name, f.Rule.ID, a, f.Rule.Action)
				}
			}
		}
	}
	checkRepairsOfRules(t, fixes)
	checkFile(t, fixesFile, table.String())
}

// checkRepairsOfRules compares what rules say of their repair with the number of fixes that their findings have.
func checkRepairsOfRules(t *testing.T, fixes map[string]int) {
	t.Helper()
	for _, r := range Rules() {
		if none := strings.HasPrefix(r.Repair, "None"); none != (fixes[r.ID] == 0) {
			t.Errorf("%s says %q, and has %d findings with a fix", r.ID, r.Repair, fixes[r.ID])
		}
		if has := r.Action != 0; has != (fixes[r.ID] > 0) {
			t.Errorf("%s names the action %v, and has %d findings with a fix", r.ID, r.Action, fixes[r.ID])
		}
		if r.OnRequest && fixes[r.ID] == 0 || strings.HasPrefix(r.Repair, "On request") {
			t.Errorf("%s has the repair %q, on request: %v", r.ID, r.Repair, r.OnRequest)
		}
	}
}

// fixLine returns what the file of fixes has about a finding; empty for a finding of the case without a fix.
func fixLine(c *auditCase, f rule.Finding) string {
	message := f.Message
	if strings.Contains(c.section("want.txt"), f.String()+"\n") {
		message = ""
	}
	if f.Fix == nil && message == "" {
		return ""
	}
	return f.Rule.ID + "\t" + f.Place.String() + "\t" + fixText(f.Fix) + "\t" + message
}

// fixText returns all that a fix has.
func fixText(f *rule.Fix) string {
	if f == nil {
		return "none"
	}
	text := f.Action.String()
	if f.Action.HasOld() {
		text += fmt.Sprintf(" %v", f.Old)
	}
	if f.Action.HasNew() {
		text += fmt.Sprintf(" to %v", f.New)
	}
	if f.Tree != "" {
		text += " in " + f.Tree
	}
	if f.Set.Num != 0 {
		text += fmt.Sprintf(", content set %v", f.Set)
	}
	if f.Action == rule.DropMember || f.Action == rule.ReplaceMember {
		text += fmt.Sprintf(", element %d of O", f.Index)
	}
	if f.Chosen {
		text += ", chosen"
	}
	return text
}

// checkFile compares text with a file of reviewed results, and writes it with -update.
func checkFile(t *testing.T, path, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("what is found is not that of %s: %s", path, firstDifference(text, string(want)))
	}
}
