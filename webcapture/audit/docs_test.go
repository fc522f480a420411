package audit

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestRulesAreDocumented keeps docs/rules.md what the rules say of themselves.
func TestRulesAreDocumented(t *testing.T) {
	const path = "../../docs/rules.md"
	var b strings.Builder
	b.WriteString("# Rules\n\nMade from the rules themselves (`go test ./webcapture/audit -update`); do not edit.\n\n" +
		"A rule's level follows the verb of its clause: what *shall* be is an error when it is\n" +
		"not, what *should* be a warning, anything else worth knowing a note. An ID is never\n" +
		"used for a second rule. What is said of repairs is what a rewrite of the file would\n" +
		"do; auditing changes nothing.\n\n" +
		"There is no rule about encryption: strings and streams are decrypted before anything\n" +
		"is checked (ISO 32000-2:2020, 7.6).\n\n")
	fmt.Fprintf(&b, "A mutation test breaks one invariant at a time in databases that are right: of %d\n"+
		"mutants of generated databases, %d are caught by the rule of the invariant. There is an\n"+
		"operator for every rule that is an error or a warning, except for %s.\n",
		mutantsMade, mutantsCaught, strings.Join(slices.Sorted(maps.Keys(noMutation)), ", "))
	for _, g := range Groups() {
		var of []*Rule
		for _, r := range Rules() {
			if strings.HasPrefix(r.ID, g.Prefix) {
				of = append(of, r)
			}
		}
		if len(of) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %sxx: %s\n", g.Prefix, g.Title)
		for _, r := range of {
			fmt.Fprintf(&b, "\n### %s · %v\n\n**%s** (%s)\n\n%s\n\nRepair: %s\n", r.ID, r.Level, r.Title, r.Clause, r.Doc, r.Repair)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != b.String() {
		t.Errorf("%s is not what the rules say; run the test with -update", path)
	}
}
