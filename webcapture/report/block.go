package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
)

// Groups are the findings of one file by rule, the rule that weighs most first: see [ByWeight].
type Groups []*group

// A group holds the findings of one rule in one file.
type group struct {
	rule       *rule.Rule
	found      int // findings
	omitted    int // more of them, which are only counted
	repairable int // of those found
	examples   []rule.Finding
}

// GroupsOf groups the findings of a report, with at most some examples of each rule.
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

// keys returns how many keys the tree has that the findings are about; 0 if they are not
// about one key each.
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

// headline says what is wrong, how often, and where that comes from.
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

// Verdict says in one line what became of a file whose keys a tool has damaged; empty if
// none has.
func (g Groups) Verdict(rep *audit.Report) string {
	for _, b := range g {
		n, keys := b.found+b.omitted, b.keys(rep)
		if b.rule.Cause == "" || keys < n || b.examples[0].Fix == nil || b.examples[0].Fix.Action != rule.ChangeKey {
			continue
		}
		how := fmt.Sprintf("%d of %d", n, keys)
		what, use := "identifiers", "that viewers use to recognize captured pages and images"
		if b.examples[0].Place.Tree == "URLS" {
			what, use = "URLs", "by which viewers find captured pages and images"
		}
		switch {
		case keys == 1:
			how, what = "the only", strings.TrimSuffix(what, "s")
		case keys == n:
			how = fmt.Sprintf("all %d", n)
		}
		left := "all can be repaired"
		if b.repairable != n {
			left = fmt.Sprintf("%d can be repaired", b.repairable)
		}
		return "Rewritten by a tool that damaged " + how + " " + what + ", " + use + "; " + left + "."
	}
	return ""
}

// Cause says which tool has damaged a file, and what it did; empty if that is not known.
func (g Groups) Cause() string {
	for _, b := range g {
		if b.rule.Cause != "" && b.repairable > 0 {
			return b.rule.Problem + ", " + b.rule.Cause
		}
	}
	return ""
}

// example returns a row about a finding: what it is about, as people know it, or else where
// it is, as people count. The exact place stands there on request, and so does a message of
// which the cause is known.
func (o *Options) example(rep *audit.Report, f *rule.Finding) layout.Row {
	row := layout.Row{Place: f.Place.String(), Text: o.shown(f.Message)}
	about := rep.Subjects[row.Place]
	switch {
	case about == "" && !o.Verbose:
		row.Place = cmp.Or(rep.Positions[row.Place], row.Place)
	case about == "":
	case o.Verbose:
		row.Text = about + ": " + row.Text
	case f.Rule.Cause != "": // the headline says as much as the message, in words
		row.Place, row.Text = about, ""
	default:
		row.Place = about
	}
	return row
}

// why says in one sentence why not all that was found can be repaired, or how it can be on
// request; empty if there is nothing to say.
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
	return fmt.Sprintf("%d of %d not repaired: nothing in the file tells what would be right.", left, b.found)
}

// more says how many findings are not among the examples, and how to see them; empty if
// all are.
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

// examples returns how many findings of a rule are shown.
func (o *Options) examples() int {
	if o.Verbose {
		return maxShown
	}
	return SomeShown
}

// A long string in hexadecimal, of which the beginning and the end tell enough to know it
// by.
var longHex = regexp.MustCompile(`<([0-9a-f]{8})[0-9a-f]{8,}([0-9a-f]{4})>`)

// shown returns a message as a table shows it: with short keys, unless more is asked for.
func (o *Options) shown(message string) string {
	if o.Verbose || o.Width == 0 {
		return message
	}
	return longHex.ReplaceAllString(message, "<$1…$2>")
}

// NextStep says how much of what was found can be repaired, and by which command; both are
// empty if nothing can. The folder is that of Options.
func (g Groups) NextStep(path, folder string) (what, command string) {
	found, repairable := 0, 0
	for _, b := range g {
		found += b.found + b.omitted
		repairable += b.repairable
	}
	if repairable == 0 {
		return "", ""
	}
	return canBeRepaired(repairable, found) + ":", rewriteCommand(path, "", folder)
}

