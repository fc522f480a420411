package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// tried runs the tool on a folder of testdata and returns what it prints, without the time.
func tried(t *testing.T, o options, equivalents, folder string) string {
	t.Helper()
	o.equivalents = filepath.Join(t.TempDir(), "equivalent.txt")
	if err := os.WriteFile(o.equivalents, []byte(equivalents), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	o.workers, o.memory, o.patience, o.out = 2, 8<<30, 2*time.Second, &out
	if err := run(o, []string{"./testdata/" + folder}); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(out.String(), ".ci/mutator/testdata/"+folder, folder)
	return passing.ReplaceAllString(text, "")
}

// passing is what depends on the machine: whether a test fails before its time is over.
var passing = regexp.MustCompile(`, \d+ killed, \d+ timed out| in \d+s`)

// TestSurvivors holds which mutants of the sample there are, by their number, and which
// of them its tests miss.
func TestSurvivors(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles a program")
	}
	got := tried(t, options{}, `
.ci/mutator/testdata/sample	clamp: n > 9 -> n >= 9	what is 9 already becomes 9
.ci/mutator/testdata/sample	clamp: n > 8 -> n >= 8	it was another line once
another	clamp: n > 7 -> n >= 7	of another package
`, "sample")
	want := `sample/sample.go:14:14 kinds: i < a -> i <= a (6)
sample/sample.go:33:5 guarded: n < 0 -> n <= 0 (29): reached, but never with another outcome
sample/sample.go:33:5 guarded: if n < 0 -> if false (33): reached, but never with another outcome
sample/sample.go:36:2 guarded: note(n) -> (nothing) (34)
sample/sample.go:44:20 note: noted = n -> (nothing) (36)
equivalent.txt: there is no mutant "clamp: n > 8 -> n >= 8" in sample any more
sample: 42 mutants, 40 covered, 1 equivalent, 39 sampled, 5 survived: 87.2 %
`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// The tests of another package find what they can.
func TestOfAnotherPackage(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles a program")
	}
	got := tried(t, options{by: "./testdata/caller"}, "", "library")
	want := `library/library.go:6:5 Positive: n < 0 -> n <= 0 (1): reached, but never with another outcome
library: 4 mutants, 4 covered, 0 equivalent, 4 sampled, 1 survived: 75.0 %
`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Mutants are also tried in programs that tests start. What such a program reaches does not hide what the test
// reaches.
func TestInPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles a program")
	}
	got := tried(t, options{by: "./testdata/starter", verbose: true}, "", "library")
	want := `library/library.go:6:5 Positive: n < 0 -> n <= 0 (1): reached, but never with another outcome
library/library.go:6:5 Positive: n < 0 -> n >= 0 (2): killed by TestProgram
library/library.go:6:5 Positive: if n < 0 -> if true (3): killed by TestProgram
library/library.go:6:5 Positive: if n < 0 -> if false (4): killed by TestProgram
library: 4 mutants, 4 covered, 0 equivalent, 4 sampled, 1 survived: 75.0 %
`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// The tests of several packages run in the order of the packages: the tests of a later one find what those of an
// earlier one miss.
func TestOfSeveralPackages(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles a program")
	}
	for by, killer := range map[string]string{
		"./testdata/sample,./testdata/caller":  "TestPositive",
		"./testdata/caller,./testdata/starter": "TestPositive",
		"./testdata/starter,./testdata/caller": "TestProgram",
	} {
		got := tried(t, options{by: by, verbose: true}, "", "library")
		if n := strings.Count(got, "killed by "+killer+"\n"); n != 3 {
			t.Errorf("-by %s: %d are killed by %s\n%s", by, n, killer, got)
		}
	}
}

// A subtest that fails is left out, and the others of its test still find what they can.
func TestSubtests(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles a program")
	}
	got := tried(t, options{by: "./testdata/parts", split: "TestParts", verbose: true}, "", "library")
	for _, want := range []string{"test left out: TestParts/wrong fails by itself",
		"if n < 0 -> if true (3): killed by TestParts\n",
		"if n < 0 -> if false (4): reached, but never with another outcome\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	o := options{by: "./testdata/caller", split: "TestPositive", workers: 1, memory: 8 << 30, patience: time.Second,
		equivalents: os.DevNull, out: io.Discard}
	err := run(o, []string{"./testdata/library"})
	if err == nil || !strings.Contains(err.Error(), ": TestPositive has no subtests\n") {
		t.Errorf("a test without subtests: %v", err)
	}
}

// The same number gives the same sample.
func TestSampleIsSeeded(t *testing.T) {
	var all []*mutant
	for i := range 100 {
		all = append(all, &mutant{id: i, equivalent: i == 50})
	}
	first, again := choose(options{sample: 10, seed: 1}, all), choose(options{sample: 10, seed: 1}, all)
	other := choose(options{sample: 10, seed: 2}, all)
	if len(first) != 10 || !slices.Equal(first, again) || slices.Equal(first, other) {
		t.Errorf("%d, %d and %d mutants, by one seed, again, and by another", len(first), len(again), len(other))
	}
	if whole := choose(options{}, all); len(whole) != 99 {
		t.Errorf("%d mutants without a limit", len(whole))
	}
}
