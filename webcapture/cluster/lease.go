package cluster

import (
	"context"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// extend keeps chunks from going to others while the worker gets on.
func (w *worker) extend(ctx context.Context) {
	records, at := -1, time.Now()
	for ctx.Err() == nil {
		every := mostPause
		w.mu.Lock()
		held := slices.Clone(w.held)
		w.mu.Unlock()
		if n, _ := w.tally.sum(); n != records || len(held) == 0 {
			records, at = n, time.Now()
		}
		if w.Options.Timeout == 0 || time.Since(at) < w.Options.Timeout+stuckAfter {
			for _, h := range held {
				h.msg.InProgress() // if it is lost, the next one is not
				every = min(every, h.lease/leaseShare)
			}
		}
		sleep(ctx, every)
	}
}

// jobProgress is the state of a job after its last progress.
type jobProgress struct {
	chunks, done int
	given        uint64
	at           time.Time
}

// watch has the chunks of a job that wait given out anew if the job does not get on while this worker has nothing to
// do. Servers measure leases by the time of day: where their clock was set back, the chunk of a worker that died would
// come back as much later. A worker that has one after all has its result counted only if it comes first.
func (w *worker) watch(ctx context.Context, j *job, s *JobStatus) error {
	w.mu.Lock()
	idle := len(w.held) == 0
	w.mu.Unlock()
	if now := (jobProgress{s.Chunks, s.Done, j.given, j.moved.at}); !idle || now != j.moved {
		now.at = time.Now()
		j.moved = now
	}
	if time.Since(j.moved.at) < stillLeases*j.Lease {
		return nil
	}
	j.moved.at = time.Now()
	j.q.say("job %s: nothing has come of it for %d leases: the chunks without results are given out again", j.Name,
		stillLeases)
	return j.q.again(ctx, func() error {
		_, err := j.chunks.ResetConsumer(ctx, consumerName)
		return err
	})
}

// acknowledge says that a chunk has its result. Without an answer the chunk comes back, and its
// result is found.
func (w *worker) acknowledge(ctx context.Context, m jetstream.Msg) {
	for range 2 {
		ctx, cancel := context.WithTimeout(ctx, patience)
		err := m.DoubleAck(ctx)
		cancel()
		if err == nil {
			return
		}
	}
}

// release gives chunks back that are not done, for others to take them at once.
func (w *worker) release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, h := range w.held {
		if h.alone != nil {
			h.alone.stop()
		}
		h.msg.Nak()
	}
	w.q.nc.FlushTimeout(flushed)
}
