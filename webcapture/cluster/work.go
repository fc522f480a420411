package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// worker audits one chunk at a time, in its own run, so that a death of the process belongs to one chunk.
type worker struct {
	q       *Queue
	head    report.Head
	opt     batch.Options
	only    *job            // nil for all jobs
	skipped map[string]bool // IDs of jobs that the worker cannot do
}

// Work audits chunks of a job until the job is done; if id is "", of all jobs, including later ones. The head is that of
// the audits that the worker can do: the error is ErrOther if the job has another one. If ctx is canceled, Work ends the
// audit of a single input before it returns.
func (q *Queue) Work(ctx context.Context, id string, head report.Head, opt batch.Options) (err error) {
	w := &worker{q: q, head: head, opt: opt, skipped: map[string]bool{}}
	if id != "" {
		if w.only, err = q.job(ctx, id); err == nil {
			err = w.only.compare(head)
		}
	}
	for err == nil {
		err = q.wait(ctx, func() (bool, string, error) { return w.round(ctx) })
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// round audits the next chunk, of the oldest job that has one. The error is io.EOF if the only job is done. If nothing
// was done, why is the reason.
func (w *worker) round(ctx context.Context) (worked bool, why string, err error) {
	if w.only == nil {
		return w.roundOfAll(ctx)
	}
	if worked, err = w.take(ctx, w.only); worked || err != nil {
		return worked, "", err
	}
	s, err := w.only.status(ctx)
	switch {
	case err == nil && s.State == Open:
		why = w.only.whyOpen()
	case err == nil && s.State == Done:
		err = io.EOF
	}
	return false, why, err
}

// roundOfAll is a round of a worker for all jobs.
func (w *worker) roundOfAll(ctx context.Context) (worked bool, why string, err error) {
	jobs, err := w.q.jobs(ctx)
	for _, j := range jobs {
		if err := j.compare(w.head); err != nil {
			if !w.skipped[j.ID] {
				w.skipped[j.ID] = true
				w.q.say("%v; this worker skips the job", err)
			}
			continue
		}
		worked, err := w.take(ctx, j)
		if errors.Is(err, ErrGone) {
			w.q.say("%v", err)
			err = nil
		}
		if worked || err != nil {
			return worked, "", err
		}
	}
	return false, "", err
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
	*job
	opt  batch.Options
	key  string
	out  string // subject of the result
	refs []batch.Ref
}

// take fetches a chunk, publishes its result, and acknowledges it. Without acknowledgment, the chunk comes back.
func (w *worker) take(ctx context.Context, j *job) (taken bool, err error) {
	m, err := j.fetch(ctx)
	if m == nil || err != nil {
		return false, err
	}
	leased, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	go func() {
		for ; leased.Err() == nil; sleep(leased, lease/6) {
			m.InProgress() // extends the lease; if the message is lost, the next one will arrive
		}
	}()
	k := &turn{job: j, opt: w.opt, key: strings.TrimPrefix(m.Subject(), j.subject("in."))}
	k.out = j.outSubject(k.key, m.Data())
	meta, err := m.Metadata()
	if err != nil {
		return true, err
	}
	there, err := j.get(ctx, k.out)
	if err != nil {
		return true, err
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
		only := &k.refs[0]
		only.Outcome, only.Reason = report.Skipped.String(), fmt.Sprintf("skipped after %d worker crashes", maxDeaths)
		j.q.say("job %s: %q is %s", j.ID, only.Name, only.Reason)
		err = k.audit(ctx)
	}
	if err != nil {
		return true, err
	}
	return true, m.Ack() // if it is lost, the chunk comes back, and has a result
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

// audit audits the inputs of the chunk, and publishes their records. An interrupt does not end the audit of a single
// input, because other workers would take the interrupt for a crash.
func (k *turn) audit(ctx context.Context) error {
	if len(k.refs) == 1 {
		ctx = context.WithoutCancel(ctx)
	}
	r := k.newResult(ctx, k.key)
	for rec := range batch.Run(ctx, batch.Resolve(k.Head.Directory, k.refs), k.opt) {
		if err := r.records.Add(rec); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return r.commit(k.out)
}
