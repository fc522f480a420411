package cluster_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// at connects to a server as any client can.
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

// lose removes messages from a stream without notice, as servers lose them.
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

// audited returns a server, a folder, the name of a finished job of thirty files in it, in chunks of three, and the
// command line of its worker.
func audited(t *testing.T) (m *member, dir, job string, work []string) {
	t.Helper()
	m, dir = single(t), someFiles(t, 30)
	job = submit(t, dir, m.url, "--chunk", "3")
	work = []string{"cluster", "work", job, "--nats", m.url}
	if said, code := webcap(t, dir, work...); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	return m, dir, job, work
}

// Lost results are computed again, with the same content: a worker at the end of a job notices that they are
// missing, and so does a reader.
func TestLostResults(t *testing.T) {
	t.Parallel()
	m, dir, job, work := audited(t)
	results(t, dir, m.url, job)
	if err := os.Rename(filepath.Join(dir, "got"), filepath.Join(dir, "want")); err != nil {
		t.Fatal(err)
	}
	const lost = "the servers have lost results from chunk 4 on"
	lossOf := func(numbers ...string) {
		for _, n := range numbers {
			lose(t, m.url, "WEBCAP_RESULTS_"+job,
				jetstream.WithPurgeSubject("webcap.results."+job+".chunk.00000000"+n+".*"))
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

// The inputs of a lost chunk are unknown: a reader of results reports that, and does not wait.
func TestLostChunk(t *testing.T) {
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 9)
	job := submit(t, dir, m.url, "--chunk", "3")
	lose(t, m.url, "WEBCAP_CHUNKS_"+job, jetstream.WithPurgeSubject("webcap.chunks."+job+".chunk"),
		jetstream.WithPurgeSequence(4))
	said, code := webcap(t, dir, "cluster", "results", job, "--nats", m.url)
	if code != failed || !strings.Contains(said, "the servers have lost chunk 2; purge the job") {
		t.Errorf("exit %d: %s", code, said)
	}
}

// A worker for all jobs also checks finished jobs, and audits only lost results again.
func TestLostResultsOfAnyJob(t *testing.T) {
	ifAll(t)
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 9)
	job := submit(t, dir, m.url, "--chunk", "3")
	w := begin(t, dir, "cluster", "work", "--nats", m.url, "--metrics", "127.0.0.1:0")
	for lost := range 3 {
		if list, code := results(t, dir, m.url, job); len(list) != 9 || code != 0 {
			t.Errorf("%d records, exit %d", len(list), code)
		}
		waitForJob(t, m.url, "all chunks are acknowledged", isDone)
		if want := fmt.Sprintf("\nwebcap_inputs_total{outcome=\"clean\"} %d\n",
			9+3*lost); !strings.Contains(scrape(t, w), want) {
			t.Errorf("after %d losses: no %q in %s", lost, want, scrape(t, w))
		}
		lose(t, m.url, "WEBCAP_RESULTS_"+job, jetstream.WithPurgeSubject("webcap.results."+job+".chunk.000000003.*"))
		waitFor(t, "the worker says so",
			func() bool { return strings.Count(w.said.String(), "have lost results") > lost })
	}
}

// A damaged result is an error.
func TestDamagedResult(t *testing.T) {
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 9)
	job := submit(t, dir, m.url, "--chunk", "3")
	if said, code := webcap(t, dir, "cluster", "work", job, "--nats", m.url); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	js, name := at(t, m.url), "WEBCAP_RESULTS_"+job
	s, err := js.Stream(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	was, err := s.GetMsg(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	lose(t, m.url, name, jetstream.WithPurgeSubject(was.Subject))
	damaged := &nats.Msg{Subject: was.Subject, Header: was.Header,
		Data: bytes.Replace(was.Data, []byte("clean"), []byte("Clean"), 1)}
	if _, err := js.PublishMsg(t.Context(), damaged); err != nil {
		t.Fatal(err)
	}
	said, code := webcap(t, dir, "cluster", "results", job, "--nats", m.url)
	if code != failed || !strings.Contains(said, "the result of chunk 3 is damaged") {
		t.Errorf("exit %d: %s", code, said)
	}
}

// If a server has acknowledged a result but not stored it, it is published again before the chunk is acknowledged.
func TestResultIsReadBack(t *testing.T) {
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 3)
	job := submit(t, dir, m.url)
	var swallowed atomic.Int32
	liar := &wire{to: strings.TrimPrefix(m.url, "nats://"), there: func(said []byte) {
		if i := bytes.Index(said, []byte("PUB webcap.results."+job+".chunk.")); i >= 0 && swallowed.Add(1) == 1 {
			copy(said[i:], "PUB webcap.results."+job+".chink.")
		}
	}}
	said, code := webcap(t, dir, "cluster", "work", job, "--nats", liar.listen(t))
	if code != 0 || strings.Contains(said, "have lost results") || swallowed.Load() != 2 {
		t.Errorf("exit %d, published %d times: %s", code, swallowed.Load(), said)
	}
	if list, code := results(t, dir, m.url, job); len(list) != 3 || code != 0 {
		t.Errorf("%d records, exit %d", len(list), code)
	}
}

// If servers have lost chunks whose numbers were reused, their results are not used for the new chunks.
func TestResultsOfOtherChunks(t *testing.T) {
	t.Parallel()
	m, dir, job, work := audited(t)
	if err := at(t, m.url).DeleteStream(t.Context(), "WEBCAP_CHUNKS_"+job); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "in", "a-first.pdf"), []byte("not a PDF")) // now all chunks have different inputs
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
