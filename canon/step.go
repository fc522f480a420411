package canon

import "unsafe"

// Step is one step of a profile, as data for messages and documentation.
type Step struct {
	Letter byte   // its place in the profile; of PDF2, its item in the list of ISO 32000-2:2020, 14.10.3.2
	Title  string // what it does, as in "step c would lower-case the scheme"
	Clause string // who says so
}

// bit is the step as a member of Steps.
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

// step is a row of a profile's table: what it does, and what it says of itself.
type step struct {
	operation
	Step
}

// operation is the action of a step; steps of several profiles may share one. Neither function keeps the reduction or a part
// of it: see hidden.
type operation struct {
	// due reports whether do would change the URL, and writes nothing. For the operations of PDF and PDF2 the answer is
	// the same whether or not the operations before it have been done: this is what allows Profile.Changes to look at
	// the URL as it stands. Operations of other profiles may be due and then find nothing to do.
	due func(*reduction) bool

	// do works in place or, where something may grow, in r.work. It is called only if due has been true.
	do func(r *reduction)
}

// makeAbsolute is the operation of the first step of most profiles. It takes a base, so it is never due by itself:
// Profile.resolve does it.
var makeAbsolute = operation{due: func(*reduction) bool { return false }}

// reduction is a URL on its way through the steps of a profile.
type reduction struct {
	Parts   // of the URL; their bytes belong to the reduction
	profile *Profile
	work    []byte // to this is appended what has no room in the URL
	due     Steps  // what Profile.look has found
}

// take takes each step that is due.
func (p *Profile) take(r *reduction) {
	for i := range p.steps {
		if s := &p.steps[i]; s.due(r) {
			s.do(r)
		}
	}
}

// look notes each step that is due, and takes no step.
func (p *Profile) look(r *reduction) {
	for i := range p.steps {
		if s := &p.steps[i]; s.due(r) {
			r.due |= s.bit()
		}
	}
}

// hidden returns r in a way that the compiler cannot follow. Of a function in a table the compiler has to assume that
// it keeps what it is given, and would move r to the heap, with the buffer of whoever calls this package. Operations
// keep nothing, so callers may pass []byte(s), or a buffer on their stack, and pay for neither. Who hides r reads it
// after the last call, so that it lives until then.
//
// A stack must not move while the address is a number. It moves at calls alone: there is none here, nosplit keeps out
// that which grows a stack, and norace those that report each access to the race detector.
//
//go:nosplit
//go:norace
func hidden(r *reduction) *reduction {
	address := uintptr(unsafe.Pointer(r))
	return *(**reduction)(unsafe.Pointer(&address))
}
