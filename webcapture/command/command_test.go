package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/urfave/cli/v2"
	"golang.org/x/tools/txtar"

	"github.com/webcap-tools/webcap/webcapture/internal/layout/layouttest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// update makes tests rewrite the expected output in testdata/cli.
var update = layouttest.Update

const (
	root   = "../.." // of the repository
	goRace = "GORACE"
)

// testRunner runs the tests of this package in a clean environment.
type testRunner struct{ *testing.M }

func (r testRunner) Run() int { return webcapturetest.Run(r.M) }

// TestMain makes this binary act as the program webcap for scripts and documents.
func TestMain(m *testing.M) {
	// Under the race detector, a program sleeps for a second before a successful exit.
	os.Setenv(goRace, "atexit_sleep_ms=0 "+os.Getenv(goRace))
	testscript.Main(testRunner{m}, map[string]func(){
		"webcap": func() {
			code := Run(os.Args, os.Stdin, os.Stdout, os.Stderr)
			keepStatus()
			os.Exit(code)
		},
	})
}

// statusFile names the file in which the program stores its status at its end: the maximum memory of a child
// process includes that of its parent.
const statusFile = "WEBCAP_TEST_STATUS"

func keepStatus() {
	name, wanted := os.LookupEnv(statusFile)
	if !wanted {
		return
	}
	if b, err := os.ReadFile("/proc/self/status"); err == nil {
		os.WriteFile(name, b, 0o666)
	}
}

var (
	setsEnvironment = regexp.MustCompile(`(?m)^(\[.*\] )?(env|ttyin) `) // or the terminal
	callsExits      = regexp.MustCompile(`(?m)^(\[.*\] )?exits `)
)

func TestScripts(t *testing.T) {
	folder, err := filepath.Abs(root + "/testdata/cli") // absolute, because exits changes the working directory
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob(folder + "/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("%d scripts, %v", len(scripts), err)
	}
	for _, script := range scripts {
		text, err := txtar.ParseFile(script)
		if err != nil {
			t.Fatal(err)
		}
		if setsEnvironment.Match(text.Comment) && callsExits.Match(text.Comment) {
			t.Errorf("%s: env and ttyin are for starts; exits does not notice them", filepath.Base(script))
		}
	}
	testscript.Run(t, testscript.Params{
		Files:               webcapturetest.Sample(1, scripts),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("VERSION", moduleVersion())
			env.Setenv(goRace, os.Getenv(goRace))
			env.Vars = append(env.Vars, testVariables()...)
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "starts": starts,
			"audits": audits, "pdf": pdf, "archive": archiveFile, "nul": nul},
	})
}

// testVariables returns the variables for programs that tests start, such as the number of a mutant.
func testVariables() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return !strings.HasPrefix(v, "WEBCAP_TEST_") })
}

// exits runs webcap in this process, which takes a tenth of the time of a new process, and fails unless its exit
// code is the expected one: exits CODE webcap [ARGUMENT...]. Use starts for commands with an environment, standard
// input, or a terminal, and for commands that lock a file, as a journal or a rewrite does: a process that another
// script starts at that moment holds the lock, too, until it has become another program.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] != "webcap" {
		ts.Fatalf("usage: exits CODE webcap [ARGUMENT...]")
	}
	ends(ts, args, inProcess(ts, ts.Stdout(), ts.Stderr(), args[1:]))
}

// inProcess runs a command in this process and in the folder of a script, and returns its exit code. Only one
// command runs at a time, because the scripts of a process share its working directory.
func inProcess(ts *testscript.TestScript, stdout, stderr io.Writer, command []string) int {
	oneInProcess.Lock()
	defer oneInProcess.Unlock()
	dir, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(dir)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1)) // commands set it
	stdin := iotest.ErrReader(errors.New("scripts have standard input for starts, not for exits"))
	return Run(command, stdin, stdout, stderr)
}

var oneInProcess sync.Mutex // of inProcess

// starts runs a command in a new process, and fails unless its exit code is the expected one: starts CODE COMMAND
// [ARGUMENT...]
func starts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: starts CODE COMMAND [ARGUMENT...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	ends(ts, args, code)
}

