package command

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/command/manual"
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
// is on the command line, those of the configuration file have no effect.
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

// configuration is the content of a configuration file, and the folders that results are relative to.
type configuration struct {
	file      string             // as shown in messages; "" for none
	settings  map[string]setting // by option, without those that the command line overrides
	ignore    []suppress.Entry
	exclude   []string // patterns of files and folders
	root      string   // absolute path of the file's folder, the base of its patterns
	base      string   // absolute path of the base of names in results; independent of the working directory
	directory string   // the working directory, see report.Head
}

// setting is the value of an option in a configuration file.
type setting struct {
	values []string // several only for a repeatable option
	where  string   // the file and the line
}

// configure sets the options that are not on the command line from the configuration file.
func (p *program) configure(c *cli.Context) (*configuration, error) {
	keys := keyFlags(c.Command.Flags)
	conf, err := readConfig(c.String("config"), keys)
	if err != nil {
		return nil, err
	}
	ownRules := slices.ContainsFunc(ruleLists, c.IsSet)
	for _, f := range keys {
		key := f.Names()[0]
		if c.IsSet(key) || ownRules && slices.Contains(ruleLists, key) {
			delete(conf.settings, key)
		}
		if err := conf.settings[key].apply(c, f); err != nil {
			return nil, err
		}
	}
	if conf.file == "" {
		p.sayVerbose(c, "no configuration file")
	} else {
		p.sayVerbose(c, "configuration: %s", conf.file)
	}
	for _, f := range keys {
		if key := f.Names()[0]; c.IsSet(key) {
			p.sayVerbose(c, "%s is %s (%s)", key, valueText(c.Value(key)), cmp.Or(conf.settings[key].where, "command line"))
		}
	}
	return conf, nil
}

// keyFlags returns the options that a configuration can set.
func keyFlags(flags []cli.Flag) []cli.Flag {
	return slices.DeleteFunc(slices.Clone(flags),
		func(f cli.Flag) bool { return slices.Contains(notKeys, f.Names()[0]) })
}

// apply sets an option. It checks the values of --output, of lists of rules, and of options with choices. Other values
// are checked where they are used.
func (s setting) apply(c *cli.Context, f cli.Flag) error {
	key := f.Names()[0]
	for _, v := range s.values {
		err := checkChoice(f, v)
		switch {
		case key == "output":
			_, _, err = parseOutput(v)
		case slices.Contains(ruleLists, key):
			_, err = named(key, v)
		}
		if e := c.Set(key, v); err == nil && e != nil {
			err = fmt.Errorf("%s must be true or false, not %q", key, v)
		}
		if err != nil {
			return configErrorf(s.where, "%v", err)
		}
	}
	return nil
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

func valueText(v any) string {
	if list, ok := v.([]string); ok {
		return strings.Join(list, ", ")
	}
	return fmt.Sprint(v)
}

// clauses describes the settings of the configuration file, except switches that are off; see report.Head.
func (conf *configuration) clauses(c *cli.Context) (list []string) {
	for _, f := range keyFlags(c.Command.Flags) {
		key := f.Names()[0]
		if _, ok := conf.settings[key]; !ok || c.Value(key) == false {
			continue
		}
		if !isSwitch(f) {
			list = append(list, key+" "+valueText(c.Value(key))+" by "+conf.file)
		} else {
			list = append(list, key+" by "+conf.file)
		}
	}
	if len(conf.exclude) > 0 {
		list = append(list, "exclude "+valueText(conf.exclude)+" by "+conf.file)
	}
	return list
}

// excludes returns the function for batch.PathOptions.Exclude; nil if there are no patterns.
func (conf *configuration) excludes() func(path string) bool {
	if len(conf.exclude) == 0 {
		return nil
	}
	return (&suppress.Paths{Root: conf.root, Patterns: conf.exclude}).Match
}
