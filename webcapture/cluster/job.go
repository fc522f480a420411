package cluster

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// job is a Job with its streams, and the state that a worker keeps for it.
type job struct {
	Job
	q               *Queue
	chunks, results jetstream.Stream

	kept, whole [2]uint64 // results: number and last sequence, now and when none was missing
	given       uint64    // number of times that a chunk was given to a worker
	moved       jobProgress
	made        time.Time // time of creation, by the clock of the servers
	rest        time.Time // a finished job is not checked again before this time
	told        bool      // the worker has reported that the job has no consumer
}

// storedJob is the first message of a job.
type storedJob struct {
	Head            []byte // NDJSON
	Directory, Base string
	Begun           time.Time
}

// Begin creates a job, or finds the existing one with its name.
func (q *Queue) Begin(ctx context.Context, j Job) error {
	if err := checkName(j.Name); err != nil {
		return err
	}
	if err := q.makeStreams(ctx, j); err != nil {
		return err
	}
	head, err := encodeHead(j.Head)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(storedJob{head, j.Directory, j.Base, j.Begun}); err != nil {
		return err
	}
	err = q.askStream(ctx, chunksStream(j.Name), func() error {
		_, err := q.js.Publish(ctx, jobSubject(j.Name), b.Bytes(), jetstream.WithExpectLastSequence(0))
		return err
	})
	if err != nil && !isTaken(err) {
		return purgedError(err, j.Name)
	}
	there, err := q.job(ctx, j.Name)
	if err != nil {
		return err
	}
	switch why := report.Difference(there.Head, j.Head); {
	case why != "":
		return fmt.Errorf("%w: with %s", ErrOther, why)
	case there.Directory != j.Directory:
		return fmt.Errorf("%w: it was submitted in another folder, %s", ErrOther, there.Directory)
	}
	return nil
}

// dropOldResults deletes results without chunks. They are those of an earlier job with this name, and must not become
// results of the new one.
func (q *Queue) dropOldResults(ctx context.Context, name string) error {
	err := q.again(ctx, func() error {
		results, err := q.js.Stream(ctx, resultsStream(name))
		if err != nil || results.CachedInfo().State.Msgs == 0 { // another submitter may just have created the stream
			return err
		}
		if _, err = q.js.Stream(ctx, chunksStream(name)); isGone(err) {
			err = q.js.DeleteStream(ctx, resultsStream(name))
		}
		return err
	})
	if isGone(err) {
		return nil
	}
	return err
}

func (q *Queue) makeStreams(ctx context.Context, j Job) error {
	if err := q.dropOldResults(ctx, j.Name); err != nil {
		return err
	}
	if q.own != nil {
		j.Lease, j.Replicas = ownLease, 1
	}
	configs := []jetstream.StreamConfig{
		{Name: resultsStream(j.Name), Subjects: []string{resultsSubjects(j.Name)}},
		{Name: chunksStream(j.Name), Subjects: []string{chunksSubjects(j.Name)}},
	}
	for _, c := range configs {
		c.Replicas, c.Compression, c.DenyDelete = max(j.Replicas, 1), jetstream.S2Compression, true
		c.AllowDirect = c.Replicas == 1 // with several replicas, one that lags behind could answer
		err := q.again(ctx, func() error {
			_, err := q.js.CreateStream(ctx, c)
			return err
		})
		if err != nil && !isCode(err, jetstream.JSErrCodeStreamNameInUse) { // a stream that exists is kept
			return err
		}
	}
	return q.again(ctx, func() error {
		_, err := q.js.CreateConsumer(ctx, chunksStream(j.Name), jetstream.ConsumerConfig{
			Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: j.Lease,
			MaxDeliver: -1, MaxAckPending: maxHeld, FilterSubject: chunkSubject(j.Name),
		})
		if isCode(err, jetstream.JSErrCodeConsumerNameExists, jetstream.JSErrCodeConsumerAlreadyExists,
			jetstream.JSErrCodeConsumerExists) {
			return nil // an existing job may have another lease
		}
		return err
	})
}

// job finds a job.
func (q *Queue) job(ctx context.Context, name string) (*job, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	j := &job{q: q}
	err := q.again(ctx, func() (err error) {
		if j.chunks, err = q.js.Stream(ctx, chunksStream(name)); err == nil {
			j.results, err = q.js.Stream(ctx, resultsStream(name))
		}
		return err
	})
	var first *jetstream.RawStreamMsg
	if err == nil {
		first, err = q.message(ctx, j.chunks, firstChunk-1)
	}
	if isGone(err) {
		return nil, fmt.Errorf("%w %q", ErrNoJob, name)
	}
	if err != nil {
		return nil, err
	}
	if first == nil {
		return nil, fmt.Errorf("%w %q yet", ErrNoJob, name)
	}
	return j, j.decode(name, first)
}

func (j *job) decode(name string, first *jetstream.RawStreamMsg) error {
	var s storedJob
	if err := gob.NewDecoder(bytes.NewReader(first.Data)).Decode(&s); err != nil {
		return fmt.Errorf("job %s: %w", name, errForeign)
	}
	r, err := report.NewReader(bytes.NewReader(s.Head))
	if err != nil {
		return fmt.Errorf("job %s: %w", name, err)
	}
	j.Job = Job{Name: name, Head: r.Head(), Directory: s.Directory, Base: s.Base, Begun: s.Begun}
	return nil
}

var errForeign = errors.New("it was submitted by another version of webcap")

// encodeHead returns a head as the first line of NDJSON.
func encodeHead(head report.Head) ([]byte, error) {
	var b bytes.Buffer
	if err := report.NDJSON.New(&b, report.Options{Head: head}).Close(report.Interrupted); err != nil {
		return nil, err
	}
	line, _, _ := bytes.Cut(b.Bytes(), []byte("\n"))
	return append(line, '\n'), nil
}
