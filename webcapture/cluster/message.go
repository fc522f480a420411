package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// wait calls look until it is done or fails, with pauses, or until ctx is done. If that takes some seconds, wait reports
// once why.
func (q *Queue) wait(ctx context.Context, look func() (done bool, why string, err error)) error {
	begun, said := time.Now(), false
	for pause := leastPause; ; pause = min(2*pause, mostPause) {
		done, why, err := look()
		if done || err != nil {
			return err
		}
		if why != "" && !said && time.Since(begun) > sayAfter {
			said = true
			q.say("waiting: %s", why)
		}
		if sleep(ctx, pause); ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// again repeats a request until it succeeds, fails with a permanent error, or ctx is done. Errors of servers that are
// unreachable, full, or electing are not permanent.
func (q *Queue) again(ctx context.Context, do func() error) error {
	return q.wait(ctx, func() (bool, string, error) {
		err := do()
		if err == nil || errors.Is(err, ErrGone) || errors.Is(err, jetstream.ErrInvalidStreamName) || isCode(err,
			jetstream.JSErrCodeStreamNotFound, jetstream.JSErrCodeConsumerNotFound, jetstream.JSErrCodeMessageNotFound,
			codeStandalone) {
			return true, "", err
		}
		why := "no server with JetStream answers"
		if e, ok := errors.AsType[jetstream.JetStreamError](err); ok && e.APIError() != nil {
			why = e.APIError().Description
		}
		return false, "the queue does not serve a request: " + why, nil
	})
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// codeStandalone is the code of a single server, which has no replicas.
const codeStandalone jetstream.ErrorCode = 10074

// isCode reports whether err is an answer of a server with one of these codes.
func isCode(err error, codes ...jetstream.ErrorCode) bool {
	e, ok := errors.AsType[jetstream.JetStreamError](err)
	return ok && e.APIError() != nil && slices.Contains(codes, e.APIError().ErrorCode)
}

// ask is again for a request about the stream of the job. It returns ErrGone if the job was removed.
func (j *Job) ask(ctx context.Context, do func() error) error {
	return j.q.again(ctx, func() error {
		err := do()
		if err != nil && !isCode(err, jetstream.JSErrCodeMessageNotFound) {
			if _, gone := j.q.js.Stream(ctx, streamPrefix+j.ID); isCode(gone, jetstream.JSErrCodeStreamNotFound) {
				return fmt.Errorf("job %s %w", j.ID, ErrGone)
			}
		}
		return err
	})
}

// get returns the message of a subject, or nil if there is none.
func (j *Job) get(ctx context.Context, subject string) (m *jetstream.RawStreamMsg, err error) {
	err = j.ask(ctx, func() error {
		m, err = j.stream.GetLastMsgForSubject(ctx, subject)
		return err
	})
	if isCode(err, jetstream.JSErrCodeMessageNotFound) {
		return nil, nil
	}
	return m, err
}

// put publishes the only message of a subject, and returns its sequence. It never overwrites a message: the sequence is
// 0 if the subject has other data. If no server answers, again publishes the message a second time, and so learns
// whether the first was stored.
func (j *Job) put(ctx context.Context, subject string, data []byte) (sequence uint64, err error) {
	err = j.ask(ctx, func() error {
		ack, err := j.q.js.Publish(ctx, subject, data, jetstream.WithExpectLastSequencePerSubject(0))
		if err == nil {
			sequence = ack.Sequence
			return nil
		}
		there, unread := j.stream.GetLastMsgForSubject(ctx, subject)
		if unread != nil { // the message was not stored
			return err
		}
		if bytes.Equal(there.Data, data) {
			sequence = there.Sequence
		}
		return nil
	})
	return sequence, err
}
