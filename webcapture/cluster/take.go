package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// take returns the next chunk without a result. It returns nil if there will be none.
func (w *worker) take(ctx context.Context) (*heldChunk, error) {
	for pause := leastPause; ctx.Err() == nil; {
		news := w.q.news.wait()
		jobs, err := w.current(ctx)
		if err != nil {
			return nil, err
		}
		left := len(w.Jobs) == 0
		for _, j := range jobs {
			if time.Now().Before(j.rest) {
				continue
			}
			var h *heldChunk
			over := false
			m, err := w.fetch(ctx, j)
			switch {
			case m != nil:
				pause = leastPause
				h, err = w.hold(ctx, j, m)
			case err == nil:
				over, err = w.isOver(ctx, j)
			}
			if err != nil {
				over, err = w.leave(j, m, err)
			}
			if h != nil || err != nil {
				return h, err
			}
			if over && left {
				j.rest = time.Now().Add(overPause)
			}
			left = left || !over
		}
		if !left {
			return nil, nil
		}
		sleepUntil(ctx, news, pause)
		pause = min(2*pause, mostPause)
	}
	return nil, ctx.Err()
}

// leave handles an error about a job, after which the worker does not hold the chunk m; m may be nil. It returns an
// error if the worker must end. Otherwise, the worker goes on with other jobs; over reports whether this one needs no
// more work.
func (w *worker) leave(j *job, m jetstream.Msg, err error) (over bool, _ error) {
	if m != nil {
		m.Nak() // so that others can take it immediately
		w.q.nc.FlushTimeout(flushed)
	}
	switch {
	case isGone(err):
		delete(w.jobs, j.Name) // another job may get this name
		w.purged = append(w.purged, j.Name)
		w.Say("%v", purgedError(err, j.Name))
		return true, nil
	case hasNoConsumer(err) && len(w.Jobs) == 0:
		if !j.told {
			j.told = true
			w.Say("%v", purgedError(err, j.Name))
		}
		return true, nil
	}
	return false, purgedError(err, j.Name)
}

// fetch returns the next chunk, or nil if there is none now. If a job was purged and submitted again with the same
// name, the worker checks again whether it can do the job.
func (w *worker) fetch(ctx context.Context, j *job) (got jetstream.Msg, err error) {
	cancelled, err := j.cancelled(ctx)
	if cancelled || err != nil {
		return nil, err
	}
	err = j.q.askStream(ctx, chunksStream(j.Name), func() error {
		c, err := j.chunks.Consumer(ctx, consumerName)
		if err != nil {
			return err
		}
		info := c.CachedInfo()
		if j.made.IsZero() {
			j.made = info.Created
		}
		if !info.Created.Equal(j.made) {
			delete(w.jobs, j.Name)
			return nil
		}
		j.Lease = info.Config.AckWait
		batch, err := c.FetchNoWait(1)
		if err != nil {
			return err
		}
		for m := range batch.Messages() {
			got = m
		}
		return nil // the next call returns the error of the fetch
	})
	return got, err
}

// isOver reports whether a job needs no more work: all its chunks have results, or it was canceled. It also assigns
// chunks again that would never get a result.
func (w *worker) isOver(ctx context.Context, j *job) (bool, error) {
	s, err := j.status(ctx)
	switch {
	case err != nil || s.Cancelled:
		return err == nil, err
	case s.Done < s.Chunks:
		return false, w.watch(ctx, j, s)
	case !s.Submitted:
		return false, nil
	case j.kept == j.whole && j.kept[1] > 0: // without any result, all of them may be lost
		return true, nil
	}
	lost, err := j.firstLost(ctx)
	switch {
	case lost > 0:
		return false, j.requeue(ctx, lost)
	case err == nil:
		j.whole = j.kept
	}
	return err == nil, err
}

// hold takes over a fetched chunk. It returns nil if the chunk has a result.
func (w *worker) hold(ctx context.Context, j *job, m jetstream.Msg) (*heldChunk, error) {
	meta, err := m.Metadata()
	if err != nil {
		return nil, err
	}
	h := &heldChunk{job: j, msg: m, chunk: chunkName(meta.Sequence.Stream, m.Data()), lease: j.Lease,
		done: make(chan struct{})}
	there, err := w.q.last(ctx, j.results, resultSubject(j.Name, h.chunk))
	if err != nil {
		return nil, err
	}
	if there != nil {
		w.acknowledge(ctx, m)
		return nil, nil
	}
	c, err := decodeChunk(m.Data())
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
	defer w.mu.Unlock()
	if ctx.Err() != nil { // release may have been called already
		return nil, ctx.Err()
	}
	w.held = append(w.held, h)
	return h, nil
}

// current returns the jobs on which the worker can work now.
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
				if errors.Is(err, ErrNoJob) && (len(w.Jobs) == 0 || slices.Contains(w.purged, name)) {
					continue // the job is being created or removed, or was removed
				}
				return nil, err
			}
			if why := report.Difference(j.Head, w.Head); why != "" {
				err := fmt.Errorf("job %s is not for this worker: it has %s", name, why)
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
