package command

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

const actionDir = ".github/actions/webcap"

type (
	// An action is a composite action of GitHub.
	action struct {
		Name, Description string
		Inputs            map[string]struct{ Description, Default string }
		Outputs           map[string]struct{ Description, Value string }
		Runs              struct {
			Using string
			Steps []step
		}
	}

	// A workflow is one of GitHub. What only the service understands is any.
	workflow struct {
		Name        string
		On          any
		Permissions map[string]string
		Jobs        map[string]struct {
			RunsOn   string `yaml:"runs-on"`
			Strategy any
			Steps    []step
		}
	}

	step struct {
		Name, ID, If, Uses, Run, Shell string
		Env, With                      map[string]string
		ContinueOnError                bool `yaml:"continue-on-error"`
	}
)

func loadAction(t *testing.T) *action {
	t.Helper()
	a := new(action)
	loadYAML(t, actionDir+"/action.yml", a)
	return a
}

// runner does with steps what GitHub's does with them.
type runner struct {
	workspace, temp string
	bin             []string          // folders before those of PATH
	values          map[string]string // of expressions
	used            []step            // steps that use an action, after expansion
	log             string
}

// newRunner returns a runner with a checkout in which captures/good is clean, and
// captures/bad is not.
func newRunner(t *testing.T) *runner {
	t.Helper()
	needBash(t)
	return &runner{workspace: captures(t), temp: t.TempDir(), bin: []string{fakeGo(t)}, values: map[string]string{}}
}

// captures makes a folder with the folder captures in it.
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
	c.Env = append(inPath(r.bin...), "GITHUB_ACTIONS=true", "GITHUB_WORKSPACE="+r.workspace, "RUNNER_TEMP="+r.temp, "GITHUB_ACTION_PATH="+dir,
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

// value returns the value of a name. An output that was not set is empty, as with
// GitHub; anything else has to be known.
func (r *runner) value(t *testing.T, name string) string {
	t.Helper()
	v, ok := r.values[name]
	if !ok && !strings.HasPrefix(name, "steps.") {
		t.Fatalf("nobody sets %s", name)
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
		code     int
		findings string
		noSARIF  bool
	}{
		{name: "clean", with: map[string]string{"paths": "captures/good"}, findings: "0"},
		{name: "clean uploaded", with: map[string]string{"paths": "captures/good\n", "upload-sarif": "true"}, findings: "0"},
		{name: "all", with: map[string]string{"upload-sarif": "true"}, code: exitFindings, findings: "7"},
		{name: "lines", with: map[string]string{"paths": "captures/good\n\ncaptures/bad/site.pdf\n"}, code: exitFindings, findings: "7"},
		{name: "missing", with: map[string]string{"paths": "captures/good\nno such file.pdf"}, code: exitFailed, findings: "0"},
		{name: "nothing", with: map[string]string{"paths": "notes"}, code: exitNothing, findings: "0"},
		{name: "options", with: map[string]string{"args": "--disable=WC126\n--quiet"}, code: exitFindings, findings: "6"},
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
				t.Errorf("exit %d, outputs %q, want exit %d and %s findings\n%s", code, out, tt.code, tt.findings, r.log)
			}
			if tt.noSARIF {
				if out["sarif"] != "" {
					t.Errorf("there is a file %s", out["sarif"])
				}
				return
			}
			var log struct{ Version string }
			if err := json.Unmarshal([]byte(readFile(t, out["sarif"])), &log); err != nil || log.Version != "2.1.0" {
				t.Errorf("SARIF %q: %v", log.Version, err)
			}
			if readFile(t, filepath.Join(r.temp, "summary")) == "" {
				t.Error("there is no job summary")
			}
			if annotated := strings.Contains(r.log, "::error "); code != exitNothing && annotated != (code != exitClean) {
				t.Errorf("exit %d, annotations: %v\n%s", code, annotated, r.log)
			}
			if upload := tt.with["upload-sarif"] == "true"; upload != (len(r.used) == 1) || upload && r.used[0].With["sarif_file"] != out["sarif"] {
				t.Errorf("used %v, with %s", r.used, out["sarif"])
			}
		})
	}
}

