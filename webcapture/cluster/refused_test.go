package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// trouble is what happens to one request.
type trouble int

const (
	refused    trouble = iota // a permanent error
	lost                      // the request does not arrive
	unanswered                // the request is carried out, and its answer is lost
	troubles
)

func (k trouble) String() string { return [troubles]string{"refused", "lost", "unanswered"}[k] }

// line is a connection on which one request fails.
type line struct {
	mu   sync.Mutex
	kind trouble
	at   int // number of the request that fails, from 1; 0 for none
	n    int // number of requests so far
	what string
}

// count returns the number of requests so far.
func (l *line) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}

// send carries out a request.
func send[T any](l *line, what string, do func() (T, error)) (T, error) {
	l.mu.Lock()
	l.n++
	failed := l.n == l.at
	if failed {
		l.what = what
	}
	l.mu.Unlock()
	var none T
	switch {
	case !failed:
		return do()
	case l.kind == refused:
		return none, fmt.Errorf("%s: %w", what, nats.ErrPermissionViolation)
	case l.kind == unanswered:
		do()
	}
	return none, fmt.Errorf("%s: %w", what, nats.ErrTimeout)
}

// lineQueue, lineStream, and lineConsumer send their requests on a line.
type lineQueue struct {
	jetstream.JetStream
	l *line
}

func (q lineQueue) Publish(ctx context.Context, subject string, data []byte, opts ...jetstream.PublishOpt) (
	*jetstream.PubAck, error) {
	return send(q.l, "Publish "+subject, func() (*jetstream.PubAck, error) {
		return q.JetStream.Publish(ctx, subject, data, opts...)
	})
}

func (q lineQueue) PublishMsg(ctx context.Context, m *nats.Msg, opts ...jetstream.PublishOpt) (*jetstream.PubAck,
	error) {
	return send(q.l, "PublishMsg "+m.Subject, func() (*jetstream.PubAck, error) {
		return q.JetStream.PublishMsg(ctx, m, opts...)
	})
}

func (q lineQueue) CreateStream(ctx context.Context, c jetstream.StreamConfig) (jetstream.Stream, error) {
	return send(q.l, "CreateStream "+c.Name, func() (jetstream.Stream, error) { return q.JetStream.CreateStream(ctx, c) })
}

func (q lineQueue) CreateConsumer(ctx context.Context, stream string, c jetstream.ConsumerConfig) (jetstream.Consumer,
	error) {
	return send(q.l, "CreateConsumer", func() (jetstream.Consumer, error) {
		return q.JetStream.CreateConsumer(ctx, stream, c)
	})
}

func (q lineQueue) DeleteStream(ctx context.Context, name string) error {
	_, err := send(q.l, "DeleteStream", func() (any, error) { return nil, q.JetStream.DeleteStream(ctx, name) })
	return err
}

func (q lineQueue) Stream(ctx context.Context, name string) (jetstream.Stream, error) {
	s, err := send(q.l, "Stream "+name, func() (jetstream.Stream, error) { return q.JetStream.Stream(ctx, name) })
	return lineStream{s, q.l}, err
}

func (q lineQueue) ObjectStore(ctx context.Context, bucket string) (jetstream.ObjectStore, error) {
	return send(q.l, "ObjectStore", func() (jetstream.ObjectStore, error) { return q.JetStream.ObjectStore(ctx, bucket) })
}

func (q lineQueue) CreateObjectStore(ctx context.Context, c jetstream.ObjectStoreConfig) (jetstream.ObjectStore,
	error) {
	return send(q.l, "CreateObjectStore", func() (jetstream.ObjectStore, error) {
		return q.JetStream.CreateObjectStore(ctx, c)
	})
}

func (q lineQueue) StreamNames(ctx context.Context, opts ...jetstream.StreamListOpt) jetstream.StreamNameLister {
	list, err := send(q.l, "StreamNames", func() (jetstream.StreamNameLister, error) {
		return q.JetStream.StreamNames(ctx, opts...), nil
	})
	if err != nil {
		return noNames{err}
	}
	return list
}