// canBeRepaired says that so many of all findings can be repaired.
func canBeRepaired(repairable, found int) string {
	which := fmt.Sprintf("%d of %d", repairable, found)
	switch {
	case found == 1:
		which = "This"
	case repairable == found:
		which = fmt.Sprintf("All %d", found)
	}
	return which + " can be repaired"
}

// RewriteCommand returns the command line that repairs a file, with what its original has if
// that is not empty. It names no file that a command line cannot name as it is printed.
func RewriteCommand(path, original string) string { return rewriteCommand(path, original, "") }

// rewriteCommand is RewriteCommand for a file of a folder that is audited: the new file is not in the folder, or the
// next audit would count both.
func rewriteCommand(path, original, folder string) string {
	if path == "-" || original == "-" || path+original != layout.Printable(path+original) {
		if original == "" {
			return "webcap rewrite FILE -o REPAIRED"
		}
		return "webcap rewrite --from ORIGINAL FILE -o REPAIRED"
	}
	from := ""
	if original != "" {
		from = "--from " + shellWord(original) + " "
	}
	return fmt.Sprintf("webcap rewrite %s%s -o %s", from, shellWord(path), shellWord(repairedPath(path, folder)))
}

// repairedPath returns a path outside of the folder, or, if that is empty, a path next to a file, or next to the archive
// that the file is in. Different files get different paths. The file of an object store gets one in the working directory.
func repairedPath(path, folder string) string {
	below, inside := strings.CutPrefix(path, strings.TrimPrefix(folder, "./"))
	if inside = inside && folder != ""; inside {
		path = outside(folder) + below
	}
	if _, object, ok := strings.Cut(path, "://"); ok {
		path = strings.ReplaceAll(object, "/", "-")
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

// outside returns a folder for the repaired files of a folder that is not in it. Both end in a slash.
func outside(folder string) string {
	name := strings.TrimRight(folder, `/\`)
	switch to := "repaired/"; {
	case name == "." || name == "":
		return "../" + to
	case strings.HasSuffix(name, ".."):
		return name + "/../" + to
	case strings.HasPrefix(name, "/") || strings.HasPrefix(name, "..") || strings.HasPrefix(folder, to):
		return name + ".repaired/"
	default:
		return to
	}
}

// RepairFolder collects the files that can be repaired, for one command that repairs them all.
type RepairFolder struct {
	files  int
	path   string // of the only file
	folder string // of all files, with a slash at its end; "" for the working directory
}

// Add adds a file. Files in archives and stores do not count: they are repaired one by one.
func (f *RepairFolder) Add(path string) {
	if path == "-" || strings.Contains(path, "!") || strings.Contains(path, "://") || path != layout.Printable(path) {
		return
	}
	folder := path[:strings.LastIndexAny(path, `/\`)+1]
	if f.files++; f.files == 1 {
		f.path, f.folder = path, folder
		return
	}
	for !strings.HasPrefix(folder, f.folder) {
		f.folder = f.folder[:strings.LastIndexAny(f.folder[:len(f.folder)-1], `/\`)+1]
	}
}

// Command returns the command line that repairs all files. The folder is that of Options.
func (f *RepairFolder) Command(folder string) string {
	all := cmp.Or(folder, f.folder, "./")
	switch {
	case f.files == 0:
		return "webcap rewrite FILE -o REPAIRED"
	case f.files == 1:
		return rewriteCommand(f.path, "", folder)
	case all == "./":
		return "webcap rewrite . -o ../repaired/"
	}
	return fmt.Sprintf("webcap rewrite %s -o %s", shellWord(all), shellWord(outside(all)))
}

// repairCommand returns what repairs the findings of a rule; empty if nothing does.
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

// CommandLine returns the command line of webcap with these arguments.
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

// plainWord matches what a shell takes as it is.
var plainWord = regexp.MustCompile(`^[\pL\pN_./:@%+=,][\pL\pN_./:@%+=,-]*$`)

// shellWord returns a printable path as a word of a command line (POSIX.1-2017, XCU 2.2.2).
func shellWord(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	if plainWord.MatchString(path) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
