package checks

// Commands of SpiderInfo (14.10.5.3, tables 393 and 394).

import (
	"bytes"
	"fmt"
	"iter"
	"mime"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandEntries = &rule.Rule{
	ID:      "WC611",
	Title:   "Entries of commands and of their settings are present, and have the right type and value.",
	Problem: "Commands with missing or invalid entries",
	Clause:  "ISO 32000-2:2020, 14.10.5.3 and 14.10.5.4, tables 393 to 395; RFC 2045, 5.1",
	Level:   rule.Warning,
	Doc: "A reader cannot execute a command without a URL, and ignores entries of the wrong type. URL is ASCII. L is an " +
		"integer. F has bits 1 to 3 only. P is the data that the command posts, and CT " +
		"their media type, so CT needs P. The server receives H unchanged: each line is a name, a colon, and a value, " +
		"ended by CR LF. In S, G holds the settings for all engines, and C those for each engine by name.",
	Repair:    "None.",
	CheckInfo: checkCommandEntries,
}

var commandAbsolute = &rule.Rule{
	ID:      "WC612",
	Title:   "URL of a command is absolute, and L is at least 1.",
	Problem: "Commands that retrieve nothing",
	Clause:  "webcap",
	Level:   rule.Note,
	Doc: "URL is where the command begins, and L is the number of levels of pages to retrieve from there (table 393). " +
		"The standard does not restrict them further. But nothing says to what a relative URL refers, and less than " +
		"one level is no page.",
	Repair:    "None.",
	CheckInfo: checkCommandAbsolute,
}

func checkCommandEntries(p *rule.Pass, in *rule.Info) {
	for c := range commandsOf(in, p) {
		for i := range webcapture.CommandTable {
			f := &webcapture.CommandTable[i]
			if fault := fieldFault(p, c, f, c.Dict.Lookup(f.Key)); fault != "" {
				p.Reportf(c.At(), nil, "%s", fault)
			}
		}
		if i := rule.NotASCII(c.URL.Bytes); c.URL.OK() && i >= 0 {
			p.Reportf(c.At(), nil, "URL %v is not ASCII: %s (table 393)", nametree.Key(c.URL.Bytes),
				rule.ByteAt(c.URL.Bytes, i))
		}
		if !c.CT.Object.IsNull() && c.P.IsNull() {
			p.Reportf(c.At(), nil, "CT needs P, which is missing (table 393)")
		}
	}
	for s := range settingsOf(in, p) {
		checkSettings(p, s)
	}
}

func checkSettings(p *rule.Pass, s settings) {
	d, ok := s.dict()
	if !ok {
		return
	}
	for i := range webcapture.SettingsTable {
		f := &webcapture.SettingsTable[i]
		if fault := fieldFault(p, s.command, f, d.Lookup(f.Key)); fault != "" {
			p.Reportf(s.command.At(), nil, "S: %s", fault)
		}
	}
	for name, o := range enginesIn(p, s) {
		f := webcapture.Field{Key: rule.Short(name), Table: 395, Types: webcapture.DictionaryObject}
		if fault := fieldFault(p, s.command, &f, o); fault != "" {
			p.Reportf(s.command.At(), nil, "S: C: %s", fault)
		}
	}
}

func checkCommandAbsolute(p *rule.Pass, in *rule.Info) {
	for c := range commandsOf(in, p) {
		if c.URL.OK() && !canon.Split(c.URL.Bytes).Absolute() {
			p.Reportf(c.At(), nil, "URL %v has no scheme, expected an absolute URL", nametree.Key(c.URL.Bytes))
		}
		if n, ok := c.L.Number(); ok && c.L.Kind() == object.Integer && n < 1 {
			p.Reportf(c.At(), nil, "L is %s, expected 1 or more", Describe(p, c.L))
		}
	}
}

// command is a command in C of SpiderInfo.
type command struct {
	*webcapture.Command
	info *rule.Info
}

// At returns the command's place.
func (c command) At() rule.Place { return c.info.AtCommand(c.Index) }

// commandsOf yields the commands. It stops if the meter is exceeded.
func commandsOf(i *rule.Info, p *rule.Pass) iter.Seq[command] {
	return func(yield func(command) bool) {
		if i.Info == nil {
			return
		}
		for n := range i.Commands {
			if !p.Spend(0) || !yield(command{&i.Commands[n], i}) {
				return
			}
		}
	}
}

// HeaderLines yields the lines of HTTP headers with their numbers, from 1. A line does not include its line end, but
// tells whether that is CR LF. There is no empty line after the last line end.
func HeaderLines(h []byte) iter.Seq2[int, headerLine] {
	return func(yield func(int, headerLine) bool) {
		for n := 1; len(h) > 0; n++ {
			end := bytes.IndexAny(h, "\r\n")
			var l headerLine
			switch {
			case end < 0:
				l, h = headerLine{text: h}, nil
			case bytes.HasPrefix(h[end:], []byte("\r\n")):
				l, h = headerLine{text: h[:end], ended: true}, h[end+2:]
			default:
				l, h = headerLine{text: h[:end]}, h[end+1:]
			}
			if !yield(n, l) {
				return
			}
		}
	}
}

type headerLine struct {
	text  []byte
	ended bool // ended by CR LF
}

// name returns the text before the colon; false if there is no colon, or the text is not a token.
func (l headerLine) name() (string, bool) {
	name, _, ok := bytes.Cut(l.text, []byte(":"))
	return string(name), ok && isToken(name)
}

// headersFault describes the first error in HTTP headers, without showing them; empty if there is none.
func headersFault(h []byte) string {
	for n, line := range HeaderLines(h) {
		if fault := HeaderFault(n, line); fault != "" {
			return fmt.Sprintf(": line %d %s", n, fault)
		}
	}
	return ""
}

// HeaderFault describes the error in a header line, without showing the line; empty if there is none. A line that
// begins with a blank continues the previous one.
func HeaderFault(n int, line headerLine) string {
	continued := n > 1 && len(line.text) > 0 && (line.text[0] == ' ' || line.text[0] == '\t')
	switch _, named := line.name(); {
	case len(line.text) == 0:
		return "is empty, expected a name, a colon, and a value"
	case !continued && !named:
		return "does not begin with a name and a colon"
	case !line.ended:
		return "does not end with CR LF"
	}
	return ""
}

// isToken reports whether text has no blanks, control characters, or tspecials.
func isToken(text []byte) bool {
	_, _, err := mime.ParseMediaType(string(text))
	return err == nil && !strings.ContainsAny(string(text), " \t\r\n/;")
}
