package batch

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// A memory is what all audits share. A nil one is without end.
type memory struct {
	*semaphore.Weighted
	size int64
}

func newMemory(size int64) *memory {
	if size <= 0 {
		return nil
	}
	return &memory{semaphore.NewWeighted(size), size}
}

// take waits until there is memory for an input of so many bytes, and returns what gives it
// back. One that needs more than there is gets all of it, and so is alone.
func (m *memory) take(ctx context.Context, bytes int64) (release func()) {
	if m == nil {
		return func() {}
	}
	n := m.size
	if bytes < m.size/perByte {
		n = min(anyFile+perByte*bytes, m.size)
	}
	if m.Acquire(ctx, n) != nil {
		return func() {} // the run has ended
	}
	return func() { m.Release(n) }
}
