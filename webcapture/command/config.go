package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
	"go.yaml.in/yaml/v4"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/triage"
)

// configName is what a configuration file is called.
const configName = ".webcap.yaml"

// configFlags are the options that say what is configured, and the one that
// shows it.
func configFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "config", Usage: "read the configuration from `FILE` instead of " + configName},
		&cli.BoolFlag{Name: "no-config", Usage: "read no configuration file", DisableDefaultText: true},
		&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "say on standard error what is read from where, and what is ignored", DisableDefaultText: true},
	}
}

// notKeys are options of the audit that no configuration has: those that are about
// one call, and the one whose value should not stand in a file. What --format does,
// output does as well.
var notKeys = []string{"help", "config", "no-config", "verbose", "password", "format"}

// instead says which option, if it is given, takes the place of a key.
var instead = map[string]string{"password-file": "password", "output": "format"}

// ruleLists are options whose value is a list between commas, which a file may have
// as a list.
var ruleLists = []string{"only", "disable", "enable"}

// inFolder has the keys whose values hold a path, and returns the value as seen
// from the working directory, given the configuration file's folder.
var inFolder = map[string]func(dir, value string) string{
	"baseline":      joinPath,
	"password-file": joinPath,
	"source-index":  joinPath,
	"output": func(dir, value string) string {
		format, path, ok := strings.Cut(value, ":")
		if !ok || path == "" || path == "-" {
			return value
		}
		return format + ":" + joinPath(dir, path)
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

func (p *program) config() *cli.Command {
	return &cli.Command{
		Name:      "config",
		Usage:     "show what is configured for audits, and where it comes from",
		UsageText: "webcap config [OPTIONS]",
		Description: `Options of webcap audit may stand in a file ` + configName + `, under their names, and in
the environment, as WEBCAP_FAIL_ON for --fail-on. The command line goes before
the environment, and that before the file. The file is looked for in the working
directory and the folders above it, up to the root of the repository; outside of
one, up to the home folder. Paths in it are relative to its folder.

  fail-on: warning
  disable: [privacy]
  ignore:
    - rule: WC204
      path: archive/**
      reason: made before 2009, and never to be changed
      until: 2030-12-31

  webcap config
  webcap config --no-config --fail-on note --format json`,
		Flags:  append([]cli.Flag{formatFlag()}, withoutFlag(p.audit().Flags, "format")...),
		Action: p.runConfig,
	}
}

func withoutFlag(flags []cli.Flag, name string) []cli.Flag {
	return slices.DeleteFunc(slices.Clone(flags), func(f cli.Flag) bool { return f.Names()[0] == name })
}

// A configuration is what an audit does if the command line, the environment and
// the file are put together.
type configuration struct {
	file      string // as messages name it; "" if there is none
	settings  []setting
	ignore    []triage.Entry
	root      string // an absolute path: that of the file's folder, to which its patterns are relative
	base      string // an absolute path: results name files relative to it, whatever the working directory
	directory string // the working directory, see report.Head
}

// from returns where the value of a key comes from.
func (conf *configuration) from(key string) origin {
	i := slices.IndexFunc(conf.settings, func(s setting) bool { return s.key == key })
	return conf.settings[i].from
}

// A setting is the value of an option.
type setting struct {
	key   string
	value any // bool, string or []string
	from  origin
	where string // the variable, or file and line
}

// An origin is where a value comes from.
type origin string

const (
	byDefault     origin = "default"
	byCommandLine origin = "command line"
	byEnvironment origin = "environment"
	byFile        origin = "file"
)

// String returns the origin as people read it.
func (s *setting) String() string {
	if s.where != "" {
		return s.where
	}
	return string(s.from)
}

// configure gives the options of c that are not on the command line the values
// that the environment or the configuration file have for them.
func (p *program) configure(c *cli.Context) (*configuration, error) {
	if c.IsSet("config") && c.Bool("no-config") {
		return nil, usagef(c.Command.Name, "--config and --no-config exclude each other")
	}
	keys := keyFlags(c.Command.Flags)
	conf, file, err := readConfig(c.String("config"), c.Bool("no-config"), keys)
	if err != nil {
		return nil, err
	}
	for _, f := range keys {
		s, err := settle(c, f, file)
		if err != nil {
			return nil, err
		}
		conf.settings = append(conf.settings, s)
	}
	p.tellConfiguration(c, conf)
	return conf, nil
}

// keyFlags returns the options that have a key.
func keyFlags(flags []cli.Flag) []cli.Flag {
	return slices.DeleteFunc(slices.Clone(flags), func(f cli.Flag) bool { return slices.Contains(notKeys, f.Names()[0]) })
}

// settle sets an option, unless the command line does.
func settle(c *cli.Context, f cli.Flag, file *configFile) (setting, error) {
	key := f.Names()[0]
	s := setting{key: key, from: byDefault}
	var values []string
	fromFile, inFile := file.settings[key]
	text, inEnvironment := os.LookupEnv(variable(key))
	switch {
	case c.IsSet(key):
		s.from = byCommandLine
	case givesWay(c, key):
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
			return s, configErrorf(s.where, "%s: %q is no value for it", key, v)
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

// givesWay reports whether the command line has what takes the place of a key. That
// which has the name --format in webcap config is another option.
func givesWay(c *cli.Context, key string) bool {
	option := instead[key]
	return option != "" && c.IsSet(option) && !(option == "format" && c.Command.Name == "config")
}

// value returns the value that an option has.
func value(c *cli.Context, f cli.Flag) any {
	key := f.Names()[0]
	if takesList(f) {
		return append([]string{}, allOf(c, key)...) // which is an empty list in JSON, if it is one
	}
	return c.Value(key)
}

// check returns what is wrong with the value of a key, without the command's name.
// Values that are names of files are looked at where they are used.
func check(c *cli.Context, key string) error {
	var err error
	switch {
	case key == "fail-on":
		_, err = levelOf(c)
	case key == "color":
		_, err = colourMode(c)
	case key == "output":
		for _, spec := range allOf(c, key) {
			name, _, _ := strings.Cut(spec, ":")
			if _, ok := report.LookupFormat(name); !ok {
				return fmt.Errorf("--output is %s, not %q", formatNames(" or "), name)
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

// takesList reports whether an option may be given several times.
func takesList(f cli.Flag) bool {
	_, ok := f.(*cli.GenericFlag)
	return ok
}

func configErrorf(where, format string, args ...any) error {
	return usagef("config", "%s: %s", where, fmt.Sprintf(format, args...))
}

// readConfig reads the configuration file that is named, or else found.
func readConfig(named string, none bool, keys []cli.Flag) (*configuration, *configFile, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	home, _ := os.UserHomeDir() // without one there is none to stop at
	path, repository := findConfig(dir, home)
	switch {
	case none:
		path = ""
	case named != "":
		path = named
	}
	conf, file := &configuration{root: dir, base: dir}, &configFile{}
	if path != "" {
		name := path
		if path, err = filepath.Abs(path); err != nil {
			return nil, nil, err
		}
		if rel, err := filepath.Rel(dir, path); err == nil && named == "" {
			name = rel
		}
		data, err := readLimited(name, named == "")
		if err != nil {
			return nil, nil, usagef("config", "cannot read the configuration: %v", err)
		}
		if file, err = parseConfig(name, data, keys); err != nil {
			return nil, nil, err
		}
		conf.file, conf.ignore, conf.root, conf.base = name, file.ignore, filepath.Dir(path), filepath.Dir(path)
	}
	if repository != "" {
		conf.base = repository
	}
	conf.directory = report.Seen(dir, conf.base, "")
	if conf.directory == "." {
		conf.directory = ""
	}
	return conf, file, nil
}

// maxConfig is the size in bytes that a configuration may have: that of ten thousands
// of entries.
const maxConfig = 4 << 20

// readLimited reads the file called name. One that was only found has to be a file:
// a pipe or a device may have no end.
func readLimited(name string, found bool) ([]byte, error) {
	if found {
		switch st, err := os.Stat(name); {
		case err != nil:
			return nil, err
		case !st.Mode().IsRegular():
			return nil, fmt.Errorf("%s is no file", name)
		}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if len(data) > maxConfig {
		return nil, fmt.Errorf("%s is larger than %d bytes", name, maxConfig)
	}
	return data, err
}

// findConfig looks for a configuration file in dir and the folders above it, up to
// the root of the repository, which it returns too, or to home, unless everything is
// below that. Outside of both it looks in dir alone: who may write to the folders above is nobody knows who.
func findConfig(dir, home string) (file, repository string) {
	repository = findUp(dir, string(filepath.Separator), ".git")
	top := dir
	switch rel, err := filepath.Rel(home, dir); {
	case repository != "":
		repository = filepath.Dir(repository)
		top = repository
	case home != filepath.Dir(home) && err == nil && filepath.IsLocal(rel):
		top = home
	}
	return findUp(dir, top, configName), repository
}

// findUp returns the path of what is called name in dir or the folders above it,
// none of which is above top; "" if there is none.
func findUp(dir, top, name string) string {
	for {
		path := filepath.Join(dir, name)
		if _, err := os.Lstat(path); err == nil { // a link to nowhere is wrong, not absent
			return path
		}
		up := filepath.Dir(dir)
		if dir == top || up == dir {
			return ""
		}
		dir = up
	}
}

// A configFile is what a configuration file says.
type configFile struct {
	name     string
	settings map[string]fileSetting
	ignore   []triage.Entry
}

type fileSetting struct {
	values []string // several of an option that takes several
	line   int
}

// parseConfig reads the configuration file called name, in which the options keys
// may stand. Its errors begin with name and line.
func parseConfig(name string, data []byte, keys []cli.Flag) (*configFile, error) {
	file := &configFile{name: name, settings: map[string]fileSetting{}}
	var doc, second yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	switch err := dec.Decode(&doc); {
	case err == io.EOF:
		return file, nil // there is nothing but comments
	case err != nil:
		return nil, file.syntax(data, err)
	case len(doc.Content) == 0 || doc.Content[0].ShortTag() == "!!null":
		return file, nil
	}
	if err := dec.Decode(&second); err == nil {
		return nil, file.errorf(&second, "a second document begins here, which nobody would read")
	} else if err != io.EOF {
		return nil, file.syntax(data, err)
	}
	return file, file.fields(doc.Content[0], "keys with values", func(key string, at, value *yaml.Node) error {
		if key == "ignore" {
			return file.parseIgnore(value)
		}
		i := slices.IndexFunc(keys, func(f cli.Flag) bool { return f.Names()[0] == key })
		if i < 0 {
			return file.errorf(at, "unknown key %q%s", key, keyHint(key, keys))
		}
		values, err := file.values(keys[i], value)
		if err != nil {
			return err
		}
		if join := inFolder[key]; join != nil {
			for i, v := range values {
				values[i] = join(filepath.Dir(name), v)
			}
		}
		file.settings[key] = fileSetting{values, at.Line}
		return nil
	})
}

// keyHint returns what an error about an unknown key says behind it: which key has
// been meant.
func keyHint(unknown string, keys []cli.Flag) string {
	switch unknown {
	case "password":
		return ", a password has a file of its own: password-file"
	case "format":
		return ", output does the same"
	}
	names := []string{"ignore"}
	for _, f := range keys {
		if slices.Contains(f.Names(), unknown) { // by another name
			return didYouMean(f.Names()[0], "", f.Names()[:1])
		}
		names = append(names, f.Names()[0])
	}
	return didYouMean(unknown, "", names)
}

// syntax turns an error of the YAML reader about data into one of this file. Of
// bytes that are no text the reader knows the place, but not the line.
func (file *configFile) syntax(data []byte, err error) error {
	e, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		return configErrorf(file.name, "%v", err)
	}
	line := e.Mark.Line
	if line == 0 {
		line = 1 + bytes.Count(data[:min(e.Mark.Index, len(data))], []byte("\n"))
	}
	return configErrorf(fmt.Sprintf("%s:%d", file.name, line), "%s", e.Message)
}

func (file *configFile) errorf(at *yaml.Node, format string, args ...any) error {
	return configErrorf(file.at(at), format, args...)
}

func (file *configFile) at(n *yaml.Node) string { return fmt.Sprintf("%s:%d", file.name, n.Line) }

// fields calls f for each key of a mapping.
func (file *configFile) fields(n *yaml.Node, what string, f func(key string, at, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return file.errorf(n, "%s are wanted here, not %s", what, kindOf(n))
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			return file.errorf(key, "a key is wanted here, not %s", kindOf(key))
		}
		if seen[key.Value] {
			return file.errorf(key, "%s is there twice", key.Value)
		}
		seen[key.Value] = true
		if err := f(key.Value, key, value); err != nil {
			return err
		}
	}
	return nil
}

// kindOf says what a node is.
func kindOf(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "keys with values"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Kind == yaml.AliasNode:
		return "an alias"
	case n.ShortTag() == "!!null":
		return "nothing"
	}
	return strconv.Quote(n.Value)
}

// values returns the value of an option, or the values of one that takes several.
func (file *configFile) values(f cli.Flag, n *yaml.Node) ([]string, error) {
	key := f.Names()[0]
	if _, ok := f.(*cli.BoolFlag); ok {
		if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" {
			return nil, file.errorf(n, "%s: true or false is wanted, not %s", key, kindOf(n))
		}
		return []string{n.Value}, nil
	}
	list := slices.Contains(ruleLists, key)
	if !list && !takesList(f) {
		s, err := file.text(key, n)
		return []string{s}, err
	}
	values, err := file.texts(key, n)
	if list && err == nil {
		values = []string{strings.Join(values, ",")}
	}
	return values, err
}

// texts returns the texts of a list, or the one that stands in the place of one.
func (file *configFile) texts(key string, n *yaml.Node) ([]string, error) {
	if n.Kind != yaml.SequenceNode {
		s, err := file.text(key, n)
		return []string{s}, err
	}
	var out []string
	for _, e := range n.Content {
		s, err := file.text(key, e)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func (file *configFile) text(key string, n *yaml.Node) (string, error) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" || n.Value == "" {
		return "", file.errorf(n, "%s: a text is wanted, not %s", key, kindOf(n))
	}
	return n.Value, nil
}

func (file *configFile) parseIgnore(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		return file.errorf(n, "ignore: a list is wanted, not %s", kindOf(n))
	}
	for _, e := range n.Content {
		entry, err := file.parseEntry(e)
		if err != nil {
			return err
		}
		file.ignore = append(file.ignore, entry)
	}
	return nil
}

func (file *configFile) parseEntry(n *yaml.Node) (triage.Entry, error) {
	entry := triage.Entry{Where: file.at(n)}
	err := file.fields(n, "the rule, path, key, reason of an entry", func(key string, at, value *yaml.Node) error {
		if key == "rule" {
			var err error
			entry.Rules, err = file.texts(key, value)
			return err
		}
		text, err := file.text(key, value)
		switch key {
		case "path":
			entry.Path = text
		case "key":
			if err == nil {
				var k, malformed = triage.ParseKey(text)
				if entry.Key = &k; malformed != nil {
					return file.errorf(value, "key: %v", malformed)
				}
			}
		case "fingerprint":
			entry.Fingerprint = text
		case "reason":
			entry.Reason = strings.Join(strings.Fields(text), " ")
		case "until":
			var malformed error
			if entry.Until, malformed = time.Parse(time.DateOnly, text); err == nil && malformed != nil {
				return file.errorf(value, "until: %q is no date, such as 2030-12-31", text)
			}
		default:
			return file.errorf(at, "unknown key %q in an entry%s", key, didYouMean(key, "", []string{"rule", "path", "key", "fingerprint", "reason", "until"}))
		}
		return err
	})
	return entry, err
}

func (p *program) runConfig(c *cli.Context) error {
	if c.Args().Present() {
		return usagef("config", "it takes no arguments")
	}
	asJSON, err := isJSON(c)
	if err != nil {
		return err
	}
	conf, err := p.configure(c)
	if err != nil {
		return err
	}
	if _, err := newTriage(conf, triage.Options{Today: time.Now()}); err != nil {
		return err
	}
	if asJSON {
		return p.writeConfigJSON(conf)
	}
	p.writeConfig(conf)
	return nil
}

// writeConfig writes a line for each key and each entry. Run sees the errors of
// p.stdout when it flushes it.
func (p *program) writeConfig(conf *configuration) {
	file := conf.file
	if file == "" {
		file = "none"
	}
	p.paragraph("File:  ", report.Printable(file), p.width)
	p.paragraph("Base:  ", report.Printable(conf.base), p.width)
	p.stdout.WriteByte('\n')
	rows := [][2]string{{"KEY", "FROM"}}
	for i := range conf.settings {
		rows = append(rows, [2]string{conf.settings[i].key, conf.settings[i].String()})
	}
	for i := range conf.ignore {
		rows = append(rows, [2]string{"ignore", conf.ignore[i].Where})
	}
	var wide [2]int
	for _, r := range rows {
		wide[0], wide[1] = max(wide[0], len(r[0])), max(wide[1], len(report.Printable(r[1])))
	}
	for i, r := range rows {
		text := "VALUE"
		switch n := i - 1 - len(conf.settings); {
		case n >= 0:
			text = entryText(&conf.ignore[n])
		case i > 0:
			text = valueText(conf.settings[i-1].value)
		}
		label := pad(r[0], wide[0]) + "  " + pad(report.Printable(r[1]), wide[1]) + "  "
		if text == "" {
			label = strings.TrimRight(label, " ")
		}
		p.paragraph(label, report.Printable(text), p.width)
	}
}

func valueText(v any) string {
	if list, ok := v.([]string); ok {
		return strings.Join(list, ", ")
	}
	return fmt.Sprint(v)
}

// entryText says on one line what an entry is about, until when, and why.
func entryText(e *triage.Entry) string {
	var parts []string
	if len(e.Rules) > 0 {
		parts = append(parts, strings.Join(e.Rules, ", "))
	}
	if e.Path != "" {
		parts = append(parts, e.Path)
	}
	if e.Key != nil {
		parts = append(parts, e.Key.String())
	}
	if e.Fingerprint != "" {
		parts = append(parts, "fingerprint "+e.Fingerprint)
	}
	switch until := e.Until.Format(time.DateOnly); {
	case e.Expired(time.Now()):
		parts = append(parts, "expired on "+until)
	case !e.Until.IsZero():
		parts = append(parts, "until "+until)
	}
	return strings.Join(parts, " ") + ": " + e.Reason
}

// configSchema names the JSON format of the configuration and its version.
const configSchema = "webcap.config/1"

type (
	jsonConfig struct {
		Schema   string        `json:"schema"`
		File     string        `json:"file,omitempty"`
		Base     string        `json:"base"`
		Settings []jsonSetting `json:"settings"`
		Ignore   []jsonEntry   `json:"ignore"`
	}
	jsonSetting struct {
		Key   string `json:"key"`
		Value any    `json:"value"`
		From  origin `json:"from"`
		Where string `json:"where,omitempty"`
	}
	jsonEntry struct {
		Where       string   `json:"where"`
		Rules       []string `json:"rules,omitempty"`
		Path        string   `json:"path,omitempty"`
		Key         string   `json:"key,omitempty"`
		Fingerprint string   `json:"fingerprint,omitempty"`
		Reason      string   `json:"reason"`
		Until       string   `json:"until,omitempty"`
		Expired     bool     `json:"expired"`
	}
)

func (p *program) writeConfigJSON(conf *configuration) error {
	out := jsonConfig{Schema: configSchema, File: conf.file, Base: conf.base, Ignore: []jsonEntry{}}
	for i := range conf.settings {
		s := &conf.settings[i]
		out.Settings = append(out.Settings, jsonSetting{s.key, s.value, s.from, s.where})
	}
	for i := range conf.ignore {
		e := &conf.ignore[i]
		j := jsonEntry{Where: e.Where, Rules: e.Rules, Path: e.Path, Fingerprint: e.Fingerprint, Reason: e.Reason, Expired: e.Expired(time.Now())}
		if e.Key != nil {
			j.Key = e.Key.String()
		}
		if !e.Until.IsZero() {
			j.Until = e.Until.Format(time.DateOnly)
		}
		out.Ignore = append(out.Ignore, j)
	}
	enc := json.NewEncoder(p.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

// tell says something to those who want to know what goes on.
func (p *program) tell(c *cli.Context, format string, args ...any) {
	if c.Bool("verbose") {
		p.say(format, args...)
	}
}

func (p *program) tellConfiguration(c *cli.Context, conf *configuration) {
	if conf.file == "" {
		p.tell(c, "no configuration file")
	} else {
		p.tell(c, "configuration: %s, %s", conf.file, entries(len(conf.ignore)))
	}
	for i := range conf.settings {
		if s := &conf.settings[i]; s.from != byDefault {
			p.tell(c, "%s is %s (%v)", s.key, valueText(s.value), s)
		}
	}
}

func entries(n int) string {
	if n == 1 {
		return "1 entry to ignore"
	}
	return fmt.Sprintf("%d entries to ignore", n)
}
