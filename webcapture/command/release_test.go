package command

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"text/template"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
	"go.yaml.in/yaml/v4"
)

// release is the content of .goreleaser.yaml, as far as this project uses GoReleaser: any other key is a mistake,
// or needs a test.
type release struct {
	Version     int
	ProjectName string `yaml:"project_name"`
	Dist        string
	Before      struct{ Hooks []string }
	Builds      []struct {
		ID, Main, Binary                  string
		GOOS, GOARCH, Env, Flags, LDFlags []string
		ModTimestamp                      string `yaml:"mod_timestamp"`
	}
	Archives []struct {
		Formats         []string
		FormatOverrides []struct {
			GOOS    string
			Formats []string
		} `yaml:"format_overrides"`
		NameTemplate    string    `yaml:"name_template"`
		WrapInDirectory bool      `yaml:"wrap_in_directory"`
		BuildsInfo      timestamp `yaml:"builds_info"`
		Files           []struct {
			Src, Dst    string
			StripParent bool `yaml:"strip_parent"`
			Info        timestamp
		}
	}
	NFPMs []struct {
		PackageName      string `yaml:"package_name"`
		Formats          []string
		FileNameTemplate string `yaml:"file_name_template"`
		Vendor           string
		Maintainer       string
		Homepage         string
		License          string
		Section          string
		Description      string
		Bindir           string
		MTime            string
		RPM              struct{ BuildHost string }
		Contents         []packageFile
	}
	SBOMs   []struct{ Artifacts string }
	Scoops  []scoop
	Release struct {
		GitHub     struct{ Owner, Name string }
		ExtraFiles []extraFile `yaml:"extra_files"`
	}
	Checksum struct {
		NameTemplate string `yaml:"name_template"`
		Algorithm    string
		ExtraFiles   []extraFile `yaml:"extra_files"`
	}
	Changelog struct{ Disable bool }
}

// scoop describes a manifest from which Scoop installs the program.
type scoop struct {
	Repository                     struct{ Owner, Name string }
	URLTemplate                    string `yaml:"url_template"`
	Homepage, Description, License string
	SkipUpload                     bool `yaml:"skip_upload"`
}

// extraFile is a file of a release that is in no archive.
type extraFile struct {
	Glob         string
	NameTemplate string `yaml:"name_template"`
}

// packageFile is a file in a package for one kind of system.
type packageFile struct{ Src, Dst, Packager, Type string }

type timestamp struct{ MTime string }

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
	"CommitTimestamp": "1767323045", "Os": "os", "Arch": "arch", "ConventionalFileName": "name",
	"Tag": "v9.8.7", "ArtifactName": "webcap.zip",
}

// stamped is the version output of a program that was built with stamps.
const stamped = "webcap v9.8.7, revision 0123456789abcdef of 2026-01-02T03:04:05Z, "

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
	dir = t.TempDir()
	const script = `#!/usr/bin/env bash
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
`
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o777); err != nil {
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

// releaseFiles are the files that the hook of a release makes, and whether the release uses them.
type releaseFiles struct {
	release
	checkout string // the folder in which the hook was run
	used     map[string]bool
}

// releaseBuild is the output folder of the hook.
const releaseBuild = ".release/build"

// makeReleaseFiles runs the hooks of a release.
func makeReleaseFiles(t *testing.T) *releaseFiles {
	t.Helper()
	needBash(t)
	r := &releaseFiles{checkout: t.TempDir(), used: map[string]bool{}}
	loadYAML(t, ".goreleaser.yaml", &r.release)
	for _, hook := range r.Before.Hooks {
		words := strings.Fields(fill(t, hook))
		copyFile(t, filepath.Join(root, words[0]), filepath.Join(r.checkout, words[0]))
		c := exec.Command(filepath.Join(r.checkout, words[0]), words[1:]...)
		c.Env = inPath(fakeGo(t))
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", hook, err, out)
		}
	}
	entries, err := os.ReadDir(filepath.Join(r.checkout, releaseBuild))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() == 0 {
			t.Errorf("the hook makes %s, with nothing in it", e.Name())
		}
		r.used[path.Join(releaseBuild, e.Name())] = false
	}
	return r
}

// use marks a file as used by the release.
func (r *releaseFiles) use(t *testing.T, src string) {
	t.Helper()
	if _, made := r.used[src]; made {
		r.used[src] = true
	} else if _, err := os.Stat(filepath.Join(root, src)); err != nil {
		t.Errorf(".goreleaser.yaml: %v", err)
	}
}

