package cluster

import (
	"context"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
)

// submitter adds chunks to a job. Each chunk is published with its expected sequence. Another submitter, or this
// one before it was killed, may already have published a message with that sequence. Then the submitter reads the
// existing messages, and does not submit their inputs again.
type submitter struct {
	*job
	how     Submission
	files   jetstream.ObjectStore // object store for contents; nil if contents are not sent
	last    uint64                // last sequence of the known messages
	ended   bool                  // the known messages include the end
	there   map[uint64]int        // number of existing inputs not yet yielded, by hash of the name
	pending inputChunk
	sent    int // number of messages sent
	total   int // number of inputs in the messages up to last
}

// Submit adds inputs to a job, and marks their end.
func (q *Queue) Submit(ctx context.Context, name string, inputs iter.Seq[*batch.Input], how Submission) error {
	j, err := q.job(ctx, name)
	if err != nil {
		return err
	}
	s := &submitter{job: j, how: how, last: firstChunk - 1, there: map[uint64]int{}}
	return purgedError(s.submit(ctx, inputs), name)
}

func (s *submitter) submit(ctx context.Context, inputs iter.Seq[*batch.Input]) (err error) {
	if err := s.catchUp(ctx); err != nil {
		return err
	}
	if s.how.Upload {
		if s.files, err = s.job.files(ctx, true); err != nil {
			return err
		}
	}
	for in := range inputs {
		if ctx.Err() != nil {
			in.Close()
			return ctx.Err()
		}
		if err := s.add(ctx, in); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.end(ctx)
}

func (s *submitter) add(ctx context.Context, in *batch.Input) error {
	defer in.Close()
	if s.take(in.Name) {
		return nil
	}
	ref, size := in.Ref(), in.Size()
	if s.files != nil {
		var err error
		if ref, err = s.upload(ctx, in); err != nil {
			return err
		}
	}
	if !s.pending.add(ref, size, s.how.PerChunk) {
		return nil
	}
	return s.flush(ctx)
}

var nameSeed = maphash.MakeSeed()

// take reports whether the job already has an input. If so, it counts the input as yielded.
func (s *submitter) take(name string) bool {
	h := maphash.String(nameSeed, name)
	n := s.there[h]
	switch n {
	case 0:
		return false
	case 1:
		delete(s.there, h)
	default:
		s.there[h] = n - 1
	}
	return true
}

// flush publishes the pending inputs, except those that the job already has.
func (s *submitter) flush(ctx context.Context) error {
	for len(s.pending.Refs) > 0 {
		if err := s.room(ctx); err != nil {
			return err
		}
		data, err := s.pending.encode()
		if err != nil {
			return err
		}
		m := nats.NewMsg(chunkSubject(s.Name))
		m.Data = data
		m.Header.Set(inputsHeader, strconv.Itoa(len(s.pending.Refs)))
		done, err := s.publish(ctx, m)
		if err != nil {
			return err
		}
		if done {
			s.pending = inputChunk{}
			s.ended = false
			return nil
		}
		s.pending.Refs = slices.DeleteFunc(s.pending.Refs, func(r batch.Ref) bool { return s.take(r.Name) })
	}
	s.pending = inputChunk{}
	return nil
}

// end marks the end of the inputs.
func (s *submitter) end(ctx context.Context) error {
	for {
		if err := s.flush(ctx); err != nil || s.ended {
			return err
		}
		if done, err := s.publish(ctx, nats.NewMsg(endSubject(s.Name))); done || err != nil {
			return err
		}
	}
}

// publish publishes a message after all known ones. done is false if there was an unknown message at that sequence;
// the message is then known.
func (s *submitter) publish(ctx context.Context, m *nats.Msg) (done bool, err error) {
	s.sent++
	inputs, _ := strconv.Atoi(m.Header.Get(inputsHeader))
	m.Header.Set(totalHeader, strconv.Itoa(s.total+inputs))
	m.Header.Set(byHeader, fmt.Sprintf("%s.%d", s.q.id, s.sent))
	for {
		err = s.q.askStream(ctx, chunksStream(s.Name), func() error {
			_, err := s.q.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequence(s.last))
			return err
		})
		if err == nil {
			s.last++
			s.total += inputs
			s.q.news.tell()
			return true, nil
		}
		if !isTaken(err) {
			return false, err
		}
		next, err := s.q.message(ctx, s.chunks, s.last+1)
		switch {
		case err != nil:
			return false, err
		case next == nil: // a majority does not have the message yet
			sleep(ctx, leastPause)
		case next.Header.Get(byHeader) == m.Header.Get(byHeader): // the message is this one: only the answer was lost
			s.last++
			s.total += inputs
			return true, nil
		default:
			return false, s.catchUp(ctx)
		}
	}
}

// catchUp reads the messages that are not known yet.
func (s *submitter) catchUp(ctx context.Context) error {
	for {
		m, err := s.q.message(ctx, s.chunks, s.last+1)
		if err != nil || m == nil {
			return err
		}
		s.last++
		switch m.Subject {
		case cancelSubject(s.Name):
			return fmt.Errorf("job %s: %w", s.Name, ErrCancelled)
		case endSubject(s.Name):
			s.ended = true
			continue
		}
		s.ended = false
		c, err := decodeChunk(m.Data)
		if err != nil {
			return err
		}
		s.total += len(c.Refs)
		for _, ref := range c.Refs {
			s.there[maphash.String(nameSeed, ref.Name)]++
		}
	}
}

// room waits until the number of chunks that no worker has taken is below its limit.
func (s *submitter) room(ctx context.Context) error {
	const asks = 64 // chunks between two checks: a check for each chunk would cost servers more than the chunks
	if s.sent%asks != asks-1 {
		return nil
	}
	for ctx.Err() == nil {
		var waiting uint64
		err := s.q.askStream(ctx, chunksStream(s.Name), func() error {
			c, err := s.chunks.Consumer(ctx, consumerName)
			if err == nil {
				waiting = c.CachedInfo().NumPending
			}
			return err
		})
		if err != nil || waiting < maxWaiting {
			return err
		}
		sleep(ctx, mostPause)
	}
	return ctx.Err()
}