// What an audit found yesterday is the baseline of today's.
func TestActionBaseline(t *testing.T) {
	r := newRunner(t)
	if _, code := r.act(t, map[string]string{"args": "--output=json:base line.json"}); code != exitFindings {
		t.Fatalf("exit %d\n%s", code, r.log)
	}
	if _, code := r.act(t, map[string]string{"baseline": "base line.json"}); code != exitClean {
		t.Errorf("exit %d with all findings in the baseline\n%s", code, r.log)
	}
}

// File names are never code, nor more than one word, nor options.
func TestActionHostileNames(t *testing.T) {
	names := []string{
		"a b.pdf", " c.pdf", "$(touch hacked).pdf", "`touch hacked`.pdf", `"; touch hacked; ".pdf`, "'.pdf", "*.pdf", "--quiet.pdf", "${HOME}.pdf",
		"\\n.pdf", "${{ github.token }}.pdf", "::error::.pdf",
	}
	r := newRunner(t)
	for _, name := range names {
		copyFile(t, root+"/testdata/site.pdf", filepath.Join(r.workspace, name))
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
		r := newRunner(t)
		calls := filepath.Join(r.bin[0], "calls")
		if _, code := r.act(t, map[string]string{"version": tt.version, "paths": "captures/good"}); code != exitClean {
			t.Errorf("version %q: exit %d\n%s", tt.version, code, r.log)
		}
		if got := readFile(t, calls); !strings.HasPrefix(got, tt.want) {
			t.Errorf("version %q: go %s\nwant %s", tt.version, got, tt.want)
		}
		if !strings.HasPrefix(r.bin[0], r.temp) {
			t.Errorf("version %q: webcap is not put into PATH", tt.version)
		}
	}
}

// The action builds what it came with.
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

// checkSteps makes sure that no expression stands where it would be code, and that
// what others wrote cannot change unseen.
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
		if dir, _, ok := strings.Cut(strings.TrimPrefix(s.Uses, "webcap-tools/webcap/"), "@"); ok && strings.HasPrefix(s.Uses, "webcap-tools/") {
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
			checkSteps(t, file, job.Steps)
			for _, s := range job.Steps {
				// What is called by its path has to be there.
				if name, _, _ := strings.Cut(s.Run, " "); strings.HasPrefix(name, ".") {
					if _, err := os.Stat(filepath.Join(root, name)); err != nil {
						t.Errorf("%s: %v", file, err)
					}
				}
			}
		}
	}
}

// snippet returns the block of docs/ci.md that begins with "```LANGUAGE NAME".
func snippet(t *testing.T, info string) string {
	t.Helper()
	_, rest, ok := strings.Cut(readFile(t, root+"/docs/ci.md"), "```"+info+"\n")
	text, _, closed := strings.Cut(rest, "```\n")
	if !ok || !closed {
		t.Fatalf("docs/ci.md has no block %q", info)
	}
	return text
}

func loadSnippet(t *testing.T, info string, v any) {
	t.Helper()
	if err := yaml.Load([]byte(snippet(t, info)), v, yaml.WithKnownFields()); err != nil {
		t.Fatalf("docs/ci.md, %s: %v", info, err)
	}
}

// Every block of docs/ci.md is one that the tests below run.
func TestCISnippetsAreKnown(t *testing.T) {
	known := []string{"yaml github-action", "yaml github", "yaml gitlab", "sh recipe", "sh baseline", "sh new", "yaml pre-commit"}
	var found []string
	inside := false
	for _, l := range lines(readFile(t, root+"/docs/ci.md")) {
		if info, ok := strings.CutPrefix(l, "```"); ok {
			if inside = !inside; inside {
				found = append(found, info)
			}
		}
	}
	if !slices.Equal(found, known) {
		t.Errorf("docs/ci.md has the blocks %q, want %q", found, known)
	}
}

func TestCIGitHubAction(t *testing.T) {
	var w workflow
	loadSnippet(t, "yaml github-action", &w)
	steps := w.Jobs["webcap"].Steps
	checkSteps(t, "docs/ci.md", steps)
	i := slices.IndexFunc(steps, func(s step) bool { return strings.Contains(s.Uses, actionDir) })
	if i < 0 {
		t.Fatal("the action is not used")
	}
	r := newRunner(t)
	copyFile(t, root+"/testdata/site.pdf", r.workspace+"/more captures/site.pdf")
	if out, code := r.act(t, steps[i].With); code != exitFindings || out["findings"] != "7" || len(r.used) != 1 {
		t.Errorf("exit %d, outputs %q, used %v\n%s", code, out, r.used, r.log)
	}
}

