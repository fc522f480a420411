package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/webcap-tools/webcap/digest/tempfile"
)

// interrupts returns a context that ends with the first signal that asks the program to
// end, because of errInterrupted. The second one ends it as it ends any other program.
func interrupts() (context.Context, context.CancelFunc) {
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
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, list...)
	go func() {
		select {
		case <-signals:
			end(errInterrupted)
		case <-ctx.Done():
		}
		signal.Stop(signals)
	}()
	return ctx, func() { end(nil) }
}

// grace is how long an interrupted command may take to end in order: to say what is not
// complete in results that are valid. People and schedulers wait for it.
const grace = 50 * time.Millisecond

var errInterrupted = errors.New("interrupted, the results are not complete")

// interruption says that the program was interrupted, and what was done by then.
func (p *program) interruption() error {
	if done := p.done.Load(); done != nil {
		return fmt.Errorf("interrupted, %s", *done)
	}
	return errInterrupted
}

// noteDone notes what to say if the program is interrupted from now on, instead of
// errInterrupted.
func (p *program) noteDone(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.done.Store(&text)
}

// watch ends the process when ctx has ended and the command has not, after some time,
// until the function that it returns is called. Commands may be in the middle of reading a
// file, planning or looking something up, where nothing could be told in order.
func (p *program) watch(ctx context.Context) (end func()) {
	in, isFile := p.stdin.(*os.File)
	var state *term.State
	if isFile && term.IsTerminal(int(in.Fd())) {
		state, _ = term.GetState(int(in.Fd())) // which does not echo while a password is asked for
	}
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-done:
			return
		case <-time.After(grace):
		}
		tempfile.RemoveAll()
		if state != nil {
			term.Restore(int(in.Fd()), state)
		}
		p.say("%v", p.interruption())
		os.Exit(exitFailed)
	})
	return func() {
		close(done)
		stop()
	}
}
