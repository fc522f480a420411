package command

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// runner executes steps of an action as GitHub's runner does.
type runner struct {
	workspace, temp string
	bin             []string          // folders before those of PATH
	env             []string          // more variables
	releases        string            // the folder of releases from which curl downloads
	values          map[string]string // of expressions
	used            []step            // steps that use an action, after expansion
	log             string
}

// newRunner returns a runner with a checkout in which captures/good is clean, and captures/bad is not.
func newRunner(t *testing.T) *runner {
	t.Helper()
	needBash(t)
	curl := fake(t, "curl", `#!/usr/bin/env bash
for url; do :; done
until [ "$1" = -o ]; do shift; done
cp "${0%/*}/releases/${url#https://github.com/webcap-tools/webcap/releases/}" "$2" 2>/dev/null || exit 22
`)
	return &runner{workspace: captures(t), temp: t.TempDir(), bin: []string{fakeGo(t), curl},
		releases: filepath.Join(curl, "releases"), values: map[string]string{"github.action_ref": "v9.8.7"}}
}

// captures makes a folder that contains the folder captures.
func captures(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	copyFile(t, root+"/testdata/site.pdf", dir+"/captures/good/site.pdf")
	copyFile(t, root+"/testdata/site-optimized.pdf", dir+"/captures/bad/site.pdf")
	return dir
}

// act runs the action, and returns its outputs and the exit code of the job.
func (r *runner) act(t *testing.T, with map[string]string) (outputs map[string]string, code int) {
	t.Helper()
	a := loadAction(t)
	for name, in := range a.Inputs {
		r.values["inputs."+name] = in.Default
	}
	for name, value := range with {
		if _, ok := a.Inputs[name]; !ok {
			t.Fatalf("the action has no input %q", name)
		}
		r.values["inputs."+name] = value
	}
	code = r.run(t, a.Runs.Steps)
	outputs = map[string]string{}
	for name, out := range a.Outputs {
		outputs[name] = r.expand(t, out.Value)
	}
	return outputs, code
}

// run runs steps and returns the exit code of the first that fails.
func (r *runner) run(t *testing.T, steps []step) (code int) {
	t.Helper()
	for _, s := range steps {
		always := s.If == "always()"
		if code != 0 && !always || s.If != "" && !always && !r.holds(t, s.If) {
			continue
		}
		if s.Uses != "" {
			with := map[string]string{}
			for name, value := range s.With {
				with[name] = r.expand(t, value)
			}
			r.used = append(r.used, step{Uses: s.Uses, With: with})
			continue
		}
		if c := r.shell(t, s); code == 0 {
			code = c
		}
	}
	return code
}