// ends fails unless the first argument is the exit code of the command in the others.
func ends(ts *testscript.TestScript, args []string, code int) {
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("%s exits with %d, want %s", strings.Join(args[1:], " "), code, args[0])
	}
}

// pdf writes a PDF file. pdf NAME SETS writes one with this number of page sets, pdf NAME TEXT one with the objects in
// a text file. user=PASSWORD encrypts it. updated adds a second revision with one more object. The name cut.pdf:100
// means that cut.pdf is cut off after 100 bytes.
func pdf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: pdf NAME[:BYTES] SETS|TEXT [user=PASSWORD|updated]")
	}
	name, limit, cut := strings.Cut(args[0], ":")
	var doc *webcapturetest.Document
	if n, err := strconv.Atoi(args[1]); err == nil {
		doc = webcapturetest.Sets(n, webcapturetest.Options{})
	} else {
		doc, err = webcapturetest.Parse(ts.ReadFile(args[1]))
		ts.Check(err)
	}
	var layout webcapturetest.Layout
	switch {
	case len(args) > 2 && args[2] == "updated":
		doc.Update()
		doc.Add("(added)")
	case len(args) > 2:
		password, _ := strings.CutPrefix(args[2], "user=")
		layout.Encryption = &webcapturetest.Encryption{Revision: 6, User: password, Owner: "owner"}
	}
	data := doc.Bytes(layout)
	if cut {
		n, err := strconv.Atoi(limit)
		ts.Check(err)
		data = data[:n]
	}
	ts.Check(os.WriteFile(ts.MkAbs(name), data, 0o666))
}

// Options may stand before and after arguments. After two hyphens, everything is an argument.
func TestParseLine(t *testing.T) {
	for _, tt := range []struct {
		in, format, baseline, args string
		verbose                    bool
	}{
		{"audit a.pdf", "", "", "[a.pdf]", false},
		{"audit a.pdf --format json b.pdf", "json", "", "[a.pdf b.pdf]", false},
		{"audit --format=json a.pdf -v", "json", "", "[a.pdf]", true},
		{"audit -vfjson a.pdf", "json", "", "[a.pdf]", true},
		{"audit - --verbose", "", "", "[-]", true},
		{"audit -- --format -v", "", "", "[--format -v]", false},
		{"audit --baseline -- a.pdf", "", "--", "[a.pdf]", false},
		{"audit --baseline help a.pdf", "", "help", "[a.pdf]", false},
		{"audit --baseline -h a.pdf", "", "-h", "[a.pdf]", false},
		{"audit --baseline= a.pdf --verbose=false", "", "", "[a.pdf]", false},
	} {
		withOptions(t, tt.in, func(_ *program, c *cli.Context) {
			if c.String("format") != tt.format || c.String("baseline") != tt.baseline || c.Bool("verbose") != tt.verbose ||
				fmt.Sprint(c.Args().Slice()) != tt.args {
				t.Errorf("%s: %q, %q, %v, %v", tt.in, c.String("format"), c.String("baseline"), c.Bool("verbose"), c.Args())
			}
		})
	}
	app := (&program{}).app()
	for in, want := range map[string]string{"help": "webcap COMMAND", "-h": "webcap COMMAND", "help audit": "webcap audit",
		"--version --help": "webcap COMMAND", "--help audit a.pdf": "webcap audit", "audit a.pdf -h -v": "webcap audit",
		"audit -f bogus -h": "webcap audit",
		"help cluster":      "webcap cluster", "help audit --fromat": "webcap audit"} {
		if _, help, err := parseLine(t.Context(), app, strings.Fields(in)); err != nil ||
			!strings.HasPrefix(help.Usage, want+" ") {
			t.Errorf("%s: help %v, %v, want that of %s", in, help, err, want)
		}
	}
}

func TestNear(t *testing.T) {
	for _, tt := range []struct {
		option, typed string
		want          bool
	}{
		{"format", "fromat", true},
		{"format", "formt", true},
		{"format", "formatt", true},
		{"format", "formal", true},
		{"format", "form", true},
		{"fail-on", "failon", true},
		{"quiet", "q", false},
		{"format", "json", false},
		{"help", "", false},
		{"quiet", "quote", false},
	} {
		t.Run(tt.option, func(t *testing.T) {
			if got := near(tt.option, tt.typed); got != tt.want {
				t.Errorf("near(%q, %q) = %v", tt.option, tt.typed, got)
			}
		})
	}
}

