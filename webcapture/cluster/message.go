package cluster

import (
	"context"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// message returns a message of a stream, or nil if there is none. The last message of an empty stream, such as that
// of a purged job that is being submitted again, has sequence 0: servers report this sequence only as invalid.
func (q *Queue) message(ctx context.Context, s jetstream.Stream, sequence uint64) (*jetstream.RawStreamMsg, error) {
	if sequence == 0 {
		return nil, nil
	}
	return q.get(ctx, s, func() (*jetstream.RawStreamMsg, error) { return s.GetMsg(ctx, sequence) })
}

// last returns the last message of a subject, or nil if there is none.
func (q *Queue) last(ctx context.Context, s jetstream.Stream, subject string) (*jetstream.RawStreamMsg, error) {
	return q.get(ctx, s, func() (*jetstream.RawStreamMsg, error) { return s.GetLastMsgForSubject(ctx, subject) })
}

func (q *Queue) get(ctx context.Context, s jetstream.Stream, get func() (*jetstream.RawStreamMsg, error)) (
	m *jetstream.RawStreamMsg, err error) {
	err = q.askStream(ctx, s.CachedInfo().Config.Name, func() error {
		m, err = get()
		return err
	})
	if isCode(err, jetstream.JSErrCodeMessageNotFound) {
		return nil, nil
	}
	return m, err
}

// put publishes a message that must be the first of its subject. first is false if another message was first. put
// does not trust the acknowledgment: a message counts as published only after it was read back.
func (j *job) put(ctx context.Context, m *nats.Msg) (first bool, err error) {
	for {
		err := j.q.askStream(ctx, resultsStream(j.Name), func() error {
			_, err := j.q.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(0))
			return err
		})
		if err != nil && !isTaken(err) {
			return false, err
		}
		there, err := j.q.last(ctx, j.results, m.Subject)
		if err != nil || there != nil {
			return err == nil && there.Header.Get(byHeader) == m.Header.Get(byHeader), err
		}
		sleep(ctx, leastPause) // a majority does not have the message yet, or has lost it
	}
}
