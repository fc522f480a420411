package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// countedMsg is a chunk that counts what a worker says of it.
type countedMsg struct {
	jetstream.Msg
	renewed         atomic.Int32
	acked, returned int
	lost            int // number of acknowledgments that fail
}

func (m *countedMsg) Nak() error {
	m.returned++
	return nil
}

func (m *countedMsg) InProgress() error {
	m.renewed.Add(1)
	return nil
}

func (m *countedMsg) DoubleAck(context.Context) error {
	m.acked++
	if m.acked <= m.lost {
		return nats.ErrTimeout
	}
	return nil
}

// TestLeaseIsRenewed: the lease of a chunk is renewed several times before it ends. If audits have a time limit, this
// stops when no input has ended for a minute more than the limit.
func TestLeaseIsRenewed(t *testing.T) {
	const lease = 2 * time.Second
	for name, row := range map[string]struct {
		timeout, until time.Duration
		works          bool // inputs end
		renewed        bool // in the last seconds
	}{
		"no limit":             {0, time.Hour, false, true},
		"before the limit":     {time.Minute, time.Minute + stuckAfter - 3*lease, false, true},
		"after the limit":      {time.Minute, time.Minute + stuckAfter + 2*lease, false, false},
		"long after the limit": {time.Minute, time.Hour, false, false},
		"inputs end":           {time.Minute, time.Hour, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := &countedMsg{}
				w := &worker{held: []*heldChunk{{msg: m, lease: lease}}}
				w.Options.Timeout = row.timeout
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				go w.extend(ctx)
				for begun := time.Now(); time.Since(begun) < row.until; time.Sleep(lease) {
					if row.works {
						w.tally.add(&report.Record{})
					}
					synctest.Wait()
				}
				before := m.renewed.Load()
				time.Sleep(lease)
				synctest.Wait()
				if n := m.renewed.Load() - before; row.renewed != (n >= leaseShare-1) || !row.renewed && n > 0 {
					t.Errorf("renewed %d times during a lease", n)
				}
			})
		})
	}
}

// TestAcknowledgment: an acknowledgment is repeated once. The chunk comes back if both are lost.
func TestAcknowledgment(t *testing.T) {
	for lost, want := range []int{1, 2, 2} {
		m := &countedMsg{lost: lost}
		new(worker).acknowledge(t.Context(), m)
		if m.acked != want {
			t.Errorf("%d lost: acknowledged %d times, want %d", lost, m.acked, want)
		}
	}
}

// resetStream counts how often chunks are assigned again.
type resetStream struct {
	jetstream.Stream
	resets int
}

func (s *resetStream) ResetConsumer(context.Context, string) (*jetstream.ConsumerResetResponse, error) {
	s.resets++
	return nil, nil
}

// TestStillJob: if a job makes no progress for ten leases while a worker is idle, its chunks are assigned again, and
// once more after ten further leases.
func TestStillJob(t *testing.T) {
	const lease = time.Minute
	for name, row := range map[string]struct {
		change func(w *worker, j *job, s *JobStatus, n int) // after each lease
		resets int                                          // after 25 leases
	}{
		"no progress":         {func(*worker, *job, *JobStatus, int) {}, 2},
		"chunks are done":     {func(_ *worker, _ *job, s *JobStatus, n int) { s.Done = n }, 0},
		"chunks are added":    {func(_ *worker, _ *job, s *JobStatus, n int) { s.Chunks = n + 1 }, 0},
		"chunks are taken":    {func(_ *worker, j *job, _ *JobStatus, n int) { j.given = uint64(n) }, 0},
		"some progress":       {func(_ *worker, _ *job, s *JobStatus, n int) { s.Done = n / 9 }, 0},
		"the worker has work": {func(w *worker, _ *job, _ *JobStatus, _ int) { w.held = []*heldChunk{{}} }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var said []string
				s := &resetStream{}
				q := &Queue{life: context.Background(), say: func(format string, args ...any) {
					said = append(said, fmt.Sprintf(format, args...))
				}}
				w, j := &worker{q: q}, &job{Job: Job{Name: "j", Lease: lease}, q: q, chunks: s}
				status := &JobStatus{Chunks: 100}
				for n := range 25 {
					row.change(w, j, status, n)
					if err := w.watch(t.Context(), j, status); err != nil {
						t.Fatal(err)
					}
					time.Sleep(lease)
				}
				if s.resets != row.resets || len(said) != row.resets {
					t.Errorf("assigned again %d times, want %d; said %q", s.resets, row.resets, said)
				}
			})
		})
	}
}

