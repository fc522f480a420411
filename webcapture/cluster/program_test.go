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

	"github.com/nats-io/nats-server/v2/server"

	"github.com/webcap-tools/webcap/webcapture/batch/batchtest"
	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/command"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Environment variables that make the test binary another program.
const (
	asWebcap = "WEBCAP_TEST_PROGRAM"
	asServer = "WEBCAP_TEST_SERVER" // path of a configuration of nats-server
	deadly   = "WEBCAP_TEST_DEADLY" // name of a file that kills the program
)

// Settings of programs in tests.
const (
	testLease  = 2 * time.Second
	testInputs = 10 // inputs of a chunk
)

const failed = 3 // the exit code of an audit with inputs that cannot be audited

var inputsFlag = flag.Int("inputs", 0, "the number of inputs of the tests of kills; 0 for some")

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(asServer) != "":
		os.Exit(serve(os.Getenv(asServer)))
	case os.Getenv(asWebcap) != "":
		cluster.Tune(testLease, testInputs)
		if name := os.Getenv(deadly); name != "" {
			go dieOf(name)
		}
		os.Exit(command.Run(os.Args, os.Stdin, os.Stdout, os.Stderr))
	}
	webcapturetest.CleanEnvironment()
	cluster.Tune(testLease, testInputs)
	flag.Parse()
	flag.Set("test.parallel", "4") // most of their time is waiting for processes
	os.Exit(m.Run())
}

// serve runs nats-server.
func serve(config string) int {
	opts, err := server.ProcessConfigFile(config)
	if err != nil {
		println(err.Error())
		return 1
	}
	s, err := server.NewServer(opts)
	if err != nil {
		println(err.Error())
		return 1
	}
	s.ConfigureLogger()
	if err := server.Run(s); err != nil {
		return 1
	}
	s.WaitForShutdown()
	return 0
}

// dieOf kills the program when it has a file open, like a bug from which Go code cannot recover. Only Linux lists the
// files that a process has mapped.
func dieOf(name string) {
	for ; ; time.Sleep(time.Millisecond) {
		maps, _ := os.ReadFile("/proc/self/maps")
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
	said lockedBuffer // standard error and standard output
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
	return start(t, dir, []string{asWebcap + "=1"}, args...)
}

// start starts the test binary with environment variables.
func start(t testing.TB, dir string, env []string, args ...string) *process {
	t.Helper()
	p := newProcess(t, dir, env, args...)
	p.start()
	return p
}

func newProcess(t testing.TB, dir string, env []string, args ...string) *process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: exec.Command(exe, args...), t: t, done: make(chan struct{})}
	p.Args[0] = "webcap"
	p.Dir, p.Env = dir, append(append(os.Environ(), "TMPDIR="+t.TempDir()), env...)
	p.Stdout, p.Stderr = &p.said, &p.said
	return p
}

func (p *process) start() {
	p.t.Helper()
	if err := p.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() {
		p.Wait()
		close(p.done)
	}()
	p.t.Cleanup(p.kill)
}

// kill kills the process, and waits until it is gone.
func (p *process) kill() {
	p.Process.Signal(syscall.SIGKILL)
	<-p.done
}

// isOver reports whether the process has ended.
func (p *process) isOver() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// hang is the time after which a process counts as hanging.
func hang() time.Duration {
	if *inputsFlag > 0 {
		return time.Hour
	}
	return 2 * time.Minute
}

// ends waits until the process ends with this exit code, and returns what it said.
func (p *process) ends(code int) string {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(hang()):
		p.t.Fatalf("%q does not end: %.2000s", p.Args, p.said.String())
	}
	if got := p.ProcessState.ExitCode(); got != code {
		p.t.Fatalf("%q: exit %d, want %d: %.2000s", p.Args, got, code, p.said.String())
	}
	return p.said.String()
}

// endsWith waits until the process ends with this exit code and one line that contains text.
func (p *process) endsWith(code int, text string) {
	p.t.Helper()
	if said := p.ends(code); strings.Count(said, "\n") != 1 || !strings.Contains(said, text) {
		p.t.Errorf("%q says %q, want a line with %q", p.Args, said, text)
	}
}

// waitFor waits until a condition holds.
func waitFor(t testing.TB, what string, is func() bool) {
	t.Helper()
	for begun := time.Now(); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Since(begun) > hang() {
			t.Fatalf("it does not happen: %s", what)
		}
	}
}

var secondsOf = regexp.MustCompile(`,"seconds":[0-9.e-]+`)

// records returns the lines of results except the head, without times.
func records(t testing.TB, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(secondsOf.ReplaceAll(text, nil)), "\n")
	return lines[1 : len(lines)-1]
}

// sameRecords compares two files of results.
func sameRecords(t testing.TB, got, want string) {
	t.Helper()
	a, b := records(t, got), records(t, want)
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

// site is a small file without findings.
var site = sync.OnceValue(func() []byte {
	return webcapturetest.Sets(1, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
})

// addFiles adds files number from to to-1 to the folder in, and returns the folder of the test.
func addFiles(t testing.TB, dir string, from, to int) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "in"), 0o777); err != nil {
		t.Fatal(err)
	}
	for i := from; i < to; i++ {
		name := filepath.Join(dir, "in", string([]byte{byte('a' + i/676%26), byte('a' + i/26%26), byte('a' + i%26)})+".pdf")
		if err := os.WriteFile(name, site(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// someFiles makes a folder with n files in the folder in, and their results in the file want.
func someFiles(t testing.TB, n int) string {
	t.Helper()
	dir := addFiles(t, t.TempDir(), 0, n)
	begin(t, dir, "audit", "in", "-o", "want.ndjson").ends(0)
	return dir
}

// allKinds is someFiles for files and archives of all kinds, also broken ones.
func allKinds(t testing.TB, n int, large int64) string {
	t.Helper()
	dir := t.TempDir()
	batchtest.Write(t, filepath.Join(dir, "in"), n, large)
	begin(t, dir, "audit", "in", "-o", "want.ndjson").ends(failed)
	return dir
}
