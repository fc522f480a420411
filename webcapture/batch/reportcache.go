package batch

import (
	"container/list"
	"context"
	"crypto/sha256"
	"errors"
	"sync"

	"github.com/webcap-tools/webcap/webcapture/audit"
)

// reportCache maps digests of inputs to their reports. A nil cache stores nothing.
type reportCache struct {
	mu      sync.Mutex
	reports map[[sha256.Size]byte]*list.Element // of *cachedReport
	recent  *list.List                          // *cachedReport, most recently used first
	parts   int
}

// cachedReport is the report of one digest. It is valid once done is closed.
type cachedReport struct {
	sum  [sha256.Size]byte
	done chan struct{}
	rep  *audit.Report
	err  error
}

var errPanicked = errors.New("the audit of the same bytes panicked")

func newReportCache() *reportCache {
	return &reportCache{reports: map[[sha256.Size]byte]*list.Element{}, recent: list.New()}
}

// once returns the stored report of a digest, or else that of do, which it stores. The report is shared. Errors are not
// stored, because they may depend on more than the bytes, like a timeout.
func (k *reportCache) once(ctx context.Context, sum [sha256.Size]byte, do func() (*audit.Report, error)) (*audit.Report,
	error) {
	if k == nil {
		return do()
	}
	k.mu.Lock()
	if e := k.reports[sum]; e != nil {
		k.recent.MoveToFront(e)
		k.mu.Unlock()
		r := e.Value.(*cachedReport)
		select {
		case <-r.done:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if r.err == nil {
			return r.rep, nil
		}
		return do()
	}
	r := &cachedReport{sum: sum, done: make(chan struct{})}
	e := k.recent.PushFront(r)
	k.reports[sum] = e
	k.mu.Unlock()
	defer k.finish(e)
	r.rep, r.err = do()
	return r.rep, r.err
}

// finish wakes the goroutines that wait for the report, and drops old reports.
func (k *reportCache) finish(e *list.Element) {
	r := e.Value.(*cachedReport)
	if r.rep == nil && r.err == nil {
		r.err = errPanicked
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	close(r.done)
	if r.err != nil {
		k.forget(e)
		return
	}
	k.parts += parts(r.rep)
	for e := k.recent.Back(); e != nil && (k.recent.Len() > maxKnown || k.parts > maxKnownParts); {
		before := e.Prev()
		if r := e.Value.(*cachedReport); r.isDone() {
			k.parts -= parts(r.rep)
			k.forget(e)
		}
		e = before
	}
}

// parts returns the number of findings, which take most of the memory of a report.
func parts(rep *audit.Report) int { return rep.Findings.Len() }

func (k *reportCache) forget(e *list.Element) {
	k.recent.Remove(e)
	delete(k.reports, e.Value.(*cachedReport).sum)
}

func (r *cachedReport) isDone() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}
