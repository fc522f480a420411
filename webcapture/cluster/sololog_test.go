package cluster

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
)

// holding returns a chunk as a worker holds it, whose inputs are audited one by one. by is the name of the worker.
func holding(t *testing.T, j *job, by string) *heldChunk {
	t.Helper()
	const chunk = "000000002.aa"
	h := &heldChunk{job: j, chunk: chunk, result: j.newResult(chunk, by), done: make(chan struct{})}
	var err error
	if h.alone, err = j.openAlone(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	return h
}

// TestNextWorkerKnows: a worker reads what earlier workers have logged. An input counts as begun if its worker ended
// without a word. It does not count if the worker said that it ends for another reason, or if the input was done.
func TestNextWorkerKnows(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	ctx := t.Context()
	log := func(a *soloLog, entry string, at int, lines string) {
		t.Helper()
		if err := a.log(ctx, entry, at, []byte(lines)); err != nil {
			t.Fatal(err)
		}
	}
	first := holding(t, j, "first").alone
	log(first, entryBegun, 0, "")
	log(first, entryDone, 0, "zero")
	before := first.last
	first.stop() // between two inputs
	if first.last != before {
		t.Error("an entry for no input")
	}
	second := holding(t, j, "second").alone
	log(second, entryBegun, 1, "")
	log(second, entryPart, 1, "of the second")
	third := holding(t, j, "third").alone // the second has crashed
	log(third, entryBegun, 1, "")
	log(third, entryPart, 1, "one")
	log(third, entryPart, 1, "one")
	log(third, entryDone, 1, "!")
	log(third, entryBegun, 2, "")
	third.stop()

	a := holding(t, j, "last").alone
	if len(a.lines) != 2 || string(a.lines[0]) != "zero" || string(a.lines[1]) != "oneone!" {
		t.Errorf("lines: %q, %q", a.lines[0], a.lines[1])
	}
	if a.begun[0] != 1 || a.begun[1] != 2 || a.begun[2] != 0 {
		t.Errorf("begun: %v", a.begun)
	}
}

// TestLongLinesOfAnInput: lines are logged in parts that fit into a message.
func TestLongLinesOfAnInput(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	for at, n := range []int{1, 9, 10, 11, 30} {
		h := holding(t, j, "w")
		h.result.most = 10
		before := h.alone.last
		if err := h.alone.logLines(t.Context(), at, bytes.Repeat([]byte("x"), n)); err != nil {
			t.Fatal(err)
		}
		if entries := h.alone.last - before; entries != uint64((n+9)/10) {
			t.Errorf("%d bytes: %d entries", n, entries)
		}
		if got := holding(t, j, "w").alone.lines[at]; len(got) != n {
			t.Errorf("%d bytes, read back: %d", n, len(got))
		}
	}
}

// TestChunkOfAnother: a worker whose chunk was assigned to another one cannot add entries.
func TestChunkOfAnother(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	old, other := holding(t, j, "old").alone, holding(t, j, "other").alone
	if err := other.log(t.Context(), entryBegun, 0, nil); err != nil {
		t.Fatal(err)
	}
	if err := old.log(t.Context(), entryBegun, 0, nil); !isTaken(err) {
		t.Errorf("the error is %v", err)
	}
	if n := holding(t, j, "new").alone.begun[0]; n != 1 {
		t.Errorf("begun %d times", n)
	}
}

// TestAnswerToEntryIsLost: if the answer is lost, the entry counts once, and the worker goes on at once.
func TestAnswerToEntryIsLost(t *testing.T) {
	for kind := range troubles {
		if kind == refused {
			continue
		}
		q, l := remote(t)
		j := begun(t, q)
		a := holding(t, j, "w").alone
		l.kind, l.at = kind, l.n+1
		for _, entry := range []string{entryBegun, entryDone} {
			if err := a.log(t.Context(), entry, 0, []byte("x")); err != nil {
				t.Errorf("%v: %s: %v", kind, entry, err)
			}
		}
		if l.what == "" {
			t.Fatal("no request failed")
		}
		next := holding(t, j, "w").alone
		if next.begun[0] != 1 || string(next.lines[0]) != "x" {
			t.Errorf("%v: begun %d times, lines %q", kind, next.begun[0], next.lines[0])
		}
	}
}

// TestNoEntryAfterTheEnd: when a worker ends, it begins no more inputs.
func TestNoEntryAfterTheEnd(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	a := holding(t, j, "w").alone
	a.stop()
	why := errors.New("the end")
	ctx, end := context.WithCancelCause(t.Context())
	end(why)
	if err := a.log(ctx, entryBegun, 0, nil); err != why {
		t.Errorf("the error is %v", err)
	}
	if n := holding(t, j, "w").alone.begun[0]; n != 0 {
		t.Errorf("begun %d times", n)
	}
}

// TestEntryIsNotConfirmed: an earlier entry of the same worker does not count as one whose answer was lost, and neither
// does an entry of another worker, of another kind, or for another input.
func TestEntryIsNotConfirmed(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	a := holding(t, j, "w").alone
	m := nats.NewMsg(aloneSubject(j.Name, a.h.chunk))
	m.Header.Set(byHeader, "w")
	m.Header.Set(entryHeader, entryBegun)
	m.Header.Set(atHeader, "0")
	taken := errors.New("taken")
	if err := a.confirm(t.Context(), m, taken); err != taken {
		t.Errorf("no entry: %v", err)
	}
	if err := a.log(t.Context(), entryBegun, 0, nil); err != nil {
		t.Fatal(err)
	}
	if err := a.confirm(t.Context(), m, taken); err != taken {
		t.Errorf("a known entry: %v", err)
	}
	before := a.last
	for key, other := range map[string]string{byHeader: "v", entryHeader: entryDone, atHeader: "1", "": ""} {
		a.last = before - 1 // the answer to the entry was lost
		sent := nats.NewMsg(m.Subject)
		sent.Header = maps.Clone(m.Header)
		want := error(nil)
		if key != "" {
			sent.Header.Set(key, other)
			want = taken
		}
		if err := a.confirm(t.Context(), sent, taken); err != want || (a.last == before) != (want == nil) {
			t.Errorf("another %q: %v, want %v; the last entry is %d of %d", key, err, want, a.last, before)
		}
	}
}

// publishedMsg is a chunk that publishes a message when it is given back.
type publishedMsg struct {
	jetstream.Msg
	q *Queue
}

func (m publishedMsg) Nak() error { return m.q.nc.Publish("returned", nil) }

// TestReleaseIsSent: a worker that ends waits until it has sent that it gives its chunks back.
func TestReleaseIsSent(t *testing.T) {
	q, _ := remote(t)
	(&worker{q: q, held: []*heldChunk{{msg: publishedMsg{q: q}}}}).release()
	if n, err := q.nc.Buffered(); n != 0 || err != nil {
		t.Errorf("%d bytes were not sent, %v", n, err)
	}
}

// TestReleasedChunks: an interrupted worker gives its chunks back. The input that it audits alone does not count as one
// that crashed it.
func TestReleasedChunks(t *testing.T) {
	q, _ := remote(t)
	j := begun(t, q)
	alone, other := &countedMsg{}, &countedMsg{}
	h := holding(t, j, "w")
	h.msg = alone
	if err := h.alone.log(t.Context(), entryBegun, 0, nil); err != nil {
		t.Fatal(err)
	}
	w := &worker{q: q, held: []*heldChunk{{msg: other}, h}}
	w.release()
	if alone.returned != 1 || other.returned != 1 {
		t.Errorf("given back %d and %d times", alone.returned, other.returned)
	}
	if n := holding(t, j, "next").alone.begun[0]; n != 0 {
		t.Errorf("begun %d times", n)
	}
}

// TestRefusedEntries: a worker ends if it cannot write its log, or say that it skips an input.
func TestRefusedEntries(t *testing.T) {
	ref := batch.Ref{Name: "a"}
	for name, do := range map[string]func(ctx context.Context, w *worker, h *heldChunk) error{
		"lines in parts": func(ctx context.Context, _ *worker, h *heldChunk) error {
			h.result.most = 1
			return h.alone.logLines(ctx, 0, []byte("abc"))
		},
		"a skipped input": func(ctx context.Context, w *worker, h *heldChunk) error {
			_, err := w.givenUp(ctx, h, 0, ref)
			return err
		},
	} {
		for at := 1; ; at++ {
			q, l := remote(t)
			j := begun(t, q)
			h := holding(t, j, "w")
			w := &worker{q: q, meter: newWorkerMeter(), Worker: Worker{Say: func(string, ...any) {}}}
			l.kind, l.at = refused, l.n+at
			err := do(t.Context(), w, h)
			if l.what == "" { // fewer requests
				if err != nil || at < 3 {
					t.Errorf("%s: %d requests, %v", name, at-1, err)
				}
				break
			}
			if !errors.Is(err, nats.ErrPermissionViolation) {
				t.Errorf("%s: request %d was refused, and the error is %v", name, at, err)
			}
		}
	}
}

// TestChunksBefore: before a chunk is audited input by input, the worker finishes the chunks that it took earlier.
func TestChunksBefore(t *testing.T) {
	a, b, h := &heldChunk{}, &heldChunk{}, &heldChunk{done: make(chan struct{})}
	w := &worker{held: []*heldChunk{a, b, h}}
	if got := w.before(h); len(got) != 2 || got[0] != a || got[1] != b {
		t.Errorf("%d chunks: %v", len(got), got)
	}
	w.held = []*heldChunk{h}
	if got := w.before(h); len(got) != 0 {
		t.Errorf("alone: %d chunks", len(got))
	}
	w.drop(h)
	if !isClosed(h.done) || len(w.held) != 0 {
		t.Errorf("after drop: done %t, %d chunks", isClosed(h.done), len(w.held))
	}
}
