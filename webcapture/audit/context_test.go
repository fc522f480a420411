package audit_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// A countdown is a context that ends after a number of calls of Err.
type countdown struct {
	context.Context
	left atomic.Int64
	end  context.CancelCauseFunc
}

var errEnded = errors.New("ended by the test")

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.end(errEnded)
	}
	return c.Context.Err()
}

func countingDown(n int64) *countdown {
	c := &countdown{}
	c.Context, c.end = context.WithCancelCause(context.Background())
	c.left.Store(n)
	return c
}

// Whenever the context of a file ends, the audit fails with the cause of the context. A partial report is never taken
// for a complete one.
func TestContextEndsAnything(t *testing.T) {
	doc := webcapturetest.Sets(300, webcapturetest.Options{Leaf: 20, Images: 5, Pages: 10})
	broken := doc.Bytes(webcapturetest.Layout{XRef: webcapturetest.Stream, ObjectStreams: 20})
	copy(broken[len(broken)-20:], "                    ") // so webcap searches the file for objects
	for name, data := range map[string][]byte{"whole": doc.Bytes(webcapturetest.Layout{}), "searched": broken} {
		t.Run(name, func(t *testing.T) {
			run := func(ctx context.Context) (*audit.Report, error) {
				return audit.Bytes(ctx, "x.pdf", data, audit.Options{})
			}
			whole := countingDown(1 << 40)
			if _, err := run(whole); err != nil {
				t.Fatal(err)
			}
			asked := 1<<40 - whole.left.Load()
			if asked < 300 {
				t.Errorf("%s: the context was asked %d times", name, asked)
			}
			// How often it is asked depends on how goroutines share the work, so the last questions are left out.
			for n := int64(0); n < asked-asked/50; n += asked/100 + 1 {
				if rep, err := run(countingDown(n)); !errors.Is(err, errEnded) {
					t.Errorf("%s: ended after %d of %d times: %v, %v", name, n, asked, rep, err)
				}
			}
		})
	}
}
