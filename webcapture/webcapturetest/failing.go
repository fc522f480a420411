package webcapturetest

import (
	"context"
	"errors"
	"sync"
)

// ErrRead is the failure of FailingReads.
var ErrRead = errors.New("the disk failed")

// FailingReads is a context that makes reads of files fail. A file checks its context before each read, and once more
// for the cause of a failure. Goroutines may share it.
type FailingReads struct {
	context.Context
	mu        sync.Mutex
	reads, at int
	lasts     bool
}

// NewFailingReads returns a context that lets all reads succeed.
func NewFailingReads() *FailingReads { return &FailingReads{Context: context.Background()} }

// FailAt makes one read fail: number at, counted from 1 and from now on. If lasts is true, all later reads fail, too.
// If at is 0, none fails.
func (c *FailingReads) FailAt(at int, lasts bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reads, c.at, c.lasts = 0, at, lasts
}

// Reads returns the number of reads since the last call of FailAt.
func (c *FailingReads) Reads() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.reads
}

// Err returns ErrRead if a read has to fail.
func (c *FailingReads) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reads++
	if c.at > 0 && (c.reads == c.at || c.reads == c.at+1 || c.reads > c.at && c.lasts) {
		return ErrRead
	}
	return nil
}
