package command

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// runner executes steps of an action as GitHub's runner does.
type runner struct {
	workspace, temp string
	bin             []string          // folders before those of PATH
	values          map[string]string // of expressions
	used            []step            // steps that use an action, after expansion
	log             string
}

// newRunner returns a runner with a checkout in which captures/good is clean, and captures/bad is not.
func newRunner(t *testing.T) *runner {
	t.Helper()
	needBash(t)
	return &runner{workspace: captures(t), temp: t.TempDir(), bin: []string{fakeGo(t)}, values: map[string]string{}}
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
	r.values["github.action_ref"] = "v9.8.7"
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
		"GITHUB_ACTION_PATH="+dir,
		"GITHUB_OUTPUT="+output, "GITHUB_PATH="+added, "GITHUB_STEP_SUMMARY="+filepath.Join(r.temp, "summary"))
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

// checkResults checks that SARIF and a job summary were written.
func (r *runner) checkResults(t *testing.T, sarif string) {
	t.Helper()
	var log struct{ Version string }
	if err := json.Unmarshal([]byte(readFile(t, sarif)), &log); err != nil {
		t.Errorf("SARIF: %v", err)
	}
	if log.Version != "2.1.0" {
		t.Errorf("SARIF has version %q", log.Version)
	}
	if readFile(t, filepath.Join(r.temp, "summary")) == "" {
		t.Error("there is no job summary")
	}
}

