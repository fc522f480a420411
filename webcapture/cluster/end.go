package cluster

import (
	"context"

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

// Purge removes a job, its results, and the contents of its inputs.
func (q *Queue) Purge(ctx context.Context, name string) error {
	if _, err := q.job(ctx, name); err != nil {
		return err
	}
	for _, stream := range []string{chunksStream(name), resultsStream(name), filesStream(name)} {
		err := q.again(ctx, func() error { return q.js.DeleteStream(ctx, stream) })
		if err != nil && !isGone(err) {
			return err
		}
	}
	return nil
}
