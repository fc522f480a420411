package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// TestChunkIsFull: a chunk is full with as many inputs as asked for, with enough bytes of files, or if it is long. The
// later in an archive its members are, the more of them it takes.
func TestChunkIsFull(t *testing.T) {
	long := strings.Repeat("x", chunkSize/3)
	for name, row := range map[string]struct {
		ref         batch.Ref
		bytes       int64
		full, third bool // with one input, and with the third
	}{
		"few files":             {batch.Ref{Name: "a"}, 1, false, false},
		"many bytes":            {batch.Ref{Name: "a"}, chunkBytes, true, true},
		"a third of many bytes": {batch.Ref{Name: "a"}, chunkBytes/3 + 1, false, true},
		"bytes in an archive":   {batch.Ref{Name: "a", Archive: "z"}, chunkBytes, false, false},
		"a long name":           {batch.Ref{Name: long + long + long}, 1, true, true},
		"just long enough":      {batch.Ref{Name: strings.Repeat("x", chunkSize-refBytes)}, 1, true, true},
		"almost long enough":    {batch.Ref{Name: strings.Repeat("x", chunkSize-refBytes-1)}, 1, false, true},
		"long names":            {batch.Ref{Name: long}, 1, false, true},
		"long archives":         {batch.Ref{Archive: long}, 1, false, true},
		"long reasons":          {batch.Ref{Reason: long}, 1, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			var c inputChunk
			if full := c.add(row.ref, row.bytes, 4); full != row.full {
				t.Errorf("full with one: %v", full)
			}
			c.add(row.ref, row.bytes, 4)
			if full := c.add(row.ref, row.bytes, 4); full != row.third {
				t.Errorf("full with three: %v", full)
			}
			if full := c.add(row.ref, row.bytes, 4); !full {
				t.Error("not full with four")
			}
		})
	}
	var c inputChunk
	for i := range 7 {
		if full := c.add(batch.Ref{Archive: "z", At: 8 * archiveShare}, 0, 4); full {
			t.Errorf("full with %d members, far into an archive", i+1)
		}
	}
	if !c.add(batch.Ref{Archive: "z", At: 8 * archiveShare}, 0, 4) {
		t.Error("not full with an eighth")
	}
	c = inputChunk{}
	if !c.add(batch.Ref{Name: "a", At: 8 * archiveShare}, 0, 1) {
		t.Error("a file counts as a member of an archive")
	}
}

// TestCloseUnlocks: after Close, the folder of a queue can be opened again; before, it cannot.
func TestCloseUnlocks(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		q, err := Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Open(t.Context(), dir)
		if err == nil || !strings.Contains(err.Error(), "another process uses this store") {
			t.Errorf("a second Open: %v", err)
		}
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestErrorsOfStore: only an error of writing a file of the store ends the server.
func TestErrorsOfStore(t *testing.T) {
	l := &logger{store: "/store"}
	full := func(op, path string) error { return &fs.PathError{Op: op, Path: path, Err: syscall.ENOSPC} }
	for name, row := range map[string]struct {
		arg  any
		want error
	}{
		"a write":          {full("write", "/store/a"), syscall.ENOSPC},
		"a wrapped write":  {fmt.Errorf("x: %w", full("write", "/store/a")), syscall.ENOSPC},
		"a read":           {full("read", "/store/a"), nil},
		"a file elsewhere": {full("write", "/tmp/a"), nil},
		"another error":    {errors.New("x"), nil},
		"no error":         {"write /store/a", nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := l.ofStore(row.arg); got != row.want {
				t.Errorf("%v, want %v", got, row.want)
			}
		})
	}
}

