package canon

import "unsafe"

// Step is one step of a profile, as data for messages and documentation.
type Step struct {
	Letter byte   // position in the profile, from 'a'; for PDF2, the list item of ISO 32000-2:2020, 14.10.3.2
	Title  string // action of the step, as in "step c would lower-case the scheme"
	Clause string // source of the step
}

// bit returns the set that contains only the step.
func (s *Step) bit() Steps { return 1 << (s.Letter - 'a') }

// Steps is a set of steps of one profile. The zero value is the empty set.
type Steps uint32

// Has reports whether the step with that letter is in the set.
func (s Steps) Has(letter byte) bool { return 'a' <= letter && letter <= 'z' && s>>(letter-'a')&1 != 0 }

// String returns the letters of the set in order, such as "bdg".
func (s Steps) String() string {
	var letters []byte
	for c := byte('a'); c <= 'z'; c++ {
		if s.Has(c) {
			letters = append(letters, c)
		}
	}
	return string(letters)
}

// Change is the effect of one step on a URL. After is never equal to Before.
type Change struct {
	Step          Step
	Before, After string
}

// step is a row of a profile's table: an action and its description.
type step struct {
	operation
	Step
}

// operation is the action of a step. Steps of several profiles may share an operation. Its functions must not keep the
// reduction or a part of it: see hidden.
type operation struct {
	// due reports whether do would change the URL. It writes nothing. For PDF and PDF2 the answer does not depend on
	// earlier operations, so Profile.Changes can test the unchanged URL. In other profiles, due may return true
	// although do changes nothing.
	due func(*reduction) bool

	// do changes the URL. It works in place or, for parts that may grow, in r.work. It is called only if due returned
	// true.
	do func(r *reduction)
}

// makeAbsolute is the operation of the first step of most profiles. It needs a base, so due always returns false and
// Profile.resolve does the work.
var makeAbsolute = operation{due: func(*reduction) bool { return false }}

// reduction is a URL on which the steps of a profile work.
type reduction struct {
	Parts   // parts of the URL; the reduction owns their bytes
	profile *Profile
	work    []byte // holds parts that do not fit into the URL
	due     Steps  // steps that Profile.look found due
}

// take applies all steps that are due.
func (p *Profile) take(r *reduction) {
	for i := range p.steps {
		if s := &p.steps[i]; s.due(r) {
			s.do(r)
		}
	}
}

// look records in r.due all steps that are due, and applies none.
func (p *Profile) look(r *reduction) {
	for i := range p.steps {
		if s := &p.steps[i]; s.due(r) {
			r.due |= s.bit()
		}
	}
}

// hidden returns r and hides it from the escape analysis of the compiler. The compiler must assume that a function in a
// table keeps its arguments, and would move r and the buffer of the caller to the heap. Operations keep nothing, so
// callers may pass []byte(s), or a buffer on their stack, without an allocation. A caller of hidden must read r after
// the last use of the result, so that r lives until then.
//
// A stack must not move while the address is a number. Stacks move only at calls, and there is no call here: nosplit
// excludes the check that grows a stack, and norace excludes the calls of the race detector.
//
//go:nosplit
//go:norace
func hidden(r *reduction) *reduction {
	address := uintptr(unsafe.Pointer(r))
	return *(**reduction)(unsafe.Pointer(&address))
}