// A release contains only files of the repository and files that its hook makes, and all of the latter.
func TestReleaseFiles(t *testing.T) {
	r := makeReleaseFiles(t)
	for _, a := range r.Archives {
		fill(t, a.NameTemplate)
		for _, f := range a.Files {
			r.use(t, f.Src)
			if f.Info != a.BuildsInfo {
				t.Errorf("%s in archives has other properties than the program", f.Src)
			}
			if fill(t, f.Info.MTime) == "" {
				t.Errorf("%s in archives has no time", f.Src)
			}
		}
	}
	for _, p := range r.NFPMs {
		fill(t, p.FileNameTemplate)
		for _, format := range p.Formats {
			t.Run(format, func(t *testing.T) { r.testPackage(t, path.Join(p.Bindir, "webcap"), format, p.Contents) })
		}
	}
	r.testExtraFiles(t)
	for name, used := range r.used {
		if !used {
			t.Errorf("%s is made and in no release", name)
		}
	}
	manual, err := os.ReadFile(filepath.Join(r.checkout, releaseBuild, "webcap.1"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(manual), ".TH") {
		t.Errorf("the manual page begins with %.20q", manual)
	}
	ignored, err := os.ReadFile(filepath.Join(root, ".release/.gitignore"))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{releaseBuild, r.Dist} {
		t.Run(dir, func(t *testing.T) {
			if path.Dir(dir) != ".release" || !slices.Contains(lines(string(ignored)), "/"+path.Base(dir)) {
				t.Errorf("git does not ignore %s", dir)
			}
		})
	}
}

// testExtraFiles checks the files that are in no archive. Each has a checksum, except manifests, which GoReleaser makes
// last.
func (r *releaseFiles) testExtraFiles(t *testing.T) {
	var hashed, manifests []extraFile
	for _, f := range r.Release.ExtraFiles {
		fill(t, f.NameTemplate)
		if path.Dir(f.Glob) == path.Join(r.Dist, "scoop") {
			manifests = append(manifests, f)
			continue
		}
		r.use(t, f.Glob)
		hashed = append(hashed, f)
	}
	if !slices.Equal(hashed, r.Checksum.ExtraFiles) {
		t.Error("the files in no archive have no checksum")
	}
	if len(r.Scoops) != 1 || len(manifests) != 1 || path.Base(manifests[0].Glob) != r.ProjectName+".json" {
		t.Fatalf("%d manifests are described, and released: %v", len(r.Scoops), manifests)
	}
	if !r.Scoops[0].SkipUpload {
		t.Error("the manifest is uploaded to another repository, which needs a token")
	}
	const want = "https://github.com/webcap-tools/webcap/releases/download/v9.8.7/webcap.zip"
	if got := fill(t, r.Scoops[0].URLTemplate); got != want {
		t.Errorf("the manifest names %s, want %s", got, want)
	}
}

// The archive for Windows is a zip with the program, the README, the page for web browsers, and the completions of
// PowerShell.
func TestReleaseForWindows(t *testing.T) {
	var r release
	loadYAML(t, ".goreleaser.yaml", &r)
	if len(r.Builds) != 1 || !slices.Contains(r.Builds[0].GOOS, "windows") || r.Builds[0].Binary != "webcap" {
		t.Errorf("builds: %v", r.Builds)
	}
	if len(r.Archives) != 1 {
		t.Fatalf("%d archives", len(r.Archives))
	}
	a := r.Archives[0]
	if o := a.FormatOverrides; len(o) != 1 || o[0].GOOS != "windows" || !slices.Equal(o[0].Formats, []string{"zip"}) {
		t.Errorf("formats: %v", o)
	}
	for _, want := range []string{"README.md", "LICENSE", "webcap.html", "completions/webcap.ps1"} {
		t.Run(want, func(t *testing.T) {
			for _, f := range a.Files {
				name := f.Src
				if f.StripParent {
					name = path.Join(f.Dst, path.Base(f.Src))
				}
				if name == want {
					return
				}
			}
			t.Error("not in the archive")
		})
	}
}

// testPackage checks the files of a package for one kind of system.
func (r *releaseFiles) testPackage(t *testing.T, program, format string, contents []packageFile) {
	installed := map[string]bool{program: true}
	for _, f := range contents {
		r.use(t, f.Src)
		if f.Packager != "" && f.Packager != format {
			continue
		}
		if installed[f.Dst] {
			t.Errorf("%s is there twice", f.Dst)
		}
		if !path.IsAbs(f.Dst) {
			t.Errorf("%s is not absolute", f.Dst)
		}
		installed[f.Dst] = true
	}
	for _, want := range []string{"man/man1/webcap.1.gz", "bash-completion/completions/webcap",
		"fish/vendor_completions.d/webcap.fish"} {
		if !installed["/usr/share/"+want] {
			t.Errorf("there is no %s", want)
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
	var r release
	loadYAML(t, ".goreleaser.yaml", &r)
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
	if want := stamped + runtime.Version() + "\n"; err != nil || string(out) != want {
		t.Errorf("--version: %v, %q, want %q", err, out, want)
	}
}

// instruction is an instruction of a container file, with continued lines joined.
type instruction struct{ name, args string }

func containerfile(t *testing.T) (stages [][]instruction) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, ".release/Containerfile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines(strings.ReplaceAll(string(b), "\\\n", "")) {
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		name, args, _ := strings.Cut(l, " ")
		if name == "FROM" {
			stages = append(stages, nil)
		}
		stages[len(stages)-1] = append(stages[len(stages)-1], instruction{name, args})
	}
	return stages
}

// goCommand matches a call of the Go toolchain without any other command. Quoted text cannot end it.
var goCommand = regexp.MustCompile(`^([A-Z_]+=[\w$]* )*go (mod download|build)( "[^"` + "`" + `]*"| [\w./-]+)*$`)

// The image is built from the repository alone, by the Go toolchain alone, and runs
// without rights.
func TestContainerfile(t *testing.T) {
	stages := containerfile(t)
	if len(stages) != 2 {
		t.Fatalf("%d stages, want one that builds and one that runs", len(stages))
	}
	for _, in := range slices.Concat(stages...) {
		switch in.name {
		case "FROM", "WORKDIR", "ARG", "LABEL", "USER", "ENTRYPOINT":
		case "COPY":
			for _, src := range copySources(in.args) {
				if _, err := os.Stat(filepath.Join(root, src)); err != nil {
					t.Error(err)
				}
			}
		case "RUN":
			if !goCommand.MatchString(in.args) {
				t.Errorf("RUN %s: not the Go toolchain alone", in.args)
			}
		default:
			t.Errorf("%s %s: an instruction without a test", in.name, in.args)
		}
	}
	final := map[string]string{}
	var copied []string
	for _, in := range stages[1] {
		final[in.name] = in.args
		if words := strings.Fields(in.args); in.name == "COPY" {
			copied = append(copied, words[len(words)-1])
		}
	}
	if final["FROM"] != "scratch" {
		t.Errorf("the image is made from %s", final["FROM"])
	}
	if !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(final["USER"]) {
		t.Errorf("the user is %q, want numbers, and not root's", final["USER"])
	}
	var entry []string
	if err := json.Unmarshal([]byte(final["ENTRYPOINT"]), &entry); err != nil || len(entry) != 1 ||
		!slices.Contains(copied, entry[0]) {
		t.Errorf("ENTRYPOINT %s: %v, want one of %v", final["ENTRYPOINT"], err, copied)
	}
}

// copySources returns what COPY takes from the repository.
func copySources(args string) []string {
	if strings.HasPrefix(args, "--from=") {
		return nil
	}
	words := strings.Fields(args)
	return words[:len(words)-1]
}

// What the container file copies is enough to build the program that it runs.
func TestContainerfileBuilds(t *testing.T) {
	releaseBuilds(t)
	shell := webcapturetest.Program(t, "sh")
	dir := t.TempDir()
	for _, in := range containerfile(t)[0] {
		switch in.name {
		case "COPY":
			for _, src := range copySources(in.args) {
				err := filepath.WalkDir(filepath.Join(root, src), func(name string, d os.DirEntry, err error) error {
					if err == nil && !d.IsDir() {
						rel, _ := filepath.Rel(root, name)
						copyFile(t, name, filepath.Join(dir, rel))
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		case "RUN":
			c := exec.Command(shell, "-c", in.args)
			c.Dir = dir
			c.Env = append(os.Environ(), "VERSION=v"+stamps["Version"], "REVISION="+stamps["FullCommit"],
				"COMMITTED="+stamps["CommitDate"],
				"TARGETOS="+runtime.GOOS, "TARGETARCH="+runtime.GOARCH)
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("RUN %s: %v\n%s", in.args, err, out)
			}
		}
	}
	exe := filepath.Join(dir, "webcap")
	checkBuilt(t, exe, runtime.GOOS, runtime.GOARCH)
	checkStamp(t, exe)
}
