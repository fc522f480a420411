// Mutator shows which changes of a package are not noticed by the tests of the package.
//
// A mutant is one small change: a comparison the other way round, a guard switched
// off, a call removed. All mutants of a package are compiled into one test binary,
// and an environment variable chooses one of them. The binary also records which
// mutants each test reaches. So a mutant is tried only with the tests that reach it:
// the fastest first, until one of them fails.
//
// Increments of for loops, locks, constants, String methods and generated files are
// not mutated. Tests run in a copy of the module without other files.
package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
)

//go:embed helpers.go.txt
var helperSource string

type options struct {
	sample  int
	seed    uint64
	workers int
	only    string
	by      string
	split   string
	id      int
	short   bool
	verbose bool
	memory  int

	patience    time.Duration // minimum time limit of a run of tests
	equivalents string        // path of the list of mutants that change nothing
	out         io.Writer
}

func main() {
	o := options{patience: 5 * time.Second, equivalents: filepath.Join(".ci", "mutator", "equivalent.txt"),
		out: os.Stdout}
	flag.IntVar(&o.sample, "n", 150, "try so many of the covered mutants of a package; 0: all")
	flag.Uint64Var(&o.seed, "seed", 1, "`number` that chooses the sample")
	flag.IntVar(&o.workers, "j", 2, "processes at a time")
	flag.StringVar(&o.only, "only", "", "try all mutants of this `function`, such as Tree.Find, and no others")
	flag.StringVar(&o.by, "by", "",
		"run the tests of these `packages`, in this order, such as ./webcapture/diff,./webcapture/command")
	flag.StringVar(&o.split, "split", "", "take each subtest of this `test` as a test of its own, such as TestScripts")
	flag.IntVar(&o.id, "run", 0, "try the mutant with this `number` only, and show what its tests write")
	flag.BoolVar(&o.short, "short", true, "run tests with -short")
	flag.BoolVar(&o.verbose, "v", false, "show each mutant, and what kills it")
	flag.IntVar(&o.memory, "memory", 8<<30, "`bytes` of memory that a process may address")
	flag.Parse()
	patterns := flag.Args()
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	if err := run(o, patterns); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
}

func run(o options, patterns []string) error {
	loaded, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule}, patterns...)
	if err != nil {
		return err
	}
	if packages.PrintErrors(loaded) > 0 {
		return errors.New("these packages do not build")
	}
	for _, p := range loaded {
		if err := mutatePackage(o, p); err != nil {
			return fmt.Errorf("%s: %w", p.PkgPath, err)
		}
	}
	return nil
}

func mutatePackage(o options, p *packages.Package) error {
	start := time.Now()
	temp, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	suites, err := suitesOf(o, p)
	if err != nil {
		return err
	}
	mutants, err := build(p, suites, temp)
	if err != nil {
		return err
	}
	name, _ := filepath.Rel(p.Module.Dir, p.Dir)
	stale, err := markEquivalents(o.equivalents, filepath.ToSlash(name), mutants)
	if err != nil {
		return err
	}
	workers, err := makeWorkers(o, p.Module.Dir, temp)
	if err != nil {
		return err
	}
	tests, failed, err := recordAll(o, workers, suites, mutants)
	if err != nil {
		return err
	}
	for _, err := range failed {
		fmt.Fprintln(o.out, "test left out:", err)
	}
	candidates := covered(mutants, tests)
	if o.id != 0 {
		return repeat(o, workers[0], mutants)
	}
	sample := choose(o, candidates)
	each(workers, sample, func(r *runner, _ int, m *mutant) { r.try(m) })
	show(o, p.Module.Dir, sample)
	for _, line := range stale {
		fmt.Fprintf(o.out, "equivalent.txt: there is no mutant %q in %s any more\n", line, name)
	}
	summarize(o, name, mutants, candidates, sample, time.Since(start))
	return nil
}

// suitesOf returns the suites whose tests run: by default, that of the package of the mutants.
func suitesOf(o options, p *packages.Package) ([]*suite, error) {
	loaded := []*packages.Package{p}
	if o.by != "" {
		mode := packages.NeedName | packages.NeedFiles | packages.NeedModule
		loaded = nil
		for name := range strings.SplitSeq(o.by, ",") {
			found, err := packages.Load(&packages.Config{Mode: mode}, name)
			if err != nil {
				return nil, err
			}
			if len(found) != 1 || packages.PrintErrors(found) > 0 {
				return nil, fmt.Errorf("-by %s: %s is not one package", o.by, name)
			}
			loaded = append(loaded, found[0])
		}
	}
	var suites []*suite
	for i, by := range loaded {
		folder, err := filepath.Rel(by.Module.Dir, by.Dir)
		if err != nil {
			return nil, err
		}
		suites = append(suites, &suite{i, by.PkgPath, folder, ""})
	}
	return suites, nil
}

