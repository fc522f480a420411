package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// bench is one run of this program.
type bench struct {
	options
	webcap   string
	programs map[string]program
	machine  *machine
}

// question is a question that one table answers.
type question struct {
	title, intro string
	unit         string // unit of the items, as in "a set"
	columns      []column
}

// column is one size of the work.
type column struct {
	items int
	tasks []task
}

// task is the work of a program.
type task struct {
	name    string
	peer    bool     // a program other than webcap
	missing string   // name of the program, if it is not installed
	command []string // command and arguments
	stdin   string   // file for standard input, or ""
	codes   []int    // exit codes of success other than 0
	want    string   // text that the task prints if it did all of the work; "" if the output is too long to check
	items   int      // number of items; that of the column unless the task does less
	base    int      // index of the task of webcap with which this task is compared
}

// result has the rows of a table.
type result struct {
	question
	rows []*row
}

// row has the measurements of one program, by column.
type row struct {
	task
	cells []cell
}

// cell has the medians of the runs of a task.
type cell struct {
	items  int
	runs   int
	wall   time.Duration // elapsed time of one run
	cpu    time.Duration // total time of all processors
	memory int64         // peak memory in bytes
	ratio  float64       // processor time for an item, divided by that of webcap in the same round
	failed string        // reason why there is no time
}

// sample has the measurements of one run.
type sample struct {
	wall, cpu time.Duration
	memory    int64
}

// measure runs the tasks of each column in rounds, and returns the results.
func (b *bench) measure(q question) (*result, error) {
	fmt.Fprintf(b.out, "\n%s\n", q.title)
	r := &result{question: q}
	for i, c := range q.columns {
		samples := make([][]sample, len(c.tasks))
		failed := make([]string, len(c.tasks))
		for j, t := range c.tasks {
			if i > 0 && j != t.base {
				failed[j] = b.tooSlow(r.rows[j].cells[i-1], t.items)
			}
		}
		for round := range b.rounds {
			for j, t := range c.tasks {
				skip := t.missing != "" || failed[j] != "" || round > 0 && total(samples[j]) > b.enough
				if skip || len(samples[t.base]) < round || j != t.base && len(samples[t.base]) == round {
					continue // for the last two reasons, there is nothing to compare with
				}
				s, err := b.run(t)
				if b.ctx.Err() != nil {
					return nil, context.Cause(b.ctx)
				}
				if err != nil && j == t.base {
					return nil, fmt.Errorf("%s: %w", t.name, err) // without webcap there is no comparison
				}
				if err != nil {
					failed[j] = err.Error()
					continue
				}
				samples[j] = append(samples[j], s)
			}
		}
		for j, t := range c.tasks {
			if i == 0 {
				r.rows = append(r.rows, &row{task: t})
			}
			cell := summary(samples[j], samples[t.base], float64(c.tasks[t.base].items)/float64(t.items))
			cell.items, cell.failed = t.items, failed[j]
			r.rows[j].cells = append(r.rows[j].cells, cell)
			fmt.Fprintf(b.out, "  %9d  %-55s %s\n", t.items, t.name, cell)
		}
	}
	return r, nil
}

// tooSlow returns the reason not to run a program with this number of items; "" if it may run. It estimates the time
// from the time for fewer items.
func (b *bench) tooSlow(before cell, items int) string {
	if before.failed != "" {
		return before.failed
	}
	if before.cpu*time.Duration(items) <= b.slow*time.Duration(max(before.items, 1)) {
		return ""
	}
	return "not run"
}

func total(list []sample) (sum time.Duration) {
	for _, s := range list {
		sum += s.wall
	}
	return sum
}

// summary returns the medians of list. webcap has the runs of webcap in the same rounds. more is the number of items
// that webcap processed for each item of the task.
func summary(list, webcap []sample, more float64) cell {
	if len(list) == 0 {
		return cell{}
	}
	var walls, cpus []time.Duration
	var ratios []float64
	var memory int64
	for i, s := range list {
		walls, cpus = append(walls, s.wall), append(cpus, s.cpu)
		ratios = append(ratios, float64(s.cpu)/float64(webcap[i].cpu)*more)
		memory = max(memory, s.memory)
	}
	return cell{runs: len(list), wall: median(walls), cpu: median(cpus), memory: memory, ratio: median(ratios)}
}

func median[T time.Duration | float64](list []T) T {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

func (c cell) String() string {
	if c.failed != "" {
		return c.failed
	}
	if c.runs == 0 {
		return "not installed"
	}
	return fmt.Sprintf("%8.3f s  %8.3f s of processors  %6d MB  %6.2f  %d runs", c.wall.Seconds(), c.cpu.Seconds(),
		c.memory>>20, c.ratio, c.runs)
}

// run runs a task once.
func (b *bench) run(t task) (sample, error) {
	ctx, cancel := context.WithTimeout(b.ctx, b.limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.command[0], t.command[1:]...)
	// Use a process group, so that ending a script also ends the programs that it runs.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if t.stdin != "" {
		f, err := os.Open(t.stdin)
		if err != nil {
			return sample{}, err
		}
		defer f.Close()
		cmd.Stdin = f
	}
	cmd.Env = append(os.Environ(), "NO_COLOR=1")
	var stdout, stderr strings.Builder
	cmd.Stderr = &stderr
	if t.want != "" {
		cmd.Stdout = &stdout
	}
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	exit, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return sample{}, fmt.Errorf("more than %v", b.limit)
	case ok && slices.Contains(t.codes, exit.ExitCode()):
	case ok:
		first, _, _ := strings.Cut(stderr.String(), "\n")
		return sample{}, fmt.Errorf("exit code %d: %.60s", exit.ExitCode(), first)
	case err != nil:
		return sample{}, err
	}
	if !strings.Contains(stdout.String(), t.want) {
		return sample{}, fmt.Errorf("printed %.60q", stdout.String())
	}
	memory := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if runtime.GOOS == "linux" {
		memory <<= 10 // the unit is kilobytes on this system
	}
	return sample{wall, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), memory}, nil
}

// machine describes the machine and the time of the run.
type machine struct {
	processor, system, version string
	cores                      int
	date                       time.Time
	loadBefore, loadAfter      string
}

func describeMachine() *machine {
	m := &machine{cores: runtime.NumCPU(), system: runtime.GOOS + "/" + runtime.GOARCH, date: time.Now(), loadBefore: load()}
	m.processor = firstMatch("/proc/cpuinfo", "model name\t: ")
	if out, err := exec.Command("git", "describe", "--always", "--dirty").Output(); err == nil {
		m.version = strings.TrimSpace(string(out))
	}
	return m
}

// load returns the load averages of the system, or "unknown".
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	fields := strings.Fields(string(data))
	return strings.Join(fields[:2], " and ")
}

// firstMatch returns the rest of the first line of a file with a prefix, or "unknown".
func firstMatch(path, prefix string) string {
	data, _ := os.ReadFile(path)
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			return strings.TrimSpace(rest)
		}
	}
	return "unknown"
}

// size returns the size of a file, or of the files in a folder, in bytes.
func size(path string) (sum int64) {
	filepath.WalkDir(path, func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil {
				sum += info.Size()
			}
		}
		return nil
	})
	return sum
}
