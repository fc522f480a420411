package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch/queue"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Status says how far all jobs are.
func (q *natsQueue) Status(ctx context.Context) (*queue.Status, error) {
	names, err := q.jobNames(ctx)
	if err != nil {
		return nil, err
	}
	s := &queue.Status{}
	for _, name := range names {
		j, err := q.job(ctx, name)
		if err == nil {
			var one *queue.JobStatus
			if one, err = j.status(ctx); err == nil {
				s.Jobs = append(s.Jobs, *one)
			}
		}
		if err != nil && !isGone(err) && !isNoJob(err) {
			return nil, err
		}
	}
	s.Workers, err = q.workers(ctx)
	return s, err
}

// status says how far a job is.
func (j *job) status(ctx context.Context) (*queue.JobStatus, error) {
	s := &queue.JobStatus{Name: j.Name, Begun: j.Begun}
	var chunks, results *jetstream.StreamInfo
	var consumer *jetstream.ConsumerInfo
	err := j.q.again(ctx, func() (err error) {
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

func isNoJob(err error) bool { return strings.Contains(fmt.Sprint(err), queue.ErrNoJob.Error()) }

// workers returns the last signs of life.
func (q *natsQueue) workers(ctx context.Context) ([]queue.WorkerStatus, error) {
	return nil, nil
}

// A tally is what a worker has done.
type tally struct {
	mu       sync.Mutex
	n        int
	bytes    int64
	returned int
}

func (t *tally) add(rec *report.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	t.bytes += rec.Size
}

func (t *tally) again() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.returned++
}

func (t *tally) records() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n
}

// signs gives signs of life.
func (w *worker) signs(ctx context.Context) {
	_ = json.Marshal
	_ = os.Hostname
	_ = time.Now
}

// Cancel ends a job.
func (q *natsQueue) Cancel(ctx context.Context, name string) error { return nil }

// Purge removes a job, with its results.
func (q *natsQueue) Purge(ctx context.Context, name string) error { return nil }
