package command

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
	"go.yaml.in/yaml/v4"
)

// release is the part of .goreleaser.yaml that the tests use.
type release struct {
	Dist   string
	Before struct{ Hooks []string }
	Builds []struct {
		Main, Binary                      string
		GOOS, GOARCH, Env, Flags, LDFlags []string
	}
	Archives []struct {
		NameTemplate string    `yaml:"name_template"`
		BuildsInfo   timestamp `yaml:"builds_info"`
		Files        []struct {
			Src  string
			Info timestamp
		}
	}
	NFPMs   []struct{ Contents []struct{ Src string } }
	Release struct {
		ExtraFiles []struct{ Glob string } `yaml:"extra_files"`
	}
}

type timestamp struct{ MTime string }

func loadRelease(t *testing.T) (r release) {
	t.Helper()
	if err := yaml.Load([]byte(readFile(t, root+"/.goreleaser.yaml")), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// loadYAML reads a file of the repository. Unknown keys are errors.
func loadYAML(t *testing.T, name string, v any) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Load(b, v, yaml.WithKnownFields()); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// stamps are the values of the templates in .goreleaser.yaml.
var stamps = map[string]string{
	"ProjectName": "webcap", "Version": "9.8.7", "FullCommit": "0123456789abcdef", "CommitDate": "2026-01-02T03:04:05Z",
	"Os": "linux", "Arch": "amd64",
}

// stamped is the start of the version output of a program that was built with stamps.
const stamped = "webcap v9.8.7, "

func fill(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	tmpl, err := template.New("").Option("missingkey=error").Parse(text)
	if err == nil {
		err = tmpl.Execute(&b, stamps)
	}
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return b.String()
}

// fakeGo makes a folder with a fake program go, which writes its arguments to the file calls there and links webcap
// for each build.
func fakeGo(t *testing.T) (dir string) {
	t.Helper()
	return fake(t, "go", `#!/usr/bin/env bash
set -euo pipefail
printf '%s\n' "$*" >>"${0%/*}/calls"
case $1 in
run)
  case $2 in ./webcapture/browser) echo "a page" >"$6"; exit ;; esac
  until [ "$1" = . ]; do shift; done
  shift
  exec webcap "$@"
  ;;
build)
  until [ "$1" = -o ]; do shift; done
  ln -sf "$(command -v webcap)" "$2"
  ;;
install) [ -z "${GOBIN-}" ] || ln -sf "$(command -v webcap)" "$GOBIN/" ;;
*) exit 1 ;;
esac
`)
}

// fake makes a folder with a program.
func fake(t *testing.T, name, script string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// inPath returns the environment with folders added at the start of PATH.
func inPath(dirs ...string) []string {
	return append(os.Environ(), "PATH="+strings.Join(append(dirs, os.Getenv("PATH")), string(os.PathListSeparator)))
}

func needBash(t *testing.T) {
	t.Helper()
	webcapturetest.Program(t, "bash")
}

// A release contains only files of the repository and files that its hook makes, and all of the latter.
func TestReleaseFiles(t *testing.T) {
	needBash(t)
	const build = ".release/build"
	r := loadRelease(t)
	checkout := t.TempDir()
	for _, hook := range r.Before.Hooks {
		words := strings.Fields(fill(t, hook))
		copyFile(t, filepath.Join(root, words[0]), filepath.Join(checkout, words[0]))
		c := exec.Command(filepath.Join(checkout, words[0]), words[1:]...)
		c.Env = inPath(fakeGo(t))
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", hook, err, out)
		}
	}
	var used []string
	for _, a := range r.Archives {
		for _, f := range a.Files {
			used = append(used, f.Src)
			if f.Info != a.BuildsInfo {
				t.Errorf("%s in archives has another time than the program", f.Src)
			}
		}
	}
	for _, p := range r.NFPMs {
		for _, f := range p.Contents {
			used = append(used, f.Src)
		}
	}
	for _, f := range r.Release.ExtraFiles {
		used = append(used, f.Glob)
	}
	for _, name := range used {
		dir := root
		if path.Dir(name) == build {
			dir = checkout
		}
		if strings.HasPrefix(name, r.Dist+"/") {
			continue // GoReleaser makes it
		}
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s is released, and is missing or empty: %v", name, err)
		}
	}
	made, err := os.ReadDir(filepath.Join(checkout, build))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range made {
		if !slices.Contains(used, path.Join(build, e.Name())) {
			t.Errorf("%s is made and in no release", e.Name())
		}
	}
	// GoReleaser refuses a repository with changes.
	ignored := lines(readFile(t, root+"/.release/.gitignore"))
	for _, dir := range []string{build, r.Dist} {
		if !slices.Contains(ignored, strings.TrimPrefix(dir, ".release")) {
			t.Errorf("git does not ignore %s", dir)
		}
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	info, err := os.Stat(from)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, info.Mode().Perm()); err != nil {
		t.Fatal(err)
	}
}

// releaseBuilds skips a test that builds the program, unless WEBCAP_RELEASE_BUILDS is set. Such tests take minutes,
// because other tests compile different code; .ci/run has a stage for them.
func releaseBuilds(t *testing.T) {
	t.Helper()
	if os.Getenv("WEBCAP_RELEASE_BUILDS") == "" {
		t.Skip("WEBCAP_RELEASE_BUILDS is not set")
	}
}

// Each target of a release can be built by a plain go build, without cgo, and prints its stamps.
func TestReleaseBuilds(t *testing.T) {
	releaseBuilds(t)
	r := loadRelease(t)
	native := false
	for _, b := range r.Builds {
		for _, goos := range b.GOOS {
			for _, goarch := range b.GOARCH {
				t.Run(goos+"/"+goarch, func(t *testing.T) {
					exe := filepath.Join(t.TempDir(), b.Binary)
					args := append([]string{"build"}, b.Flags...)
					args = append(args, "-ldflags", fill(t, strings.Join(b.LDFlags, " ")), "-o", exe, b.Main)
					c := exec.Command("go", args...)
					c.Dir = root
					c.Env = append(os.Environ(), append(b.Env, "GOOS="+goos, "GOARCH="+goarch)...)
					if out, err := c.CombinedOutput(); err != nil {
						t.Fatalf("%v\n%s", err, out)
					}
					checkBuilt(t, exe, goos, goarch)
					if goos == runtime.GOOS && goarch == runtime.GOARCH {
						native = true
						checkStamp(t, exe)
					}
				})
			}
		}
	}
	if !native {
		t.Skip("nothing is released for this system")
	}
}

func checkBuilt(t *testing.T, exe, goos, goarch string) {
	t.Helper()
	info, err := exec.Command("go", "version", "-m", exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"GOOS": goos, "GOARCH": goarch, "CGO_ENABLED": "0", "-trimpath": "true"} {
		if !strings.Contains(string(info), "\tbuild\t"+key+"="+want+"\n") {
			t.Errorf("%s is not %q: %s", key, want, info)
		}
	}
}

func checkStamp(t *testing.T, exe string) {
	t.Helper()
	out, err := exec.Command(exe, "--version").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), stamped) || !strings.HasSuffix(string(out), runtime.Version()+"\n") {
		t.Errorf("--version: %v, %q, want %q", err, out, stamped)
	}
}
