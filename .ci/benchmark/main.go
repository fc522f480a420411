// Command benchmark compares webcap with other programs on the same work, and writes docs/benchmarks.md and
// docs/benchmarks.svg. .ci/bench runs it.
//
// It makes the inputs, finds the installed programs, and runs them in rounds: each round runs every program once, so
// that other work on the machine slows all of them. The page names programs that are not installed.
//
// Inputs are made by separate processes, because the peak memory of a process also counts for the processes that it
// starts. Peers that are Go libraries also run in a separate process of this program.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// options are the options of the command line.
type options struct {
	ctx    context.Context // canceled when the user ends the run
	quick  bool
	rounds int           // number of runs of each program
	enough time.Duration // a program whose runs took this time in total is not run again
	slow   time.Duration // a program that would take longer than this does not get the larger size
	limit  time.Duration // time limit for one run
	docs   string        // the folder of the page
	work   string        // the folder of the inputs
	out    io.Writer
}

func main() {
	asHelper()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	o := options{ctx: ctx, out: os.Stdout}
	flag.BoolVar(&o.quick, "quick", false, "small inputs, one round, and no page unless --docs is given")
	flag.IntVar(&o.rounds, "rounds", 5, "run each program so often")
	flag.DurationVar(&o.enough, "enough", 20*time.Second, "do not run a program again after this `time` in all")
	flag.DurationVar(&o.slow, "slow", 10*time.Minute, "do not run a program on a size that would take this `time`, by the size before")
	flag.DurationVar(&o.limit, "limit", 10*time.Minute, "end a run after this `time`")
	flag.StringVar(&o.docs, "docs", "", "`folder` for the page and the chart [default: docs]")
	flag.StringVar(&o.work, "work", "", "`folder` for the inputs, which then stay [default: a temporary one]")
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if o.docs == "" && !o.quick {
		o.docs = "docs"
	}
	err := run(o)
	stop()
	exit(err)
}

// asHelper does the work of a helper process and exits. If this process is not a helper, asHelper returns. The program
// starts itself as a helper.
func asHelper() {
	modes := map[string]func([]string) error{"make": makeInput, "peer": runPeer}
	if len(os.Args) > 1 && modes[os.Args[1]] != nil {
		exit(modes[os.Args[1]](os.Args[2:]))
	}
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func run(o options) (err error) {
	if o.quick {
		o.rounds = 1
	}
	if o.work == "" {
		if o.work, err = os.MkdirTemp("", "bench"); err != nil {
			return err
		}
		defer os.RemoveAll(o.work)
	}
	if o.work, err = filepath.Abs(o.work); err != nil {
		return err
	}
	webcap := filepath.Join(o.work, "webcap")
	if out, err := exec.Command("go", "build", "-o", webcap, ".").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	b := &bench{options: o, webcap: webcap, programs: findPrograms(o.work), machine: describeMachine()}
	questions, err := b.questions()
	if err != nil {
		return err
	}
	var results []*result
	for _, q := range questions {
		r, err := b.measure(q)
		if err != nil {
			return fmt.Errorf("%s: %w", q.title, err)
		}
		b.machine.loadAfter = load()
		if results = append(results, r); o.docs == "" {
			continue
		}
		// Write the page after each answer, so that it has the answers so far if the run is ended early.
		text := page(b.machine, b.programs, results)
		if err := os.WriteFile(filepath.Join(o.docs, "benchmarks.md"), []byte(text), 0o666); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(o.docs, "benchmarks.svg"), []byte(chart(results)), 0o666); err != nil {
			return err
		}
	}
	return nil
}
