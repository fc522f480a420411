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
	"github.com/webcap-tools/webcap/webcapture/report"
)

// refuseEach repeats do, and refuses one of its requests each time: first the first one, then the second one, and so
// on, until do makes fewer requests. do must return the refusal as its error, and must make at least so many requests.
// prepare returns do and its line, each time anew.
func refuseEach(t *testing.T, least int, prepare func() (*line, func() error)) {
	t.Helper()
	for at := 1; ; at++ {
		l, do := prepare()
		l.kind, l.at, l.what = refused, l.n+at, ""
		err := do()
		l.at = 0
		if l.what == "" {
			if err != nil || at <= least {
				t.Errorf("%d requests, want %d or more; %v", at-1, least, err)
			}
			return
		}
		if !errors.Is(err, nats.ErrPermissionViolation) || !strings.Contains(err.Error(), l.what) {
			t.Errorf("%s was refused: %v", l.what, err)
		}
	}
}

// linesOf returns the lines of a record for an input that could not be read.
func linesOf(t *testing.T, name string) []byte {
	t.Helper()
	var m lineMaker
	lines, err := m.of(&report.Record{Path: name, Err: errors.New("gone")})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// finishAs publishes the result of a chunk with one input, in parts of at most so many bytes.
func finishAs(t *testing.T, j *job, chunk uint64, name string, most int) {
	t.Helper()
	finishWith(t, j, chunk, linesOf(t, name), most)
}

// finishWith publishes a result with these lines.
func finishWith(t *testing.T, j *job, chunk uint64, lines []byte, most int) {
	t.Helper()
	m, err := j.q.message(t.Context(), j.chunks, chunk)
	if err != nil || m == nil {
		t.Fatalf("chunk %d: %v", chunk, err)
	}
	r := j.newResult(chunkName(chunk, m.Data), "w")
	r.most = most
	if err := r.add(t.Context(), lines); err != nil {
		t.Fatal(err)
	}
	if err := r.commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// fullJob begins a job with everything that a job can have: the input a with its result, the input b with a result in
// parts, the skipped input c, and the log of a chunk whose inputs are audited one by one. The queue has a worker.
func fullJob(t *testing.T, q *Queue) *job {
	t.Helper()
	j := begun(t, q)
	submitted(t, q, "a", "b", "c")
	finishAs(t, j, 2, "a", partSize)
	finishAs(t, j, 3, "b", 50)
	h := holding(t, j, "w")
	if err := h.alone.log(t.Context(), entryBegun, 0, nil); err != nil {
		t.Fatal(err)
	}
	w := &worker{q: q, meter: newWorkerMeter(), Worker: Worker{Say: func(string, ...any) {}}}
	if _, err := w.givenUp(t.Context(), h, 0, batch.Ref{Name: "c"}); err != nil {
		t.Fatal(err)
	}
	finishAs(t, j, 4, "c", partSize)
	acknowledgeAll(t, j)
	signs := jetstream.StreamConfig{Name: signsStream, Subjects: []string{signSubject + ">"}}
	if _, err := q.js.CreateStream(t.Context(), signs); err != nil {
		t.Fatal(err)
	}
	if _, err := q.js.Publish(t.Context(), signSubject+"h-1", []byte(`{"Version":"v1","Inputs":3}`)); err != nil {
		t.Fatal(err)
	}
	return j
}

// recordsOf returns the paths of the records of the job, and the error at their end.
func recordsOf(ctx context.Context, q *Queue) (paths []string, err error) {
	_, records, err := q.Results(ctx, "job")
	if err != nil {
		return nil, err
	}
	for rec, err := range records {
		if err != nil {
			return paths, err
		}
		paths = append(paths, rec.Path)
	}
	return paths, nil
}

// refusedReads has the operations of TestRefusedReads.
var refusedReads = map[string]struct {
	least int
	do    func(ctx context.Context, w *worker, j *job) error
}{
	"status": {11, func(ctx context.Context, w *worker, j *job) error {
		s, err := w.q.Status(ctx)
		if err == nil && (len(s.Jobs) != 1 || len(s.Workers) != 1 || !slices.Equal(s.Jobs[0].Poison, []string{"c"})) {
			return fmt.Errorf("%+v", s)
		}
		return err
	}},
	"results": {12, func(ctx context.Context, w *worker, j *job) error {
		paths, err := recordsOf(ctx, w.q)
		if err == nil && !slices.Equal(paths, []string{"a", "b", "c"}) {
			return fmt.Errorf("records of %q", paths)
		}
		return err
	}},
	"the same job": {7, func(ctx context.Context, w *worker, j *job) error { return w.q.Begin(ctx, j.Job) }},
	"the same inputs": {8, func(ctx context.Context, w *worker, j *job) error {
		inputs := batch.Inputs(slices.Values([]string{"a", "b", "c"}), batch.PathOptions{})
		return w.q.Submit(ctx, "job", inputs, Submission{PerChunk: 1, Upload: true})
	}},
	"jobs of a worker": {4, func(ctx context.Context, w *worker, j *job) error {
		w.jobs = map[string]*job{}
		list, err := w.current(ctx)
		if err == nil && len(list) != 1 {
			return fmt.Errorf("%d jobs", len(list))
		}
		return err
	}},
	"no next chunk": {3, func(ctx context.Context, w *worker, j *job) error {
		m, err := w.fetch(ctx, j)
		if m != nil {
			return errors.New("there is one")
		}
		return err
	}},
	"the end of the job": {7, func(ctx context.Context, w *worker, j *job) error {
		j.whole = [2]uint64{}
		over, err := w.isOver(ctx, j)
		if over != (err == nil) {
			return fmt.Errorf("over: %t, %w", over, err)
		}
		return err
	}},
	"a log": {3, func(ctx context.Context, w *worker, j *job) error {
		a, err := j.openAlone(ctx, &heldChunk{job: j, chunk: "000000002.aa"})
		if err == nil && len(a.lines) != 1 {
			return fmt.Errorf("%d inputs", len(a.lines))
		}
		return err
	}},
	"a chunk that is there": {2, func(ctx context.Context, w *worker, j *job) error {
		return j.checkChunk(ctx, firstChunk)
	}},
	"a result that is there": {2, func(ctx context.Context, w *worker, j *job) error {
		m, err := w.q.message(ctx, j.chunks, firstChunk)
		if err != nil {
			return err
		}
		return j.requeueLost(ctx, firstChunk, chunkName(firstChunk, m.Data))
	}},
}

// TestRefusedReads: reading a job fails with the error of the server if one of the requests is refused. Without a
// refusal, it succeeds.
func TestRefusedReads(t *testing.T) {
	q, l := remote(t)
	j := fullJob(t, q)
	w := &worker{q: q, meter: newWorkerMeter(), jobs: map[string]*job{}, Worker: Worker{Head: j.Head}}
	for name, row := range refusedReads {
		t.Run(name, func(t *testing.T) {
			refuseEach(t, row.least, func() (*line, func() error) {
				return l, func() error { return row.do(t.Context(), w, j) }
			})
		})
	}
}

// lostResult begins a job whose only result is lost.
func lostResult(t *testing.T, q *Queue) {
	t.Helper()
	j := begun(t, q)
	submitted(t, q, "a")
	acknowledgeAll(t, j)
}

// refusedWrites has the operations of TestRefusedWrites.
var refusedWrites = map[string]struct {
	least  int
	fresh  bool // each time with a new queue, because do is not the same a second time
	before func(t *testing.T, q *Queue)
	do     func(ctx context.Context, q *Queue) error
}{
	"begin": {7, true, func(*testing.T, *Queue) {}, func(ctx context.Context, q *Queue) error {
		return q.Begin(ctx, Job{Name: "job", Head: report.Head{Version: "v1"}, Directory: "/"})
	}},
	"submit": {8, true, func(t *testing.T, q *Queue) { begun(t, q) }, func(ctx context.Context, q *Queue) error {
		inputs := batch.Inputs(slices.Values([]string{"/none"}), batch.PathOptions{})
		return q.Submit(ctx, "job", inputs, Submission{PerChunk: 1, Upload: true})
	}},
	"cancel": {4, false, func(t *testing.T, q *Queue) { begun(t, q) },
		func(ctx context.Context, q *Queue) error { return q.Cancel(ctx, "job") }},
	"purge": {3, true, func(t *testing.T, q *Queue) { begun(t, q) },
		func(ctx context.Context, q *Queue) error { return q.Purge(ctx, "job") }},
	"a result in parts": {7, false, func(t *testing.T, q *Queue) { begun(t, q) },
		func(ctx context.Context, q *Queue) error {
			j, err := q.job(ctx, "job")
			if err != nil {
				return err
			}
			r := j.newResult("000000002.aa", "w")
			r.most = 5
			if err := r.add(ctx, []byte("12345678")); err != nil {
				return err
			}
			return r.commit(ctx)
		}},
	"wait for a result": {7, false, func(t *testing.T, q *Queue) { begun(t, q); submitted(t, q, "a") },
		func(ctx context.Context, q *Queue) error {
			j, err := q.job(ctx, "job")
			if err != nil {
				return err
			}
			return noChunk((&resultReader{ctx: ctx, job: j, next: firstChunk}).ask())
		}},
	"a lost result": {7, false, lostResult, func(ctx context.Context, q *Queue) error {
		j, err := q.job(ctx, "job")
		if err != nil {
			return err
		}
		m, err := q.message(ctx, j.chunks, firstChunk)
		if err != nil {
			return err
		}
		return j.requeueLost(ctx, firstChunk, chunkName(firstChunk, m.Data))
	}},
	"lost results at the end": {11, false, lostResult, func(ctx context.Context, q *Queue) error {
		j, err := q.job(ctx, "job")
		if err != nil {
			return err
		}
		over, err := (&worker{q: q}).isOver(ctx, j)
		if over {
			return errors.New("the job is over")
		}
		return err
	}},
	"no progress": {9, false, func(t *testing.T, q *Queue) { begun(t, q); submitted(t, q, "a") },
		func(ctx context.Context, q *Queue) error {
			j, err := q.job(ctx, "job")
			if err != nil {
				return err
			}
			w := &worker{q: q}
			if _, err := w.isOver(ctx, j); err != nil {
				return err
			}
			j.moved.at = j.moved.at.Add(-stillLeases * time.Minute)
			s, err := j.status(ctx)
			if err != nil {
				return err
			}
			return w.watch(ctx, j, s)
		}},
}

// TestRefusedWrites: changing a job fails with the error of the server if one of the requests is refused.
func TestRefusedWrites(t *testing.T) {
	for name, row := range refusedWrites {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var q *Queue
			var l *line
			refuseEach(t, row.least, func() (*line, func() error) {
				if q == nil || row.fresh {
					q, l = remote(t)
					row.before(t, q)
				}
				return l, func() error { return row.do(t.Context(), q) }
			})
		})
	}
}
