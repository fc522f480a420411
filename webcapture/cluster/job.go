package cluster

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// job is a Job with its stream.
type job struct {
	Job
	q      *Queue
	stream jetstream.Stream
	plan   plan      // last known plan
	plans  int       // number of plans read
	since  time.Time // of the last progress that this process has seen
	said   string    // last report of a wait
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

// name returns the name of the stream.
func (j *job) name() string { return streamPrefix + j.ID }

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
func (q *Queue) Create(ctx context.Context, label string) (id string, err error) {
	id = rand.Text()
	config := jetstream.StreamConfig{
		Name: streamPrefix + id, Description: label, Subjects: []string{subjectPrefix + id + ".>"},
		Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1, MaxMsgSize: maxMessage,
		DenyDelete: true, DenyPurge: true, Compression: jetstream.S2Compression, Replicas: 3,
	}
	return id, q.again(ctx, func() error {
		_, err := q.js.CreateStream(ctx, config)
		if isCode(err, codeStandalone) {
			config.Replicas, config.AllowDirect = 1, true // of several replicas, one that lags behind could answer
			_, err = q.js.CreateStream(ctx, config)
		}
		return err
	})
}

// open finds the stream of a job.
func (q *Queue) open(ctx context.Context, id string) (*job, error) {
	j := &job{Job: Job{ID: id}, q: q, plan: plan{Open: true}, since: time.Now()}
	if !isID(id) {
		return nil, fmt.Errorf("%w: %q", ErrNoJob, id)
	}
	err := q.again(ctx, func() (err error) {
		j.stream, err = q.js.Stream(ctx, j.name())
		return err
	})
	if isCode(err, jetstream.JSErrCodeStreamNotFound) {
		err = fmt.Errorf("%w: %s", ErrNoJob, id)
	}
	return j, err
}

var errForeign = errors.New("is not a job of this version of webcap")

// job finds a job that has a head.
func (q *Queue) job(ctx context.Context, id string) (*job, error) {
	j, err := q.open(ctx, id)
	if err != nil {
		return nil, err
	}
	m, err := j.get(ctx, j.subject("job"))
	switch {
	case err != nil:
		return nil, err
	case m == nil:
		return nil, fmt.Errorf("%w: %s", ErrNoJob, id)
	}
	r, err := report.NewReader(bytes.NewReader(m.Data))
	if err != nil {
		return nil, fmt.Errorf("job %s %w", id, errForeign)
	}
	info := j.stream.CachedInfo()
	j.Head, j.Label, j.Begun = r.Head(), info.Config.Description, info.Created.UTC()
	return j, nil
}

// begin gives a head to a job without one. The error is ErrOther if the job has another head.
func (q *Queue) begin(ctx context.Context, id string, head report.Head) (*job, error) {
	j, err := q.open(ctx, id)
	if err != nil {
		return nil, err
	}
	if _, err = j.put(ctx, j.subject("job"), headLine(head)); err != nil {
		return nil, err
	}
	if j, err = q.job(ctx, id); err != nil {
		return nil, err
	}
	if j.Head.Directory != head.Directory {
		return nil, fmt.Errorf("job %s %w: in the folder %s", id, ErrOther, j.Head.Directory)
	}
	return j, j.compare(head)
}

// compare returns ErrOther if the audits of the job have another head.
func (j *job) compare(head report.Head) error {
	if why := report.Difference(j.Head, head); why != "" {
		return fmt.Errorf("job %s %w: it has %s", j.ID, ErrOther, why)
	}
	return nil
}

// headLine returns a head as the first line of NDJSON.
func headLine(head report.Head) []byte {
	var b bytes.Buffer
	report.NDJSON.New(&b, report.Options{Head: head}).Close(report.Interrupted) // a buffer takes everything
	line, _, _ := bytes.Cut(b.Bytes(), []byte("\n"))
	return append(line, '\n')
}

// consumer returns the consumer that gives chunks to workers. Only if it does not exist, or if servers have lost it,
// the consumer is created. Nothing deletes it.
func (j *job) consumer(ctx context.Context) (c jetstream.Consumer, err error) {
	err = j.ask(ctx, func() error {
		if c, err = j.q.js.Consumer(ctx, j.name(), consumerName); isCode(err, jetstream.JSErrCodeConsumerNotFound) {
			c, err = j.q.js.CreateConsumer(ctx, j.name(), jetstream.ConsumerConfig{Durable: consumerName,
				AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease, MaxDeliver: -1, MaxAckPending: -1,
				FilterSubject: j.subject("in.*")})
		}
		return err
	})
	return c, err
}

// readPlan reads plans that were added since the last call, and returns the last valid one. It is open while there is a
// chunk after those of the plan: another submitter sealed the job too early.
func (j *job) readPlan(ctx context.Context) (plan, error) {
	for {
		m, err := j.get(ctx, j.subject("plan.%d", j.plans+1))
		if err != nil {
			return j.plan, err
		}
		if m == nil {
			next, err := j.get(ctx, j.subject("in.%d", j.plan.Chunks+1))
			p := j.plan
			p.Open = p.Open || next != nil
			return p, err
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

// putPlan adds a plan after the last one that was read.
func (j *job) putPlan(ctx context.Context, p plan) error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	j.plans++
	own, err := j.put(ctx, j.subject("plan.%d", j.plans), data)
	if err == nil && !own {
		err = j.busy()
	}
	return err
}

// busy returns ErrBusy with the remedy.
func (j *job) busy() error {
	return fmt.Errorf("%w %s; when it has ended, run %s", ErrBusy, j.ID, j.remedy())
}

// remedy returns the command that submits missing inputs.
func (j *job) remedy() string { return fmt.Sprintf("webcap cluster submit --job %s PATH…", j.ID) }

// sayWaiting reports once that nothing has happened for some seconds, and why.
func (j *job) sayWaiting(why string) {
	if time.Since(j.since) > sayAfter && j.said != why {
		j.said = why
		j.q.say("waiting: %s", why)
	}
}

// sayOpen reports that the job is open.
func (j *job) sayOpen() {
	j.sayWaiting(fmt.Sprintf("job %s is being submitted; if its submitter has ended, run %s", j.ID, j.remedy()))
}

// Remove removes a job and its results.
func (q *Queue) Remove(ctx context.Context, id string) error {
	j, err := q.open(ctx, id)
	if err != nil {
		return err
	}
	err = q.again(ctx, func() error { return q.js.DeleteStream(ctx, j.name()) })
	if isCode(err, jetstream.JSErrCodeStreamNotFound) { // the answer to the first request was lost
		return nil
	}
	return err
}
