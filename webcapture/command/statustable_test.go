package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
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

// The rate of a job is that of its inputs between two looks. Without progress there is none.
func TestRateOfAJob(t *testing.T) {
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name                 string
		of                   string // name of the job in the earlier look
		seconds              int
		before, done, chunks int
		want                 string
	}{
		{"half", "a", 10, 0, 5, 10, "5.0 inputs/s, 10s left"},
		{"all", "a", 10, 5, 10, 10, "5.0 inputs/s"},
		{"from the middle", "a", 10, 4, 6, 10, "2.0 inputs/s, 20s left"},
		{"no progress", "a", 10, 5, 5, 10, ""},
		{"begun again", "a", 10, 5, 1, 10, ""},
		{"the same look", "a", 0, 0, 5, 10, ""},
		{"another job", "b", 10, 0, 5, 10, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := &cluster.Status{Time: at, Jobs: []cluster.JobStatus{{Name: tt.of, Done: tt.before}}}
			job := &cluster.JobStatus{Name: "a", Inputs: 100, Chunks: tt.chunks, Done: tt.done, Taken: 3, Submitted: true}
			now := &cluster.Status{Time: at.Add(time.Duration(tt.seconds) * time.Second)}
			row := jobRow(before, now, job)
			state := map[bool]string{true: "done", false: "waiting"}[tt.done == tt.chunks]
			want := []string{"a", state, fmt.Sprint(tt.chunks), fmt.Sprint(tt.done), "3", "100", tt.want}
			if !slices.Equal(row, want) {
				t.Errorf("%q, want %q", row, want)
			}
		})
	}
}

// The last sign of life is a time before now, in seconds. A clock that is ahead counts as now.
func TestAgo(t *testing.T) {
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for before, want := range map[time.Duration]string{0: "0s ago", 1600 * time.Millisecond: "2s ago",
		61 * time.Second: "1m1s ago", -time.Hour: "0s ago"} {
		if got := ago(at, at.Add(-before)); got != want {
			t.Errorf("%v before: %q, want %q", before, got, want)
		}
	}
}

// The document has all numbers of jobs and workers, times in UTC, and arrays that are never null. Bytes that
// are not UTF-8 are escaped.
func TestStatusJSON(t *testing.T) {
	at := time.Date(2030, 1, 1, 1, 0, 0, 0, time.FixedZone("", 3600))
	s := &cluster.Status{Time: at, Jobs: []cluster.JobStatus{
		{Name: "a", Begun: at, Inputs: 1, Chunks: 2, Done: 3, Taken: 4, Bytes: 5, Submitted: true,
			Poison: []string{"x\xff"}}, {Name: "b", Begun: at, Cancelled: true}},
		Workers: []cluster.WorkerStatus{{Name: "w\xff", Version: "v1", Since: at, Seen: at, Inputs: 6, Bytes: 7}}}
	const utc = `"2030-01-01T00:00:00Z"`
	const head = `{"schema":"webcap.cluster/1","tool":{"name":"webcap","version":"v2"},"time":` + utc + `,`
	for want, s := range map[string]*cluster.Status{
		head + `"jobs":[{"name":"a","begun":` + utc + `,"state":"done","inputs":1,"chunks":2,"done":3,"taken":4,` +
			`"bytes":5,"poison":["x\\xff"]},{"name":"b","begun":` + utc + `,"state":"cancelled","inputs":0,"chunks":0,` +
			`"done":0,"taken":0,"bytes":0,"poison":[]}],"workers":[{"name":"w\\xff","version":"v1","since":` + utc +
			`,"seen":` + utc + `,"inputs":6,"bytes":7}]}`: s,
		head + `"jobs":[],"workers":[]}`: {Time: at},
	} {
		var out bytes.Buffer
		if err := statusJSON(&out, "v2", s); err != nil {
			t.Fatal(err)
		}
		var got, wanted any
		if err := errors.Join(json.Unmarshal(out.Bytes(), &got), json.Unmarshal([]byte(want), &wanted)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, wanted) {
			t.Errorf("got\n%s\nwant\n%s", out.String(), want)
		}
	}
}

// A status that cannot be written is an error.
func TestStatusOnFullDisk(t *testing.T) {
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	s := &cluster.Status{Time: at, Jobs: []cluster.JobStatus{{Name: "a"}}}
	if err := statusTable(&fullWriter{0}, 80, s, s); err == nil {
		t.Error("no error of the table")
	}
	if err := statusJSON(&fullWriter{0}, "v2", s); err == nil {
		t.Error("no error of the document")
	}
}
