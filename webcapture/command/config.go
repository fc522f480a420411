package command

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/report/format"
	"github.com/webcap-tools/webcap/webcapture/suppress"
)

// configName is the name of configuration files.
const configName = ".webcap.yaml"

// configFlags are the options that select and log the configuration.
func configFlags() []cli.Flag {
	return grouped(manual.General,
		&cli.StringFlag{Name: "config", DefaultText: configName, Usage: "`FILE` Configuration file, or none"},
		switchFlag("verbose", "List all files and notes, and log settings", "v"),
	)
}

// notKeys are options of an audit that apply to one call only, so a configuration must not set them.
var notKeys = []string{"help", "config", "verbose", "format", "files-from", "null", "journal"}

// ruleLists are options with a comma-separated list. A configuration file may write it as a YAML list. If one of them
// is on the command line, those of the environment and the configuration file have no effect.
var ruleLists = []string{"only", "disable"}

// inFolder returns the value of an option in a configuration file of the folder dir: a path in the value becomes
// relative to the working directory.
func inFolder(option, dir, value string) string {
	kind, path := "", value
	switch option {
	case "baseline", "password-file":
	case "output":
		if _, isFormat := format.Lookup(value); isFormat {
			return value
		}
		kind, path = splitOutput(value)
	case "source":
		k, p := source.SplitSpec(value)
		kind, path = string(k), p
	default:
		return value
	}
	switch {
	case path == "" || path == batch.Stdin || filepath.IsAbs(path):
		return value
	case kind == "":
		return filepath.Join(dir, path)
	}
	return kind + ":" + filepath.Join(dir, path)
}

// configuration is the configuration from the environment and a file.
type configuration struct {
	file      string             // as shown in messages; "" for none
	settings  map[string]setting // by option, without those that the command line overrides
	ignore    []suppress.Entry
	exclude   []string // patterns of files and folders
	root      string   // absolute path of the file's folder, the base of its patterns
	base      string   // absolute path of the base of names in results; independent of the working directory
	directory string   // the working directory, see report.Head
}

// setting is a value of an option. The zero value is that of an option that is not set.
type setting struct {
	values []string // several only for a repeatable option
	by     string   // environment variable, or name of the file
	where  string   // the same, with the line in the file
}

// configure sets the options that are not on the command line from the environment and the configuration file.
func (p *program) configure(c *cli.Context) (*configuration, error) {
	keys := keyFlags(c.Command.Flags)
	conf, err := readConfig(c.String("config"), keys)
	if err != nil {
		return nil, err
	}
	ownRules := slices.ContainsFunc(ruleLists, c.IsSet)
	for _, f := range keys {
		key := f.Names()[0]
		if text := os.Getenv(variable(key)); text != "" {
			conf.settings[key] = setting{valuesIn(text, f), variable(key), variable(key)}
		}
		if c.IsSet(key) || ownRules && slices.Contains(ruleLists, key) {
			delete(conf.settings, key)
		}
		if err := conf.settings[key].apply(c, f); err != nil {
			return nil, err
		}
	}
	p.sayConfiguration(c, conf, keys)
	return conf, nil
}

// keyFlags returns the options that a configuration can set.
func keyFlags(flags []cli.Flag) []cli.Flag {
	return slices.DeleteFunc(slices.Clone(flags),
		func(f cli.Flag) bool { return slices.Contains(notKeys, f.Names()[0]) })
}

// valuesIn returns the values in an environment variable: its lines, if the option is repeatable.
func valuesIn(text string, f cli.Flag) []string {
	if takesList(f) {
		return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
	}
	return []string{text}
}

// apply sets an option. It checks the values of --output, of lists of rules, and of options with choices. Other values
// are checked where they are used.
func (s setting) apply(c *cli.Context, f cli.Flag) error {
	key := f.Names()[0]
	for _, v := range s.values {
		if err := c.Set(key, v); err != nil {
			return configErrorf(s.where, "%s: invalid value %q", key, v)
		}
		err := checkChoice(f, v)
		switch {
		case key == "output":
			_, _, err = parseOutput(v)
		case slices.Contains(ruleLists, key):
			_, err = named(key, v)
		}
		if err != nil {
			return configErrorf(s.where, "%v", err)
		}
	}
	return nil
}

