package cluster

import (
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

// Work audits chunks of jobs. If ctx is canceled, it returns its chunk to the queue, or ends the audit of a single input.
// The error is ErrOther if the worker cannot do the job in w.
func (q *Queue) Work(ctx context.Context, w Worker) error {
	k := &worker{Worker: w, q: q, jobs: map[string]*job{}}
	defer q.nc.FlushTimeout(flushed)
	for over := false; !over; {
		err := poll(ctx, func() (worked bool, err error) {
			worked, over, err = k.round(ctx)
			return worked || over, err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// round audits the next chunk, of the oldest job that has one.
func (w *worker) round(ctx context.Context) (worked, over bool, err error) {
	jobs, err := w.current(ctx)
	for i := 0; i < len(jobs) && err == nil && !worked; i++ {
		m, e := jobs[i].fetch(ctx)
		worked = m != nil
		switch err = e; {
		case worked:
			err = w.take(ctx, jobs[i], m)
		case err == nil && w.Job != "":
			over, err = jobs[i].isOver(ctx)
		}
		if errors.Is(err, ErrGone) && w.Job == "" {
			delete(w.jobs, jobs[i].ID)
			w.q.say("%v", err)
			err = nil
		}
	}
	return worked, over, err
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
				if why := report.Difference(j.Head, w.Head); why != "" {
					err = fmt.Errorf("job %s %w: it has %s", id, ErrOther, why)
				}
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
	return got, j.ask(ctx, func() error {
		list, err := c.FetchNoWait(1)
		if err != nil {
			return err
		}
		for m := range list.Messages() {
			got = m
		}
		return nil // the next call returns the error of the fetch
	})
}

// isOver reports whether no chunk of a job needs work.
func (j *job) isOver(ctx context.Context) (bool, error) {
	p, err := j.readPlan(ctx)
	if err != nil || p.Open {
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
	msg  jetstream.Msg
	refs []batch.Ref
}

// take publishes the result of a fetched chunk, and acknowledges the chunk.
func (w *worker) take(ctx context.Context, j *job, m jetstream.Msg) error {
	k := &turn{Worker: w.Worker, job: j, key: strings.TrimPrefix(m.Subject(), j.subject("in.")), msg: m}
	k.out = j.outSubject(k.key, m.Data())
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			m.InProgress() // extends the lease; if the message is lost, the next one will arrive
			select {
			case <-time.After(lease / 6):
			case <-ended:
				return
			}
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

// audit audits the inputs of the chunk. An interrupt returns a chunk of several inputs to the queue. A single input is
// audited to its end, because other workers would take an interrupt for a crash.
func (k *turn) audit(ctx context.Context) error {
	limit := k.Options.Timeout
	if limit == 0 {
		limit = 1000 * time.Hour
	}
	run, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	defer context.AfterFunc(ctx, func() {
		if len(k.refs) == 1 {
			sleep(run, limit+lateAfter)
		}
		stop(context.Cause(ctx))
	})()
	err := k.records(run, stop, limit+stuckAfter)
	if ctx.Err() != nil && len(k.refs) > 1 {
		k.msg.Nak()
	}
	return err
}

// records audits the inputs, and publishes their records. If the run has inputs but makes no record for the time limit,
// records calls stop, and fails. A run without inputs reads an archive.
func (k *turn) records(ctx context.Context, stop context.CancelCauseFunc, limit time.Duration) error {
	r := k.newResult(k.key)
	var begun, ended, last atomic.Int64 // inputs, records, and the time of the last step
	var publishing atomic.Bool
	step := func(count *atomic.Int64) {
		last.Store(time.Now().UnixNano())
		count.Add(1)
	}
	inputs := func(yield func(*batch.Input) bool) {
		for in := range batch.Resolve(k.Directory, k.refs) {
			if step(&begun); !yield(in) {
				return
			}
		}
	}
	go func() {
		for ; ctx.Err() == nil; sleep(ctx, mostPause) {
			n := ended.Load()
			if begun.Load() > n && !publishing.Load() && time.Since(time.Unix(0, last.Load())) > limit {
				stop(fmt.Errorf("job %s: the audit of %q does not end", k.ID, k.refs[n].Name))
			}
		}
	}()
	for rec := range batch.Run(ctx, inputs, k.Options) {
		publishing.Store(true)
		if err := r.add(ctx, rec); err != nil {
			return err
		}
		step(&ended)
		publishing.Store(false)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return r.commit(ctx, k.out)
}
