package cluster_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/batch/batchtest"
)

const failed = 3 // the exit code of an audit with inputs that cannot be audited

// undisturbed writes inputs, and the results of one undisturbed process. It returns the duration of the audit.
func undisturbed(t *testing.T, dir string) (took time.Duration) {
	t.Helper()
	n, large := howMany()
	batchtest.Write(t, filepath.Join(dir, "in"), n, large)
	begun := time.Now()
	if said, code := webcap(t, dir, "audit", "in", "--output", "ndjson:want"); code != failed {
		t.Fatalf("exit %d: %.2000s", code, said)
	}
	return time.Since(begun)
}

// jobOf returns the name of a job in the output of a submitter.
func jobOf(t *testing.T, said string) string {
	t.Helper()
	for line := range strings.Lines(said) { // it may also have reported that it waited for servers
		if strings.HasPrefix(line, "audit-") {
			return strings.TrimSpace(line)
		}
	}
	t.Fatalf("no name of a job in %q", said)
	return ""
}

// submitDespiteKills submits a job, killing the submitter twice, and returns the name of the job.
func submitDespiteKills(t *testing.T, dir string, submit []string) (job string) {
	t.Helper()
	for i := range 3 {
		p := begin(t, dir, submit...)
		waitFor(t, "a job is made", func() bool { return strings.Contains(p.said.String(), "audit-") })
		job = jobOf(t, p.said.String())
		if i < 2 {
			p.kill()
		} else if code := p.end(); code != 0 {
			t.Fatalf("exit %d: %s", code, p.said.String())
		}
	}
	return job
}

// Three servers, four workers, a reader of the results, and the submitter are killed repeatedly at random. The
// results have the same bytes as those of one undisturbed process.
func TestEverythingKilled(t *testing.T) {
	ifAll(t)
	dir := t.TempDir()
	took := undisturbed(t, dir)
	members, urls := three(t)
	submit := []string{"cluster", "submit", "in", "--nats", urls, "--replicas", "3", "--chunk", "20", "--lease", "3s"}
	job := submitDespiteKills(t, dir, submit)
	work := []string{"cluster", "work", job, "--nats", urls, "-j", "1"}
	var workers []*process
	for range 4 {
		workers = append(workers, begin(t, dir, work...))
	}
	results := []string{"cluster", "results", job, "--nats", urls, "--output", "ndjson:got"}
	reader := begin(t, dir, results...)
	r := rand.New(rand.NewPCG(2, 16))
	every := took / 5
	kills, losses := 0, 0
	again := func(p *process, args ...string) *process {
		p.kill()
		losses += strings.Count(p.said.String(), "have lost results")
		return begin(t, p.Dir, args...)
	}
	for over := false; !over; kills++ {
		select {
		case <-reader.done:
			over = true
			continue
		case <-time.After(every):
		}
		every = min(5*time.Second, every*6/5) // on a fast machine, three servers take longer to start than the job
		switch i := r.IntN(8); i {
		case 0, 1, 2:
			members[i].process = again(members[i].process, members[i].args...)
		case 3, 4, 5, 6:
			workers[i-3] = again(workers[i-3], work...)
		case 7:
			reader = again(reader, results...)
		}
	}
	losses += strings.Count(reader.said.String(), "have lost results")
	t.Logf("undisturbed: %v; %d kills; results were lost %d times, and made again", took.Round(time.Millisecond), kills,
		losses)
	if code := reader.end(); code != failed {
		t.Fatalf("exit %d: %.2000s", code, reader.said.String())
	}
	sameRecords(t, filepath.Join(dir, "got"), filepath.Join(dir, "want"))
	for _, w := range workers {
		if code := w.end(); code != 0 {
			t.Errorf("a worker ends with %d: %s", code, w.said.String())
		}
	}
	if said, code := webcap(t, dir, "cluster", "status", "--nats", urls); code != 0 || !strings.Contains(said, "done") {
		t.Errorf("exit %d: %s", code, said)
	}
	os.Remove(filepath.Join(dir, "got"))
}