// variable returns the name of the environment variable for a key.
func variable(key string) string {
	return "WEBCAP_" + strings.ToUpper(strings.ReplaceAll(key, "-", "_"))
}

// takesList reports whether an option is repeatable.
func takesList(f cli.Flag) bool {
	_, ok := f.(*cli.GenericFlag)
	return ok
}

// configErrorf returns an error about a setting. All settings are options of webcap audit.
func configErrorf(where, format string, args ...any) error {
	return usagef("audit", "%s: %s", where, fmt.Sprintf(format, args...))
}

// sayVerbose prints a message if --verbose is set.
func (p *program) sayVerbose(c *cli.Context, format string, args ...any) {
	if c.Bool("verbose") {
		p.say(format, args...)
	}
}

func (p *program) sayConfiguration(c *cli.Context, conf *configuration, keys []cli.Flag) {
	if conf.file == "" {
		p.sayVerbose(c, "no configuration file")
	} else {
		p.sayVerbose(c, "configuration: %s, %s", conf.file, entries(len(conf.ignore)))
	}
	if len(conf.exclude) > 0 {
		p.sayVerbose(c, "exclude is %s (%s)", valueText(conf.exclude), conf.file)
	}
	for _, f := range keys {
		if key := f.Names()[0]; c.IsSet(key) {
			where := cmp.Or(conf.settings[key].where, "command line")
			p.sayVerbose(c, "%s is %s (%s)", key, valueText(c.Value(key)), where)
		}
	}
}

func valueText(v any) string {
	if list, ok := v.([]string); ok {
		return strings.Join(list, ", ")
	}
	return fmt.Sprint(v)
}

func entries(n int) string {
	if n == 1 {
		return "1 entry to ignore"
	}
	return fmt.Sprintf("%d entries to ignore", n)
}

// judging lists the options, besides lists of rules, that change what an audit reads, checks, or reports, or the
// exit code.
var judging = []string{"fail-on", "exit-zero", "allow-empty", "follow-links",
	"timeout", "memory", "fail-fast", "baseline", "source", "password-file", "output"}

// clauses describes the settings of the configuration file and the environment that change an audit with these
// rules; see report.Head.
func clauses(c *cli.Context, conf *configuration, rules []*rule.Rule) (list []string, err error) {
	without, err := rulesOf(c, func(option string) bool { return c.IsSet(option) && conf.settings[option].by == "" })
	if err != nil {
		return nil, err
	}
	var by []string
	for _, option := range ruleLists {
		if s, ok := conf.settings[option]; ok && !slices.Contains(by, s.by) {
			by = append(by, s.by)
		}
	}
	for _, change := range []struct {
		what        string
		from, since []*rule.Rule
	}{{"disabled", without, rules}, {"enabled", rules, without}} {
		n := 0
		for _, r := range change.from {
			if !slices.Contains(change.since, r) {
				n++
			}
		}
		if n > 0 {
			list = append(list, fmt.Sprintf("%s %s by %s", layout.Count(n, "rule"), change.what, strings.Join(by, " and ")))
		}
	}
	for _, option := range judging {
		s, ok := conf.settings[option]
		on, isSwitch := c.Value(option).(bool)
		switch {
		case ok && on:
			list = append(list, option+" by "+s.by)
		case ok && !isSwitch:
			list = append(list, option+" "+valueText(c.Value(option))+" by "+s.by)
		}
	}
	if len(conf.exclude) > 0 {
		list = append(list, "exclude "+valueText(conf.exclude)+" by "+conf.file)
	}
	return list, nil
}

// excludes returns the function for batch.PathOptions.Exclude; nil if there are no patterns.
func (conf *configuration) excludes() func(path string) bool {
	if len(conf.exclude) == 0 {
		return nil
	}
	return (&suppress.Paths{Root: conf.root, Patterns: conf.exclude}).Match
}