// run runs webcap in this process.
func run(stdin io.Reader, stdout io.Writer, args ...string) (code int, stderr string) {
	var errs strings.Builder
	code = Run(append([]string{"webcap"}, args...), stdin, stdout, &errs)
	return code, errs.String()
}

// fullWriter accepts n bytes and then is out of space.
type fullWriter struct{ n int }

func (w *fullWriter) Write(b []byte) (int, error) {
	if w.n -= len(b); w.n < 0 {
		return 0, errors.New("no space left on device")
	}
	return len(b), nil
}

// If results cannot be written, the exit code says so, with any command and format.
func TestFullDisk(t *testing.T) {
	site := root + "/testdata/site.pdf"
	results := filepath.Join(t.TempDir(), "results.json")
	if code, stderr := run(nil, io.Discard, "audit", site, "--output="+results); code != exitClean {
		t.Fatal(stderr)
	}
	for _, args := range [][]string{
		{"audit", site}, {"audit", "--format=json", site}, {"audit", "--format=ndjson", site}, {"report", results},
		{"list", site}, {"list", "--format=json", site},
		{"explain"}, {"explain", "WC302"}, {"--version"}, {"--help"}, {"audit", "--help"},
	} {
		t.Run(fmt.Sprint(args), func(t *testing.T) {
			var out bytes.Buffer
			if code, stderr := run(nil, &out, args...); code != exitClean {
				t.Fatalf("%v: exit %d: %s", args, code, stderr)
			}
			for n := 0; n < out.Len(); n += 1 + out.Len()/10 {
				code, stderr := run(nil, &fullWriter{n}, args...)
				if want := "webcap: cannot write the results: no space left on device\n"; code != exitFailed ||
					stderr != want {
					t.Errorf("%v with room for %d of %d bytes: exit %d, stderr %q", args, n, out.Len(), code, stderr)
				}
			}
		})
	}
}

func TestBrokenStdin(t *testing.T) {
	for _, command := range []string{"audit", "list"} {
		t.Run(command, func(t *testing.T) {
			code, stderr := run(iotest.ErrReader(errors.New("gone")), io.Discard, command, "-", "-f", "json")
			if code != exitFailed || stderr != "webcap: -: gone\n" {
				t.Errorf("%s: exit %d, stderr %q", command, code, stderr)
			}
		})
	}
}

// BenchmarkStart measures the start of webcap.
func BenchmarkStart(b *testing.B) {
	exe := webcapturetest.Program(b, "webcap")
	for b.Loop() {
		if err := exec.Command(exe, "--version").Run(); err != nil {
			b.Fatal(err)
		}
	}
}

// Good and bad files of the corpus give the right exit codes, and a message for those that could not be audited.
func TestCorpus(t *testing.T) {
	for _, dir := range []string{"real", "negative"} {
		for _, f := range webcapturetest.NeedCorpus(t, dir) {
			t.Run(filepath.Base(f), func(t *testing.T) {
				var out bytes.Buffer
				code, stderr := run(nil, &out, "audit", f)
				if stderr != "" {
					t.Errorf("stderr: %s", stderr)
				}
				var allowed []int
				switch {
				case dir == "negative":
					allowed = []int{exitClean, exitFailed, exitNothing}
				case strings.Contains(f, "chromium+pdfium__encrypted"),
					strings.Contains(f, "pikepdf__378014596"): // locked; damaged
					allowed = []int{exitFailed}
				case strings.Contains(f, "LibrePDF+OpenPDF"):
					allowed = []int{exitFindings}
				default:
					allowed = []int{exitClean}
				}
				if !slices.Contains(allowed, code) {
					t.Errorf("exit %d, want one of %v\n%s%s", code, allowed, out.String(), stderr)
				}
				for wrong, text := range map[int]string{exitFailed: "not audited: |checked in part: ",
					exitNothing: ": without a content database\n"} {
					said := slices.ContainsFunc(strings.Split(text, "|"), func(s string) bool {
						return strings.Contains(out.String(),
							s)
					})
					if said != (code == wrong) {
						t.Errorf("exit %d, the table is\n%s", code, out.String())
					}
				}
			})
		}
	}
}
