package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// worker audits one chunk at a time, in its own run, so that a death of the process belongs to one chunk.
type worker struct {
	Worker
	q    *Queue
	jobs map[string]*workJob // by ID
}

// workJob is a job of a worker.
type workJob struct {
	*job
	chunks  jetstream.Consumer
	skipped bool // the worker cannot do the job
	over    bool // at the last look, the job was done
}

// Work audits chunks of jobs. If ctx is canceled, it returns its chunk to the queue, or ends the audit of a single input.
// The error is ErrOther if the worker cannot do the job in w.
func (q *Queue) Work(ctx context.Context, w Worker) error {
	k := &worker{Worker: w, q: q, jobs: map[string]*workJob{}}
	defer q.nc.FlushTimeout(flushed)
	for pause := leastPause; ctx.Err() == nil; {
		worked, over, err := k.round(ctx)
		switch {
		case err != nil:
			return err
		case over:
			return nil
		case worked:
			pause = leastPause
			continue
		}
		sleep(ctx, pause)
		pause = min(2*pause, mostPause)
	}
	return context.Cause(ctx)
}

// round audits the next chunk, of the oldest job that has one.
func (w *worker) round(ctx context.Context) (worked, over bool, err error) {
	jobs, err := w.current(ctx)
	if err != nil {
		return false, false, err
	}
	for _, j := range jobs {
		m, err := j.fetch(ctx)
		if m != nil {
			err = w.chunk(ctx, j, m)
		} else if err == nil && w.Job != "" {
			over, err = j.isOver(ctx)
		}
		if errors.Is(err, ErrGone) && w.Job == "" {
			delete(w.jobs, j.ID)
			w.q.say("%v", err)
			err = nil
		}
		if m != nil || err != nil || over {
			return true, over, err
		}
	}
	return false, false, nil
}

// current returns the jobs that the worker can do, oldest first.
func (w *worker) current(ctx context.Context) (list []*workJob, err error) {
	ids := []string{w.Job}
	if w.Job == "" {
		if ids, err = w.q.jobIDs(ctx); err != nil {
			return nil, err
		}
	}
	for _, id := range ids {
		j, err := w.find(ctx, id)
		if err != nil {
			return nil, err
		}
		if j != nil && !j.skipped {
			list = append(list, j)
		}
	}
	slices.SortFunc(list, func(a, b *workJob) int { return a.Begun.Compare(b.Begun) })
	return list, nil
}

// find returns a job, or nil if the worker ignores it for now.
func (w *worker) find(ctx context.Context, id string) (*workJob, error) {
	if j, ok := w.jobs[id]; ok {
		return j, nil
	}
	found, err := w.q.job(ctx, id)
	if w.Job == "" && (errors.Is(err, errUndescribed) || errors.Is(err, ErrNoJob) || errors.Is(err, ErrGone)) {
		return nil, nil
	}
	j := &workJob{job: found}
	if err == nil {
		if why := report.Difference(found.Head, w.Head); why != "" {
			err = fmt.Errorf("job %s was %w: it has %s", id, ErrOther, why)
		}
	}
	if err != nil && w.Job == "" && (errors.Is(err, ErrOther) || errors.Is(err, errForeign)) {
		w.q.say("%v; this worker skips the job", err)
		j.skipped = true
	} else if err != nil {
		return nil, err
	}
	w.jobs[id] = j
	return j, nil
}

// fetch returns the next chunk, or nil if there is none now.
func (j *workJob) fetch(ctx context.Context) (got jetstream.Msg, err error) {
	if j.chunks == nil {
		if j.chunks, err = j.consumer(ctx); err != nil {
			return nil, err
		}
	}
	err = j.ask(ctx, func() error {
		list, err := j.chunks.FetchNoWait(1)
		if err != nil {
			return err
		}
		for m := range list.Messages() {
			got = m
		}
		if err := list.Error(); got == nil && errors.Is(err, nats.ErrNoResponders) {
			_, err := j.consumer(ctx) // servers may have lost it
			return err
		}
		return nil // the next call returns any other error
	})
	return got, err
}

// isOver reports whether no chunk of a job needs work, at this look and at the last one: a server that lags behind may
// not know the last chunks.
func (j *workJob) isOver(ctx context.Context) (bool, error) {
	before := j.over
	j.over = false
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
	j.over = info.NumPending == 0 && info.NumAckPending == 0 && (last == nil || info.Delivered.Stream >= last.Sequence)
	return before && j.over, nil
}

