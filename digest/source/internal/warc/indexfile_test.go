package warc

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
	"github.com/webcap-tools/webcap/digest/tempfile"
)

// TestSavingIsInterrupted: if a process exits while it saves indexes, no incomplete index is left.
func TestSavingIsInterrupted(t *testing.T) {
	identity := []byte(indexMagic)
	if dir, ok := os.LookupEnv("WEBCAP_TEST_INDEXES"); ok {
		s := &scan{part: &Part{}}
		for range 20_000 {
			s.entries.add(entry{})
		}
		for i := range 4 {
			go func() {
				for n := i; ; n += 4 {
					s.save(identity, filepath.Join(dir, strconv.Itoa(n)+".index"))
				}
			}()
		}
		for len(sourcetest.FileNames(t, dir)) < 8 { // four are being written, at most
			time.Sleep(time.Millisecond)
		}
		tempfile.RemoveAll()
		os.Exit(0)
	}
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSavingIsInterrupted$")
	cmd.Env = append(os.Environ(), "WEBCAP_TEST_INDEXES="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d files, %v", len(list), err)
	}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), ".") {
			t.Errorf("%s is left", e.Name())
		} else if _, err := loadScan(&Part{}, identity, filepath.Join(dir, e.Name())); err != nil {
			t.Errorf("%s: %v", e.Name(), err)
		}
	}
}
