package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/report"
)

// An interruption says what was done before, and which input was in work.
func TestInterruption(t *testing.T) {
	for _, tt := range []struct{ done, doing, want string }{
		{"", "", "interrupted, the results are not complete"},
		{"", "a.pdf", "interrupted, the results are not complete"},
		{"3 files done", "", "interrupted, 3 files done"},
		{"3 files done", "a.pdf", "interrupted, 3 files done; a.pdf and later inputs were not audited"},
	} {
		t.Run(tt.want, func(t *testing.T) {
			p := new(program)
			if tt.done != "" {
				p.noteDone("%s", tt.done)
			}
			if tt.doing != "" {
				p.files.began(tt.doing, "")
			}
			if got := p.interruption(); got.Error() != tt.want {
				t.Errorf("%v, want %s", got, tt.want)
			}
		})
	}
}

// A command ends early for an interrupt or a time limit, and says which.
func TestEndsOfCommands(t *testing.T) {
	late := report.TimeLimit(time.Second)
	for _, tt := range []struct {
		err  error
		want bool
	}{
		{nil, false}, {io.EOF, false}, {late, true}, {fmt.Errorf("a: %w", late), true}, {errInterrupted, true},
		{fmt.Errorf("a: %w", errInterrupted), true}, {context.Canceled, false},
	} {
		if got := isEnd(tt.err); got != tt.want {
			t.Errorf("isEnd(%v) = %v", tt.err, got)
		}
	}
	p := new(program)
	p.noteDone("one done")
	for cause, want := range map[error]string{late: late.Error(), errInterrupted: "interrupted, one done"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(cause)
		if got := p.ended(ctx); got == nil || got.Error() != want {
			t.Errorf("after %v: %v, want %s", cause, got, want)
		}
	}
}

// The time limit of standard input begins with the first read, and ends the input.
func TestLimitedReader(t *testing.T) {
	withOptions(t, "audit --timeout 1ns -", func(_ *program, c *cli.Context) {
		r := &limitedReader{in: neverReader{}, c: c}
		_, err := io.ReadAll(r)
		if _, ok := errors.AsType[*report.TimeoutError](err); !ok {
			t.Errorf("with a limit: %v", err)
		}
	})
	for _, limit := range []string{"0", "1h"} {
		withOptions(t, "audit --timeout "+limit+" -", func(_ *program, c *cli.Context) {
			r := &limitedReader{in: strings.NewReader("text"), c: c}
			if b, err := io.ReadAll(r); err != nil || string(b) != "text" {
				t.Errorf("limit %s: %q, %v", limit, b, err)
			}
		})
	}
	withOptions(t, "audit --timeout soon -", func(_ *program, c *cli.Context) {
		if b, err := io.ReadAll(&limitedReader{in: strings.NewReader("text"), c: c}); err == nil || len(b) > 0 {
			t.Errorf("wrong limit: %q, %v", b, err)
		}
	})
}

// neverReader is standard input at which nothing arrives.
type neverReader struct{}

func (neverReader) Read([]byte) (int, error) { select {} }

// A command with a time limit gets a context that ends; the limit 0 means none. The context is restored afterwards.
func TestLimited(t *testing.T) {
	for _, limit := range []string{"0", "1h"} {
		withOptions(t, "diff --timeout "+limit+" a b", func(_ *program, c *cli.Context) {
			before := c.Context
			failed := errors.New("failed")
			err := limited(func(c *cli.Context) error {
				if _, has := c.Context.Deadline(); has != (limit != "0") {
					t.Errorf("limit %s: a deadline: %v", limit, has)
				}
				return failed
			})(c)
			if err != failed || c.Context != before {
				t.Errorf("limit %s: error %v, the context is restored: %v", limit, err, c.Context == before)
			}
		})
	}
}

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

// stoppableReader repeats one line, and calls then each time.
type stoppableReader struct {
	line string
	then func()
}

func (u *stoppableReader) Read(b []byte) (int, error) { u.then(); return copy(b, u.line), nil }
