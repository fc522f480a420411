package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
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

// A suite has the tests of a package.
type suite struct {
	rank   int    // its tests run after those of suites with lower ranks
	path   string // import path of the package
	folder string // folder of the package in the module
	binary string
}

// test is one test, example, fuzz target with its seeds, or subtest.
type test struct {
	of      *suite
	name    string // full name, such as TestScripts/audit
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

// A runner runs test binaries in a copy of the module, because a mutant may write
// or remove anything.
type runner struct {
	root     string // folder of the copy
	temp     string // folder for temporary files of tests; removed after each run
	short    bool
	memory   int           // number of bytes that a process may address
	patience time.Duration // minimum time limit of a run
}

// run runs tests of a suite. It returns their output, and whether they ended in time. Processes that the tests started
// end with them.
func (r *runner) run(by *suite, env string, names []string, limit time.Duration, flags ...string) (output []byte,
	err error, inTime bool) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	args := []string{"-c", fmt.Sprintf(`ulimit -v %d; exec "$0" "$@"`, r.memory>>10), by.binary,
		"-test.failfast", "-test.timeout=0", "-test.run=" + exactly(names)}
	if r.short {
		args = append(args, "-test.short")
	}
	args = append(args, flags...)
	cmd := exec.CommandContext(ctx, "bash", args...)
	cmd.Dir = filepath.Join(r.root, by.folder)
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

// exactly returns a pattern for -test.run that matches the tests and subtests with these names.
func exactly(names []string) string {
	var list []string
	for _, name := range names {
		list = append(list, "^"+strings.ReplaceAll(regexp.QuoteMeta(name), "/", "$/^")+"$")
	}
	return strings.Join(list, "|")
}

// list returns all tests of a suite; the subtests of split instead of the test with this name.
func (r *runner) list(by *suite, split string) (tests []*test, err error) {
	cmd := exec.Command(by.binary, "-test.list=.")
	cmd.Dir = filepath.Join(r.root, by.folder)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("listing tests: %w\n%s", err, out)
	}
	for _, name := range strings.Fields(string(out)) {
		switch {
		case name == split:
			names, err := r.subtests(by, name)
			if err != nil {
				return nil, err
			}
			for _, name := range names {
				tests = append(tests, &test{of: by, name: name})
			}
		case !strings.HasPrefix(name, "Benchmark"):
			tests = append(tests, &test{of: by, name: name})
		}
	}
	return tests, nil
}

var subtestStart = regexp.MustCompile(`(?m)^=== RUN +([^/\s]+/[^/\s]+)$`)

// subtests runs a test and returns the names of its subtests.
func (r *runner) subtests(by *suite, name string) (names []string, err error) {
	out, err, _ := r.run(by, "", []string{name}, 30*time.Minute, "-test.v", "-test.failfast=false")
	for _, m := range subtestStart.FindAllSubmatch(out, -1) {
		names = append(names, string(m[1]))
	}
	switch {
	case len(names) > 0:
		return names, nil
	case err != nil:
		return nil, fmt.Errorf("%s has no subtests: %w\n%s", name, err, out)
	}
	return nil, fmt.Errorf("%s has no subtests\n%s", name, out)
}

// record runs a single test without a mutant, and records the mutants that it reaches.
func (r *runner) record(t *test, mutants int) error {
	file := filepath.Join(filepath.Dir(r.temp), filepath.Base(t.name)+".reached")
	start := time.Now()
	out, err, _ := r.run(t.of, "WEBCAP_TEST_MUTANT_RECORD="+file, []string{t.name}, 30*time.Minute)
	t.took = time.Since(start)
	if err != nil {
		return fmt.Errorf("%s fails by itself: %w\n%s", t.name, err, out)
	}
	recorded := make([]byte, 2*(mutants+1))
	data, err := os.ReadFile(file)
	copy(recorded, data)
	t.reaches, t.differs = recorded[:mutants+1], recorded[mutants+1:]
	os.Remove(file)
	return err
}

// try runs the tests in which the mutant would make a difference: suite by suite, fastest first.
func (r *runner) try(m *mutant) {
	for by, all := range bySuite(m.tests) {
		for tests := range batches(all) {
			names := namesOf(tests)
			var normal time.Duration
			for _, t := range tests {
				normal += t.took
			}
			out, err, inTime := r.run(by, fmt.Sprintf("WEBCAP_TEST_MUTANT=%d", m.id), names, max(r.patience, 10*normal))
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
}

func namesOf(tests []*test) (names []string) {
	for _, t := range tests {
		names = append(names, t.name)
	}
	return names
}

// bySuite divides tests, which are sorted by suite, into the tests of each suite.
func bySuite(tests []*test) iter.Seq2[*suite, []*test] {
	return func(yield func(*suite, []*test) bool) {
		for len(tests) > 0 {
			by, n := tests[0].of, 1
			for n < len(tests) && tests[n].of == by {
				n++
			}
			if !yield(by, tests[:n]) {
				return
			}
			tests = tests[n:]
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

// recordAll records which tests reach which mutants. It returns the tests by suite, fastest first. Tests that fail are
// not used; recordAll returns their errors in failed.
func recordAll(o options, workers []*runner, suites []*suite, mutants []*mutant) (tests []*test, failed []error,
	err error) {
	for _, by := range suites {
		list, err := workers[0].list(by, o.split)
		if err != nil {
			return nil, nil, err
		}
		tests = append(tests, list...)
	}
	errs := make([]error, len(tests))
	each(workers, tests, func(r *runner, i int, t *test) { errs[i] = r.record(t, len(mutants)) })
	good := tests[:0]
	for i, t := range tests {
		if errs[i] != nil {
			failed = append(failed, errs[i])
		} else {
			good = append(good, t)
		}
	}
	slices.SortFunc(good, func(a, b *test) int {
		return cmp.Or(cmp.Compare(a.of.rank, b.of.rank), cmp.Compare(a.took, b.took))
	})
	return good, failed, nil
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
