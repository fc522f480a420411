package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/suppress"
)

func auditKeys() []cli.Flag { return keyFlags((&program{}).audit().Flags) }

// notKeys lists exactly the options that a configuration cannot have.
func TestKeys(t *testing.T) {
	var all, keys []string
	for _, f := range append((&program{}).audit().Flags, helpFlag()) {
		all = append(all, f.Names()[0])
	}
	for _, f := range auditKeys() {
		keys = append(keys, f.Names()[0])
	}
	for _, name := range notKeys {
		if !slices.Contains(all, name) || slices.Contains(keys, name) {
			t.Errorf("%s is not an option, or it is a key", name)
		}
	}
	if len(keys)+len(notKeys) != len(all) {
		t.Errorf("keys %q of options %q", keys, all)
	}
	for _, name := range ruleLists {
		if !slices.Contains(keys, name) {
			t.Errorf("%s is not a key", name)
		}
	}
}

// parseConfig parses the content of a configuration file.
func parseConfig(name string, data []byte) (*configuration, error) {
	conf := &configuration{file: name, settings: map[string]setting{}}
	return conf, conf.parse(data, auditKeys())
}

func TestParseConfig(t *testing.T) {
	name := filepath.Join("dir", "file")
	at := func(line int, values ...string) setting {
		return setting{values, fmt.Sprintf("%s:%d", name, line)}
	}
	type settings = map[string]setting
	for _, tt := range []struct {
		in   string
		want settings
	}{
		{"", settings{}},
		{"# nothing\n", settings{}},
		{"---\n", settings{}},
		{"{}", settings{}},
		{"fail-on: note\nexit-zero: false", settings{"fail-on": at(1, "note"), "exit-zero": at(2, "false")}},
		{"only: [urls, WC3]", settings{"only": at(1, "urls,WC3")}},
		{"only: urls, WC3", settings{"only": at(1, "urls, WC3")}},
		{"source: a", settings{"source": at(1, filepath.Join("dir", "a"))}},
		{"source:\n- warc:a", settings{"source": at(1, "warc:"+filepath.Join("dir", "a"))}},
		{"baseline: 'true'", settings{"baseline": at(1, filepath.Join("dir", "true"))}},
	} {
		t.Run(tt.in, func(t *testing.T) {
			conf, err := parseConfig(name, []byte(tt.in))
			if err != nil || !reflect.DeepEqual(conf.settings, tt.want) {
				t.Errorf("%v, %v, want %v", conf.settings, err, tt.want)
			}
		})
	}
}

func TestParseConfigErrors(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"a", "file:1: expected keys with values"},
		{"[a]", "file:1: expected keys with values"},
		{"exit-zero: true\nexit-zero: true", "file:2: exit-zero is set twice"},
		{"exit-zero:", "file:1: exit-zero must be a text"},
		{"fail-on: [error]", "file:1: fail-on must be a text, not a list"},
		{"fail-on:", "file:1: fail-on must be a text"},
		{"only: {a: b}", "file:1: only must be a text"},
		{"only: [a, [b]]", "file:1: only must be a text"},
		{"only: &x [a]\ndisable: *x", "file:2: disable must be a text"},
		{"? [a]\n: b", `file:1: unknown key ""`},
		{"1: 2", `file:1: unknown key "1"`},
		{"sorce: a", `file:1: unknown key "sorce", did you mean source?`},
		{"config: a", `file:1: unknown key "config"`},
		{"password: a", `file:1: unknown key "password", did you mean password-file?`},
		{"format: json", `file:1: unknown key "format"`},
		{"only-failures: true", `file:1: unknown key "only-failures"`},
		{"? [a]\n: b\n? [c]\n: d", `file:1: unknown key ""`},
		{"? ''\n: b\n? [c]\n: d", `file:1: unknown key ""`},
		{"baseline: ''", "file:1: baseline must be a text"},
		{"source: [a, '']", "file:1: source must be a text"},
		{"exit-zero: true\nfail-on: \xff\n", "file:2: invalid leading UTF-8 octet (value: 255)"},
		{"\n\nfail-on: \x00\n", "file:3: control characters are not allowed (value: 0)"},
		{"exit-zero: true\n\tfail-on: note", "file:2: found a tab character that violates indentation"},
		{"ignore:\n- {rule: WC204, path: ''}", "file:2: path must be a text"},
		{"ignore: a", "file:1: ignore must be a list"},
		{"ignore:\n- a", "file:2: expected keys with values"},
		{"ignore:\n- key: <0>", `file:2: key: "<0>" is not a key in hexadecimal`},
		{"ignore:\n- key: [a]", "file:2: key must be a text, not a list"},
		{"ignore:\n- until: 2030-02-30", `file:2: until: "2030-02-30" is not a date, such as 2030-12-31`},
		{"ignore:\n- until: {a: b}", "file:2: until must be a text"},
		{"exit-zero: true\n---\n\ta: b", "file:3: found a tab character where an indentation space is expected"},
		{"exit-zero: true\n---\nexit-zero: true", "file:2: a second document begins here; only one is allowed"},
	} {
		t.Run(tt.in, func(t *testing.T) {
			_, err := parseConfig("file", []byte(tt.in))
			usage, ok := errors.AsType[*usageError](err)
			if !ok || usage.text != tt.want {
				t.Errorf("parseConfig(%q): %v, want %s", tt.in, err, tt.want)
			}
		})
	}
}

