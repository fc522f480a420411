package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// storedJob is the message that describes a job. Paths may have any bytes.
type storedJob struct {
	Head      json.RawMessage `json:"head"`
	Directory []byte          `json:"directory"`
	Base      []byte          `json:"base"`
	Begun     time.Time       `json:"begun"`
	Label     string          `json:"label"`
}

// plan is a message that says how complete the inputs of a job are.
type plan struct {
	Open   bool `json:"open,omitempty"` // inputs are being submitted
	Chunks int  `json:"chunks"`
	Inputs int  `json:"inputs"`
}

// Create creates a job without inputs, and returns its ID.
func (q *Queue) Create(ctx context.Context, label string) (id string, err error) {
	if len(label) > maxLabel {
		return "", fmt.Errorf("the label has more than %d bytes", maxLabel)
	}
	id = nuid.Next()
	config := jetstream.StreamConfig{
		Name: streamPrefix + id, Description: label, Subjects: []string{subjectPrefix + id + ".>"},
		Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1, MaxMsgSize: maxMessage,
		DenyDelete: true, DenyPurge: true, Compression: jetstream.S2Compression, Replicas: 3,
	}
	create := func() error {
		_, err := q.js.CreateStream(ctx, config)
		return err
	}
	if err = q.again(ctx, create); isCode(err, codeStandalone) {
		config.Replicas = 1
		config.AllowDirect = true // with several replicas, one that lags behind could answer
		err = q.again(ctx, create)
	}
	return id, err
}

// describe publishes the description of the job, or compares j with that of an earlier submission.
func (q *Queue) describe(ctx context.Context, described Job) (*job, error) {
	head, err := encodeHead(described.Head)
	if err != nil {
		return nil, err
	}
	j, err := q.job(ctx, described.ID)
	if errors.Is(err, errUndescribed) {
		data, err := json.Marshal(storedJob{head, []byte(described.Directory), []byte(described.Base), described.Begun,
			described.Label})
		if err != nil {
			return nil, err
		}
		if _, err := j.put(ctx, j.subject("job"), data); err != nil {
			return nil, err
		}
		j, err = q.job(ctx, described.ID)
		if err != nil {
			return nil, err
		}
	} else if err != nil {
		return nil, err
	}
	switch why := report.Difference(j.Head, described.Head); {
	case why != "":
		return nil, fmt.Errorf("job %s was %w: it has %s", j.ID, ErrOther, why)
	case j.Directory != described.Directory:
		return nil, fmt.Errorf("job %s was %w: in the folder %s", j.ID, ErrOther, j.Directory)
	}
	return j, j.createConsumer(ctx)
}

// createConsumer creates the consumer that gives chunks to workers. Nothing deletes it.
func (j *job) createConsumer(ctx context.Context) error {
	return j.ask(ctx, func() error {
		_, err := j.q.js.CreateConsumer(ctx, streamPrefix+j.ID, jetstream.ConsumerConfig{
			Durable: consumerName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease, MaxDeliver: -1,
			MaxAckPending: maxHeld, FilterSubject: j.subject("in.*"),
		})
		if isCode(err, jetstream.JSErrCodeConsumerNameExists, jetstream.JSErrCodeConsumerAlreadyExists,
			jetstream.JSErrCodeConsumerExists) {
			return nil
		}
		return err
	})
}

// consumer returns the state of the consumer. If servers have lost the consumer, it is created again, and gives all
// chunks again; those with results take no time.
func (j *job) consumer(ctx context.Context) (c jetstream.Consumer, err error) {
	for {
		err = j.ask(ctx, func() error {
			c, err = j.q.js.Consumer(ctx, streamPrefix+j.ID, consumerName)
			return err
		})
		if !isCode(err, jetstream.JSErrCodeConsumerNotFound) {
			return c, err
		}
		if err := j.createConsumer(ctx); err != nil {
			return nil, err
		}
	}
}

// reset makes the consumer give the chunk with this sequence, and later ones, again.
func (j *job) reset(ctx context.Context, sequence uint64) error {
	if _, err := j.consumer(ctx); err != nil {
		return err
	}
	return j.ask(ctx, func() error {
		_, err := j.q.js.ResetConsumerToSequence(ctx, streamPrefix+j.ID, consumerName, sequence)
		return err
	})
}

var (
	errForeign     = errors.New("is not a job of this version of webcap")
	errUndescribed = errors.New("has no description yet; repeat webcap cluster submit")
)

// job finds a job. If the error is errUndescribed, the job has only its ID and stream.
func (q *Queue) job(ctx context.Context, id string) (*job, error) {
	j := &job{Job: Job{ID: id}, q: q, plan: plan{Open: true}}
	if !isID(id) {
		return nil, fmt.Errorf("%w: %q", ErrNoJob, id)
	}
	err := q.again(ctx, func() (err error) {
		j.stream, err = q.js.Stream(ctx, streamPrefix+id)
		return err
	})
	if isCode(err, jetstream.JSErrCodeStreamNotFound) {
		return nil, fmt.Errorf("%w: %s", ErrNoJob, id)
	}
	if err != nil {
		return nil, err
	}
	m, err := j.get(ctx, j.subject("job"))
	if err != nil {
		return nil, err
	}
	if m == nil {
		return j, fmt.Errorf("job %s %w", id, errUndescribed)
	}
	if err := j.decode(m.Data); err != nil {
		return nil, fmt.Errorf("job %s %w", id, errForeign)
	}
	return j, nil
}

// isID reports whether a text may be the ID of a job.
func isID(text string) bool {
	return text != "" && len(text) <= 64 && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

func (j *job) decode(data []byte) error {
	var s storedJob
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	r, err := report.NewReader(bytes.NewReader(s.Head))
	if err != nil {
		return err
	}
	j.Head, j.Directory, j.Base, j.Begun, j.Label = r.Head(), string(s.Directory), string(s.Base), s.Begun, s.Label
	return nil
}

// encodeHead returns a head as the first line of NDJSON, without the line feed.
func encodeHead(head report.Head) ([]byte, error) {
	var b bytes.Buffer
	if err := report.NDJSON.New(&b, report.Options{Head: head}).Close(report.Interrupted); err != nil {
		return nil, err
	}
	line, _, _ := bytes.Cut(b.Bytes(), []byte("\n"))
	return line, nil
}

// readPlan reads plans that were added since the last call, and returns the last valid one.
func (j *job) readPlan(ctx context.Context) (plan, error) {
	for {
		m, err := j.get(ctx, j.subject("plan.%d", j.plans+1))
		if m == nil || err != nil {
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

// putPlan adds a plan after the last one that was read.
func (j *job) putPlan(ctx context.Context, p plan) error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	own, err := j.put(ctx, j.subject("plan.%d", j.plans+1), data)
	if err == nil && !own {
		err = ErrBusy
	}
	if err == nil {
		j.plans++
		j.plan = p
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

// Remove removes a job and its results.
func (q *Queue) Remove(ctx context.Context, id string) error {
	if !isID(id) {
		return fmt.Errorf("%w: %q", ErrNoJob, id)
	}
	asked := 0
	err := q.again(ctx, func() error {
		asked++
		return q.js.DeleteStream(ctx, streamPrefix+id)
	})
	if isCode(err, jetstream.JSErrCodeStreamNotFound) {
		if asked > 1 { // the answer to the first request was lost
			return nil
		}
		return fmt.Errorf("%w: %s", ErrNoJob, id)
	}
	return err
}
