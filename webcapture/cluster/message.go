package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// again repeats a request until it succeeds, fails with a permanent error, or ctx is done. Errors of servers that are
// unreachable, full, or electing are not permanent.
func (q *Queue) again(ctx context.Context, do func() error) error {
	begun, said := time.Now(), false
	return poll(ctx, func() (bool, error) {
		err := do()
		switch {
		case err == nil && said:
			q.say("the queue answers again")
		case err == nil:
		case isCode(err, jetstream.JSErrCodeStreamNotFound, jetstream.JSErrCodeConsumerNotFound,
			jetstream.JSErrCodeMessageNotFound, codeStandalone) || errors.Is(err, ErrGone):
			return true, err
		default:
			if !said && time.Since(begun) > sayAfter {
				said = true
				q.say("waiting for the queue: %v", forAdministrator(err))
			}
			return false, nil
		}
		return true, nil
	})
}

// poll calls look until it is done or fails, with pauses, or until ctx is done.
func poll(ctx context.Context, look func() (done bool, err error)) error {
	for pause := leastPause; ; pause = min(2*pause, mostPause) {
		if done, err := look(); done || err != nil {
			return err
		}
		if sleep(ctx, pause); ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// Codes of servers for which package jetstream has no name.
const (
	codeInsufficient jetstream.ErrorCode = 10023 // also a limit of the server or the account
	codeNoStorage    jetstream.ErrorCode = 10047
	codeStandalone   jetstream.ErrorCode = 10074 // a single server has no replicas
	codeStoreFailed  jetstream.ErrorCode = 10077 // a limit of the stream or its store
	codeInFlight     jetstream.ErrorCode = 10158 // another message of the subject is being stored
)

// isCode reports whether err is an answer of a server with one of these codes.
func isCode(err error, codes ...jetstream.ErrorCode) bool {
	e, ok := errors.AsType[jetstream.JetStreamError](err)
	return ok && e.APIError() != nil && slices.Contains(codes, e.APIError().ErrorCode)
}

// isSilence reports whether err means that no server has answered. One reason is that a stream does not exist.
func isSilence(err error) bool {
	return slices.ContainsFunc([]error{context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders,
		jetstream.ErrNoStreamResponse}, func(e error) bool { return errors.Is(err, e) })
}

// forAdministrator rewrites an error of a server for its administrator.
func forAdministrator(err error) error {
	switch {
	case isCode(err, codeInsufficient, codeNoStorage, codeStoreFailed):
		return errors.New("a server has no room in its store; remove jobs, or make room on its disk")
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, jetstream.ErrJetStreamNotEnabled):
		return errors.New("the server has no JetStream; set jetstream in its configuration, or restart it")
	case isSilence(err):
		return errors.New("no server answers")
	}
	return err
}

// ask is again for a request about the stream of the job. If the job was removed, servers do not answer, or report that
// its consumer does not exist. Then ask returns ErrGone.
func (j *job) ask(ctx context.Context, do func() error) error {
	return j.q.again(ctx, func() error {
		err := do()
		if isCode(err, jetstream.JSErrCodeStreamNotFound, jetstream.JSErrCodeConsumerNotFound) || isSilence(err) {
			if _, gone := j.q.js.Stream(ctx, j.name()); isCode(gone, jetstream.JSErrCodeStreamNotFound) {
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
// data. If no server answers, again publishes the message a second time, and so learns whether the first was stored.
func (j *job) put(ctx context.Context, subject string, data []byte) (own bool, err error) {
	err = j.ask(ctx, func() error {
		_, err := j.q.js.Publish(ctx, subject, data, jetstream.WithExpectLastSequencePerSubject(0))
		if own = err == nil; own || !isCode(err, jetstream.JSErrCodeStreamWrongLastSequence,
			jetstream.JSErrCodeStreamWrongLastSequenceConstant, codeStoreFailed, codeInFlight) {
			return err
		}
		there, lost := j.stream.GetLastMsgForSubject(ctx, subject)
		if isCode(lost, jetstream.JSErrCodeMessageNotFound) {
			return err
		}
		own = lost == nil && bytes.Equal(there.Data, data)
		return lost
	})
	return own, err
}
