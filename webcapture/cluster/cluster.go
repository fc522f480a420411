// Package cluster is a client of a queue of audits on nats-server with JetStream. Only this package connects to other
// machines.
//
// A [Job] is one audit that many processes share. A submitter sends the names of its inputs, in chunks. Workers audit
// chunks. A reader gets the results in the order in which the inputs were submitted. Each of these processes, and each
// server, may be killed and started again: a complete job has one record for each input.
//
// A job is one stream, whose name is never used again. Messages are only added to it, and each subject has at most one
// message, so the first of two results counts. The subjects below webcap.job.ID are:
//
//	job                  the description of the job
//	plan.K               the plan: inputs are being submitted, or the numbers of chunks and inputs. The last one counts
//	in.N                 a chunk: references to up to 500 inputs
//	in.N-I               one input of chunk N, which is audited alone because workers died of the chunk
//	out.KEY.DIGEST       the result of a chunk; the digest is that of the chunk
//	part.KEY.TOKEN.K     a part of a result that is too large for one message
//
// A worker takes a chunk from the consumer of the job, audits it, publishes the result, and acknowledges the chunk last.
// So a chunk without acknowledgment comes back. A reader counts: a job is complete if its plan says so, and if each input
// of the plan has a record.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Queue is a connection to the servers of jobs. Its methods wait while servers are unreachable, until their context
// is canceled.
type Queue struct {
	nc  *nats.Conn
	js  jetstream.JetStream
	say func(format string, args ...any)
}

// Dial connects to the servers of a queue. It refuses servers on other machines that let everybody in.
func Dial(ctx context.Context, to Access) (*Queue, error) {
	q := &Queue{say: to.Say}
	if q.say == nil {
		q.say = func(string, ...any) {}
	}
	server := serverOptions(to)
	client, err := clientOptions(to)
	if err != nil {
		return nil, err
	}
	if !to.Insecure {
		if err := refuseOpen(ctx, to.URL, server); err != nil {
			return nil, err
		}
	}
	if q.nc, err = connect(ctx, to.URL, slices.Concat(server, client, []nats.Option{
		nats.MaxReconnects(-1), nats.ReconnectWait(time.Second / 2), nats.ErrorHandler(q.report)})); err != nil {
		return nil, err
	}
	if q.js, err = jetstream.New(q.nc, jetstream.WithDefaultTimeout(patience)); err != nil {
		q.nc.Close()
		return nil, err
	}
	return q, nil
}

// connect connects to a server. If none answers, it tries again for a while: a server may be starting.
func connect(ctx context.Context, urls string, opts []nats.Option) (*nats.Conn, error) {
	nc, err := nats.Connect(urls, opts...)
	for begun := time.Now(); errors.Is(err, nats.ErrNoServers) && time.Since(begun) < patience && ctx.Err() == nil; {
		sleep(ctx, mostPause)
		nc, err = nats.Connect(urls, opts...)
	}
	switch {
	case errors.Is(err, nats.ErrNoServers):
		return nil, fmt.Errorf("cannot reach the queue: no nats-server answers at %s", withoutPasswords(urls))
	case errors.Is(err, nats.ErrAuthorization):
		return nil, errors.New("cannot reach the queue: the server rejects the credentials; see --credentials")
	case err != nil:
		return nil, fmt.Errorf("cannot reach the queue: %w", err)
	}
	return nc, nil
}

// serverOptions returns the options with which a client recognizes a server.
func serverOptions(to Access) []nats.Option {
	opts := []nats.Option{nats.Name("webcap"), nats.Timeout(patience)}
	if to.CA != "" {
		opts = append(opts, nats.RootCAs(to.CA))
	}
	return opts
}

// clientOptions returns the options with which a server recognizes the client.
func clientOptions(to Access) (opts []nats.Option, err error) {
	if to.Cert != "" {
		opts = append(opts, nats.ClientCert(to.Cert, to.Key))
	}
	if to.Credentials == "" {
		return opts, nil
	}
	data, err := os.ReadFile(to.Credentials)
	if err != nil {
		return nil, err
	}
	text := strings.TrimSpace(string(data))
	user, password, isUser := strings.Cut(text, ":")
	switch {
	case strings.Contains(text, "BEGIN NATS USER JWT"):
		return append(opts, nats.UserCredentials(to.Credentials)), nil
	case strings.HasPrefix(text, "SU") && len(text) == len("SU")+56:
		key, err := nats.NkeyOptionFromSeed(to.Credentials)
		return append(opts, key), err
	case text == "" || strings.ContainsAny(text, "\r\n"):
		return nil, fmt.Errorf("%s has none of: credentials with a JWT, an NKey seed, user:password, a token",
			to.Credentials)
	case isUser:
		return append(opts, nats.UserInfo(user, password)), nil
	}
	return append(opts, nats.Token(text)), nil
}

// report reports missing rights: requests without them only get no answer.
func (q *Queue) report(_ *nats.Conn, _ *nats.Subscription, err error) {
	if errors.Is(err, nats.ErrPermissionViolation) {
		q.say("the server refuses a request: %v", err)
	}
}

// Close ends the connection.
func (q *Queue) Close() { q.nc.Close() }

// isCode reports whether err is an answer of a server with one of these codes.
func isCode(err error, codes ...jetstream.ErrorCode) bool {
	e, ok := errors.AsType[jetstream.JetStreamError](err)
	return ok && e.APIError() != nil && slices.Contains(codes, e.APIError().ErrorCode)
}

// again repeats a request until it succeeds, fails with a permanent error, or ctx is done.
func (q *Queue) again(ctx context.Context, do func() error) error {
	begun, said := time.Now(), false
	for pause := leastPause; ; pause = min(2*pause, mostPause) {
		err := do()
		switch {
		case err == nil && said:
			q.say("the queue answers again")
			return nil
		case err == nil || isLasting(err):
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !said && time.Since(begun) > sayAfter:
			said = true
			q.say("waiting for the queue: %v", forAdministrator(err))
		}
		sleep(ctx, pause)
	}
}

// isLasting reports whether an error is permanent. Errors of servers that are unreachable, full, or electing are not.
func isLasting(err error) bool {
	return isCode(err, jetstream.JSErrCodeStreamNotFound, jetstream.JSErrCodeConsumerNotFound,
		jetstream.JSErrCodeMessageNotFound, jetstream.JSErrCodeStreamNameInUse, codeStandalone) ||
		slices.ContainsFunc([]error{nats.ErrConnectionClosed, nats.ErrMaxPayload, ErrGone, errForeign},
			func(e error) bool { return errors.Is(err, e) })
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
	case isCode(err, jetstream.JSErrCodeJetStreamNotEnabled, jetstream.JSErrCodeJetStreamNotEnabledForAccount):
		return errors.New("the server has no JetStream, or has ended it because of its disk")
	case isSilence(err):
		return errors.New("no server answers")
	}
	return err
}

// Codes of servers for which package jetstream has no name.
const (
	codeInsufficient jetstream.ErrorCode = 10023 // also a limit of the server or the account
	codeNoStorage    jetstream.ErrorCode = 10047
	codeStandalone   jetstream.ErrorCode = 10074 // a single server has no replicas
	codeStoreFailed  jetstream.ErrorCode = 10077 // a limit of the stream or its store
	codeInFlight     jetstream.ErrorCode = 10158 // another message of the subject is being stored
)

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
