package webcapturetest

import (
	"os"
	"testing"
)

// All tells whether slow tests try all their cases, as they do if WEBCAP_TEST_ALL is set.
func All() bool { return os.Getenv("WEBCAP_TEST_ALL") != "" }

// Sample returns every n-th case, a third of these if testing.Short, or all of them if All: for tests
// with more cases than people wait for. The first case is always among them.
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
