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
	"strconv"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// The allowed cost of any file: a fixed part, and a multiple of the cost of a clean file of its size (docs/SECURITY.md).
const (
	promisedCPU     = 5 * time.Second
	promisedMemory  = 256 << 20
	timesCleanCPU   = 20
	timesCleanSpace = 2
)

// cost is the time and memory of a run.
type cost struct {
	cpu    time.Duration
	memory int64 // bytes
}

// times returns the cost of a file that is n times as large: that of a clean file grows with its size.
func (c cost) times(n float64) cost {
	return cost{time.Duration(float64(c.cpu) * n), int64(float64(c.memory) * n)}
}

// promised returns the allowed cost of a file if a clean one of its size costs c.
func (c cost) promised() cost {
	return cost{promisedCPU + timesCleanCPU*c.cpu, promisedMemory + timesCleanSpace*c.memory}
}

// slack is the factor over the promise that fails a test: a busy machine takes longer. The table, which -v prints,
// shows costs over the promise itself.
const slack = 2

// within fails the test if a command cost much more than allowed, and adds a row to the table. usual measures a clean
// file, which only few bombs need: most stay below what is allowed for any file.
func (took cost) within(t *testing.T, usual func() cost, args []string, size int64, code int, said []byte) {
	t.Helper()
	may := cost{}.promised()
	if took.cpu > may.cpu || took.memory > may.memory {
		may = usual().promised()
	}
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

// Commands that read PDF files keep the promise for all bombs. A command is killed after ten minutes of CPU time, or
// at 8 GB and ten times the size of the file.
func TestBombs(t *testing.T) {
	if !webcapturetest.All() {
		t.Skip("takes minutes; needs WEBCAP_TEST_ALL")
	}
	dir := t.TempDir()
	clean, path, out := filepath.Join(dir, "clean.pdf"), filepath.Join(dir, "bomb.pdf"), filepath.Join(dir, "out.pdf")
	for _, b := range webcapturetest.Bombs() {
		t.Run(b.Name, func(t *testing.T) {
			size := writeFile(t, path, b.Write)
			for _, command := range []func(path string) []string{
				func(path string) []string { return []string{"audit", path} },
				func(path string) []string { return []string{"list", path} },
				func(path string) []string { return []string{"list", "--tree", path} },
				func(path string) []string { return []string{"find", "http://no.example/", path} },
				func(path string) []string { return []string{"export", "-o", filepath.Join(dir, "out.warc.gz"), path} },
				func(path string) []string { return []string{"diff", path, path} },
				func(path string) []string { return []string{"rewrite", path, "-o", out} },
			} {
				os.Remove(out)
				args := command(path)
				took, code, said := measure(t, size, args...)
				took.within(t, func() cost {
					const most = 20 << 20 // of a larger file, an export takes minutes
					written := writeFile(t, clean, cleanFile(min(size, most)))
					os.Remove(out)
					usual, code, said := measure(t, written, command(clean)...)
					if code < 0 || code == exitFailed {
						t.Fatalf("a clean file: exit %d: %s", code, lastLine(said))
					}
					return usual.times(float64(size) / float64(written))
				}, args, size, code, said)
				if args[0] == "audit" && !bytes.Contains(said, []byte(b.Cap)) {
					t.Errorf("audit does not say %q", b.Cap)
				}
				if b.Cap != "" && (args[0] == "audit" || args[0] == "rewrite") && code != exitFailed {
					t.Errorf("%s ends with %d", args[0], code)
				}
			}
		})
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
