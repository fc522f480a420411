package cluster

import (
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// testQueue connects to a server in this process.
func testQueue(t *testing.T) *Queue {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true,
		Authorization: "token", JetStream: true, StoreDir: filepath.Join(t.TempDir(), "js")})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	q, err := Dial(t.Context(), strings.Replace(s.ClientURL(), "//", "//token@", 1), "", t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// submitted submits refs as a new job.
func submitted(t *testing.T, q *Queue, names ...string) *Job {
	t.Helper()
	head := report.Head{Version: "v1", Rules: audit.Rules()}
	id, err := q.Create(t.Context(), head)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Submit(t.Context(), id, head, named(names...)); err != nil {
		t.Fatal(err)
	}
	j, err := q.job(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// named yields inputs with names.
func named(names ...string) iter.Seq2[*batch.Input, error] {
	return func(yield func(*batch.Input, error) bool) {
		for _, name := range names {
			if !yield(&batch.Input{Name: name}, nil) {
				return
			}
		}
	}
}

// largeRecord returns a record with more than 20 MB of JSON.
func largeRecord(name string) *report.Record {
	rec := &report.Record{Path: name, Report: &audit.Report{Path: name}}
	one := audit.Rules()[0]
	for i := range 90_000 {
		rec.Report.Findings = append(rec.Report.Findings, rule.Finding{Rule: one,
			Message: fmt.Sprintf("finding %d: %s", i, strings.Repeat("x", 100))})
	}
	return rec
}

// publish publishes records as the result of the first chunk. If change is not nil, it changes the result before.
func publish(t *testing.T, j *Job, change func(*resultWriter), records ...*report.Record) {
	t.Helper()
	m, err := j.get(t.Context(), j.subject("in.1"))
	if err != nil || m == nil {
		t.Fatal(m, err)
	}
	r := j.newResult(t.Context(), "1")
	for _, rec := range records {
		if err := r.records.Add(rec); err != nil {
			t.Fatal(err)
		}
	}
	if change != nil {
		change(r)
	}
	if err := j.putResult(t.Context(), j.outSubject("1", m.Data), r.head, r.buf.Bytes()); err != nil {
		t.Fatal(err)
	}
}

// read reads the results of a job.
func read(t *testing.T, q *Queue, id string) (list []*report.Record, last error) {
	t.Helper()
	_, records, err := q.Results(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for rec, err := range records {
		if err != nil {
			return list, err
		}
		list = append(list, rec)
	}
	return list, nil
}

// A record of more than 20 MB goes through the queue in parts.
func TestLargeRecord(t *testing.T) {
	q := testQueue(t)
	j := submitted(t, q, "small", "large", "last")
	want := []*report.Record{{Path: "small", Err: errors.New("e")}, largeRecord("large"), {Path: "last",
		Err: errors.New("e")}}
	publish(t, j, nil, want...)
	info, err := j.stream.Info(t.Context())
	if err != nil || info.State.Msgs < 40 {
		t.Errorf("%d messages, %v; want parts", info.State.Msgs, err)
	}
	got, err := read(t, q, j.ID)
	if err != nil || len(got) != 3 {
		t.Fatalf("%d records, %v", len(got), err)
	}
	n := 0
	for _, f := range got[1].Report.Findings {
		if !strings.HasPrefix(f.Message, fmt.Sprintf("finding %d: ", n)) {
			t.Fatalf("finding %d is %.40q", n, f.Message)
		}
		n++
	}
	if n != len(want[1].Report.Findings) || got[0].Path != "small" || got[2].Path != "last" {
		t.Errorf("%d findings in %d records", n, len(got))
	}
}
