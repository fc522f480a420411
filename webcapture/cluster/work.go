package cluster

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// worker audits the inputs of consecutive chunks in one run. It starts the first inputs of a chunk before the last
// inputs of the previous chunk are done. Records come in the order of inputs, so a record belongs to the oldest
// chunk that is not full.
type worker struct {
	Worker
	q      *Queue
	jobs   map[string]*job // by name; nil for jobs that the worker skips
	purged []string        // names of jobs that were purged while the worker had them
	lines  lineMaker
	meter  *workerMeter
	tally  tally
	failed chan error // receives why inputs ended; nil if all jobs are done

	mu   sync.Mutex
	held []*heldChunk // in the order in which they were taken
}

// heldChunk is an unfinished chunk of a worker.
type heldChunk struct {
	job    *job
	msg    jetstream.Msg
	chunk  string // name of the chunk
	refs   []batch.Ref
	alone  *soloLog // nil unless the inputs are audited one by one
	result *result
	lease  time.Duration
	done   chan struct{} // closed when the chunk has a result
}

// Work audits chunks of jobs.
func (q *Queue) Work(ctx context.Context, told Worker) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	w := &worker{Worker: told, q: q, meter: newWorkerMeter(), jobs: map[string]*job{}, failed: make(chan error, 1)}
	if w.Say == nil {
		w.Say = func(string, ...any) {}
	}
	if err := showMetrics(ctx, w.Metrics, w.meter.registry, w.Say); err != nil {
		return err
	}
	var background sync.WaitGroup
	background.Go(func() { w.extend(ctx) })
	background.Go(func() { w.signs(ctx) })
	err := w.run(ctx)
	stop()
	w.release()
	background.Wait()
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

// count adds a record to the tally and to the metrics.
func (w *worker) count(rec *report.Record) {
	w.tally.add(rec)
	w.meter.add(rec)
}

// inputs yields the inputs of chunks while the worker takes chunks.
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

// first returns the chunk to which the next record belongs.
func (w *worker) first() *heldChunk {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.held[0]
}

// add adds the lines of a record to the result of a chunk. When the result is full, add publishes it.
func (w *worker) add(ctx context.Context, h *heldChunk, lines []byte) error {
	err := h.result.add(ctx, lines)
	full := h.result.inputs == len(h.refs)
	if err == nil && full {
		err = h.result.commit(ctx)
	}
	if err != nil && !isGone(err) { // results of a removed job do not matter
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