func (r *runner) shell(t *testing.T, s step) int {
	t.Helper()
	files := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(files, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	dir, err := filepath.Abs(filepath.Join(root, actionDir))
	if err != nil {
		t.Fatal(err)
	}
	output, added := write("output", ""), write("path", "")
	c := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", write("script", s.Run))
	c.Dir = r.workspace
	c.Env = append(inPath(r.bin...), "GITHUB_ACTIONS=true", "GITHUB_WORKSPACE="+r.workspace, "RUNNER_TEMP="+r.temp,
		"RUNNER_OS=Linux", "RUNNER_ARCH=X64", "GITHUB_ACTION_PATH="+dir,
		"GITHUB_OUTPUT="+output, "GITHUB_PATH="+added, "GITHUB_STEP_SUMMARY="+filepath.Join(r.temp, "summary"))
	c.Env = append(c.Env, r.env...)
	for name, value := range s.Env {
		c.Env = append(c.Env, name+"="+r.expand(t, value))
	}
	out, err := c.CombinedOutput()
	r.log += string(out)
	if c.ProcessState == nil {
		t.Fatal(err)
	}
	for _, l := range lines(readFile(t, output)) {
		if name, value, ok := strings.Cut(l, "="); ok {
			r.values["steps."+s.ID+".outputs."+name] = value
		}
	}
	if dir := strings.TrimSpace(readFile(t, added)); dir != "" {
		r.bin = append([]string{dir}, r.bin...)
	}
	return c.ProcessState.ExitCode()
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var expression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)

func (r *runner) expand(t *testing.T, text string) string {
	t.Helper()
	return expression.ReplaceAllStringFunc(text, func(s string) string {
		return r.value(t, expression.FindStringSubmatch(s)[1])
	})
}

// value returns the value of a name. An output that was not set is empty, as on GitHub; any other unknown name
// fails the test.
func (r *runner) value(t *testing.T, name string) string {
	t.Helper()
	v, ok := r.values[name]
	if !ok && !strings.HasPrefix(name, "steps.") {
		t.Fatalf("%s is not set", name)
	}
	return v
}

// holds evaluates comparisons with strings, joined by &&.
func (r *runner) holds(t *testing.T, condition string) bool {
	t.Helper()
	for part := range strings.SplitSeq(condition, " && ") {
		words := strings.Fields(part)
		if len(words) != 3 {
			t.Fatalf("a condition that this runner does not understand: %s", part)
		}
		equal := r.value(t, words[0]) == strings.Trim(words[2], "'")
		if equal != (words[1] == "==") {
			return false
		}
	}
	return true
}

func TestAction(t *testing.T) {
	config := filepath.Join(t.TempDir(), "my config.yaml")
	if err := os.WriteFile(config, []byte("disable: [WC126, WC303]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name     string
		with     map[string]string
		code     int // the output
		findings string
		log      string
		noSARIF  bool
	}{
		{name: "clean", with: map[string]string{"paths": "captures/good"}, findings: "0"},
		{name: "uploaded", with: map[string]string{"upload-sarif": "true"}, code: exitFindings, findings: "7",
			log: "::error "},
		{name: "missing", with: map[string]string{"paths": "captures/good\nno such file.pdf"}, code: exitFailed,
			findings: "0", log: "::error "},
		{name: "nothing to audit", with: map[string]string{"paths": "notes"}, code: exitNothing, findings: "0",
			log: "::notice title=webcap::nothing to audit"},
		{name: "options", with: map[string]string{"args": "--disable\nWC126\n--verbose"}, code: exitFindings,
			findings: "6", log: "::error "},
		{name: "level", with: map[string]string{"fail-on": "error; exit 0"}, code: exitUsage, noSARIF: true, log: "::error "},
		{name: "configuration", with: map[string]string{"config": config}, findings: "0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRunner(t)
			if err := os.Mkdir(filepath.Join(r.workspace, "notes"), 0o777); err != nil {
				t.Fatal(err)
			}
			out, code := r.act(t, tt.with)
			if out["exit-code"] != fmt.Sprint(tt.code) || out["findings"] != tt.findings {
				t.Errorf("outputs %q, want exit %d and %s findings\n%s", out, tt.code, tt.findings, r.log)
			}
			if code != tt.code && (code != 0 || tt.code != exitNothing) {
				t.Errorf("the job ends with %d for exit code %d", code, tt.code)
			}
			if !strings.Contains(r.log, tt.log) || tt.log == "" && strings.Contains(r.log, "::error ") {
				t.Errorf("want %q in the log\n%s", tt.log, r.log)
			}
			if tt.noSARIF {
				if out["sarif"] != "" {
					t.Errorf("there is a file %s", out["sarif"])
				}
				return
			}
			readJSON(t, out["sarif"])
			if readFile(t, filepath.Join(r.temp, "summary")) == "" {
				t.Error("there is no job summary")
			}
			if upload := tt.with["upload-sarif"] == "true"; upload != (len(r.used) == 1) ||
				upload && r.used[0].With["sarif_file"] != out["sarif"] {
				t.Errorf("used %v, with %s", r.used, out["sarif"])
			}
		})
	}
}

// The findings of an earlier audit are the baseline of the next one.
func TestActionBaseline(t *testing.T) {
	r := newRunner(t)
	if _, code := r.act(t, map[string]string{"args": "--output=base line.json"}); code != exitFindings {
		t.Fatalf("exit %d\n%s", code, r.log)
	}
	if _, code := r.act(t, map[string]string{"baseline": "base line.json"}); code != exitClean {
		t.Errorf("exit %d with all findings in the baseline\n%s", code, r.log)
	}
}

// File names are never code, never commands to the runner, never split into several words, and never options.
func TestActionHostileNames(t *testing.T) {
	names := []string{
		"a b.pdf", " c.pdf", "$(touch hacked).pdf", "`touch hacked`.pdf", `"; touch hacked; ".pdf`, "'.pdf", "*.pdf",
		"--verbose.pdf", "${HOME}.pdf",
		"\\n.pdf", "${{ github.token }}.pdf", "::error::.pdf",
	}
	r := newRunner(t)
	for _, name := range names {
		copyFile(t, root+"/testdata/site.pdf", filepath.Join(r.workspace, name))
	}
	copyFile(t, root+"/testdata/site-optimized.pdf", filepath.Join(r.workspace, "::error::.pdf")) // the log names it
	out, code := r.act(t, map[string]string{"paths": strings.Join(names, "\n")})
	if code != exitFindings || out["findings"] != "7" || !strings.Contains(r.log, "\n::error::.pdf") {
		t.Errorf("exit %d, outputs %q\n%s", code, out, r.log)
	}
	end := "" // the command that ends the part of the log without commands
	for _, line := range lines(r.log) {
		if token, ok := strings.CutPrefix(line, "::stop-commands::"); ok {
			end = "::" + token + "::"
		} else if line == end {
			end = ""
		} else if end == "" && strings.HasPrefix(line, "::") && strings.Contains(line, ".pdf") {
			t.Errorf("the log has the command %s", line)
		}
	}
	if _, err := os.Stat(filepath.Join(r.workspace, "hacked")); err == nil {
		t.Error("a file name was run")
	}
	var summary struct{ Inputs int }
	all := lines(readFile(t, filepath.Join(r.temp, "webcap.ndjson")))
	if err := json.Unmarshal([]byte(all[len(all)-1]), &summary); err != nil || summary.Inputs != len(names) {
		t.Errorf("%d files were audited, want %d: %v", summary.Inputs, len(names), err)
	}
}

// publish puts a release for one system into a folder, with an archive as .goreleaser.yaml describes it. The program in
// the archive calls webcap.
func publish(t *testing.T, dir, system string, damaged bool) {
	t.Helper()
	program, err := exec.LookPath("webcap")
	if err != nil {
		t.Fatal(err)
	}
	name := strings.Replace(fill(t, loadRelease(t).Archives[0].NameTemplate), "linux", system, 1)
	tree := fstest.MapFS{name + "/webcap": {Data: []byte("#!/bin/sh\nexec '" + program + "' \"$@\"\n"), Mode: 0o755}}
	var b bytes.Buffer
	if system == "windows" {
		name += ".zip"
		z := zip.NewWriter(&b)
		err = errors.Join(z.AddFS(tree), z.Close())
	} else {
		name += ".tar.gz"
		g := gzip.NewWriter(&b)
		w := tar.NewWriter(g)
		err = errors.Join(w.AddFS(tree), w.Close(), g.Close())
	}
	sum := sha256.Sum256(b.Bytes())
	if damaged {
		b.WriteByte(0)
	}
	err = errors.Join(err, os.MkdirAll(dir, 0o777), os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666),
		os.WriteFile(filepath.Join(dir, "checksums.txt"), fmt.Appendf(nil, "%x  %[2]s.sbom.json\n%[1]x  %[2]s\n", sum, name),
			0o666))
	if err != nil {
		t.Fatal(err)
	}
}

