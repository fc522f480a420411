package cluster

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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

// Results returns a job, and yields its records, in the order of inputs. It waits for missing ones, and for the end of
// the submission. The last error is ErrIncomplete if records are missing or damaged.
func (q *Queue) Results(ctx context.Context, id string) (Job, iter.Seq2[*report.Record, error], error) {
	j, err := q.job(ctx, id)
	if err != nil {
		return Job{}, nil, err
	}
	return j.Job, func(yield func(*report.Record, error) bool) {
		r := &reader{job: j, head: headLine(j.Head), yield: yield}
		if err := r.read(ctx); err != nil && err != errStopped {
			yield(nil, err)
		}
	}, nil
}

var errStopped = errors.New("the caller of an iterator has stopped")

// reader reads the results of a job.
type reader struct {
	*job
	head    []byte
	yield   func(*report.Record, error) bool
	records int
	damaged int // chunks that are lost or damaged, or have damaged results

	state string // of the consumer, at the last progress
}

// read yields the records of all chunks.
func (r *reader) read(ctx context.Context) error {
	for n := 1; ; n++ {
		m, err := r.chunk(ctx, n)
		switch {
		case err == io.EOF:
			if r.damaged > 0 || r.records != r.plan.Inputs {
				return fmt.Errorf("%w: %d of %d inputs have records, %d chunks are lost or damaged; run %s",
					ErrIncomplete, r.records, r.plan.Inputs, r.damaged, r.remedy())
			}
			return nil
		case err != nil:
			return err
		case m == nil:
			r.damaged++
			continue
		}
		refs, err := decodeRefs(m.Data)
		if err != nil {
			r.damaged++
		} else if err := r.results(ctx, strconv.Itoa(n), m.Data, m.Sequence, refs); err != nil {
			return err
		}
	}
}

// chunk waits for a chunk. It returns nil if servers have lost the chunk. The error is io.EOF at the end of the job.
func (r *reader) chunk(ctx context.Context, n int) (m *jetstream.RawStreamMsg, err error) {
	r.since = time.Now()
	err = poll(ctx, func() (bool, error) {
		if m, err = r.get(ctx, r.subject("in.%d", n)); m != nil || err != nil {
			return true, err
		}
		p, err := r.readPlan(ctx)
		if err != nil || p.Open {
			r.sayOpen()
			return false, err
		}
		if n > p.Chunks {
			return true, io.EOF
		}
		m, err = r.get(ctx, r.subject("in.%d", n)) // it may have arrived before the plan
		return true, err
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
	case err != nil || head.Count != len(refs) || !isID(head.Token):
		return r.damage(refs)
	}
	open := func() io.Reader { return &partReader{ctx: ctx, job: r.job, key: key, head: head, end: end} }
	sum := sha256.New()
	if _, err := io.Copy(sum, open()); err != nil && err != errDamaged {
		return err
	} else if err != nil || hex.EncodeToString(sum.Sum(nil)) != head.SHA256 {
		return r.damage(refs)
	}
	from, err := report.NewReader(io.MultiReader(bytes.NewReader(r.head), open()))
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

// out waits for the result of a chunk. If the consumer has forgotten the chunk, out gives it to workers again: the
// chunk was acknowledged, but servers have lost the result, or nothing changes although leases have ended.
func (r *reader) out(ctx context.Context, subject string, sequence uint64) (data []byte, err error) {
	const looks = 8 // before the consumer is asked
	n := 0
	err = poll(ctx, func() (bool, error) {
		forgotten := false
		if n++; n > looks {
			if forgotten, err = r.hasForgotten(ctx, sequence); err != nil {
				return false, err
			}
		}
		m, err := r.get(ctx, subject)
		if err != nil || m != nil {
			if m != nil {
				data = m.Data
			}
			return true, err
		}
		if forgotten {
			r.state = ""
			r.q.say("job %s: a chunk without result is given to workers again", r.ID)
			return false, r.ask(ctx, func() error {
				_, err := r.q.js.ResetConsumerToSequence(ctx, r.name(), consumerName, sequence)
				return err
			})
		}
		return false, nil
	})
	return data, err
}

func (r *reader) hasForgotten(ctx context.Context, sequence uint64) (bool, error) {
	c, err := r.consumer(ctx)
	if err != nil {
		return false, err
	}
	i := c.CachedInfo()
	if state := fmt.Sprint(i.Delivered.Consumer, i.AckFloor.Stream, i.NumPending, i.NumAckPending); state != r.state {
		r.state, r.since = state, time.Now()
	}
	hasWorkers := i.NumAckPending > 0 || i.NumPending == 0 // otherwise, all chunks wait for the first worker
	if !hasWorkers {
		r.sayWaiting("no worker takes chunks of job " + r.ID)
	}
	return i.AckFloor.Stream >= sequence || hasWorkers && time.Since(r.since) > stillLeases*lease, nil
}
