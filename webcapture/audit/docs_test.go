package audit

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
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
		"is checked (ISO 32000-2:2020, 7.6).\n\n" +
		"An example is a small document that breaks the rule, with what an audit says of it, or\n" +
		"that keeps it, if only just. Lines with a lower-case word in front are entries of the\n" +
		"catalog. What the other example of the rule does not have stands first, before a blank\n" +
		"line. The cases in `testdata/audit` have more of them. The table at the end says what\n" +
		"is checked, and by which rules. `webcap explain` says all this of a rule, and finds\n" +
		"rules by words of what you see: `webcap explain after pdfcpu merge`.\n\n")
	b.WriteString("## By what you see\n\n" + symptomIndex() + "\n## How well they catch\n\n")
	fmt.Fprintf(&b, "A mutation test breaks one invariant at a time in databases that are right: of %d\n"+
		"mutants of generated databases, %d are caught by the rule of the invariant. There is an\n"+
		"operator for every rule that is an error or a warning, except for %s.\n",
		mutantsMade, mutantsCaught, strings.Join(slices.Sorted(maps.Keys(noMutation)), ", "))
	examples := parseExamples(makeExamples(t)) // those of the cases, since what is embedded may be older
	for _, g := range rule.Groups() {
		var of []*rule.Rule
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
			fmt.Fprintf(&b, "\n<a id=\"%s\"></a>\n\n### %s · %v\n", r.ID, r.ID, r.Level)
			for _, text := range []string{fmt.Sprintf("**%s.** The rule: %s (%s)", r.Problem, r.Title, r.Clause), r.Doc,
				"Repair: " + r.Repair} {
				b.WriteString("\n" + wrapped(text, ""))
			}
			e := examples[r.ID]
			if e.Broken.Objects != "" {
				b.WriteString("\n" + wrapped("Broken: "+escape(e.Broken.Comment),
					"") + "\n" + codeBlock(e.Broken.Objects) + "\n" + codeBlock(e.Finding))
			}
			if e.Kept.Objects != "" {
				b.WriteString("\n" + wrapped("Kept: "+escape(e.Kept.Comment), "") + "\n" + codeBlock(e.Kept.Objects))
			}
		}
	}
	b.WriteString("\n## What is checked\n\n| | what | rules |\n|---|---|---|\n")
	for _, v := range readInvariants(t) {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", strings.Trim(v.number, "-"), escape(v.what), v.rules)
	}
	fresh(t, path, b.String())
}

// fresh compares a page with what the rules say, and writes it with -update.
func fresh(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the rules say; run the test with -update", path)
	}
}

// TestRepairsAreDocumented keeps docs/repairs.md what the rules say of the evidence for their repairs.
func TestRepairsAreDocumented(t *testing.T) {
	const path = "../../docs/repairs.md"
	var b strings.Builder
	b.WriteString(repairsIntroduction)
	for _, g := range rule.Groups() {
		var rows strings.Builder
		for _, r := range Rules() {
			if !strings.HasPrefix(r.ID, g.Prefix) {
				continue
			}
			e := r.Evidence
			if has := e.Contradiction != "" && e.Witness != ""; has != (r.Action != 0) {
				t.Errorf("%s has the action %v and the evidence %+v", r.ID, r.Action, e)
			}
			if r.Action != 0 {
				fmt.Fprintf(&rows, "| [%s](rules.md#%[1]s) %s | %s | %s | %s |\n",
					r.ID, r.Problem, e.Contradiction, e.Witness, cmp.Or(e.Undecided, "–"))
			}
		}
		if rows.Len() > 0 {
			fmt.Fprintf(&b, "\n## %sxx: %s\n\n| rule | what contradicts what | which witness decides | without one |\n"+
				"|---|---|---|---|\n%s", g.Prefix, g.Title, rows.String())
		}
	}
	fresh(t, path, b.String())
}

