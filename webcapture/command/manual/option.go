package manual

import (
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
	Text              string   // usage text without brackets
	Choices           []string // nil if any value is possible
	Default           string
	Repeatable        bool
}

// OptionOf returns the option that a flag declares.
func OptionOf(f cli.Flag) Option {
	o := Option{Name: f.Names()[0], Term: "    "}
	var usage string
	switch f := f.(type) {
	case *cli.BoolFlag:
		o.Group, usage = f.Category, f.Usage
	case *cli.StringFlag:
		o.Group, usage, o.Default = f.Category, f.Usage, f.Value
		if f.DefaultText != "" {
			o.Default = f.DefaultText
		}
	case *cli.GenericFlag:
		o.Group, usage, o.Repeatable = f.Category, f.Usage, true
	}
	for _, name := range f.Names()[1:] {
		o.Term = "-" + name + ", "
	}
	o.Term += "--" + o.Name
	if rest, ok := strings.CutPrefix(usage, "`"); ok {
		value, text, _ := strings.Cut(rest, "` ")
		o.Term, usage = o.Term+" "+value, text
	}
	text, choices, _ := strings.Cut(usage, " [possible: ")
	o.Text = text
	if choices != "" {
		o.Choices = strings.Split(strings.TrimSuffix(choices, "]"), ", ")
	}
	return o
}

// Description returns the text of an option followed by its brackets.
func (o *Option) Description() string {
	text := o.Text
	if len(o.Choices) > 0 {
		text += " [possible: " + strings.Join(o.Choices, ", ") + "]"
	}
	if o.Default != "" {
		text += " [default: " + o.Default + "]"
	}
	if o.Repeatable {
		text += " [repeatable]"
	}
	return text
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
