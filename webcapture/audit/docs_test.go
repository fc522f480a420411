package audit

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestRulesAreDocumented keeps docs/rules.md and the pages in docs/rules up to date with the rules.
func TestRulesAreDocumented(t *testing.T) {
	const dir = "../../docs/"
	fresh(t, dir+"rules.md", rulesIndex(t))
	examples := parseExamples(makeExamples(t)) // of the cases, because the embedded ones may be older
	want := []string{}
	for _, g := range rule.Groups() {
		fresh(t, dir+"rules/"+g.Page(), groupPage(g, examples))
		want = append(want, dir+"rules/"+g.Page())
	}
	got, err := filepath.Glob(dir + "rules/*")
	for i := range got {
		got[i] = filepath.ToSlash(got[i])
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("docs/rules has the pages %v, want %v: %v", got, want, err)
	}
}

const generatedPage = "`go test ./webcapture/audit -update` writes this page from the rules; do not edit it.\n"

// rulesIndex returns the page that leads to the pages of the groups.
func rulesIndex(t *testing.T) string {
	var b strings.Builder
	b.WriteString("# Rules\n\nFor people who look for a rule: by what they see, or by its ID. " +
		"`webcap explain WORDS` searches the rules, too.\n" + generatedPage + rulesIntroduction)
	b.WriteString("\n## By what you see\n\n" + symptomIndex() + "\n## By ID\n")
	for _, g := range rule.Groups() {
		fmt.Fprintf(&b, "\n### [%sxx](rules/%s): %s\n\n| rule | level | problem |\n|---|---|---|\n", g.Prefix, g.Page(), g.Title)
		for _, r := range Rules() {
			if r.Group() == g {
				fmt.Fprintf(&b, "| [%s](%s) | %v | %s |\n", r.ID, pageOf(r), r.Level, r.Problem)
			}
		}
	}
	b.WriteString("\n## Appendix: invariants\n\nThe requirements for a correct file, and the rules that check each of them.\n\n" +
		"| | requirement | rules |\n|---|---|---|\n")
	for _, v := range readInvariants(t) {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", strings.Trim(v.number, "-"), escape(v.what), v.rules)
	}
	b.WriteString("\n## Appendix: clauses\n\nThe source of each rule, and what it says. `webcap` stands for a note without one.\n\n" +
		"| rule | clause | what it says |\n|---|---|---|\n")
	for _, c := range readClauses(t) {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c[0], c[1], escape(c[2]))
	}
	fmt.Fprintf(&b, "\n## Appendix: mutation test\n\n"+
		"A test breaks one requirement at a time in correct databases. Of %d such mutants of\n"+
		"generated databases, the rule of the requirement reports %d. Each rule of level error or\n"+
		"warning has a mutation, except %s.\n",
		mutantsMade, mutantsCaught, strings.Join(slices.Sorted(maps.Keys(noMutation)), " and "))
	return b.String()
}

const rulesIntroduction = `
- An error breaks a *shall* of the standard, and something is lost, not found, or confused. A warning breaks a *shall*
  without such an effect, or a *should*. Any other useful observation is a note. If real files never comply, the level
  is lower.
- An ID is never reused for another rule. ` + "`webcap explain`" + ` says what became of the rules that are gone.
- A repair is what ` + "`webcap rewrite`" + ` does. An audit never changes a file.
- No rule is about encryption. webcap decrypts strings and streams before it checks them (ISO 32000-2:2020, 7.6).
- Most rules have two examples: a small document that breaks the rule, with the finding, and one that barely keeps it.
  A line that begins with a word, such as ` + "`names:`" + `, is an entry of the catalog. The lines before the blank line differ
  between the two examples. The cases in ` + "`testdata/audit`" + ` are further examples.
`

// pageOf returns the link from docs/rules.md to the page of a rule.
func pageOf(r *rule.Rule) string { return "rules/" + r.Group().Page() + "#" + r.ID }

// groupPage returns the page of a group of rules.
func groupPage(g rule.Group, examples map[string]Examples) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %sxx: %s\n\nFor people who have a finding whose ID begins with %s: what it means, why it matters, and "+
		"what a repair does.\n%s\nAll rules: [index](../rules.md).\n", g.Prefix, g.Title, g.Prefix, generatedPage)
	for _, r := range Rules() {
		if r.Group() != g {
			continue
		}
		fmt.Fprintf(&b, "\n<a id=\"%s\"></a>\n\n## %s · %v\n", r.ID, r.ID, r.Level)
		for _, text := range []string{fmt.Sprintf("**%s.** Rule: %s (%s)", r.Problem, r.Title, r.Clause), r.Doc,
			"Repair: " + r.Remedy()} {
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
	return b.String()
}

// fresh compares a page with the text that the rules give, and writes it with -update.
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
		t.Errorf("%s differs from the rules; run the test with -update", path)
	}
}

// TestRepairsAreDocumented keeps docs/repairs.md up to date with the evidence of the rules.
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
			e := r.Basis
			if has := e.Wrong != "" && e.Right != ""; has != (r.Action != 0) {
				t.Errorf("%s has the action %v and the evidence %+v", r.ID, r.Action, e)
			}
			if r.Action != 0 {
				fmt.Fprintf(&rows, "| [%s](%s) %s | %s | %s | %s |\n", r.ID, pageOf(r), r.Problem,
					e.Wrong, e.Right, cmp.Or(e.Otherwise, "–"))
			}
		}
		if rows.Len() > 0 {
			fmt.Fprintf(&b, "\n## %sxx: %s\n\n| rule | what is wrong | the right value follows from | otherwise |\n"+
				"|---|---|---|---|\n%s", g.Prefix, g.Title, rows.String())
		}
	}
	fresh(t, path, b.String())
}

