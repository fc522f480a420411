package cluster_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/cluster"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// someFiles writes n small files, and returns their folder.
func someFiles(t *testing.T, n int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	data := webcapturetest.Sets(3, webcapturetest.Options{}).Bytes(webcapturetest.Layout{})
	for i := range n {
		write(t, filepath.Join(dir, "in", string(rune('a'+i/26))+string(rune('a'+i%26))+".pdf"), data)
	}
	return dir
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// largeFile writes a file that is mapped, and whose digest takes long.
func largeFile(t *testing.T, path string) {
	t.Helper()
	write(t, path, webcapturetest.Sets(3, webcapturetest.Options{}).Bytes(webcapturetest.Layout{}))
	if err := os.Truncate(path, 512<<20); err != nil {
		t.Fatal(err)
	}
}

// submit submits the folder "in", and returns the name of the job.
func submit(t *testing.T, dir, url string, more ...string) string {
	t.Helper()
	said, code := webcap(t, dir, append([]string{"cluster", "submit", "in", "--nats", url, "--lease", "1s"},
		more...)...)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	return jobOf(t, said)
}

// status is the status of a job in the JSON output.
type status struct {
	State                       string
	Inputs, Chunks, Done, Taken int
	Poison                      []string
}

// statusOf returns the status of the only job.
func statusOf(t *testing.T, dir, url string) status {
	t.Helper()
	said, code := webcap(t, dir, "cluster", "status", "--nats", url, "--format", "json")
	var s struct{ Jobs []status }
	if err := json.Unmarshal([]byte(said), &s); err != nil || code != 0 || len(s.Jobs) != 1 {
		t.Fatalf("exit %d: %v: %s", code, err, said)
	}
	return s.Jobs[0]
}

// waitForJob waits until a condition holds for the only job.
func waitForJob(t *testing.T, url, what string, is func(cluster.JobStatus) bool) {
	t.Helper()
	q, err := cluster.Dial(t.Context(), cluster.Access{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	waitFor(t, what, func() bool {
		s, err := q.Status(t.Context())
		if err != nil || len(s.Jobs) != 1 {
			t.Fatalf("%d jobs, %v", len(s.Jobs), err)
		}
		return is(s.Jobs[0])
	})
}

func isDone(s cluster.JobStatus) bool { return s.Submitted && s.Done == s.Chunks }

// results returns the records of a job, and the exit code.
func results(t *testing.T, dir, url, job string) (records []json.RawMessage, code int) {
	t.Helper()
	said, code := webcap(t, dir, "cluster", "results", job, "--nats", url, "--output", "ndjson:got")
	text, err := os.ReadFile(filepath.Join(dir, "got"))
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, `{"type":"input"`) {
			records = append(records, json.RawMessage(line))
		}
	}
	return records, code
}

// sameResults compares the records of a job with its later records.
func sameResults(t *testing.T, before, after []json.RawMessage, n int) {
	t.Helper()
	if len(before) != n || len(after) != n {
		t.Fatalf("%d records, then %d, want %d", len(before), len(after), n)
	}
	for i := range before {
		if string(before[i]) != string(after[i]) { // they include the duration of the audit
			t.Errorf("a record has become another:\n%s%s", before[i], after[i])
		}
	}
}

// An input that crashes workers is skipped, and all others are audited.
func TestDeadlyInput(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("nothing says which files a process has open")
	}
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 10)
	largeFile(t, filepath.Join(dir, "in", "ae-deadly.pdf"))
	job := submit(t, dir, m.url)
	deaths := 0
	for {
		p := beginWith(t, []string{deadly + "=ae-deadly.pdf"}, dir, "cluster", "work", job, "--nats", m.url)
		if p.end() == 0 {
			break
		}
		if deaths++; deaths > 10 {
			t.Fatalf("workers go on dying: %s", p.said.String())
		}
	}
	if deaths != 4 { // two for the chunk, two for the input
		t.Errorf("%d deaths", deaths)
	}
	list, code := results(t, dir, m.url, job)
	if len(list) != 11 || code != failed {
		t.Fatalf("%d records, exit %d", len(list), code)
	}
	for i, rec := range list {
		gaveUp := strings.Contains(string(rec), `"outcome":"error","reason":"skipped after 2 worker crashes"`)
		if gaveUp != (i == 4) || gaveUp != strings.Contains(string(rec), "ae-deadly") {
			t.Errorf("record %d: %s", i, rec)
		}
	}
	if s := statusOf(t, dir, m.url); len(s.Poison) != 1 || s.Poison[0] != "in/ae-deadly.pdf" {
		t.Errorf("the status has %q", s.Poison)
	}
}

