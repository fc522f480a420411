package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Results returns a job, and yields its records, in the order of inputs. It waits for missing ones, and for the end of
// the submission. The last error says that servers have lost inputs.
func (q *Queue) Results(ctx context.Context, id string) (*Job, iter.Seq2[*report.Record, error], error) {
	j, err := q.job(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	return j, func(yield func(*report.Record, error) bool) {
		r := &reader{Job: j, yield: yield}
		if err := r.read(ctx); err != nil && err != errStopped {
			yield(nil, err)
		}
	}, nil
}

var errStopped = errors.New("the caller of an iterator has stopped")

// reader reads the results of a job.
type reader struct {
	*Job
	yield   func(*report.Record, error) bool
	records int // number of records so far
}

// read yields the records of all chunks.
func (r *reader) read(ctx context.Context) error {
	for n := 1; ; n++ {
		m, p, err := r.chunk(ctx, n)
		switch {
		case err != nil:
			return err
		case m != nil:
			err = r.results(ctx, strconv.Itoa(n), m.Data, m.Sequence)
		case n > p.Chunks && r.records < p.Inputs: // chunks before were lost
			err = fmt.Errorf("the results are not complete: %d of %d inputs have records; run %s", r.records, p.Inputs,
				r.remedy())
		case n > p.Chunks:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// chunk waits for a chunk, or for a plan that is complete.
func (r *reader) chunk(ctx context.Context, n int) (m *jetstream.RawStreamMsg, p plan, err error) {
	err = r.q.wait(ctx, func() (bool, string, error) {
		if p, _, err = r.readPlan(ctx); err == nil {
			m, err = r.get(ctx, r.subject("in.%d", n)) // which precedes the plan
		}
		return m != nil || !p.Open, r.whyOpen(), err
	})
	return m, p, err
}

// results waits for the result of a chunk with a sequence, and yields its records: one for each input. From the first
// that is not that of its input on, they say that the result is damaged.
func (r *reader) results(ctx context.Context, key string, in []byte, sequence uint64) error {
	refs := decodeRefs(in)
	if len(refs) == 0 { // the records of its inputs are missing
		return nil
	}
	out, err := r.out(ctx, r.outSubject(key, in), sequence)
	if err != nil {
		return err
	}
	line, end, _ := bytes.Cut(out, []byte("\n"))
	var head resultHead
	err = json.Unmarshal(line, &head)
	if err == nil && head.Split && len(refs) > 1 {
		return r.split(ctx, key, refs)
	}
	parts := r.parts(ctx, key, head, end)
	defer parts.Close()
	var from *report.Reader
	if err == nil {
		from, err = report.NewReader(parts)
	}
	for _, ref := range refs {
		var rec *report.Record
		if err == nil {
			rec, err = from.Next()
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, ErrGone):
			return err
		case err != nil || rec.Path != string(ref.Name):
			rec, err = &report.Record{Path: string(ref.Name), Err: errDamaged}, errDamaged
		}
		r.records++
		if !r.yield(rec, nil) {
			return errStopped
		}
	}
	return nil
}

// split yields the records of a chunk whose inputs are audited one by one.
func (r *reader) split(ctx context.Context, key string, refs []batch.Ref) error {
	for i := range refs {
		one, sequence := fmt.Sprintf("%s-%d", key, i+1), uint64(0) // if servers have lost it, it counts as acknowledged
		m, err := r.get(ctx, r.subject("in.%s", one))
		if m != nil {
			sequence = m.Sequence
		}
		if err == nil {
			err = r.results(ctx, one, encodeRefs(refs[i:i+1]), sequence)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var errDamaged = errors.New("its result is damaged in the queue")

// out waits for the result of a chunk. It is empty if the chunk was acknowledged, but servers have lost the result.
func (r *reader) out(ctx context.Context, subject string, sequence uint64) (data []byte, err error) {
	err = r.q.wait(ctx, func() (bool, string, error) {
		c, err := r.consumer(ctx)
		if err != nil {
			return false, "", err
		}
		i := c.CachedInfo() // acknowledgments follow results
		m, err := r.get(ctx, subject)
		switch {
		case err != nil:
			return false, "", err
		case m != nil:
			data = m.Data
			return true, "", nil
		case i.AckFloor.Stream >= sequence:
			return true, "", nil
		case i.NumPending > 0 && i.NumAckPending == 0:
			return false, "no worker takes chunks of job " + r.ID, nil
		}
		return false, "", nil
	})
	return data, err
}