const repairsIntroduction = `# Repairs and their evidence

For people who want to know why ` + "`webcap rewrite`" + ` changes a record, or leaves it. Made from the rules
(` + "`go test ./webcapture/audit -run Repairs -update`" + `); do not edit.

Where two records contradict each other, one of them is wrong. A repair changes one of them only if a witness
tells which:

- **Proof**: the MD5 of an image's data, what a source retrieved (` + "`--source`" + `), or the original (` + "`--from`" + `).
- **Agreement**: two independent records in the file have one value, and nothing supports the other. The IDs of the
  pages and images of a content set are such records. A URL in SI and that of a command in the same SI are one record.
- **Reversible damage**: one known transformation leads from one record to the other, and not back.
- **Pattern**: one explanation fits at least three entries of IDS, and no entry contradicts it (WC302).
- **Copies**: content sets that have two of ID, URL, and first member in common. At most one is right: the one that
  both trees and its members support. The others get no key.

Without a witness both records stay. The finding shows both values and what would decide, the audit does not count it
as repairable, and the exit code is that of a file with findings. ` + "`--prefer keys`" + ` and ` + "`--prefer sets`" + ` choose
where the tables below name them; the plan marks these steps. No choice changes an ID of a content set.

Two exchanged values of URLS and two exchanged SI are the same contradiction, byte for byte. So neither is repaired
without a source, an original, or a choice.

The ID of a content set changes only back to a value that a proof gives. With ` + "`--from`" + `, what the original has decides
all of this for content sets whose pages and images are those of the original, unless the original contradicts itself.
`

// wrapped returns text in lines of at most 100 characters where it has blanks outside of PDF
// strings, all but the first with an indent.
func wrapped(text, indent string) string {
	const width = 100
	var b strings.Builder
	n := 0
	for i, word := range words(text) {
		length := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case n+1+length > width:
			b.WriteString("\n" + indent)
			n = len(indent)
		default:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(word)
		n += length
	}
	return b.String() + "\n"
}

// words splits a line at blanks, but for those within a literal string of PDF.
func words(line string) []string {
	var list []string
	start, depth := 0, 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			depth--
		case ' ':
			if depth == 0 {
				list, start = append(list, line[start:i]), i+1
			}
		}
	}
	return append(list, line[start:])
}

// codeBlock returns lines as code. The rest of a line that is too long is indented further.
func codeBlock(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		for part := range strings.Lines(wrapped("    "+strings.TrimSuffix(line, "\n"), strings.Repeat(" ", 8))) {
			b.WriteString(strings.TrimRight(part, " \n") + "\n")
		}
	}
	return b.String()
}

// escape keeps plain text from being taken for Markdown.
func escape(s string) string {
	return strings.NewReplacer("\\", "\\\\", "<", "\\<", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "|",
		"\\|").Replace(s)
}

// An invariant is a line of testdata/invariants.tsv: something that holds in a
// correct file, and the rules that look at it.
type invariant struct {
	number string // "-" if it is not on the numbered list
	what   string
	rules  string // IDs, with a blank between; or why there is none
}

func (v invariant) ids() []string {
	if !strings.HasPrefix(v.rules, "WC") {
		return nil
	}
	return strings.Split(v.rules, " ")
}

func readInvariants(t *testing.T) []invariant {
	t.Helper()
	var list []invariant
	for _, row := range webcapturetest.Rows(t, "../../testdata/invariants.tsv") {
		list = append(list, invariant{row[0], row[1], row[2]})
	}
	return list
}

// TestRulesCoverInvariants makes sure that nothing on the list of invariants is
// left out, and that no rule is.
func TestRulesCoverInvariants(t *testing.T) {
	const last = 87
	next, covered := 1, map[string]bool{}
	for _, v := range readInvariants(t) {
		switch {
		case v.number == "-":
			if len(v.ids()) == 0 {
				t.Errorf("%q has neither number nor rules", v.what)
			}
		case v.number != strconv.Itoa(next):
			t.Errorf("%q has the number %s, not %d", v.what, v.number, next)
		default:
			next++
		}
		if n := len(strings.Fields(v.what)); n == 0 || n > 12 {
			t.Errorf("invariant %s has %d words", v.number, n)
		}
		if len(strings.Fields(v.rules)) == 0 {
			t.Errorf("invariant %s has neither rules nor a reason", v.number)
		}
		for _, id := range v.ids() {
			if _, ok := Lookup(id); !ok {
				t.Errorf("invariant %s: there is no rule %q", v.number, id)
			}
			covered[id] = true
		}
	}
	if next != last+1 {
		t.Errorf("the numbers end with %d, not %d", next-1, last)
	}
	for _, r := range Rules() {
		if !covered[r.ID] {
			t.Errorf("%s is in no line of testdata/invariants.tsv: %s", r.ID, r.Title)
		}
	}
}