// chunk does what a fetched chunk needs, and acknowledges it.
func (w *worker) chunk(ctx context.Context, j *workJob, m jetstream.Msg) error {
	k := &turn{Worker: w.Worker, workJob: j, key: strings.TrimPrefix(m.Subject(), j.subject("in.")), msg: m}
	k.out = j.outSubject(k.key, m.Data())
	taken, release := context.WithCancel(context.WithoutCancel(ctx))
	defer release()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	go k.keep(taken, fail)
	if there, err := j.get(ctx, k.out); err != nil {
		return err
	} else if there == nil {
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		if err := k.do(ctx, meta.NumDelivered); err != nil {
			return err
		}
	}
	return m.Ack() // if it is lost, the chunk comes back, and has a result
}

// turn is the work on a chunk that was fetched once.
type turn struct {
	Worker
	*workJob
	key   string
	out   string // subject of the result
	msg   jetstream.Msg
	refs  []batch.Ref
	watch auditWatch
}

// do publishes the result of a chunk.
func (k *turn) do(ctx context.Context, deliveries uint64) (err error) {
	k.refs, err = decodeRefs(k.msg.Data())
	switch {
	case err != nil:
		return k.putResult(ctx, k.out, resultHead{Bad: true}, nil)
	case deliveries <= maxDeaths:
		return k.audit(ctx)
	case len(k.refs) > 1:
		return k.split(ctx)
	}
	return k.skip(ctx)
}

// split makes a chunk of each input.
func (k *turn) split(ctx context.Context) error {
	for i := range k.refs {
		data, err := encodeRefs(k.refs[i : i+1])
		if err != nil {
			return err
		}
		// If the subject has other data, a reader reports that.
		if _, err := k.put(ctx, k.subject("in.%s", k.key+"-"+strconv.Itoa(i+1)), data); err != nil {
			return err
		}
	}
	return k.putResult(ctx, k.out, resultHead{Split: true}, nil)
}

// skip records that workers died of the only input of the chunk, unless one of them still publishes its result.
func (k *turn) skip(ctx context.Context) error {
	for begun := time.Now(); time.Since(begun) < k.Options.Timeout+lateAfter; { // without a limit, others extend the lease
		there, err := k.get(ctx, k.out)
		if there != nil || err != nil {
			return err
		}
		if sleep(ctx, mostPause); ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	k.q.say("job %s: %q is skipped after %d worker crashes", k.ID, k.refs[0].Name, maxDeaths)
	r := k.newResult(k.key)
	rec := recordOf(k.refs[0], &report.SkippedError{Reason: fmt.Sprintf("skipped after %d worker crashes", maxDeaths)})
	if err := r.add(ctx, rec); err != nil {
		return err
	}
	return r.commit(ctx, k.out)
}

// recordOf returns the record of an input without an audit.
func recordOf(ref batch.Ref, err error) *report.Record {
	rec := &report.Record{Path: ref.Name, Err: err}
	if ref.Archive != ref.Name {
		rec.Archive = ref.Archive
	}
	return rec
}

// audit audits the inputs of the chunk. An interrupt returns a chunk of several inputs to the queue. A single input is
// audited to its end, because other workers would take an interrupt for a crash.
func (k *turn) audit(ctx context.Context) error {
	isSingle := len(k.refs) == 1
	run, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	end := func() {
		if isSingle && !errors.Is(context.Cause(ctx), errStuck) {
			sleep(run, k.limit()+lateAfter)
		}
		stop(context.Cause(ctx))
	}
	defer context.AfterFunc(ctx, end)()
	err := k.records(run)
	if !isSingle && ctx.Err() != nil && !errors.Is(err, errStuck) {
		k.msg.Nak()
	}
	return err
}

// limit returns the time limit of an input.
func (k *turn) limit() time.Duration {
	if k.Options.Timeout == 0 {
		const none = 24 * time.Hour
		return none
	}
	return k.Options.Timeout
}

// records audits the inputs, and publishes their records.
func (k *turn) records(ctx context.Context) error {
	r := k.newResult(k.key)
	defer k.watch.pause()
	k.watch.resume()
	for rec := range batch.Run(ctx, k.watch.inputs(batch.Resolve(k.Directory, k.refs)), k.Options) {
		k.watch.pause()
		if err := r.add(ctx, rec); err != nil {
			return err
		}
		k.watch.add(0, 1)
		k.watch.resume()
	}
	k.watch.pause()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return r.commit(ctx, k.out)
}
