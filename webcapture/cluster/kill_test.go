package cluster_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// howMany returns the number of inputs in a test of kills, and the size of the largest. An input of minutes would be
// killed more than twice, and skipped.
func howMany() (n int, large int64) {
	switch {
	case *inputsFlag > 0:
		return *inputsFlag, 64 << 20
	case webcapturetest.All():
		return 500, 16 << 20
	}
	return 200, 1 << 20
}

// The server, two workers, the submitter, and a reader are killed at random. The records are those of an audit.
func TestKilled(t *testing.T) {
	t.Parallel()
	n, large := howMany()
	dir := allKinds(t, n, large)
	seeds := 2
	if webcapturetest.All() {
		seeds = 20
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			killed(t, oneServer(t), dir, rand.New(rand.NewPCG(uint64(seed), 56)))
		})
	}
}

// The same with three servers, which are killed one at a time. One of them also loses its store.
func TestKilledOfThree(t *testing.T) {
	if !webcapturetest.All() {
		t.Skip("waits for elections; needs WEBCAP_TEST_ALL")
	}
	t.Parallel()
	n, large := howMany()
	killed(t, threeServers(t), allKinds(t, n, large), rand.New(rand.NewPCG(3, 56)))
}

func killed(t *testing.T, q *queue, dir string, r *rand.Rand) {
	t.Helper()
	id := submitDespiteKills(t, q, dir, r)
	got := filepath.Join(t.TempDir(), "got.ndjson")
	work := func() *process { return q.begin(dir, "work", "-j", "1", id) }
	read := func() *process { return q.begin(dir, "results", id, "-o", got) }
	workers := []*process{work(), work()}
	reader := read()
	for every := 300 * time.Millisecond; !reader.isOver(); {
		select {
		case <-reader.done:
			continue
		case <-time.After(every/2 + time.Duration(r.Int64N(int64(every)))):
		}
		every = min(5*time.Second, every*5/4) // so that slow machines reach the end, too
		switch i := r.IntN(6); i {
		case 0, 1, 2:
			workers[i%2].kill()
			workers[i%2] = work()
		case 3, 4:
			q.members[r.IntN(len(q.members))].again(t)
		case 5:
			reader.kill()
			reader = read()
		}
	}
	if said := reader.ends(failed); !strings.Contains(said, "wrote ") { // the audit has this exit code, too
		t.Fatalf("the reader says %.2000s", said)
	}
	sameRecords(t, got, filepath.Join(dir, "want.ndjson"))
	for _, w := range workers {
		w.ends(0)
	}
}

// submitDespiteKills submits a job, and kills the submitter some times, and the server once.
func submitDespiteKills(t *testing.T, q *queue, dir string, r *rand.Rand) (id string) {
	t.Helper()
	for i := 0; ; i++ {
		args := []string{"in"}
		if id != "" {
			args = append(args, "--job", id)
		}
		p := q.begin(dir, "submit", args...)
		if i < 4 {
			if id != "" || i > 0 {
				waitFor(t, "a job is made", func() bool { return p.isOver() || idOf(p) != "" })
			}
			time.Sleep(time.Duration(r.Int64N(int64(50 * time.Millisecond))))
			if i == 2 {
				q.members[0].again(t)
			}
			p.kill()
		} else {
			p.ends(0)
		}
		if printed := idOf(p); printed != "" {
			id = printed
		}
		if i >= 4 {
			return id
		}
	}
}

// One of three servers is killed and loses its store. It gets everything from the others. Then another is killed.
func TestThreeServers(t *testing.T) {
	t.Parallel()
	q := threeServers(t)
	dir := someFiles(t, 200)
	id := q.submit(dir)
	stream, err := q.jetStream().Stream(t.Context(), "WEBCAP_JOB_"+id)
	if err != nil {
		t.Fatal(err)
	}
	if n := stream.CachedInfo().Config.Replicas; n != 3 {
		t.Fatalf("%d replicas", n)
	}
	worker := q.begin(dir, "work", "-j", "1", id)
	q.members[0].kill()
	if err := os.RemoveAll(filepath.Join(filepath.Dir(q.members[0].config), "js")); err != nil {
		t.Fatal(err)
	}
	q.members[0].begin(t)
	waitFor(t, "the server has everything", func() bool {
		info, err := stream.Info(t.Context())
		if err != nil || info.Cluster == nil {
			return false
		}
		current := 0
		for _, replica := range info.Cluster.Replicas {
			if replica.Current && !replica.Offline {
				current++
			}
		}
		return current == 2
	})
	q.members[1].again(t)
	worker.ends(0)
	q.results(dir, id, 0)
	sameRecords(t, filepath.Join(dir, "got.ndjson"), filepath.Join(dir, "want.ndjson"))
}
