package manual

import (
	"cmp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// Groups are the headings of options, in the order of the help. The last group is only for commands that accept the
// options of another command; help lists only the names of its options.
var Groups = []string{Input, Output, Rules, Sources, Limits, Passwords, General, Audit}

// The groups of options.
const (
	Input     = "Input"
	Output    = "Output"
	Rules     = "Rules"
	Sources   = "Sources"
	Limits    = "Limits"
	Passwords = "Passwords"
	General   = "General"
	Audit     = "Options of webcap audit"
)

// Option is an option of a command as help shows it. The usage text of its flag has the form
// "`VALUE` Text [possible: a, b]". A switch has no VALUE; the brackets are optional.
type Option struct {
	Group, Term, Name string
	Text              string   // with the values, the default, and whether it is repeatable, in brackets
	Choices           []string // nil if any value is possible
}

// OptionOf returns the option that a flag declares.
func OptionOf(f cli.Flag) Option {
	o := Option{Name: f.Names()[0], Term: "    "}
	var usage, end string
	switch f := f.(type) {
	case *cli.BoolFlag:
		o.Group, usage = f.Category, f.Usage
	case *cli.StringFlag:
		o.Group, usage = f.Category, f.Usage
		if value := cmp.Or(f.DefaultText, f.Value); value != "" {
			end = " [default: " + value + "]"
		}
	case *cli.GenericFlag:
		o.Group, usage, end = f.Category, f.Usage, " [repeatable]"
	}
	for _, name := range f.Names()[1:] {
		o.Term = "-" + name + ", "
	}
	o.Term += "--" + o.Name
	if rest, ok := strings.CutPrefix(usage, "`"); ok {
		value, text, _ := strings.Cut(rest, "` ")
		o.Term, usage = o.Term+" "+value, text
	}
	if _, choices, ok := strings.Cut(usage, " [possible: "); ok {
		o.Choices = strings.Split(strings.TrimSuffix(choices, "]"), ", ")
	}
	o.Text = usage + end
	return o
}

// Options returns the options of flags, in the order of their groups.
func Options(flags []cli.Flag) []Option {
	var list []Option
	for _, f := range flags {
		list = append(list, OptionOf(f))
	}
	slices.SortStableFunc(list, func(a, b Option) int {
		return slices.Index(Groups, a.Group) - slices.Index(Groups, b.Group)
	})
	return list
}
