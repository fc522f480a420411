package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Results returns a job, and yields its records, in the order of inputs. It waits for missing ones, and for the end of
// the submission. The last error is ErrIncomplete if records are missing or damaged.
func (q *Queue) Results(ctx context.Context, id string) (Job, iter.Seq2[*report.Record, error], error) {
	j, err := q.job(ctx, id)
	if err != nil {
		return Job{}, nil, err
	}
	return j.Job, func(yield func(*report.Record, error) bool) {
		r := &reader{job: j, yield: yield}
		if err := r.read(ctx); err != nil && err != errStopped {
			yield(nil, err)
		}
	}, nil
}

var errStopped = errors.New("the caller of an iterator has stopped")

// reader reads the results of a job.
type reader struct {
	*job
	yield   func(*report.Record, error) bool
	records int
	damaged int // chunks that are lost or damaged, or have damaged results
}

// read yields the records of all chunks.
func (r *reader) read(ctx context.Context) error {
	for n := 1; ; n++ {
		m, err := r.chunk(ctx, n)
		var refs []batch.Ref
		if m != nil {
			refs, _ = decodeRefs(m.Data)
		}
		switch {
		case err == io.EOF && r.damaged == 0 && r.records == r.plan.Inputs:
			return nil
		case err == io.EOF:
			return fmt.Errorf("%w: %d of %d inputs have records, %d chunks are lost or damaged; run %s",
				ErrIncomplete, r.records, r.plan.Inputs, r.damaged, r.remedy())
		case err != nil:
			return err
		case refs == nil:
			r.damaged++
		default:
			if err := r.results(ctx, strconv.Itoa(n), m.Data, m.Sequence, refs); err != nil {
				return err
			}
		}
	}
}

// chunk waits for a chunk. It returns nil if servers have lost the chunk. The error is io.EOF at the end of the job.
func (r *reader) chunk(ctx context.Context, n int) (m *jetstream.RawStreamMsg, err error) {
	err = r.q.wait(ctx, func() (bool, string, error) {
		p, err := r.readPlan(ctx)
		if err != nil {
			return false, "", err
		}
		m, err = r.get(ctx, r.subject("in.%d", n)) // which precedes the plan
		switch {
		case m != nil || err != nil:
			return true, "", err
		case p.Open:
			return false, r.whyOpen(), nil
		case n > p.Chunks:
			return true, "", io.EOF
		}
		return true, "", nil
	})
	return m, err
}

// results waits for the result of a chunk with a sequence, and yields its records.
func (r *reader) results(ctx context.Context, key string, in []byte, sequence uint64, refs []batch.Ref) error {
	out, err := r.out(ctx, r.outSubject(key, in), sequence)
	if err != nil {
		return err
	}
	line, end, _ := bytes.Cut(out, []byte("\n"))
	var head resultHead
	switch err := json.Unmarshal(line, &head); {
	case err == nil && head.Split && len(refs) > 1:
		return r.split(ctx, key, sequence, refs)
	case err != nil || !isID(head.Token):
		return r.damage(refs)
	}
	parts := &partReader{ctx: ctx, job: r.job, key: key, head: head, end: end}
	from, err := report.NewReader(parts)
	for i, ref := range refs {
		var rec *report.Record
		if err == nil {
			rec, err = from.Next()
		}
		switch {
		case parts.err != nil:
			return parts.err
		case err != nil || rec.Path != ref.Name:
			return r.damage(refs[i:])
		}
		if err := r.add(rec); err != nil {
			return err
		}
	}
	return nil
}

// split yields the records of a chunk whose inputs are audited one by one. If servers have lost one, it gets to workers
// again.
func (r *reader) split(ctx context.Context, key string, sequence uint64, refs []batch.Ref) error {
	for i := range refs {
		one, in := fmt.Sprintf("%s-%d", key, i+1), encodeRefs(refs[i:i+1])
		own, err := r.put(ctx, r.subject("in.%s", one), in)
		switch {
		case err != nil:
		case !own:
			err = r.damage(refs[i : i+1])
		default:
			err = r.results(ctx, one, in, sequence, refs[i:i+1])
		}
		if err != nil {
			return err
		}
	}
	return nil
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

// recordOf returns the record of an input without an audit.
func recordOf(ref batch.Ref, err error) *report.Record {
	rec := &report.Record{Path: ref.Name, Err: err}
	if ref.Archive != ref.Name {
		rec.Archive = ref.Archive
	}
	return rec
}

// out waits for the result of a chunk. If the chunk was acknowledged, but servers have lost the result, out gives the
// chunk to workers again.
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
			r.q.say("job %s: a chunk without result is given to workers again", r.ID)
			return false, "", r.ask(ctx, func() error {
				_, err := r.q.js.ResetConsumerToSequence(ctx, streamPrefix+r.ID, consumerName, sequence)
				return err
			})
		case i.NumPending > 0 && i.NumAckPending == 0:
			return false, "no worker takes chunks of job " + r.ID, nil
		}
		return false, "", nil
	})
	return data, err
}
