package command

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/command/manual"
)

// bracket is a hint in the text of an option.
var bracket = regexp.MustCompile(` \[.*?\]`)

// TestHelp: the help of each command fits a screen of 80 columns and 40 lines, that of audit and rewrite two.
func TestHelp(t *testing.T) {
	app := (&program{}).app()
	screens := map[string]int{"audit": 2, "rewrite": 2}
	for _, c := range app.Commands {
		t.Run(c.Name, func(t *testing.T) {
			text := manual.Help(topicOf(c), 0)
			fits(t, text, 40*max(1, screens[c.Name]))
			summary(t, c.Usage)
			for _, o := range manual.Options(c.Flags) {
				option(t, c, o)
			}
			if n := strings.Count(text, "\n  webcap "); n > 4 {
				t.Errorf("%d examples", n)
			}
		})
	}
	fits(t, manual.Help(appTopic(app), 0), 40)
	for name, text := range groups {
		summary(t, text)
		fits(t, manual.Help(groupTopic(app, name), 0), 40)
	}
}

func fits(t *testing.T, text string, most int) {
	t.Helper()
	if n := strings.Count(text, "\n"); n > most {
		t.Errorf("%d lines, want at most %d:\n%s", n, most, text)
	}
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("a line of %d columns: %s", n, line)
		}
	}
}

func summary(t *testing.T, text string) {
	t.Helper()
	if len(text) > 45 || text[0] < 'A' || text[0] > 'Z' || strings.HasSuffix(text, ".") {
		t.Errorf("summary %q: want at most 45 characters, a capital, and no full stop", text)
	}
}

func option(t *testing.T, c *cli.Command, o manual.Option) {
	t.Helper()
	if n := len(bracket.ReplaceAllString(o.Text, "")); n > 45 || n == 0 || strings.HasSuffix(o.Text, ".") {
		t.Errorf("%s --%s: %q has %d characters, want at most 45, and no full stop", c.Name, o.Name, o.Text, n)
	}
	if o.Group == "" {
		t.Errorf("%s --%s is in no group", c.Name, o.Name)
	}
}

// TestNarrowHelp: help is wrapped to the terminal.
func TestNarrowHelp(t *testing.T) {
	app := (&program{}).app()
	for _, width := range []int{50, 80, 100, 200} {
		for _, o := range strings.SplitAfter(manual.Help(topicOf(app.Command("audit")), width), "Input:")[1:] {
			for line := range strings.Lines(o) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > min(width, 100) {
					t.Errorf("a line of %d columns for %d: %s", n, width, line)
				}
			}
		}
	}
}
