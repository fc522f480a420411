package printer

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/batch/queue"
)

// What was done between two looks says how fast a job gets on, and how long it will take.
func TestStatusTable(t *testing.T) {
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	job := queue.JobStatus{Name: "audit-1", Inputs: 5000, Chunks: 100, Done: 20, Taken: 4, Submitted: true, Poison: []string{"bad\x1b.pdf"}}
	before := &queue.Status{Time: at, Jobs: []queue.JobStatus{job}}
	job.Done = 40
	now := &queue.Status{Time: at.Add(10 * time.Second), Jobs: []queue.JobStatus{job, {Name: "b", Submitted: true}},
		Workers: []queue.WorkerStatus{{Name: "host-1", Version: "v1", Inputs: 900, Since: at, Seen: at.Add(9 * time.Second)}}}
	var b bytes.Buffer
	if err := StatusTable(&b, before, now); err != nil {
		t.Fatal(err)
	}
	const want = `  JOB      INPUTS  CHUNKS  DONE  IN WORK  STATE
  audit-1  5000    100     40    4        waiting  100.0 inputs/s, 30s left
  b        0       0       0     0        done

  WORKER  VERSION  INPUTS  RATE   SEEN
  host-1  v1       900     100/s  1s ago

audit-1: given up, workers died of it: bad\x1b.pdf
`
	got := b.String()
	for i, line := range strings.Split(want, "\n") {
		if lines := strings.Split(got, "\n"); i >= len(lines) || strings.TrimRight(lines[i], " ") != line {
			t.Fatalf("line %d of\n%s\nis not\n%s", i+1, got, line)
		}
	}
	b.Reset()
	if err := StatusTable(&b, &queue.Status{}, &queue.Status{}); err != nil || b.String() != "no jobs\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}
