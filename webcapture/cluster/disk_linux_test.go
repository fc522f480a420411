package cluster_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// noRoom limits the size of files of a process: larger writes fail as on a full disk, except for the name of the error.
func noRoom(t *testing.T, p *process) {
	t.Helper()
	if err := unix.Prlimit(p.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 1, Max: math.MaxUint64}, nil); err != nil {
		t.Fatal(err)
	}
}

// The disk of the server gets full while a submitter, a worker, and a reader run. They say so and wait. When the server
// starts again with room, they go on, and nothing is lost.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	q := oneServer(t)
	dir := someFiles(t, 200)
	id := q.submit(dir)
	noRoom(t, q.members[0].process)
	worker := q.begin(dir, "work", "-j", "1", id)
	submitter := q.begin(dir, "submit", "in")
	waits := func(p *process) bool {
		return strings.Contains(p.said.String(), "webcap: waiting: the queue does not serve a request: ")
	}
	waitFor(t, "a worker and a submitter wait", func() bool { return waits(worker) && waits(submitter) })
	reader := q.begin(dir, "results", id, "-o", "got.ndjson")
	q.members[0].again(t)
	worker.ends(0)
	reader.ends(0)
	sameRecords(t, filepath.Join(dir, "got.ndjson"), filepath.Join(dir, "want.ndjson"))
	if said := worker.said.String(); strings.Count(said, "\n") > 4 {
		t.Errorf("the worker says %q", said)
	}
	submitter.ends(0)
	other := idOf(submitter)
	q.begin(dir, "work", other).ends(0)
	q.results(dir, other, 0)
	sameRecords(t, filepath.Join(dir, "got.ndjson"), filepath.Join(dir, "want.ndjson"))
}
