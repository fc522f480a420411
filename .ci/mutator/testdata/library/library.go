// Package library has no tests of its own. Those of package caller test it.
package library

// Positive returns n, or 0 if n is negative.
func Positive(n int) int {
	if n < 0 {
		return 0
	}
	return n
}
