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
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
	"go.yaml.in/yaml/v4"

	"github.com/webcap-tools/webcap/webcapture/internal/infile"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/suppress"
)

// readConfig reads the configuration file named, or searches for one. If named is none, it reads no file.
func readConfig(named string, keys []cli.Flag) (*configuration, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	home, _ := os.UserHomeDir() // without a home folder, that limit of the search is missing
	path, repository := findConfig(dir, home)
	switch {
	case named == "none":
		path = ""
	case named != "":
		path = named
	}
	conf := &configuration{settings: map[string]setting{}, root: dir}
	if path != "" {
		conf.file = path
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
		if rel, err := filepath.Rel(dir, path); err == nil && named == "" {
			conf.file = rel
		}
		conf.root = filepath.Dir(path)
		data, err := readLimited(conf.file, named == "")
		if err != nil {
			return nil, usagef("audit", "cannot read the configuration: %v", err)
		}
		if err := conf.parse(data, keys); err != nil {
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
	data, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if len(data) > maxConfig {
		return nil, fmt.Errorf("%s is larger than %d bytes", name, maxConfig)
	}
	return data, err
}

// findConfig searches dir and its parents for a configuration file. It stops at the root of the repository, which
// it also returns, or else at home, unless home is the root of the file system. If dir is in neither, it searches
// only dir, because any user may be able to write to the parents.
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

// parse parses the configuration file, which may set the options keys. Its errors begin with name and line.
func (conf *configuration) parse(data []byte, keys []cli.Flag) error {
	var doc, second yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	switch err := dec.Decode(&doc); {
	case err == io.EOF:
		return nil // the file has only comments
	case err != nil:
		return conf.syntax(data, err)
	case len(doc.Content) == 0 || doc.Content[0].ShortTag() == "!!null":
		return nil
	}
	if err := dec.Decode(&second); err == nil {
		return conf.errorf(&second, "a second document begins here; only one is allowed")
	} else if err != io.EOF {
		return conf.syntax(data, err)
	}
	return conf.fields(doc.Content[0], "keys with values", func(key string, at, value *yaml.Node) (err error) {
		switch key {
		case "ignore":
			return conf.parseIgnore(value)
		case "exclude":
			return conf.parseExclude(value)
		}
		i := slices.IndexFunc(keys, func(f cli.Flag) bool { return f.Names()[0] == key })
		if i < 0 {
			return conf.errorf(at, "unknown key %q%s", key, keyHint(key, keys))
		}
		s := setting{by: conf.file, where: conf.at(at)}
		if s.values, err = conf.values(keys[i], value); err != nil {
			return err
		}
		for i, v := range s.values {
			s.values[i] = inFolder(key, filepath.Dir(conf.file), v)
		}
		conf.settings[key] = s
		return nil
	})
}

// keyHint returns the suggestion at the end of an error about an unknown key.
func keyHint(unknown string, keys []cli.Flag) string {
	switch unknown {
	case "password":
		return ", name a file with password-file"
	case "format":
		return ", use -f on the command line"
	}
	names := []string{"ignore", "exclude"}
	for _, f := range keys {
		if slices.Contains(f.Names(), unknown) { // the short name of an option
			return didYouMean(f.Names()[0], "", f.Names()[:1])
		}
		names = append(names, f.Names()[0])
	}
	return didYouMean(unknown, "", names)
}

// syntax turns an error of the YAML reader into one that names this file and the line. For bytes that are not text,
// the reader gives the position, but not the line.
func (conf *configuration) syntax(data []byte, err error) error {
	e, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		return configErrorf(conf.file, "%v", err)
	}
	line := e.Mark.Line
	if line == 0 {
		line = 1 + bytes.Count(data[:min(e.Mark.Index, len(data))], []byte("\n"))
	}
	return configErrorf(fmt.Sprintf("%s:%d", conf.file, line), "%s", e.Message)
}

func (conf *configuration) errorf(at *yaml.Node, format string, args ...any) error {
	return configErrorf(conf.at(at), format, args...)
}

func (conf *configuration) at(n *yaml.Node) string { return fmt.Sprintf("%s:%d", conf.file, n.Line) }

// fields calls f for each key of a mapping.
func (conf *configuration) fields(n *yaml.Node, what string, f func(key string, at, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return conf.errorf(n, "expected %s, found %s", what, kindOf(n))
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			return conf.errorf(key, "expected a key, found %s", kindOf(key))
		}
		if seen[key.Value] {
			return conf.errorf(key, "%s is set twice", key.Value)
		}
		seen[key.Value] = true
		if err := f(key.Value, key, value); err != nil {
			return err
		}
	}
	return nil
}

