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
	"github.com/webcap-tools/webcap/webcapture/command/terminal"
)

// interrupts returns a context that ends with the first signal that asks the program to
// end, because of errInterrupted, and a function that is called when the command has ended.
// A command that has not ended some time after the signal is not waited for: it may be in the
// middle of reading a file, planning or looking something up, where nothing could be told in
// order. The second signal ends the program as it ends any other.
func (p *program) interrupts() (context.Context, func()) {
	var list []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // as after nohup
			list = append(list, s)
		}
	}
	ctx, end := context.WithCancelCause(context.Background())
	if len(list) == 0 {
		return ctx, func() { end(nil) } // no signals would mean all of them
	}
	restore := terminal.Restorer(p.stdin)
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, list...)
	go func() {
		var late <-chan time.Time
		select {
		case <-signals:
			// From the signal on: all cores may be busy with what it ends.
			late = time.After(max(grace, time.Duration(p.grace.Load())))
			end(errInterrupted)
		case <-done:
		}
		signal.Stop(signals)
		select {
		case <-done:
		case <-late:
			tempfile.RemoveAll()
			restore()
			p.say("%v", p.interruption())
			os.Exit(exitFailed)
		}
	}()
	return ctx, func() {
		close(done)
		end(nil)
	}
}

// grace is how long an interrupted command may take to end in order: to say what is not
// complete in results that are valid. People and schedulers wait for it.
const grace = 50 * time.Millisecond

// longGrace is the same for commands that have something to give back to others, who would have
// to wait for it much longer.
const longGrace = 5 * time.Second

// needsTime says that the command may take so long to end in order.
func (p *program) needsTime(d time.Duration) { p.grace.Store(int64(d)) }

var errInterrupted = errors.New("interrupted, the results are not complete")

// interruption says that the program was interrupted, and what was done by then.
func (p *program) interruption() error {
	done, doing := p.done.Load(), p.doing.Load()
	switch {
	case done == nil:
		return errInterrupted
	case doing == nil:
		return fmt.Errorf("interrupted, %s", *done)
	}
	return fmt.Errorf("interrupted, %s; %s is not, nor what comes after it", *done, *doing)
}

// noteDone notes what to say if the program is interrupted from now on, instead of
// errInterrupted.
func (p *program) noteDone(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.done.Store(&text)
}