// The table of inputs in docs/ci.md has all of them.
func TestCIGitHubInputs(t *testing.T) {
	text := readFile(t, root+"/docs/ci.md")
	for name := range maps.Keys(loadAction(t).Inputs) {
		if !regexp.MustCompile("(?m)^\\|[^|]*`" + name + "`").MatchString(text) {
			t.Errorf("the input %q is not in docs/ci.md", name)
		}
	}
}

func TestCIGitHub(t *testing.T) {
	var w workflow
	loadSnippet(t, "yaml github", &w)
	steps := w.Jobs["webcap"].Steps
	checkSteps(t, "docs/ci.md", steps)
	r := newRunner(t)
	calls := filepath.Join(r.bin[0], "calls")
	if code := r.run(t, steps); code != exitFindings {
		t.Errorf("exit %d\n%s", code, r.log)
	}
	if got := readFile(t, calls); got != "install "+module+"@latest\n" {
		t.Errorf("go %s", got)
	}
	upload := r.used[len(r.used)-1]
	readJSON(t, filepath.Join(r.workspace, upload.With["sarif_file"]))
}

func readJSON(t *testing.T, name string) {
	t.Helper()
	if !json.Valid([]byte(readFile(t, name))) {
		t.Errorf("%s is not JSON", name)
	}
}

func readXML(t *testing.T, name string) {
	t.Helper()
	if err := xml.Unmarshal([]byte(readFile(t, name)), new(struct{})); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// The job for GitLab runs as its runner would run it, and leaves the reports that it
// promises.
func TestCIGitLab(t *testing.T) {
	needBash(t)
	type job struct {
		Stage, Image string
		Variables    map[string]string
		BeforeScript []string `yaml:"before_script"`
		Script       []string
		AllowFailure struct {
			ExitCodes int `yaml:"exit_codes"`
		} `yaml:"allow_failure"`
		Artifacts struct {
			When    string
			Reports struct{ CodeQuality, JUnit string }
		}
	}
	var template struct{ Webcap job }
	loadYAML(t, "docs/ci/gitlab.yml", &template)
	var user struct {
		Include []struct{ Local string }
		Webcap  struct{ Variables map[string]string }
	}
	loadSnippet(t, "yaml gitlab", &user)
	if len(user.Include) != 1 || path.Base(user.Include[0].Local) != "gitlab.yml" {
		t.Errorf("docs/ci.md includes %v", user.Include)
	}
	for name := range user.Webcap.Variables {
		if _, ok := template.Webcap.Variables[name]; !ok {
			t.Errorf("docs/ci.md sets %s, which nobody reads", name)
		}
	}
	if got := template.Webcap.AllowFailure.ExitCodes; got != exitNothing {
		t.Errorf("exit code %d is allowed, want %d", got, exitNothing)
	}
	for _, tt := range []struct {
		path string
		code int
	}{
		{user.Webcap.Variables["WEBCAP_PATH"], exitFindings},
		{"captures/good", exitClean},
		{"captures/$(exit 0)", exitFailed},
	} {
		dir := captures(t)
		script := strings.Join(slices.Concat([]string{"set -eo pipefail"}, template.Webcap.BeforeScript, template.Webcap.Script), "\n")
		c := exec.Command("bash", "-c", script)
		c.Dir = dir
		c.Env = inPath(fakeGo(t))
		for name, value := range template.Webcap.Variables {
			c.Env = append(c.Env, name+"="+value)
		}
		c.Env = append(c.Env, "WEBCAP_PATH="+tt.path)
		out, err := c.CombinedOutput()
		if c.ProcessState == nil || c.ProcessState.ExitCode() != tt.code {
			t.Errorf("%s: %v, want exit %d\n%s", tt.path, err, tt.code, out)
		}
		readJSON(t, filepath.Join(dir, template.Webcap.Artifacts.Reports.CodeQuality))
		readXML(t, filepath.Join(dir, template.Webcap.Artifacts.Reports.JUnit))
	}
}

// runSnippet runs a block of docs/ci.md in a folder.
func runSnippet(t *testing.T, info, dir string) (code int, out string) {
	t.Helper()
	c := exec.Command("sh", "-e", "-c", snippet(t, info))
	c.Dir = dir
	b, err := c.CombinedOutput()
	if c.ProcessState == nil {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), string(b)
}

func TestCIShell(t *testing.T) {
	needBash(t)
	for _, tt := range []struct {
		name, remove string
		code         int
		want         string
	}{
		{"findings", "", exitFindings, "WC303"},
		{"clean", "captures/bad", exitClean, "clean"},
		{"nothing", "captures/*", exitClean, "nothing to audit"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := captures(t)
			if tt.remove != "" {
				gone, err := filepath.Glob(filepath.Join(dir, tt.remove))
				if err != nil || len(gone) == 0 {
					t.Fatal(gone, err)
				}
				for _, name := range gone {
					if err := os.RemoveAll(name); err != nil {
						t.Fatal(err)
					}
				}
			}
			code, out := runSnippet(t, "sh recipe", dir)
			if code != tt.code || !strings.Contains(out, tt.want) {
				t.Errorf("exit %d, want %d and %q\n%s", code, tt.code, tt.want, out)
			}
			readXML(t, dir+"/results/webcap.xml")
			for _, l := range lines(readFile(t, dir+"/results/webcap.ndjson")) {
				if !json.Valid([]byte(l)) {
					t.Errorf("not JSON: %s", l)
				}
			}
		})
	}
}

