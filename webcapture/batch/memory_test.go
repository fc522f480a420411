package batch

import (
	"context"
	"fmt"
	"testing"
)

// A limit of memory is shared by the estimate for each size; a limit of 0 is none.
func TestMemoryLimit(t *testing.T) {
	for _, size := range []int64{0, -1} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			if m := newMemoryLimit(size); m != nil {
				t.Errorf("a limit of %d bytes is a limit", size)
			}
		})
	}
	const limit = 100 << 20
	for _, tt := range []struct{ bytes, left int64 }{
		{0, limit - anyFile}, {1000, limit - anyFile - perByte*1000}, {limit / perByte, 0}, {limit, 0}, {1 << 62, 0},
	} {
		t.Run(fmt.Sprint(tt.bytes), func(t *testing.T) {
			m := newMemoryLimit(limit)
			release := m.take(t.Context(), tt.bytes)
			if !m.TryAcquire(tt.left) || m.TryAcquire(1) {
				t.Errorf("it does not leave %d bytes", tt.left)
			}
			m.Release(tt.left)
			if release(); !m.TryAcquire(limit) {
				t.Error("not everything was released")
			}
		})
	}
	m := newMemoryLimit(limit)
	m.take(t.Context(), limit)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	m.take(ended, 1)() // panics if it releases what it could not take
}
