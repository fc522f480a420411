package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// TestStreamsOfJob: messages cannot be deleted one by one, and are compressed. The lease is the one asked for; a queue
// in one process has its own.
func TestStreamsOfJob(t *testing.T) {
	for _, own := range []bool{false, true} {
		q, _ := remote(t)
		lease := time.Minute
		if own {
			q.own, lease = func() {}, ownLease
		}
		j := begun(t, q)
		for _, s := range []jetstream.Stream{j.chunks, j.results} {
			info, err := s.Info(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			c := info.Config
			if !c.DenyDelete || c.Compression != jetstream.S2Compression || c.Replicas != 1 || !c.AllowDirect {
				t.Errorf("%s: %+v", c.Name, c)
			}
		}
		c, err := j.chunks.Consumer(t.Context(), consumerName)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.CachedInfo().Config; got.AckWait != lease || got.AckPolicy != jetstream.AckExplicitPolicy ||
			got.MaxDeliver != -1 || got.MaxAckPending != maxHeld || got.FilterSubject != chunkSubject("job") {
			t.Errorf("own %t: %+v", own, got)
		}
	}
}

// submitted adds chunks of one input each to a job.
func submitted(t *testing.T, q *Queue, names ...string) {
	t.Helper()
	submittedTo(t, q, "job", names...)
}

// submittedTo submits inputs to a job with this name.
func submittedTo(t *testing.T, q *Queue, job string, names ...string) {
	t.Helper()
	if err := q.Submit(t.Context(), job, batch.Inputs(slices.Values(names), batch.PathOptions{}),
		Submission{PerChunk: 1}); err != nil {
		t.Fatal(err)
	}
}

// finish publishes a result of a chunk, and acknowledges the chunk unless it has none.
func finish(t *testing.T, j *job, chunks ...uint64) {
	t.Helper()
	for _, n := range chunks {
		m, err := j.q.message(t.Context(), j.chunks, n)
		if err != nil || m == nil {
			t.Fatalf("chunk %d: %v", n, err)
		}
		r := j.newResult(chunkName(n, m.Data), "w")
		if err := r.commit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// acknowledgeAll takes and acknowledges all chunks of a job.
func acknowledgeAll(t *testing.T, j *job) {
	t.Helper()
	c, err := j.q.js.(lineQueue).JetStream.Consumer(t.Context(), chunksStream(j.Name), consumerName)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.FetchNoWait(100)
	if err != nil {
		t.Fatal(err)
	}
	for m := range got.Messages() {
		if err := m.DoubleAck(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFirstLost: the first lost result is that of the first chunk without one. The messages of the job and of the end
// have none.
func TestFirstLost(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	submitted(t, q, "a", "b", "c")
	for _, row := range []struct {
		finished []uint64
		want     uint64
	}{{nil, 2}, {[]uint64{3}, 2}, {[]uint64{2}, 4}, {[]uint64{4}, 0}} {
		finish(t, j, row.finished...)
		if got, err := j.firstLost(t.Context()); got != row.want || err != nil {
			t.Errorf("with %d: %d, %v, want %d", row.finished, got, err, row.want)
		}
	}
}

// TestRequeueLost: a reader assigns a chunk again only if it was acknowledged and has no result.
func TestRequeueLost(t *testing.T) {
	q, _ := remote(t)
	var said []string
	q.say = func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	j := begun(t, q)
	submitted(t, q, "a", "b")
	requeue := func(number uint64) {
		t.Helper()
		m, err := q.message(t.Context(), j.chunks, number)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.requeueLost(t.Context(), number, chunkName(number, m.Data)); err != nil {
			t.Fatal(err)
		}
	}
	requeue(2)
	if len(said) > 0 {
		t.Errorf("a waiting chunk: %q", said)
	}
	finish(t, j, 2)
	acknowledgeAll(t, j)
	requeue(2)
	if len(said) > 0 {
		t.Errorf("a finished chunk: %q", said)
	}
	requeue(3)
	if len(said) != 1 || !strings.Contains(said[0], "job job: the servers have lost results from chunk 3 on") {
		t.Errorf("a lost result: %q", said)
	}
	s, err := j.status(t.Context())
	if err != nil || s.Chunks-s.Done-s.Taken != 1 {
		t.Errorf("%+v, %v: one chunk must wait", s, err)
	}
}

// TestIsOver: a job is over when all its chunks have results, and is not looked through again while none is missing. A
// chunk whose result is missing is assigned again.
func TestIsOver(t *testing.T) {
	q, l := remote(t)
	j := begun(t, q)
	w := &worker{q: q}
	over := func(want bool, when string) (requests int) {
		t.Helper()
		before := l.n
		if got, err := w.isOver(t.Context(), j); got != want || err != nil {
			t.Errorf("%s: over %t, %v", when, got, err)
		}
		return l.n - before
	}
	over(false, "before the end of the inputs")
	submitted(t, q, "a", "b")
	over(false, "chunks wait")
	finish(t, j, 2)
	acknowledgeAll(t, j)
	over(false, "a result is missing")
	over(false, "the chunk waits again")
	finish(t, j, 3)
	acknowledgeAll(t, j)
	first := over(true, "all have results")
	if again := over(true, "later"); again >= first {
		t.Errorf("%d requests, and %d later", first, again)
	}
	if err := q.Cancel(t.Context(), "job"); err != nil {
		t.Fatal(err)
	}
	over(true, "it was canceled")
	if err := q.Purge(t.Context(), "job"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.isOver(t.Context(), j); !isGone(err) {
		t.Errorf("it was purged: %v", err)
	}
}

// TestCounts: the status counts inputs, chunks, and bytes of both streams.
func TestCounts(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	submitted(t, q, "a", "b", "c")
	finish(t, j, 2)
	s, err := q.Status(t.Context())
	if err != nil || len(s.Jobs) != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	var bytes int64
	for _, one := range []jetstream.Stream{j.chunks, j.results} {
		info, err := one.Info(t.Context())
		if err != nil || info.State.Bytes == 0 {
			t.Fatalf("%+v, %v", info, err)
		}
		bytes += int64(info.State.Bytes)
	}
	if got := s.Jobs[0]; got.Inputs != 3 || got.Chunks != 3 || got.Done != 0 || got.Taken != 0 || got.Bytes != bytes ||
		!got.Submitted {
		t.Errorf("%+v, want %d bytes", got, bytes)
	}
}

// TestSubmittersShareAJob: inputs that another submitter has added are not added again, even if they come to light
// while a chunk is published.
func TestSubmittersShareAJob(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	ctx := t.Context()
	mine := &submitter{job: j, how: Submission{PerChunk: 3}, last: firstChunk - 1, there: map[uint64]int{}}
	other := *q
	other.id = "other"
	submitted(t, &other, "a", "b")
	for in := range batch.Inputs(slices.Values([]string{"a", "b", "c"}), batch.PathOptions{}) {
		if err := mine.add(ctx, in); err != nil {
			t.Fatal(err)
		}
	}
	if err := mine.end(ctx); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s, err := j.status(ctx)
		if err != nil || s.Inputs != 3 || s.Chunks != 3 || !s.Submitted {
			t.Errorf("%+v, %v", s, err)
		}
		info, err := j.chunks.Info(ctx)
		if err != nil || info.State.LastSeq != 6 { // job, a, b, end, c, end
			t.Errorf("%d messages, %v", info.State.LastSeq, err)
		}
		submitted(t, q, "c", "a", "b") // all are there, and the end
	}
	if len(mine.there) != 0 {
		t.Errorf("%d inputs were not counted as yielded", len(mine.there))
	}
}

// TestInputsSoFar: the status of a job that is being submitted has the number of inputs so far.
func TestInputsSoFar(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	s := &submitter{job: j, how: Submission{PerChunk: 2}, last: firstChunk - 1, there: map[uint64]int{}}
	for in := range batch.Inputs(slices.Values([]string{"a", "b", "c", "d", "e"}), batch.PathOptions{}) {
		if err := s.add(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	got, err := j.status(t.Context())
	if err != nil || got.Inputs != 4 || got.Chunks != 2 || got.Submitted || got.State() != "being submitted" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestReaderKeepsItsError: a reader of results that has failed does not read on.
func TestReaderKeepsItsError(t *testing.T) {
	q, l := remote(t)
	j := begun(t, q)
	submitted(t, q, "a")
	finish(t, j, 2)
	r := &resultReader{ctx: t.Context(), job: j, next: firstChunk}
	l.kind, l.at = refused, l.n+2 // the result of the chunk
	for range 2 {
		if n, err := r.Read(make([]byte, 10)); n != 0 || !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("%d bytes, %v", n, err)
		}
	}
}

// TestEndOfAJobMayFail: an error while a worker looks for lost results ends the worker.
func TestEndOfAJobMayFail(t *testing.T) {
	for at := 1; ; at++ {
		q, l := remote(t)
		j := begun(t, q)
		submitted(t, q, "a")
		finish(t, j, 2)
		acknowledgeAll(t, j)
		l.kind, l.at = refused, l.n+at
		over, err := (&worker{q: q}).isOver(t.Context(), j)
		if l.what == "" {
			if !over || err != nil || at < 5 {
				t.Errorf("%d requests, over %t, %v", at-1, over, err)
			}
			return
		}
		if over || !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("%s was refused: over %t, %v", l.what, over, err)
		}
	}
}

// TestTake: the same name may come several times, and each of them is counted once.
func TestTake(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	submitted(t, q, "a", "a", "b")
	s := &submitter{job: j, last: firstChunk - 1, there: map[uint64]int{}}
	if err := s.catchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, row := range []struct {
		name string
		want bool
	}{{"a", true}, {"b", true}, {"a", true}, {"a", false}, {"b", false}, {"c", false}} {
		if got := s.take(row.name); got != row.want {
			t.Errorf("%d: take of %s: %t", i, row.name, got)
		}
	}
	if s.total != 3 || !s.ended {
		t.Errorf("%d inputs, ended %t", s.total, s.ended)
	}
}

// fullStream has a number of waiting chunks for each request, and then none.
type fullStream struct {
	jetstream.Stream
	waiting []uint64
	asked   int
}

func (s *fullStream) Consumer(context.Context, string) (jetstream.Consumer, error) {
	s.asked++
	return waitingConsumer{nil, s.waiting[s.asked-1]}, nil
}

type waitingConsumer struct {
	jetstream.Consumer
	n uint64
}

func (c waitingConsumer) CachedInfo() *jetstream.ConsumerInfo {
	return &jetstream.ConsumerInfo{NumPending: c.n}
}

// TestRoom: from time to time, a submitter checks how many chunks wait for workers, and pauses while there are too
// many.
func TestRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fullStream{waiting: []uint64{maxWaiting + 1, maxWaiting, maxWaiting - 1, 0}}
		q := &Queue{life: context.Background()}
		sub := &submitter{job: &job{q: q, chunks: s}}
		begun := time.Now()
		for ; sub.sent < 128; sub.sent++ {
			if err := sub.room(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if pauses := time.Since(begun) / mostPause; s.asked != 4 || pauses != 2 {
			t.Errorf("asked %d times, %d pauses", s.asked, pauses)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		sub.sent = 63
		if err := sub.room(ctx); err != context.Canceled {
			t.Errorf("after the end: %v", err)
		}
	})
}

// TestWorkNeedsItsJobs: a worker for named jobs fails if one does not exist, or has another head. A worker for all jobs
// skips such jobs, and reports each with another head once.
func TestWorkNeedsItsJobs(t *testing.T) {
	q, _ := remote(t)
	begun(t, q)
	head := report.Head{Version: "v2", Rules: audit.Rules()}
	err := q.Work(t.Context(), Worker{Head: head, Jobs: []string{"none"}})
	if !errors.Is(err, ErrNoJob) {
		t.Errorf("no job: %v", err)
	}
	err = q.Work(t.Context(), Worker{Head: head, Jobs: []string{"job"}})
	if err == nil || !strings.HasPrefix(err.Error(), "job job is not for this worker: it has ") {
		t.Errorf("another head: %v", err)
	}
	if err := q.makeStreams(t.Context(), Job{Name: "young"}); err != nil { // it has no first message
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var said atomic.Int32
	w := &worker{Worker: Worker{Head: head, Say: func(string, ...any) { said.Add(1) }}, q: q, jobs: map[string]*job{}}
	for range 3 {
		if jobs, err := w.current(ctx); len(jobs) != 0 || err != nil {
			t.Errorf("%d jobs, %v", len(jobs), err)
		}
	}
	stop()
	if said.Load() != 1 {
		t.Errorf("said %d times", said.Load())
	}
}

// TestTakeMayFail: an error while a worker takes a chunk ends the worker.
func TestTakeMayFail(t *testing.T) {
	for at := 1; ; at++ {
		q, l := remote(t)
		j := begun(t, q)
		submitted(t, q, "a")
		w := &worker{Worker: Worker{Head: j.Head, Jobs: []string{"job"}}, q: q, meter: newWorkerMeter(),
			jobs: map[string]*job{}}
		l.kind, l.at = refused, l.n+at
		h, err := w.take(t.Context())
		if l.what == "" {
			if h == nil || err != nil || at < 5 {
				t.Errorf("%d requests, %v, %v", at-1, h, err)
			}
			return
		}
		if h != nil || !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("%s was refused: %v, %v", l.what, h, err)
		}
	}
}

// TestSubmitMayFail: an error while inputs are submitted ends the submitter, also if another one submits at the same
// time.
func TestSubmitMayFail(t *testing.T) {
	for at := 1; ; at++ {
		q, l := remote(t)
		j := begun(t, q)
		mine := &submitter{job: j, how: Submission{PerChunk: 1}, last: firstChunk - 1, there: map[uint64]int{}}
		other := *q
		other.id = "other"
		submitted(t, &other, "b")
		l.kind, l.at = refused, l.n+at
		var err error
		for in := range batch.Inputs(slices.Values([]string{"a"}), batch.PathOptions{}) {
			err = mine.add(t.Context(), in)
		}
		if err == nil {
			err = mine.end(t.Context())
		}
		if l.what == "" {
			if err != nil || at < 4 {
				t.Errorf("%d requests, %v", at-1, err)
			}
			return
		}
		if !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("%s was refused: %v", l.what, err)
		}
	}
}

// TestInvalidNames: no job has an invalid name.
func TestInvalidNames(t *testing.T) {
	q, _ := remote(t)
	for _, name := range []string{"", "a.b", "a b", "*", ">", strings.Repeat("a", 65)} {
		_, err := q.job(t.Context(), name)
		for what, err := range map[string]error{"Begin": q.Begin(t.Context(), Job{Name: name}), "job": err} {
			if err == nil || !strings.Contains(err.Error(), "is not a valid job name") {
				t.Errorf("%s of %q: %v", what, name, err)
			}
		}
	}
}

// TestFailedPut: a message that was not published is not the first of its subject.
func TestFailedPut(t *testing.T) {
	for at := 1; at <= 2; at++ {
		q, l := remote(t)
		j := begun(t, q)
		l.kind, l.at = refused, l.n+at
		m := nats.NewMsg(resultSubject("job", "2"))
		if first, err := j.put(t.Context(), m); first || !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("request %d: first %t, %v", at, first, err)
		}
		l.kind, l.at = refused, l.n+1
		if err := j.checkChunk(t.Context(), firstChunk); !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("a chunk that cannot be looked up: %v", err)
		}
	}
}

// TestForAdministrator: what a server says is said in words for its administrator.
func TestForAdministrator(t *testing.T) {
	other := errors.New("other")
	full := jetStreamError{&jetstream.APIError{ErrorCode: 10047}}
	for err, want := range map[error]string{
		full:             "a server has no room in its store; purge jobs, or raise its max_file_store",
		nats.ErrTimeout:  "no server answers",
		other:            "other",
		context.Canceled: context.Canceled.Error(),
	} {
		if got := forAdministrator(err).Error(); got != want {
			t.Errorf("%v: %s, want %s", err, got, want)
		}
	}
}
