package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// worker audits one chunk at a time, in its own run, so that a death of the process belongs to one chunk.
type worker struct {
	Worker
	q    *Queue
	jobs map[string]*job // by ID; nil for jobs that the worker cannot do
}

// Work audits chunks of jobs. If ctx is canceled, it returns its chunk to the queue, or ends the audit of a single
// input. The error is ErrOther if the worker cannot do the job in w.
func (q *Queue) Work(ctx context.Context, w Worker) error {
	k := &worker{Worker: w, q: q, jobs: map[string]*job{}}
	defer q.nc.FlushTimeout(flushed)
	return poll(ctx, func() (over bool, err error) {
		for worked := true; worked && !over && err == nil; {
			worked, over, err = k.round(ctx)
		}
		return over, err
	})
}

// round audits the next chunk, of the oldest job that has one.
func (w *worker) round(ctx context.Context) (worked, over bool, err error) {
	jobs, err := w.current(ctx)
	if err != nil {
		return false, false, err
	}
	for _, j := range jobs {
		m, err := j.fetch(ctx)
		switch {
		case err != nil:
		case m != nil:
			err = w.take(ctx, j, m)
			j.since = time.Now()
		case w.Job != "":
			over, err = j.isOver(ctx)
		}
		if errors.Is(err, ErrGone) && w.Job == "" {
			delete(w.jobs, j.ID)
			w.q.say("%v", err)
			err = nil
		}
		if m != nil || over || err != nil {
			return true, over, err
		}
	}
	return false, false, nil
}

// current returns the jobs that the worker can do, oldest first.
func (w *worker) current(ctx context.Context) (list []*job, err error) {
	ids := []string{w.Job}
	if w.Job == "" {
		if ids, err = w.q.jobIDs(ctx); err != nil {
			return nil, err
		}
	}
	for _, id := range ids {
		if _, known := w.jobs[id]; !known {
			j, err := w.q.job(ctx, id)
			if err == nil {
				err = j.compare(w.Head)
			}
			switch {
			case err == nil:
			case w.Job == "" && (errors.Is(err, ErrNoJob) || errors.Is(err, ErrGone)): // not described yet, or removed
				continue
			case w.Job == "" && (errors.Is(err, ErrOther) || errors.Is(err, errForeign)):
				w.q.say("%v; this worker skips the job", err)
				j = nil
			default:
				return nil, err
			}
			w.jobs[id] = j
		}
		if j := w.jobs[id]; j != nil {
			list = append(list, j)
		}
	}
	slices.SortFunc(list, func(a, b *job) int { return a.Begun.Compare(b.Begun) })
	return list, nil
}

// fetch returns the next chunk, or nil if there is none now.
func (j *job) fetch(ctx context.Context) (got jetstream.Msg, err error) {
	c, err := j.consumer(ctx)
	if err != nil {
		return nil, err
	}
	err = j.ask(ctx, func() error {
		list, err := c.FetchNoWait(1)
		if err != nil {
			return err
		}
		for m := range list.Messages() {
			got = m
		}
		return nil // the next call returns the error of the fetch
	})
	return got, err
}

// isOver reports whether no chunk of a job needs work.
func (j *job) isOver(ctx context.Context) (bool, error) {
	p, err := j.readPlan(ctx)
	if err != nil || p.Open {
		j.sayOpen()
		return false, err
	}
	last, err := j.get(ctx, j.subject("in.%d", p.Chunks))
	if err != nil {
		return false, err
	}
	c, err := j.consumer(ctx)
	if err != nil {
		return false, err
	}
	info := c.CachedInfo()
	// A server that lags behind may not know the last chunks.
	return info.NumPending == 0 && info.NumAckPending == 0 && (last == nil || info.Delivered.Stream >= last.Sequence), nil
}

// turn is the work on a chunk that was fetched.
type turn struct {
	Worker
	*job
	key  string
	out  string // subject of the result
	refs []batch.Ref

	inputs, records atomic.Int64 // that the audits have begun and ended
	step            atomic.Int64 // time of the last of these steps
	publishing      atomic.Bool
}

