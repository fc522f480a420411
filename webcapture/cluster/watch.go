package cluster

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/webcap-tools/webcap/webcapture/batch"
)

var errStuck = errors.New("is stuck")

// auditWatch measures the time for which a run takes no step, although audits have begun and the worker waits for the
// next record. While the run only reads an archive, no audit has begun.
type auditWatch struct {
	mu             sync.Mutex
	waiting        bool // the worker waits for the next record
	begun, records int
	since          time.Time // time of the last step
}

// inputs yields inputs and counts them.
func (w *auditWatch) inputs(inputs iter.Seq[*batch.Input]) iter.Seq[*batch.Input] {
	return func(yield func(*batch.Input) bool) {
		for in := range inputs {
			w.add(1, 0)
			if !yield(in) {
				return
			}
		}
	}
}

func (w *auditWatch) add(begun, records int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begun += begun
	w.records += records
	w.since = time.Now()
}

func (w *auditWatch) resume() { w.set(true) }
func (w *auditWatch) pause()  { w.set(false) }

func (w *auditWatch) set(waiting bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting, w.since = waiting, time.Now()
}

// still returns the number of records when there was no step for limit; ok is false otherwise.
func (w *auditWatch) still(limit time.Duration) (records int, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.records, w.waiting && w.begun > w.records && time.Since(w.since) > limit
}

// keep extends the lease of the chunk until ctx is done. If an audit does not end, keep calls fail, and the lease ends.
func (k *turn) keep(ctx context.Context, fail context.CancelCauseFunc) {
	for ctx.Err() == nil {
		if n, ok := k.watch.still(k.limit() + stuckAfter); ok {
			fail(fmt.Errorf("job %s: the audit of %q %w: its time limit passed %v ago", k.ID, k.refs[n].Name, errStuck,
				stuckAfter))
			return
		}
		k.msg.InProgress() // if it is lost, the next one will arrive
		sleep(ctx, lease/leaseShare)
	}
}
