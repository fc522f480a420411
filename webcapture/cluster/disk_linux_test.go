package cluster_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/webcap-tools/webcap/webcapture/cluster"
)

// noRoom limits the size of files of a process: larger writes fail as on a full disk, except for the name of the
// error.
func noRoom(t *testing.T, p *process, most uint64) {
	t.Helper()
	if err := unix.Prlimit(p.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: most, Max: math.MaxUint64},
		nil); err != nil {
		t.Fatal(err)
	}
}

// A server with a full disk reports that and ends, at each start; workers wait. When there is room again, the job
// continues without loss.
func TestFullDisk(t *testing.T) {
	ifAll(t)
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 600)
	if said, code := webcap(t, dir, "audit", "in", "--output", "ndjson:want"); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	job := submit(t, dir, m.url, "--chunk", "2")
	w := begin(t, dir, "cluster", "work", job, "--nats", m.url)
	for range 2 {
		waitForJob(t, m.url, "some chunks are done", isBegun)
		noRoom(t, m.process, 1)
		code := m.end()
		_, said, _ := strings.Cut(m.said.String(), "\n") // its address comes first
		if code != failed || strings.Count(said, "\n") != 1 ||
			!strings.Contains(said, "cannot write the queue in store: file too large; make room") {
			t.Fatalf("exit %d: %s", code, said)
		}
		m.begin(t)
	}
	if code := w.end(); code != 0 {
		t.Fatalf("exit %d: %s", code, w.said.String())
	}
	results(t, dir, m.url, job)
	sameRecords(t, filepath.Join(dir, "got"), filepath.Join(dir, "want"))
}

// If the disk of one of three servers is full, it ends, and the others continue.
func TestFullDiskOfOneOfThree(t *testing.T) {
	ifAll(t)
	members, urls := three(t)
	dir := someFiles(t, 600)
	job := submit(t, dir, urls, "--chunk", "2", "--replicas", "3")
	w := begin(t, dir, "cluster", "work", job, "--nats", urls)
	waitForJob(t, urls, "some chunks are done", isBegun)
	noRoom(t, members[1].process, 1)
	submit(t, dir, urls, "--replicas", "3", "--only", "urls") // which it has to write, even if the first job is done
	if code := members[1].end(); code != failed ||
		!strings.Contains(members[1].said.String(), "cannot write the queue in store: file too large; make room") {
		t.Fatalf("exit %d: %s", code, members[1].said.String())
	}
	if code := w.end(); code != 0 {
		t.Fatalf("exit %d: %s", code, w.said.String())
	}
	if list, code := results(t, dir, urls, job); len(list) != 600 || code != 0 {
		t.Errorf("%d records, exit %d", len(list), code)
	}
}

// A run with its own queue ends with one line when its disk is full, and the same command resumes it.
func TestFullDiskOfRun(t *testing.T) {
	t.Parallel()
	dir := someFiles(t, 300)
	if said, code := webcap(t, dir, "audit", "in", "--output", "ndjson:want"); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	args := []string{"cluster", "run", "in", "--store", "./store", "--chunk", "1"}
	p := begin(t, dir, args...)
	waitFor(t, "there are results", func() bool {
		found, _ := filepath.Glob(filepath.Join(dir, "store/jetstream/*/streams/WEBCAP_RESULTS_run/msgs/1.blk"))
		return len(found) > 0 && size(t, found[0]) > 0
	})
	noRoom(t, p, 1)
	if code := p.end(); code != failed || strings.Count(p.said.String(), "webcap: ") != 1 ||
		!strings.Contains(p.said.String(), "cannot write the queue in store: file too large; make room") {
		t.Fatalf("exit %d: %s", code, p.said.String())
	}
	if said, code := webcap(t, dir, append(args, "--output", "ndjson:got")...); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	sameRecords(t, filepath.Join(dir, "got"), filepath.Join(dir, "want"))
}

func isBegun(s cluster.JobStatus) bool { return s.Done > 0 }

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
