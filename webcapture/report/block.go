package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
)

// Groups are the findings of one file, grouped by rule. The most important rule comes first: see [ByWeight].
type Groups []*group

// A group holds the findings of one rule in one file.
type group struct {
	rule       *rule.Rule
	found      int // number of listed findings
	omitted    int // number of further findings, which are only counted
	repairable int // number of repairable findings among found
	examples   []rule.Finding
}

// GroupsOf groups the findings of a report by rule, with at most some examples for each rule.
func GroupsOf(rep *audit.Report, some int) Groups {
	of := make(map[*rule.Rule]*group)
	var groups Groups
	for i := range rep.Findings.Len() {
		rule := rep.Findings.Rule(i)
		b := of[rule]
		if b == nil {
			b = &group{rule: rule}
			of[rule] = b
			groups = append(groups, b)
		}
		b.found++
		if rep.Findings.Repairable(i) {
			b.repairable++
		}
		if len(b.examples) < some {
			b.examples = append(b.examples, rep.Findings.At(i))
		}
	}
	for _, o := range rep.Omitted {
		if b := of[o.Rule]; b != nil {
			b.omitted = o.Count
		}
	}
	slices.SortFunc(groups, func(a, b *group) int {
		return ByWeight(a.rule, b.rule, a.found+a.omitted,
			b.found+b.omitted)
	})
	return groups
}

// keys returns the number of keys in the tree, if each example is about a key of the same tree; otherwise 0.
func (b *group) keys(rep *audit.Report) int {
	tree, seen := "", make(map[int]bool)
	for _, f := range b.examples {
		p := f.Place
		if p.Node == nil || p.Node.Kid || p.Node.Index < 0 || seen[p.Node.Index] && p.Node.Ref.Num == 0 ||
			tree != "" && tree != p.Tree {
			return 0
		}
		tree = p.Tree
		seen[p.Node.Index] = true
	}
	return map[string]int{"URLS": rep.URLS, "IDS": rep.IDS}[tree]
}

// headline describes the problem, its usual cause, and the number of findings.
func (b *group) headline(rep *audit.Report) string {
	s := b.rule.Problem
	if b.rule.Cause != "" {
		s += ", " + b.rule.Cause
	}
	n := b.found + b.omitted
	if keys := b.keys(rep); n > 1 && keys >= n {
		s += fmt.Sprintf(": %d of %d", n, keys)
	} else if n > 1 {
		s += fmt.Sprintf(": %d times", n)
	}
	return s
}

// Verdict describes in one line the keys that a tool has damaged. It is empty for other files.
func (g Groups) Verdict(rep *audit.Report) string {
	for _, b := range g {
		n, keys := b.found+b.omitted, b.keys(rep)
		if b.rule.Cause == "" || keys < n || b.examples[0].Fix == nil || b.examples[0].Fix.Action != rule.ChangeKey {
			continue
		}
		how := fmt.Sprintf("%d of %d", n, keys)
		what := "keys"
		switch {
		case keys == 1:
			how, what = "the only", "key"
		case keys == n:
			how = fmt.Sprintf("all %d", n)
		}
		return fmt.Sprintf("A tool that rewrote this file damaged %s %s of %s, by which viewers find captured pages and "+
			"images.", how, what, b.examples[0].Place.Tree)
	}
	return ""
}

// Cause names the tool that damaged a file, and the damage; empty if unknown.
func (g Groups) Cause() string {
	for _, b := range g {
		if b.rule.Cause != "" && b.repairable > 0 {
			return b.rule.Problem + ", " + b.rule.Cause
		}
	}
	return ""
}

// example returns a row about a finding: its object in words, or else the number of its position. With -v, the row has
// the exact place. Without -v, a row with an object in words lacks the message if the headline has the cause.
func (o *Options) example(rep *audit.Report, f *rule.Finding) layout.Row {
	row := layout.Row{Place: f.Place.String(), Text: o.shown(f.Message)}
	about := rep.Subjects[row.Place]
	switch {
	case about == "" && !o.Verbose:
		row.Place = cmp.Or(rep.Positions[row.Place], row.Place)
	case about == "":
	case o.Verbose:
		row.Text = about + ": " + row.Text
	case f.Rule.Cause != "": // the headline already has the cause
		row.Place, row.Text = about, ""
	default:
		row.Place = about
	}
	return row
}

