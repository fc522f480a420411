package cluster

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
)

const purgedMessage = "job job: it no longer exists: it was purged, or its servers lost it"

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

// hookedStream is a stream that calls a function before some requests.
type hookedStream struct {
	jetstream.Stream
	hook func()
}

func (s hookedStream) GetMsg(ctx context.Context, number uint64, opts ...jetstream.GetMsgOpt) (
	*jetstream.RawStreamMsg, error) {
	s.hook()
	return s.Stream.GetMsg(ctx, number, opts...)
}

func (s hookedStream) ResetConsumer(ctx context.Context, name string) (*jetstream.ConsumerResetResponse, error) {
	s.hook()
	return s.Stream.ResetConsumer(ctx, name)
}

func (s hookedStream) ResetConsumerToSequence(ctx context.Context, name string, from uint64) (
	*jetstream.ConsumerResetResponse, error) {
	s.hook()
	return s.Stream.ResetConsumerToSequence(ctx, name, from)
}

// hookedQueue is a queue with hooked streams of chunks.
type hookedQueue struct {
	jetstream.JetStream
	hook func()
}

func (q hookedQueue) Stream(ctx context.Context, name string) (jetstream.Stream, error) {
	s, err := q.JetStream.Stream(ctx, name)
	if _, ok := jobOfStream(name); ok {
		s = hookedStream{s, q.hook}
	}
	return s, err
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
			_, err := w.fetch(ctx, h.job)
			return purgedError(err, "job")
		}, purgedMessage},
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
		}, purgedMessage},
		"a consumer": {func(ctx context.Context, w *worker, h *heldChunk) error {
			return purgedError(w.q.askStream(ctx, chunksStream("job"), func() error {
				return jetstream.ErrConsumerNotFound // servers may have deleted the consumer before the stream
			}), "job")
		}, purgedMessage},
		"a submitter": {func(ctx context.Context, _ *worker, h *heldChunk) error {
			s := &submitter{job: h.job, how: Submission{PerChunk: 1}, last: firstChunk, there: map[uint64]int{}}
			return purgedError(s.end(ctx), "job")
		}, purgedMessage},
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
	if fmt.Sprint(err) != purgedMessage {
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
	for l.count() < before+20 && ctx.Err() == nil { // the reader waits for the result
		sleep(ctx, leastPause)
	}
	if ctx.Err() != nil {
		t.Fatalf("%d requests of the reader", l.count()-before)
	}
	if err := q.Purge(ctx, "job"); err != nil {
		t.Fatal(err)
	}
	if err := <-read; fmt.Sprint(err) != purgedMessage || !errors.Is(err, ErrPurged) {
		t.Errorf("records were read: %v", err)
	}
}

// TestLostConsumer: a job whose consumer is lost was not purged. Commands report what happened, and so does a worker
// for all jobs, once. The job is complete after it was submitted again.
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

// TestPurgedWhileAWorkerIsIdle: a worker reports that a job was purged, and goes on with other jobs, whichever request
// notices it.
func TestPurgedWhileAWorkerIsIdle(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, w *worker, j *job){
		"no progress": func(t *testing.T, w *worker, j *job) {
			if m, err := w.fetch(t.Context(), j); m == nil || err != nil {
				t.Fatalf("%v, %v", m, err)
			}
			if over, err := w.isOver(t.Context(), j); over || err != nil {
				t.Fatalf("over %t, %v", over, err)
			}
			j.moved.at = j.moved.at.Add(-stillLeases * time.Minute)
		},
		"a lost result": func(t *testing.T, _ *worker, j *job) { acknowledgeAll(t, j) },
	} {
		t.Run(name, func(t *testing.T) {
			w, j, _ := holder(t)
			submitted(t, w.q, "a")
			prepare(t, w, j)
			purges := 0
			j.chunks = hookedStream{j.chunks, func() {
				purges++
				if err := w.q.Purge(t.Context(), "job"); err != nil {
					t.Error(err)
				}
			}}
			other := begunAs(t, w.q, "other")
			submittedTo(t, w.q, "other", "b")
			w.Jobs, w.jobs["other"] = []string{"job", "other"}, other
			var said []string
			w.Say = func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
			h, err := w.take(t.Context())
			if err != nil || h == nil || h.job != other {
				t.Errorf("takes %+v, %v", h, err)
			}
			other.rest = time.Now().Add(time.Hour)
			if h, err := w.take(t.Context()); h != nil || err != nil {
				t.Errorf("then takes %+v, %v", h, err)
			}
			if len(said) != 1 || said[0] != purgedMessage || purges != 1 || w.jobs["job"] != nil {
				t.Errorf("said %q, purged %d times, %v", said, purges, w.jobs)
			}
		})
	}
}

// TestPurgedBeforeItsHead: a job that is purged while a worker finds it does not end a worker for all jobs.
func TestPurgedBeforeItsHead(t *testing.T) {
	w, _, _ := holder(t)
	js := w.q.js
	w.Jobs, w.jobs = nil, map[string]*job{}
	w.q.js = hookedQueue{js, func() {
		if err := js.DeleteStream(t.Context(), chunksStream("job")); err != nil {
			t.Error(err)
		}
	}}
	if list, err := w.current(t.Context()); len(list) > 0 || err != nil {
		t.Errorf("%d jobs, %v", len(list), err)
	}
}

// TestLostResultsOfAJob: if only the results of a job are gone, a worker says it, and gives its chunk back. The chunk
// has its turn when the job is submitted again.
func TestLostResultsOfAJob(t *testing.T) {
	w, _, _ := holder(t)
	submitted(t, w.q, "a", "b")
	var said []string
	w.Say = func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	if err := w.q.js.DeleteStream(t.Context(), resultsStream("job")); err != nil {
		t.Fatal(err)
	}
	if h, err := w.take(t.Context()); h != nil || err != nil {
		t.Errorf("takes %+v, %v", h, err)
	}
	if len(said) != 1 || said[0] != purgedMessage {
		t.Errorf("said %q", said)
	}
	ctx, cancel := context.WithTimeout(t.Context(), sayAfter)
	defer cancel()
	begun(t, w.q)
	for _, name := range []string{"a", "b"} {
		h, err := w.take(ctx)
		for ; h == nil && err == nil; h, err = w.take(ctx) { // the chunk comes back in a moment
		}
		if err != nil || len(h.refs) != 1 {
			t.Fatalf("%s: %+v, %v", name, h, err)
		}
	}
}
