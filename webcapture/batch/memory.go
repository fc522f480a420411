package batch

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// memoryLimit is the memory limit of all audits. A nil limit is unlimited.
type memoryLimit struct {
	*semaphore.Weighted
	size int64
}

func newMemoryLimit(size int64) *memoryLimit {
	if size <= 0 {
		return nil
	}
	return &memoryLimit{semaphore.NewWeighted(size), size}
}

// take waits until there is memory for an input of this size, and returns a function that releases it. An input
// over the limit takes all memory, and so runs alone.
func (m *memoryLimit) take(ctx context.Context, bytes int64) (release func()) {
	if m == nil {
		return func() {}
	}
	n := min(anyFile+perByte*min(bytes, m.size/perByte), m.size) // without overflow
	if m.Acquire(ctx, n) != nil {
		return func() {} // the run has ended
	}
	return func() { m.Release(n) }
}
