package cluster

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// job is a Job with its stream.
type job struct {
	Job
	q      *Queue
	stream jetstream.Stream
	plan   plan   // last known plan
	plans  uint64 // number of plans read
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
	return j.subject("out.%s.%s", key, hex.EncodeToString(sum[:16]))
}

// ask is again for a request about the stream of the job. If the job was removed, servers do not answer, or report that
// its consumer does not exist. Then ask returns ErrGone.
func (j *job) ask(ctx context.Context, do func() error) error {
	return j.q.again(ctx, func() error {
		err := do()
		if isCode(err, jetstream.JSErrCodeStreamNotFound, jetstream.JSErrCodeConsumerNotFound) || isSilence(err) {
			if _, gone := j.q.js.Stream(ctx, streamPrefix+j.ID); isCode(gone, jetstream.JSErrCodeStreamNotFound) {
				return fmt.Errorf("job %s %w", j.ID, ErrGone)
			}
		}
		return err
	})
}

// get returns the message of a subject, or nil if there is none.
func (j *job) get(ctx context.Context, subject string) (m *jetstream.RawStreamMsg, err error) {
	err = j.ask(ctx, func() error {
		m, err = j.stream.GetLastMsgForSubject(ctx, subject)
		return err
	})
	if isCode(err, jetstream.JSErrCodeMessageNotFound) {
		return nil, nil
	}
	return m, err
}

// put publishes the only message of a subject. It never overwrites a message: own is false if the subject has other
// data. If a server does not answer, or another message of the subject is being stored, put looks which one was stored.
func (j *job) put(ctx context.Context, subject string, data []byte) (own bool, err error) {
	err = j.ask(ctx, func() error {
		_, err := j.q.js.Publish(ctx, subject, data, jetstream.WithExpectLastSequencePerSubject(0))
		if err == nil {
			own = true
			return nil
		}
		if !isCode(err, jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant,
			codeStoreFailed, codeInFlight) {
			return err // again publishes the message a second time, and then learns whether the first was stored
		}
		there, lost := j.stream.GetLastMsgForSubject(ctx, subject)
		switch {
		case lost == nil:
			own = bytes.Equal(there.Data, data)
			return nil
		case isCode(lost, jetstream.JSErrCodeMessageNotFound):
			return err
		}
		return lost
	})
	return own, err
}
