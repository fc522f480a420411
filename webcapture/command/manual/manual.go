// Package manual writes the help texts and the manual page of a program with many commands.
package manual

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// Page returns the manual page in the language of man(7): that of urfave/cli omits the descriptions of commands.
// exitCodes are the meanings of the exit codes, from 0; config is the name of configuration files.
func Page(app *cli.App, version string, exitCodes []string, config string) string {
	m := &page{}
	m.request(`TH WEBCAP 1 "" "webcap ` + escapeMan(version) + `" "User Commands"`)
	m.section("NAME")
	m.text("webcap - " + app.Usage)
	m.section("SYNOPSIS")
	m.verbatim(app.UsageText)
	m.section("DESCRIPTION")
	m.prose(app.Description)
	m.section("OPTIONS")
	m.options(app.Flags)
	m.section("COMMANDS")
	for _, c := range app.Commands {
		m.request("SS webcap " + c.Name)
		m.verbatim(c.UsageText)
		m.request("PP")
		m.text(c.Usage + ".")
		m.request("PP")
		m.prose(c.Description)
		m.options(c.Flags)
	}
	m.section("EXIT STATUS")
	m.text("These are the exit codes of webcap audit and webcap report. Commands with other exit codes list them above.")
	for code, meaning := range exitCodes {
		m.item(strconv.Itoa(code), meaning)
	}
	m.section("ENVIRONMENT")
	m.item("WEBCAP_FAIL_ON and so on", "options of webcap audit; -v shows those that are set")
	m.item("NO_COLOR", "if it is not empty, there are no colors")
	m.item("CLICOLOR_FORCE", "if it is neither empty nor 0, there are colors even if the output is not a terminal")
	m.section("FILES")
	m.item(config, "the configuration of audits; webcap init writes one")
	return m.b.String()
}

// page builds a manual page.
type page struct{ b strings.Builder }

func (m *page) request(s string) { fmt.Fprintf(&m.b, ".%s\n", s) }

func (m *page) section(title string) { m.request("SH " + title) }

// text writes running text in short lines, which man tools handle best.
func (m *page) text(s string) {
	for _, l := range layout.Wrap(strings.ReplaceAll(s, "\n", " "), 72) {
		m.line(l)
	}
}

func (m *page) line(s string) { m.b.WriteString(escapeMan(s) + "\n") }

// verbatim writes unwrapped lines.
func (m *page) verbatim(s string) {
	m.request("nf")
	for l := range strings.Lines(s) {
		m.line(strings.TrimSuffix(l, "\n"))
	}
	m.request("fi")
}

func (m *page) item(term, text string) {
	m.request("TP")
	m.text(term)
	m.text(text)
}

// prose writes paragraphs. Indented paragraphs are examples and tables: their lines are not wrapped.
func (m *page) prose(s string) {
	for i, block := range strings.Split(s, "\n\n") {
		example := strings.HasPrefix(block, " ")
		switch {
		case i > 0 && example:
			m.request("sp")
		case i > 0:
			m.request("PP")
		}
		if example {
			m.verbatim(strings.TrimRight(block, "\n"))
		} else {
			m.text(strings.TrimRight(block, "\n"))
		}
	}
}

func (m *page) options(flags []cli.Flag) {
	for _, o := range Options(flags) {
		m.item(strings.TrimSpace(o.Term), o.Description())
	}
}

// escapeMan returns a line with escapes, so that man does not take its text for a request.
func escapeMan(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		return `\&` + s
	}
	return s
}