// build compiles the test binaries of suites with all mutants of p.
func build(p *packages.Package, suites []*suite, temp string) ([]*mutant, error) {
	var mutants []*mutant
	overlay := map[string]string{}
	put := func(path, text string) error {
		overlay[path] = filepath.Join(temp, fmt.Sprintf("%d-%s", len(overlay), filepath.Base(path)))
		return os.WriteFile(overlay[path], []byte(text), 0o600)
	}
	for i, file := range p.Syntax {
		path := p.CompiledGoFiles[i]
		if ast.IsGenerated(file) {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		r := &rewriter{fset: p.Fset, file: file, src: src, info: p.TypesInfo, mutants: &mutants}
		if err := put(path, r.rewrite()); err != nil {
			return nil, err
		}
	}
	helper := fmt.Sprintf(helperSource, p.Name, len(mutants)+1)
	if err := put(filepath.Join(p.Dir, "mutant_helpers.go"), helper); err != nil {
		return nil, err
	}
	replace, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return nil, err
	}
	list := filepath.Join(temp, "overlay.json")
	if err := os.WriteFile(list, replace, 0o600); err != nil {
		return nil, err
	}
	for _, by := range suites {
		by.binary = filepath.Join(temp, fmt.Sprint("tests", by.rank))
		cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", list, "-o", by.binary, by.path)
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("the mutants do not build: %w\n%s", err, out)
		}
		if _, err := os.Stat(by.binary); err != nil {
			return nil, fmt.Errorf("%s has no tests", by.path)
		}
	}
	return mutants, nil
}

// makeWorkers returns runners, each with its own copy of the module in root.
func makeWorkers(o options, root, temp string) ([]*runner, error) {
	out, err := exec.Command("git", "-C", root, "ls-files", "-z", "--cached", "--others",
		"--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("listing the files of the module: %w", err)
	}
	var workers []*runner
	for i := range o.workers {
		home := filepath.Join(temp, fmt.Sprint("worker", i))
		r := &runner{filepath.Join(home, "module"), filepath.Join(home, "temp"), o.short, o.memory, o.patience}
		for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
			if err := copyFile(filepath.Join(root, name), filepath.Join(r.root, name)); err != nil {
				return nil, err
			}
		}
		workers = append(workers, r)
	}
	return workers, nil
}

func copyFile(from, to string) error {
	info, err := os.Lstat(from)
	if errors.Is(err, os.ErrNotExist) {
		return nil // the file was removed, but is still in the Git index
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, info.Mode().Perm())
}

// markEquivalents reads the list of mutants that change nothing, and marks these mutants. A line of the list has
// package, key, and reason, separated by tabs. stale has the keys of the package that no mutant has.
func markEquivalents(path, pkg string, mutants []*mutant) (stale []string, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 || f[2] == "" {
			return nil, fmt.Errorf("%s: %q is not a package, a mutant and a reason with tabs between them", path, line)
		}
		if f[0] != pkg {
			continue
		}
		i := slices.IndexFunc(mutants, func(m *mutant) bool { return m.key() == f[1] })
		if i < 0 {
			stale = append(stale, f[1])
			continue
		}
		mutants[i].equivalent = true
	}
	return stale, nil
}

// choose returns a sample of the candidates, in the order of the source.
func choose(o options, candidates []*mutant) []*mutant {
	pool := slices.DeleteFunc(slices.Clone(candidates), func(m *mutant) bool {
		return m.equivalent || o.only != "" && m.fn != o.only
	})
	if o.only == "" && o.sample > 0 && o.sample < len(pool) {
		random := rand.New(rand.NewPCG(o.seed, 0))
		random.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
		pool = pool[:o.sample]
	}
	slices.SortFunc(pool, func(a, b *mutant) int { return a.id - b.id })
	return pool
}

func repeat(o options, r *runner, mutants []*mutant) error {
	i := slices.IndexFunc(mutants, func(m *mutant) bool { return m.id == o.id })
	if i < 0 {
		return fmt.Errorf("there is no mutant %d", o.id)
	}
	m := mutants[i]
	fmt.Fprintf(o.out, "%s:%d: %s\n", m.pos.Filename, m.pos.Line, m.key())
	for by, tests := range bySuite(m.tests) {
		names := namesOf(tests)
		fmt.Fprintf(o.out, "tests of %s in which it makes a difference: %s\n", by.path, strings.Join(names, " "))
		out, err, inTime := r.run(by, fmt.Sprint("WEBCAP_TEST_MUTANT=", o.id), names, 10*time.Minute)
		fmt.Fprintf(o.out, "%sended in time: %t; result: %v\n", out, inTime, err)
	}
	return nil
}

var stateNames = [...]string{survived: "survived", killed: "killed", timedOut: "timed out"}

func show(o options, root string, sample []*mutant) {
	for _, m := range sample {
		if m.state != survived && !o.verbose {
			continue
		}
		path, _ := filepath.Rel(root, m.pos.Filename)
		fmt.Fprintf(o.out, "%s:%d:%d %s (%d)", filepath.ToSlash(path), m.pos.Line, m.pos.Column, m.key(), m.id)
		switch {
		case o.verbose && m.by != "":
			fmt.Fprintf(o.out, ": %s by %s", stateNames[m.state], m.by)
		case len(m.tests) == 0:
			fmt.Fprint(o.out, ": reached, but never with another outcome")
		}
		fmt.Fprintln(o.out)
	}
}

func summarize(o options, name string, mutants, candidates, sample []*mutant, took time.Duration) {
	var n [len(stateNames)]int
	for _, m := range sample {
		n[m.state]++
	}
	equivalent := 0
	for _, m := range mutants {
		if m.equivalent {
			equivalent++
		}
	}
	dead := n[killed] + n[timedOut]
	fmt.Fprintf(o.out, "%s: %d mutants, %d covered, %d equivalent, %d sampled, %d killed, %d timed out, %d survived: %.1f %% in %s\n",
		name, len(mutants), len(candidates), equivalent, len(sample), n[killed], n[timedOut], n[survived],
		100*float64(dead)/float64(max(1, len(sample))), took.Round(time.Second))
}
