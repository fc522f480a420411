package audit

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
	"github.com/webcap-tools/webcap/webcapture/witness"
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
		for _, opt := range []Options{{}, {HasBase: true, Prefer: witness.Sets}, {Prefer: witness.Keys}} {
			opt.now = auditTime
			rep, err := Bytes("", c.pdf(t, webcapturetest.Layout{}), opt)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			for _, f := range rep.Findings.All() {
				if line := fixLine(c, f); line != "" && !seen[line] {
					seen[line] = true
					fmt.Fprintf(&table, "%s\t%s\t%s\n", strings.TrimSuffix(c.name, ".txtar"), opt.Prefer, line)
				}
				if f.Fix == nil {
					continue
				}
				fixes[f.Rule.ID]++
				if a := f.Fix.Action; a != f.Rule.Action && a != f.Rule.SetAction {
					t.Errorf("%s: a fix of %s is %v, its rule says %v", c.name, f.Rule.ID, a, f.Rule.Action)
				}
			}
		}
	}
	checkRepairsOfRules(t, fixes)
	checkFile(t, fixesFile, table.String())
}

// TestFixesOfOneRule: what is nearly the same may need another fix, or none.
func TestFixesOfOneRule(t *testing.T) {
	const z = "<00000000000000000000000000000000>"
	pair := func(names, more string) string {
		return "names: << /URLS << /Names [ " + names + " ] >> >>\n5 0 obj << /S /SPS /ID " + idA + " /O [ 6 0 R ]" + fromA + " >>\n6 0 obj << /Type /Page /ID " + idA + " >>\n" + more
	}
	lost := func(member string) string {
		return "names: << /URLS << /Names [ (http://a.example/) 5 0 R (http://b.example/) 7 0 R ] >> /IDS << /Names [ " + z + " 5 0 R ] >> >>\n" +
			"5 0 obj << /S /SPS /ID " + idB + " /O [ 6 0 R ]" + fromA + " >>\n6 0 obj << /Type /Page /ID " + idB + " >>\n7 0 obj << /S /SPS /O [ 8 0 R ] /SI << /AU (http://b.example/) >> >>\n8 0 obj << /Type /Page /ID " + member + " >>\n"
	}
	proven := func(o, more string) string {
		return "names: << /IDS << /Names [ <9dd4e461268c8034f5c8564e155c67a6> 5 0 R ] >> >>\n5 0 obj << /S /SIS /ID " + idB + " /O [ " + o + " ]" + fromA + " >>\n" +
			"8 0 obj << /Subtype /Image /Filter /DCTDecode >> stream\nx\nendstream\n" + more
	}
	long := func(five, seven string) string {
		return "names: << /IDS << /Names [ (a0a1a2a3a4a5a6a7a8a9aaabacadaeaf) [ 5 0 R 7 0 R ] ] >> >>\n5 0 obj << /S /SPS " + five + " /O [ 6 0 R ]" + fromA + " >>\n6 0 obj << /Type /Page /ID " + idB + " >>\n" +
			"7 0 obj << /S /SPS " + seven + " /O [ 8 0 R ] /SI << /AU (http://b.example/) >> >>\n8 0 obj << /Type /Page /ID " + idA + " >>\n"
	}
	redirected := "names: << /URLS << /Names [ (http://x.example/) 5 0 R ] >> >>\n5 0 obj << /S /SPS /ID " + idA + " /O [ ] /SI << /AU << /U (http://a.example/) /C [ [ (http://r.example/) ] ] >> >> >>\n"
	for _, row := range []struct{ name, rule, text, want string }{
		{"a long key of a set without ID, whose member has one, and of a set", "WC301", long("", "/ID "+idA), "change-key (a0a1a2a3a4a5a6a7a8a9aaabacadaeaf) to " + idA + ", content set 7 0 R"},
		{"a long key of two sets, of which one has a member with another ID", "WC301", long("/ID "+z, "/ID "+idA), "none"},
		{"a long key of two sets, of which one has a member with another ID; --prefer sets", "WC301", long("/ID "+z, "/ID "+idA), "change-key (a0a1a2a3a4a5a6a7a8a9aaabacadaeaf) to " + z + ", content set 5 0 R, chosen"},
		{"a wrong key of a set with one URL and a redirect; --prefer sets", "WC221", redirected, "change-key (http://x.example/) to (http://a.example/), content set 5 0 R, chosen"},
		{"a wrong key of a set with one URL and a redirect; --prefer keys", "WC221", redirected, "change-source (http://a.example/) to (http://x.example/), content set 5 0 R, chosen"},
		{"a key that is a redirect, and a wrong key; --prefer keys", "WC221", strings.Replace(redirected, "[ (http://x", "[ (http://r.example/) 5 0 R (http://x", 1), "change-source (http://a.example/) to (http://x.example/), content set 5 0 R, chosen"},
		{"a pair in which the set comes before its URL", "WC108", pair("5 0 R (http://a.example/)", ""), "restore-keys"},
		{"a pair in which the set comes before another URL", "WC108", pair("5 0 R (http://b.example/)", ""), "none"},
		{"a number in place of the key of two sets", "WC108", pair("7 [ 5 0 R 7 0 R ]", "7 0 obj << /S /SPS /ID "+idB+" /O [ ]"+fromA+" >>\n"), "restore-keys"},
		{"a number in place of the key of two sets, of which one cannot be read", "WC108", pair("7 [ 5 0 R 7 0 R ]", "7 0 obj << /Broken ] >>\n"), "none"},
		{"a key that the MD5 of the second member proves", "WC302", proven("<< /X 1 >> 8 0 R", ""), "change-id " + idB + " to <9dd4e461268c8034f5c8564e155c67a6>, content set 5 0 R"},
		{"a key that the MD5 proves after a member that cannot be read", "WC302", proven("9 0 R 8 0 R", "9 0 obj << /Broken ] >>\n"), "change-id " + idB + " to <9dd4e461268c8034f5c8564e155c67a6>, content set 5 0 R"},
		{"a key that a page has whose set has no ID", "WC302", lost(z), "none"},
		{"a key that nothing else has", "WC302", lost(idA), "change-key " + z + " to " + idB + ", content set 5 0 R"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r, ok := Lookup(row.rule)
			if !ok {
				t.Fatalf("no rule %s", row.rule)
			}
			_, choice, _ := strings.Cut(row.name, "--prefer ")
			prefer, _ := witness.ParseSide(choice)
			rep := auditText(t, row.text, plainLayout, Options{Rules: []*rule.Rule{r}, Prefer: prefer})
			if rep.Findings.Len() != 1 || fixText(rep.Findings.At(0).Fix) != row.want {
				t.Errorf("%v, want one finding with the fix %s", rep.Findings, row.want)
			}
		})
	}
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
