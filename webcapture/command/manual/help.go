// Package manual writes the help texts of a program with many commands.
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

// Entry is a word with its description.
type Entry struct{ Word, Text string }

// Topic is the content of a help text. Missing parts are empty.
type Topic struct {
	Summary, Usage, Description string
	Commands                    []Entry
	Flags                       []cli.Flag
	Note                        string // the last line
}

// Help returns the help text of a topic. width is the width of the terminal, or 0 for a file.
func Help(t *Topic, width int) string {
	if width == 0 {
		width = paperWidth
	}
	h := &help{width: min(width, maxWidth)}
	h.line(t.Summary)
	h.line("")
	label := "Usage: "
	for line := range strings.Lines(t.Usage) {
		h.line(label + strings.TrimSuffix(line, "\n"))
		label = "       "
	}
	h.description(t.Description)
	if t.Commands != nil {
		h.line("\nCommands:")
		h.entries(t.Commands)
	}
	h.options(Options(t.Flags))
	if t.Note != "" {
		h.line("\n" + t.Note)
	}
	return h.String()
}

// help builds a help text.
type help struct {
	strings.Builder
	width int
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

// options writes options below the headings of their groups. Of the group Audit, it writes only the names.
func (h *help) options(list []Option) {
	for _, group := range Groups {
		var entries []Entry
		var names []string
		for i := range list {
			if list[i].Group == group {
				entries = append(entries, Entry{list[i].Term, list[i].Text})
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
