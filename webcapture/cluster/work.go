package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/batch/queue"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// A worker audits the inputs of one chunk after the other, in one run: the first inputs of a chunk are
// begun while the last of the one before are not done. Records come in the order of inputs, so
// they belong to the chunk that was taken first, until that is full.
type worker struct {
	queue.Worker
	q      *natsQueue
	jobs   map[string]*job // that it takes part in, by name; nil for those that are not for it
	lines  lineMaker
	meter  *workerMeter
	tally  tally
	failed chan error // of taking chunks

	mu   sync.Mutex
	held []*held // in the order in which they were taken
}

// A held is a chunk that a worker has.
type held struct {
	job    *job
	msg    jetstream.Msg
	chunk  uint64
	refs   []batch.Ref
	alone  *alone // nil unless its inputs are audited one by one
	result *result
	lease  time.Duration
	done   chan struct{} // closed when the result is there
}

// Work audits chunks of jobs.
func (q *natsQueue) Work(ctx context.Context, told queue.Worker) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	w := &worker{Worker: told, q: q, meter: newWorkerMeter(), jobs: map[string]*job{}, failed: make(chan error, 1)}
	if w.Say == nil {
		w.Say = func(string, ...any) {}
	}
	if err := showMetrics(ctx, w.Metrics, w.meter.registry, w.Say); err != nil {
		return err
	}
	w.lines.head = w.Head
	var beside sync.WaitGroup
	beside.Go(func() { w.extend(ctx) })
	beside.Go(func() { w.signs(ctx) })
	err := w.run(ctx)
	stop()
	w.release()
	beside.Wait()
	return err
}

func (w *worker) run(ctx context.Context) error {
	for rec := range batch.Run(ctx, w.inputs(ctx), w.Options) {
		lines, err := w.lines.of(rec)
		if err != nil {
			return err
		}
		w.count(rec)
		h := w.first()
		if h.alone != nil {
			err = h.alone.done(ctx, lines)
		} else {
			err = w.add(ctx, h, lines)
		}
		if err != nil {
			return err
		}
	}
	select {
	case err := <-w.failed:
		return err
	default:
		return ctx.Err()
	}
}

// count counts a record.
func (w *worker) count(rec *report.Record) {
	w.tally.add(rec)
	w.meter.add(rec)
}

// inputs yields the inputs of chunks, as they are taken.
func (w *worker) inputs(ctx context.Context) iter.Seq[*batch.Input] {
	return func(yield func(*batch.Input) bool) {
		for {
			h, err := w.take(ctx)
			if err != nil || h == nil {
				w.failed <- err
				return
			}
			if h.alone != nil {
				if err := w.oneByOne(ctx, h, yield); err != nil {
					w.failed <- err
					return
				}
				continue
			}
			for in := range batch.Resolve(h.job.Directory, h.refs, h.job.fetcher(ctx)) {
				if !yield(in) {
					w.failed <- ctx.Err()
					return
				}
			}
		}
	}
}

// first returns the chunk that the next record belongs to.
func (w *worker) first() *held {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.held[0]
}

// add adds the lines of a record to the result of a chunk, which is published when it is full.
func (w *worker) add(ctx context.Context, h *held, lines []byte) error {
	err := h.result.add(ctx, lines)
	full := h.result.inputs == len(h.refs)
	if err == nil && full {
		err = h.result.commit(ctx)
	}
	if err != nil && !isGone(err) { // of a job that was removed nobody wants results
		return err
	}
	if !full {
		return nil
	}
	w.mu.Lock()
	w.held = w.held[1:]
	w.mu.Unlock()
	close(h.done)
	w.acknowledge(ctx, h.msg)
	w.q.news.tell()
	return nil
}

// acknowledge says that a chunk has its result. If nobody answers it comes back, and its
// result is found.
func (w *worker) acknowledge(ctx context.Context, m jetstream.Msg) {
	for range 2 {
		ctx, cancel := context.WithTimeout(ctx, patience)
		err := m.DoubleAck(ctx)
		cancel()
		if err == nil {
			return
		}
	}
}

// take takes the next chunk that has no result; nil if there will be none.
func (w *worker) take(ctx context.Context) (*held, error) {
	for pause := leastPause; ctx.Err() == nil; {
		news := w.q.news.wait()
		jobs, err := w.current(ctx)
		if err != nil {
			return nil, err
		}
		left := len(w.Jobs) == 0
		for _, j := range jobs {
			m, err := j.fetch(ctx)
			if err != nil {
				return nil, err
			}
			if m == nil {
				over, err := j.isOver(ctx)
				if err != nil {
					return nil, err
				}
				left = left || !over
				continue
			}
			left = true
			pause = leastPause
			if h, err := w.hold(ctx, j, m); h != nil || err != nil {
				return h, err
			}
		}
		if !left {
			return nil, nil
		}
		sleepUntil(ctx, news, pause)
		pause = min(2*pause, mostPause)
	}
	return nil, ctx.Err()
}

