package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

// interrupts returns a context and a function to call at the end of the command. The first interrupt signal cancels
// the context with the cause errInterrupted. If the command does not end within its grace time, the program exits
// anyway: the command may be reading a file, planning, or looking up data, and then has no results to complete. The
// second signal ends the program immediately.
func (p *program) interrupts() (context.Context, func()) {
	// After the reader of standard output, such as head, has ended, writing fails, and the command ends in order.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	var list []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // nohup, for example, ignores signals
			list = append(list, s)
		}
	}
	ctx, end := context.WithCancelCause(context.Background())
	if len(list) == 0 {
		return ctx, func() { end(nil) } // Notify without signals would catch all signals
	}
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, list...)
	go func() {
		var late <-chan time.Time
		select {
		case <-signals:
			// The grace time starts now: the work to be ended may keep all cores busy.
			late = time.After(max(grace, time.Duration(p.grace.Load())))
			end(errInterrupted)
		case <-done:
		}
		signal.Stop(signals)
		select {
		case <-done:
		case <-late:
			tempfile.RemoveAll()
			p.say("%v", p.interruption())
			os.Exit(exitFailed)
		}
	}()
	return ctx, func() {
		close(done)
		end(nil)
	}
}

// grace is the time for an interrupted command to complete its output, so that it is valid, but partial. Users and
// schedulers wait that long.
const grace = 50 * time.Millisecond

// longGrace is the grace time of a worker of a queue beyond the time limit of an input. A worker returns its work to
// the queue; otherwise, other workers would wait much longer for it.
const longGrace = 5 * time.Second

// needsTime sets the grace time of the command to d.
func (p *program) needsTime(d time.Duration) { p.grace.Store(int64(d)) }

var errInterrupted = errors.New("interrupted, the results are not complete")

// interruption returns an error that says that the program was interrupted, and what it had done before.
func (p *program) interruption() error {
	if done := p.done.Load(); done != nil {
		return fmt.Errorf("interrupted, %s", *done)
	}
	return errInterrupted
}

// noteDone sets the message for later interruptions, which replaces errInterrupted.
func (p *program) noteDone(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.done.Store(&text)
}
