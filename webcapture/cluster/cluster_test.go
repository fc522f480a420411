package cluster

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Chunks keep all bytes of names.
func TestChunks(t *testing.T) {
	refs := []batch.Ref{{Name: []byte("a\xff\n")}, {Name: []byte("x.zip!b"), Archive: []byte("x.zip"), At: 3},
		{Name: []byte("gone"), Outcome: report.Skipped.String(), Reason: "why"}}
	if got := decodeRefs(encodeRefs(refs)); !reflect.DeepEqual(got, refs) {
		t.Errorf("%+v, want %+v", got, refs)
	}
}

// A chunk is full at 500 inputs, at 256 kB of names, or at 1 GB of files. One input always fits.
func TestChunkFits(t *testing.T) {
	q := testQueue(t)
	defer Tune(lease, chunkInputs)
	Tune(lease, maxInputs)
	long := strings.Repeat("n", 64<<10)
	for _, tt := range []struct {
		name  string
		bytes int64
		want  int
	}{
		{"a", 0, maxInputs}, {long, 0, 2}, {strings.Repeat(long, 4), 0, 1}, {"a", chunkBytes / 4, 4}, {"a", chunkBytes, 1},
		{"a", chunkBytes + 1, 1},
	} {
		j := submitted(t, q)
		s := &submitter{Job: j}
		for len(s.refs) <= maxInputs && s.chunks == 0 {
			s.bytes += tt.bytes
			if err := s.add(t.Context(), &batch.Input{Name: tt.name}); err != nil {
				t.Fatal(err)
			}
		}
		m, err := j.get(t.Context(), j.subject("in.1"))
		if err != nil || m == nil {
			t.Fatal(m, err)
		}
		if s.inputs != tt.want || len(m.Data) > maxMessage/2 {
			t.Errorf("%.10s of %d bytes: %d inputs in %d bytes, want %d", tt.name, tt.bytes, s.inputs, len(m.Data), tt.want)
		}
	}
}

// A result is damaged if its parts or the names of its records are wrong. From the first wrong name on, each input has
// a record that says so.
func TestDamagedResults(t *testing.T) {
	q := testQueue(t)
	for name, tt := range map[string]struct {
		records []string
		change  func(r *resultWriter)
		right   int
	}{
		"right":          {[]string{"a", "b", "c"}, nil, 3},
		"another order":  {[]string{"a", "c", "b"}, nil, 1},
		"too few":        {[]string{"a", "b"}, nil, 2},
		"none":           {nil, nil, 0},
		"a missing part": {[]string{"a", "b", "c"}, func(r *resultWriter) { r.head.Parts = 1 }, 0},
		"many parts":     {[]string{"a", "b", "c"}, func(r *resultWriter) { r.head.Parts = 2e9 }, 0},
		"only one is left": {[]string{"a", "b", "c"}, func(r *resultWriter) {
			head := bytes.IndexByte(r.buf.Bytes(), '\n') + 1
			r.buf.Truncate(head + bytes.IndexByte(r.buf.Bytes()[head:], '\n') + 1)
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			j := submitted(t, q, "a", "b", "c")
			var list []*report.Record
			for _, name := range tt.records {
				list = append(list, &report.Record{Path: name, Err: errors.New("e")})
			}
			publish(t, j, tt.change, list...)
			got, err := read(t, q, j.ID)
			if len(got) != 3 || err != nil {
				t.Fatalf("%d records, %v", len(got), err)
			}
			for i, rec := range got {
				want := "e"
				if i >= tt.right {
					want = errDamaged.Error()
				}
				if rec.Path != "abc"[i:i+1] || rec.Reason() != want {
					t.Errorf("record %d: %s: %s, want %s", i, rec.Path, rec.Reason(), want)
				}
			}
		})
	}
}

// Two submitters of different inputs do not overwrite each other: one of them ends with ErrBusy, and can be repeated.
func TestBusy(t *testing.T) {
	q := testQueue(t)
	j := submitted(t, q, "a")
	submit := func(names ...string) error {
		return q.Submit(t.Context(), j.ID, j.Head, func(yield func(*batch.Input, error) bool) {
			for _, name := range names {
				if !yield(&batch.Input{Name: name}, nil) {
					return
				}
			}
			if other := map[string]string{"b": "c", "e": "a"}[names[0]]; other != "" { // another submitter is faster
				if err := q.Submit(t.Context(), j.ID, j.Head, named(other)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	if err := submit("b"); !errors.Is(err, ErrBusy) {
		t.Errorf("%v, want %v", err, ErrBusy)
	}
	if err := submit("a", "a", "d"); err != nil {
		t.Error(err)
	}
	if p, _, err := j.readPlan(t.Context()); err != nil || p != (plan{Chunks: 3, Inputs: 4}) {
		t.Errorf("the plan is %+v, %v", p, err)
	}
	if err := submit("e"); !errors.Is(err, ErrBusy) { // the other submitter adds nothing, and seals before the chunk of e
		t.Errorf("%v, want %v", err, ErrBusy)
	}
	if err := q.Submit(t.Context(), j.ID, j.Head, named("e")); err != nil {
		t.Error(err)
	}
	if p, _, err := j.readPlan(t.Context()); err != nil || p != (plan{Chunks: 4, Inputs: 5}) {
		t.Errorf("the plan is %+v, %v", p, err)
	}
}

// A worker that lost its connection twice may still audit a slow input. Its result is better than the record that
// workers died.
func TestSlowInput(t *testing.T) {
	q := testQueue(t)
	j := submitted(t, q, "slow")
	c, err := j.consumer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range maxDeaths {
		m, err := c.Next(jetstream.FetchMaxWait(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		m.Nak()
	}
	worked := make(chan error)
	go func() { worked <- q.Work(t.Context(), j.ID, j.Head, batch.Options{Timeout: time.Minute}) }()
	waitForTaken(t, c)
	time.Sleep(200 * time.Millisecond)
	publish(t, j, nil, &report.Record{Path: "slow", Err: errors.New("late")})
	if err := <-worked; err != nil {
		t.Error(err)
	}
	if got, err := read(t, q, j.ID); err != nil || len(got) != 1 || got[0].Reason() != "late" {
		t.Errorf("%+v, %v", got, err)
	}
}

// waitForTaken waits until a worker has a chunk.
func waitForTaken(t *testing.T, c jetstream.Consumer) {
	t.Helper()
	for range 1000 {
		if info, err := c.Info(t.Context()); err == nil && info.NumAckPending > 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("no worker takes the chunk")
}

// A head that servers would not accept is an error.
func TestLargeHead(t *testing.T) {
	q := testQueue(t)
	head := report.Head{Version: "v1", Sources: make([]report.Source, 5000)}
	for i := range head.Sources {
		head.Sources[i].Name = strings.Repeat("n", 100)
	}
	if _, err := q.Create(t.Context(), head); err == nil || !strings.Contains(err.Error(), "too many sources") {
		t.Errorf("error %v", err)
	}
	head.Sources = head.Sources[:100]
	for len(headLine(head)) < maxHead-200 {
		head.Sources = append(head.Sources, head.Sources[0])
	}
	if _, err := q.Create(t.Context(), head); err != nil {
		t.Error(err)
	}
}