// fetch returns the next chunk; nil if there is none now.
func (j *job) fetch(ctx context.Context) (got jetstream.Msg, err error) {
	cancelled, err := j.cancelled(ctx)
	if cancelled || isGone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = j.q.again(ctx, func() error {
		c, err := j.chunks.Consumer(ctx, consumerName)
		if err != nil {
			return err
		}
		j.Lease = c.CachedInfo().Config.AckWait
		batch, err := c.FetchNoWait(1)
		if err != nil {
			return err
		}
		for m := range batch.Messages() {
			got = m
		}
		return nil // of what went wrong meanwhile, the next call hears
	})
	if isGone(err) {
		return nil, nil
	}
	return got, err
}

// isOver reports whether all chunks of a job have results, or nobody wants them.
func (j *job) isOver(ctx context.Context) (bool, error) {
	s, err := j.status(ctx)
	switch {
	case isGone(err):
		return true, nil
	case err != nil || s.Cancelled:
		return err == nil, err
	case !s.Submitted || s.Done < s.Chunks:
		return false, nil
	}
	lost, err := j.firstLost(ctx)
	if err != nil || lost == 0 {
		return err == nil || isGone(err), err
	}
	return false, j.requeue(ctx, lost)
}

// hold takes a chunk that was fetched; nil if its result is there.
func (w *worker) hold(ctx context.Context, j *job, m jetstream.Msg) (*held, error) {
	meta, err := m.Metadata()
	if err != nil {
		return nil, err
	}
	h := &held{job: j, msg: m, chunk: meta.Sequence.Stream, lease: j.Lease, done: make(chan struct{})}
	there, err := w.q.last(ctx, j.results, resultSubject(j.Name, h.chunk))
	if err != nil {
		return nil, err
	}
	if there != nil {
		w.acknowledge(ctx, m)
		return nil, nil
	}
	c, err := queue.DecodeChunk(m.Data())
	if err != nil {
		return nil, err
	}
	h.refs = c.Refs
	h.result = j.newResult(h.chunk, fmt.Sprintf("%s-%d", w.q.id, meta.NumDelivered))
	if meta.NumDelivered > 1 {
		w.meter.again.Inc()
	}
	if meta.NumDelivered > maxDeaths {
		if h.alone, err = j.openAlone(ctx, h); err != nil {
			return nil, err
		}
	}
	w.mu.Lock()
	w.held = append(w.held, h)
	w.mu.Unlock()
	return h, nil
}

// current returns the jobs that the worker takes part in.
func (w *worker) current(ctx context.Context) ([]*job, error) {
	names := w.Jobs
	if len(names) == 0 {
		var err error
		if names, err = w.q.jobNames(ctx); err != nil {
			return nil, err
		}
	}
	var list []*job
	for _, name := range names {
		j, known := w.jobs[name]
		if !known {
			var err error
			if j, err = w.q.job(ctx, name); err != nil {
				if errors.Is(err, queue.ErrNoJob) && len(w.Jobs) == 0 {
					continue // it is being made, or removed
				}
				return nil, err
			}
			if why := report.Difference(j.Head, w.Head); why != "" {
				err := fmt.Errorf("job %s is not for this worker: they have %s", name, why)
				if len(w.Jobs) > 0 {
					return nil, err
				}
				w.Say("%v", err)
				j = nil
			}
			w.jobs[name] = j
		}
		if j != nil {
			list = append(list, j)
		}
	}
	return list, nil
}

// jobNames returns the names of all jobs.
func (q *natsQueue) jobNames(ctx context.Context) (names []string, err error) {
	err = q.again(ctx, func() error {
		names = nil
		list := q.js.StreamNames(ctx)
		for name := range list.Name() {
			if job, ok := jobOfStream(name); ok {
				names = append(names, job)
			}
		}
		return list.Err()
	})
	slices.Sort(names)
	return names, err
}

// extend keeps chunks from going to others while the worker gets on.
func (w *worker) extend(ctx context.Context) {
	records, at := -1, time.Now()
	for ctx.Err() == nil {
		every := mostPause
		w.mu.Lock()
		held := slices.Clone(w.held)
		w.mu.Unlock()
		if n, _ := w.tally.sum(); n != records || len(held) == 0 {
			records, at = n, time.Now()
		}
		if w.Options.Timeout == 0 || time.Since(at) < w.Options.Timeout+stuckAfter {
			for _, h := range held {
				h.msg.InProgress() // if it is lost, the next one is not
				every = min(every, h.lease/leaseShare)
			}
		}
		sleep(ctx, every)
	}
}

// release gives chunks back that are not done, for others to take them at once.
func (w *worker) release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, h := range w.held {
		if h.alone != nil {
			h.alone.stop()
		}
		h.msg.Nak()
	}
	w.q.nc.FlushTimeout(flushed)
}

// A lineMaker makes the lines of records.
type lineMaker struct {
	head report.Head
	buf  bytes.Buffer
	w    report.Writer
}

// of returns the lines of a record, until the next call.
func (m *lineMaker) of(rec *report.Record) ([]byte, error) {
	if m.w == nil {
		ndjson, _ := report.LookupFormat("ndjson")
		m.w = ndjson.New(&m.buf, report.Options{Head: m.head})
		if err := m.w.Add(rec); err != nil { // which writes the head as well
			return nil, err
		}
		_, lines, _ := bytes.Cut(m.buf.Bytes(), []byte("\n"))
		return lines, nil
	}
	m.buf.Reset()
	err := m.w.Add(rec)
	return m.buf.Bytes(), err
}
