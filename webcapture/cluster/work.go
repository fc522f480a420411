package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
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
func (q *Queue) Work(ctx context.Context, w Worker) (err error) {
	k := &worker{Worker: w, q: q, jobs: map[string]*job{}}
	defer q.nc.FlushTimeout(flushed)
	for err == nil {
		err = q.wait(ctx, func() (bool, string, error) { return k.round(ctx) })
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// round audits the next chunk, of the oldest job that has one. The error is io.EOF if the only job is done. If nothing
// was done, why is the reason.
func (w *worker) round(ctx context.Context) (worked bool, why string, err error) {
	jobs, err := w.current(ctx)
	if err != nil {
		return false, "", err
	}
	for _, j := range jobs {
		m, err := j.fetch(ctx)
		if m != nil {
			err = w.take(ctx, j, m)
		}
		if errors.Is(err, ErrGone) && w.Job == "" {
			delete(w.jobs, j.ID)
			w.q.say("%v", err)
			err = nil
		}
		if m != nil || err != nil {
			return true, "", err
		}
	}
	if w.Job == "" {
		return false, "", nil
	}
	s, err := jobs[0].status(ctx)
	switch {
	case err != nil:
		return false, "", err
	case s.State == Open:
		return false, jobs[0].whyOpen(), nil
	case s.State == Done:
		return false, "", io.EOF
	}
	return false, "", nil
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
		j, isKnown := w.jobs[id]
		if !isKnown {
			if j, err = w.q.job(ctx, id); err == nil {
				err = j.compare(w.Head)
			}
			switch {
			case err == nil:
			case w.Job == "" && (errors.Is(err, ErrNoJob) || errors.Is(err, ErrGone)): // not described yet, or removed
				continue
			case w.Job == "" && errors.Is(err, ErrOther):
				w.q.say("%v; this worker skips the job", err)
				j = nil
			default:
				return nil, err
			}
			w.jobs[id] = j
		}
		if j != nil {
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

// turn is the work on a chunk that was fetched.
type turn struct {
	Worker
	*job
	key  string
	out  string // subject of the result
	refs []batch.Ref
}

// take publishes the result of a fetched chunk, and acknowledges the chunk. After an error or interrupt, it returns the
// chunk to the queue.
func (w *worker) take(ctx context.Context, j *job, m jetstream.Msg) (err error) {
	k := &turn{Worker: w.Worker, job: j, key: strings.TrimPrefix(m.Subject(), j.subject("in."))}
	k.out = j.outSubject(k.key, m.Data())
	taken, end := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		for ; taken.Err() == nil; sleep(taken, lease/6) {
			m.InProgress() // extends the lease; if the message is lost, the next one will arrive
		}
	}()
	defer func() {
		if end(); err != nil {
			m.Nak()
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
	case there != nil || err != nil: // a reader reports a chunk that cannot be decoded
		err = nil
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
	r := k.newResult(ctx, k.key)
	if err := r.records.Add(recordOf(k.refs[0], &report.SkippedError{Reason: why})); err != nil {
		return err
	}
	return r.commit(k.out)
}

// audit audits the inputs of the chunk, and publishes their records. An interrupt returns a chunk of several inputs to
// the queue. A single input is audited to its end, because other workers would take an interrupt for a crash.
func (k *turn) audit(ctx context.Context) error {
	const unlimited = 1000 * time.Hour
	run, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	defer context.AfterFunc(ctx, func() {
		if len(k.refs) == 1 {
			sleep(run, cmp.Or(k.Options.Timeout, unlimited)+lateAfter)
		}
		stop(context.Cause(ctx))
	})()
	r := k.newResult(run, k.key)
	for rec := range batch.Run(run, batch.Resolve(k.job.Head.Directory, k.refs), k.Options) {
		if err := r.records.Add(rec); err != nil {
			return err
		}
	}
	if run.Err() != nil {
		return context.Cause(run)
	}
	return r.commit(k.out)
}
