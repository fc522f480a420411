package webcapturetest

import (
	"os"
	"testing"
)

// All reports whether slow tests run all their cases, because WEBCAP_TEST_ALL is set.
func All() bool { return os.Getenv("WEBCAP_TEST_ALL") != "" }

// Sample returns every n-th case, a third of these if testing.Short, or all of them if All: for tests with very
// many cases. The first case is always included.
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