// The action downloads the program of a release, or calls go. It accepts no other program than the released one.
func TestActionInstalls(t *testing.T) {
	for _, tt := range []struct {
		name, version, release string // release is a folder of its download page
		damaged                bool
		env                    []string
		calls                  string // of go
		failure                string
	}{
		{name: "release of the tag", release: "download/v9.8.7"},
		{name: "release", version: "v1.2.3", release: "download/v1.2.3"},
		{name: "latest release", version: "latest", release: "latest/download"},
		{name: "zip", release: "download/v9.8.7", env: []string{"RUNNER_OS=Windows"}},
		{name: "release for other systems", release: "download/v9.8.7", env: []string{"RUNNER_ARCH=ARM64"},
			calls: "build -trimpath -ldflags -X '" + module + "/webcapture/command.version=v9.8.7' -o "},
		{name: "no release", version: "v1.2.3", release: "download/v9.8.7",
			calls: "install -trimpath " + module + "@v1.2.3\n"},
		{name: "hostile version", version: "v1 $(touch hacked); x",
			calls: "install -trimpath " + module + "@v1 $(touch hacked); x\n"},
		{name: "wrong checksum", release: "download/v9.8.7", damaged: true, failure: "does not have the checksum"},
		{name: "neither release nor Go", env: []string{"PATH=" + onlyCommands(t, "bash", "mkdir")},
			failure: "let actions/setup-go run before"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRunner(t)
			r.env = tt.env
			system := "linux"
			if slices.Contains(tt.env, "RUNNER_OS=Windows") {
				system = "windows"
				webcapturetest.Program(t, "unzip")
			}
			if tt.release != "" {
				publish(t, filepath.Join(r.releases, tt.release), system, tt.damaged)
			}
			called := filepath.Join(r.bin[0], "calls")
			if err := os.WriteFile(called, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			_, code := r.act(t, map[string]string{"version": tt.version, "paths": "captures/good"})
			if got := readFile(t, called); !strings.HasPrefix(got, tt.calls) || tt.calls == "" && got != "" {
				t.Errorf("go %s\nwant %s", got, tt.calls)
			}
			if tt.failure != "" {
				if code != 1 || strings.Count(r.log, "::error ") != 1 || !strings.Contains(r.log, tt.failure) {
					t.Errorf("exit %d, want 1 and an error with %q\n%s", code, tt.failure, r.log)
				}
				return
			}
			if code != exitClean || !strings.HasPrefix(r.bin[0], r.temp) {
				t.Errorf("exit %d, and %s in PATH\n%s", code, r.bin[0], r.log)
			}
		})
	}
}

