package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
	"go.yaml.in/yaml/v4"

	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
	"github.com/webcap-tools/webcap/webcapture/report"
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

// ruleLists are options with a comma-separated list. If one of them is on the command line, those of the configuration
// file have no effect.
var ruleLists = []string{"only", "disable"}

// configFile is the content of a configuration file. All keys but exclude and ignore are options of webcap audit.
type configFile struct {
	Only     texts         `yaml:"only"`
	Disable  texts         `yaml:"disable"`
	FailOn   string        `yaml:"fail-on"`
	Baseline string        `yaml:"baseline"`
	Exclude  texts         `yaml:"exclude"` // patterns of files and folders
	Ignore   []ignoreEntry `yaml:"ignore"`
}

// configKeys are the keys of a configuration file and its entries, for suggestions.
var configKeys = []string{"only", "disable", "fail-on", "baseline", "exclude", "ignore", "rule", "path", "key",
	"reason", "until"}

// ignoreEntry is an element of ignore.
type ignoreEntry struct {
	line   int
	Rule   texts   `yaml:"rule"`
	Path   string  `yaml:"path"`
	Key    *string `yaml:"key"`
	Reason string  `yaml:"reason"`
	Until  string  `yaml:"until"` // a date
}

const noValue = "has no value, and would match everything"

// UnmarshalYAML decodes an entry.
func (e *ignoreEntry) UnmarshalYAML(n *yaml.Node) error {
	type plain ignoreEntry // without this method
	e.line = n.Line
	for i := 1; i < len(n.Content); i += 2 { // the name of a key is before its value
		if v := n.Content[i]; v.Kind == yaml.ScalarNode && v.Value == "" || v.Tag == "!!null" {
			return fmt.Errorf("%s %s", n.Content[i-1].Value, noValue)
		}
	}
	return n.Load((*plain)(e), yaml.WithKnownFields())
}

// texts is a list. A single text counts as a list.
type texts []string

// UnmarshalYAML decodes a text or a list.
func (t *texts) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*t = texts{n.Value}
		return nil
	}
	return n.Load((*[]string)(t))
}

// configuration is the content of a configuration file, and the folders that results are relative to.
type configuration struct {
	configFile
	file      string         // as shown in messages; "" for none
	lines     map[string]int // of keys
	clauses   []string       // the settings that have an effect; see report.Head
	root      string         // absolute path of the file's folder, the base of its patterns
	base      string         // absolute path of the base of names in results; independent of the working directory
	directory string         // the working directory, see report.Head
}

// configure sets the options that are not on the command line from the configuration file.
func (p *program) configure(c *cli.Context) (*configuration, error) {
	conf, err := readConfig(c.String("config"))
	if err != nil {
		return nil, err
	}
	p.sayVerbose(c, "configuration: %s", cmp.Or(conf.file, "none"))
	ownRules := slices.ContainsFunc(ruleLists, c.IsSet)
	for _, set := range []struct{ option, value string }{
		{"fail-on", conf.FailOn},
		{"only", strings.Join(conf.Only, ",")},
		{"disable", strings.Join(conf.Disable, ",")},
		{"baseline", conf.baseline()},
	} {
		if set.value == "" || c.IsSet(set.option) || ownRules && slices.Contains(ruleLists, set.option) {
			continue
		}
		if err := setOption(c, set.option, set.value); err != nil {
			return nil, conf.errorf(conf.lines[set.option], "%v", err)
		}
		conf.clauses = append(conf.clauses, set.option+" "+set.value+" by "+conf.file)
	}
	if len(conf.Exclude) > 0 {
		conf.clauses = append(conf.clauses, "exclude "+strings.Join(conf.Exclude, ", ")+" by "+conf.file)
	}
	return conf, nil
}

// setOption sets an option. It checks lists of rules, and options with choices. Other values are checked where they are
// used.
func setOption(c *cli.Context, name, value string) error {
	f, _, err := lookup(c.Command.Flags, c.Command.Name, "--"+name)
	if err == nil {
		err = checkChoice(f, value)
	}
	if err == nil && slices.Contains(ruleLists, name) {
		_, err = named(name, value)
	}
	return cmp.Or(err, c.Set(name, value))
}

// sayVerbose prints a message if --verbose is set.
func (p *program) sayVerbose(c *cli.Context, format string, args ...any) {
	if c.Bool("verbose") {
		p.say(format, args...)
	}
}

// baseline returns the path of the baseline, relative to the working directory.
func (conf *configuration) baseline() string {
	if conf.Baseline == "" || filepath.IsAbs(conf.Baseline) {
		return conf.Baseline
	}
	return filepath.Join(filepath.Dir(conf.file), conf.Baseline)
}

// excludes returns the function for batch.PathOptions.Exclude; nil if there are no patterns.
func (conf *configuration) excludes() func(path string) bool {
	if len(conf.Exclude) == 0 {
		return nil
	}
	return (&suppress.Paths{Root: conf.root, Patterns: conf.Exclude}).Match
}

