package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

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
	s := &queue.Status{Time: time.Now()}
	for _, name := range names {
		j, err := q.job(ctx, name)
		if err == nil {
			var one *queue.JobStatus
			if one, err = j.status(ctx); err == nil {
				s.Jobs = append(s.Jobs, *one)
			}
		}
		if err != nil && !isGone(err) && !errors.Is(err, queue.ErrNoJob) {
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

// A sign is a sign of life of a worker.
type sign struct {
	Version string
	Since   time.Time
	Inputs  int
	Bytes   int64
}

// workers returns the last signs of life.
func (q *natsQueue) workers(ctx context.Context) (list []queue.WorkerStatus, err error) {
	var s jetstream.Stream
	var info *jetstream.StreamInfo
	err = q.again(ctx, func() error {
		if s, err = q.js.Stream(ctx, signsStream); err != nil {
			return err
		}
		info, err = s.Info(ctx, jetstream.WithSubjectFilter(signSubject+">"))
		return err
	})
	if isGone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, subject := range slices.Sorted(maps.Keys(info.State.Subjects)) {
		m, err := q.last(ctx, s, subject)
		if err != nil {
			return nil, err
		}
		var one sign
		if m == nil || json.Unmarshal(m.Data, &one) != nil {
			continue
		}
		name := strings.TrimPrefix(subject, signSubject)
		list = append(list, queue.WorkerStatus{Name: name, Version: one.Version, Seen: m.Time, Since: one.Since, Inputs: one.Inputs, Bytes: one.Bytes})
	}
	return list, nil
}

// signs gives signs of life. One that is lost is not missed.
func (w *worker) signs(ctx context.Context) {
	if w.q.own != nil {
		return // nobody else can ask
	}
	since := time.Now()
	w.q.again(ctx, func() error {
		_, err := w.q.js.CreateStream(ctx, jetstream.StreamConfig{Name: signsStream, Subjects: []string{signSubject + ">"},
			Storage: jetstream.MemoryStorage, MaxMsgsPerSubject: 1, MaxAge: signsKept})
		return err
	})
	subject := signSubject + workerName()
	for ctx.Err() == nil {
		n, bytes := w.tally.sum()
		data, _ := json.Marshal(sign{w.Head.Version, since, n, bytes})
		w.q.nc.Publish(subject, data)
		sleep(ctx, signEvery)
	}
}

// workerName returns the host and the process, as one word of a subject.
func workerName() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%s-%d", strings.Map(func(r rune) rune {
		if strings.ContainsRune(". *>", r) || !unicode.IsPrint(r) {
			return '-'
		}
		return r
	}, host), os.Getpid())
}

// A tally is what a worker has done.
type tally struct {
	mu    sync.Mutex
	n     int
	bytes int64
}

func (t *tally) add(rec *report.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	t.bytes += rec.Size
}

func (t *tally) sum() (inputs int, bytes int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n, t.bytes
}

// Cancel ends a job: who submits it stops, and workers are not given its chunks any more.
func (q *natsQueue) Cancel(ctx context.Context, name string) error {
	if _, err := q.job(ctx, name); err != nil {
		return err
	}
	err := q.again(ctx, func() error {
		_, err := q.js.Publish(ctx, cancelSubject(name), nil, jetstream.WithExpectLastSequencePerSubject(0))
		return err
	})
	if isTaken(err) {
		return nil
	}
	return err
}

// Purge removes a job, with its results.
func (q *natsQueue) Purge(ctx context.Context, name string) error {
	if _, err := q.job(ctx, name); err != nil {
		return err
	}
	for _, stream := range []string{chunksStream(name), resultsStream(name), "OBJ_" + filesPrefix + name} {
		err := q.again(ctx, func() error { return q.js.DeleteStream(ctx, stream) })
		if err != nil && !isGone(err) {
			return err
		}
	}
	return nil
}