// Results name the working directory relative to the base, which is the repository if there is one.
func TestDirectoryOfResults(t *testing.T) {
	top := t.TempDir()
	if err := os.MkdirAll(filepath.Join(top, "repository", ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ dir, base, want string }{
		{"plain", "plain", ""},
		{"repository", "repository", ""},
		{"repository/below/deep", "repository", "below/deep"},
	} {
		t.Run(tt.dir, func(t *testing.T) {
			dir := filepath.Join(top, filepath.FromSlash(tt.dir))
			if err := os.MkdirAll(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			conf, err := readConfig("none", nil)
			if err != nil || conf.directory != tt.want || filepath.Base(conf.base) != tt.base {
				t.Errorf("directory %q below %s, %v, want %q", conf.directory, conf.base, err, tt.want)
			}
		})
	}
}

// Entries that cannot apply are errors of the configuration.
func TestEntriesAreChecked(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile(configName, []byte("ignore:\n- {rule: WC999, reason: a}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	code, stderr := run(nil, io.Discard, "audit", "a.pdf")
	if code != exitUsage || !strings.HasPrefix(stderr, "webcap: audit: .webcap.yaml:2: ") ||
		!strings.Contains(stderr, "WC999") {
		t.Errorf("exit %d, it says %s", code, stderr)
	}
}

// Any configuration is either read or rejected, consistently.
func FuzzParseConfig(f *testing.F) {
	for _, s := range []string{"", "a: [", "exit-zero: true",
		"ignore:\n- rule: WC204\n  key: <00>\n  until: 2030-12-31\n  reason: a", "a: &a [*a]", "<<: {a: b}", "\xff",
		"!!binary a: b", "--- a\n--- b"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, err := parseConfig("file", data)
		if _, ok := errors.AsType[*usageError](err); err != nil && !ok {
			t.Errorf("%v is not about the command line", err)
		}
	})
}

func TestInFolder(t *testing.T) {
	abs, err := filepath.Abs("abs")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ key, in, want string }{
		{"baseline", "a.json", "dir/a.json"},
		{"baseline", abs, abs},
		{"password-file", "../p", "p"},
		{"output", "json", "json"},
		{"output", "json:-", "json:-"},
		{"output", "json:a:b.json", "json:dir/a:b.json"},
		{"output", "json:" + abs, "json:" + abs},
		{"source", "a", "dir/a"},
		{"source", "warc:a", "warc:dir/a"},
	} {
		t.Run(tt.key, func(t *testing.T) {
			if got := filepath.ToSlash(inFolder(tt.key, "dir", tt.in)); got != filepath.ToSlash(tt.want) {
				t.Errorf("%s: %q is %q, want %q", tt.key, tt.in, got, tt.want)
			}
		})
	}
}

// The search for a configuration ends at the root of the repository. Outside of a repository, it covers only the working
// directory: other users may be able to write to its parents.
func TestFindConfig(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{"projects/repository/.git", "projects/repository/folder", "projects/plain", "empty/.git"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"", "projects", "projects/repository"} {
		if err := os.WriteFile(filepath.Join(top, dir, configName), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ dir, file, base string }{
		{"projects/repository/folder", "../" + configName, "projects/repository"},
		{"projects/repository", configName, "projects/repository"},
		{"projects", configName, "projects"},
		{"projects/plain", "", "projects/plain"},
		{"empty", "", "empty"},
	} {
		t.Run(tt.dir, func(t *testing.T) {
			t.Chdir(filepath.Join(top, tt.dir))
			conf, err := readConfig("", auditKeys())
			if err != nil || filepath.ToSlash(conf.file) != tt.file || !sameFile(conf.base, filepath.Join(top, tt.base)) {
				t.Errorf("%+v, %v", conf, err)
			}
		})
	}
}

// A special file with the name of a configuration is an error, and is not read without end.
func TestReadConfigRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		create     func(path string) error
	}{
		{"folder", ".webcap.yaml is not a file", func(path string) error { return os.Mkdir(path, 0o777) }},
		{"device", ".webcap.yaml is not a file", func(path string) error { return os.Symlink(os.DevNull, path) }},
		{"link to nowhere", "stat .webcap.yaml: ", func(path string) error { return os.Symlink("nowhere", path) }},
		{"huge", ".webcap.yaml is larger than 4194304 bytes", func(path string) error {
			return os.WriteFile(path, bytes.Repeat([]byte("#"), maxConfig+1), 0o666)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := tt.create(configName); err != nil {
				if runtime.GOOS == "windows" {
					t.Skip("links are for administrators here")
				}
				t.Fatal(err)
			}
			_, err := readConfig("", auditKeys())
			usage, ok := errors.AsType[*usageError](err)
			if !ok || !strings.HasPrefix(usage.text, "cannot read the configuration: "+tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

// Configurations in the documentation are valid.
func TestDocumentedConfigurations(t *testing.T) {
	for _, name := range []string{"configuration.md", "suppress.md"} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(root, "docs", name))
			if err != nil {
				t.Fatal(err)
			}
			_, rest, ok := strings.Cut(string(text), "\n```yaml\n")
			if !ok {
				t.Errorf("%s shows none", name)
			}
			for ; ok; _, rest, ok = strings.Cut(rest, "\n```yaml\n") {
				block, _, _ := strings.Cut(rest, "```")
				conf, err := parseConfig(name, []byte(block))
				if err == nil {
					_, err = suppress.New(suppress.Options{Entries: conf.ignore})
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A configuration may have the maximum size.
func TestLargestConfiguration(t *testing.T) {
	text := bytes.Repeat([]byte("#"), maxConfig)
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.yaml", text, 0o666); err != nil {
		t.Fatal(err)
	}
	if data, err := readLimited("a.yaml", true); err != nil || !bytes.Equal(data, text) {
		t.Errorf("of %d bytes: %d bytes, %v", len(text), len(data), err)
	}
}

// An error of the YAML reader names the file, and the line if the error has one.
func TestSyntaxWithoutLine(t *testing.T) {
	err := (&configuration{file: "file"}).syntax(nil, errors.New("bad disk"))
	if usage, ok := errors.AsType[*usageError](err); !ok || usage.text != "file: bad disk" {
		t.Errorf("%v", err)
	}
}

// Errors in keys and entries of a configuration name the line.
func TestConfigurationKeys(t *testing.T) {
	for in, want := range map[string]string{
		"ignore:\n- rule: {a: b}":           "file:2: rule must be a text",
		"ignore:\n- rule: [WC204, [a]]":     "file:2: rule must be a text",
		"ignore:\n- rul: WC204":             `file:2: unknown key "rul" in an entry, did you mean rule?`,
		"exit-zero: true\n---\nonly: [true": "file:4: ",
	} {
		_, err := parseConfig("file", []byte(in))
		usage, ok := errors.AsType[*usageError](err)
		if !ok || !strings.HasPrefix(usage.text, want) {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}
