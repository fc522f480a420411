package command

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime/debug"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/internal/infile"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// timeoutFlag returns the option for the time limit. Commands that read PDF files or sources have it.
func timeoutFlag(value string) cli.Flag {
	return grouped(manual.Limits,
		&cli.StringFlag{Name: "timeout", Value: value, Usage: "`TIME` Time limit per file, such as 5m; 0 for none"})[0]
}

// timeoutOf returns the time limit, or 0 for none.
func timeoutOf(c *cli.Context) (time.Duration, error) {
	text := c.String("timeout")
	if text == "0" {
		return 0, nil
	}
	limit, err := time.ParseDuration(text)
	if seconds, noNumber := time.ParseDuration(text + "s"); err != nil && noNumber == nil && seconds > 0 {
		return 0, usagef(c.Command.Name, "--timeout needs a unit: use %ss", text)
	}
	if err != nil || limit < 0 {
		return 0, usagef(c.Command.Name, "--timeout must be a time such as 90s or 5m, not %q", text)
	}
	return limit, nil
}

// The memory limit of the Go runtime in commands about a few files. It is lower than the limit in docs/SECURITY.md,
// which includes the rest of the program.
const (
	baseHeap = 224 << 20 // for each run
	byteHeap = 2         // for each byte of the files
)

// saveMemory sets the memory limit of the Go runtime for a command about a few files. Close to the limit, the garbage
// collector runs more often. GOMEMLIMIT takes precedence.
func saveMemory(paths ...string) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	limit := int64(baseHeap)
	for _, path := range paths {
		if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
			limit += byteHeap * st.Size()
		}
	}
	debug.SetMemoryLimit(min(limit, debug.SetMemoryLimit(-1)))
}

// saveMemory sets the memory limit of the Go runtime for a command about a single file.
func (l *listedPaths) saveMemory() {
	if len(l.lists) > 0 || len(l.arguments) != 1 {
		return
	}
	if st, err := os.Stat(l.arguments[0]); err == nil && st.Mode().IsRegular() {
		saveMemory(l.arguments[0])
	}
}

// limited returns an action that saves memory, and runs with the time limit of the command.
func limited(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		saveMemory(c.Args().Slice()...)
		limit, err := timeoutOf(c)
		if err != nil {
			return err
		}
		before := c.Context
		ctx, cancel := within(before, limit)
		defer cancel()
		c.Context = ctx
		defer func() { c.Context = before }()
		return action(c)
	}
}

// within returns a context with a time limit. The cause of its end is a *report.TimeoutError. A limit of 0 means no
// limit.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, limit, report.TimeLimit(limit))
}

// limitedReader fails after the time limit of a command. The time starts with the first read.
type limitedReader struct {
	in     io.Reader
	c      *cli.Context
	reader io.Reader // reader of in; nil before the first read
	cancel context.CancelFunc
}

func (r *limitedReader) Read(p []byte) (int, error) {
	if r.reader == nil {
		limit, err := timeoutOf(r.c)
		if err != nil {
			return 0, err
		}
		var ctx context.Context
		ctx, r.cancel = within(r.c.Context, limit)
		r.reader = infile.Interruptible(ctx, r.in)
	}
	n, err := r.reader.Read(p)
	if err != nil {
		r.cancel()
	}
	return n, err
}

// isEnd reports whether an error means that the context of a command is done, by an interrupt or the time limit.
func isEnd(err error) bool {
	_, late := errors.AsType[*report.TimeoutError](err)
	return late || errors.Is(err, errInterrupted)
}

// ended returns the reason why the context of a command is done.
func (p *program) ended(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(cause, errInterrupted) {
		return cause
	}
	return p.interruption()
}
