package cluster_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/batch/batchtest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// inputsFlag is the number of inputs in the tests of kills; docs/cluster.md has figures for 50,000.
var inputsFlag = flag.Int("inputs", 0, "the number of inputs of the tests of kills; 0 for some")

// howMany returns the number of inputs in a test of kills, and the size of the largest.
func howMany() (n int, large int64) {
	switch {
	case *inputsFlag > 0:
		return *inputsFlag, 2 << 30
	case webcapturetest.All():
		return 4000, 64 << 20
	}
	return 200, 16 << 20
}

// A run with its own queue that is killed repeatedly ends with the same bytes as an undisturbed audit with a
// journal.
func TestRunKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n, large := howMany()
	batchtest.Write(t, filepath.Join(dir, "in"), n, large)
	begun := time.Now()
	if said, code := webcap(t, dir, "audit", "in", "--journal", "journal", "--output", "ndjson:want"); code != failed {
		t.Fatalf("exit %d: %.2000s", code, said)
	}
	took := time.Since(begun)
	args := []string{"cluster", "run", "in", "--store", "store", "--chunk", "20", "--output", "ndjson:got"}
	kills := 2
	if *inputsFlag > 0 {
		kills = 10
	}
	if webcapturetest.All() {
		kills = max(kills, 5)
		begun = time.Now()
		if said, code := webcap(t, dir, args...); code != failed {
			t.Fatalf("exit %d: %.2000s", code, said)
		}
		t.Logf("audit --journal: %v, cluster run: %v", took, time.Since(begun))
		sameRecords(t, filepath.Join(dir, "got"), filepath.Join(dir, "want"))
		os.RemoveAll(filepath.Join(dir, "store"))
	}
	r := rand.New(rand.NewPCG(1, 16))
	for range kills {
		p := begin(t, dir, args...)
		time.Sleep(took/time.Duration(10*kills) + time.Duration(r.Int64N(int64(took)/int64(kills+2))))
		p.kill()
	}
	if said, code := webcap(t, dir, args...); code != failed {
		t.Fatalf("exit %d: %.2000s", code, said)
	}
	sameRecords(t, filepath.Join(dir, "got"), filepath.Join(dir, "want"))
}
