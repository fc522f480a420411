package cluster

import (
	"context"
	"errors"
	"slices"

	"github.com/nats-io/nats.go/jetstream"
)

// Status returns the progress of all jobs, oldest first.
func (q *Queue) Status(ctx context.Context) (list []Status, err error) {
	ids, err := q.jobIDs(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		s, err := q.status(ctx, id)
		if errors.Is(err, ErrNoJob) || errors.Is(err, ErrGone) { // it was removed after the list was made
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b Status) int { return a.Begun.Compare(b.Begun) })
	return list, nil
}

func (q *Queue) status(ctx context.Context, id string) (Status, error) {
	j, err := q.job(ctx, id)
	if errors.Is(err, errForeign) || errors.Is(err, errUndescribed) {
		return Status{ID: id, Open: true}, nil
	}
	if err != nil {
		return Status{}, err
	}
	s := Status{ID: id, Label: j.Label, Begun: j.Begun, Bytes: int64(j.stream.CachedInfo().State.Bytes)}
	p, err := j.readPlan(ctx)
	if err != nil {
		return Status{}, err
	}
	s.Open, s.Chunks, s.Inputs = p.Open, p.Chunks, p.Inputs
	var c jetstream.Consumer
	err = j.ask(ctx, func() error {
		c, err = q.js.Consumer(ctx, streamPrefix+id, consumerName)
		return err
	})
	if isCode(err, jetstream.JSErrCodeConsumerNotFound) { // the submitter, or else a worker, creates it
		s.Waiting = p.Chunks
		return s, nil
	}
	if err != nil {
		return Status{}, err
	}
	s.Waiting, s.Taken = int(c.CachedInfo().NumPending), c.CachedInfo().NumAckPending
	return s, nil
}
