package cluster

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
)

// purgedStream is a stream that purges its job when a worker asks for its consumer again.
type purgedStream struct {
	oneChunk
	q *Queue
}

func (s purgedStream) Consumer(ctx context.Context, name string) (jetstream.Consumer, error) {
	c, err := s.oneChunk.Consumer(ctx, name)
	if err == nil {
		err = s.q.Purge(ctx, "job")
	}
	return c, err
}

// holdingOne returns a worker that holds the only chunk of a job.
func holdingOne(t *testing.T) (*worker, *heldChunk) {
	t.Helper()
	w, j, _ := holder(t)
	submitted(t, w.q, "a")
	m, err := w.fetch(t.Context(), j)
	if m == nil || err != nil {
		t.Fatalf("%v, %v", m, err)
	}
	h, err := w.hold(t.Context(), j, m)
	if err != nil {
		t.Fatal(err)
	}
	if h.alone, err = j.openAlone(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	return w, h
}

// isClosed reports whether a channel is closed, without waiting.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// noChunk returns an error if there is a chunk.
func noChunk[T comparable](got T, err error) error {
	var none T
	if err == nil && got != none {
		return fmt.Errorf("there is %v", got)
	}
	return err
}

// TestPurgedJob: no process waits for a job that was purged. Servers do not answer requests for messages of a stream
// that does not exist, but that does not mean that no server answers. Workers go on with other jobs.
func TestPurgedJob(t *testing.T) {
	for name, row := range map[string]struct {
		do   func(ctx context.Context, w *worker, h *heldChunk) error
		want string
	}{
		"the next chunk": {func(ctx context.Context, w *worker, h *heldChunk) error {
			return noChunk(w.fetch(ctx, h.job))
		}, "<nil>"},
		"all chunks": {func(ctx context.Context, w *worker, _ *heldChunk) error { return noChunk(w.take(ctx)) }, "<nil>"},
		"a result": {func(ctx context.Context, w *worker, h *heldChunk) error {
			return w.add(ctx, h, []byte("x\n"))
		}, "<nil>"},
		"inputs one by one": {func(ctx context.Context, w *worker, h *heldChunk) error {
			err := w.oneByOne(ctx, h, func(*batch.Input) bool { return true })
			if !isClosed(h.done) || len(w.held) > 0 {
				return fmt.Errorf("holds %d chunks, %w", len(w.held), err)
			}
			return err
		}, "<nil>"},
		"contents": {func(ctx context.Context, _ *worker, h *heldChunk) error {
			_, err := h.job.fetcher(ctx)(batch.Ref{SHA256: "00"})
			return err
		}, errNotSent.Error()},
		"a message": {func(ctx context.Context, w *worker, h *heldChunk) error {
			_, err := w.q.message(ctx, h.job.chunks, firstChunk)
			return purgedError(err, "job")
		}, "job job: it no longer exists: it was purged, or its servers lost it"},
		"a consumer": {func(ctx context.Context, w *worker, h *heldChunk) error {
			return purgedError(w.q.askStream(ctx, chunksStream("job"), func() error {
				return jetstream.ErrConsumerNotFound // servers may have deleted the consumer before the stream
			}), "job")
		}, "job job: it no longer exists: it was purged, or its servers lost it"},
		"a submitter": {func(ctx context.Context, _ *worker, h *heldChunk) error {
			s := &submitter{job: h.job, how: Submission{PerChunk: 1}, last: firstChunk, there: map[uint64]int{}}
			return purgedError(s.end(ctx), "job")
		}, "job job: it no longer exists: it was purged, or its servers lost it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, h := holdingOne(t)
			if err := w.q.Purge(t.Context(), "job"); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), sayAfter)
			defer cancel()
			if got := fmt.Sprint(row.do(ctx, w, h)); got != row.want {
				t.Errorf("the error is %s, want %s", got, row.want)
			}
		})
	}
}

// TestPurgedMeanwhile: a job may be purged when a worker has just taken a chunk, while inputs are submitted, or while
// records are read.
func TestPurgedMeanwhile(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 2*sayAfter)
	defer cancel()
	w, j, _ := holder(t)
	j.chunks = purgedStream{oneChunk{j.chunks, &givenMsg{data: chunkOf(t, "a"), times: 1}}, w.q}
	if h, err := w.take(ctx); h != nil || err != nil {
		t.Errorf("a chunk was taken: %v, %v", h, err)
	}

	const want = "job job: it no longer exists: it was purged, or its servers lost it"
	q, l := remote(t)
	begun(t, q)
	names := func(yield func(string) bool) {
		for _, name := range []string{"a", "b"} {
			if name == "b" {
				if err := q.Purge(ctx, "job"); err != nil {
					t.Error(err)
				}
			}
			if !yield(name) {
				return
			}
		}
	}
	err := q.Submit(ctx, "job", batch.Inputs(names, batch.PathOptions{}), Submission{PerChunk: 1})
	if fmt.Sprint(err) != want {
		t.Errorf("inputs were submitted: %v", err)
	}

	begun(t, q)
	submitted(t, q, "a")
	read := make(chan error, 1)
	before := l.count()
	go func() {
		_, err := recordsOf(ctx, q)
		read <- err
	}()
	for l.count() < before+20 { // the reader waits for the result
		sleep(ctx, leastPause)
	}
	if err := q.Purge(ctx, "job"); err != nil {
		t.Fatal(err)
	}
	if err := <-read; fmt.Sprint(err) != want || !errors.Is(err, ErrPurged) {
		t.Errorf("records were read: %v", err)
	}
}

// TestLostConsumer: a job whose consumer is lost was not purged. Commands report what happened, and so does a worker for
// all jobs, once. The job is complete after it was submitted again.
func TestLostConsumer(t *testing.T) {
	const want = "the servers have lost the consumer of job job; submit the job again"
	q, _ := remote(t)
	var said []string
	say := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	q.say = say
	j := begun(t, q)
	submitted(t, q, "a")
	lose := func() {
		t.Helper()
		if err := q.js.DeleteConsumer(t.Context(), chunksStream("job"), consumerName); err != nil {
			t.Fatal(err)
		}
	}
	worker := func(jobs ...string) *worker {
		return &worker{q: q, meter: newWorkerMeter(), jobs: map[string]*job{}, Worker: Worker{Head: j.Head, Jobs: jobs,
			Say: say}}
	}
	lose()
	if _, err := recordsOf(t.Context(), q); fmt.Sprint(err) != want {
		t.Errorf("records: %v", err)
	}
	s := &submitter{job: j, sent: 63}
	if err := purgedError(s.room(t.Context()), "job"); fmt.Sprint(err) != want {
		t.Errorf("inputs: %v", err)
	}
	if h, err := worker("job").take(t.Context()); h != nil || fmt.Sprint(err) != want {
		t.Errorf("a worker for the job: %v, %v", h, err)
	}
	if s, err := q.Status(t.Context()); err != nil || len(s.Jobs) > 0 || len(said) != 1 || said[0] != want {
		t.Errorf("status: %+v, %v, said %q", s, err, said)
	}

	said = nil
	w := worker()
	for range 2 {
		jobs, err := w.current(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.fetch(t.Context(), jobs[0])
		if over, err := w.leave(jobs[0], nil, err); !over || err != nil {
			t.Errorf("a worker for all jobs: over %t, %v", over, err)
		}
	}
	if len(said) != 1 || said[0] != want {
		t.Errorf("a worker for all jobs said %q", said)
	}
	begun(t, q)
	if h, err := w.take(t.Context()); h == nil || err != nil {
		t.Errorf("after it was submitted again: %v, %v", h, err)
	}
}
