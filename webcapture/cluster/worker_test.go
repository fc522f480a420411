package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
)

// streamlessQueue is a queue that makes no streams. The first attempt ends a context.
type streamlessQueue struct {
	jetstream.JetStream
	asked int
	end   func()
}

func (q *streamlessQueue) CreateStream(context.Context, jetstream.StreamConfig) (jetstream.Stream, error) {
	q.asked++
	q.end()
	return nil, errors.New("no streams")
}

// TestOwnWorkerHasNoHeartbeats: a worker of a queue in its process publishes no heartbeats, because no other process
// could read them.
func TestOwnWorkerHasNoHeartbeats(t *testing.T) {
	for _, own := range []bool{true, false} {
		q, _ := remote(t)
		ctx, end := context.WithCancel(t.Context())
		defer end()
		js := &streamlessQueue{end: end}
		q.js = js
		if own {
			q.own = func() {}
		}
		(&worker{q: q}).signs(ctx)
		if want := map[bool]int{true: 0, false: 1}[own]; js.asked != want {
			t.Errorf("own %t: asked for the stream %d times, want %d", own, js.asked, want)
		}
	}
}

// slowQueue has one job, with one chunk that is given to workers. The contents of its inputs arrive when the lease of
// the chunk was renewed.
type slowQueue struct {
	jetstream.JetStream
	m *givenMsg
}

func (q slowQueue) Stream(ctx context.Context, name string) (jetstream.Stream, error) {
	s, err := q.JetStream.Stream(ctx, name)
	if name == chunksStream("job") {
		s = oneChunk{s, q.m}
	}
	return s, err
}

func (q slowQueue) ObjectStore(context.Context, string) (jetstream.ObjectStore, error) {
	return slowStore{m: q.m}, nil
}

type slowStore struct {
	jetstream.ObjectStore
	m *givenMsg
}

func (s slowStore) GetBytes(ctx context.Context, _ string, _ ...jetstream.GetObjectOpt) ([]byte, error) {
	for n := 0; s.m.renewed.Load() == 0; n++ {
		if n == 500 || ctx.Err() != nil {
			return nil, jetstream.ErrObjectNotFound
		}
		sleep(ctx, leastPause)
	}
	return nil, jetstream.ErrDigestMismatch
}

// TestWorkRenewsLeases: a worker renews the lease of its chunk while it audits the inputs.
func TestWorkRenewsLeases(t *testing.T) {
	t.Parallel()
	q, _ := remote(t)
	j := begun(t, q)
	c := inputChunk{Refs: []batch.Ref{{Name: "a", SHA256: "00", Size: 1}}}
	data, err := c.encode()
	if err != nil {
		t.Fatal(err)
	}
	m := &givenMsg{data: data, times: 1}
	q.js = slowQueue{q.js, m}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	worked := make(chan error, 1)
	go func() { worked <- q.Work(ctx, Worker{Head: j.Head, Jobs: []string{"job"}}) }()
	var got *jetstream.RawStreamMsg
	for got == nil {
		select {
		case err := <-worked:
			t.Fatalf("the worker ends: %v", err)
		default:
		}
		if got, err = q.last(ctx, j.results, resultSubject("job", chunkName(firstChunk, data))); err != nil {
			t.Fatal(err)
		}
		sleep(ctx, leastPause)
	}
	stop()
	<-worked
	if !strings.Contains(string(got.Data), errArrived.Error()) {
		t.Errorf("the lease was not renewed: %s", got.Data)
	}
}

