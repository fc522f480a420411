package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

var errDamaged = errors.New("its result is damaged in the queue")

// Results returns a job, and yields its records, in the order of inputs. It waits for missing ones, and for the end of
// the submission. The last error is ErrIncomplete if records are missing or damaged.
func (q *Queue) Results(ctx context.Context, id string) (Job, iter.Seq2[*report.Record, error], error) {
	j, err := q.job(ctx, id)
	if err != nil {
		return Job{}, nil, err
	}
	head, err := encodeHead(j.Head)
	if err != nil {
		return Job{}, nil, err
	}
	return j.Job, func(yield func(*report.Record, error) bool) {
		r := &reader{job: j, head: append(head, '\n'), yield: yield}
		if err := r.read(ctx); err != nil && err != errStopped {
			yield(nil, err)
		}
	}, nil
}

var errStopped = errors.New("the caller of an iterator has stopped")

// reader reads the results of a job.
type reader struct {
	*job
	head    []byte // line of NDJSON
	yield   func(*report.Record, error) bool
	records int
	damaged int // number of chunks that are lost or damaged, or have damaged results
	state   consumerState
}

// read yields the records of all chunks.
func (r *reader) read(ctx context.Context) error {
	for n := 1; ; n++ {
		m, end, err := r.chunk(ctx, n)
		if err != nil {
			return err
		}
		if end {
			break
		}
		var refs []batch.Ref
		if m != nil {
			refs, err = decodeRefs(m.Data)
		}
		if m == nil || err != nil {
			r.damaged++
			continue
		}
		if err := r.results(ctx, strconv.Itoa(n), m.Data, m.Sequence, refs); err != nil {
			return err
		}
	}
	if r.damaged > 0 || r.records != r.plan.Inputs {
		return fmt.Errorf("%w: %d of %d inputs have records, %d chunks are lost or damaged; "+
			"submit the job again with --job %s, or as a new one", ErrIncomplete, r.records, r.plan.Inputs, r.damaged, r.ID)
	}
	return nil
}

// chunk waits for a chunk. m is nil if the servers have lost the chunk, and at the end of the job.
func (r *reader) chunk(ctx context.Context, n int) (m *jetstream.RawStreamMsg, end bool, err error) {
	for pause := leastPause; ctx.Err() == nil; pause = min(2*pause, mostPause) {
		if m, err = r.get(ctx, r.subject("in.%d", n)); m != nil || err != nil {
			return m, false, err
		}
		p, err := r.readPlan(ctx)
		switch {
		case err != nil:
			return nil, false, err
		case !p.Open && n > p.Chunks:
			return nil, true, nil
		case !p.Open:
			m, err = r.get(ctx, r.subject("in.%d", n)) // it may have arrived before the plan
			return m, false, err
		}
		sleep(ctx, pause)
	}
	return nil, false, context.Cause(ctx)
}

// results waits for the result of a chunk, and yields its records.
func (r *reader) results(ctx context.Context, key string, in []byte, sequence uint64, refs []batch.Ref) error {
	out, err := r.out(ctx, key, in, sequence)
	if err != nil {
		return err
	}
	head, end, ok := decodeResult(out)
	if ok && head.Split && len(refs) > 1 {
		for i := range refs {
			if err := r.child(ctx, key+"-"+strconv.Itoa(i+1), refs[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	}
	records := partReader{ctx: ctx, job: r.job, key: key, head: head, end: end}
	if ok = ok && head.Count == len(refs); ok {
		if ok, err = records.isWhole(); err != nil {
			return err
		}
	}
	if !ok {
		return r.damage(refs)
	}
	from, err := report.NewReader(io.MultiReader(bytes.NewReader(r.head), &records))
	for i, ref := range refs {
		var rec *report.Record
		if err == nil {
			rec, err = from.Next()
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil || rec.Path != ref.Name {
			return r.damage(refs[i:])
		}
		if err := r.add(rec); err != nil {
			return err
		}
	}
	return nil
}

// child yields the record of one input of a chunk whose inputs are audited one by one.
func (r *reader) child(ctx context.Context, key string, refs []batch.Ref) error {
	data, err := encodeRefs(refs)
	if err != nil {
		return err
	}
	subject := r.subject("in.%s", key)
	m, err := r.get(ctx, subject)
	if m == nil && err == nil { // servers have lost it
		if _, err = r.put(ctx, subject, data); err == nil {
			m, err = r.get(ctx, subject)
		}
	}
	switch {
	case err != nil:
		return err
	case m == nil || !bytes.Equal(m.Data, data):
		return r.damage(refs)
	}
	return r.results(ctx, key, data, m.Sequence, refs)
}

func (r *reader) add(rec *report.Record) error {
	r.records++
	if !r.yield(rec, nil) {
		return errStopped
	}
	return nil
}

// damage yields records of inputs whose result is damaged.
func (r *reader) damage(refs []batch.Ref) error {
	r.damaged++
	for _, ref := range refs {
		if err := r.add(recordOf(ref, errDamaged)); err != nil {
			return err
		}
	}
	return nil
}

// out waits for the result of a chunk.
func (r *reader) out(ctx context.Context, key string, in []byte, sequence uint64) ([]byte, error) {
	subject := r.outSubject(key, in)
	for pause := leastPause; ctx.Err() == nil; pause = min(2*pause, mostPause) {
		m, err := r.get(ctx, subject)
		if err != nil {
			return nil, err
		}
		if m != nil {
			return m.Data, nil
		}
		if pause == mostPause {
			if err := r.awaken(ctx, subject, sequence); err != nil {
				return nil, err
			}
		}
		sleep(ctx, pause)
	}
	return nil, context.Cause(ctx)
}

// consumerState is the state of a consumer when it last changed.
type consumerState struct {
	delivered, floor uint64
	pending          uint64
	held             int
	since            time.Time
}

// awaken gives a chunk without result to the workers again, if the consumer does not do that: the chunk was
// acknowledged, but servers have lost the result, or nothing happens although leases have ended.
func (r *reader) awaken(ctx context.Context, subject string, sequence uint64) error {
	c, err := r.consumer(ctx)
	if err != nil {
		return err
	}
	info := c.CachedInfo()
	now := consumerState{info.Delivered.Consumer, info.AckFloor.Stream, info.NumPending, info.NumAckPending, r.state.since}
	if now != r.state || now.since.IsZero() {
		now.since = time.Now()
		r.state = now
	}
	hasWorkers := info.NumAckPending > 0 || info.NumPending == 0 // otherwise, all chunks wait for the first worker
	isStill := hasWorkers && time.Since(r.state.since) > stillLeases*lease
	if info.AckFloor.Stream < sequence && !isStill {
		return nil
	}
	if m, err := r.get(ctx, subject); m != nil || err != nil { // it may have arrived before the acknowledgment
		return err
	}
	r.state = consumerState{}
	r.q.say("job %s: a chunk without result is given to workers again", r.ID)
	return r.reset(ctx, sequence)
}
