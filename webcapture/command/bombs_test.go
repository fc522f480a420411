//go:build linux

package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// The cost of any file, on an idle machine: docs/SECURITY.md.
const (
	promisedCPU    = 6 * time.Second
	promisedMemory = 400 << 20
)

// cost is the time and memory of a run.
type cost struct {
	cpu    time.Duration
	memory int64 // bytes, without mapped files
}

// slack is the factor over the promise that fails a test: a busy machine takes longer. The table, which -v prints,
// shows costs over the promise itself.
const slack = 2

// within fails the test if a command cost much more than promised, and adds a row to the table.
func (took cost) within(t *testing.T, args []string, size int64, code int, said []byte) {
	t.Helper()
	may := cost{promisedCPU + time.Duration(size)*400*time.Nanosecond, filesOf(args[0]) * (promisedMemory + size)}
	over := ""
	if took.cpu > may.cpu || took.memory > may.memory {
		over = "OVER "
	}
	t.Logf("%-8s %9d bytes: %6.2f s of %6.2f, %5d MB of %5d, %sexit %d: %s", args[0], size,
		took.cpu.Seconds(), may.cpu.Seconds(), took.memory>>20, may.memory>>20, over, code, lastLine(said))
	if took.cpu > slack*may.cpu || took.memory > slack*may.memory {
		t.Errorf("%s takes %.2f s and %d MB", args[0], took.cpu.Seconds(), took.memory>>20)
	}
}

// filesOf returns the number of files that a command reads: a rewrite reads its result, too.
func filesOf(command string) int64 {
	if command == "diff" || command == "rewrite" {
		return 2
	}
	return 1
}

// eachBombCommand calls do with each command that reads the PDF file at a path.
func eachBombCommand(path, dir string, do func(args ...string)) {
	do("audit", path)
	do("list", path)
	do("keys", path)
	do("find", "http://no.example/", path)
	do("export", "-o", filepath.Join(dir, "out.warc.gz"), path)
	do("diff", path, path)
	do("rewrite", path)
	do("rewrite", "--from", path, path)
}

// Commands that read PDF files keep the promise for all bombs. A command is killed after ten minutes of CPU time, or
// at 8 GB and ten times the size of the file.
func TestBombs(t *testing.T) {
	if !webcapturetest.All() {
		t.Skip("takes minutes; needs WEBCAP_TEST_ALL")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "bomb.pdf")
	for _, b := range webcapturetest.Bombs() {
		t.Run(b.Name, func(t *testing.T) {
			size := writeFile(t, path, b.Write)
			eachBombCommand(path, dir, func(args ...string) {
				took, code, said := measure(t, size, args...)
				took.within(t, args, size, code, said)
				checkExit(t, args, code, string(said))
			})
		})
	}
}

// TestBombsEndWithTheirMeter: each command either reads a bomb, or says that it stops, with exit code 3.
func TestBombsEndWithTheirMeter(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "bomb.pdf")
	quick := []string{"2000 sets that share 10000 members and sources", "a page of q 125 million times"}
	for _, b := range webcapturetest.Bombs() {
		if !webcapturetest.All() && !slices.Contains(quick, b.Name) {
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			writeFile(t, path, b.Write)
			eachBombCommand(path, dir, func(args ...string) {
				code, said := run(nil, io.Discard, append(args, "--timeout", "0")...)
				checkExit(t, args, code, said)
			})
		})
	}
}

// checkExit checks that a command that stops reading a file fails, and says so once.
func checkExit(t *testing.T, args []string, code int, said string) {
	t.Helper()
	n := strings.Count(said, meter.Over{}.Error())
	if n > 0 && code != exitFailed || n > 2 {
		t.Errorf("%s ends with %d, and says %d times that it stops: %.300s", args[0], code, n, said)
	}
}

// cleanFile returns a function that writes a file without faults of about that size.
func cleanFile(size int64) func(io.Writer) error {
	const perSet = 370 // bytes of a file that one set takes
	return func(w io.Writer) error {
		return webcapturetest.WriteSets(w, int(1+size/perSet), webcapturetest.Options{Leaf: 64},
			webcapturetest.Layout{})
	}
}

// writeFile writes a file and returns its size.
func writeFile(t *testing.T, path string, write func(io.Writer) error) int64 {
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	err = write(f)
	size, seekErr := f.Seek(0, io.SeekCurrent)
	if err := errors.Join(err, seekErr, f.Close()); err != nil {
		t.Fatal(err)
	}
	return size
}

// lastLine returns the beginning of the last line of the output.
func lastLine(said []byte) string {
	lines := bytes.Split(bytes.TrimSpace(said), []byte("\n"))
	return fmt.Sprintf("%.100s", lines[len(lines)-1])
}

// measure runs the program and returns its cost, its exit code, and its output. Mapped bytes of input files do not
// count as memory. The program has no time limit of its own, because the machine may be busy.
func measure(t *testing.T, size int64, args ...string) (cost, int, []byte) {
	limits := fmt.Sprintf(`ulimit -t 600; ulimit -v %d; exec webcap "$@" --timeout 0`, (8<<30+10*size)>>10)
	c := exec.Command("sh", append([]string{"-c", limits, "webcap"}, args...)...)
	status := filepath.Join(t.TempDir(), "status")
	c.Env = append(os.Environ(), statusFile+"="+status)
	mapped := size
	if args[0] == "diff" { // two files
		mapped *= 2
	}
	b, err := c.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cost{c.ProcessState.UserTime() + c.ProcessState.SystemTime(), max(peak(status)-mapped, 0)},
		c.ProcessState.ExitCode(), b
}

// peak returns the maximum memory of a process that stored its status. A killed process has no status; for it, peak
// returns more than is allowed.
func peak(status string) int64 {
	b, _ := os.ReadFile(status)
	found := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(b)
	if found == nil {
		return math.MaxInt64
	}
	n, _ := strconv.ParseInt(string(found[1]), 10, 64)
	return n << 10
}
