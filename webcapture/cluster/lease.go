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

// acknowledge says that a chunk has its result. If nobody answers it comes back, and its
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
