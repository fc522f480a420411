package command

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/command/manual"
)

// commands returns all commands, in the order of the help.
func (p *program) commands() []*cli.Command {
	return []*cli.Command{p.audit(), p.rewrite(), p.diff(), p.keep(), p.keys(), p.list(), p.find(), p.export(), p.report(),
		p.explain(), p.canon(), p.digest(), p.sourceList(), p.clusterSubmit(), p.clusterWork(), p.clusterResults(),
		p.clusterStatus(), p.clusterRemove()}
}

// appDescription describes the purpose of the program, with examples.
const appDescription = `A PDF made from web pages may hold a content database (ISO 32000-2, 14.10): the name
trees URLS and IDS find captured pages and images by URL and by digital identifier.
webcap checks this database and repairs it.

  webcap audit site.pdf
  webcap rewrite site.pdf -o repaired.pdf
  webcap explain WC302

Exit codes: 0 clean, 1 findings at or over --fail-on, 2 wrong command line,
3 some input could not be audited, 4 nothing to audit.`

// docsFolder is the folder of the documentation in the repository.
const docsFolder = "docs/"

// details returns the last line of a description, which names a page of the documentation.
func details(page string) string { return "Details: " + docsFolder + page }

// app returns the options and commands of the program.
func (p *program) app() *cli.App {
	app := &cli.App{
		Name:        "webcap",
		Usage:       "Audit and repair the Web Capture content database of PDF files",
		UsageText:   "webcap COMMAND [OPTIONS] [ARGUMENTS]",
		Description: appDescription,
		Flags:       []cli.Flag{helpFlag(), grouped(manual.General, switchFlag("version", "Show the version", "v"))[0]},
		Commands:    p.commands(),
	}
	for _, c := range app.Commands {
		c.Flags = append(c.Flags, helpFlag())
	}
	return app
}

// groups are the summaries of groups of commands.
var groups = map[string]string{
	"cluster": "Audit through a queue, on many machines",
	"source":  "Inspect WARC files and other sources",
}

// wordsOf returns the words of entries.
func wordsOf(list []manual.Entry) []string {
	var words []string
	for _, w := range list {
		words = append(words, w.Word)
	}
	return words
}

// entries returns the commands in a group, without the name of the group. For the group "", they are the commands
// outside groups, and the groups.
func entries(app *cli.App, group string) (list []manual.Entry) {
	for _, c := range app.Commands {
		first, second, inGroup := strings.Cut(c.Name, " ")
		entry := manual.Entry{Word: c.Name, Text: c.Usage}
		switch {
		case group == "" && inGroup:
			entry = manual.Entry{Word: first, Text: groups[first]}
		case group != "" && first == group:
			entry.Word = second
		case group != "":
			continue
		}
		if !slices.Contains(list, entry) {
			list = append(list, entry)
		}
	}
	return list
}

// groupTopic returns the content of the help of a group.
func groupTopic(app *cli.App, group string) *manual.Topic {
	return &manual.Topic{Summary: groups[group], Usage: "webcap " + group + " COMMAND [OPTIONS] [ARGUMENTS]",
		Commands: entries(app, group),
		Note:     fmt.Sprintf("%q shows the options of a command.", "webcap "+group+" COMMAND --help")}
}

// group returns the content of the help of a group. It returns an error if the word after the group's name is not one
// of its commands.
func group(app *cli.App, words []string) (*manual.Topic, error) {
	if len(words) == 1 || isHelp(words[1]) {
		return groupTopic(app, words[0]), nil
	}
	names := wordsOf(entries(app, words[0]))
	hint := didYouMean(words[1], words[0]+" ", names)
	if hint == "" {
		hint = fmt.Sprintf("; the commands of webcap %s are %s", words[0], strings.Join(names, ", "))
	}
	return nil, usagef("", "unknown command %q%s", words[0]+" "+words[1], hint)
}

// unknownCommand returns the error for an unknown command. It suggests similar commands, or audit if the word is a
// file.
func unknownCommand(word string, commands []string) error {
	_, err := os.Stat(word)
	if err == nil || strings.EqualFold(filepath.Ext(word), ".pdf") {
		return usagef("", "unknown command %q, did you mean webcap audit %s?", word, word)
	}
	return usagef("", "unknown command %q%s", word, cmp.Or(didYouMean(word, "", commands),
		"; webcap audit PATH audits files"))
}

// appTopic returns the content of the help of the program.
func appTopic(app *cli.App) *manual.Topic {
	return &manual.Topic{Summary: app.Usage, Usage: app.UsageText, Description: app.Description,
		Commands: entries(app, ""), Flags: app.Flags}
}

// topicOf returns the content of the help of a command.
func topicOf(c *cli.Command) *manual.Topic {
	return &manual.Topic{Summary: c.Usage, Usage: c.UsageText, Description: c.Description, Flags: c.Flags}
}

func helpFlag() cli.Flag {
	return grouped(manual.General, switchFlag("help", "Show this help", "h"))[0]
}
