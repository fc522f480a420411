package cluster

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Cancel ends a job. Its submitter stops, and no more of its chunks are given to workers.
func (q *Queue) Cancel(ctx context.Context, name string) error {
	if _, err := q.job(ctx, name); err != nil {
		return err
	}
	err := q.askStream(ctx, chunksStream(name), func() error {
		_, err := q.js.Publish(ctx, cancelSubject(name), nil, jetstream.WithExpectLastSequencePerSubject(0))
		return err
	})
	if isTaken(err) {
		return nil
	}
	return purgedError(err, name)
}

// cancelled reports whether the job was canceled.
func (j *job) cancelled(ctx context.Context) (bool, error) {
	m, err := j.q.last(ctx, j.chunks, cancelSubject(j.Name))
	return m != nil, err
}

// Purge removes a job, its results, and the contents of its inputs. It also removes what an interrupted Purge has left.
// Results go first: without their chunks, they could become results of a later job with this name. Contents go last: a
// later submission does not send the contents of existing chunks again.
func (q *Queue) Purge(ctx context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	found := false
	for _, stream := range []string{resultsStream(name), chunksStream(name), filesStream(name)} {
		asked := 0
		err := q.again(ctx, func() error {
			asked++
			return q.js.DeleteStream(ctx, stream)
		})
		if err != nil && !isGone(err) {
			return err
		}
		found = found || err == nil || asked > 1 // the answer to the first request may have been lost
	}
	if !found {
		return fmt.Errorf("%w %q", ErrNoJob, name)
	}
	return nil
}
