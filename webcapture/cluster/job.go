package cluster

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// job is a Job with its stream.
type job struct {
	Job
	q      *Queue
	stream jetstream.Stream
	plan   plan // last known plan
	plans  int  // number of plans read
}

// plan is a message that says how complete the inputs of a job are.
type plan struct {
	Open   bool `json:"open,omitempty"` // inputs are being submitted
	Chunks int  `json:"chunks"`
	Inputs int  `json:"inputs"`
}

const (
	streamPrefix  = "WEBCAP_JOB_"
	subjectPrefix = "webcap.job."
	consumerName  = "w"
)

// subject returns the subject of a message of the job.
func (j *job) subject(format string, args ...any) string {
	return subjectPrefix + j.ID + "." + fmt.Sprintf(format, args...)
}

// outSubject returns the subject of the result of a chunk.
func (j *job) outSubject(key string, chunk []byte) string {
	sum := sha256.Sum256(chunk)
	return j.subject("out.%s.%x", key, sum[:16])
}

// isID reports whether a text may be an ID, and so a part of a subject.
func isID(text string) bool {
	return text != "" && len(text) <= 64 && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// Create creates a job without inputs, and returns its ID.
func (q *Queue) Create(ctx context.Context, head report.Head) (id string, err error) {
	j := &job{Job: Job{ID: rand.Text()}, q: q}
	config := jetstream.StreamConfig{
		Name: streamPrefix + j.ID, Subjects: []string{subjectPrefix + j.ID + ".>"},
		Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1, MaxMsgSize: maxMessage,
		DenyDelete: true, DenyPurge: true, Compression: jetstream.S2Compression, Replicas: 3,
	}
	err = q.again(ctx, func() (err error) {
		j.stream, err = q.js.CreateStream(ctx, config)
		if isCode(err, codeStandalone) {
			config.Replicas, config.AllowDirect = 1, true // of several replicas, one that lags behind could answer
			j.stream, err = q.js.CreateStream(ctx, config)
		}
		return err
	})
	if err == nil {
		_, err = j.put(ctx, j.subject("job"), headLine(head))
	}
	return j.ID, err
}

// headLine returns a head as the first line of NDJSON.
func headLine(head report.Head) []byte {
	var b bytes.Buffer
	report.NDJSON.New(&b, report.Options{Head: head}).Close(report.Interrupted) // a buffer takes everything
	line, _, _ := bytes.Cut(b.Bytes(), []byte("\n"))
	return append(line, '\n')
}

// job finds a job that has a head.
func (q *Queue) job(ctx context.Context, id string) (*job, error) {
	j := &job{Job: Job{ID: id}, q: q, plan: plan{Open: true}}
	if !isID(id) {
		return nil, fmt.Errorf("%w: %q", ErrNoJob, id)
	}
	err := q.again(ctx, func() (err error) {
		j.stream, err = q.js.Stream(ctx, streamPrefix+id)
		return err
	})
	if err == nil {
		var m *jetstream.RawStreamMsg
		if m, err = j.get(ctx, j.subject("job")); m != nil {
			r, err := report.NewReader(bytes.NewReader(m.Data))
			if err != nil {
				return nil, fmt.Errorf("job %s %w: by another version of webcap", id, ErrOther)
			}
			j.Head, j.Begun = r.Head(), j.stream.CachedInfo().Created.UTC()
			return j, nil
		}
	}
	if err == nil || isCode(err, jetstream.JSErrCodeStreamNotFound) {
		err = fmt.Errorf("%w: %s", ErrNoJob, id)
	}
	return nil, err
}

// compare returns ErrOther if the audits of the job have another head. A worker has no directory.
func (j *job) compare(head report.Head) error {
	why := report.Difference(j.Head, head)
	if head.Directory != "" && head.Directory != j.Head.Directory {
		why = "the folder " + j.Head.Directory
	}
	if why != "" {
		return fmt.Errorf("job %s %w: it has %s", j.ID, ErrOther, why)
	}
	return nil
}

// consumer returns the consumer that gives chunks to workers. Only if it does not exist, or if servers have lost it,
// the consumer is created. Nothing deletes it.
func (j *job) consumer(ctx context.Context) (c jetstream.Consumer, err error) {
	err = j.ask(ctx, func() error {
		if c, err = j.stream.Consumer(ctx, consumerName); isCode(err, jetstream.JSErrCodeConsumerNotFound) {
			c, err = j.stream.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: consumerName,
				AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease, MaxDeliver: -1, MaxAckPending: -1,
				FilterSubject: j.subject("in.*")})
		}
		return err
	})
	return c, err
}

// readPlan reads plans that were added since the last call, and returns the last valid one.
func (j *job) readPlan(ctx context.Context) (plan, error) {
	for {
		m, err := j.get(ctx, j.subject("plan.%d", j.plans+1))
		if err != nil || m == nil {
			return j.plan, err
		}
		j.plans++
		var p plan
		// Each chunk of a plan precedes it in the stream.
		if json.Unmarshal(m.Data, &p) == nil && p.Chunks >= 0 && uint64(p.Chunks) < m.Sequence &&
			p.Inputs >= 0 && p.Inputs <= p.Chunks*maxInputs {
			j.plan = p
		}
	}
}

// remedy returns the command that submits missing inputs.
func (j *job) remedy() string { return fmt.Sprintf("webcap cluster submit --job %s PATH…", j.ID) }

// whyOpen returns why a process waits for a job that is open.
func (j *job) whyOpen() string {
	return fmt.Sprintf("job %s is being submitted; if its submitter has ended, run %s", j.ID, j.remedy())
}

// Remove removes a job and its results.
func (q *Queue) Remove(ctx context.Context, id string) error {
	if !isID(id) {
		return fmt.Errorf("%w: %q", ErrNoJob, id)
	}
	err := q.again(ctx, func() error { return q.js.DeleteStream(ctx, streamPrefix+id) })
	if isCode(err, jetstream.JSErrCodeStreamNotFound) {
		err = fmt.Errorf("%w: %s", ErrNoJob, id)
	}
	return err
}

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
		j, err := q.job(ctx, id)
		var s Status
		if err == nil {
			s, err = j.status(ctx)
		}
		switch {
		case err == nil:
			list = append(list, s)
		case !errors.Is(err, ErrNoJob) && !errors.Is(err, ErrGone) && !errors.Is(err, ErrOther):
			return nil, err
		}
	}
	slices.SortFunc(list, func(a, b Status) int { return a.Begun.Compare(b.Begun) })
	return list, nil
}

// status returns the progress of the job.
func (j *job) status(ctx context.Context) (s Status, err error) {
	p, err := j.readPlan(ctx)
	if err != nil {
		return s, err
	}
	last, err := j.get(ctx, j.subject("in.%d", p.Chunks))
	if err != nil {
		return s, err
	}
	c, err := j.consumer(ctx)
	if err != nil {
		return s, err
	}
	i := c.CachedInfo()
	s = Status{Job: j.Job, State: Done, Inputs: p.Inputs, Waiting: int(i.NumPending), Taken: i.NumAckPending}
	switch {
	case p.Open:
		s.State = Open
	case s.Taken > 0:
		s.State = Working
	case s.Waiting > 0, last != nil && i.Delivered.Stream < last.Sequence: // a server that lags behind
		s.State = Waiting
	}
	return s, nil
}
