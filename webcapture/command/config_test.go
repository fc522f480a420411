package command

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/suppress"
)

// The keys of a configuration are options of webcap audit, except those of ignore and exclude.
func TestKeys(t *testing.T) {
	flags := (&program{}).audit().Flags
	for _, key := range configKeys[:slices.Index(configKeys, "exclude")] {
		if _, _, err := lookup(flags, "audit", "--"+key); err != nil {
			t.Error(err)
		}
	}
}

// parseConfig parses the content of a configuration file.
func parseConfig(name string, data []byte) (*configuration, error) {
	conf := &configuration{file: name}
	if err := conf.parse(data); err != nil {
		return nil, err
	}
	_, err := conf.entries()
	return conf, err
}

func TestParseConfig(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want configFile
	}{
		{"", configFile{}},
		{"# nothing\n", configFile{}},
		{"---\n", configFile{}},
		{"{}", configFile{}},
		{"fail-on: note\nbaseline:", configFile{FailOn: "note"}},
		{"only: [urls, WC3]", configFile{Only: texts{"urls", "WC3"}}},
		{"only: urls, WC3", configFile{Only: texts{"urls, WC3"}}},
		{"baseline: 'true'", configFile{Baseline: "true"}},
	} {
		t.Run(tt.in, func(t *testing.T) {
			conf, err := parseConfig("file", []byte(tt.in))
			if err != nil || !reflect.DeepEqual(conf.configFile, tt.want) {
				t.Errorf("%+v, %v, want %+v", conf, err, tt.want)
			}
		})
	}
}

func TestParseConfigErrors(t *testing.T) {
	const wrongForm = "a value has the wrong form; see docs/configuration.md"
	for _, tt := range []struct{ in, want string }{
		{"a", "file:1: " + wrongForm},
		{"[a]", "file:1: " + wrongForm},
		{"only: a\nonly: a", `file:2: mapping key "only" already defined at line 1`},
		{"fail-on: [error]", "file:1: " + wrongForm},
		{"only: {a: b}", "file:1: " + wrongForm},
		{"only: [a, [b]]", "file:1: " + wrongForm},
		{"? [a]\n: b", "file:1: " + wrongForm},
		{"1: 2", `file:1: unknown key "1"`},
		{"onyl: a", `file:1: unknown key "onyl", did you mean only?`},
		{"config: a", `file:1: unknown key "config"`},
		{"password: a", `file:1: unknown key "password"`},
		{"format: json", `file:1: unknown key "format"`},
		{"only: a\nfail-on: \xff\n", "file: invalid leading UTF-8 octet (value: 255)"},
		{"\n\nfail-on: \x00\n", "file: control characters are not allowed (value: 0)"},
		{"only: a\n\tfail-on: note", "file:2: found a tab character that violates indentation"},
		{"only: a\nexclude: [a/]", `file:2: exclude: "a/" matches no file; remove ., .. and a slash at the end`},
		{"ignore: a", "file:1: " + wrongForm},
		{"ignore:\n- a", "file:2: " + wrongForm},
		{"ignore:\n- rul: WC204", `file:2: unknown key "rul", did you mean rule?`},
		{"ignore:\n- key: <0>", `file:2: key: "<0>" is not a key in hexadecimal`},
		{"ignore:\n- key: [a]", "file:2: " + wrongForm},
		{"ignore:\n- rule: {a: b}", "file:2: " + wrongForm},
		{"ignore:\n- until: 2030-02-30", `file:2: until: "2030-02-30" is not a date, such as 2030-12-31`},
		{"only: a\n---\nonly: a", "file: expected single document, found multiple"},
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
			conf, err := readConfig("none")
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
	for _, s := range []string{"", "a: [", "only: a",
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

func TestPathOfBaseline(t *testing.T) {
	abs, err := filepath.Abs("abs")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"": "", "a": "dir/a", "../p": "p", abs: abs} {
		conf := &configuration{file: "dir/file", configFile: configFile{Baseline: path}}
		if got := conf.baseline(); filepath.ToSlash(got) != filepath.ToSlash(want) {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
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
			conf, err := readConfig("")
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
		{"huge", "too long: more than 4194304 bytes", func(path string) error {
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
			_, err := readConfig("")
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
				if err != nil {
					t.Fatal(err)
				}
				entries, err := conf.entries()
				if err == nil {
					_, err = suppress.New(suppress.Options{Entries: entries})
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