// noNames is a list of streams that could not be read.
type noNames struct{ err error }

func (n noNames) Name() <-chan string {
	c := make(chan string)
	close(c)
	return c
}

func (n noNames) Err() error { return n.err }

type lineStream struct {
	jetstream.Stream
	l *line
}

func (s lineStream) GetMsg(ctx context.Context, seq uint64, opts ...jetstream.GetMsgOpt) (*jetstream.RawStreamMsg,
	error) {
	return send(s.l, "GetMsg", func() (*jetstream.RawStreamMsg, error) { return s.Stream.GetMsg(ctx, seq, opts...) })
}

func (s lineStream) GetLastMsgForSubject(ctx context.Context, subject string) (*jetstream.RawStreamMsg, error) {
	return send(s.l, "GetLastMsgForSubject "+subject, func() (*jetstream.RawStreamMsg, error) {
		return s.Stream.GetLastMsgForSubject(ctx, subject)
	})
}

func (s lineStream) Info(ctx context.Context, opts ...jetstream.StreamInfoOpt) (*jetstream.StreamInfo, error) {
	return send(s.l, "Info", func() (*jetstream.StreamInfo, error) { return s.Stream.Info(ctx, opts...) })
}

func (s lineStream) Consumer(ctx context.Context, name string) (jetstream.Consumer, error) {
	c, err := send(s.l, "Consumer", func() (jetstream.Consumer, error) { return s.Stream.Consumer(ctx, name) })
	return lineConsumer{c, s.l}, err
}

func (s lineStream) ResetConsumer(ctx context.Context, name string) (*jetstream.ConsumerResetResponse, error) {
	return send(s.l, "ResetConsumer", func() (*jetstream.ConsumerResetResponse, error) {
		return s.Stream.ResetConsumer(ctx, name)
	})
}

func (s lineStream) ResetConsumerToSequence(ctx context.Context, name string, from uint64) (
	*jetstream.ConsumerResetResponse, error) {
	return send(s.l, "ResetConsumerToSequence", func() (*jetstream.ConsumerResetResponse, error) {
		return s.Stream.ResetConsumerToSequence(ctx, name, from)
	})
}

type lineConsumer struct {
	jetstream.Consumer
	l *line
}

func (c lineConsumer) FetchNoWait(n int) (jetstream.MessageBatch, error) {
	if c.l.kind == unanswered { // the message would come back after the lease
		return c.Consumer.FetchNoWait(n)
	}
	return send(c.l, "FetchNoWait", func() (jetstream.MessageBatch, error) { return c.Consumer.FetchNoWait(n) })
}

// remote returns a queue that behaves like one on the network, and a line for its requests.
func remote(t *testing.T) (*Queue, *line) {
	t.Helper()
	own, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { own.Close() })
	q, l := *own, &line{}
	q.own, q.js = nil, lineQueue{own.js, l}
	return &q, l
}

// lifeOfAJob does with a job what all commands together do, and returns what users see. One of its chunks has come back
// so often that its inputs are audited one by one.
func lifeOfAJob(ctx context.Context, q *Queue, inputs []string) (seen []string, err error) {
	const name = "job"
	head := report.Head{Version: "v1", Rules: audit.Rules()}
	j := Job{Name: name, Head: head, Directory: "/", Begun: time.Unix(1700000000, 0), Lease: 5 * time.Second, Replicas: 1}
	// look waits for the status with this number of finished chunks: servers count with a delay.
	look := func(done int) func() error {
		return func() error {
			s, err := q.Status(ctx)
			late := func(one JobStatus) bool { return one.Taken > 0 || one.Done != done }
			for n := 0; err == nil && n < 100 && slices.ContainsFunc(s.Jobs, late); n++ {
				sleep(ctx, leastPause)
				s, err = q.Status(ctx)
			}
			if err != nil {
				return err
			}
			for _, one := range s.Jobs {
				one.Bytes = 0
				seen = append(seen, fmt.Sprintf("%+v %s", one, one.State()))
			}
			return nil
		}
	}
	submit := func() error {
		return q.Submit(ctx, name, batch.Inputs(slices.Values(inputs), batch.PathOptions{}),
			Submission{PerChunk: 2, Upload: true})
	}
	read := func() error {
		of, records, err := q.Results(ctx, name)
		if err != nil {
			return err
		}
		seen = append(seen, of.Name, of.Directory)
		for rec, err := range records {
			if err != nil {
				return err
			}
			seen = append(seen, fmt.Sprint(rec.Path, rec.Size, rec.Err, rec.Report != nil && rec.Report.Findings.Len() > 0))
		}
		return nil
	}
	work := func() error {
		return q.Work(ctx, Worker{Head: head, Jobs: []string{name}, Options: batch.Options{Workers: 1}})
	}
	steps := []func() error{
		func() error { return q.Begin(ctx, j) }, submit, look(0),
		func() error { return giveBack(ctx, q, name) }, work, look(2), read,
		func() error { return q.Begin(ctx, j) }, submit, work, look(2),
		func() error { return q.Cancel(ctx, name) }, look(2), work,
		func() error { return q.Purge(ctx, name) }, look(0),
	}
	for i, step := range steps {
		if err := step(); err != nil {
			return seen, fmt.Errorf("step %d: %w", i, err)
		}
	}
	return seen, nil
}