// chunksOf returns the consumer of the chunks of a job.
func chunksOf(t *testing.T, url, job string) jetstream.Consumer {
	t.Helper()
	c, err := at(t, url).Consumer(t.Context(), "WEBCAP_CHUNKS_"+job, "w")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// given returns how often a chunk was given out.
func given(t *testing.T, c jetstream.Consumer) int {
	t.Helper()
	info, err := c.Info(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return int(info.Delivered.Consumer)
}

// Two concurrent submitters of the same folder submit it once.
func TestTwoSubmitters(t *testing.T) {
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 200)
	args := []string{"cluster", "submit", "in", "--nats", m.url, "--chunk", "1"}
	a, b := begin(t, dir, args...), begin(t, dir, args...)
	if a.end() != 0 || b.end() != 0 {
		t.Fatalf("%s%s", a.said.String(), b.said.String())
	}
	if s := statusOf(t, dir, m.url); s.Inputs != 200 {
		t.Errorf("%d inputs", s.Inputs)
	}
	write(t, filepath.Join(dir, "in", "zz.pdf"), nil)
	job := submit(t, dir, m.url, "--chunk", "1")
	if s := statusOf(t, dir, m.url); s.Inputs != 201 || s.State != "waiting" {
		t.Errorf("with a file more: %+v", s)
	}
	if said, code := webcap(t, dir, "cluster", "work", job, "--nats", m.url); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	list, _ := results(t, dir, m.url, job)
	seen := map[string]bool{}
	for _, rec := range list {
		var in struct{ Path string }
		if err := json.Unmarshal(rec, &in); err != nil || seen[in.Path] {
			t.Errorf("%s is there twice, or %v", in.Path, err)
		}
		seen[in.Path] = true
	}
	if len(seen) != 201 {
		t.Errorf("%d records", len(seen))
	}
}

// Workers of another version, or with other settings, skip the job and report that.
func TestOtherWorkers(t *testing.T) {
	m := single(t)
	dir := someFiles(t, 3)
	q, err := cluster.Dial(t.Context(), cluster.Access{URL: m.url})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	old := cluster.Job{Name: "old", Directory: dir, Lease: time.Second,
		Head: report.Head{Version: "v0.0.1", Rules: audit.Rules(), Settings: []string{"timeout 60s"}}}
	if err := q.Begin(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	if said, code := webcap(t, dir, "cluster", "work", "old", "--nats", m.url); code != failed ||
		!strings.Contains(said, "it has another version of webcap, v0.0.1 instead of ") {
		t.Errorf("a job of another version: exit %d: %s", code, said)
	}
	old.Head.Version = "v0.0.2"
	if err := q.Begin(t.Context(), old); !errors.Is(err, cluster.ErrOther) {
		t.Errorf("another version of a job: %v", err)
	}
	job := submit(t, dir, m.url)
	other := begin(t, dir, "cluster", "work", "--nats", m.url, "--timeout", "5s")
	waitFor(t, "both jobs are refused", func() bool {
		said := other.said.String()
		return strings.Contains(said, "job "+job+" is not for this worker: it has other settings") &&
			strings.Contains(said, "job old is not for this worker")
	})
	if said, code := webcap(t, dir, "cluster", "work", job, "--nats", m.url); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	if list, _ := results(t, dir, m.url, job); len(list) != 3 {
		t.Errorf("%d records", len(list))
	}
}

// A purged job that is submitted again with other settings is a different job: a worker that had the first one
// skips it.
func TestJobOfTheSameName(t *testing.T) {
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 3)
	submitAs := func(more ...string) {
		args := append([]string{"cluster", "submit", "in", "--nats", m.url, "--job", "nightly"}, more...)
		if said, code := webcap(t, dir, args...); code != 0 {
			t.Fatalf("exit %d: %s", code, said)
		}
	}
	submitAs()
	w := begin(t, dir, "cluster", "work", "--nats", m.url)
	waitForJob(t, m.url, "the job is done", isDone)
	if said, code := webcap(t, dir, "cluster", "purge", "nightly", "--nats", m.url); code != 0 {
		t.Fatalf("exit %d: %s", code, said)
	}
	makeEmpty(t, m.url, "nightly")
	if said, code := webcap(t, dir, "cluster", "results", "nightly", "--nats", m.url); code != 2 ||
		!strings.Contains(said, `there is no job "nightly" yet`) {
		t.Errorf("exit %d: %s", code, said)
	}
	time.Sleep(3 * time.Second) // time for the worker to check it several times
	submitAs("--timeout", "5s")
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(w.said.String())
		}
	})
	waitForJob(t, m.url, "the job is refused, or done", func(s cluster.JobStatus) bool {
		return strings.Contains(w.said.String(), "job nightly is not for this worker: it has other settings") ||
			s.Done > 0
	})
	if s := statusOf(t, dir, m.url); s.Done > 0 || s.Taken > 0 {
		t.Errorf("a worker with other settings takes part: %+v", s)
	}
}

