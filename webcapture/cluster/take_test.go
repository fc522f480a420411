package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
)

// givenMsg is a chunk that was given to workers a number of times.
type givenMsg struct {
	countedMsg
	data     []byte
	times    uint64
	metadata error
}

func (m *givenMsg) Data() []byte { return m.data }

func (m *givenMsg) Metadata() (*jetstream.MsgMetadata, error) {
	if m.metadata != nil {
		return nil, m.metadata
	}
	return &jetstream.MsgMetadata{NumDelivered: m.times,
		Sequence: jetstream.SequencePair{Stream: firstChunk}}, nil
}

// chunkOf returns the encoded chunk of these inputs.
func chunkOf(t *testing.T, names ...string) []byte {
	t.Helper()
	var c inputChunk
	for _, name := range names {
		c.add(batch.Ref{Name: name}, 0, 100)
	}
	data, err := c.encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// holder returns a worker for a job without chunks.
func holder(t *testing.T) (*worker, *job, *line) {
	t.Helper()
	q, l := remote(t)
	j := begun(t, q)
	return &worker{q: q, meter: newWorkerMeter(), jobs: map[string]*job{"job": j},
		Worker: Worker{Head: j.Head, Jobs: []string{"job"}, Say: func(string, ...any) {}}}, j, l
}

// TestHold: a worker audits the inputs of a chunk together, unless the chunk has come back more often than workers may
// crash. A chunk that comes back is counted.
func TestHold(t *testing.T) {
	w, j, _ := holder(t)
	data := chunkOf(t, "a", "b")
	again := 0
	for times := range uint64(5) {
		if times == 0 {
			continue
		}
		if times > 1 {
			again++
		}
		h, err := w.hold(t.Context(), j, &givenMsg{data: data, times: times})
		if err != nil {
			t.Fatal(err)
		}
		if alone := h.alone != nil; alone != (times > maxDeaths) {
			t.Errorf("given %d times: one by one is %t", times, alone)
		}
		if want := fmt.Sprintf("%s-%d", w.q.id, times); h.result.by != want || h.chunk != chunkName(firstChunk, data) {
			t.Errorf("given %d times: chunk %s by %s, want by %s", times, h.chunk, h.result.by, want)
		}
		if len(h.refs) != 2 || h.refs[0].Name != "a" || h.refs[1].Name != "b" || h.lease != j.Lease {
			t.Errorf("%+v, lease %v", h.refs, h.lease)
		}
		if got := gathered(t, w.meter.registry)["webcap_redeliveries_total"]; got != float64(again) {
			t.Errorf("given %d times: %v came back, want %d", times, got, again)
		}
		if n := len(w.held); n != int(times) || w.held[n-1] != h {
			t.Errorf("given %d times: holds %d chunks", times, n)
		}
	}
}

// TestHoldFails: a worker does not hold a chunk that it cannot read, that has a result, or whose result or log cannot
// be looked up. It also holds none after its end.
func TestHoldFails(t *testing.T) {
	damaged := errors.New("no metadata")
	ended, end := context.WithCancel(t.Context())
	end()
	for name, row := range map[string]struct {
		m       *givenMsg
		refused int // number of the request that is refused
		want    string
	}{
		"no metadata":   {&givenMsg{metadata: damaged}, 0, "no metadata"},
		"no chunk":      {&givenMsg{data: []byte("x"), times: 1}, 0, "not a chunk: "},
		"no result":     {&givenMsg{times: 1}, 1, nats.ErrPermissionViolation.Error()},
		"no log":        {&givenMsg{times: maxDeaths + 1}, 2, nats.ErrPermissionViolation.Error()},
		"has a result":  {&givenMsg{data: []byte("y"), times: 1}, 0, ""},
		"after the end": {&givenMsg{times: 1}, 0, context.Canceled.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			w, j, l := holder(t)
			if row.m.data == nil {
				row.m.data = chunkOf(t, "a")
			}
			r := j.newResult(chunkName(firstChunk, []byte("y")), "w")
			if err := r.commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			ctx := t.Context()
			if name == "after the end" {
				ctx = ended
				j.results = lateAnswers{j.results} // answers also after the end
			}
			l.kind = refused
			if row.refused > 0 {
				l.at = l.n + row.refused
			}
			h, err := w.hold(ctx, j, row.m)
			if h != nil || len(w.held) != 0 || row.want == "" && err != nil || row.want != "" &&
				(err == nil || !strings.Contains(err.Error(), row.want)) {
				t.Errorf("holds %v and %d chunks; %v, want %q", h, len(w.held), err, row.want)
			}
			if acked := row.m.acked > 0; acked != (row.want == "") {
				t.Errorf("acknowledged: %t", acked)
			}
		})
	}
}

// lateAnswers is a stream that answers also when a context is done, as if the answer had come just before.
type lateAnswers struct{ jetstream.Stream }