// readConfig reads the configuration file named, or searches for one. If named is none, it reads no file. The search
// ends at the root of the repository. Outside of a repository, only the working directory counts, because any user may
// be able to write to its parents.
func readConfig(named string) (*configuration, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	conf := &configuration{root: dir, file: named}
	repository := filepath.Dir(findUp(dir, "", ".git"))
	if repository == "." {
		repository = ""
	}
	switch named {
	case "none":
		conf.file = ""
	case "":
		if path := findUp(dir, cmp.Or(repository, dir), configName); path != "" {
			if conf.file, err = filepath.Rel(dir, path); err != nil {
				return nil, err
			}
		}
	}
	if conf.file != "" {
		data, err := readLimited(conf.file, named == "")
		if err != nil {
			return nil, usagef("audit", "cannot read the configuration: %v", err)
		}
		if err := conf.parse(data); err != nil {
			return nil, err
		}
		if conf.root, err = filepath.Abs(filepath.Dir(conf.file)); err != nil {
			return nil, err
		}
	}
	conf.base = cmp.Or(repository, conf.root)
	conf.directory = directoryBelow(dir, conf.base)
	return conf, nil
}

// directoryBelow returns the directory of results, see report.Head, for a folder and the base of the results.
func directoryBelow(folder, base string) string {
	directory := report.FingerprintPath(folder, base, "")
	if directory == "." {
		return ""
	}
	return directory
}

// maxConfig is the maximum size of a configuration in bytes, enough for tens of thousands of entries.
const maxConfig = 4 << 20

// readLimited reads the file name. If found, the user did not name the file, so it must be regular: a pipe or a
// device may never end.
func readLimited(name string, found bool) ([]byte, error) {
	if found {
		switch st, err := os.Stat(name); {
		case err != nil:
			return nil, err
		case !st.Mode().IsRegular():
			return nil, fmt.Errorf("%s is not a file", name)
		}
	}
	f, err := infile.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return infile.ReadAll(f, maxConfig)
}

// findUp searches dir and its parents, up to top, for name. It returns the path, or "".
func findUp(dir, top, name string) string {
	for {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil { // a broken link is an error, not an absent file
			return path
		}
		up := filepath.Dir(dir)
		if dir == top || up == dir {
			return ""
		}
		dir = up
	}
}

// parse parses the configuration file. Its errors name the file, and the line if it is known.
func (conf *configuration) parse(data []byte) error {
	if err := yaml.NewDecoder(bytes.NewReader(data)).Decode(new(yaml.Node)); err == io.EOF {
		return nil // the file has only comments
	}
	var doc yaml.Node
	err := yaml.Load(data, &doc)
	if err == nil {
		err = doc.Load(&conf.configFile, yaml.WithKnownFields())
	}
	if err != nil {
		return conf.syntax(err)
	}
	conf.lines = map[string]int{}
	for i, key := range doc.Content[0].Content {
		if i%2 == 0 { // the value follows
			conf.lines[key.Value] = key.Line
		}
	}
	for _, pattern := range conf.Exclude {
		if err := suppress.CheckPattern(pattern); err != nil {
			return conf.errorf(conf.lines["exclude"], "exclude: %v", err)
		}
	}
	return nil
}

// syntax turns an error of the YAML reader into one that names this file and the line, but no types of Go.
func (conf *configuration) syntax(err error) error {
	e, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		return conf.errorf(0, "%v", err)
	}
	key, _, isUnknown := strings.Cut(strings.TrimPrefix(e.Message, "field "), " not found in type ")
	switch {
	case strings.Contains(e.Message, noValue):
		return conf.errorf(e.Mark.Line, "%s", e.Message)
	case isUnknown:
		return conf.errorf(e.Mark.Line, "unknown key %q%s", key, didYouMean(key, "", configKeys))
	case e.Stage == yaml.ConstructorStage && e.Mark.Line > 0 && !strings.HasPrefix(e.Message, "mapping key "):
		return conf.errorf(e.Mark.Line, "a value has the wrong form; see %sconfiguration.md", docsFolder)
	}
	return conf.errorf(e.Mark.Line, "%s", strings.TrimPrefix(e.Message, "yaml: "))
}

// errorf returns an error about a line of the configuration; 0 if the line is unknown. All settings are options of
// webcap audit.
func (conf *configuration) errorf(line int, format string, args ...any) error {
	return usagef("audit", "%s: %s", conf.at(line), fmt.Sprintf(format, args...))
}

func (conf *configuration) at(line int) string {
	if line == 0 {
		return conf.file
	}
	return fmt.Sprintf("%s:%d", conf.file, line)
}

// entries returns the entries of ignore.
func (conf *configuration) entries() (list []suppress.Entry, err error) {
	for _, e := range conf.Ignore {
		entry := suppress.Entry{Where: conf.at(e.line), Rules: e.Rule, Path: e.Path,
			Reason: strings.Join(strings.Fields(e.Reason), " ")}
		if e.Until != "" {
			if entry.Until, err = time.Parse(time.DateOnly, e.Until); err != nil {
				return nil, conf.errorf(e.line, "until: %q is not a date, such as 2030-12-31", e.Until)
			}
		}
		if e.Key != nil {
			key, err := suppress.ParseKey(*e.Key)
			if err != nil {
				return nil, conf.errorf(e.line, "key: %v", err)
			}
			entry.Key = &key
		}
		list = append(list, entry)
	}
	return list, nil
}
