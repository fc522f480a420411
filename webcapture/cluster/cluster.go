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
//	job                  the head of the results, as NDJSON
//	plan.K               the plan: inputs are being submitted, or the numbers of chunks and inputs. The last one counts
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

// Dial connects to the servers of a queue, which may be starting. It refuses servers on other machines that let
// everybody in.
func Dial(ctx context.Context, to Access) (*Queue, error) {
	server := []nats.Option{nats.Name("webcap"), nats.Timeout(patience)}
	if to.CA != "" {
		server = append(server, nats.RootCAs(to.CA))
	}
	client, err := credentials(to.Credentials)
	if err == nil && !to.Insecure {
		err = refuseOpen(to.URL, server)
	}
	if err != nil {
		return nil, err
	}
	opts := slices.Concat(server, client, []nats.Option{nats.MaxReconnects(-1), nats.ReconnectWait(time.Second / 2),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})}) // the caller gets the error
	nc, err := nats.Connect(to.URL, opts...)
	for begun := time.Now(); isAway(err) && time.Since(begun) < patience && ctx.Err() == nil; {
		sleep(ctx, mostPause)
		nc, err = nats.Connect(to.URL, opts...)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot reach the queue: %w; see --nats, --credentials, and --tls-ca", err)
	}
	js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(patience))
	return &Queue{nc, js, to.Say}, err
}

// isAway reports whether err means that no server answers, for example because it is starting.
func isAway(err error) bool {
	_, isNet := errors.AsType[*net.OpError](err)
	return isNet || errors.Is(err, nats.ErrNoServers) || errors.Is(err, io.EOF)
}

// Close ends the connection.
func (q *Queue) Close() { q.nc.Close() }

// refuseOpen connects without credentials to each server on another machine. It returns an error if one of them accepts
// the connection: everybody could then submit, read, and remove jobs. Servers with only a system account accept it,
// too.
func refuseOpen(urls string, opts []nats.Option) error {
	for one := range strings.SplitSeq(urls, ",") {
		if one = strings.TrimSpace(one); !strings.Contains(one, "://") {
			one = "nats://" + one
		}
		u, err := url.Parse(one)
		if err != nil || !slices.Contains([]string{"nats", "tls", "ws", "wss"}, u.Scheme) {
			return errors.New("cannot reach the queue: --nats is not a list of URLs such as nats://queue:4222")
		}
		if u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback() {
			continue
		}
		u.User = nil
		nc, err := nats.Connect(u.String(), append(slices.Clone(opts), nats.NoReconnect(), nats.IgnoreDiscoveredServers())...)
		if err == nil {
			nc.Close()
			return fmt.Errorf("the server at %s lets everybody in; set up a token or users in its configuration, "+
				"or use --insecure", u.Host)
		}
	}
	return nil
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
