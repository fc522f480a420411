package command

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/command/manual"
)

// parseLine parses a command line, without the program's name. It returns the context of a command, or the help that
// the user asks for, or neither if the user asks for the version. A request for help anywhere in the line wins.
func parseLine(ctx context.Context, app *cli.App, list []string) (*cli.Context, *manual.Topic, error) {
	help, version := false, false
	for len(list) > 0 && (strings.HasPrefix(list[0], "-") || list[0] == "help") {
		if list[0] != "help" {
			if _, _, err := lookup(app.Flags, "", list[0]); err != nil {
				return nil, nil, err
			}
		}
		help, version = help || isHelp(list[0]), version || !isHelp(list[0])
		list = list[1:]
	}
	c, words := commandOf(app, list)
	switch {
	case c != nil:
	case len(list) == 0 && help:
		return nil, appTopic(app), nil
	case version:
		return nil, nil, nil
	case len(list) == 0:
		return nil, nil, usagef("", "no command given, try webcap audit FILE")
	case groups[list[0]] != "":
		topic, err := group(app, list)
		return nil, topic, err
	default:
		return nil, nil, unknownCommand(list[0], append(wordsOf(entries(app, "")), "--version"))
	}
	parsed, err := parse(ctx, app, c, list[words:])
	if help || err == errHelp {
		return nil, topicOf(c), nil
	}
	return parsed, nil, err
}

// commandOf returns the command at the start of words, or nil. n is the number of words in its name: one, or two
// for a command of a group.
func commandOf(app *cli.App, words []string) (c *cli.Command, n int) {
	for n = min(2, len(words)); n > 0 && c == nil; n-- {
		c = app.Command(strings.Join(words[:n], " "))
	}
	return c, n + 1
}

func isHelp(arg string) bool { return arg == "help" || arg == "--help" || arg == "-h" }

var errHelp = errors.New("help requested")

// parse parses the words after the name of a command. Options may follow arguments. It does not use the parser of
// urfave/cli, which takes everything after the first argument for arguments. The error is errHelp if a word asks for
// help.
func parse(ctx context.Context, app *cli.App, c *cli.Command, words []string) (*cli.Context, error) {
	set := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	for _, f := range c.Flags {
		if err := f.Apply(set); err != nil {
			return nil, err
		}
	}
	parsed := cli.NewContext(app, set, nil)
	parsed.Context, parsed.Command = ctx, c
	arguments := []string{"--"}
	var wrong error // the first wrong value
	for ; len(words) > 0; words = words[1:] {
		a := words[0]
		if a == "--" {
			arguments = append(arguments, words[1:]...)
			break
		}
		if a == "-" || !strings.HasPrefix(a, "-") {
			arguments = append(arguments, a)
			continue
		}
		if two := unbundled(c.Flags, a); two != nil {
			words = slices.Concat(words[:1], two, words[1:])
			continue
		}
		f, takesValue, err := lookup(c.Flags, c.Name, a)
		if err != nil {
			return nil, err
		}
		name := f.Names()[0]
		_, value, hasValue := strings.Cut(a, "=")
		switch _, err := strconv.ParseBool(value); {
		case takesValue:
			if words = words[1:]; len(words) == 0 {
				return nil, usagef(c.Name, "option %s needs a value", a)
			}
			value = words[0]
		case !hasValue:
			value = "true"
		case isSwitch(f) && err != nil:
			return nil, usagef(c.Name, "option --%s takes no value, not %q", name, value)
		}
		if name == "help" {
			return nil, errHelp
		}
		if slices.Contains(ruleLists, name) && parsed.IsSet(name) {
			return nil, usagef(c.Name, "option --%s is given twice: put commas between the rules, as in --%[1]s WC302,urls",
				name)
		}
		err = checkChoice(f, value)
		if err != nil {
			err = usagef(c.Name, "%v", err)
		} else {
			err = set.Set(name, value)
		}
		wrong = cmp.Or(wrong, err) // a later --help wins
	}
	return parsed, cmp.Or(wrong, set.Parse(arguments))
}

// checkChoice returns an error if the help of an option lists its values, and the value is another one.
func checkChoice(f cli.Flag, value string) error {
	o := manual.OptionOf(f)
	if o.Choices == nil || slices.Contains(o.Choices, value) {
		return nil
	}
	return fmt.Errorf("--%s must be %s, not %q%s", o.Name, either(o.Choices), value, didYouMean(value, "", o.Choices))
}

func isSwitch(f cli.Flag) bool {
	_, ok := f.(*cli.BoolFlag)
	return ok
}

// unbundled splits an argument with one hyphen in two: bundled options, such as -qv, into the first and the others,
// or an option and its value, such as -j2. It returns nil for any other argument.
func unbundled(flags []cli.Flag, arg string) []string {
	if len(arg) < 3 || arg[0] != '-' || arg[1] == '-' || arg[2] == '=' {
		return nil
	}
	_, takesValue, err := lookup(flags, "", arg[:2])
	_, _, notLong := lookup(flags, "", "-"+arg)
	switch {
	case err != nil, notLong == nil: // -format: the message shows the long option
		return nil
	case takesValue:
		return []string{arg[:2], arg[2:]}
	}
	if _, _, err := lookup(flags, "", "-"+arg[2:3]); err != nil {
		return nil // not options: the message shows the whole word
	}
	return []string{arg[:2], "-" + arg[2:]}
}

// lookup finds the flag for arg. It reports whether the next argument is the flag's value.
func lookup(flags []cli.Flag, command, arg string) (found cli.Flag, takesValue bool, err error) {
	name, _, hasValue := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	// A name of several letters needs two hyphens, and a single letter one, although the parser accepts both.
	long := strings.HasPrefix(arg, "--")
	for _, f := range flags {
		for _, n := range f.Names() {
			if n == name && long == (len(n) > 1) {
				return f, !isSwitch(f) && !hasValue, nil
			}
		}
	}
	var names []string
	for _, f := range flags {
		for _, n := range f.Names() {
			if len(n) > 1 {
				names = append(names, n)
			}
		}
	}
	return nil, false, usagef(command, "unknown option %s%s", arg, didYouMean(name, "--", names))
}

// switchFlag returns an option that has no value.
func switchFlag(name, usage string, aliases ...string) cli.Flag {
	return &cli.BoolFlag{Name: name, Aliases: aliases, Usage: usage, DisableDefaultText: true}
}

// grouped puts options into a group of the help.
func grouped(group string, flags ...cli.Flag) []cli.Flag {
	for _, f := range flags {
		switch f := f.(type) {
		case *cli.BoolFlag:
			f.Category = group
		case *cli.StringFlag:
			f.Category = group
		case *cli.GenericFlag:
			f.Category = group
		}
	}
	return flags
}

// stringList is the value of a repeatable option. It is needed because the lists of urfave/cli split values at
// commas.
type stringList []string

// Set adds a value.
func (w *stringList) Set(s string) error { *w = append(*w, s); return nil }

// Get returns the values.
func (w *stringList) Get() any { return []string(*w) }

// String returns "", because there is no default to show.
func (w *stringList) String() string { return "" }

func allOf(c *cli.Context, name string) []string { return *c.Generic(name).(*stringList) }

// noArguments returns an error if the command line has arguments.
func noArguments(c *cli.Context) error {
	if c.Args().Present() {
		return usagef(c.Command.Name, "takes no arguments")
	}
	return nil
}