const repairsIntroduction = `# What webcap repairs

For people who ask why ` + "`webcap rewrite`" + ` changes a value or keeps it.
` + "`go test ./webcapture/audit -run Repairs -update`" + ` writes this page from the rules; do not edit it.

**A valid value is never replaced.** A value changes only if it is broken by itself, and exactly one right value follows.

A value is broken by itself if its own bytes, or its absence, violate the standard. Examples are a key that is not a
string, a URL key that is not canonical, an IDS key that does not have 16 bytes, wrong Limits, null, and a reference to
nothing. A URL key with bytes that are not ASCII is not broken: nothing in the file tells what the bytes mean. Such a
key is reported (WC201, WC221) and stays, even if it is the URL of its content set in UTF-8. Only a byte order mark
shows that a URL key is text (WC215).

The right value follows in four ways:

- **From the value itself**: the canonical URL, the sorted tree, the Limits of its keys.
- **From a known encoding**: a tool took the ID for text, and its key is that text in UTF-8, UTF-16, PDFDocEncoding,
  with escapes, or in hexadecimal. webcap encodes the ID of the content set and compares the result with the key. It also
  compares the names in links and outline items with the keys of Dests, and changes the keys. It never does so with URLs.
- **From the content set**: its ID or its URL becomes its key, if the key is missing, empty, relative, of the wrong
  length, with a byte order mark, or not a string. A key is missing if no key of the tree leads to the set: a set under
  a wrong key gets no second one. No other set of its kind (page set, image set) may have the same ID or one of its
  members. A set of unknown kind gets keys, too. For the ID, neither the members of the set nor the MD5 of its image may
  contradict it.
- **From data**: the ID of a content set that is absent or does not have 16 bytes becomes the MD5 of its image, if the
  data are stored as fetched: the only filter of the image is DCTDecode (JPEG) or JPXDecode (JPEG 2000). The image or a
  key of IDS must have this value.

**Two valid values that contradict each other stay.** The finding shows both, and what would decide: an original
(` + "`--from`" + `), or your choice (` + "`--prefer keys`, `--prefer sets`, `--prefer data`" + `). The plan marks steps that
rest on your choice. ` + "`--prefer keys`" + ` changes URLs, but no ID of a content set. ` + "`--prefer data`" + ` makes the MD5 of an image the ID
of its set, of the image, and of the key; the recorded MD5 of the fetched file is given up. Sources (` + "`webcap audit --source`" + `) verify and never decide: a later
capture proves nothing about an earlier one.

**A dead element of O is removed**, and no other page takes its place. Dead is a null (WC408), or a reference to an
object that is null or missing (WC409). There are two exceptions. A page outside the page tree, or an image that no
page shows, is replaced by its copy: the only page or image in use that has the same ID and the same data, and is in no
O. And if nothing that O lists is left, or O is empty, O gets the pages or images that carry the ID and are in no O, in
page order. For images, R must allow this: see WC522. Dead elements go even if nothing fills O, and their counts in R go
with them; only if R has another length than O, both stay. If O gets an image back, its count stays. An empty O is then
reported as WC407.

With ` + "`--from`" + `, an original fills what is absent or broken, and decides such contradictions; see
[rewrite](rewrite.md). It never replaces a value that is valid and that nothing in the file contradicts.

Four more things follow. A key never becomes the URL or ID of a content set, also where the set has none; for URLs,
` + "`--prefer keys`" + ` asks for it. webcap adds no ID to a page or image (WC509), and corrects none there
(WC521), because names may depend on it. It never recounts R (WC510): what Acrobat counted is not known. And a repair
may end several findings: the plan then lists each of them. A tree or value that is stored directly becomes an object of
its own when it is written.

The tables list, for each rule with a repair, what is wrong, what the right value follows from, and what stays. A rule
that they do not list has no repair.
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

// readClauses returns the rows of testdata/clauses.tsv, which a person has compared with the standard: the ID of a
// rule, its clause, and what the clause says.
func readClauses(t *testing.T) [][]string {
	t.Helper()
	return webcapturetest.Rows(t, "../../testdata/clauses.tsv")
}

// TestClauses: the table of clauses has each rule with its clause, in order.
func TestClauses(t *testing.T) {
	rows, list := readClauses(t), Rules()
	if len(rows) != len(list) {
		t.Fatalf("the table has %d rows for %d rules", len(rows), len(list))
	}
	for i, r := range list {
		if row := rows[i]; row[0] != r.ID || row[1] != r.Clause || row[2] == "" {
			t.Errorf("%s has the clause %q; its row is %q", r.ID, r.Clause, row)
		}
		if r.Clause == "webcap" && r.Level > rule.Note {
			t.Errorf("%s has no clause, so it is a note at most", r.ID)
		}
	}
}

// TestRulesCoverInvariants makes sure that nothing on the list of invariants is
// left out, and that no rule is.
func TestRulesCoverInvariants(t *testing.T) {
	last, covered := 0, map[string]bool{}
	for _, v := range readInvariants(t) {
		number, err := strconv.Atoi(v.number)
		switch {
		case v.number == "-":
			if len(v.ids()) == 0 {
				t.Errorf("%q has neither number nor rules", v.what)
			}
		case err != nil || number <= last: // numbers of invariants without a rule are not used again
			t.Errorf("%q has the number %s after %d", v.what, v.number, last)
		default:
			last = number
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
	for _, r := range Rules() {
		if !covered[r.ID] {
			t.Errorf("%s is in no line of testdata/invariants.tsv: %s", r.ID, r.Title)
		}
	}
}
