package command

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// Signals that are ignored, as after nohup, stay so.
func TestIgnoredSignals(t *testing.T) {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
	before := slices.DeleteFunc(slices.Clone(all), func(s os.Signal) bool { return !signal.Ignored(s) })
	defer ignoreOnly(all, before)
	for _, ignored := range [][]os.Signal{nil, {syscall.SIGHUP}, {os.Interrupt, syscall.SIGHUP}, all} {
		t.Run(fmt.Sprint(ignored), func(t *testing.T) {
			ignoreOnly(all, ignored)
			ctx, end := new(program).interrupts()
			for _, s := range all {
				if want := slices.Contains(ignored, s); signal.Ignored(s) != want {
					t.Errorf("%v is ignored: %v, want %v", s, !want, want)
				}
			}
			if ctx.Err() != nil {
				t.Errorf("the context has ended: %v", ctx.Err())
			}
			if end(); ctx.Err() == nil {
				t.Error("the context has not ended after the command")
			}
		})
	}
}

// ignoreOnly makes this process ignore some of all signals, and no others of them.
func ignoreOnly(all, some []os.Signal) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, all...) // signal.Reset would not end the effect of signal.Ignore
	signal.Stop(c)
	if len(some) > 0 { // Ignore without signals would ignore all
		signal.Ignore(some...)
	}
}

// The journal of an interrupted run is not complete. The next run with it resumes, and completes it.
func TestJournalsOfInterruptedRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"in/keep": ""})
	writePDF(t, "in/a.pdf", brokenKey)
	for _, args := range []string{"audit --exit-zero in --journal run1", "rewrite in --journal run2"} {
		for _, interrupted := range []bool{true, false} {
			ctx, interrupt := context.WithCancelCause(t.Context())
			if interrupted {
				interrupt(errInterrupted)
			}
			p := &program{stdout: bufio.NewWriter(io.Discard), stderr: new(strings.Builder)}
			err := p.run(ctx, append([]string{"webcap"}, strings.Fields(args)...))
			interrupt(nil)
			if (err != nil) != interrupted {
				t.Errorf("%s: interrupted %v, %v", args, interrupted, err)
			}
			code, stderr := run(nil, io.Discard, "report", "--exit-zero", args[strings.LastIndex(args, " ")+1:])
			if (code == exitFailed) != interrupted {
				t.Errorf("%s: interrupted %v, a report of the journal exits with %d: %s", args, interrupted, code, stderr)
			}
		}
	}
}