// take publishes the result of a fetched chunk, and acknowledges the chunk. After an error or interrupt, it returns the
// chunk to the queue.
func (w *worker) take(ctx context.Context, j *job, m jetstream.Msg) (err error) {
	k := &turn{Worker: w.Worker, job: j, key: strings.TrimPrefix(m.Subject(), j.subject("in."))}
	k.out = j.outSubject(k.key, m.Data())
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	taken, end := context.WithCancel(context.WithoutCancel(ctx))
	defer func() {
		if end(); err != nil && !k.isStuck() {
			m.Nak()
		}
	}()
	go func() {
		for ; taken.Err() == nil && !k.isStuck(); sleep(taken, lease/6) {
			m.InProgress() // extends the lease; if the message is lost, the next one will arrive
		}
		if taken.Err() == nil {
			stop(fmt.Errorf("job %s: the audit of %q does not end", k.ID, k.refs[k.records.Load()].Name))
		}
	}()
	meta, err := m.Metadata()
	if err != nil {
		return err
	}
	there, err := j.get(ctx, k.out)
	if err != nil {
		return err
	}
	k.refs, err = decodeRefs(m.Data())
	switch {
	case there != nil:
		err = nil
	case err != nil:
		err = j.putResult(ctx, k.out, resultHead{Bad: true}, nil)
	case meta.NumDelivered <= maxDeaths:
		err = k.audit(ctx)
	case len(k.refs) > 1:
		err = k.split(ctx)
	default:
		err = k.skip(ctx)
	}
	if err != nil {
		return err
	}
	return m.Ack() // if it is lost, the chunk comes back, and has a result
}

// split makes a chunk of each input. If one of the subjects has other data, a reader reports that.
func (k *turn) split(ctx context.Context) error {
	for i := range k.refs {
		if _, err := k.put(ctx, k.subject("in.%s-%d", k.key, i+1), encodeRefs(k.refs[i:i+1])); err != nil {
			return err
		}
	}
	return k.putResult(ctx, k.out, resultHead{Split: true}, nil)
}

// skip records that workers died of the only input of the chunk, unless one of them still publishes its result.
func (k *turn) skip(ctx context.Context) error {
	for begun := time.Now(); time.Since(begun) < k.Options.Timeout+lateAfter; {
		if there, err := k.get(ctx, k.out); there != nil || err != nil {
			return err
		}
		if sleep(ctx, mostPause); ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	why := fmt.Sprintf("skipped after %d worker crashes", maxDeaths)
	k.q.say("job %s: %q is %s", k.ID, k.refs[0].Name, why)
	r := k.newResult(k.key)
	if err := r.add(ctx, recordOf(k.refs[0], &report.SkippedError{Reason: why})); err != nil {
		return err
	}
	return r.commit(ctx, k.out)
}

// limit returns the time limit of an input.
func (k *turn) limit() time.Duration {
	const none = 1000 * time.Hour
	return cmp.Or(k.Options.Timeout, none)
}

// isStuck reports whether the audits have inputs but make no record long after the time limit. Audits without inputs
// read an archive.
func (k *turn) isStuck() bool {
	return k.inputs.Load() > k.records.Load() && !k.publishing.Load() &&
		time.Since(time.Unix(0, k.step.Load())) > k.limit()+stuckAfter
}

func (k *turn) count(n *atomic.Int64) {
	k.step.Store(time.Now().UnixNano())
	n.Add(1)
}

// audit audits the inputs of the chunk, and publishes their records. An interrupt returns a chunk of several inputs to
// the queue. A single input is audited to its end, because other workers would take an interrupt for a crash.
func (k *turn) audit(ctx context.Context) error {
	run, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	defer context.AfterFunc(ctx, func() {
		if len(k.refs) == 1 && !k.isStuck() {
			sleep(run, k.limit()+lateAfter)
		}
		stop(context.Cause(ctx))
	})()
	r := k.newResult(k.key)
	var err error
	for rec := range batch.Run(run, k.yield, k.Options) {
		k.publishing.Store(true)
		if err = r.add(run, rec); err != nil {
			break
		}
		k.count(&k.records)
		k.publishing.Store(false)
	}
	switch {
	case run.Err() != nil:
		return context.Cause(run)
	case err != nil:
		return err
	}
	return r.commit(run, k.out)
}

// yield yields the inputs of the chunk.
func (k *turn) yield(yield func(*batch.Input) bool) {
	for in := range batch.Resolve(k.job.Head.Directory, k.refs) {
		if k.count(&k.inputs); !yield(in) {
			return
		}
	}
}
