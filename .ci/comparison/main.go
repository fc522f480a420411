// Command comparison compares what the programs of two commits write: see .ci/compare.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

//go:embed cases.txt
var caseLines string

const usage = "usage: .ci/compare [--allow FILE] [--corpus FOLDER] [--lines N] [--only GLOB] OLD [NEW]"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	same, err := compare(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(2)
	}
	if !same {
		os.Exit(1)
	}
}

// compare reports whether both programs write the same, apart from what the allow-list names.
func compare(ctx context.Context) (same bool, err error) {
	start := time.Now()
	allowFile := flag.String("allow", "", "")
	corpus := flag.String("corpus", "", "")
	lines := flag.Int("lines", 6, "")
	only := flag.String("only", "*", "")
	flag.Usage = func() { fmt.Fprintln(os.Stderr, usage) }
	flag.Parse()
	if flag.NArg() < 1 || flag.NArg() > 2 {
		return false, errors.New(usage)
	}
	if *allowFile == "" {
		if _, err := os.Stat(".ci/compare.allow"); err == nil {
			*allowFile = ".ci/compare.allow"
		}
	}
	var allowances []*allowance
	if *allowFile != "" {
		if allowances, err = readAllowances(*allowFile); err != nil {
			return false, err
		}
	}
	work, err := os.MkdirTemp("", "compare")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	c := &comparer{work: work, start: start}
	p, err := c.prepare(ctx, *corpus)
	if err != nil {
		return false, err
	}
	names := globPattern(*only)
	p.cases = slices.DeleteFunc(p.cases, func(c testCase) bool { return !names.MatchString(c.name) })
	fmt.Printf("%d cases; set up in %.0f s\n", len(p.cases), time.Since(start).Seconds())
	r := &reporter{allowances: allowances, lines: *lines, shown: map[string]string{}}
	if err := c.runAll(ctx, p.cases, r.report); err != nil {
		return false, err
	}
	same = r.finish()
	fmt.Printf("%.0f s\n", time.Since(start).Seconds())
	return same, nil
}

// prepare builds both programs, writes the inputs, and returns a planner with all cases.
func (c *comparer) prepare(ctx context.Context, corpus string) (*planner, error) {
	var programs [2]*program
	for i, what := range []string{flag.Arg(0), flag.Arg(1)} {
		path := filepath.Join(c.work, "program", sides[i], "webcap")
		err := build(ctx, what, path)
		if err != nil {
			return nil, err
		}
		if programs[i], err = readProgram(path); err != nil {
			return nil, err
		}
		c.versions[i] = programs[i].version
	}
	inputs := filepath.Join(c.work, "in")
	err := writeInputs(ctx, inputs, corpus)
	if err != nil {
		return nil, err
	}
	p := &planner{old: programs[0], new: programs[1], inputs: inputs}
	var single []string
	if p.both, single, err = intersect(p.old, p.new); err != nil {
		return nil, err
	}
	for _, line := range single {
		fmt.Println(line)
	}
	if err := p.plan(caseLines); err != nil {
		return nil, err
	}
	if p.skipped > 0 {
		fmt.Printf("no corpus: %d cases are left out\n", p.skipped)
	}
	return p, nil
}

// build writes the program of a revision to path, that of the working tree if what is empty, or copies a program.
func build(ctx context.Context, what, path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if info, err := os.Stat(what); err == nil && info.Mode().IsRegular() {
		return execute(ctx, ".", "cp", what, path)
	}
	tree := "."
	if what != "" {
		// An archive, because a worktree would be written into .git.
		tree = filepath.Join(filepath.Dir(path), "tree")
		if err := os.Mkdir(tree, 0o777); err != nil {
			return err
		}
		if err := execute(ctx, ".", "git", "archive", "--output", tree+".tar", what+"^{commit}"); err != nil {
			return err
		}
		if err := execute(ctx, tree, "tar", "-xf", tree+".tar"); err != nil {
			return err
		}
	}
	// Without versions and paths, the cache has the packages that both revisions share.
	return execute(ctx, tree, "go", "build", "-trimpath", "-buildvcs=false", "-o", path, ".")
}

// writeInputs writes the folder of all inputs.
func writeInputs(ctx context.Context, folder, corpus string) error {
	if err := os.Mkdir(folder, 0o777); err != nil {
		return err
	}
	if corpus == "" {
		corpus = findCorpus(ctx)
	}
	if corpus != "" {
		if err := execute(ctx, ".", "cp", "-r", corpus, filepath.Join(folder, "corpus")); err != nil {
			return err
		}
	}
	return execute(ctx, ".", "go", "run", "./.ci/damaged", folder)
}

// findCorpus returns ../shared/corpus, seen from this tree or from the main checkout that it is a worktree of.
func findCorpus(ctx context.Context) string {
	folders := []string{".."}
	out, err := exec.CommandContext(ctx, "git", "rev-parse", "--path-format=absolute", "--git-common-dir").Output()
	if err == nil {
		folders = append(folders, filepath.Join(strings.TrimSpace(string(out)), "..", ".."))
	}
	for _, folder := range folders {
		folder = filepath.Join(folder, "shared", "corpus")
		if _, err := os.Stat(folder); err == nil {
			return folder
		}
	}
	return ""
}

func execute(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}

// runAll runs cases, one for each processor at a time, and reports their results in order.
func (c *comparer) runAll(ctx context.Context, cases []testCase, report func(result)) error {
	results := make([]chan result, len(cases))
	for i := range results {
		results[i] = make(chan result, 1)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	next := make(chan int)
	go func() {
		defer close(next)
		for i := range cases {
			select {
			case next <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	for range runtime.NumCPU() {
		go func() {
			for i := range next {
				results[i] <- c.run(ctx, cases[i])
			}
		}()
	}
	for _, ch := range results {
		select {
		case r := <-ch:
			if r.err != nil {
				return r.err
			}
			report(r)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// reporter prints results.
type reporter struct {
	allowances                         []*allowance
	lines                              int
	shown                              map[string]string // name of the first output with a difference
	cases, outputs, differ, ok, failed int
}

func (p *reporter) report(r result) {
	p.cases++
	p.outputs += r.outputs
	if r.problem != "" {
		p.failed++
		fmt.Printf("== %s: %s\n", r.name, r.problem)
	}
	for _, d := range r.differences {
		if reasons := allowed(p.allowances, d); reasons != nil {
			p.ok++
			fmt.Printf("allowed: %s: %s\n", d.name, strings.Join(reasons, "; "))
			continue
		}
		p.differ++
		text := strings.Join(d.lines, "\n")
		if first, ok := p.shown[text]; ok {
			fmt.Printf("== %s: differs like %s\n", d.name, first)
			continue
		}
		p.shown[text] = d.name
		fmt.Printf("== %s: webcap %s\n", d.name, r.text)
		for i, line := range d.lines {
			if i == p.lines {
				fmt.Printf("   and %d more lines\n", len(d.lines)-i)
				break
			}
			if len(line) > 300 {
				line = line[:300] + "…"
			}
			fmt.Println(strings.ToValidUTF8(line, "?"))
		}
	}
}

// finish prints stale lines of the allow-list and the sums. It reports whether there is nothing to complain about.
func (p *reporter) finish() bool {
	for _, a := range p.allowances {
		if !a.used {
			p.failed++
			fmt.Printf("stale line of the allow-list: %s\n", a.text)
		}
	}
	fmt.Printf("%d cases, %d outputs: %d differ, %d allowed differences, %d other failures\n",
		p.cases, p.outputs, p.differ, p.ok, p.failed)
	return p.cases > 0 && p.differ == 0 && p.failed == 0
}