func TestCIBaseline(t *testing.T) {
	needBash(t)
	dir := captures(t)
	if code, out := runSnippet(t, "sh baseline", dir); code != 0 {
		t.Fatalf("exit %d\n%s", code, out)
	}
	if code, out := runSnippet(t, "sh new", dir); code != exitClean {
		t.Errorf("exit %d with nothing new\n%s", code, out)
	}
	copyFile(t, root+"/testdata/site-optimized.pdf", dir+"/captures/new.pdf")
	if code, out := runSnippet(t, "sh new", dir); code != exitFindings {
		t.Errorf("exit %d with a new file\n%s", code, out)
	}
}

// pre-commit calls the hook with the names of files that match, after its args.
func TestPreCommit(t *testing.T) {
	var hooks []struct {
		ID, Name, Description, Entry, Language, Files string
		PassFilenames                                 bool `yaml:"pass_filenames"`
		RequireSerial                                 bool `yaml:"require_serial"`
	}
	loadYAML(t, ".pre-commit-hooks.yaml", &hooks)
	var user struct {
		Repos []struct {
			Repo, Rev string
			Hooks     []struct {
				ID, Files string
				Args      []string
			}
		}
	}
	loadSnippet(t, "yaml pre-commit", &user)
	if len(hooks) != 1 || len(user.Repos) != 1 || len(user.Repos[0].Hooks) != 1 {
		t.Fatalf("%d hooks, %+v in docs/ci.md", len(hooks), user)
	}
	h, u := hooks[0], user.Repos[0].Hooks[0]
	if h.ID != u.ID || user.Repos[0].Repo != "https://"+module {
		t.Errorf("docs/ci.md uses %s of %s", u.ID, user.Repos[0].Repo)
	}
	if h.Language != "golang" || !h.PassFilenames || !h.RequireSerial {
		t.Errorf("%+v", h)
	}
	entry := strings.Fields(h.Entry)
	if entry[0] != path.Base(module) {
		t.Errorf("%s is not what go install makes", entry[0])
	}
	dir := captures(t)
	plain := webcapturetest.Document{}
	plain.Root = plain.Add("<< /Type /Catalog /Pages 2 0 R >>")
	plain.Add("<< /Type /Pages /Kids [ ] /Count 0 >>")
	if err := os.WriteFile(filepath.Join(dir, "captures", "plain.pdf"), plain.Bytes(webcapturetest.Layout{}), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"captures/good/site.pdf": exitClean, "captures/bad/site.pdf": exitFindings, "captures/plain.pdf": exitClean} {
		for _, files := range []string{h.Files, u.Files} {
			if !regexp.MustCompile(files).MatchString(name) || regexp.MustCompile(files).MatchString(name+".txt") {
				t.Errorf("%s and files %s", name, files)
			}
		}
		c := exec.Command(entry[0], slices.Concat(entry[1:], u.Args, []string{name})...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if c.ProcessState == nil || c.ProcessState.ExitCode() != want {
			t.Errorf("%s: %v, want exit %d\n%s", name, err, want, out)
		}
	}
}
