package cluster_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/command"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// asProgram in the environment makes the test binary the program.
const asProgram = "WEBCAP_TEST_PROGRAM"

// ifAll skips a test that waits for leases or servers, unless all tests are requested.
func ifAll(t *testing.T) {
	t.Helper()
	if !webcapturetest.All() {
		t.Skip("waits for leases and servers; needs WEBCAP_TEST_ALL")
	}
}

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		if name := os.Getenv(deadly); name != "" {
			go dieOf(name)
		}
		os.Exit(command.Run(os.Args, os.Stdin, os.Stdout, os.Stderr))
	}
	webcapturetest.CleanEnvironment()
	flag.Parse()
	flag.Set("test.parallel", "8") // most of their time is waiting for processes
	os.Exit(m.Run())
}

// deadly in the environment is the name of a file that crashes the program.
const deadly = "WEBCAP_TEST_DEADLY"

// mapsOfProcess lists the files that a process has mapped. Only Linux has it.
const mapsOfProcess = "/proc/self/maps"

// dieOf kills the program when it has a file open, like a bug from which Go code cannot recover.
func dieOf(name string) {
	for ; ; time.Sleep(time.Millisecond) {
		maps, _ := os.ReadFile(mapsOfProcess)
		if bytes.Contains(maps, []byte("/"+name+"\n")) {
			self, _ := os.FindProcess(os.Getpid())
			self.Kill()
		}
	}
}

// process is a running program in a folder.
type process struct {
	*exec.Cmd
	t    testing.TB
	said lockedBuffer // output on standard error and standard output
	done chan struct{}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// begin starts webcap in a folder. It is killed when the test ends.
func begin(t testing.TB, dir string, args ...string) *process {
	t.Helper()
	return beginWith(t, nil, dir, args...)
}

// beginWith is begin with environment variables.
func beginWith(t testing.TB, env []string, dir string, args ...string) *process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: exec.Command(exe, args...), t: t, done: make(chan struct{})}
	p.Args[0] = "webcap"
	p.Dir, p.Env = dir, append(append(os.Environ(), asProgram+"=1", "TMPDIR="+t.TempDir()), env...)
	p.Stdout, p.Stderr = &p.said, &p.said
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.Wait()
		close(p.done)
	}()
	t.Cleanup(func() {
		p.signal(syscall.SIGKILL)
		<-p.done
	})
	return p
}

func (p *process) signal(s syscall.Signal) { p.Process.Signal(s) }

// kill kills the process, and waits until it is gone.
func (p *process) kill() {
	p.signal(syscall.SIGKILL)
	<-p.done
}

// hang is the time after which a process counts as hanging.
func hang() time.Duration {
	if *inputsFlag > 0 {
		return time.Hour
	}
	return 2 * time.Minute
}

// end waits until the process ends, and returns its exit code.
func (p *process) end() int {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(hang()):
		p.t.Fatalf("%q does not end: %.2000s", p.Args, p.said.String())
	}
	return p.ProcessState.ExitCode()
}

// webcap runs the program, and returns its output and its exit code.
func webcap(t testing.TB, dir string, args ...string) (string, int) {
	t.Helper()
	p := begin(t, dir, args...)
	code := p.end()
	return p.said.String(), code
}

// waitFor waits until a condition holds.
func waitFor(t testing.TB, what string, is func() bool) {
	t.Helper()
	for begun := time.Now(); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > hang() {
			t.Fatalf("%s: it is not so", what)
		}
	}
}

var secondsOf = regexp.MustCompile(`,"seconds":[0-9.e-]+`)

// records returns results without the parts that differ in each run: durations.
func records(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(secondsOf.ReplaceAll(text, nil))
}

// sameRecords compares two files of results without their heads.
func sameRecords(t testing.TB, got, want string) {
	t.Helper()
	a, b := strings.Split(records(t, got), "\n")[1:], strings.Split(records(t, want), "\n")[1:]
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			t.Fatalf("%s ends after %d lines, before %.200s", filepath.Base(got), i, b[i])
		case i >= len(b):
			t.Fatalf("%s has more lines, from %d on: %.200s", filepath.Base(got), i, a[i])
		case a[i] != b[i]:
			t.Fatalf("line %d of %s is\n%.300s\nwant\n%.300s", i+2, filepath.Base(got), a[i], b[i])
		}
	}
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
