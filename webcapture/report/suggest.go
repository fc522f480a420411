package report

import (
	"cmp"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// NextStep returns a phrase and the command that repairs a file. Both are empty if no finding has a fix. Only a plan
// tells how many findings a rewrite repairs. If a tool has dropped the content database, the command restores it.
func (g Groups) NextStep(rep *audit.Report, path string, o *Options) (what, command string) {
	switch {
	case rep != nil && isUnwritable(rep):
		return "", ""
	case rep != nil && LostDatabase(rep):
		return "To restore, with the file before the tool:", rewriteCommand(rep, path, "ORIGINAL", o)
	case !slices.ContainsFunc(g, func(b *Group) bool { return b.repairable > 0 }):
		return "", ""
	}
	return showsRepairs, rewriteCommand(rep, path, "", o)
}

// LostDatabase reports whether a file has only traces of a content database, which only an original restores.
func LostDatabase(rep *audit.Report) bool {
	if rep.HasURLS || rep.HasIDS {
		return false
	}
	for i := range rep.Findings {
		if rep.Findings[i].Rule.Action == rule.BuildIDS {
			return true
		}
	}
	return false
}

// isUnwritable reports whether a rewrite cannot write the file: no update can be appended to it, and a new file would
// lose objects.
func isUnwritable(rep *audit.Report) bool { return rep.FullOnly && len(rep.Unread) > 0 }

// showsRepairs precedes a command that repairs files.
const showsRepairs = "To repair:"

// RewriteCommand returns the command line that repairs a file. If original or passwordFile are not empty, it names
// them. Placeholders replace names that cannot appear literally in a command line.
func RewriteCommand(path, original, passwordFile string) string {
	encrypted := &audit.Report{}
	encrypted.Encrypted = true
	return rewriteCommand(encrypted, path, original, &Options{PasswordFile: passwordFile})
}

// KeysCommand returns the command line that writes a page about the keys of a file. A placeholder replaces a name that
// cannot appear literally in a command line.
func KeysCommand(path string) string {
	if path == "-" || path != layout.Printable(path) {
		return "webcap keys FILE -f html > keys.html"
	}
	return "webcap keys " + shellWord(path) + " -f html > keys.html"
}

// rewriteCommand returns the command line like RewriteCommand. It has the options that a rewrite of the file needs,
// according to its report; nil if the report is unknown. For a file in an audited folder, the new file is outside the
// folder: otherwise the next audit would include both files.
func rewriteCommand(rep *audit.Report, path, original string, o *Options) string {
	rewrite := "webcap rewrite "
	if rep != nil && rep.Encrypted {
		rewrite += o.passwords()
	}
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
	return fmt.Sprintf("%s%s%s -o %s", rewrite, from, shellWord(path), shellWord(repairedPath(path, o.Folder)))
}

// passwords returns the option for passwords in a suggested command, with a blank at its end; "" if there is none.
// Passwords on standard input cannot be repeated.
func (o *Options) passwords() string {
	if o.PasswordFile == "" || o.PasswordFile == "-" || o.PasswordFile != layout.Printable(o.PasswordFile) {
		return ""
	}
	return "--password-file " + shellWord(o.PasswordFile) + " "
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

// outside returns a folder for repaired files that is not in an audited folder. Both end with a slash.
func outside(folder string) string {
	switch base := path.Base(folder); {
	case base == "." || base == "..":
		return path.Join(folder, "..", RepairedFolder) + "/"
	case strings.HasPrefix(folder, RepairedFolder):
		return path.Join(folder) + ".repaired/"
	}
	return RepairedFolder
}

// repairFolder collects repairable files, for one command that repairs them all.
type repairFolder struct {
	paths     []string      // of the first files
	report    *audit.Report // report of the first file
	folder    string        // folder of all files, with a slash at its end; "" for the working directory
	encrypted bool          // one of the files is encrypted
}

// maxPaths is the maximum number of paths in a command.
const maxPaths = 5

// RepairedFolder is the folder for repaired files in the command for several inputs.
const RepairedFolder = "repaired/"

// Add adds a file. It ignores standard input, URLs, unprintable paths, and files in archives, which must be repaired
// one by one.
func (f *repairFolder) Add(path string, rep *audit.Report) {
	if path == "-" || strings.Contains(path, "!") || strings.Contains(path, "://") || path != layout.Printable(path) {
		return
	}
	folder := path[:strings.LastIndexAny(path, `/\`)+1]
	f.encrypted = f.encrypted || rep != nil && rep.Encrypted
	if f.paths == nil {
		f.report, f.folder = rep, folder
	}
	if len(f.paths) <= maxPaths {
		f.paths = append(f.paths, path)
	}
	for !strings.HasPrefix(folder, f.folder) {
		f.folder = f.folder[:strings.LastIndexAny(f.folder[:len(f.folder)-1], `/\`)+1]
	}
}

// Command returns the command line that repairs all files. It names the lists or patterns of the run, or else the files
// if there are few, or else the folder of all files. It returns "" without files.
func (f *repairFolder) Command(o *Options) string {
	switch len(f.paths) {
	case 0:
		return ""
	case 1:
		return rewriteCommand(f.report, f.paths[0], "", o)
	}
	rewrite := "webcap rewrite "
	if f.encrypted {
		rewrite += o.passwords()
	}
	inputs := o.Inputs
	if len(inputs) == 0 && o.Folder == "" && f.areFew() {
		inputs = f.paths
	}
	if len(inputs) > 0 {
		return rewrite + words(inputs) + " -o " + RepairedFolder
	}
	folder := cmp.Or(o.Folder, f.folder, "./")
	return rewrite + shellWord(folder) + " -o " + shellWord(outside(folder))
}

// areFew reports whether a command can name the files, and write new files with their names into one folder.
func (f *repairFolder) areFew() bool {
	names := map[string]bool{}
	for _, path := range f.paths {
		names[strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:])] = true
	}
	return len(f.paths) <= maxPaths && len(names) == len(f.paths)
}

// CommandLine returns a command line of webcap with these arguments.
func CommandLine(args []string) string {
	return strings.TrimSuffix("webcap "+words(args), " ")
}

// words returns the words of a command line. Options need no quotes.
func words(list []string) string {
	var quoted []string
	for _, a := range list {
		if a = layout.Printable(a); !strings.HasPrefix(a, "-") {
			a = shellWord(a)
		}
		quoted = append(quoted, a)
	}
	return strings.Join(quoted, " ")
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
