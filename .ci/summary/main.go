// Summary reads the output of go test -json and prints a summary: the failures, the time of each package, and the
// skipped tests with their reasons. It fails if a test failed.
//
// A test that needs a program that is not installed skips with "needs PROGRAM". If the environment variable CI is true,
// such a skip is a failure, because all programs must be installed there. Skips for other reasons, such as a file
// system without links, are only counted.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

// An event is a line of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output string
}

type testName struct{ pkg, test string }

type summary struct {
	out     io.Writer
	outputs map[testName][]string // output of tests that have not ended
	skips   map[string]int        // number of skipped tests by reason

	passed, failed, skipped int
	broken                  []string // packages that failed, even if none of their tests failed
}

func main() {
	s := &summary{out: os.Stdout, outputs: map[testName][]string{}, skips: map[string]int{}}
	if err := s.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "summary:", err)
		os.Exit(2)
	}
	if !s.finish(os.Getenv("CI") == "true") {
		os.Exit(1)
	}
}

func (s *summary) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		var e event
		switch {
		case line == "":
		case json.Unmarshal([]byte(line), &e) != nil:
			fmt.Fprint(s.out, line)
		default:
			s.add(e)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *summary) add(e event) {
	name := testName{e.Package, e.Test}
	switch {
	case e.Action == "output" && e.Test == "":
		if e.Output != "PASS\n" {
			fmt.Fprint(s.out, e.Output)
		}
	case e.Action == "output":
		s.outputs[name] = append(s.outputs[name], e.Output)
	case e.Action == "build-output":
		fmt.Fprint(s.out, e.Output)
	case e.Action == "fail" && e.Test == "":
		s.packageFailed(e.Package)
	case e.Test != "":
		s.ended(e.Action, name)
	}
}

func (s *summary) ended(action string, name testName) {
	switch action {
	case "pass":
		s.passed++
	case "fail":
		s.failed++
		s.show(name)
	case "skip":
		s.skipped++
		s.skips[reason(s.outputs[name])]++
	default:
		return
	}
	delete(s.outputs, name)
}

func (s *summary) show(name testName) {
	fmt.Fprint(s.out, strings.Join(s.outputs[name], ""))
}

// packageFailed prints the tests of a failed package that did not end, because of a panic or an exit.
func (s *summary) packageFailed(pkg string) {
	s.broken = append(s.broken, pkg)
	byTest := func(a, b testName) int { return cmp.Compare(a.test, b.test) }
	for _, name := range slices.SortedFunc(maps.Keys(s.outputs), byTest) {
		if name.pkg == pkg {
			s.failed++
			s.show(name)
			delete(s.outputs, name)
		}
	}
}

var logged = regexp.MustCompile(`^\s+\S+_test\.go:\d+: (.*)\n$`)

// reason returns the reason why a test was skipped: the last line that the test logged.
func reason(output []string) string {
	why := "no reason given"
	for _, line := range output {
		if m := logged.FindStringSubmatch(line); m != nil {
			why = m[1]
		}
	}
	return why
}

// finish prints the totals, and reports whether the run succeeded.
func (s *summary) finish(ci bool) bool {
	var missing []string
	for _, why := range slices.Sorted(maps.Keys(s.skips)) {
		fmt.Fprintf(s.out, "%d skipped: %s\n", s.skips[why], why)
		if program, ok := strings.CutPrefix(why, "needs "); ok {
			missing = append(missing, program)
		}
	}
	fmt.Fprintf(s.out, "%d passed, %d failed, %d skipped\n", s.passed, s.failed, s.skipped)
	if len(s.broken) > 0 {
		fmt.Fprintln(s.out, "failed:", strings.Join(s.broken, " "))
	}
	if ci && len(missing) > 0 {
		fmt.Fprintln(s.out, "failed: CI has to have", strings.Join(missing, ", "))
		return false
	}
	if s.passed == 0 {
		fmt.Fprintln(s.out, "failed: no test passed")
	}
	return s.passed > 0 && s.failed == 0 && len(s.broken) == 0
}