// why explains in one sentence why some findings are not repaired, or how to request their repair. It is empty if
// all are repaired.
func (b *group) why() string {
	left := b.found - b.repairable
	reason, never := strings.CutPrefix(b.rule.Repair, "None")
	switch {
	case left == 0 || b.rule.Repair == "":
		return ""
	case reason == ".":
		return "Not repaired: no repair is known."
	case never:
		return "Not repaired" + reason
	case b.rule.OnRequest:
		return b.rule.Remedy()
	}
	if left < b.found {
		return "Some are not repaired: the file does not show what is right."
	}
	return "Not repaired: the file does not show what is right."
}

// more returns the number of findings without an example, and how to list them. It is empty if there are none.
func (b *group) more(o Options) string {
	left := b.found + b.omitted - len(b.examples)
	switch {
	case left == 0:
		return ""
	case b.omitted > 0:
		return fmt.Sprintf("… and %d more; --format json lists the first %d", left, b.found)
	case o.Verbose:
		return phrase.MoreOf(left)
	}
	return fmt.Sprintf("… and %d more; -v lists more, --format json all", left)
}

// examples returns the number of findings of a rule to show.
func (o *Options) examples() int {
	if o.Verbose {
		return maxShown
	}
	return SomeShown
}

// longHex matches a long hexadecimal string. Its beginning and end are enough to recognize it.
var longHex = regexp.MustCompile(`<([0-9a-f]{8})[0-9a-f]{8,}([0-9a-f]{4})>`)

// shown returns a message for a table. It shortens long keys, unless more details are requested or lines are
// unlimited.
func (o *Options) shown(message string) string {
	if o.Verbose || o.Width == 0 {
		return message
	}
	return longHex.ReplaceAllString(message, "<$1…$2>")
}

// NextStep returns a phrase and the command that repairs a file. Both are empty if no finding has a fix. folder is
// Options.Folder. Only a plan tells how many findings a rewrite repairs.
func (g Groups) NextStep(rep *audit.Report, path, folder string) (what, command string) {
	if !slices.ContainsFunc(g, func(b *group) bool { return b.repairable > 0 }) {
		return "", ""
	}
	return showsRepairs, rewriteCommand(rep, path, "", folder)
}

// showsRepairs precedes a command that repairs files.
const showsRepairs = "To repair:"

// RewriteCommand returns the command line that repairs a file. If original is not empty, it names the original,
// too. Placeholders replace names that cannot appear literally in a command line.
func RewriteCommand(path, original string) string { return rewriteCommand(nil, path, original, "") }

// ListCommand returns the command line that writes a page with the captures of a file. Placeholders replace names that
// cannot appear literally in a command line.
func ListCommand(path string) string {
	if path == "-" || path != layout.Printable(path) {
		return "webcap list FILE -f html > captures.html"
	}
	return "webcap list " + shellWord(path) + " -f html > captures.html"
}

// rewriteCommand returns the command line like RewriteCommand. It has the options that a rewrite of the file needs,
// according to its report; nil if the report is unknown. For a file in an audited folder, the new file is outside the
// folder: otherwise the next audit would include both files.
func rewriteCommand(rep *audit.Report, path, original, folder string) string {
	rewrite := "webcap rewrite "
	if rep != nil && rep.Restricted {
		rewrite += "--break-signatures "
	}
	if rep != nil && rep.FullOnly {
		rewrite += "--full "
	}
	if path == "-" || original == "-" || path+original != layout.Printable(path+original) {
		if original == "" {
			return rewrite + "FILE -o REPAIRED"
		}
		return rewrite + "--from ORIGINAL FILE -o REPAIRED"
	}
	from := ""
	if original != "" {
		from = "--from " + shellWord(original) + " "
	}
	return fmt.Sprintf("%s%s%s -o %s", rewrite, from, shellWord(path), shellWord(repairedPath(path, folder)))
}

