package cluster

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// jobIDs returns the IDs of all jobs.
func (q *Queue) jobIDs(ctx context.Context) (ids []string, err error) {
	err = q.again(ctx, func() error {
		ids = nil
		list := q.js.StreamNames(ctx, jetstream.WithStreamListSubject(subjectPrefix+">"))
		for name := range list.Name() {
			if id, ok := strings.CutPrefix(name, streamPrefix); ok && isID(id) {
				ids = append(ids, id)
			}
		}
		return list.Err()
	})
	return ids, err
}

// Status returns the progress of all jobs, oldest first.
func (q *Queue) Status(ctx context.Context) (list []Status, err error) {
	ids, err := q.jobIDs(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		s, err := q.status(ctx, id)
		switch {
		case err == nil:
			list = append(list, s)
		case !errors.Is(err, ErrNoJob) && !errors.Is(err, ErrGone) && !errors.Is(err, errForeign):
			return nil, err
		}
	}
	slices.SortFunc(list, func(a, b Status) int { return a.Begun.Compare(b.Begun) })
	return list, nil
}

func (q *Queue) status(ctx context.Context, id string) (s Status, err error) {
	j, err := q.job(ctx, id)
	if err != nil {
		return s, err
	}
	p, err := j.readPlan(ctx)
	if err != nil {
		return s, err
	}
	c, err := j.consumer(ctx)
	if err != nil {
		return s, err
	}
	info := c.CachedInfo()
	s = Status{ID: id, Label: j.Label, Begun: j.Begun, Inputs: p.Inputs, Chunks: p.Chunks, State: "done",
		Waiting: int(info.NumPending), Taken: info.NumAckPending, Bytes: j.stream.CachedInfo().State.Bytes}
	switch {
	case p.Open:
		s.State = "being submitted"
	case s.Taken > 0:
		s.State = "working"
	case s.Waiting > 0:
		s.State = "waiting"
	}
	return s, nil
}
