package cluster

import (
	"context"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// extend renews the leases of chunks while the worker makes progress. If audits have no time limit, it always renews
// them.
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
				h.msg.InProgress() // if the message is lost, the next one will arrive
				every = min(every, h.lease/leaseShare)
			}
		}
		sleep(ctx, every)
	}
}

// jobProgress is the progress of a job when it last changed.
type jobProgress struct {
	chunks, done int
	given        uint64
	at           time.Time
}

// watch assigns the chunks of a job without results again, if the job makes no progress while this worker is idle.
// Servers measure leases by the time of day: if their clock was set back, the chunk of a dead worker would come back
// much later. If another worker still has the chunk, the first result counts.
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
	j.q.say("job %s: no progress for %d leases; chunks without results are assigned again", j.Name,
		stillLeases)
	return j.q.askStream(ctx, chunksStream(j.Name), func() error {
		_, err := j.chunks.ResetConsumer(ctx, consumerName)
		return err
	})
}

// acknowledge tells the servers that a chunk has its result. If the acknowledgment is lost, the chunk comes back,
// and the worker that takes it finds the result.
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

// release gives unfinished chunks back, so that other workers can take them immediately.
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
