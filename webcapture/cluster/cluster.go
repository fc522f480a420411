// Package cluster is a queue of audits on NATS JetStream, in this process or on servers. Only this package and
// package store connect to other machines.
//
// A [Job] is one audit that many processes share. A submitter sends the names of its inputs, in chunks. Workers
// audit chunks. A reader gets the results in the order in which the inputs were submitted. Each of these processes
// may be killed and started again: a complete job has one record for each input.
//
// docs/cluster.md describes the design and its measurements. In short, chunks are messages of a stream, in the
// order of inputs. Each chunk is published with its expected sequence, so no chunk exists twice. A worker takes a
// chunk and checks that it has no result. Then it audits the chunk, publishes the result on the condition that
// the chunk has none yet, and acknowledges the chunk last. So a worker may be killed at any time: a chunk without
// acknowledgment comes back, and if there are two results, the first counts.
package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	neturl "net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Queue is a connection to the servers of jobs. Its methods wait while servers are unreachable, until their context
// is canceled.
type Queue struct {
	nc  *nats.Conn
	js  jetstream.JetStream
	own func() // ends the server in this process; nil without one
	id  string // identifies this connection

	life context.Context // done when the server in this process has failed

	news *notifier
	say  func(format string, args ...any)
}

// Dial connects to the queue of servers.
func Dial(ctx context.Context, to Access) (*Queue, error) {
	opts, err := access(to)
	if err != nil {
		return nil, err
	}
	return connect(ctx, to.URL, to.Say, opts...)
}

// access returns the options of a connection.
func access(to Access) ([]nats.Option, error) {
	var opts []nats.Option
	if to.CA != "" {
		opts = append(opts, nats.RootCAs(to.CA))
	}
	if to.Cert != "" {
		opts = append(opts, nats.ClientCert(to.Cert, to.Key))
	}
	if to.Credentials == "" {
		return opts, nil
	}
	text, err := os.ReadFile(to.Credentials)
	if err != nil {
		return nil, err
	}
	user, password, isUser := strings.Cut(strings.TrimSpace(string(text)), ":")
	switch {
	case strings.Contains(string(text), "BEGIN NATS USER JWT"):
		return append(opts, nats.UserCredentials(to.Credentials)), nil
	case strings.HasPrefix(string(text), "SU"):
		nkey, err := nats.NkeyOptionFromSeed(to.Credentials)
		return append(opts, nkey), err
	case isUser:
		return append(opts, nats.UserInfo(user, password)), nil
	}
	return nil, fmt.Errorf("%s has none of: credentials with a JWT, an NKey seed, user:password",
		to.Credentials)
}

// withoutPasswords returns URLs of servers without passwords, for messages.
func withoutPasswords(urls string) string {
	list := strings.Split(urls, ",")
	for i, one := range list {
		if u, err := neturl.Parse(strings.TrimSpace(one)); err == nil {
			list[i] = u.Redacted()
		} else {
			list[i] = "an invalid URL"
		}
	}
	return strings.Join(list, ", ")
}

func connect(ctx context.Context, url string, say func(string, ...any), opts ...nats.Option) (*Queue, error) {
	opts = append(opts, nats.Name("webcap"), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second/2),
		nats.Timeout(patience),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})) // the caller gets the error
	nc, err := nats.Connect(url, opts...)
	for begun := time.Now(); errors.Is(err, nats.ErrNoServers) && time.Since(begun) < patience && ctx.Err() == nil; {
		sleep(ctx, mostPause) // the server may be starting
		nc, err = nats.Connect(url, opts...)
	}
	switch {
	case errors.Is(err, nats.ErrNoServers):
		return nil, fmt.Errorf("cannot reach the queue: no server answers at %s; start one with webcap cluster serve",
			withoutPasswords(url))
	case err != nil:
		return nil, fmt.Errorf("cannot reach the queue: %w", err)
	}
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(patience))
	if err != nil {
		nc.Close()
		return nil, err
	}
	if say == nil {
		say = func(string, ...any) {}
	}
	return &Queue{nc: nc, js: js, id: rand.Text(), life: context.Background(),
		news: &notifier{next: make(chan struct{})}, say: say}, nil
}

// Close ends the connection, and the server in this process if there is one.
func (q *Queue) Close() error {
	q.nc.Close()
	if q.own != nil {
		q.own()
	}
	return nil
}

// answer returns the server's answer in err, or nil if err has none.
func answer(err error) *jetstream.APIError {
	if e, ok := errors.AsType[jetstream.JetStreamError](err); ok {
		return e.APIError()
	}
	return nil
}

