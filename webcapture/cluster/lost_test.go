package cluster_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// at connects to a server as anybody can.
func at(t *testing.T, url string) jetstream.JetStream {
	t.Helper()
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// lose takes messages out of a stream as servers lose them: nobody is told.
func lose(t *testing.T, url, stream string, how ...jetstream.StreamPurgeOpt) {
	t.Helper()
	s, err := at(t, url).Stream(t.Context(), stream)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Purge(t.Context(), how...); err != nil {
		t.Fatal(err)
	}
}

// Results that servers have lost are made again, and are what they were: a worker at the end of a job sees that
// they are missing, and so does who reads them.
func TestLostResults(t *testing.T) {
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 30)
	job := submit(t, dir, m.url, "--chunk", "3")
	work := []string{"cluster", "work", job, "--nats", m.url}
	if said, code := webcap(t, dir, work...); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	results(t, dir, m.url, job)
	if err := os.Rename(filepath.Join(dir, "got"), filepath.Join(dir, "want")); err != nil {
		t.Fatal(err)
	}
	const lost = "the servers have lost results, from chunk 4 on"
	lossOf := func(numbers ...string) {
		for _, n := range numbers {
			lose(t, m.url, "WEBCAP_RESULTS_"+job, jetstream.WithPurgeSubject("webcap.results."+job+".chunk.00000000"+n+".*"))
		}
	}

	lossOf("4", "7")
	if said, code := webcap(t, dir, work...); code != 0 || !strings.Contains(said, lost) {
		t.Fatalf("exit %d: %s", code, said)
	}
	if list, code := results(t, dir, m.url, job); len(list) != 30 || code != 0 {
		t.Errorf("%d records, exit %d", len(list), code)
	}
	sameRecords(t, filepath.Join(dir, "got"), filepath.Join(dir, "want"))

	lossOf("4", "5", "9")
	reader := begin(t, dir, "cluster", "results", job, "--nats", m.url, "--output", "ndjson:got")
	waitFor(t, "who reads says so", func() bool { return strings.Contains(reader.said.String(), lost) })
	if said, code := webcap(t, dir, work...); code != 0 || strings.Contains(said, lost) {
		t.Fatalf("exit %d: %s", code, said)
	}
	if code := reader.end(); code != 0 || strings.Count(reader.said.String(), "lost") != 1 {
		t.Errorf("exit %d: %s", code, reader.said.String())
	}
	sameRecords(t, filepath.Join(dir, "got"), filepath.Join(dir, "want"))

	lose(t, m.url, "WEBCAP_RESULTS_"+job) // all of them
	if said, code := webcap(t, dir, work...); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	results(t, dir, m.url, job)
	sameRecords(t, filepath.Join(dir, "got"), filepath.Join(dir, "want"))
}

// Of a chunk that servers have lost nobody knows the inputs: who reads results says so, and does not wait.
func TestLostChunk(t *testing.T) {
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 9)
	job := submit(t, dir, m.url, "--chunk", "3")
	lose(t, m.url, "WEBCAP_CHUNKS_"+job, jetstream.WithPurgeSubject("webcap.chunks."+job+".chunk"), jetstream.WithPurgeSequence(4))
	said, code := webcap(t, dir, "cluster", "results", job, "--nats", m.url)
	if code != failed || !strings.Contains(said, "the servers have lost chunk 2: purge the job") {
		t.Errorf("exit %d: %s", code, said)
	}
}

// A worker for all jobs looks after those that are done, too.
func TestLostResultsOfAnyJob(t *testing.T) {
	ifAll(t)
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 9)
	job := submit(t, dir, m.url, "--chunk", "3")
	w := begin(t, dir, "cluster", "work", "--nats", m.url)
	waitFor(t, "the job is done", func() bool { return statusOf(t, dir, m.url).State == "done" })
	for range 2 {
		results(t, dir, m.url, job)
		lose(t, m.url, "WEBCAP_RESULTS_"+job)
		said := strings.Count(w.said.String(), "lost")
		waitFor(t, "the worker says so", func() bool { return strings.Count(w.said.String(), "lost") > said })
	}
	if list, code := results(t, dir, m.url, job); len(list) != 9 || code != 0 {
		t.Errorf("%d records, exit %d", len(list), code)
	}
}

// Where servers have lost chunks, and others have their numbers now, the results of the first are not taken for theirs.
func TestResultsOfOtherChunks(t *testing.T) {
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 30)
	job := submit(t, dir, m.url, "--chunk", "3")
	work := []string{"cluster", "work", job, "--nats", m.url}
	if said, code := webcap(t, dir, work...); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	if err := at(t, m.url).DeleteStream(t.Context(), "WEBCAP_CHUNKS_"+job); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "in", "a-first.pdf"), []byte("not a PDF")) // now all chunks have other inputs
	if said, code := webcap(t, dir, "audit", "in", "--output", "ndjson:want"); code != failed {
		t.Fatalf("exit %d: %s", code, said)
	}
	submit(t, dir, m.url, "--chunk", "3")
	if said, code := webcap(t, dir, work...); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	results(t, dir, m.url, job)
	sameRecords(t, filepath.Join(dir, "got"), filepath.Join(dir, "want"))
}
