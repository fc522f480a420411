// Package command is the program webcap as a function.
//
// Results go to standard output and everything else to standard error. Messages begin with "webcap: ". They are in
// lower case, without a full stop. Only the hint after a usage error has another form. Bytes of files and file names
// reach a terminal only if they are printable.
//
// The file of a command usually has its name, after the name of its group: clusterwork.go is "webcap cluster work".
// The exception is cluster.go. All commands share a [program], its inputs, and its results.
package command

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/webcap-tools/webcap/webcapture/command/manual"
	"github.com/webcap-tools/webcap/webcapture/command/terminal"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// Exit codes. They are the same in every format. See docs/exit-codes.md.
const (
	exitClean    = 0 // audited, no findings at or over --fail-on
	exitFindings = 1 // findings at or over --fail-on
	exitUsage    = 2 // wrong command line
	exitFailed   = 3 // some input, or a part of it, could not be audited, or results could not be written
	exitNothing  = 4 // nothing to audit
)

// Run runs webcap and returns the exit code. The first element of args is the program's name. An interrupt ends Run
// early: the output is then valid, but partial. A command that does not react in time ends the process.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if os.Getenv("GOGC") == "" {
		collectGarbageOnce()
	}
	p := &program{stdin: stdin, stderr: stderr}
	p.width = terminal.Width(stdout)
	p.progress.W, p.progress.Width = stderr, terminal.Width(stderr)
	p.writeTo(stdout)
	ctx, stop := p.interrupts()
	defer stop()
	err := p.run(ctx, args)
	if e := p.stdout.Flush(); err == nil && e != nil {
		err = cannotWrite(e)
	}
	return p.exit(err)
}

// writeTo makes stdout the standard output. On a terminal, results replace the progress line.
func (p *program) writeTo(stdout io.Writer) {
	if p.width > 0 {
		stdout = p.progress.Writer(stdout)
	}
	p.stdout = bufio.NewWriterSize(stdout, 1<<16)
}

// program is one run of webcap.
type program struct {
	stdin  io.Reader
	stdout *bufio.Writer
	stderr io.Writer
	saying sync.Mutex
	width  int      // width of the terminal; 0 if results go elsewhere
	args   []string // without the program name
	outcome
	progress terminal.Progress
	files    auditProgress // for the progress line

	skipped skippedFiles // files in folders and archives that are not inputs

	told bool // the results on the terminal already show the failed inputs and the reasons

	done  atomic.Pointer[string] // description of the work done so far; see noteDone
	grace atomic.Int64           // nanoseconds; see needsTime
}

func (p *program) run(ctx context.Context, args []string) error {
	p.args = args[1:]
	c, help, err := parseLine(ctx, p.app(), p.args)
	switch {
	case err != nil:
		return err
	case help != nil:
		return p.printf("%s", manual.Help(help, p.width))
	case c == nil:
		return p.printf("webcap %s, %s\n", moduleVersion(), runtime.Version())
	}
	return c.Command.Action(c)
}

// exit prints the error on standard error and returns the exit code.
func (p *program) exit(err error) int {
	if err == nil {
		return p.code()
	}
	if errors.Is(err, syscall.EPIPE) {
		return exitFailed // the user has ended the reader of standard output, and wants no message
	}
	p.say("%s", layout.OneLine(err))
	if usage, ok := errors.AsType[*usageError](err); ok {
		fmt.Fprintf(p.stderr, "See %q.\n", usage.help())
		return exitUsage
	}
	return cmp.Or(p.passed, exitFailed)
}

// working shows the progress of a step that may take long, until end is called.
func (p *program) working(format string, args ...any) (end func()) {
	text := layout.Printable(fmt.Sprintf(format, args...))
	return p.progress.Show(func(took time.Duration) string { return fmt.Sprintf("%s, %.0fs", text, took.Seconds()) })
}

// say prints a line on standard error. Several goroutines may call it.
func (p *program) say(format string, args ...any) {
	p.saying.Lock()
	defer p.saying.Unlock()
	p.progress.Hide()
	fmt.Fprintf(p.stderr, "webcap: %s\n", layout.Printable(fmt.Sprintf(format, args...)))
}

// usageError is an error of the command line.
type usageError struct {
	command string // "" for webcap itself
	text    string
}

func usagef(command, format string, args ...any) error {
	return &usageError{command, fmt.Sprintf(format, args...)}
}

// Error returns the text of the problem.
func (e *usageError) Error() string {
	if e.command == "" {
		return e.text
	}
	return e.command + ": " + e.text
}

// help returns a command line that shows the usage that applies.
func (e *usageError) help() string {
	if e.command == "" {
		return "webcap --help"
	}
	return "webcap " + e.command + " --help"
}

func (p *program) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(p.stdout, format, args...)
	return err
}
