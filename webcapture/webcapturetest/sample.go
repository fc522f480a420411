package webcapturetest

import "os"

// All tells whether slow tests try all their cases, as they do if WEBCAP_TEST_ALL is set.
func All() bool { return os.Getenv("WEBCAP_TEST_ALL") != "" }

// Sample returns every n-th case, or all of them if All: for tests with more cases than
// people wait for. The first case is always among them.
func Sample[T any](n int, cases []T) []T {
	if All() {
		return cases
	}
	var some []T
	for i := 0; i < len(cases); i += n {
		some = append(some, cases[i])
	}
	return some
}
