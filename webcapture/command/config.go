package command

import (
	"errors"
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
var notKeys = []string{"help", "config", "verbose", "format", "files-from", "null",
	"stdin-name", "journal"}

// ruleLists are options with a comma-separated list. A configuration file may write it as a YAML list. If one of them
// is on the command line, those of the environment and the configuration file have no effect.
var ruleLists = []string{"only", "disable"}

// inFolder has a function for each key whose value contains a path relative to the configuration file. The function
// returns the value relative to the working directory; dir is the folder of the configuration file.
var inFolder = map[string]func(dir, value string) string{
	"baseline":      joinPath,
	"password-file": joinPath,
	"output": func(dir, value string) string {
		name, path := splitOutput(value)
		switch _, isFormat := format.Lookup(value); {
		case isFormat || path == "" || path == batch.Stdin:
			return value
		case name == "":
			return joinPath(dir, path)
		}
		return name + ":" + joinPath(dir, path)
	},
	"source": func(dir, value string) string {
		kind, path := source.SplitSpec(value)
		switch {
		case path == "" || value == embedded || value == embedded+":":
			return value
		case kind == "":
			return joinPath(dir, path)
		}
		return string(kind) + ":" + joinPath(dir, path)
	},
}

func joinPath(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

func withoutFlag(flags []cli.Flag, name string) []cli.Flag {
	return slices.DeleteFunc(slices.Clone(flags), func(f cli.Flag) bool { return f.Names()[0] == name })
}

// configuration is the merged configuration from command line, environment, and file.
type configuration struct {
	file      string // as shown in messages; "" for none
	settings  []setting
	ignore    []suppress.Entry
	exclude   []string // patterns of files and folders
	root      string   // absolute path of the file's folder, the base of its patterns
	base      string   // absolute path of the base of names in results; independent of the working directory
	directory string   // the working directory, see report.Head
}

// from returns the origin of the value of key.
func (conf *configuration) from(key string) origin {
	return conf.setting(key).from
}

// setting is the value of an option.
type setting struct {
	key   string
	value any // bool, string or []string
	from  origin
	where string // environment variable, or file and line
}

// origin is the source of a value: command line, environment, file, or default.
type origin string

const (
	byDefault     origin = "default"
	byCommandLine origin = "command line"
	byEnvironment origin = "environment"
	byFile        origin = "file"
)

// String describes the origin of the value.
func (s *setting) String() string {
	if s.where != "" {
		return s.where
	}
	return string(s.from)
}

// configure sets the options that are not on the command line from the environment and the configuration file.
func (p *program) configure(c *cli.Context) (*configuration, error) {
	if err := removedVariables(); err != nil {
		return nil, err
	}
	keys := keyFlags(c.Command.Flags)
	conf, file, err := readConfig(c.String("config"), keys)
	if err != nil {
		return nil, err
	}
	ownRules := slices.ContainsFunc(ruleLists, c.IsSet)
	for _, f := range keys {
		s, err := settle(c, f, file, ownRules && slices.Contains(ruleLists, f.Names()[0]))
		if err != nil {
			return nil, err
		}
		conf.settings = append(conf.settings, s)
	}
	p.sayConfiguration(c, conf)
	return conf, nil
}

// keyFlags returns the options that a configuration can set.
func keyFlags(flags []cli.Flag) []cli.Flag {
	return slices.DeleteFunc(slices.Clone(flags),
		func(f cli.Flag) bool { return slices.Contains(notKeys, f.Names()[0]) })
}

// settle sets an option from the environment or the file, unless the option is on the command line, or only the command
// line counts.
func settle(c *cli.Context, f cli.Flag, file *configFile, onlyCommandLine bool) (setting, error) {
	key := f.Names()[0]
	s := setting{key: key, from: byDefault}
	var values []string
	fromFile, inFile := file.settings[key]
	text, inEnvironment := os.LookupEnv(variable(key))
	switch {
	case c.IsSet(key):
		s.from = byCommandLine
	case onlyCommandLine:
	case inEnvironment && text != "":
		s.from, s.where, values = byEnvironment, variable(key), []string{text}
		if takesList(f) {
			values = strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
		}
	case inFile:
		s.from, s.where, values = byFile, fmt.Sprintf("%s:%d", file.name, fromFile.line), fromFile.values
	}
	for _, v := range values {
		if err := c.Set(key, v); err != nil {
			return s, configErrorf(s.where, "%s: invalid value %q", key, v)
		}
	}
	switch err := check(c, key); {
	case err != nil && s.where == "":
		return s, usagef(c.Command.Name, "%v", err)
	case err != nil:
		return s, configErrorf(s.where, "%v", err)
	}
	s.value = value(c, f)
	return s, nil
}

// value returns the value of an option.
func value(c *cli.Context, f cli.Flag) any {
	key := f.Names()[0]
	if takesList(f) {
		return allOf(c, key)
	}
	return c.Value(key)
}

// check returns the problem with the value of fail-on, output, or a list of rules, without the command's name.
// Other values are checked where they are used.
func check(c *cli.Context, key string) error {
	var err error
	switch {
	case key == "fail-on":
		_, err = levelOf(c)
	case key == "output":
		for _, spec := range allOf(c, key) {
			if _, _, err := parseOutput(spec); err != nil {
				return err
			}
		}
	case slices.Contains(ruleLists, key):
		_, err = named(c, key, c.String(key))
	}
	if usage, ok := errors.AsType[*usageError](err); ok {
		return errors.New(usage.text)
	}
	return err
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

func (p *program) sayConfiguration(c *cli.Context, conf *configuration) {
	if conf.file == "" {
		p.sayVerbose(c, "no configuration file")
	} else {
		p.sayVerbose(c, "configuration: %s, %s", conf.file, entries(len(conf.ignore)))
	}
	if len(conf.exclude) > 0 {
		p.sayVerbose(c, "exclude is %s (%s)", valueText(conf.exclude), conf.file)
	}
	for i := range conf.settings {
		if s := &conf.settings[i]; s.from != byDefault {
			p.sayVerbose(c, "%s is %s (%v)", s.key, valueText(s.value), s)
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
	without, err := rulesOf(c, func(option string) bool { return conf.from(option) == byCommandLine })
	if err != nil {
		return nil, err
	}
	var by []string
	for _, option := range ruleLists {
		if s := conf.setting(option); s.isConfigured() && !slices.Contains(by, conf.named(s)) {
			by = append(by, conf.named(s))
		}
	}
	for _, change := range []struct {
		what        string
		from, since []*rule.Rule
	}{{"disabled", without, rules}, {"enabled", rules, without}} {
		n := 0
		for _, r := range change.from {
			if !slices.ContainsFunc(change.since, func(s *rule.Rule) bool { return s.ID == r.ID }) {
				n++
			}
		}
		if n > 0 {
			list = append(list, fmt.Sprintf("%s %s by %s", layout.Count(n, "rule"), change.what, strings.Join(by, " and ")))
		}
	}
	for _, option := range judging {
		s := conf.setting(option)
		switch v := s.value.(type) {
		case bool:
			if s.isConfigured() && v {
				list = append(list, option+" by "+conf.named(s))
			}
		default:
			if s.isConfigured() {
				list = append(list, option+" "+valueText(v)+" by "+conf.named(s))
			}
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

// setting returns the setting of a key.
func (conf *configuration) setting(key string) *setting {
	return &conf.settings[slices.IndexFunc(conf.settings, func(s setting) bool { return s.key == key })]
}

// named returns the name of the origin of a configured setting: the file or the environment variable.
func (conf *configuration) named(s *setting) string {
	if s.from == byFile {
		return conf.file
	}
	return s.where
}

// isConfigured reports whether a value comes from the configuration file or the environment.
func (s *setting) isConfigured() bool { return s.from == byFile || s.from == byEnvironment }
