package command

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/batch/batchtest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// manyInputs is the number of inputs that TestManyInputsKilled audits; docs/many-files.md has figures for 50,000.
var manyInputs = flag.Int("inputs", 0, "the number of inputs of TestManyInputsKilled; 0 for some")

// A run over inputs of all kinds, half of them in archives, that is killed repeatedly ends with the same bytes as
// an undisturbed one: one record for each input.
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
		c := exec.Command("webcap", "audit", "in", "--journal", "run", "--output", "out.csv", "--timeout", "5m")
		c.Dir, c.Env = dir, append(os.Environ(), "TMPDIR="+dir, "TMP="+dir)
		return c
	}
	results := func() (journal, csv string, took time.Duration) {
		begun := time.Now()
		out, err := audit().CombinedOutput()
		if code := exitCode(err); code != exitFailed {
			t.Fatalf("exit %d: %.2000s", code, out)
		}
		took = time.Since(begun)
		return withoutSeconds(t, filepath.Join(dir, "run")), withoutSeconds(t, filepath.Join(dir, "out.csv")), took
	}
	journal, csv, took := results()
	if got := strings.Count(journal, `{"type":"input"`); got != want {
		t.Errorf("%d records, want %d", got, want)
	}
	t.Logf("%d inputs in %v: %.0f a second", want, took.Round(time.Millisecond), float64(want)/took.Seconds())
	os.Remove(filepath.Join(dir, "run"))
	r := rand.New(rand.NewPCG(1, 15))
	for range 20 {
		c := audit()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(r.Int64N(int64(took)/8)), func() { c.Process.Kill() })
		c.Wait()
		text, _ := os.ReadFile(filepath.Join(dir, "run"))
		t.Logf("killed after %d records", bytes.Count(text, []byte(`{"type":"input"`)))
	}
	again, csvAgain, _ := results()
	if again != journal {
		t.Errorf("the journal of the run that was killed is another: %s",
			firstDifference(again, journal))
	}
	if csvAgain != csv {
		t.Errorf("the results of the run that was killed are others: %s",
			firstDifference(csvAgain, csv))
	}
	for _, name := range names(t, dir) {
		if strings.HasPrefix(name, "webcap-") {
			t.Errorf("%s is left", name)
		}
	}
}

// names returns the names in a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
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

// writeFolders writes n files with the same bytes to three folders below dir.
func writeFolders(t *testing.T, dir string, n int, data []byte) {
	t.Helper()
	for i := range n {
		path := filepath.Join(dir, string(rune('a'+i%3)), "file"+strconv.Itoa(i)+".pdf")
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// checkBackups checks that each file below a folder was rewritten, or is the backup of one. It counts them.
func checkBackups(t *testing.T, folder string, damaged, want []byte) (files int) {
	t.Helper()
	filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		is, err := os.ReadFile(path)
		of := want
		switch filepath.Ext(path) {
		case ".bak":
			of = damaged
		case ".tmp": // of a killed run
			return nil
		}
		files++
		if !bytes.Equal(is, of) {
			t.Errorf("%s is not what it should be", path)
		}
		return err
	})
	return files
}

// A rewrite of a folder that is killed repeatedly ends like an undisturbed one: each file is old or new, its backup
// is complete, and other files are temporary.
func TestRewriteFolderKilled(t *testing.T) {
	dir := t.TempDir()
	damaged, err := os.ReadFile("../../testdata/site-optimized.pdf")
	if err != nil {
		t.Fatal(err)
	}
	n := 60
	writeFolders(t, filepath.Join(dir, "in"), n, damaged)
	rewrite := func(args ...string) *exec.Cmd {
		c := exec.Command("webcap", append([]string{"rewrite"}, args...)...)
		c.Dir = dir
		return c
	}
	begun := time.Now()
	if out, err := rewrite("in", "-o", "want").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	took := time.Since(begun)
	want, err := os.ReadFile(filepath.Join(dir, "want", "a", "file0.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	again := []string{"--in-place", "in", "--journal", "run"}
	r := rand.New(rand.NewPCG(1, 17))
	for range 6 {
		c := rewrite(again...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(r.Int64N(int64(took)/3))+20*time.Millisecond,
			func() { c.Process.Kill() })
		c.Wait()
	}
	out, err := rewrite(again...).CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("60 files: ")) || bytes.Contains(out, []byte("failed")) {
		t.Errorf("the last run: %v: %s", err, out)
	}
	files := checkBackups(t, filepath.Join(dir, "in"), damaged, want)
	if files != 2*n {
		t.Errorf("%d files, want %d and as many backups", files, n)
	}
	report, err := exec.Command("webcap", "report", filepath.Join(dir, "run")).CombinedOutput()
	if !bytes.Contains(report, []byte("60 files: 60 clean")) {
		t.Errorf("the journal: %v: %s", err, report)
	}
}