// onlyCommands makes a folder with only these commands.
func onlyCommands(t *testing.T, names ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range names {
		program, err := exec.LookPath(name)
		if err == nil {
			err = os.Symlink(program, filepath.Join(dir, name))
		}
		if err != nil {
			t.Skip("needs ", name, " and links: ", err)
		}
	}
	return dir
}

// The action builds the version that it belongs to.
func TestActionBuilds(t *testing.T) {
	releaseBuilds(t)
	r := newRunner(t)
	r.bin = r.bin[1:] // without the fake of Go
	if _, code := r.act(t, map[string]string{"paths": "captures/good"}); code != exitClean {
		t.Fatalf("exit %d\n%s", code, r.log)
	}
	out, err := exec.Command(filepath.Join(r.bin[0], "webcap"), "--version").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "webcap v9.8.7,") {
		t.Errorf("--version: %v, %q", err, out)
	}
}

var pinned = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)

// checkSteps checks that no expression is used as code, and that foreign actions are pinned.
func checkSteps(t *testing.T, file string, steps []step) {
	t.Helper()
	for _, s := range steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("%s: an expression in a script: %s", file, s.Run)
		}
		ours := s.Uses == "./"+actionDir || strings.HasPrefix(s.Uses, "webcap-tools/webcap/"+actionDir+"@")
		if s.Uses != "" && !ours && !pinned.MatchString(s.Uses) {
			t.Errorf("%s: %s is not pinned to a commit", file, s.Uses)
		}
		// A program that is called by its path must exist.
		if name, _, _ := strings.Cut(s.Run, " "); strings.HasPrefix(name, ".") {
			if _, err := os.Stat(filepath.Join(root, name)); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

func TestActionAndWorkflowsAreSafe(t *testing.T) {
	checkSteps(t, actionDir, loadAction(t).Runs.Steps)
	files, err := filepath.Glob(root + "/.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		var w workflow
		loadYAML(t, ".github/workflows/"+filepath.Base(file), &w)
		if len(w.Permissions) == 0 {
			t.Errorf("%s: permissions are not limited", file)
		}
		for _, job := range w.Jobs {
			if _, err := os.Stat(filepath.Join(root, job.Uses)); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			checkSteps(t, file, job.Steps)
		}
	}
}
