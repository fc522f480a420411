package command

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/report/format"
)

// arrange returns args with the options of the command before its arguments: "audit site.pdf --format json" becomes
// "audit --format json -- site.pdf". This is necessary because the parser treats everything after the first argument
// as arguments. If help is true, arranged has only the program and, if the user named one, the command to explain.
func arrange(app *cli.App, args []string) (arranged []string, help bool, err error) {
	program, list := args[:1:1], args[1:]
	for len(list) > 0 && (strings.HasPrefix(list[0], "-") || list[0] == "help") {
		if list[0] != "help" {
			if _, _, err := lookup(app.Flags, "", list[0]); err != nil {
				return nil, false, optionBeforeCommand(app, list, err)
			}
		}
		help = help || isHelp(list[0])
		if !help {
			program = append(program, list[0])
		}
		list = list[1:]
	}
	if len(list) == 0 {
		return program, help, nil
	}
	c, words := commandOf(app, list)
	if c == nil {
		return append(program, list...), false, nil // an unknown command is an error, even with a request for help
	}
	program = append(program, c.Name)
	options, rest, err := split(c, list[words:])
	switch {
	case err == errHelp, help:
		return program, true, nil
	case err != nil:
		return nil, false, err
	}
	dropAliases(c)
	return slices.Concat(program, options, []string{"--"}, rest), false, nil
}

// optionBeforeCommand returns the error for an unknown option before the command. If the command that follows has
// the option, the error says so.
func optionBeforeCommand(app *cli.App, list []string, unknown error) error {
	for i := range list[1:] {
		if c, _ := commandOf(app, list[1+i:]); c != nil {
			if _, _, err := lookup(c.Flags, "", list[0]); err == nil {
				return usagef("", "option %s goes after the command: webcap %s %[1]s", list[0], c.Name)
			}
		}
	}
	return unknown
}

// dropAliases removes the short names of repeatable options: with two names, the parser would set their values
// twice. split has already replaced short names.
func dropAliases(c *cli.Command) {
	for _, f := range c.Flags {
		if list, ok := f.(*cli.GenericFlag); ok {
			list.Aliases = nil
		}
	}
}

// commandOf returns the command at the start of words, or nil. n is the number of words in its name: one, or two
// for a command of a group.
func commandOf(app *cli.App, words []string) (c *cli.Command, n int) {
	if len(words) > 1 {
		if c := app.Command(words[0] + " " + words[1]); c != nil {
			return c, 2
		}
	}
	return app.Command(words[0]), 1
}

func isHelp(arg string) bool { return arg == "help" || arg == "--help" || arg == "-h" }

var errHelp = errors.New("help requested")

// split separates the options of a command from its arguments. It replaces the names of options by their first names,
// and keeps their values. The error is errHelp if one of them asks for help.
func split(c *cli.Command, list []string) (options, rest []string, err error) {
	for ; len(list) > 0; list = list[1:] {
		a := list[0]
		if a == "--" {
			return options, append(rest, list[1:]...), nil
		}
		if a == "-" || !strings.HasPrefix(a, "-") {
			rest = append(rest, a)
			continue
		}
		if two := unbundled(c.Flags, a); two != nil {
			list = slices.Concat(list[:1], two, list[1:])
			continue
		}
		f, takesValue, err := lookup(c.Flags, c.Name, a)
		if err != nil {
			return nil, nil, err
		}
		if isHelp(a) {
			return nil, nil, errHelp
		}
		// Use the first name: the parser rejects an option that is given by two names.
		option := "--" + f.Names()[0]
		_, value, hasValue := strings.Cut(a, "=")
		if _, err := strconv.ParseBool(value); hasValue && isSwitch(f) && err != nil {
			return nil, nil, usagef(c.Name, "option %s takes no value, not %q", option, value)
		}
		if takesValue {
			if list = list[1:]; len(list) == 0 {
				return nil, nil, usagef(c.Name, "option %s needs a value", a)
			}
			value, hasValue = list[0], true
		}
		if slices.Contains(ruleLists, f.Names()[0]) &&
			slices.ContainsFunc(options, func(o string) bool { return strings.HasPrefix(o, option+"=") }) {
			return nil, nil, usagef(c.Name, "option %s is given twice: put commas between the rules, as in %[1]s WC302,urls",
				option)
		}
		if err := checkChoice(f, value); err != nil {
			return nil, nil, usagef(c.Name, "%v", err)
		}
		if hasValue {
			option += "=" + value
		}
		options = append(options, option)
	}
	return options, rest, nil
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
	hint := didYouMean(name, "--", names)
	if meant := optionMeant(command, name, names); meant != "" {
		hint = ", did you mean " + meant + "?"
	}
	return nil, false, usagef(command, "unknown option %s%s", arg, hint)
}

// optionMeant returns what to write instead of an unknown option, such as one of another program, or "".
func optionMeant(command, name string, names []string) string {
	if _, ok := format.Lookup(name); ok && slices.Contains(names, "format") {
		return "-f " + name
	}
	if command == "rewrite" {
		switch name {
		case "dry-run", "check", "n":
			return "webcap rewrite without -o and --in-place"
		}
	}
	if meant := optionSynonyms[name]; slices.Contains(names, meant) {
		return "--" + meant
	}
	return ""
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

// exclusive returns an error if more than one option of the same group is given.
func exclusive(c *cli.Context, groups [][]string) error {
	for _, group := range groups {
		var given []string
		for _, name := range group {
			if c.IsSet(name) {
				given = append(given, "--"+name)
			}
		}
		if len(given) > 1 {
			return usagef(c.Command.Name, "%s and %s exclude each other", given[0], given[1])
		}
	}
	return nil
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
