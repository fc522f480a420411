package command

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/internal/layout/layouttest"
)

// The progress between two looks gives the speed of a job and its remaining time; all lines fit on the terminal.
func TestStatusTable(t *testing.T) {
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	job := cluster.JobStatus{Name: "audit-237f5bf3b42c", Inputs: 5_000_000, Chunks: 10_000, Done: 20, Taken: 4,
		Submitted: true,
		Poison: []string{"bad\x1b.pdf",
			"archive of the year 2001/pages of the second half/some more of them/index of all.pdf"}}
	before := &cluster.Status{Time: at, Jobs: []cluster.JobStatus{job}}
	job.Done = 40
	now := &cluster.Status{Time: at.Add(10 * time.Second), Jobs: []cluster.JobStatus{job, {Name: "b", Submitted: true}},
		Workers: []cluster.WorkerStatus{
			{Name: "host-1", Version: "v1.2.3", Inputs: 900, Since: at, Seen: at.Add(9 * time.Second)},
			{Name: "worker-7d9f8b6c5-x2x4z-1", Version: "v1.2.4-0.20300101000000-0123456789ab", Inputs: 1_000_000,
				Since: at.Add(-time.Hour), Seen: at},
		}}
	for name, width := range map[string]int{"status-60.txt": 60, "status-80.txt": 80, "status-120.txt": 120,
		"status-200.txt": 200, "status-piped.txt": 0} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := statusTable(&out, width, before, now); err != nil {
				t.Fatal(err)
			}
			layouttest.Golden(t, filepath.Join(root, "testdata/command", name), out.String())
			layouttest.Lines(t, out.String(), width)
		})
	}
	var out bytes.Buffer
	if err := statusTable(&out, 0, &cluster.Status{}, &cluster.Status{}); err != nil || out.String() != "no jobs\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}
