package main

import (
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// program is a build of webcap, as its help describes it.
type program struct {
	path     string
	version  string
	commands []*command // the first has no name: webcap itself
	rules    []string
	kinds    []string // of sources
}

type command struct {
	name    string // such as "source list"
	options []*option
	shared  []*option // options of another command that this one also has
}

type option struct {
	name     string   // such as --format
	short    string   // such as -f, or empty
	value    string   // such as FORMAT, empty for a flag
	possible []string // the values that the help lists
}

func (p *program) command(name string) *command {
	i := slices.IndexFunc(p.commands, func(c *command) bool { return c.name == name })
	if i < 0 {
		return nil
	}
	return p.commands[i]
}

// option returns the option with a long or short name, or nil.
func (c *command) option(name string) *option {
	if c == nil {
		return nil
	}
	all := slices.Concat(c.options, c.shared)
	i := slices.IndexFunc(all, func(o *option) bool { return o.name == name || o.short == name })
	if i < 0 {
		return nil
	}
	return all[i]
}

var (
	optionLine   = regexp.MustCompile(`^ +(?:(-\w), )?(--[\w-]+)(?: ([^ ]+))?(?: {2,}(.*))?$`)
	looksLike    = regexp.MustCompile(`^ +(-\w,? +)?--\w`)
	commandLine  = regexp.MustCompile(`^  (\w[\w-]*)  `)
	optionsOf    = regexp.MustCompile(`^Options of webcap (.+):$`)
	possibleList = regexp.MustCompile(`\[possible: ([^\]]*)\]`)
	kindList     = regexp.MustCompile(`KIND is ([a-z0-9, ]+)`)
	ruleLine     = regexp.MustCompile(`(?m)^ *(WC\d{3})\b`)
)

// readProgram asks a program for its help.
func readProgram(path string) (*program, error) {
	p := &program{path: path}
	version, err := p.output("--version")
	if err != nil {
		return nil, err
	}
	p.version = strings.TrimSuffix(strings.Join(strings.Fields(version)[1:2], ""), ",")
	if err := p.readCommand(""); err != nil {
		return nil, err
	}
	list, err := p.output("explain")
	if err != nil {
		return nil, err
	}
	for _, m := range ruleLine.FindAllStringSubmatch(list, -1) {
		p.rules = append(p.rules, m[1])
	}
	return p, nil
}

func (p *program) output(args ...string) (string, error) {
	out, err := exec.Command(p.path, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", p.path, strings.Join(args, " "), err)
	}
	return string(out), nil
}

// readCommand reads the help of a command, and of the commands below it.
func (p *program) readCommand(name string) error {
	text, err := p.output(append(strings.Fields(name), "--help")...)
	if err != nil {
		return err
	}
	c := &command{name: name}
	p.commands = append(p.commands, c)
	if m := kindList.FindStringSubmatch(strings.Join(strings.Fields(text), " ")); m != nil && p.kinds == nil {
		p.kinds = strings.FieldsFunc(strings.ReplaceAll(m[1], " or ", " "), func(r rune) bool { return r == ',' || r == ' ' })
	}
	var heading, description string
	var last *option
	var below []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		m := optionLine.FindStringSubmatch(line)
		switch shared := optionsOf.FindStringSubmatch(heading); {
		case line != "" && line[0] != ' ':
			heading, last = line, nil
		case line == "":
			last = nil
		case shared != nil:
			for _, name := range strings.Fields(line) {
				o := p.command(shared[1]).option(name)
				if o == nil {
					return fmt.Errorf("%s %s --help: webcap %s has no option %s", p.path, c.name, shared[1], name)
				}
				c.shared = append(c.shared, o)
			}
		case heading == "Commands:":
			if m := commandLine.FindStringSubmatch(line); m != nil {
				below = append(below, m[1])
			}
		case m != nil:
			last, description = &option{short: m[1], name: m[2], value: m[3]}, m[4]
			last.possible = possible(description)
			c.options = append(c.options, last)
		case looksLike.MatchString(line):
			return fmt.Errorf("%s %s --help: cannot read the line %q", p.path, c.name, line)
		case last != nil:
			description += " " + strings.TrimSpace(line)
			last.possible = possible(description)
		}
	}
	for _, word := range below {
		if err := p.readCommand(strings.TrimSpace(c.name + " " + word)); err != nil {
			return err
		}
	}
	return nil
}

func possible(description string) []string {
	if m := possibleList.FindStringSubmatch(strings.Join(strings.Fields(description), " ")); m != nil {
		return strings.Split(m[1], ", ")
	}
	return nil
}

// intersect returns what both programs have, and a line for each command, option, value, rule, and kind of source that
// only one has. It fails if nothing is left of a list.
func intersect(old, new *program) (both *program, only []string, err error) {
	both = &program{}
	common := func(what string, a, b []string) []string {
		for _, x := range a {
			if !slices.Contains(b, x) {
				only = append(only, "only in old: "+what+x)
			}
		}
		for _, x := range b {
			if !slices.Contains(a, x) {
				only = append(only, "only in new: "+what+x)
			}
		}
		list := slices.DeleteFunc(slices.Clone(a), func(x string) bool { return !slices.Contains(b, x) })
		if len(list) == 0 && len(a)+len(b) > 0 && err == nil {
			err = fmt.Errorf("the programs have nothing in common in the list: %s", what)
		}
		return list
	}
	commandNames := func(p *program) (names []string) {
		for _, c := range p.commands {
			names = append(names, c.name)
		}
		return names
	}
	optionNames := func(options []*option) (names []string) {
		for _, o := range options {
			names = append(names, o.name)
		}
		return names
	}
	for _, name := range common("command ", commandNames(old), commandNames(new)) {
		a, b := old.command(name), new.command(name)
		c := &command{name: name}
		both.commands = append(both.commands, c)
		shared := func(list *[]*option, earlier, later []*option) {
			for _, option := range common(name+" ", optionNames(earlier), optionNames(later)) {
				o := *b.option(option)
				if values := a.option(option).possible; values != nil && o.possible != nil {
					o.possible = common(name+" "+option+" ", values, o.possible)
				}
				*list = append(*list, &o)
			}
		}
		shared(&c.options, a.options, b.options)
		shared(&c.shared, a.shared, b.shared)
	}
	both.rules = common("rule ", old.rules, new.rules)
	both.kinds = common("kind of source ", old.kinds, new.kinds)
	for what, n := range map[string]int{
		"help of webcap audit lists no formats":         len(both.command("audit").option("--format").values()),
		"output of webcap explain lists no rules":       len(both.rules),
		"help of no command lists the kinds of sources": len(both.kinds),
	} {
		if n == 0 && err == nil {
			err = fmt.Errorf("the %s", what)
		}
	}
	return both, only, err
}

func (o *option) values() []string {
	if o == nil {
		return nil
	}
	return o.possible
}
