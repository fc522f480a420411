package manual

import (
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

const (
	paperWidth = 80  // line width of help in a file or pipe
	maxWidth   = 100 // longer lines are hard to read
)

// Help returns the help of a command. width is the width of the terminal, or 0 for a file.
func Help(c *cli.Command, width int) string {
	h := newHelp(width)
	h.line(c.Usage)
	usage, label := c.UsageText, "Usage: "
	h.line("")
	for line := range strings.Lines(usage) {
		h.line(label + strings.TrimSuffix(line, "\n"))
		label = "       "
	}
	h.description(c.Description)
	h.options(Options(c.Flags))
	return h.String()
}

// Entry is a word with its description.
type Entry struct{ Word, Text string }

// AppHelp returns the help of the program: its commands, then its options.
func AppHelp(app *cli.App, commands []Entry, width int) string {
	h := newHelp(width)
	h.line(app.Usage)
	h.line("")
	h.line("Usage: " + app.UsageText)
	h.description(app.Description)
	h.commands(commands)
	h.options(Options(app.Flags))
	return h.String()
}

// GroupHelp returns the help of a group of commands.
func GroupHelp(name, text string, commands []Entry, width int) string {
	h := newHelp(width)
	h.line(text)
	h.line("")
	h.line("Usage: webcap " + name + " COMMAND [OPTIONS] [ARGUMENTS]")
	h.commands(commands)
	h.line("")
	h.line(`"webcap ` + name + ` COMMAND --help" shows the options of a command.`)
	return h.String()
}

// help builds a help text.
type help struct {
	strings.Builder
	width int
}

func newHelp(width int) *help {
	if width == 0 {
		width = paperWidth
	}
	return &help{width: min(width, maxWidth)}
}

func (h *help) line(s string) { h.WriteString(s + "\n") }

// description writes paragraphs wrapped, and indented lines verbatim.
func (h *help) description(s string) {
	for block := range strings.SplitSeq(strings.TrimRight(s, "\n"), "\n\n") {
		if block == "" {
			continue
		}
		h.line("")
		if strings.HasPrefix(block, " ") {
			h.line(block)
			continue
		}
		for _, l := range layout.Wrap(strings.ReplaceAll(block, "\n", " "), h.width) {
			h.line(l)
		}
	}
}

func (h *help) commands(list []Entry) {
	h.line("")
	h.line("Commands:")
	h.entries(list)
}

// options writes options below the headings of their groups. Of the group Audit, it writes only the names.
func (h *help) options(list []Option) {
	for _, group := range Groups {
		var entries []Entry
		var names []string
		for i := range list {
			if list[i].Group == group {
				entries = append(entries, Entry{list[i].Term, list[i].Description()})
				names = append(names, "--"+list[i].Name)
			}
		}
		switch {
		case entries == nil:
			continue
		case group == Audit:
			h.line("\n" + group + ":")
			for _, l := range layout.Wrap(strings.Join(names, " "), h.width-2) {
				h.line("  " + l)
			}
		default:
			h.line("\n" + group + ":")
			h.entries(entries)
		}
	}
}

// entries writes words and their texts in two columns. In a narrow window, the text for a long word begins on the
// next line.
func (h *help) entries(list []Entry) {
	column := 0
	for _, e := range list {
		column = max(column, 2+utf8.RuneCountInString(e.Word)+2)
	}
	indent := strings.Repeat(" ", column)
	if h.width-column < 30 {
		indent = strings.Repeat(" ", 10)
	}
	for _, e := range list {
		first := "  " + e.Word
		if len(indent) == column {
			first += indent[len(first):]
		} else {
			first += "\n" + indent
		}
		for _, l := range layout.Wrap(e.Text, max(h.width-len(indent), 20)) {
			h.line(first + l)
			first = indent
		}
	}
}
