// Package sample has one mutant of each kind, and some that its tests do not notice.
package sample

import "errors"

const limit = 2 * 3

type count int8

var started = 1 + len("x"[:limit/6])

func kinds(a, b int, c count) (count, bool) {
	n := a*b - a/b%7
	for i := 0; i < a && i != 3 || a == 99; i++ {
		if i == 1 {
			continue
		}
		n += i
	}
loop:
	for {
		switch {
		case n > 1<<b-1:
			break loop
		}
		n++
	}
	c = c + 1
	return c + count(n), n >= 8
}

func guarded(n int) error {
	if n < 0 {
		return errNegative
	}
	note(n)
	return nil
}

var errNegative = errors.New("negative")

var noted int

func note(n int) { noted = n }

func clamp(n int) int {
	if n > 9 {
		n = 9
	}
	return n
}

func unreached() bool { return true }

func (c count) String() string {
	if c > 1 {
		return "many"
	}
	return "one"
}