func TestAction(t *testing.T) {
	config := filepath.Join(t.TempDir(), "my config.yaml")
	if err := os.WriteFile(config, []byte("disable: [WC126, WC303]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name     string
		with     map[string]string
		code     int
		findings string
		noSARIF  bool
	}{
		{name: "clean", with: map[string]string{"paths": "captures/good"}, findings: "0"},
		{name: "clean uploaded", with: map[string]string{"paths": "captures/good\n", "upload-sarif": "true"},
			findings: "0"},
		{name: "all", with: map[string]string{"upload-sarif": "true"}, code: exitFindings, findings: "7"},
		{name: "lines", with: map[string]string{"paths": "captures/good\n\ncaptures/bad/site.pdf\n"},
			code: exitFindings, findings: "7"},
		{name: "missing", with: map[string]string{"paths": "captures/good\nno such file.pdf"}, code: exitFailed,
			findings: "0"},
		{name: "nothing", with: map[string]string{"paths": "notes"}, code: exitNothing, findings: "0"},
		{name: "options", with: map[string]string{"args": "--disable=WC126\n--quiet"}, code: exitFindings,
			findings: "6"},
		{name: "two words", with: map[string]string{"args": "--disable\nWC126,WC303"}, findings: "0"},
		{name: "no such option", with: map[string]string{"args": "--no-such"}, code: exitUsage, noSARIF: true},
		{name: "level", with: map[string]string{"fail-on": "note"}, code: exitFindings, findings: "7"},
		{name: "bad level", with: map[string]string{"fail-on": "error; exit 0"}, code: exitUsage, noSARIF: true},
		{name: "configuration", with: map[string]string{"config": config}, findings: "0"},
		{name: "no baseline", with: map[string]string{"baseline": "no such file"}, code: exitUsage, noSARIF: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRunner(t)
			if err := os.Mkdir(filepath.Join(r.workspace, "notes"), 0o777); err != nil {
				t.Fatal(err)
			}
			out, code := r.act(t, tt.with)
			if code != tt.code || out["exit-code"] != fmt.Sprint(tt.code) || out["findings"] != tt.findings {
				t.Errorf("exit %d, outputs %q, want exit %d and %s findings\n%s", code, out, tt.code, tt.findings,
					r.log)
			}
			if tt.noSARIF {
				if out["sarif"] != "" {
					t.Errorf("there is a file %s", out["sarif"])
				}
				return
			}
			r.checkResults(t, out["sarif"])
			if annotated := strings.Contains(r.log, "::error "); code != exitNothing &&
				annotated != (code != exitClean) {
				t.Errorf("exit %d, annotations: %v\n%s", code, annotated, r.log)
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
	if _, code := r.act(t, map[string]string{"args": "--output=json:base line.json"}); code != exitFindings {
		t.Fatalf("exit %d\n%s", code, r.log)
	}
	if _, code := r.act(t, map[string]string{"baseline": "base line.json"}); code != exitClean {
		t.Errorf("exit %d with all findings in the baseline\n%s", code, r.log)
	}
}

// File names are never code, never split into several words, and never options.
func TestActionHostileNames(t *testing.T) {
	names := []string{
		"a b.pdf", " c.pdf", "$(touch hacked).pdf", "`touch hacked`.pdf", `"; touch hacked; ".pdf`, "'.pdf", "*.pdf",
		"--quiet.pdf", "${HOME}.pdf",
		"\\n.pdf", "${{ github.token }}.pdf", "::error::.pdf",
	}
	r := newRunner(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			copyFile(t, root+"/testdata/site.pdf", filepath.Join(r.workspace, name))
		})
	}
	out, code := r.act(t, map[string]string{"paths": strings.Join(names, "\n")})
	if code != exitClean || out["findings"] != "0" {
		t.Errorf("exit %d, outputs %q\n%s", code, out, r.log)
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

func TestActionInstalls(t *testing.T) {
	for _, tt := range []struct{ version, want string }{
		{"", "build -trimpath -ldflags -X '" + module + "/webcapture/command.version=v9.8.7' -o "},
		{"v1.2.3", "install -trimpath " + module + "@v1.2.3\n"},
		{"v1 $(touch hacked); x", "install -trimpath " + module + "@v1 $(touch hacked); x\n"},
	} {
		t.Run(tt.version, func(t *testing.T) {
			r := newRunner(t)
			calls := filepath.Join(r.bin[0], "calls")
			if _, code := r.act(t, map[string]string{"version": tt.version,
				"paths": "captures/good"}); code != exitClean {
				t.Errorf("version %q: exit %d\n%s", tt.version, code, r.log)
			}
			if got := readFile(t, calls); !strings.HasPrefix(got, tt.want) {
				t.Errorf("version %q: go %s\nwant %s", tt.version, got, tt.want)
			}
			if !strings.HasPrefix(r.bin[0], r.temp) {
				t.Errorf("version %q: webcap is not put into PATH", tt.version)
			}
		})
	}
}

// The action builds the version that it belongs to.
func TestActionBuilds(t *testing.T) {
	releaseBuilds(t)
	r := newRunner(t)
	r.bin = nil
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
		if (s.Run == "") == (s.Uses == "") {
			t.Errorf("%s: a step has either run or uses: %+v", file, s)
		}
		own, ours := strings.CutPrefix(s.Uses, "./")
		if dir, _, ok := strings.Cut(strings.TrimPrefix(s.Uses, "webcap-tools/webcap/"), "@"); ok &&
			strings.HasPrefix(s.Uses, "webcap-tools/") {
			own, ours = dir, true
		}
		switch {
		case ours:
			if own != actionDir {
				t.Errorf("%s uses %s, which there is not", file, s.Uses)
			}
			a := loadAction(t)
			for name := range s.With {
				if _, ok := a.Inputs[name]; !ok {
					t.Errorf("%s: the action has no input %q", file, name)
				}
			}
		case s.Uses != "" && !pinned.MatchString(s.Uses):
			t.Errorf("%s: %s is not pinned to a commit", file, s.Uses)
		}
	}
}

func TestActionAndWorkflowsAreSafe(t *testing.T) {
	a := loadAction(t)
	if a.Runs.Using != "composite" {
		t.Errorf("the action is %q", a.Runs.Using)
	}
	checkSteps(t, actionDir, a.Runs.Steps)
	for _, s := range a.Runs.Steps {
		if s.Run != "" && s.Shell != "bash" {
			t.Errorf("step %q has no shell", s.Name)
		}
	}
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
			for _, s := range job.Steps {
				// A program that is called by its path must exist.
				if name, _, _ := strings.Cut(s.Run, " "); strings.HasPrefix(name, ".") {
					if _, err := os.Stat(filepath.Join(root, name)); err != nil {
						t.Errorf("%s: %v", file, err)
					}
				}
			}
		}
	}
}
