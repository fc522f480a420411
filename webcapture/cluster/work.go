package cluster

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Work audits chunks of a job until the job is done. The head is that of the audits that the worker can do: the error
// is ErrOther if the job has another one. If ctx is canceled, Work ends the audit of a single input before it returns.
//
// Work audits one chunk at a time, in its own run, so that a death of the process belongs to one chunk.
func (q *Queue) Work(ctx context.Context, id string, head report.Head, opt batch.Options) error {
	j, err := q.job(ctx, id)
	if err == nil {
		err = j.compare(head)
	}
	for err == nil {
		err = q.wait(ctx, func() (bool, string, error) { return j.round(ctx, opt) })
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// round audits the next chunk. The error is io.EOF if the job is done. If nothing was done, why is the reason.
func (j *Job) round(ctx context.Context, opt batch.Options) (worked bool, why string, err error) {
	if worked, err = j.take(ctx, opt); worked || err != nil {
		return worked, "", err
	}
	s, err := j.status(ctx)
	switch {
	case err == nil && s.State == Open:
		why = j.whyOpen()
	case err == nil && s.State == Done:
		err = io.EOF
	}
	return false, why, err
}

// fetch returns the next chunk, or nil if there is none now.
func (j *Job) fetch(ctx context.Context) (got jetstream.Msg, err error) {
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
	*Job
	opt  batch.Options
	key  string
	out  string // subject of the result
	refs []batch.Ref
}

// take fetches a chunk, publishes its result, and acknowledges it. Without acknowledgment, the chunk comes back.
func (j *Job) take(ctx context.Context, opt batch.Options) (taken bool, err error) {
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
	k := &turn{Job: j, opt: opt, key: strings.TrimPrefix(m.Subject(), j.subject("in."))}
	k.out = j.outSubject(k.key, m.Data())
	meta, err := m.Metadata()
	if err != nil {
		return true, err
	}
	there, err := j.get(ctx, k.out)
	if err != nil {
		return true, err
	}
	k.refs = decodeRefs(m.Data())
	switch {
	case there != nil || len(k.refs) == 0: // a reader reports that data are not a chunk
	case meta.NumDelivered <= maxDeaths:
		err = k.audit(ctx)
	case len(k.refs) > 1:
		err = k.split(ctx)
	default:
		err = k.skip(ctx)
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

// skip publishes that workers died of the only input of the chunk. They may only have lost their connections, so they
// first get the time to publish its result.
func (k *turn) skip(ctx context.Context) (err error) {
	var there *jetstream.RawStreamMsg
	only, end := &k.refs[0], time.Now().Add(cmp.Or(k.opt.Timeout, time.Hour)+lease)
	err = k.q.wait(ctx, func() (bool, string, error) {
		there, err = k.get(ctx, k.out)
		return there != nil || time.Now().After(end), fmt.Sprintf("other workers may still audit %q", only.Name), err
	})
	if err != nil || there != nil {
		return err
	}
	only.Outcome, only.Reason = report.Skipped.String(), fmt.Sprintf("skipped after %d worker crashes", maxDeaths)
	k.q.say("job %s: %q is %s", k.ID, only.Name, only.Reason)
	return k.audit(ctx)
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
	return k.putResult(ctx, k.out, r.head, r.buf.Bytes())
}
