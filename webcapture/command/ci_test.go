package command

import (
	"encoding/json"
	"encoding/xml"
	"errors"
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

	// A workflow is one of GitHub. Fields that only the service understands have type any.
	workflow struct {
		Name        string
		On          any
		Permissions map[string]string
		Jobs        map[string]struct {
			Uses     string // another workflow
			RunsOn   string `yaml:"runs-on"`
			Strategy any
			Needs    any
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

// TestCISnippetsAreKnown: docs/ci.md has exactly the blocks that the tests below run.
func TestCISnippetsAreKnown(t *testing.T) {
	known := []string{"yaml github-action", "yaml github", "yaml gitlab", "sh recipe", "sh baseline", "sh new",
		"yaml pre-commit"}
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

// gitLabJob is a job in a template of GitLab CI.
type gitLabJob struct {
	Stage, Image string
	Variables    map[string]string
	BeforeScript []string `yaml:"before_script"`
	Script       []string
	AllowFailure struct {
		ExitCodes int `yaml:"exit_codes"`
	} `yaml:"allow_failure"`
	Artifacts struct {
		When    string
		Reports struct{ JUnit string }
	}
}

// The job for GitLab runs as its runner would run it, and leaves the report that it promises.
func TestCIGitLab(t *testing.T) {
	needBash(t)
	var template struct{ Webcap gitLabJob }
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
			t.Errorf("docs/ci.md sets %s, which no program reads", name)
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
		t.Run(tt.path, func(t *testing.T) {
			dir := captures(t)
			script := strings.Join(slices.Concat([]string{"set -eo pipefail"}, template.Webcap.BeforeScript,
				template.Webcap.Script), "\n")
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
			readXML(t, filepath.Join(dir, template.Webcap.Artifacts.Reports.JUnit))
		})
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
		{"nothing", "captures/*", exitClean, "no PDF files in this folder"},
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
	locked := webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(webcapturetest.Layout{
		Encryption: &webcapturetest.Encryption{Revision: 6, User: "secret", Owner: "owner"}})
	write := func(name string, data []byte) {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, data, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	write("captures/locked.pdf", locked)
	write(configName, []byte("exclude: [captures/tests]\n"))
	if code, out := runSnippet(t, "sh baseline", dir); code != 0 {
		t.Fatalf("exit %d\n%s", code, out)
	}
	write("captures/tests/text.pdf", []byte("not a PDF"))
	if code, out := runSnippet(t, "sh new", dir); code != exitClean {
		t.Errorf("exit %d with nothing new\n%s", code, out)
	}
	write("captures/text.pdf", []byte("not a PDF"))
	if code, out := runSnippet(t, "sh new", dir); code != exitFailed {
		t.Errorf("exit %d with a new file that is not a PDF\n%s", code, out)
	}
	if err := os.Remove(filepath.Join(dir, "captures/text.pdf")); err != nil {
		t.Fatal(err)
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
	if err := os.WriteFile(filepath.Join(dir, "captures", "plain.pdf"), plain.Bytes(webcapturetest.Layout{}),
		0o666); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{"captures/good/site.pdf": exitClean, "captures/bad/site.pdf": exitFindings,
		"captures/plain.pdf": exitClean} {
		t.Run(name, func(t *testing.T) {
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
		})
	}
}
