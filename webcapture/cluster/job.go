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
	headKey       = "head" // of the metadata of a stream
)

// subject returns the subject of a message of the job.
func (j *Job) subject(format string, args ...any) string {
	return subjectPrefix + j.ID + "." + fmt.Sprintf(format, args...)
}

// outSubject returns the subject of the result of a chunk.
func (j *Job) outSubject(key string, chunk []byte) string {
	sum := sha256.Sum256(chunk)
	return j.subject("out.%s.%x", key, sum[:16])
}

// Create creates a job without inputs, and returns its ID.
func (q *Queue) Create(ctx context.Context, head report.Head) (id string, err error) {
	line := headLine(head)
	if len(line) > maxHead {
		return "", fmt.Errorf("the job has too many sources: a queue keeps %d bytes about them, but there are %d; "+
			"name folders instead of files", maxHead, len(line))
	}
	id = rand.Text()
	config := jetstream.StreamConfig{
		Name: streamPrefix + id, Subjects: []string{subjectPrefix + id + ".>"},
		Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1, MaxMsgSize: maxMessage,
		DenyDelete: true, DenyPurge: true, Compression: jetstream.S2Compression, Replicas: 3,
		Metadata: map[string]string{headKey: line},
	}
	return id, q.again(ctx, func() error {
		_, err := q.js.CreateStream(ctx, config)
		if isCode(err, codeStandalone) {
			config.Replicas = 1
			_, err = q.js.CreateStream(ctx, config)
		}
		return err
	})
}

// headLine returns a head as the first line of NDJSON.
func headLine(head report.Head) string {
	var b bytes.Buffer
	report.NDJSON.New(&b, report.Options{Head: head}).Close(report.Interrupted) // a buffer takes everything
	line, _, _ := strings.Cut(b.String(), "\n")
	return line + "\n"
}

// job finds a job. With ErrOther, the job has no head.
func (q *Queue) job(ctx context.Context, id string) (*Job, error) {
	j := &Job{ID: id, q: q}
	err := q.again(ctx, func() (err error) {
		j.stream, err = q.js.Stream(ctx, streamPrefix+id)
		return err
	})
	if err != nil {
		return nil, noJob(id, err)
	}
	info := j.stream.CachedInfo()
	j.Begun = info.Created.UTC()
	r, err := report.NewReader(strings.NewReader(info.Config.Metadata[headKey]))
	if err != nil {
		return j, fmt.Errorf("job %s %w: by another version of webcap", id, ErrOther)
	}
	j.Head = r.Head()
	return j, nil
}

// noJob returns ErrNoJob if err means that there is no job with this ID; otherwise err.
func noJob(id string, err error) error {
	if isCode(err, jetstream.JSErrCodeStreamNotFound) || errors.Is(err, jetstream.ErrInvalidStreamName) {
		return fmt.Errorf("%w: %s; webcap cluster status lists the jobs", ErrNoJob, id)
	}
	return err
}

// compare returns ErrOther if the audits of the job have another head. That of a worker has no directory.
func (j *Job) compare(head report.Head) error {
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
func (j *Job) consumer(ctx context.Context) (c jetstream.Consumer, err error) {
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

// readPlan returns the last plan, and its sequence. Without a valid one, the job is open.
func (j *Job) readPlan(ctx context.Context) (p plan, sequence uint64, err error) {
	m, err := j.get(ctx, j.subject("plan.*"))
	if err != nil || m == nil {
		return plan{Open: true}, 0, err
	}
	// Each chunk of a plan precedes it in the stream.
	if json.Unmarshal(m.Data, &p) != nil || p.Chunks < 0 || uint64(p.Chunks) >= m.Sequence ||
		p.Inputs < 0 || p.Inputs > p.Chunks*maxInputs {
		p = plan{Open: true}
	}
	return p, m.Sequence, nil
}

// remedy returns the command that submits missing inputs.
func (j *Job) remedy() string { return fmt.Sprintf("webcap cluster submit --job %s PATH…", j.ID) }

// whyOpen returns why a process waits for a job that is open.
func (j *Job) whyOpen() string {
	return fmt.Sprintf("job %s is being submitted; if its submitter has ended, run %s", j.ID, j.remedy())
}

// Remove removes a job and its results.
func (q *Queue) Remove(ctx context.Context, id string) error {
	return noJob(id, q.again(ctx, func() error { return q.js.DeleteStream(ctx, streamPrefix+id) }))
}

// Status returns the progress of all jobs, oldest first.
func (q *Queue) Status(ctx context.Context) (list []Status, err error) {
	var names []string
	err = q.again(ctx, func() error {
		names = nil
		streams := q.js.StreamNames(ctx, jetstream.WithStreamListSubject(subjectPrefix+">"))
		for name := range streams.Name() {
			names = append(names, name)
		}
		return streams.Err()
	})
	for _, name := range names {
		j, err := q.job(ctx, strings.TrimPrefix(name, streamPrefix))
		var s Status
		if err == nil || errors.Is(err, ErrOther) {
			s, err = j.status(ctx)
		}
		switch {
		case err == nil:
			list = append(list, s)
		case !errors.Is(err, ErrNoJob) && !errors.Is(err, ErrGone): // it was not removed
			return nil, err
		}
	}
	slices.SortFunc(list, func(a, b Status) int { return a.Begun.Compare(b.Begun) })
	return list, err
}

// status returns the progress of the job.
func (j *Job) status(ctx context.Context) (s Status, err error) {
	p, _, err := j.readPlan(ctx)
	if err != nil {
		return s, err
	}
	last, err := j.get(ctx, j.subject("in.*"))
	if err != nil {
		return s, err
	}
	c, err := j.consumer(ctx)
	if err != nil {
		return s, err
	}
	i := c.CachedInfo()
	s = Status{Job: j, State: Submitted, Inputs: p.Inputs, Waiting: int(i.NumPending), Taken: i.NumAckPending}
	switch {
	case p.Open:
		s.State = Open
	case last == nil || i.AckFloor.Stream >= last.Sequence:
		s.State = Done
	}
	return s, nil
}
