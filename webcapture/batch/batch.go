// Package batch audits many inputs on all cores.
//
//	for rec := range batch.Run(ctx, paths, batch.Options{}) {
//		err := w.Add(rec)
//		…
//	}
//
// Records come in the order of the inputs, whatever is done first. An input that
// cannot be audited gives a record that says so, and the others go on.
package batch

import (
	"context"
	"fmt"
	"io"
	"iter"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Options says how to audit. The zero value suits most.
type Options struct {
	Audit audit.Options
	Stdin io.Reader // what the path "-" stands for

	// For tests.
	workers int                                 // 0 for one on each core
	file    func(string) (*audit.Report, error) // instead of audit.File
}

// A Panic is the Err of an input whose audit panicked, which is a bug.
type Panic struct {
	Value any
	Stack []byte // of the goroutine
}

// Error returns the value on one line.
func (p *Panic) Error() string { return fmt.Sprintf("internal error, please report it: %v", p.Value) }

// Run audits what paths stand for: files, whatever their names, PDF files in
// folders and the folders below, and standard input for "-". It yields a record
// for each of them, in order.
//
// When ctx is done, or the caller stops, Run starts no further audit and does
// not wait for those that are running; a caller that asks ctx.Err() afterwards
// knows whether the records are complete.
//
// A few records for each core are held at a time, so memory does not grow with
// the number of inputs.
func Run(ctx context.Context, paths []string, opt Options) iter.Seq[*report.Record] {
	return func(yield func(*report.Record) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		for done := range start(ctx, paths, opt) {
			select {
			case rec := <-done:
				if !yield(rec) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// A job is an input on its way to a worker. Its record goes to done, which has
// room for it.
type job struct {
	in   input
	done chan *report.Record
}

// start starts the workers. It returns the channels on which the records will
// come, in the order of the inputs.
func start(ctx context.Context, paths []string, opt Options) <-chan chan *report.Record {
	workers := opt.workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	stdin := sync.OnceValues(func() ([]byte, error) {
		if opt.Stdin == nil {
			return nil, nil
		}
		return infile.ReadAll(opt.Stdin, infile.MaxPiped)
	})
	// The order of records is that of pending, whose room is the window: the
	// jobs that may be ahead of the one whose record is yielded next.
	jobs := make(chan job)
	pending := make(chan chan *report.Record, 2*workers)
	go func() {
		defer close(pending)
		defer close(jobs)
		for in := range inputs(paths) {
			j := job{in, make(chan *report.Record, 1)}
			select {
			case pending <- j.done:
			case <-ctx.Done():
				return
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				return
			}
		}
	}()
	for range workers {
		go func() {
			for j := range jobs {
				j.done <- one(j.in, opt, stdin)
			}
		}()
	}
	return pending
}

// one audits one input.
func one(in input, opt Options, stdin func() ([]byte, error)) (rec *report.Record) {
	rec = &report.Record{Path: in.path}
	defer func() {
		if v := recover(); v != nil {
			rec.Report, rec.Err = nil, &Panic{v, debug.Stack()}
		}
	}()
	switch {
	case in.err != nil:
		rec.Err = in.err
	case in.path == Stdin:
		var data []byte
		if data, rec.Err = stdin(); rec.Err == nil {
			rec.Report, rec.Err = audit.Bytes(in.path, data, opt.Audit)
		}
	case opt.file != nil:
		rec.Report, rec.Err = opt.file(in.path)
	default:
		rec.Report, rec.Err = audit.File(in.path, opt.Audit)
	}
	return rec
}
