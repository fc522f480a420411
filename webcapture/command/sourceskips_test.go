package command

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
	"github.com/webcap-tools/webcap/webcapture/command/show"
)

// A source reports up to twenty reasons why it skipped records, and counts the others.
func TestReasonsOfSkippedRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.har")
	for n, more := range map[int]string{0: "", 1: "", 20: "", 21: "… and 1 more reason\n",
		22: "… and 2 more reasons\n"} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			entries := []string{sourcetest.HAREntry("GET", "http://h/", 200, `{"text": "a"}`, "")}
			for i := range n {
				entries = append(entries, sourcetest.HAREntry("GET", "http://h/", 100+i, `{"text": "a"}`, ""))
			}
			if err := os.WriteFile(path, []byte(sourcetest.HAR(entries...)), 0o666); err != nil {
				t.Fatal(err)
			}
			_, stderr := run(nil, io.Discard, "source", "list", path)
			shown := strings.Count(stderr, "webcap: source "+path+": skipped ")
			if shown != min(n, maxNotes) || strings.Contains(stderr, "…") != (more != "") || !strings.HasSuffix(stderr, more) {
				t.Errorf("%d reasons of %d, it says\n%s", shown, n, stderr)
			}
		})
	}
}

// A list of records ends when the budget of the sources is exceeded, and the records after it are not counted.
func TestListOverBudget(t *testing.T) {
	record := &source.Candidate{URL: "http://h/", Where: "a.warc", Body: &source.Body{}}
	p := &program{stdout: bufio.NewWriter(io.Discard), stderr: new(strings.Builder)}
	m := &meter.Meter{}
	m.Limit(1, 0)
	records := func(yield func(*source.Candidate, error) bool) {
		for range 2 {
			if !yield(record, nil) {
				return
			}
		}
	}
	listed, err := p.listSources(t.Context(), records, show.NewSourceList("csv", &meteredWriter{io.Discard, m}, 0), m)
	if err != nil || listed != 1 {
		t.Errorf("%d records, %v", listed, err)
	}
}
