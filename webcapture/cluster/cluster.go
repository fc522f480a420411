// Package cluster is a client of a queue of audits on nats-server with JetStream. Only this package connects to other
// machines.
//
// A [Job] is one audit that many processes share. A submitter sends the names of its inputs, in chunks. Workers audit
// chunks. A reader gets the results in the order in which the inputs were submitted. Each of these processes, and each
// server, may be killed and started again: a complete job has one record for each input.
//
// A job is one stream, whose name is never used again. Messages are only added to it, and each subject has at most one
// message, so the first of two results counts. The head of the results is in the metadata of the stream. The subjects
// below webcap.job.ID are:
//
//	plan.K               the plan: inputs are being submitted, or the numbers of chunks and inputs. The last one counts;
//	                     K is the sequence of the one before
//	in.N                 a chunk: references to up to 500 inputs
//	in.N-I               one input of chunk N, which is audited alone because workers died of the chunk
//	out.KEY.DIGEST       the result of a chunk; the digest is that of the chunk
//	part.KEY.TOKEN.K     a part of a result that is too large for one message
//
// A worker takes a chunk from the consumer of the job, audits it, publishes the result, and acknowledges the chunk
// last. So a chunk without acknowledgment comes back. A reader counts: a job is complete if its plan says so, and if
// each input of the plan has a record.
package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"regexp"
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

// userInfo matches the credentials in a list of URLs.
var userInfo = regexp.MustCompile(`[^/,]*@`)

// Dial connects to the servers of a queue, which may be starting. It refuses servers that accept connections without
// credentials. urls are separated by commas. file has a token, or credentials with a JWT; it may be empty. say reports
// that this process waits, or skips an input.
func Dial(ctx context.Context, urls, file string, say func(format string, args ...any)) (*Queue, error) {
	opts := []nats.Option{nats.Name("webcap"), nats.Timeout(patience), nats.MaxReconnects(-1),
		nats.ReconnectWait(time.Second / 2),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})} // the caller gets the error
	client, err := credentials(file)
	if err != nil {
		return nil, err
	}
	connect := func() (*nats.Conn, error) {
		nc, err := nats.Connect(urls, append(client, opts...)...)
		if err == nil {
			if err = refuseOpen(nc.ConnectedUrl(), opts); err != nil {
				nc.Close()
			}
		}
		return nc, err
	}
	nc, err := connect()
	for begun := time.Now(); isAway(err) && time.Since(begun) < patience && ctx.Err() == nil; {
		sleep(ctx, mostPause)
		nc, err = connect()
	}
	if err != nil {
		return nil, explain(err, userInfo.ReplaceAllString(urls, ""))
	}
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(patience))
	return &Queue{nc, js, say}, err
}

// isAway reports whether err means that no server answers, for example because it is starting.
func isAway(err error) bool {
	_, isNet := errors.AsType[*net.OpError](err)
	return isNet || errors.Is(err, nats.ErrNoServers) || errors.Is(err, io.EOF)
}

// Close ends the connection.
func (q *Queue) Close() { q.nc.Close() }

var errOpen = errors.New("it accepts connections without credentials; set up a token or users in its configuration")

// refuseOpen connects to a server without credentials, and returns an error unless the server rejects that. Otherwise,
// any program that reaches the server could submit, read, and remove jobs. Servers with only a system account do not
// reject it.
func refuseOpen(server string, opts []nats.Option) error {
	nc, err := nats.Connect(userInfo.ReplaceAllString(server, ""), append(opts, nats.IgnoreDiscoveredServers())...)
	switch {
	case err == nil:
		nc.Close()
		return errOpen
	case errors.Is(err, nats.ErrAuthorization):
		return nil
	}
	return err
}

// explain returns the error of a connection in plain words.
func explain(err error, urls string) error {
	why := fmt.Sprintf("%v; SSL_CERT_FILE may name trusted certificates", err)
	_, isURL := errors.AsType[*url.Error](err)
	switch {
	case isURL: // it has the URL, perhaps with a password
		why = "--nats is not a list of URLs such as nats://queue:4222"
	case isAway(err):
		why = "no server answers; start nats-server, or correct --nats"
	case errors.Is(err, nats.ErrAuthorization):
		why = "it rejects the credentials; correct --credentials"
	case errors.Is(err, errOpen):
		why = err.Error()
	}
	return fmt.Errorf("cannot use the queue at %s: %s", urls, why)
}

// credentials returns the option with which a server recognizes the client, if there is a file with credentials.
func credentials(file string) ([]nats.Option, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if bytes.Contains(data, []byte("BEGIN NATS USER JWT")) {
		return []nats.Option{nats.UserCredentials(file)}, nil
	}
	return []nats.Option{nats.Token(string(bytes.TrimSpace(data)))}, nil
}
