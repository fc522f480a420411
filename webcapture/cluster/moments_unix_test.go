//go:build unix

package cluster_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// A worker that is stopped for longer than its lease loses its chunk to another one. Its later result does not
// count.
func TestStoppedWorker(t *testing.T) {
	ifAll(t)
	m := single(t)
	dir := someFiles(t, 3)
	largeFile(t, filepath.Join(dir, "in", "large.pdf"))
	job := submit(t, dir, m.url)
	stopped := begin(t, dir, "cluster", "work", job, "--nats", m.url)
	waitForJob(t, m.url, "a worker has the chunk", func(s cluster.JobStatus) bool { return s.Taken == 1 })
	stopped.signal(syscall.SIGSTOP)
	if said, code := webcap(t, dir, "cluster", "work", job, "--nats", m.url); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	before, _ := results(t, dir, m.url, job)
	stopped.signal(syscall.SIGCONT)
	if code := stopped.end(); code != 0 {
		t.Errorf("exit %d: %s", code, stopped.said.String())
	}
	after, _ := results(t, dir, m.url, job)
	sameResults(t, before, after, 4)
}

// A worker that is terminated gives its chunk back at once, and that is not a crash.
func TestInterruptedWorkers(t *testing.T) {
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 2)
	f := endless(t, filepath.Join(dir, "endless.pdf"))
	job := submit(t, dir, m.url, "endless.pdf", "--lease", "1h") // the test does not wait for the lease
	times := 2
	if webcapturetest.All() {
		times = 6
	}
	c := chunksOf(t, m.url, job)
	for i := range times {
		p := begin(t, dir, "cluster", "work", job, "--nats", m.url)
		waitFor(t, "a worker has the chunk", func() bool { return given(t, c) > i })
		p.signal(syscall.SIGTERM)
		p.end()
	}
	w := begin(t, dir, "cluster", "work", job, "--nats", m.url)
	waitFor(t, "a worker has the chunk", func() bool { return given(t, c) > times })
	f.Close() // ends the file
	if code := w.end(); code != 0 {
		t.Fatalf("exit %d: %s", code, w.said.String())
	}
	if list, _ := results(t, dir, m.url, job); len(list) != 3 || strings.Contains(fmt.Sprintf("%s", list), "gave up") {
		t.Fatalf("%d records: %s", len(list), list)
	}
}

// endless makes a file that blocks readers until the result is closed.
func endless(t *testing.T, path string) *os.File {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0) // so that there is a writer
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// An endless file reaches its time limit, and the others of its chunk have their records.
func TestEndlessInput(t *testing.T) {
	ifAll(t)
	m := single(t)
	dir := someFiles(t, 3)
	endless(t, filepath.Join(dir, "endless.pdf"))
	job := submit(t, dir, m.url, "endless.pdf", "--timeout", "1s")
	if said, code := webcap(t, dir, "cluster", "work", job, "--nats", m.url, "--timeout", "1s"); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	list, code := results(t, dir, m.url, job)
	if len(list) != 4 || code != failed || !strings.Contains(string(list[3]), `"outcome":"timeout"`) {
		t.Fatalf("%d records, exit %d: %s", len(list), code, list)
	}
}

// A worker keeps its chunk for longer than the lease while it works on it.
func TestLeaseIsExtended(t *testing.T) {
	ifAll(t)
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 2)
	f := endless(t, filepath.Join(dir, "endless.pdf"))
	const lease = 5 * time.Second // long enough for signs of life on a busy machine
	job := submit(t, dir, m.url, "endless.pdf", "--lease", lease.String())
	w := begin(t, dir, "cluster", "work", job, "--nats", m.url)
	waitForJob(t, m.url, "a worker has the chunk", func(s cluster.JobStatus) bool { return s.Taken == 1 })
	c := chunksOf(t, m.url, job)
	other, err := c.Fetch(1, jetstream.FetchMaxWait(3*lease))
	if err != nil {
		t.Fatal(err)
	}
	for range other.Messages() {
		t.Error("the chunk is given to another")
	}
	if n := given(t, c); n != 1 {
		t.Errorf("the chunk was given out %d times", n)
	}
	f.Close() // ends the file
	if code := w.end(); code != 0 {
		t.Errorf("exit %d: %s", code, w.said.String())
	}
	if list, _ := results(t, dir, m.url, job); len(list) != 3 {
		t.Errorf("%d records", len(list))
	}
}