// TestWorkersAreSeen: a worker that waits for jobs is in the status, with its name, version, and age.
func TestWorkersAreSeen(t *testing.T) {
	q, _ := remote(t)
	before, err := q.Status(t.Context())
	if err != nil || len(before.Workers) != 0 {
		t.Fatalf("%+v, %v", before, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	begun := time.Now()
	go func() { ended <- q.Work(ctx, Worker{Head: report.Head{Version: "v1", Rules: audit.Rules()}}) }()
	var s *Status
	for ; len(ended) == 0 && (s == nil || len(s.Workers) == 0); sleep(ctx, leastPause) {
		if s, err = q.Status(ctx); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Work ends with %v", err)
	}
	host, _ := os.Hostname()
	name := fmt.Sprintf("%s-%d", strings.NewReplacer(".", "-", " ", "-", "*", "-", ">", "-").Replace(host), os.Getpid())
	if s == nil || len(s.Workers) != 1 || s.Workers[0].Name != name || s.Workers[0].Version != "v1" {
		t.Fatalf("%+v, want the worker %s of v1", s, name)
	}
	if w := s.Workers[0]; w.Seen.After(s.Time) || w.Since.After(w.Seen) || w.Since.Before(begun.Add(-time.Minute)) {
		t.Errorf("%+v, begun at %v, seen at %v", w, begun, s.Time)
	}
	if _, err := q.js.Publish(t.Context(), signSubject+"other", []byte("no JSON")); err != nil {
		t.Fatal(err)
	}
	if s, err := q.Status(t.Context()); err != nil || len(s.Workers) != 1 {
		t.Errorf("with a heartbeat that is not JSON: %+v, %v", s, err)
	}
}

// begun begins a job.
func begun(t *testing.T, q *Queue) *job {
	t.Helper()
	return begunAs(t, q, "job")
}

// begunAs begins a job with this name.
func begunAs(t *testing.T, q *Queue, name string) *job {
	t.Helper()
	err := q.Begin(t.Context(), Job{Name: name, Head: report.Head{Version: "v1"}, Directory: "/", Lease: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	j, err := q.job(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// TestLostChunk: a chunk that the servers have lost is an error. One that does not exist yet, or exists, is none.
func TestLostChunk(t *testing.T) {
	q, _ := remote(t)
	ctx := t.Context()
	j := begun(t, q)
	dir := t.TempDir()
	var inputs []string
	for i := range 2 {
		inputs = append(inputs, fmt.Sprintf("%s/%d", dir, i))
		if err := os.WriteFile(inputs[i], nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	paths := batch.Inputs(slices.Values(inputs), batch.PathOptions{})
	if err := q.Submit(ctx, "job", paths, Submission{PerChunk: 1}); err != nil {
		t.Fatal(err)
	}
	check := func(chunk uint64, want string) {
		t.Helper()
		if got := fmt.Sprint(j.checkChunk(ctx, chunk)); got != want {
			t.Errorf("chunk %d: %s, want %s", chunk, got, want)
		}
	}
	check(firstChunk, "<nil>")
	check(firstChunk+1, "<nil>")
	check(firstChunk+9, "<nil>")
	if err := j.chunks.Purge(ctx); err != nil { // messages cannot be deleted one by one
		t.Fatal(err)
	}
	check(firstChunk, "the servers have lost chunk 2; purge the job, and submit it again")
	check(firstChunk+9, "<nil>")
}

// TestPutIsFirst: a message that is not the first of its subject is not published.
func TestPutIsFirst(t *testing.T) {
	q, _ := remote(t)
	ctx := t.Context()
	j := begun(t, q)
	for i, by := range []string{"a", "b", "a"} {
		m := nats.NewMsg(resultSubject("job", "2"))
		m.Header.Set(byHeader, by)
		if first, err := j.put(ctx, m); err != nil || first != (by == "a") {
			t.Errorf("%d: first %v, %v", i, first, err)
		}
	}
}

// TestMetricsEnd: metrics are served until the command ends.
func TestMetricsEnd(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	var url string
	err := showMetrics(ctx, ":0", newRegistry(), func(format string, args ...any) {
		url, _, _ = strings.Cut(strings.TrimPrefix(fmt.Sprintf(format, args...), "metrics at "), ",")
	})
	if err != nil {
		t.Fatal(err)
	}
	get := func() error {
		r, err := http.Get(url)
		if err == nil {
			r.Body.Close()
		}
		return err
	}
	if err := get(); err != nil {
		t.Error(err)
	}
	end()
	http.DefaultClient.CloseIdleConnections()
	for range 1000 {
		if get() != nil {
			return
		}
		sleep(t.Context(), leastPause)
	}
	t.Error("they are still served")
}

// TestEndOfServer: an error of the store ends the server. What the server says afterwards is only a consequence.
func TestEndOfServer(t *testing.T) {
	var said []string
	life, end := context.WithCancelCause(t.Context())
	l := &logger{Logger: silentLogger{}, store: "/store", life: life, end: end,
		say: func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }}
	l.Errorf("a %s", "b")
	l.Errorf("c: %v", &fs.PathError{Op: "write", Path: "/store/x", Err: syscall.ENOSPC})
	l.Errorf("d")
	if strings.Join(said, ",") != "a b" {
		t.Errorf("said %q", said)
	}
	if err := context.Cause(life); !errors.Is(err, syscall.ENOSPC) ||
		!strings.HasPrefix(err.Error(), "cannot write the queue in /store: ") {
		t.Errorf("the server ends with: %v", err)
	}
}

// TestConnectFails: the error says that the queue cannot be reached.
func TestConnectFails(t *testing.T) {
	_, err := Dial(t.Context(), Access{URL: "nats://[::1"})
	if err == nil || !strings.HasPrefix(err.Error(), "cannot reach the queue: ") {
		t.Errorf("%v", err)
	}
	q, _ := remote(t)
	q.nc.Close()
	if _, err := q.Status(t.Context()); !errors.Is(err, nats.ErrConnectionClosed) {
		t.Errorf("after the end of a connection: %v", err)
	}
}

// TestDialNeedsItsFiles: a missing file with credentials is an error before any connection.
func TestDialNeedsItsFiles(t *testing.T) {
	if _, err := Dial(t.Context(), Access{URL: "nats://127.0.0.1:1", Credentials: "/none"}); !errors.Is(err,
		fs.ErrNotExist) {
		t.Errorf("the error is %v", err)
	}
}

// TestCloseEndsConnection: Close also ends the connection.
func TestCloseEndsConnection(t *testing.T) {
	q, err := Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Close(); err != nil || !q.nc.IsClosed() {
		t.Errorf("%v, closed: %t", err, q.nc.IsClosed())
	}
}

// TestTally: a tally has the number of records and of their bytes.
func TestTally(t *testing.T) {
	var c tally
	c.add(&report.Record{Size: 3})
	c.add(&report.Record{Size: 4})
	if n, bytes := c.sum(); n != 2 || bytes != 7 {
		t.Errorf("%d records, %d bytes", n, bytes)
	}
}

// gathered returns the metrics of a registry whose names begin with webcap_, with their labels.
func gathered(t *testing.T, r *prometheus.Registry) map[string]float64 {
	t.Helper()
	list, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, family := range list {
		if !strings.HasPrefix(family.GetName(), "webcap_") {
			continue
		}
		for _, m := range family.GetMetric() {
			name := family.GetName()
			for _, l := range m.GetLabel() {
				name += " " + l.GetValue()
			}
			values[name] = m.GetGauge().GetValue() + m.GetCounter().GetValue()
		}
	}
	return values
}

// TestMetricsOfServer: a server has metrics of its store and clients, and of the chunks of jobs. Other streams and
// consumers do not count.
func TestMetricsOfServer(t *testing.T) {
	s, q := inProcess(t)
	begun(t, q)
	submitted(t, q, "a", "b", "c")
	other := jetstream.StreamConfig{Name: "OTHER", Subjects: []string{"other"}}
	if _, err := q.js.CreateStream(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	for stream, name := range map[string]string{chunksStream("job"): "x", "OTHER": consumerName} {
		if _, err := q.js.CreateConsumer(t.Context(), stream, jetstream.ConsumerConfig{Durable: name}); err != nil {
			t.Fatal(err)
		}
	}
	got := gathered(t, serverRegistry(s))
	if got["webcap_store_bytes"] == 0 || got["webcap_messages"] != 5 || got["webcap_connections"] != 1 ||
		got["webcap_chunks_waiting job"] != 3 || len(got) != 5 {
		t.Errorf("%v", got)
	}
}

// TestSkippedInput: an input that crashed workers is said to be skipped, and counts.
func TestSkippedInput(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	var said string
	w := &worker{q: q, meter: newWorkerMeter(), Worker: Worker{Say: func(format string, args ...any) {
		said += fmt.Sprintf(format, args...)
	}}}
	lines, err := w.givenUp(t.Context(), holding(t, j, "w"), 0, batch.Ref{Name: "a"})
	if err != nil || !strings.Contains(string(lines), "skipped after 2 worker crashes") {
		t.Errorf("%s, %v", lines, err)
	}
	if n, _ := w.tally.sum(); n != 1 || said != "a: skipped after 2 worker crashes" {
		t.Errorf("said %q, %d inputs", said, n)
	}
}

// TestChunkAgain: a chunk that comes back is counted.
func TestChunkAgain(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	submitted(t, q, "a")
	w := &worker{q: q, meter: newWorkerMeter(), jobs: map[string]*job{}}
	for n := range 2 {
		m, err := w.fetch(t.Context(), j)
		for ; err == nil && m == nil; m, err = w.fetch(t.Context(), j) { // it comes back in a moment
			sleep(t.Context(), leastPause)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.hold(t.Context(), j, m); err != nil {
			t.Fatal(err)
		}
		if got := gathered(t, w.meter.registry)["webcap_redeliveries_total"]; got != float64(n) {
			t.Errorf("%d times: %v", n, got)
		}
		if err := m.Nak(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestContentsFail: contents that were never sent are an error of their own. Other errors stay as they are.
func TestContentsFail(t *testing.T) {
	q, l := remote(t)
	j := begun(t, q)
	get := j.fetcher(t.Context())
	if _, err := get(batch.Ref{SHA256: "00"}); err != errNotSent {
		t.Errorf("without a store: %v", err)
	}
	if _, err := j.files(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if _, err := get(batch.Ref{SHA256: "00"}); err != errNotSent {
		t.Errorf("with an empty store: %v", err)
	}
	l.kind, l.at = refused, l.n+1
	if _, err := get(batch.Ref{SHA256: "00"}); !errors.Is(err, nats.ErrPermissionViolation) {
		t.Errorf("refused: %v", err)
	}
}
