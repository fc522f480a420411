// Package cluster is a queue of audits on NATS JetStream, in this process or on servers, and the only package that
// connects to other machines.
//
// A [Job] is one audit, shared by many processes. A submitter names its inputs, chunk by chunk; workers audit
// chunks; a reader gets the results in the order in which the inputs were named. Each of these may be killed and
// begin again: a complete job has one record for each input.
//
// The design, and what was measured for it, is in docs/cluster.md. In short: chunks are messages of a stream, in
// the order of inputs, each published with the sequence that it has to get, so that none is there twice. A worker
// takes a chunk, looks whether its result is there, audits it, publishes the result with the condition that there
// is none, and acknowledges the chunk last. So it may be killed anywhere: a chunk that was not acknowledged comes
// back, and of two results the first counts.
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
	own func() // ends the server of this process; nil if there is none
	id  string // of this connection

	life context.Context // done when the server of this process has failed

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
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})) // the caller of the request gets the error
	nc, err := nats.Connect(url, opts...)
	for begun := time.Now(); errors.Is(err, nats.ErrNoServers) && time.Since(begun) < patience && ctx.Err() == nil; {
		sleep(ctx, mostPause) // it may be starting
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

// Close ends the connection, and the server of this process.
func (q *Queue) Close() error {
	q.nc.Close()
	if q.own != nil {
		q.own()
	}
	return nil
}

// answer returns the answer of a server in err, or nil.
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

// isTaken reports whether err means that the place of a message is taken, or that another message for it is on its
// way. Reading the place shows which.
func isTaken(err error) bool {
	const inFlight = 10158
	return isCode(err, jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant,
		inFlight)
}

// isGone reports whether err means that a job no longer exists.
func isGone(err error) bool {
	return isCode(err, jetstream.JSErrCodeStreamNotFound, jetstream.JSErrCodeConsumerNotFound)
}

// again repeats a request until it succeeds, or fails with a permanent error. A refusal by the server of this
// process is permanent.
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
			q.say("waiting for the queue: %v", whyNot(err))
		}
		sleep(ctx, pause)
	}
}

// whyNot returns an error of a server in words for its administrator.
func whyNot(err error) error {
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

// isLasting reports whether an error is permanent, and not that of a server that is unreachable, full, or electing.
func isLasting(err error) bool {
	lasting := []error{nats.ErrConnectionClosed, nats.ErrPermissionViolation, nats.ErrMaxPayload,
		jetstream.ErrBucketNotFound, jetstream.ErrObjectNotFound, jetstream.ErrDigestMismatch}
	return isGone(err) || isTaken(err) ||
		isCode(err, jetstream.JSErrCodeMessageNotFound, jetstream.JSErrCodeStreamNameInUse) ||
		slices.ContainsFunc(lasting, func(e error) bool { return errors.Is(err, e) })
}

func sleep(ctx context.Context, d time.Duration) { sleepUntil(ctx, nil, d) }

// sleepUntil is sleep that ends early on a notification.
func sleepUntil(ctx context.Context, there <-chan struct{}, d time.Duration) {
	select {
	case <-time.After(d):
	case <-there:
	case <-ctx.Done():
	}
}

// notifier wakes goroutines of this process that wait for chunks or results when the process publishes one.
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
