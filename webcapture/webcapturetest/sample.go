package webcapturetest

import (
	"os"
	"testing"
)

// All reports whether slow tests must run all their cases: WEBCAP_TEST_ALL is set.
func All() bool { return os.Getenv("WEBCAP_TEST_ALL") != "" }

// Sample selects cases of tests with very many cases. It returns every n-th case, or every 3n-th with
// testing.Short, or all cases if All is true. The first case is always included.
func Sample[T any](n int, cases []T) []T {
	switch {
	case All():
		return cases
	case testing.Short():
		n *= 3
	}
	var some []T
	for i := 0; i < len(cases); i += n {
		some = append(some, cases[i])
	}
	return some
}