// kindOf describes the kind of a YAML node.
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

// values returns the value of an option; several values only for a repeatable option.
func (conf *configuration) values(f cli.Flag, n *yaml.Node) ([]string, error) {
	key := f.Names()[0]
	if _, ok := f.(*cli.BoolFlag); ok {
		if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" {
			return nil, conf.errorf(n, "%s must be true or false, not %s", key, kindOf(n))
		}
		return []string{n.Value}, nil
	}
	list := slices.Contains(ruleLists, key)
	if !list && !takesList(f) {
		s, err := conf.text(key, n)
		return []string{s}, err
	}
	values, err := conf.texts(key, n)
	if list && err == nil {
		values = []string{strings.Join(values, ",")}
	}
	return values, err
}

// texts returns the texts in a list. A single text counts as a list.
func (conf *configuration) texts(key string, n *yaml.Node) ([]string, error) {
	if n.Kind != yaml.SequenceNode {
		s, err := conf.text(key, n)
		return []string{s}, err
	}
	var out []string
	for _, e := range n.Content {
		s, err := conf.text(key, e)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func (conf *configuration) text(key string, n *yaml.Node) (string, error) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" || n.Value == "" {
		return "", conf.errorf(n, "%s must be a text, not %s", key, kindOf(n))
	}
	return n.Value, nil
}

func (conf *configuration) parseExclude(n *yaml.Node) (err error) {
	if conf.exclude, err = conf.texts("exclude", n); err != nil {
		return err
	}
	for _, pattern := range conf.exclude {
		if err := suppress.CheckPattern(pattern); err != nil {
			return conf.errorf(n, "exclude: %v", err)
		}
	}
	return nil
}

func (conf *configuration) parseIgnore(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		return conf.errorf(n, "ignore must be a list, not %s", kindOf(n))
	}
	for _, e := range n.Content {
		entry, err := conf.parseEntry(e)
		if err != nil {
			return err
		}
		conf.ignore = append(conf.ignore, entry)
	}
	return nil
}

func (conf *configuration) parseEntry(n *yaml.Node) (suppress.Entry, error) {
	entry := suppress.Entry{Where: conf.at(n)}
	err := conf.fields(n, "the rule, path, key, reason of an entry", func(key string, at, value *yaml.Node) error {
		if key == "rule" {
			var err error
			entry.Rules, err = conf.texts(key, value)
			return err
		}
		text, err := conf.text(key, value)
		switch key {
		case "path":
			entry.Path = text
		case "key":
			if err == nil {
				var k, malformed = suppress.ParseKey(text)
				if entry.Key = &k; malformed != nil {
					return conf.errorf(value, "key: %v", malformed)
				}
			}
		case "fingerprint":
			entry.Fingerprint = text
		case "reason":
			entry.Reason = strings.Join(strings.Fields(text), " ")
		case "until":
			var malformed error
			if entry.Until, malformed = time.Parse(time.DateOnly, text); err == nil && malformed != nil {
				return conf.errorf(value, "until: %q is not a date, such as 2030-12-31", text)
			}
		default:
			return conf.errorf(at, "unknown key %q in an entry%s", key,
				didYouMean(key, "", []string{"rule", "path", "key", "fingerprint", "reason", "until"}))
		}
		return err
	})
	return entry, err
}
