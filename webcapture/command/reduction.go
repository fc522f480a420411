package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/webcap-tools/webcap/webcapture/batch"
	"github.com/webcap-tools/webcap/webcapture/command/show"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

const (
	portionSize = 1 << 20 // maximum input of a core at a time; a longer URL may exceed it
	verboseSize = 1 << 16 // the same for results that are many times as long as URLs
	maxURL      = 8 << 20 // maximum length of a URL in bytes; longer lines end the input
	maxNotes    = 20      // number of printed notes; further notes are only counted
	maxNote     = 200     // maximum length of a URL in a note, in bytes
)

// portion is a part of the input with its result. The part consists of whole URLs, each with its delimiter; the
// last URL of the input may lack it.
type portion struct {
	size   int // size of one read
	in     []byte
	out    []byte
	result []byte       // result for one URL
	w      *show.Writer // writes to out
	done   chan error

	urls  int
	wrong bool // at least one URL is not canonical
	found int  // number of relative URLs
	notes []note
}

// note describes a relative URL.
type note struct {
	index int // index in its portion
	text  string
}

// Write appends to the output.
func (b *portion) Write(text []byte) (int, error) {
	b.out = append(b.out, text...)
	return len(text), nil
}

func (b *portion) note(url []byte) {
	if b.found++; b.found <= maxNotes {
		text := string(url[:min(len(url), maxNote)])
		if len(url) > maxNote {
			text += " …"
		}
		b.notes = append(b.notes, note{b.urls, text})
	}
}

// reset empties b for the next part of the input. It also frees memory that unusually long URLs needed.
func (b *portion) reset() {
	for _, buf := range [...]*[]byte{&b.in, &b.out, &b.result} {
		if cap(*buf) > 4*portionSize {
			*buf = nil
		}
		*buf = (*buf)[:0]
	}
	b.urls, b.wrong, b.found, b.notes = 0, false, 0, b.notes[:0]
}

var errLine = fmt.Errorf("a URL is longer than %d bytes; later URLs were not read", maxURL)

// fill reads until b has at least one whole URL. It keeps the whole URLs, and appends the remaining bytes to rest. It
// does not wait for more input: a user who types URLs, or pipes them one by one, gets each result immediately. The
// error is that of in, or errLine. After io.EOF, the last URL may lack its delimiter; after another error of in, rest
// may have the start of a URL.
func (b *portion) fill(in io.Reader, end byte, rest []byte) ([]byte, error) {
	for {
		// Invariant: b.in has no delimiter.
		b.in = slices.Grow(b.in, b.size)
		from := len(b.in)
		n, err := in.Read(b.in[from : from+b.size])
		b.in = b.in[:from+n]
		if first := bytes.IndexByte(b.in, end); first > maxURL || first < 0 && len(b.in) > maxURL {
			b.in = b.in[:0]
			return nil, errLine
		}
		whole := 0
		if i := bytes.LastIndexByte(b.in[from:], end); i >= 0 {
			whole = from + i + 1
		}
		switch {
		case err == io.EOF:
			return rest, err
		case err == nil && whole == 0:
			continue
		}
		rest = append(rest, b.in[whole:]...)
		b.in = b.in[:whole]
		return rest, err
	}
}

// reduction is a run over an input. One goroutine reads portions, one goroutine per core reduces them, and one
// writes them in the order of the input. The number of portions is fixed, so memory does not grow with the input.
type reduction struct {
	p    *program
	r    *reducer
	noun string       // noun for a URL in messages
	done atomic.Int64 // written URLs, for the progress line

	urls  int // number of written URLs, for the total at the end
	found int // number of relative URLs
	wrong bool
	err   error // error at the end of the input; valid after all input was read
}

func (rd *reduction) run(ctx context.Context, in io.Reader, end byte) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cores := runtime.GOMAXPROCS(0)
	free := make(chan *portion, cores+2) // one more to read, and one more to write
	work, order := make(chan *portion, cap(free)), make(chan *portion, cap(free))
	for range cap(free) {
		b := &portion{size: portionSize, done: make(chan error, 1)}
		if b.w = rd.r.writer(b); b.w != nil {
			b.size = verboseSize
		}
		free <- b
	}
	go rd.read(ctx, in, end, free, work, order)
	for range cores {
		go func() {
			for b := range work {
				b.done <- rd.r.reduce(b, end)
			}
		}()
	}
	var b *portion // next portion to write; nil if unknown
	for {
		next, done := order, chan error(nil)
		if b != nil {
			next, done = nil, b.done
		}
		select {
		case <-ctx.Done():
			return errInterrupted
		case first, ok := <-next:
			if !ok {
				rd.finish()
				return nil
			}
			b = first
		case err := <-done:
			if err == nil {
				err = rd.write(b)
			}
			if err == nil && len(order) == 0 {
				err = rd.p.stdout.Flush() // a reader may wait for the output
			}
			if err != nil {
				return cannotWrite(err)
			}
			free <- b
			b = nil
		}
	}
}

// read reads the portions of in.
func (rd *reduction) read(ctx context.Context, in io.Reader, end byte, free <-chan *portion, work,
	order chan<- *portion) {
	defer close(order)
	defer close(work)
	var rest []byte
	for rd.err == nil {
		select {
		case <-ctx.Done():
			return
		case b := <-free:
			b.reset()
			b.in = append(b.in, rest...)
			rest, rd.err = b.fill(in, end, rest[:0])
			work <- b // never blocks: there is room for all portions
			order <- b
		}
	}
}

// write writes the result of b, and reports its relative URLs.
func (rd *reduction) write(b *portion) error {
	if len(b.notes) > 0 && rd.found < maxNotes {
		for _, n := range b.notes[:min(len(b.notes), maxNotes-rd.found)] {
			rd.p.say("%s %d: relative URL without --base: %q", rd.noun, rd.urls+n.index+1, n.text)
		}
	}
	rd.urls += b.urls
	rd.done.Store(int64(rd.urls))
	rd.found += b.found
	rd.wrong = rd.wrong || b.wrong
	_, err := rd.p.stdout.Write(b.out)
	return err
}

// text returns the progress line.
func (rd *reduction) text(took time.Duration) string {
	n := rd.done.Load()
	return fmt.Sprintf("%d URLs, %.0f a second", n, float64(n)/took.Seconds())
}

// finish reports how many relative URLs were not shown, and the error that ended the input, unless it is io.EOF.
func (rd *reduction) finish() {
	if more := rd.found - maxNotes; more > 0 {
		rd.p.say("… and %s", layout.Count(more, "more relative URL"))
	}
	if rd.err != io.EOF {
		rd.p.say("%s: %s", batch.Stdin, layout.OneLine(rd.err))
		rd.p.partial = true
	}
	rd.p.wrong = rd.wrong
}
