package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"iter"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// submitter adds the inputs to a job that the job does not have. So resuming an interrupted submission and adding to a
// complete job are the same.
type submitter struct {
	*Job
	plan   uint64         // sequence of the last plan
	known  map[uint64]int // number of inputs of the job that were not yielded yet, by hash of the name
	chunks int            // number of the last chunk
	inputs int            // number of inputs of the chunks

	// The pending chunk.
	refs  []batch.Ref
	size  int   // encoded size
	bytes int64 // size of the files, as far as it is known
}

var nameSeed = maphash.MakeSeed()

// Submit adds inputs to a job of Create, except those that it has. The error is ErrOther if the job was created with
// another head, ErrBusy if another submitter was faster, and that of inputs if they end with one; the job then stays
// open.
func (q *Queue) Submit(ctx context.Context, id string, head report.Head, inputs iter.Seq2[*batch.Input, error]) error {
	j, err := q.job(ctx, id)
	if err == nil {
		err = j.compare(head)
	}
	if err != nil {
		return err
	}
	last, sequence, err := j.readPlan(ctx)
	if err != nil {
		return err
	}
	s := &submitter{Job: j, plan: sequence, known: map[uint64]int{}}
	if sequence == 0 || !last.Open {
		if err := s.putPlan(ctx, plan{Open: true, Chunks: last.Chunks, Inputs: last.Inputs}); err != nil {
			return err
		}
	}
	if err := s.scan(ctx); err != nil {
		return err
	}
	for in, err := range inputs {
		if err == nil {
			err = s.add(ctx, in)
			in.Close()
		}
		if err != nil {
			return err
		}
	}
	if err := s.flush(ctx); err != nil {
		return err
	}
	return s.putPlan(ctx, plan{Chunks: s.chunks, Inputs: s.inputs})
}

// putNew puts a message that must be new.
func (s *submitter) putNew(ctx context.Context, subject string, data []byte) (sequence uint64, err error) {
	sequence, err = s.put(ctx, subject, data)
	if err == nil && sequence == 0 {
		err = fmt.Errorf("%w %s; when it has ended, run %s", ErrBusy, s.ID, s.remedy())
	}
	return sequence, err
}

// putPlan adds a plan after the last one. Of two submitters who have read the same last plan, one gets ErrBusy.
func (s *submitter) putPlan(ctx context.Context, p plan) (err error) {
	data, _ := json.Marshal(p) // such a plan has no error
	s.plan, err = s.putNew(ctx, s.subject("plan.%d", s.plan), data)
	return err
}

// scan reads the chunks of the job.
func (s *submitter) scan(ctx context.Context) error {
	for {
		m, err := s.get(ctx, s.subject("in.%d", s.chunks+1))
		if err != nil || m == nil {
			return err
		}
		s.chunks++
		refs := decodeRefs(m.Data)
		s.inputs += len(refs)
		for _, ref := range refs {
			s.known[maphash.Bytes(nameSeed, ref.Name)]++
		}
	}
}

// add adds an input to the pending chunk, unless the job has it. It flushes a chunk that has no room for the input.
func (s *submitter) add(ctx context.Context, in *batch.Input) error {
	hash := maphash.String(nameSeed, in.Name)
	if s.known[hash] > 0 {
		s.known[hash]--
		return context.Cause(ctx)
	}
	ref, bytes := in.Ref(), in.Size()
	size := len(encodeRefs([]batch.Ref{ref}))
	var err error
	if len(s.refs) == chunkInputs || s.size+size > chunkSize || s.bytes+bytes > chunkBytes {
		err = s.flush(ctx)
	}
	s.refs, s.size, s.bytes = append(s.refs, ref), s.size+size, s.bytes+bytes
	return cmp.Or(err, context.Cause(ctx))
}

// flush puts the pending chunk, if it has inputs.
func (s *submitter) flush(ctx context.Context) error {
	if len(s.refs) == 0 || ctx.Err() != nil {
		return context.Cause(ctx)
	}
	s.chunks++
	s.inputs += len(s.refs)
	_, err := s.putNew(ctx, s.subject("in.%d", s.chunks), encodeRefs(s.refs))
	s.refs, s.size, s.bytes = nil, 0, 0
	return err
}

// encodeRefs returns the message of a chunk: consecutive inputs that a worker audits together.
func encodeRefs(refs []batch.Ref) []byte {
	data, _ := json.Marshal(refs) // such a list has no error
	return data
}

// decodeRefs returns the inputs of a chunk; nil if the data are not a chunk.
func decodeRefs(data []byte) (refs []batch.Ref) {
	if json.Unmarshal(data, &refs) != nil || len(refs) > maxInputs {
		return nil
	}
	return refs
}
