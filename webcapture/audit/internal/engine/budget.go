package engine

import (
	"fmt"
)

// Objects of a hostile file refer to the same others again and again: a hundred
// thousand entries to one array of a hundred thousand sets, each of them to one
// array of sources. A budget keeps the work in proportion to the file.
//
// What the work of a phase amounts to does not depend on the order in which it
// is done. Nor does, therefore, whether it exceeds the budget; and if it does,
// the findings of the phase are dropped as a whole, for which of them were
// found depends on that order.

// An OverBudget says what was left out because it is not in proportion to the file.
type OverBudget struct{ what string }

func (e *OverBudget) Error() string { return e.what }

// ErrBudget says that a phase went over the budget.
var ErrBudget error = &OverBudget{"values and links were not checked: too much work for a file of this size"}

// Spend is that of [Engine].
func (w *Worker) Spend(n int64) bool {
	w.spent += n
	if now := w.Reader.BytesRead(); now != w.read {
		w.spent += now - w.read
		w.read = now
	}
	const some = 64 << 10 // to disturb the other workers less often
	if w.spent >= some {
		w.Run.Spent.Add(w.spent)
		w.spent = 0
		w.over = w.Run.Spent.Load() > w.Run.Budget || w.Run.File.Err() != nil
	}
	return !w.over
}

// Over is that of [Engine].
func (w *Worker) Over() bool { return w.over }

// ReadFree is that of [Engine].
func (w *Worker) ReadFree() { w.read = w.Reader.BytesRead() }

// within runs a phase. If that goes over the budget, or what the file may decode to is
// used up meanwhile, what it found is dropped, and so are the phases that come after it.
func (r *Runner) within(phase func() error) error {
	if r.Over {
		return nil
	}
	digests := r.digests
	var sets [len(r.sets)]int64
	for i := range r.sets {
		sets[i] = r.sets[i].Load()
	}
	decoded := r.File.OverDecoded()
	err := phase()
	decoded = !decoded && r.File.OverDecoded()
	if err != ErrBudget && (err != nil || !decoded) {
		r.keep()
		return err
	}
	r.Over = true
	r.phase = Found{}
	r.count.Store(int64(r.found.total()))
	if err == ErrBudget {
		r.found.leave(ErrBudget)
	} else {
		r.found.leave(&OverBudget{fmt.Sprintf("values and links were not checked: the streams of this file decode to more than %d bytes", r.File.MaxDecoded())})
	}
	r.digests = digests
	for i := range r.sets {
		r.sets[i].Store(sets[i])
	}
	return nil
}

// keep takes what a phase has found.
func (r *Runner) keep() {
	r.found.merge(&r.phase)
	r.phase = Found{}
}
