package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A test is a test, an example, or a fuzz target with its seeds.
type test struct {
	name    string
	took    time.Duration
	reaches []byte // by number of a mutant: 1 if the test reaches it
	differs []byte // by number of a mutant: 1 if it would make a difference in the test
}

type state int

const (
	survived state = iota
	killed
	timedOut
)

// A runner runs the test binary of a package in a copy of the module, because a
// mutant may write or remove anything.
type runner struct {
	binary   string
	folder   string // folder of the package in the copy
	temp     string // folder for temporary files of tests; removed after each run
	short    bool
	memory   int           // number of bytes that a process may address
	patience time.Duration // minimum time limit of a run
}

// run runs tests. It returns their output, and whether they ended in time. Processes that the tests started end with
// them.
func (r *runner) run(env string, names []string, limit time.Duration) (output []byte, err error, inTime bool) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	args := []string{"-c", fmt.Sprintf(`ulimit -v %d; exec "$0" "$@"`, r.memory>>10), r.binary,
		"-test.failfast", "-test.timeout=0", "-test.run=" + exactly(names)}
	if r.short {
		args = append(args, "-test.short")
	}
	cmd := exec.CommandContext(ctx, "bash", args...)
	cmd.Dir = r.folder
	cmd.Env = append(os.Environ(), env, "TMPDIR="+r.temp)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	os.MkdirAll(r.temp, 0o700)
	err = cmd.Run()
	os.RemoveAll(r.temp)
	return b.Bytes(), err, ctx.Err() == nil
}

func exactly(names []string) string {
	return "^(" + strings.Join(names, "|") + ")$"
}

// list returns the names of all tests.
func (r *runner) list() ([]string, error) {
	cmd := exec.Command(r.binary, "-test.list=.")
	cmd.Dir = r.folder
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("listing tests: %w\n%s", err, out)
	}
	var names []string
	for _, name := range strings.Fields(string(out)) {
		if !strings.HasPrefix(name, "Benchmark") {
			names = append(names, name)
		}
	}
	return names, nil
}

// record runs a single test without a mutant, and records the mutants that it reaches.
func (r *runner) record(name string, mutants int) (*test, error) {
	file := filepath.Join(filepath.Dir(r.temp), name+".reached")
	start := time.Now()
	out, err, _ := r.run("WEBCAP_TEST_MUTANT_RECORD="+file, []string{name}, 30*time.Minute)
	t := &test{name: name, took: time.Since(start)}
	if err != nil {
		return nil, fmt.Errorf("%s fails by itself: %w\n%s", name, err, out)
	}
	recorded := make([]byte, 2*(mutants+1))
	data, err := os.ReadFile(file)
	copy(recorded, data)
	t.reaches, t.differs = recorded[:mutants+1], recorded[mutants+1:]
	os.Remove(file)
	return t, err
}

// try runs the tests in which the mutant would make a difference, fastest first.
func (r *runner) try(m *mutant) {
	for tests := range batches(m.tests) {
		var names []string
		var normal time.Duration
		for _, t := range tests {
			names = append(names, t.name)
			normal += t.took
		}
		out, err, inTime := r.run(fmt.Sprintf("WEBCAP_TEST_MUTANT=%d", m.id), names, max(r.patience, 10*normal))
		switch {
		case !inTime:
			m.state, m.by = timedOut, strings.Join(names, " ")
			return
		case err != nil:
			m.state, m.by = killed, killer(out, err)
			return
		}
	}
}

// batches divides tests, which are sorted by time, into batches. Each batch takes about four times as long as the
// previous one.
func batches(tests []*test) func(yield func([]*test) bool) {
	return func(yield func([]*test) bool) {
		budget := 100 * time.Millisecond
		for len(tests) > 0 {
			n, sum := 0, time.Duration(0)
			for n < len(tests) && (n == 0 || sum+tests[n].took <= budget) {
				sum += tests[n].took
				n++
			}
			if !yield(tests[:n]) {
				return
			}
			tests, budget = tests[n:], 4*budget
		}
	}
}

var failure = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)|^(panic: .*|fatal error: .*)`)

// killer returns the name of the test, or the reason, that ended a run.
func killer(out []byte, err error) string {
	if m := failure.FindSubmatch(out); m != nil {
		return string(cmp.Or(string(m[1]), string(m[2])))
	}
	return err.Error()
}

// each calls f for all values, in parallel: each worker handles one value at a time.
func each[T any](workers []*runner, values []T, f func(*runner, int, T)) {
	next := make(chan int)
	var wait sync.WaitGroup
	for _, r := range workers {
		wait.Go(func() {
			for i := range next {
				f(r, i, values[i])
			}
		})
	}
	for i := range values {
		next <- i
	}
	close(next)
	wait.Wait()
}

// recordAll records which tests reach which mutants. Tests that fail are not used; recordAll returns their errors in
// failed.
func recordAll(workers []*runner, mutants []*mutant) (tests []*test, failed []error, err error) {
	names, err := workers[0].list()
	if err != nil {
		return nil, nil, err
	}
	results := make([]*test, len(names))
	errs := make([]error, len(names))
	each(workers, names, func(r *runner, i int, name string) { results[i], errs[i] = r.record(name, len(mutants)) })
	for i, t := range results {
		if errs[i] != nil {
			failed = append(failed, errs[i])
		} else {
			tests = append(tests, t)
		}
	}
	slices.SortFunc(tests, func(a, b *test) int { return cmp.Compare(a.took, b.took) })
	return tests, failed, nil
}

// covered returns the mutants that a test reaches. It sets the tests of each mutant to those in which the mutant would
// make a difference.
func covered(mutants []*mutant, tests []*test) []*mutant {
	var list []*mutant
	for _, m := range mutants {
		reached := false
		for _, t := range tests {
			reached = reached || t.reaches[m.id] != 0
			if t.differs[m.id] != 0 {
				m.tests = append(m.tests, t)
			}
		}
		if reached {
			list = append(list, m)
		}
	}
	return list
}
