package cluster

import (
	"cmp"
	"context"
	"hash/maphash"
	"iter"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// submitter adds the inputs to a job that the job does not have. So resuming an interrupted submission and adding to a
// complete job are the same.
type submitter struct {
	*job
	known   map[uint64]int // number of inputs of the job that were not yielded yet, by hash of the name
	free    []int          // numbers without a chunk before chunks
	chunks  int            // number of the last chunk
	inputs  int            // number of inputs of the chunks
	pending chunk
}

var nameSeed = maphash.MakeSeed()

// Submit adds inputs to a job of Create, except those that it has. The error is ErrOther if the job was submitted with
// another head, ErrBusy if another submitter was faster, and that of inputs if they end with one; the job then stays
// open.
func (q *Queue) Submit(ctx context.Context, id string, head report.Head, inputs iter.Seq2[*batch.Input, error]) error {
	j, err := q.begin(ctx, id, head)
	if err != nil {
		return err
	}
	if _, err := j.consumer(ctx); err != nil {
		return err
	}
	last, err := j.readPlan(ctx)
	if err != nil {
		return err
	}
	if j.plans == 0 || !last.Open {
		if err := j.putPlan(ctx, plan{Open: true, Chunks: last.Chunks, Inputs: last.Inputs}); err != nil {
			return err
		}
	}
	s := &submitter{job: j, known: map[uint64]int{}}
	if err := s.scan(ctx, last.Chunks); err != nil {
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
	if next, err := j.get(ctx, j.subject("in.%d", s.chunks+1)); next != nil || err != nil {
		return cmp.Or(err, s.busy())
	}
	return j.putPlan(ctx, plan{Chunks: s.chunks, Inputs: s.inputs})
}

// scan reads the chunks of the job. Of the planned chunks, servers may have lost some.
func (s *submitter) scan(ctx context.Context, planned int) error {
	for n := 1; ; n++ {
		m, err := s.get(ctx, s.subject("in.%d", n))
		switch {
		case err != nil, m == nil && n > planned:
			return err
		case m == nil:
			s.free = append(s.free, n)
			continue
		}
		s.chunks = n
		refs, _ := decodeRefs(m.Data) // a reader reports the error
		s.inputs += len(refs)
		for _, ref := range refs {
			s.known[maphash.String(nameSeed, ref.Name)]++
		}
	}
}

// add adds an input, unless the job has it.
func (s *submitter) add(ctx context.Context, in *batch.Input) error {
	hash := maphash.String(nameSeed, in.Name)
	if s.known[hash] > 0 {
		s.known[hash]--
		return context.Cause(ctx)
	}
	ref, size := in.Ref(), in.Size()
	if s.pending.add(ref, size) {
		return context.Cause(ctx)
	}
	err := s.flush(ctx)
	s.pending.add(ref, size)
	return err
}

// flush puts the pending inputs as a chunk.
func (s *submitter) flush(ctx context.Context) error {
	n := s.chunks + 1
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case len(s.pending.refs) == 0:
		return nil
	case len(s.free) > 0:
		n, s.free = s.free[0], s.free[1:]
	}
	own, err := s.put(ctx, s.subject("in.%d", n), encodeRefs(s.pending.refs))
	if err == nil && !own {
		err = s.busy()
	}
	s.chunks = max(s.chunks, n)
	s.inputs += len(s.pending.refs)
	s.pending = chunk{}
	return err
}