// adding returns a submitter of chunks of one input each that has added these inputs, but no end.
func adding(t *testing.T, j *job, names ...string) *submitter {
	t.Helper()
	s := &submitter{job: j, how: Submission{PerChunk: 1}, last: firstChunk - 1, there: map[uint64]int{}}
	for in := range batch.Inputs(slices.Values(names), batch.PathOptions{}) {
		if err := s.add(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// TestLastChunkIsLost: the result of the last chunk may be lost before the end of the inputs is known.
func TestLastChunkIsLost(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	adding(t, j, "a", "b")
	finish(t, j, 2)
	if n, err := j.firstLost(t.Context()); n != 3 || err != nil {
		t.Errorf("chunk %d, %v", n, err)
	}
	finish(t, j, 3)
	if n, err := j.firstLost(t.Context()); n != 0 || err != nil {
		t.Errorf("none is lost: chunk %d, %v", n, err)
	}
}

// TestEndAfterAnother: the end follows the chunks of another submitter.
func TestEndAfterAnother(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	mine := adding(t, j, "a")
	other := *j
	another := *q
	another.id, other.q = "other", &another
	adding(t, &other, "b")
	if err := mine.end(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s, err := j.status(t.Context()); err != nil || !s.Submitted || s.Inputs != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestCanceledMeanwhile: a job that is canceled while inputs are submitted gets no more inputs.
func TestCanceledMeanwhile(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	s := adding(t, j, "a")
	if err := q.Cancel(t.Context(), "job"); err != nil {
		t.Fatal(err)
	}
	if err := s.end(t.Context()); !errors.Is(err, ErrCancelled) || !strings.HasPrefix(fmt.Sprint(err), "job job: ") {
		t.Errorf("the error is %v", err)
	}
	if s, err := j.status(t.Context()); err != nil || s.Submitted || s.Inputs != 0 || !s.Cancelled {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestSubmitterPauses: a submitter checks the number of waiting chunks before each 64th message.
func TestSubmitterPauses(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	full := &fullStream{Stream: j.chunks, waiting: []uint64{0, 0}}
	j.chunks = full
	var names []string
	for i := range 63 {
		names = append(names, fmt.Sprint(i))
	}
	s := adding(t, j, names...)
	if full.asked != 0 {
		t.Errorf("asked %d times after 63 messages", full.asked)
	}
	for in := range batch.Inputs(slices.Values([]string{"more"}), batch.PathOptions{}) {
		if err := s.add(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	if full.asked != 1 {
		t.Errorf("asked %d times after 64 messages", full.asked)
	}
}

// TestSubmitEnds: when the command ends, a submitter takes no more inputs. It marks no end, because inputs are missing.
func TestSubmitEnds(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	for name, all := range map[string][]string{"before the last input": {"a", "b", "c", "d"}, "after it": {"a", "b"}} {
		ctx, stop := context.WithCancel(t.Context())
		taken := 0
		inputs := func(yield func(*batch.Input) bool) {
			for in := range batch.Inputs(slices.Values(all), batch.PathOptions{}) {
				taken++
				if !yield(in) {
					return
				}
				if taken == 2 {
					stop()
				}
			}
		}
		if err := q.Submit(ctx, "job", inputs, Submission{PerChunk: 1}); err != context.Canceled || taken > 3 {
			t.Errorf("%s: %v, after %d inputs", name, err, taken)
		}
		if s, err := j.status(t.Context()); err != nil || s.Submitted || s.Inputs != 2 {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	submitted(t, q, "a", "b")
	ctx, stop := context.WithCancel(t.Context())
	err := q.Submit(ctx, "job", func(func(*batch.Input) bool) { stop() }, Submission{PerChunk: 1})
	if err != context.Canceled {
		t.Errorf("a job that was submitted before: %v", err)
	}
}

// TestSkippedMember: the record of a skipped input has its archive, unless the input is the archive.
func TestSkippedMember(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	w := &worker{q: q, meter: newWorkerMeter(), Worker: Worker{Say: func(string, ...any) {}}}
	h := holding(t, j, "w")
	for at, row := range []struct {
		ref  batch.Ref
		want string
	}{
		{batch.Ref{Name: "z.zip!a", Archive: "z.zip"}, `"archive":"z.zip"`},
		{batch.Ref{Name: "z.zip", Archive: "z.zip"}, ""},
		{batch.Ref{Name: "a"}, ""},
	} {
		lines, err := w.givenUp(t.Context(), h, at, row.ref)
		if err != nil || strings.Contains(string(lines), `"archive"`) != (row.want != "") ||
			!strings.Contains(string(lines), row.want) {
			t.Errorf("%+v: %s, %v, want %q", row.ref, lines, err, row.want)
		}
	}
	s, err := j.status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(s.Poison)
	if !slices.Equal(s.Poison, []string{"a", "z.zip", "z.zip!a"}) {
		t.Errorf("skipped: %q", s.Poison)
	}
}

// brokenLister is a queue that lists its streams in two attempts: the first one fails after the first name.
type brokenLister struct {
	jetstream.JetStream
	asked int
}

func (q *brokenLister) StreamNames(context.Context, ...jetstream.StreamListOpt) jetstream.StreamNameLister {
	q.asked++
	if q.asked == 1 {
		return nameList{[]string{"b"}, nats.ErrTimeout}
	}
	return nameList{[]string{"b", "a"}, nil}
}

type nameList struct {
	jobs []string
	err  error
}

func (n nameList) Name() <-chan string {
	c := make(chan string, 1+2*len(n.jobs))
	c <- signsStream
	for _, job := range n.jobs {
		c <- resultsStream(job)
		c <- chunksStream(job)
	}
	close(c)
	return c
}

func (n nameList) Err() error { return n.err }

// TestNamesOfJobs: each job is named once, in alphabetical order, also if the list was interrupted.
func TestNamesOfJobs(t *testing.T) {
	q, _ := remote(t)
	q.js = &brokenLister{}
	if names, err := q.jobNames(t.Context()); !slices.Equal(names, []string{"a", "b"}) || err != nil {
		t.Errorf("%q, %v", names, err)
	}
}

// TestGivenChunks: the status of a job counts the chunks that were given to workers, as a sign of progress.
func TestGivenChunks(t *testing.T) {
	w, j, _ := holder(t)
	adding(t, j, "a", "b")
	for n := range 2 {
		if s, err := j.status(t.Context()); err != nil || j.given != uint64(n) || s.Taken != n || s.Done != 0 {
			t.Errorf("%d chunks were given: %d, %+v, %v", n, j.given, s, err)
		}
		if m, err := w.fetch(t.Context(), j); m == nil || err != nil {
			t.Fatalf("%v, %v", m, err)
		}
		if j.Lease != time.Minute {
			t.Errorf("the lease is %v", j.Lease)
		}
		j.Lease = 0
	}
}

// TestYoungJob: a worker for all jobs passes over a job that is just being created, and works on the next one.
func TestYoungJob(t *testing.T) {
	w, _, _ := holder(t)
	if err := w.q.makeStreams(t.Context(), Job{Name: "a-young"}); err != nil { // it has no first message
		t.Fatal(err)
	}
	w.Jobs, w.jobs = nil, map[string]*job{}
	if list, err := w.current(t.Context()); err != nil || len(list) != 1 || list[0].Name != "job" {
		t.Errorf("%d jobs, %v", len(list), err)
	}
	w.Jobs = []string{"a-young", "job"}
	if list, err := w.current(t.Context()); !errors.Is(err, ErrNoJob) || list != nil {
		t.Errorf("it was named: %d jobs, %v", len(list), err)
	}
}

// TestMetricsOfWorker: a worker that cannot serve its metrics does not start.
func TestMetricsOfWorker(t *testing.T) {
	w, j, _ := holder(t)
	err := w.q.Work(t.Context(), Worker{Head: j.Head, Jobs: []string{"job"}, Metrics: "x"})
	if fmt.Sprint(err) != "--metrics: x is not HOST:PORT" {
		t.Errorf("the error is %v", err)
	}
}
