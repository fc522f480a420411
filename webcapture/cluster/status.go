package cluster

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Status returns the progress of all jobs, and the last heartbeats of the workers.
func (q *Queue) Status(ctx context.Context) (*Status, error) {
	names, err := q.jobNames(ctx)
	if err != nil {
		return nil, err
	}
	s := &Status{Time: time.Now()}
	for _, name := range names {
		j, err := q.job(ctx, name)
		if err == nil {
			var one *JobStatus
			if one, err = j.status(ctx); err == nil {
				s.Jobs = append(s.Jobs, *one)
			}
		}
		switch {
		case hasNoConsumer(err):
			q.say("%v", purgedError(err, name))
		case err != nil && !isGone(err) && !errors.Is(err, ErrNoJob):
			return nil, err
		}
	}
	s.Workers, err = q.workers(ctx, s.Time)
	return s, err
}

// status returns the progress of a job.
func (j *job) status(ctx context.Context) (*JobStatus, error) {
	s := &JobStatus{Name: j.Name, Begun: j.Begun}
	var chunks, results *jetstream.StreamInfo
	var consumer *jetstream.ConsumerInfo
	err := j.q.askStream(ctx, chunksStream(j.Name), func() (err error) {
		if chunks, err = j.chunks.Info(ctx, jetstream.WithSubjectFilter(chunksSubjects(j.Name))); err != nil {
			return err
		}
		if results, err = j.results.Info(ctx, jetstream.WithSubjectFilter(poisonSubjects(j.Name))); err != nil {
			return err
		}
		c, err := j.chunks.Consumer(ctx, consumerName)
		if err == nil {
			consumer = c.CachedInfo()
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	j.kept = [2]uint64{results.State.Msgs, results.State.LastSeq}
	j.given = consumer.Delivered.Consumer
	s.Bytes = int64(chunks.State.Bytes + results.State.Bytes)
	s.Chunks = int(chunks.State.Subjects[chunkSubject(j.Name)])
	s.Cancelled = chunks.State.Subjects[cancelSubject(j.Name)] > 0
	s.Taken = consumer.NumAckPending
	s.Done = s.Chunks - int(consumer.NumPending) - s.Taken
	last, err := j.q.message(ctx, j.chunks, chunks.State.LastSeq)
	if err != nil {
		return nil, err
	}
	if last != nil {
		s.Submitted = last.Subject == endSubject(j.Name)
		s.Inputs, _ = strconv.Atoi(last.Header.Get(totalHeader))
	}
	for subject := range results.State.Subjects {
		m, err := j.q.last(ctx, j.results, subject)
		if err != nil {
			return nil, err
		}
		if m != nil {
			name, _ := strconv.Unquote(m.Header.Get(nameHeader))
			s.Poison = append(s.Poison, name)
		}
	}
	return s, nil
}

// jobNames returns the names of all jobs.
func (q *Queue) jobNames(ctx context.Context) (names []string, err error) {
	err = q.again(ctx, func() error {
		names = nil
		list := q.js.StreamNames(ctx)
		for name := range list.Name() {
			if job, ok := jobOfStream(name); ok {
				names = append(names, job)
			}
		}
		return list.Err()
	})
	slices.Sort(names)
	return names, err
}
