// Package meter limits the work and the memory that a file may cost, in proportion to its size.
//
//	m := meter.New(size)
//	if err := m.Pay(n); err != nil { … } // before n bytes are read, decoded, hashed, or compared
//	if err := m.Keep(n); err != nil { … } // before n bytes are kept in memory
//
// Objects of a hostile file may refer to the same objects many times, and a small stream may decode to a large one.
// Everything that reads the file pays into one Meter. A file that exceeds it cannot be read any further.
package meter

import "sync/atomic"

// Object is the price of a visit to an object, and of an element of a list, in addition to its bytes.
const Object = 256

// The budgets: a base for each file, and a share for each of its bytes.
const (
	baseWork = 256 << 20 // about a second
	byteWork = 128       // files with a million broken entries need half
	baseKept = 128 << 20
	byteKept = 4
)

// A Meter counts what a file costs. It is safe for concurrent use. A nil Meter counts nothing and is never exceeded.
type Meter struct {
	work, kept         atomic.Int64
	mostWork, mostKept int64
}

// New returns the Meter of a file with size bytes.
func New(size int64) *Meter {
	return &Meter{mostWork: baseWork + byteWork*size, mostKept: baseKept + byteKept*size}
}

// Over is the error of a file that exceeds its Meter. It says nothing about the content of the file, so it is not an
// object.Malformed: a caller that skips unreadable parts must not skip it.
type Over struct{}

func (Over) Error() string {
	return "stopped: reading this file takes far more work or memory than a file of its size needs"
}

// Pay counts work. A unit is one byte that is read, decoded, hashed, or compared. The error is Over, from the call that
// exceeds the Meter on.
func (m *Meter) Pay(n int64) error { return m.add(0, n) }

// Keep counts memory in bytes, which are never given back. The error is that of Pay.
func (m *Meter) Keep(n int64) error { return m.add(n, 0) }

func (m *Meter) add(kept, work int64) error {
	if m == nil {
		return nil
	}
	if kept != 0 {
		m.kept.Add(kept)
	}
	if work != 0 {
		m.work.Add(work)
	}
	return m.Over()
}

// Over returns the error Over if the Meter is exceeded, and nil otherwise.
func (m *Meter) Over() error {
	if m != nil && (m.work.Load() > m.mostWork || m.kept.Load() > m.mostKept) {
		return Over{}
	}
	return nil
}

// Spent returns the work and the memory counted so far.
func (m *Meter) Spent() (work, kept int64) {
	if m == nil {
		return 0, 0
	}
	return m.work.Load(), m.kept.Load()
}

// Budget returns the work and the memory that the file may cost.
func (m *Meter) Budget() (work, kept int64) {
	if m == nil {
		return 0, 0
	}
	return m.mostWork, m.mostKept
}

// Share returns the Meter of a part of the file, with a share of what is left, from 0 to 1. So the results of parts
// that are read at the same time do not depend on the order of their payments.
func (m *Meter) Share(share float64) *Meter {
	if m == nil {
		return nil
	}
	of := func(left int64) int64 { return int64(float64(max(left, 0)) * share) }
	return &Meter{mostWork: of(m.mostWork - m.work.Load()), mostKept: of(m.mostKept - m.kept.Load())}
}

// Limit lowers the budgets, or raises them. It is for tests, and must precede any other use.
func (m *Meter) Limit(work, kept int64) { m.mostWork, m.mostKept = work, kept }
