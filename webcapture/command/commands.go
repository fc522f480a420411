package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"
)

// listedCommand is a command with its entries in help, completion, the manual page, and hints.
type listedCommand struct {
	new      func(*program) *cli.Command
	examples [][2]string // for the help of webcap itself: arguments, and what comes of them

	// words are what an argument may become, given the number of arguments before it;
	// nil for a command whose arguments are files, or that has none.
	words func(before int) []word
}

// commands are all commands, in the order in which they are listed for people.
func commands() []listedCommand {
	return []listedCommand{
		{new: (*program).audit, examples: [][2]string{
			{"audit site.pdf", "what is wrong with a file"},
			{"audit archive/", "the same for all PDF files in a folder and below"},
		}},
		{new: (*program).report, examples: [][2]string{{"report results",
			"the results of an audit in another format"}}},
		{new: (*program).merge, examples: [][2]string{{"merge part-*", "the results of the parts of one audit"}}},
		{new: (*program).worker},
		{new: (*program).clusterRun},
		{new: (*program).clusterServe},
		{new: (*program).clusterSubmit},
		{new: (*program).clusterWork},
		{new: (*program).clusterStatus},
		{new: (*program).clusterResults},
		{new: (*program).clusterCancel},
		{new: (*program).clusterPurge},
		{new: (*program).rewrite, examples: [][2]string{{"rewrite site.pdf",
			"how it would be repaired; -o FILE does it"}}},
		{new: (*program).diff, examples: [][2]string{{"diff a.pdf b.pdf",
			"what one database has and the other has not"}}},
		{new: (*program).list, examples: [][2]string{{"list site.pdf", "what the database of a file holds"}}},
		{new: (*program).explain, words: func(int) []word { return rules() },
			examples: [][2]string{{"explain WC302", "what a rule demands, and why"}}},
		{new: (*program).canon, examples: [][2]string{{"canon http://H/", "the form of a URL in which it is a key"}}},
		{new: (*program).digest, examples: [][2]string{{"digest a.gif", "the digital identifier of a file"}}},
		{new: (*program).sourceList, words: func(int) []word { return sourceKinds() },
			examples: [][2]string{{"source list a.warc", "what a source has, of which URLs"}}},
		{new: (*program).sourceStats, words: func(int) []word { return sourceKinds() }},
		{new: (*program).name, words: nameActions,
			examples: [][2]string{{"name find a.pdf", "the names that were made unique with identifiers"}}},
		{new: (*program).config},
		{new: (*program).completion, words: func(int) []word { return plain(shellNames()...) }},
		{new: (*program).man},
		{new: (*program).printVersion},
	}
}

// commandExamples returns the examples of all commands, below each other.
func commandExamples() string {
	var b strings.Builder
	for _, c := range commands() {
		for _, e := range c.examples {
			b.WriteString("  webcap " + pad(e[0], len("source list a.warc")) + "   " + e[1] + "\n")
		}
	}
	return b.String()
}

// app returns the application. Help and version are flags of its own: those of
// urfave/cli are variables that all applications of a process share and change.
func (p *program) app() *cli.App {
	description := `A PDF that was made from web pages may carry a content database: two name
trees, URLS and IDS, that say from which URL and with which digital
identifier each page and image was captured (ISO 32000-2, 14.10). webcap
recomputes every key, and checks the trees and the content sets against the
standard: "webcap explain" lists the rules.

` + commandExamples() + "\n"
	app := &cli.App{
		Name:        "webcap",
		Usage:       "audits and repairs the Web Capture content database of PDF files",
		UsageText:   "webcap COMMAND [OPTIONS] [ARGUMENTS]",
		Description: description + exitCodes(),
		Flags: []cli.Flag{
			helpFlag(),
			switchFlag("version", "print the version and exit", "v"),
		},
		Action: func(c *cli.Context) error {
			switch {
			case c.Bool("version"):
				return p.sayVersion()
			case len(groupWords(c.App, c.Args().First())) > 0:
				return p.group(c.App, c.Args().Slice())
			case c.Args().Present():
				return unknownCommand(c.Args().First(), commandNames(c.App))
			}
			fmt.Fprint(p.stderr, commandExamples()+"\n")
			return usagef("", "no command given")
		},
		HideHelp:    true,
		HideVersion: true,
		Writer:      p.stdout,
		ErrWriter:   p.stderr,
		Reader:      p.stdin,
		// Without this, urfave/cli ends the process for some errors.
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError:   func(_ *cli.Context, err error, _ bool) error { return usagef("", "%v", err) },
	}
	for _, listed := range commands() {
		c := listed.new(p)
		c.Flags = append(c.Flags, helpFlag())
		c.HideHelp = true
		c.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return usagef(c.Name, "%v", err) }
		app.Commands = append(app.Commands, c)
	}
	return app
}

// groups say what the commands of a group are for.
var groups = map[string]string{
	"cluster": "audit through a queue, on one machine or on many",
	"source":  "what WARC files and other sources keep",
}

// groupWords returns the second words of the commands of a group, such as cluster.
func groupWords(app *cli.App, group string) (list []word) {
	for _, w := range commandWords(app) {
		if second, ok := strings.CutPrefix(w.text, group+" "); ok {
			list = append(list, word{second, w.doc})
		}
	}
	return list
}

// group prints the help of a group, or returns an error if a word after its name is not one of its commands.
func (p *program) group(app *cli.App, args []string) error {
	words := groupWords(app, args[0])
	if len(args) == 1 || isHelp(args[1]) {
		fmt.Fprintf(p.stdout, "NAME:\n   webcap %s - %s\n\nUSAGE:\n   webcap %s COMMAND [OPTIONS] [ARGUMENTS]\n\nCOMMANDS:\n",
			args[0], groups[args[0]], args[0])
		for _, w := range words {
			p.stdout.WriteString("   " + pad(w.text, len("completion")) + "  " + w.doc + "\n")
		}
		fmt.Fprintf(p.stdout, "\nwebcap %s COMMAND --help says more.\n", args[0])
		return nil
	}
	var names []string
	for _, w := range words {
		names = append(names, w.text)
	}
	return usagef("", "unknown command %q%s", args[0]+" "+args[1], didYouMean(args[1], args[0]+" ", names))
}

// synonyms are words that other programs have for commands.
var synonyms = map[string]string{
	"check": "audit", "validate": "audit", "verify": "audit", "lint": "audit", "scan": "audit",
	"ls": "list", "show": "list", "inventory": "list",
	"search": "name find", "find": "name find", "lookup": "name find",
	"repair": "rewrite", "fix": "rewrite", "restore": "rewrite",
	"compare": "diff", "hash": "digest", "md5": "digest", "normalize": "canon", "canonicalize": "canon",
}

// unknownCommand returns the error of a word that is not a command, with what may have been
// meant: a file is something to audit.
func unknownCommand(word string, commands []string) error {
	_, err := os.Stat(word)
	if err == nil || strings.EqualFold(filepath.Ext(word), ".pdf") {
		return usagef("", "unknown command %q, did you mean webcap audit %s?", word, word)
	}
	if meant, ok := synonyms[strings.ToLower(word)]; ok {
		return usagef("", "unknown command %q, did you mean %s?", word, meant)
	}
	return usagef("", "unknown command %q%s", word, didYouMean(word, "", commands))
}

func helpFlag() cli.Flag {
	// urfave/cli answers to it, by its name.
	return switchFlag("help", "print this help and exit", "h")
}