// makeEmpty creates the streams of a job, without chunks.
func makeEmpty(t *testing.T, url, job string) {
	t.Helper()
	js := at(t, url)
	for _, c := range []jetstream.StreamConfig{
		{Name: "WEBCAP_RESULTS_" + job, Subjects: []string{"webcap.results." + job + ".>"}, AllowDirect: true},
		{Name: "WEBCAP_CHUNKS_" + job, Subjects: []string{"webcap.chunks." + job + ".*"}, AllowDirect: true},
	} {
		if _, err := js.CreateStream(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	_, err := js.CreateConsumer(t.Context(), "WEBCAP_CHUNKS_"+job, jetstream.ConsumerConfig{
		Durable: "w", AckPolicy: jetstream.AckExplicitPolicy, AckWait: time.Minute, MaxDeliver: -1,
		FilterSubject: "webcap.chunks." + job + ".chunk",
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A chunk that a worker never finishes goes to another worker eventually, and so does one that servers would not
// give out for hours because their clock was set back.
func TestHeldForEver(t *testing.T) {
	ifAll(t)
	t.Parallel()
	m := single(t)
	dir := someFiles(t, 3)
	job := submit(t, dir, m.url)
	got, err := chunksOf(t, m.url, job).Next()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for ; t.Context().Err() == nil; time.Sleep(100 * time.Millisecond) {
			got.InProgress()
		}
	}()
	said, code := webcap(t, dir, "cluster", "work", job, "--nats", m.url)
	if code != 0 || !strings.Contains(said, "no progress for 10 leases") {
		t.Errorf("exit %d: %s", code, said)
	}
	if list, code := results(t, dir, m.url, job); len(list) != 3 || code != 0 {
		t.Errorf("%d records, exit %d", len(list), code)
	}
}

// While the store of a server is full, all processes wait, and continue when there is room.
func TestFullStore(t *testing.T) {
	ifAll(t)
	dir, files := t.TempDir(), someFiles(t, 600)
	config := func(size string) {
		write(t, filepath.Join(dir, "nats.conf"), []byte("jetstream { store_dir: store, max_file_store: "+size+" }\n"))
	}
	config("60KB")
	m := serve(t, dir, "--listen", freePorts(t, 1)[0], "--config", "nats.conf")
	s := begin(t, files, "cluster", "submit", "in", "--nats", m.url, "--chunk", "50")
	waitFor(t, "a job is made", func() bool { return strings.Contains(s.said.String(), "audit-") })
	job := jobOf(t, s.said.String())
	w := begin(t, files, "cluster", "work", job, "--nats", m.url)
	waitFor(t, "a submitter waits", func() bool {
		return strings.Contains(s.said.String()+w.said.String(), "waiting for the queue: ")
	})
	m.kill()
	config("1GB")
	m.begin(t)
	if s.end() != 0 || w.end() != 0 {
		t.Fatalf("%s%s", s.said.String(), w.said.String())
	}
	if list, code := results(t, files, m.url, job); len(list) != 600 || code != 0 {
		t.Errorf("%d records, exit %d", len(list), code)
	}
}
