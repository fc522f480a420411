//go:build unix

package command

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/batch/batchtest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// manyInputs is how many inputs TestManyInputsKilled audits; docs/scale.md has figures for 50,000.
var manyInputs = flag.Int("inputs", 0, "the number of inputs of TestManyInputsKilled; 0 for some")

// A run over inputs of all kinds, half of them in archives, that is killed again and again has
// in the end, to the byte, the records of a run that was not: one for each input.
func TestManyInputsKilled(t *testing.T) {
	n := *manyInputs
	if n == 0 {
		n = 400
		if webcapturetest.All() {
			n = 4000
		}
	}
	dir := t.TempDir()
	large := int64(64 << 20)
	if *manyInputs > 0 {
		large = 2 << 30
	}
	want := batchtest.Write(t, filepath.Join(dir, "in"), n, large)
	audit := func() *exec.Cmd {
		c := exec.Command("webcap", "audit", "in", "--journal", "run", "--output", "csv:out", "--timeout", "5m")
		c.Dir, c.Env = dir, append(os.Environ(), "TMPDIR="+dir)
		return c
	}
	results := func() (journal, csv string, took time.Duration) {
		begun := time.Now()
		out, err := audit().CombinedOutput()
		if code := exitCode(err); code != exitFailed {
			t.Fatalf("exit %d: %.2000s", code, out)
		}
		took = time.Since(begun)
		return withoutSeconds(t, filepath.Join(dir, "run")), withoutSeconds(t, filepath.Join(dir, "out")), took
	}
	journal, csv, took := results()
	if got := strings.Count(journal, `{"type":"input"`); got != want {
		t.Errorf("%d records, want %d", got, want)
	}
	t.Logf("%d inputs in %v: %.0f a second", want, took.Round(time.Millisecond), float64(want)/took.Seconds())
	os.Remove(filepath.Join(dir, "run"))
	r := rand.New(rand.NewPCG(1, 15))
	for range 5 {
		c := audit()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(took/20+time.Duration(r.Int64N(int64(took)/4)), func() { c.Process.Signal(syscall.SIGKILL) })
		c.Wait()
		text, _ := os.ReadFile(filepath.Join(dir, "run"))
		t.Logf("killed after %d records", bytes.Count(text, []byte(`{"type":"input"`)))
	}
	again, csvAgain, _ := results()
	if again != journal {
		t.Errorf("the journal of the run that was killed is another: %s", firstDifference([]byte(again), []byte(journal)))
	}
	if csvAgain != csv {
		t.Errorf("the results of the run that was killed are others: %s", firstDifference([]byte(csvAgain), []byte(csv)))
	}
	for _, name := range names(t, dir) {
		if strings.HasPrefix(name, "webcap-") {
			t.Errorf("%s is left", name)
		}
	}
}

func exitCode(err error) int {
	exit, ok := err.(*exec.ExitError)
	if !ok {
		return -1
	}
	return exit.ExitCode()
}

var secondsOf = regexp.MustCompile(`,"seconds":[0-9.e-]+`)

func withoutSeconds(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(secondsOf.ReplaceAll(text, nil))
}