// isCode reports whether err is an answer of a server with one of these codes.
func isCode(err error, codes ...jetstream.ErrorCode) bool {
	said := answer(err)
	return said != nil && slices.Contains(codes, said.ErrorCode)
}

// isTaken reports whether err means that a message has the sequence already, or that one is being stored. Reading
// the sequence shows which message.
func isTaken(err error) bool {
	const inFlight = 10158
	return isCode(err, jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant,
		inFlight)
}

// isGone reports whether err means that a stream, and so its job, no longer exists.
func isGone(err error) bool { return isCode(err, jetstream.JSErrCodeStreamNotFound) }

// hasNoConsumer reports whether err means that a job exists, but servers have lost its consumer, which gives chunks to
// workers. Begin creates it again.
func hasNoConsumer(err error) bool { return isCode(err, jetstream.JSErrCodeConsumerNotFound) }

// purgedError replaces an error that means that the job no longer exists, or has no consumer.
func purgedError(err error, name string) error {
	switch {
	case isGone(err):
		return fmt.Errorf("job %s: %w", name, ErrPurged)
	case hasNoConsumer(err):
		return fmt.Errorf("the servers have lost the consumer of job %s; submit the job again", name)
	}
	return err
}

// again repeats a request until it succeeds, fails with a permanent error, or ctx is done. A refusal by the server in
// this process is permanent.
func (q *Queue) again(ctx context.Context, do func() error) error {
	begun, said := time.Now(), false
	for pause := leastPause; ; pause = min(2*pause, mostPause) {
		err := do()
		if q.life.Err() != nil {
			return context.Cause(q.life)
		}
		if err == nil && said {
			q.say("the queue answers again")
		}
		if err == nil || isLasting(err) || q.own != nil && answer(err) != nil {
			return err
		}
		if ctx.Err() != nil {
			return err
		}
		if !said && time.Since(begun) > sayAfter {
			said = true
			q.say("waiting for the queue: %v", forAdministrator(err))
		}
		sleep(ctx, pause)
	}
}

// askStream is again for a request about the messages or the consumer of a stream. If the stream does not exist,
// because its job was purged, servers do not answer, or report only that the consumer does not exist. Then askStream
// returns an error for which isGone is true.
func (q *Queue) askStream(ctx context.Context, stream string, do func() error) error {
	return q.again(ctx, func() error {
		err := do()
		if errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrNoStreamResponse) || hasNoConsumer(err) {
			if _, gone := q.js.Stream(ctx, stream); isGone(gone) {
				return gone
			}
		}
		return err
	})
}

// forAdministrator rewrites an error of a server for its administrator.
func forAdministrator(err error) error {
	const insufficient, noStorage = 10023, 10047
	silence := []error{context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, jetstream.ErrNoStreamResponse}
	switch {
	case isCode(err, insufficient, noStorage):
		return errors.New("a server has no room in its store; purge jobs, or raise its max_file_store")
	case slices.ContainsFunc(silence, func(e error) bool { return errors.Is(err, e) }):
		return errors.New("no server answers")
	}
	return err
}

// isLasting reports whether an error is permanent. Errors of servers that are unreachable, full, or electing are
// not.
func isLasting(err error) bool {
	lasting := []error{nats.ErrConnectionClosed, nats.ErrPermissionViolation, nats.ErrMaxPayload,
		jetstream.ErrBucketNotFound, jetstream.ErrObjectNotFound, jetstream.ErrDigestMismatch}
	return isGone(err) || hasNoConsumer(err) || isTaken(err) ||
		isCode(err, jetstream.JSErrCodeMessageNotFound, jetstream.JSErrCodeStreamNameInUse) ||
		slices.ContainsFunc(lasting, func(e error) bool { return errors.Is(err, e) })
}

func sleep(ctx context.Context, d time.Duration) { sleepUntil(ctx, nil, d) }

// sleepUntil sleeps for d. It returns early on a notification or the end of ctx.
func sleepUntil(ctx context.Context, there <-chan struct{}, d time.Duration) {
	select {
	case <-time.After(d):
	case <-there:
	case <-ctx.Done():
	}
}

// notifier wakes goroutines of this process that wait for chunks or results, when this process publishes one.
// Messages of other processes are found by polling.
type notifier struct {
	mu   sync.Mutex
	next chan struct{} // closed on the next notification
}

func (n *notifier) wait() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.next
}

func (n *notifier) tell() {
	n.mu.Lock()
	defer n.mu.Unlock()
	close(n.next)
	n.next = make(chan struct{})
}