func (s lateAnswers) GetLastMsgForSubject(ctx context.Context, subject string) (*jetstream.RawStreamMsg, error) {
	return s.Stream.GetLastMsgForSubject(context.WithoutCancel(ctx), subject)
}

// oneChunk is a stream whose consumer gives out one chunk.
type oneChunk struct {
	jetstream.Stream
	m *givenMsg
}

func (s oneChunk) Consumer(ctx context.Context, name string) (jetstream.Consumer, error) {
	c, err := s.Stream.Consumer(ctx, name)
	return oneConsumer{c, s.m}, err
}

type oneConsumer struct {
	jetstream.Consumer
	m *givenMsg
}

func (c oneConsumer) FetchNoWait(int) (jetstream.MessageBatch, error) { return oneMessage{c.m}, nil }

type oneMessage struct{ m *givenMsg }

func (b oneMessage) Error() error { return nil }

func (b oneMessage) Messages() <-chan jetstream.Msg {
	got := make(chan jetstream.Msg, 1)
	got <- b.m
	close(got)
	return got
}

// TestTakeGivesBack: a worker that cannot hold a chunk gives it back, so that others need not wait for the lease.
func TestTakeGivesBack(t *testing.T) {
	for data, returned := range map[string]int{"no chunk": 1, string(chunkOf(t, "a")): 0} {
		w, j, _ := holder(t)
		m := &givenMsg{data: []byte(data), times: 1}
		j.chunks = oneChunk{j.chunks, m}
		ctx, cancel := context.WithTimeout(t.Context(), sayAfter)
		h, err := w.take(ctx)
		cancel()
		if (err == nil) != (returned == 0) || (h == nil) != (returned == 1) || m.returned != returned {
			t.Errorf("%.8q: given back %d times, want %d; %v, %v", data, m.returned, returned, h, err)
		}
	}
}

// TestNoChunk: what is not a chunk is an error, and so is a chunk that is longer than any submitter makes.
func TestNoChunk(t *testing.T) {
	good := chunkOf(t, "a", "b")
	c, err := decodeChunk(good)
	if err != nil || len(c.Refs) != 2 || c.Refs[1].Name != "b" {
		t.Errorf("%+v, %v", c, err)
	}
	for name, data := range map[string][]byte{
		"empty":     nil,
		"text":      []byte("some text"),
		"cut short": good[:len(good)/2],
		"too long":  chunkOf(t, strings.Repeat("x", maxChunk)),
	} {
		if c, err := decodeChunk(data); c != nil || err == nil || !strings.HasPrefix(err.Error(), "not a chunk: ") {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
}

// TestInputsEnd: a worker that is stopped between two inputs says why.
func TestInputsEnd(t *testing.T) {
	w, j, _ := holder(t)
	w.failed = make(chan error, 1)
	j.chunks = oneChunk{j.chunks, &givenMsg{data: chunkOf(t, "a", "b"), times: 1}}
	ctx, stop := context.WithTimeout(t.Context(), sayAfter)
	defer stop()
	for in := range w.inputs(ctx) {
		in.Close()
		if in.Name != "a" {
			t.Errorf("the input %s", in.Name)
		}
		stop()
		break
	}
	select {
	case err := <-w.failed:
		if err != context.Canceled {
			t.Errorf("the error is %v", err)
		}
	default:
		t.Error("it does not say why")
	}
}

// TestFinishedJobRests: a worker for all jobs does not check a finished job again soon. A worker for named jobs ends
// when they are done.
func TestFinishedJobRests(t *testing.T) {
	q, l := remote(t)
	j := fullJob(t, q)
	w := &worker{q: q, meter: newWorkerMeter(), jobs: map[string]*job{}, Worker: Worker{Head: j.Head,
		Jobs: []string{"job"}}}
	soon, cancel := context.WithTimeout(t.Context(), sayAfter)
	defer cancel()
	before := l.n
	if h, err := w.take(soon); h != nil || err != nil {
		t.Errorf("%v, %v: the job is done", h, err)
	}
	checks := l.n - before
	if known := w.jobs["job"]; !known.rest.IsZero() {
		t.Errorf("a named job rests until %v", known.rest)
	}
	w.jobs["job"].rest = time.Now().Add(time.Hour)
	before = l.n
	if h, err := w.take(soon); h != nil || err != nil || l.n != before {
		t.Errorf("%v, %v: %d requests about a job that rests", h, err, l.n-before)
	}

	w.Jobs, w.jobs = nil, map[string]*job{}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := w.take(ctx)
		done <- err
	}()
	for l.count() < before+checks+3 && soon.Err() == nil { // and has looked for other jobs
		sleep(soon, leastPause)
	}
	if soon.Err() != nil {
		t.Errorf("%d requests, want %d", l.count()-before, checks+3)
	}
	stop()
	if err := <-done; err != context.Canceled {
		t.Errorf("the error is %v", err)
	}
	if rest := time.Until(w.jobs["job"].rest); rest <= 0 || rest > overPause {
		t.Errorf("the job rests for %v", rest)
	}
}
