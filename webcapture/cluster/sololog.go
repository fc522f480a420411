package cluster

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// soloLog is the log of a chunk whose workers died. The inputs of such a chunk are audited one by one. One entry
// before each input marks its start, and one entry after it has its result. So the next worker knows which input
// killed the previous one, and has the finished records. Each entry is published with the sequence of the previous
// entry, so a worker whose chunk was assigned to another one cannot add entries.
type soloLog struct {
	h     *heldChunk
	lines map[int][]byte // lines of finished inputs, by index
	begun map[int]int    // number of starts of unfinished inputs, by index
	step  chan []byte    // receives the lines of the current input

	mu      sync.Mutex // held while an entry is published
	last    uint64     // sequence of the last entry
	at      int        // index of the current input; -1 for none
	stopped bool       // no more inputs may start
}

// Entries of the log have a header with their type, and one with the index of the input.
const (
	entryHeader = "Webcap-Entry"
	atHeader    = "Webcap-At"

	entryBegun   = "begun"
	entryStopped = "stopped" // the input was started, but the worker ended for another reason
	entryPart    = "part"    // first lines of an input whose lines do not fit into a message
	entryDone    = "done"
)

// openAlone reads the log of a chunk.
func (j *job) openAlone(ctx context.Context, h *heldChunk) (*soloLog, error) {
	a := &soloLog{h: h, lines: map[int][]byte{}, begun: map[int]int{}, at: -1, step: make(chan []byte)}
	subject := aloneSubject(j.Name, h.chunk)
	parts := map[int][]byte{}
	for {
		next := a.last + 1
		m, err := j.q.get(ctx, j.results, func() (*jetstream.RawStreamMsg, error) {
			return j.results.GetMsg(ctx, next, jetstream.WithGetMsgSubject(subject))
		})
		if err != nil {
			return nil, err
		}
		if m == nil {
			return a, nil
		}
		a.last = m.Sequence
		at, _ := strconv.Atoi(m.Header.Get(atHeader))
		switch m.Header.Get(entryHeader) {
		case entryBegun:
			a.begun[at]++
			delete(parts, at)
		case entryStopped:
			a.begun[at]--
		case entryPart:
			parts[at] = append(parts[at], m.Data...)
		case entryDone:
			a.lines[at] = append(parts[at], m.Data...)
		}
	}
}

// log adds an entry. It is not canceled when the worker ends.
func (a *soloLog) log(ctx context.Context, entry string, at int, lines []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stopped && entry != entryStopped {
		return context.Cause(ctx)
	}
	j := a.h.job
	m := nats.NewMsg(aloneSubject(j.Name, a.h.chunk))
	m.Data = lines
	m.Header.Set(byHeader, a.h.result.by)
	m.Header.Set(entryHeader, entry)
	m.Header.Set(atHeader, strconv.Itoa(at))
	err := j.q.askStream(ctx, resultsStream(j.Name), func() error {
		ack, err := j.q.js.PublishMsg(context.WithoutCancel(ctx), m, jetstream.WithExpectLastSequencePerSubject(a.last))
		if err == nil {
			a.last = ack.Sequence
		}
		return err
	})
	if isTaken(err) {
		err = a.confirm(ctx, m, err)
	}
	a.at = -1
	if err == nil && entry == entryBegun {
		a.at = at
	}
	return err
}

// confirm returns nil if the last entry is m: then only the answer was lost. Otherwise, it returns taken.
func (a *soloLog) confirm(ctx context.Context, m *nats.Msg, taken error) error {
	last, err := a.h.job.q.last(ctx, a.h.job.results, m.Subject)
	if err != nil {
		return err
	}
	if last == nil || last.Sequence <= a.last {
		return taken
	}
	for _, key := range []string{byHeader, entryHeader, atHeader} {
		if last.Header.Get(key) != m.Header.Get(key) {
			return taken
		}
	}
	a.last = last.Sequence
	return nil
}

// logLines adds the result of an input.
func (a *soloLog) logLines(ctx context.Context, at int, lines []byte) error {
	for ; len(lines) > a.h.result.most; lines = lines[a.h.result.most:] {
		if err := a.log(ctx, entryPart, at, lines[:a.h.result.most]); err != nil {
			return err
		}
	}
	return a.log(ctx, entryDone, at, lines)
}

// done passes on the lines of the current input.
func (a *soloLog) done(ctx context.Context, lines []byte) error {
	select {
	case a.step <- lines:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// stop records that the worker ends, and that the current input is not the reason.
func (a *soloLog) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), flushed)
	defer cancel()
	a.mu.Lock() // wait for pending entries
	a.stopped = true
	at := a.at
	a.mu.Unlock()
	if at >= 0 {
		a.log(ctx, entryStopped, at, nil)
	}
}

// oneByOne audits the inputs of a chunk one by one. It stops if the chunk was assigned to another worker meanwhile, or
// if the job was purged.
func (w *worker) oneByOne(ctx context.Context, h *heldChunk, yield func(*batch.Input) bool) error {
	for _, before := range w.before(h) {
		select {
		case <-before.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for at, ref := range h.refs {
		lines, err := w.one(ctx, h, at, ref, yield)
		if isTaken(err) || isGone(err) {
			w.drop(h)
			return nil
		}
		if err != nil {
			return err
		}
		if err := w.add(ctx, h, lines); err != nil {
			return err
		}
	}
	return nil
}

// one returns the lines of one input.
func (w *worker) one(ctx context.Context, h *heldChunk, at int, ref batch.Ref, yield func(*batch.Input) bool) ([]byte,
	error) {
	a := h.alone
	if lines, done := a.lines[at]; done {
		return lines, nil
	}
	if a.begun[at] >= maxDeaths {
		return w.givenUp(ctx, h, at, ref)
	}
	if err := a.log(ctx, entryBegun, at, nil); err != nil {
		return nil, err
	}
	for in := range batch.Resolve(h.job.Directory, []batch.Ref{ref}, h.job.fetcher(ctx)) {
		if !yield(in) {
			return nil, context.Cause(ctx)
		}
	}
	select {
	case lines := <-a.step:
		lines = append([]byte(nil), lines...)
		return lines, a.logLines(ctx, at, lines)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// givenUp returns the lines of an input that is skipped because it crashed workers.
func (w *worker) givenUp(ctx context.Context, h *heldChunk, at int, ref batch.Ref) ([]byte, error) {
	rec := &report.Record{Path: ref.Name, Err: fmt.Errorf("skipped after %d worker crashes", maxDeaths)}
	if ref.Archive != ref.Name {
		rec.Archive = ref.Archive
	}
	m := nats.NewMsg(poisonSubject(h.job.Name, h.chunk, at))
	m.Header.Set(nameHeader, strconv.QuoteToASCII(ref.Name))
	if _, err := h.job.put(ctx, m); err != nil {
		return nil, err
	}
	w.Say("%s: %v", ref.Name, rec.Err)
	w.count(rec)
	var own lineMaker // the lineMaker of the worker is only for records of the run
	lines, err := own.of(rec)
	if err != nil {
		return nil, err
	}
	return lines, h.alone.log(ctx, entryDone, at, lines)
}

// before returns the unfinished chunks that were taken before h.
func (w *worker) before(h *heldChunk) []*heldChunk {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []*heldChunk
	for _, other := range w.held {
		if other != h {
			list = append(list, other)
		}
	}
	return list
}

// drop removes a chunk that was assigned to another worker, or whose job was purged.
func (w *worker) drop(h *heldChunk) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = w.held[1:] // h is the only chunk: no other was taken meanwhile
	close(h.done)
}
