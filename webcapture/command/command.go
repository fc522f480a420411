// Package command is the program webcap as a function.
//
// How it speaks: results go to standard output and everything else to standard
// error, where each line begins with "webcap: ". Messages are lower case,
// without full stop, and no byte of a file or file name reaches a terminal
// unless it is printable.
//
// Each command has a file of its name; that of a group begins with the name of the group, so clusterrun.go is
// "webcap cluster run". All commands share a [program], its inputs, and its results.
package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/webcap-tools/webcap/webcapture/command/terminal"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
)

// Exit codes. They are the same in every format; docs/exit-codes.md has more.
const (
	exitClean    = 0 // audited, nothing at or over --fail-on
	exitFindings = 1 // findings at or over --fail-on
	exitUsage    = 2 // wrong command line
	exitFailed   = 3 // some input, or a part of one, could not be audited, or the results not be written
	exitNothing  = 4 // nothing to audit
)

// exitMeanings says what the codes of an audit mean, in order.
var exitMeanings = [...]string{
	exitClean:    "clean",
	exitFindings: "findings at or over --fail-on",
	exitUsage:    "wrong command line",
	exitFailed:   "some input could not be audited",
	exitNothing:  "nothing to audit",
}

// exitCodes returns the codes with their meanings as a sentence for the help.
func exitCodes() string {
	var list []string
	for code, meaning := range exitMeanings {
		list = append(list, fmt.Sprintf("%d %s", code, meaning))
	}
	return strings.Join(layout.Wrap("Exit codes: "+strings.Join(list, ", ")+".", 76), "\n")
}

// Run runs webcap with the arguments args, the first of which is the program's
// name, and returns the exit code. An interrupt ends it early and in order.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if os.Getenv("GOGC") == "" {
		collectGarbageOnce()
	}
	p := &program{stdin: stdin, stderr: stderr, ask: terminal.PasswordPrompt(stdin, stderr)}
	p.width = terminal.Width(stdout)
	p.progress.W, p.progress.Width = stderr, terminal.Width(stderr)
	if p.width > 0 {
		stdout = p.progress.Writer(stdout)
	}
	p.stdout = bufio.NewWriterSize(stdout, 1<<16)
	ctx, stop := p.interrupts()
	defer stop()
	err := p.run(ctx, args)
	if e := p.stdout.Flush(); err == nil && e != nil {
		err = cannotWrite(e)
	}
	return p.exit(err)
}

// collectGarbage sets how often garbage is collected. An audit keeps few and large
// pieces without pointers, so collecting often costs little, and halves the memory that a
// large file takes. Until 16 MB are in use, nothing is collected: most runs never are, and
// collections would be half of their time. So it is with runs over many small files, of
// which less than a megabyte is alive at a time: then ballast counts as alive, which takes
// no memory, since it is never touched. The caller keeps it.
func collectGarbage() (ballast *[]byte) {
	ballast = new([]byte)
	debug.SetGCPercent(400) // of 4 MB
	first := new([64]byte)  // goes with the first collection
	runtime.AddCleanup(first, func(percent int) {
		*ballast = make([]byte, 16<<20)
		debug.SetGCPercent(percent)
	}, 30)
	return ballast
}

// collectGarbageOnce is for all runs of a process, and keeps the ballast.
var collectGarbageOnce = sync.OnceValue(collectGarbage)

// program is one run of webcap.
type program struct {
	stdin  io.Reader
	ask    func(path string) (password string, err error) // at a terminal; nil without one
	stdout *bufio.Writer
	stderr io.Writer
	width  int      // of the terminal; 0 if results do not go to one
	args   []string // without the name of the program
	outcome
	progress terminal.Progress

	skipped skippedFiles // what of folders and archives is not an input

	told bool // the terminal shows results that say what could not be audited, and why

	done  atomic.Pointer[string] // what was done so far; see noteDone
	doing atomic.Pointer[string] // the input that was begun last, if there are many
	grace atomic.Int64           // nanoseconds; see needsTime
}

func (p *program) run(ctx context.Context, args []string) error {
	app := p.app()
	p.args = args[1:]
	args, help, err := arrange(app, args)
	switch {
	case err != nil:
		return err
	case help:
		return p.help(app, strings.Join(args[1:], ""))
	}
	return app.RunContext(ctx, args)
}

// exit says on standard error what went wrong, and returns the exit code.
func (p *program) exit(err error) int {
	if err == nil {
		return p.code()
	}
	p.say("%s", layout.OneLine(err))
	if usage, ok := errors.AsType[*usageError](err); ok {
		fmt.Fprintf(p.stderr, "See %q.\n", usage.help())
		return exitUsage
	}
	return exitFailed
}

// working shows a step that may take long, until end is called.
func (p *program) working(format string, args ...any) (end func()) {
	text := layout.Printable(fmt.Sprintf(format, args...))
	return p.progress.Show(func(took time.Duration) string { return fmt.Sprintf("%s, %.0fs", text, took.Seconds()) })
}

// say writes a line to standard error.
func (p *program) say(format string, args ...any) {
	p.progress.Hide()
	fmt.Fprintf(p.stderr, "webcap: %s\n", layout.Printable(fmt.Sprintf(format, args...)))
}

// usageError says that the command line is wrong.
type usageError struct {
	command string // "" for that of webcap itself
	text    string
}

func usagef(command, format string, args ...any) error {
	return &usageError{command, fmt.Sprintf(format, args...)}
}

// Error returns what is wrong.
func (e *usageError) Error() string {
	if e.command == "" {
		return e.text
	}
	return e.command + ": " + e.text
}

// help returns the command line that shows what would be right.
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
