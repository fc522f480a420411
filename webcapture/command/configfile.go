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

	"github.com/webcap-tools/webcap/webcapture/internal/infile"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/suppress"
)

// readConfig reads the configuration file named, or searches for one. If named is none, it reads no file. The search
// ends at the root of the repository. Outside of a repository, only the working directory counts, because any user may
// be able to write to its parents.
func readConfig(named string, keys []cli.Flag) (*configuration, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	conf := &configuration{settings: map[string]setting{}, root: dir, file: named}
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
		if err := conf.parse(data, keys); err != nil {
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
	data, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if len(data) > maxConfig {
		return nil, fmt.Errorf("%s is larger than %d bytes", name, maxConfig)
	}
	return data, err
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
	err := dec.Decode(&doc)
	if err == nil {
		if err = dec.Decode(&second); err == nil {
			return conf.errorf(&second, "a second document begins here; only one is allowed")
		}
	}
	if err != io.EOF {
		return conf.syntax(data, err)
	}
	if len(doc.Content) == 0 || doc.Content[0].ShortTag() == "!!null" {
		return nil // the file has only comments
	}
	var names []string
	for _, f := range keys {
		names = append(names, f.Names()[0])
	}
	return conf.fields(doc.Content[0], func(key string, at, value *yaml.Node) (err error) {
		switch key {
		case "ignore":
			return conf.parseIgnore(value)
		case "exclude":
			return conf.parseExclude(value)
		}
		i := slices.Index(names, key)
		if i < 0 {
			return conf.errorf(at, "unknown key %q%s", key, didYouMean(key, "", append(names, "ignore", "exclude")))
		}
		s := setting{where: conf.at(at)}
		s.values, err = conf.values(keys[i], value)
		conf.settings[key] = s
		return err
	})
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
func (conf *configuration) fields(n *yaml.Node, f func(key string, at, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return conf.errorf(n, "expected keys with values")
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
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

// values returns the value of an option; several values only for a repeatable option.
func (conf *configuration) values(f cli.Flag, n *yaml.Node) ([]string, error) {
	key := f.Names()[0]
	values, err := conf.texts(key, n)
	switch {
	case err != nil:
		return nil, err
	case slices.Contains(ruleLists, key):
		values = []string{strings.Join(values, ",")}
	case n.Kind == yaml.SequenceNode && !takesList(f):
		return nil, conf.errorf(n, "%s must be a text, not a list", key)
	}
	for i, v := range values {
		values[i] = inFolder(key, filepath.Dir(conf.file), v)
	}
	return values, nil
}

// texts returns the texts in a list. A single text counts as a list.
func (conf *configuration) texts(key string, n *yaml.Node) (list []string, err error) {
	elements := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		elements = n.Content
	}
	for _, e := range elements {
		if e.Kind != yaml.ScalarNode || e.ShortTag() == "!!null" || e.Value == "" {
			return nil, conf.errorf(e, "%s must be a text", key)
		}
		list = append(list, e.Value)
	}
	return list, nil
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
		return conf.errorf(n, "ignore must be a list")
	}
	for _, e := range n.Content {
		entry := suppress.Entry{Where: conf.at(e)}
		err := conf.fields(e, func(key string, at, value *yaml.Node) error {
			return conf.setEntry(&entry, key, at, value)
		})
		if err != nil {
			return err
		}
		conf.ignore = append(conf.ignore, entry)
	}
	return nil
}

// setEntry sets a field of an ignore entry.
func (conf *configuration) setEntry(entry *suppress.Entry, key string, at, value *yaml.Node) error {
	texts, err := conf.texts(key, value)
	if err != nil {
		return err
	}
	if key == "rule" {
		entry.Rules = texts
		return nil
	}
	if value.Kind == yaml.SequenceNode {
		return conf.errorf(value, "%s must be a text, not a list", key)
	}
	text := texts[0]
	switch key {
	case "path":
		entry.Path = text
	case "reason":
		entry.Reason = strings.Join(strings.Fields(text), " ")
	case "key":
		k, err := suppress.ParseKey(text)
		if entry.Key = &k; err != nil {
			return conf.errorf(value, "key: %v", err)
		}
	case "until":
		if entry.Until, err = time.Parse(time.DateOnly, text); err != nil {
			return conf.errorf(value, "until: %q is not a date, such as 2030-12-31", text)
		}
	default:
		return conf.errorf(at, "unknown key %q in an entry%s", key,
			didYouMean(key, "", []string{"rule", "path", "key", "reason", "until"}))
	}
	return nil
}
