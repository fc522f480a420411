package cluster_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// A job goes through all commands. Its results are those of an audit.
func TestJob(t *testing.T) {
	t.Parallel()
	q := oneServer(t)
	dir := allKinds(t, 100, 1<<20)
	if said := q.begin(dir, "status").ends(0); said != "no jobs\n" {
		t.Errorf("without jobs: %q", said)
	}
	id := q.submit(dir)
	state := func() string {
		_, state, _ := strings.Cut(q.begin(dir, "status").ends(0), id+"  ")
		state, _, _ = strings.Cut(state, "  ")
		return state
	}
	if got := state(); got != "submitted" {
		t.Errorf("submitted: %q", got)
	}
	if said := q.begin(dir, "work", id).ends(0); said != "" {
		t.Errorf("the worker says %q", said)
	}
	q.results(dir, id, failed)
	sameRecords(t, filepath.Join(dir, "got.ndjson"), filepath.Join(dir, "want.ndjson"))
	if got := q.submit(dir, "--job", id); got != id {
		t.Errorf("resumed as %s", got)
	}
	if got := state(); got != "done" {
		t.Errorf("done: %q", got)
	}
	q.begin(dir, "submit", "--job", id, "--only", "urls", "in").ends(2)
	q.begin(dir, "submit", "--job", id, "--timeout", "1s", "in").ends(2)
	q.begin(filepath.Join(dir, "in"), "submit", "--job", id, ".").ends(2)
	q.begin(dir, "work", "--only", "urls", id).ends(2)
	q.begin(dir, "rm", id).ends(0)
	for _, name := range []string{"rm", "work", "results"} {
		if said := q.begin(dir, name, id).ends(2); !strings.Contains(said, "no such job: "+id) {
			t.Errorf("%s says %q", name, said)
		}
		q.begin(dir, name, "WEBCAP.*").ends(2)
	}
	q.begin(dir, "submit", "--job", id, "in").ends(2)
}

// A job without inputs, and one whose list cannot be read, which stays open.
func TestEmptyJobs(t *testing.T) {
	t.Parallel()
	q := oneServer(t)
	dir := addFiles(t, t.TempDir(), 0, 3)
	if err := os.WriteFile(filepath.Join(dir, "list"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	id := strings.TrimSpace(q.begin(dir, "submit", "--files-from", "list").ends(0))
	q.begin(dir, "work", id).ends(0)
	q.results(dir, id, 4)
	if err := os.WriteFile(filepath.Join(dir, "list"), []byte(strings.Repeat("x", 1<<17)), 0o666); err != nil {
		t.Fatal(err)
	}
	said := q.begin(dir, "submit", "in", "--files-from", "list").ends(failed)
	id, said, _ = strings.Cut(said, "\n")
	if !strings.HasPrefix(said, "webcap: cannot read the list of files: ") {
		t.Errorf("it says %q", said)
	}
	if said := q.begin(dir, "status").ends(0); !strings.Contains(said, id+"  being submitted") {
		t.Errorf("the status is %s", said)
	}
	worker, reader := q.begin(dir, "work", id), q.begin(dir, "results", id)
	open := "waiting: job " + id + " is being submitted; if its submitter has ended, run webcap cluster submit --job " + id
	waitFor(t, "worker and reader say why they wait", func() bool {
		return strings.Contains(worker.said.String(), open) && strings.Contains(reader.said.String(), open)
	})
	if q.submit(dir, "--job", id) != id {
		t.Error("the job cannot be resumed")
	}
	worker.ends(0)
	reader.ends(0)
	q.results(dir, id, 0)
	id = q.submit(dir)
	reader = q.begin(dir, "results", id)
	waitFor(t, "a reader without workers says so", func() bool {
		return strings.Contains(reader.said.String(), "waiting: no worker takes chunks of job "+id+"\n")
	})
}

// A finished job grows many times. Readers before, during, and after a growth have a complete result: that before the
// growth, or that after it or a later one.
func TestGrowth(t *testing.T) {
	t.Parallel()
	q := oneServer(t)
	dir := addFiles(t, t.TempDir(), 0, 5)
	id := q.submit(dir)
	q.begin(dir, "work", id)
	r := rand.New(rand.NewPCG(5, 6))
	type reading struct {
		*process
		name  string
		least int // number of inputs
	}
	var readings []reading
	read := func(least int) *process {
		name := fmt.Sprintf("got%d.ndjson", len(readings))
		readings = append(readings, reading{q.begin(dir, "results", id, "-o", name), name, least})
		return readings[len(readings)-1].process
	}
	n := 5
	totals := []int{n}
	growths := 8
	if webcapturetest.All() {
		growths = 100
	}
	for range growths {
		more := n + 1 + r.IntN(25)
		read(n)
		addFiles(t, dir, n, more)
		submitter := q.begin(dir, "submit", "--job", id, "in")
		read(n)
		submitter.ends(0)
		q.begin(dir, "work", id)
		read(more).ends(0)
		n = more
		totals = append(totals, n)
	}
	begin(t, dir, "audit", "in", "-o", "want.ndjson").ends(0)
	want := records(t, filepath.Join(dir, "want.ndjson"))
	for _, p := range readings {
		p.ends(0)
		got := records(t, filepath.Join(dir, p.name))
		inputs := len(got) - 1
		if !slices.Contains(totals, inputs) || inputs < p.least || !slices.Equal(got[:inputs], want[:inputs]) ||
			!strings.Contains(got[inputs], `"complete":true`) {
			t.Fatalf("%s: %d inputs, want at least %d, of %d: %s", p.name, inputs, p.least, totals, got[inputs])
		}
	}
}
