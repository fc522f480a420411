// Package batch audits many inputs on all cores, and yields one record for each.
//
//	inputs := batch.Inputs(slices.Values(paths), batch.PathOptions{})
//	for rec := range batch.Run(ctx, inputs, batch.Options{}) {
//		err := w.Add(rec)
//		…
//	}
//
// An [Input] is a file, a PDF in an archive, or standard input. Run yields one record for each input, in the order
// of the inputs, not of completion. If an input cannot be audited, takes too long, or makes the audit panic, its
// record has the error, and the other audits continue.
//
// A [Journal] stores the records of a run, so that a killed run can resume.
package batch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/internal/oserror"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Options are the options of a run. The zero value is a good default.
type Options struct {
	Audit   audit.Options
	Workers int           // audits at a time; 0 for one on each core
	Timeout time.Duration // for one input; 0 for none
	Timings bool          // set Record.Seconds

	// Memory is the limit of memory for all audits together in bytes, by an estimate; 0 for unlimited.
	Memory int64

	// NoHash leaves Record.SHA256 empty, so that only the necessary parts of a large file are read.
	NoHash bool

	// Began is called when an audit begins, on any goroutine; may be nil.
	Began func(name string)

	// Phase is called when an audit begins a phase that may take long, like audit.Options.Phase; may be nil.
	Phase func(name, what string)

	// Look replaces the audit of an open file, on any goroutine. Its report becomes the report of the record, its
	// error the error of the record. If the file turns out to be damaged, Look may be called again. Nil for an audit.
	Look func(*webcapture.File) (*audit.Report, error)

	// Do replaces the audit of an input. It sets Report or Err of the record. Nil for an audit.
	Do func(context.Context, *Input, *report.Record)

	modified bool // set Record.Modified
}

// Run audits inputs, and yields a record for each of them, in their order.
//
// When ctx is done, or the caller stops, Run starts no further audit and does not wait for running ones. If
// ctx.Err() is nil afterwards, the records are complete.
//
// Only a few records per worker are in memory, so memory does not grow with the number of inputs.
func Run(ctx context.Context, inputs iter.Seq[*Input], opt Options) iter.Seq[*report.Record] {
	return func(yield func(*report.Record) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		for done := range start(ctx, inputs, opt) {
			select {
			case rec := <-done:
				if ctx.Err() != nil || !yield(rec) { // the result of an interrupted audit does not describe its input
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// start starts the audits. It returns a channel that receives one channel for each record, in the order of the inputs.
func start(ctx context.Context, inputs iter.Seq[*Input], opt Options) <-chan chan *report.Record {
	if opt.Workers == 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	r := &runner{opt, report.TimeLimit(opt.Timeout), newMemoryLimit(opt.Memory)}
	running := make(chan struct{}, opt.Workers)
	// pending determines the order of records. Its capacity is the number of inputs that may be ahead of the next record.
	pending := make(chan chan *report.Record, 2*opt.Workers)
	go func() {
		defer close(pending)
		for in := range inputs {
			in.load()
			done := make(chan *report.Record, 1)
			select {
			case pending <- done:
			case <-ctx.Done():
				in.Close()
				return
			}
			select {
			case running <- struct{}{}:
			case <-ctx.Done():
				in.Close()
				return
			}
			go func() {
				done <- r.record(ctx, in)
				<-running
			}()
		}
	}()
	return pending
}

// runner holds the state that all audits of a run share.
type runner struct {
	opt    Options
	late   error // cause of the context of an audit over its time limit
	memory *memoryLimit
}

// record audits an input on another goroutine, and releases the input. An audit over its time limit is abandoned:
// until it ends, it keeps its goroutine and its share of the memory. Its report is dropped, unless it ends within the
// grace time with a file that it has written.
func (r *runner) record(ctx context.Context, in *Input) (rec *report.Record) {
	size := in.Size()
	release := r.memory.take(ctx, size)
	begun := time.Now()
	if r.opt.Began != nil {
		r.opt.Began(in.Name)
	}
	var modified time.Time
	if r.opt.modified {
		modified = in.modified()
	}
	limited, cancel := ctx, func() {}
	var overdue <-chan time.Time
	if r.opt.Timeout > 0 {
		limited, cancel = context.WithTimeoutCause(ctx, r.opt.Timeout, r.late)
		overdue = time.After(r.opt.Timeout + grace)
	}
	ended := make(chan *report.Record, 1) // has room for the record of an abandoned audit
	go func() {
		rec := r.audit(limited, in)
		cancel()
		in.Close()
		release()
		ended <- rec
	}()
	late := in.record()
	late.Err, late.Size = r.late, size
	select {
	case rec = <-ended:
		isWritten := rec.Rewrite != nil && rec.Rewrite.Written // the new file is complete, even if it is late
		if context.Cause(limited) == r.late && !isWritten {    // the result may describe only a part of the input
			late.Size, late.SHA256 = rec.Size, rec.SHA256
			rec = late
		}
	case <-overdue:
		rec = late
	}
	if r.opt.modified && r.opt.Do != nil { // which may replace the file
		modified = in.modified()
	}
	rec.Modified = modified
	if r.opt.Timings {
		rec.Seconds = time.Since(begun).Seconds()
	}
	return rec
}

// audit audits one input.
func (r *runner) audit(ctx context.Context, in *Input) (rec *report.Record) {
	rec = in.record()
	defer func() {
		if v := recover(); v != nil {
			rec.Report, rec.Err = nil, &report.PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	switch {
	case in.Err != nil:
		rec.Err = in.Err
	case r.opt.Do != nil:
		r.opt.Do(ctx, in, rec)
	default:
		r.file(ctx, in, rec)
	}
	return rec
}

// file opens an input and audits it.
func (r *runner) file(ctx context.Context, in *Input, rec *report.Record) {
	f, err := in.open(ctx, webcapture.Options{Passwords: r.opt.Audit.Passwords})
	if err != nil {
		rec.Err = oserror.ReasonOf(err, in.path) // in another process, the path differs from the name of the record
		if !r.opt.NoHash {
			rec.Size, rec.SHA256 = in.digest(ctx)
		}
		return
	}
	defer f.Close()
	rec.Size = f.Size()
	if !r.opt.NoHash {
		if r.opt.Phase != nil {
			r.opt.Phase(in.Name, "computing the SHA-256")
		}
		sum := sha256.New()
		if _, rec.Err = f.WriteTo(sum); rec.Err != nil {
			return
		}
		rec.SHA256 = hex.EncodeToString(sum.Sum(nil))
	}
	rec.Report, rec.Err = r.opened(f, in.Name)
}

// opened audits an open file.
func (r *runner) opened(f *webcapture.File, name string) (rep *audit.Report, err error) {
	opt := r.opt.Audit
	opt.Phase = func(what string) {
		if r.opt.Phase != nil {
			r.opt.Phase(name, what)
		}
	}
	err = f.RetryWithoutXRef(func() error {
		if r.opt.Look != nil {
			rep, err = r.opt.Look(f)
		} else {
			rep, err = audit.Run(f, opt)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	rep.Path = name
	return rep, nil
}