// giveBack fetches the first chunk of a job and gives it back, as often as if workers had crashed.
func giveBack(ctx context.Context, q *Queue, name string) error {
	c, err := q.js.(lineQueue).JetStream.Consumer(ctx, chunksStream(name), consumerName)
	if err != nil {
		return err
	}
	var first uint64
	for n := 0; n < maxDeaths; {
		got, err := c.Fetch(1, jetstream.FetchMaxWait(time.Second))
		if err != nil {
			return err
		}
		for m := range got.Messages() {
			meta, err := m.Metadata()
			if err != nil {
				return err
			}
			if first == 0 {
				first = meta.Sequence.Stream
			}
			if meta.Sequence.Stream == first {
				n++
			}
			m.Nak()
		}
		if got.Error() != nil {
			return got.Error()
		}
	}
	return nil
}

// TestEachRequestMayFail: if a server refuses a request for good, the command fails with this error. If the request or
// its answer is lost, the command repeats it, and users see the same as without trouble.
func TestEachRequestMayFail(t *testing.T) {
	dir := t.TempDir()
	sound, err := os.ReadFile("../../testdata/site.pdf")
	if err != nil {
		t.Fatal(err)
	}
	var inputs []string
	for i, text := range []string{"%PDF-1.4 damaged", "no PDF", string(sound)} {
		inputs = append(inputs, filepath.Join(dir, fmt.Sprint(i, ".pdf")))
		if err := os.WriteFile(inputs[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	q, l := remote(t)
	want, err := lifeOfAJob(t.Context(), q, inputs)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d requests:\n%s", l.n, strings.Join(want, "\n"))
	type failure struct {
		kind trouble
		at   int
	}
	var all []failure
	for at := range l.n {
		for kind := range troubles {
			all = append(all, failure{kind, at + 1})
		}
	}
	for _, f := range webcapturetest.Sample(10, all) {
		t.Run(fmt.Sprint(f.kind, f.at), func(t *testing.T) {
			t.Parallel()
			q, l := remote(t)
			l.kind, l.at = f.kind, f.at
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
			defer cancel()
			got, err := lifeOfAJob(ctx, q, inputs)
			switch {
			case l.what == "":
				t.Skipf("%d requests this time", l.n)
			case strings.HasSuffix(l.what, signsStream): // a worker needs no heartbeats
			case f.kind == refused && !errors.Is(err, nats.ErrPermissionViolation) &&
				!strings.Contains(strings.Join(got, "\n"), nats.ErrPermissionViolation.Error()): // as for an input
				t.Errorf("%s was refused, and the error is %v; users see\n%s", l.what, err, strings.Join(got, "\n"))
			case f.kind != refused && err != nil:
				t.Errorf("%s: %v", l.what, err)
			case f.kind != refused && !slices.Equal(got, want):
				t.Errorf("%s: users see\n%s\nwant\n%s", l.what, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}