// repairedPath returns a path for the repaired file. It is outside folder if the file is in it; otherwise it is
// next to the file or its archive. For a member that is named by its URL, it is in the working directory. Names of
// members that differ only in separators get the same path.
func repairedPath(path, folder string) string {
	below, inside := strings.CutPrefix(path, strings.TrimPrefix(folder, "./"))
	if inside = inside && folder != ""; inside {
		path = outside(folder) + below
	}
	if _, address, ok := strings.Cut(path, "://"); ok {
		path = strings.ReplaceAll(address, "/", "-")
	}
	if archive, member, ok := strings.Cut(path, "!"); ok {
		path = archive + "." + strings.NewReplacer("/", "-", `\`, "-", "!", "-").Replace(member)
	}
	if inside {
		return path
	}
	if name, ok := strings.CutSuffix(path, ".pdf"); ok {
		return name + ".repaired.pdf"
	}
	return path + ".repaired"
}

// outside returns a folder for repaired files that is not in folder. Both end in the same separator.
func outside(folder string) string {
	name, slash := strings.TrimRight(folder, `/\`), folder[len(folder)-1:]
	switch to := "repaired" + slash; {
	case name == "." || name == "":
		return ".." + slash + to
	case strings.HasSuffix(name, ".."):
		return name + slash + ".." + slash + to
	case filepath.IsAbs(name) || strings.HasPrefix(name, "..") || strings.HasPrefix(folder, to):
		return name + ".repaired" + slash
	default:
		return to
	}
}

// RepairFolder collects repairable files, for one command that repairs them all.
type RepairFolder struct {
	files  int
	path   string        // path of the only file
	report *audit.Report // its report
	folder string        // folder of all files, with a slash at its end; "" for the working directory
}

// Add adds a file. It ignores standard input, URLs, unprintable paths, and files in archives, which must be repaired
// one by one.
func (f *RepairFolder) Add(path string, rep *audit.Report) {
	if path == "-" || strings.Contains(path, "!") || strings.Contains(path, "://") || path != layout.Printable(path) {
		return
	}
	folder := path[:strings.LastIndexAny(path, `/\`)+1]
	if f.files++; f.files == 1 {
		f.path, f.report, f.folder = path, rep, folder
		return
	}
	for !strings.HasPrefix(folder, f.folder) {
		f.folder = f.folder[:strings.LastIndexAny(f.folder[:len(f.folder)-1], `/\`)+1]
	}
}

// Command returns the command line that repairs all files. folder is Options.Folder.
func (f *RepairFolder) Command(folder string) string {
	all := cmp.Or(folder, f.folder, "./")
	switch {
	case f.files == 0:
		return "webcap rewrite FILE -o REPAIRED"
	case f.files == 1:
		return rewriteCommand(f.report, f.path, "", folder)
	case all == "./":
		return "webcap rewrite . -o ../repaired/"
	}
	return fmt.Sprintf("webcap rewrite %s -o %s", shellWord(all), shellWord(outside(all)))
}

// repairCommand returns the command that repairs the findings of a rule, or "".
func repairCommand(id string) string {
	r, ok := audit.Lookup(id)
	switch {
	case !ok || strings.HasPrefix(r.Repair, "None"):
		return ""
	case r.OnRequest:
		return "webcap rewrite --only " + r.ID + " FILE -o REPAIRED"
	}
	return "webcap rewrite FILE -o REPAIRED"
}

// CommandLine returns a command line of webcap with these arguments.
func CommandLine(args []string) string {
	line := "webcap"
	for _, a := range args {
		if a = layout.Printable(a); !strings.HasPrefix(a, "-") {
			a = shellWord(a)
		}
		line += " " + a
	}
	return line
}

// isPlain reports whether a word needs no quotes: it has only letters, numbers, and the marks, and does not begin with
// one of notFirst.
func isPlain(word, marks, notFirst string) bool {
	return word != "" && !strings.ContainsAny(word[:1], notFirst) && !strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune(marks, r)
	})
}

// singleQuotes doubles the characters that PowerShell treats as a single quote.
var singleQuotes = strings.NewReplacer("'", "''", "‘", "‘‘", "’", "’’", "‚", "‚‚", "‛", "‛‛")

// shellWord quotes a printable path for the shell of the system.
func shellWord(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	if runtime.GOOS == "windows" {
		return windowsWord(path)
	}
	return posixWord(path)
}

// posixWord quotes a word for a shell (POSIX.1-2017, XCU 2.2.2).
func posixWord(word string) string {
	if isPlain(word, "_./:@%+=,-", "-") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// windowsWord quotes a word for both PowerShell and cmd. If no quotes work for both, it quotes for PowerShell.
func windowsWord(word string) string {
	switch {
	case isPlain(word, `_./:\@+=-`, "@+=-"):
		return word
	case strings.ContainsAny(word, "$`\"“”„"): // PowerShell expands these, or treats them as the closing quote
		return "'" + singleQuotes.Replace(word) + "'"
	case strings.HasSuffix(word, `\`): // the program would treat \" as an escaped quote
		word += `\`
	}
	return `"` + word + `"`
}