// TestAgain: a request is repeated until it succeeds. A permanent error, and each answer of the server in this process,
// is returned at once.
func TestAgain(t *testing.T) {
	foreign := &jetstream.APIError{ErrorCode: 12345}
	answered := fmt.Errorf("refused: %w", jetStreamError{foreign})
	for name, row := range map[string]struct {
		errs []error
		own  bool
		want error
		said string
	}{
		"success":                 {[]error{nil}, false, nil, ""},
		"one failure":             {[]error{nats.ErrTimeout, nil}, false, nil, ""},
		"a permanent error":       {[]error{nats.ErrMaxPayload}, false, nats.ErrMaxPayload, ""},
		"later a permanent error": {[]error{nats.ErrTimeout, nats.ErrMaxPayload}, false, nats.ErrMaxPayload, ""},
		"an answer":               {[]error{answered, nil}, false, nil, ""},
		"an answer of its own":    {[]error{answered}, true, answered, ""},
		"a lost own request":      {[]error{nats.ErrTimeout, nil}, true, nil, ""},
		"many failures": {append(slices.Repeat([]error{nats.ErrTimeout}, 20), nil), false, nil,
			"waiting for the queue: no server answers, the queue answers again"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var said []string
				q := &Queue{life: context.Background(), say: func(format string, args ...any) {
					said = append(said, fmt.Sprintf(format, args...))
				}}
				if row.own {
					q.own = func() {}
				}
				n := 0
				err := q.again(t.Context(), func() error {
					n++
					return row.errs[n-1]
				})
				if err != row.want || n != len(row.errs) || strings.Join(said, ", ") != row.said {
					t.Errorf("%d requests, error %v, said %q", n, err, said)
				}
			})
		})
	}
}

// jetStreamError is an error with an answer of a server.
type jetStreamError struct{ api *jetstream.APIError }

func (e jetStreamError) Error() string                 { return "a server refused" }
func (e jetStreamError) APIError() *jetstream.APIError { return e.api }

// TestAgainEnds: no request is repeated when the command ends, or when the server in this process has failed.
func TestAgainEnds(t *testing.T) {
	why := errors.New("the disk is full")
	ended, end := context.WithCancel(t.Context())
	end()
	dead, kill := context.WithCancelCause(context.Background())
	kill(why)
	for name, row := range map[string]struct {
		ctx, life context.Context
		want      error
	}{
		"the command ends": {ended, context.Background(), nats.ErrTimeout},
		"the server fails": {t.Context(), dead, why},
	} {
		n := 0
		err := (&Queue{life: row.life}).again(row.ctx, func() error {
			n++
			return nats.ErrTimeout
		})
		if err != row.want || n != 1 {
			t.Errorf("%s: %d requests, error %v", name, n, err)
		}
	}
}

// TestNews: who waits is woken by each later message, but not by an earlier one.
func TestNews(t *testing.T) {
	n := &notifier{next: make(chan struct{})}
	isOpen := func(c <-chan struct{}) bool {
		select {
		case <-c:
			return false
		default:
			return true
		}
	}
	n.tell()
	news := n.wait()
	if !isOpen(news) {
		t.Error("woken by an earlier message")
	}
	n.tell()
	if isOpen(news) {
		t.Error("not woken")
	}
	if !isOpen(n.wait()) {
		t.Error("woken twice by one message")
	}
}

// TestWorkerName: the name of a worker is one word of a subject.
func TestWorkerName(t *testing.T) {
	for host, want := range map[string]string{"h": "h-", "a.b c": "a-b-c-", "*>": "---", "a\x00\tb": "a--b-",
		"müller-1": "müller-1-"} {
		if got := workerName(host); strings.TrimRight(got, "0123456789") != want {
			t.Errorf("%q: %q, want %q and a number", host, got, want)
		}
	}
}
