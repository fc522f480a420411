package cluster

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/batch"
)

// TestOneByOne: a worker audits each input that is not in the log alone, and logs its lines. It takes lines from the
// log, and skips an input that was begun too often. Then the chunk has its result, and is acknowledged.
func TestOneByOne(t *testing.T) {
	w, j, _ := holder(t)
	m := &givenMsg{}
	h := holding(t, j, "w")
	h.msg, h.refs = m, []batch.Ref{{Name: "/0"}, {Name: "/1"}, {Name: "/2"}, {Name: "/3"}}
	w.held = []*heldChunk{h}
	log := func(entry string, at int, lines string) {
		t.Helper()
		if err := h.alone.log(t.Context(), entry, at, []byte(lines)); err != nil {
			t.Fatal(err)
		}
	}
	log(entryBegun, 0, "")
	log(entryDone, 0, "zero\n")
	for range maxDeaths {
		log(entryBegun, 1, "")
	}
	for range maxDeaths - 1 {
		log(entryBegun, 2, "")
	}
	next := holding(t, j, "w")
	h.alone.last, h.alone.lines, h.alone.begun = next.alone.last, next.alone.lines, next.alone.begun
	var yielded []string
	err := w.oneByOne(t.Context(), h, func(in *batch.Input) bool {
		in.Close()
		yielded = append(yielded, in.Name)
		if begun := holding(t, j, "w").alone.begun; in.Name == "/3" && begun[3] != 1 {
			t.Errorf("begun: %v", begun)
		}
		go h.alone.done(t.Context(), []byte(in.Name+"\n"))
		return true
	})
	if err != nil || strings.Join(yielded, " ") != "/2 /3" {
		t.Errorf("audited %q, %v", yielded, err)
	}
	if !isClosed(h.done) || len(w.held) != 0 || m.acked != 1 {
		t.Errorf("done: %t, holds %d chunks, acknowledged %d times", isClosed(h.done), len(w.held), m.acked)
	}
	got, err := w.q.last(t.Context(), j.results, resultSubject("job", h.chunk))
	if err != nil || got == nil {
		t.Fatalf("%v, %v", got, err)
	}
	lines := strings.SplitAfter(string(got.Data), "\n")
	if len(lines) != 5 || lines[0] != "zero\n" || !strings.Contains(lines[1], "skipped after 2 worker crashes") ||
		lines[2] != "/2\n" || lines[3] != "/3\n" || got.Header.Get(inputsHeader) != "4" {
		t.Errorf("%q, %v", lines, got.Header)
	}
	a := holding(t, j, "w").alone
	if len(a.lines) != 4 || string(a.lines[3]) != "/3\n" {
		t.Errorf("the log has %d inputs, and %q", len(a.lines), a.lines[3])
	}
}

// TestOneByOneEnds: when a worker ends, or its run takes no more inputs, it audits no further input of the chunk. It
// does not start before it has finished its earlier chunks.
func TestOneByOneEnds(t *testing.T) {
	for name, row := range map[string]struct {
		earlier bool // the worker holds an earlier chunk
		more    bool // the run takes the input
		yielded int
	}{
		"an earlier chunk": {true, true, 0},
		"during an input":  {false, true, 1},
		"no more inputs":   {false, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w, j, _ := holder(t)
			h := holding(t, j, "w")
			h.msg, h.refs = &givenMsg{}, []batch.Ref{{Name: "/0"}, {Name: "/1"}}
			w.held = []*heldChunk{h}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			if row.earlier {
				w.held = []*heldChunk{{done: make(chan struct{})}, h}
				stop()
			}
			yielded := 0
			err := w.oneByOne(ctx, h, func(in *batch.Input) bool {
				in.Close()
				yielded++
				stop()
				return row.more
			})
			if err != context.Canceled || yielded != row.yielded {
				t.Errorf("audited %d inputs, %v", yielded, err)
			}
			if err := h.alone.done(ctx, nil); err != context.Canceled { // no receiver waits for the lines
				t.Errorf("lines after the end: %v", err)
			}
		})
	}
}

// TestRefusedOneByOne: a worker ends if a server refuses a request about a chunk whose inputs are audited one by one.
func TestRefusedOneByOne(t *testing.T) {
	t.Parallel()
	refuseEach(t, 5, func() (*line, func() error) {
		w, j, l := holder(t)
		h := holding(t, j, "w")
		h.msg, h.refs = &givenMsg{}, []batch.Ref{{Name: "/0"}, {Name: "/1"}}
		h.alone.begun[1] = maxDeaths
		w.held = []*heldChunk{h}
		return l, func() error {
			return w.oneByOne(t.Context(), h, func(in *batch.Input) bool {
				in.Close()
				go h.alone.done(t.Context(), []byte(fmt.Sprintln(in.Name)))
				return true
			})
		}
	})
}

// TestChunkIsLostMeanwhile: a worker stops at the first input of a chunk that another worker has got.
func TestChunkIsLostMeanwhile(t *testing.T) {
	w, j, _ := holder(t)
	h := holding(t, j, "w")
	h.msg, h.refs = &givenMsg{}, []batch.Ref{{Name: "/0"}, {Name: "/1"}}
	w.held = []*heldChunk{h}
	if err := holding(t, j, "other").alone.log(t.Context(), entryBegun, 0, nil); err != nil {
		t.Fatal(err)
	}
	err := w.oneByOne(t.Context(), h, func(in *batch.Input) bool {
		in.Close()
		t.Errorf("%s is audited", in.Name)
		return false
	})
	if err != nil || !isClosed(h.done) || len(w.held) != 0 {
		t.Errorf("%v, done %t, holds %d chunks", err, isClosed(h.done), len(w.held))
	}
}
