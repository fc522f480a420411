package engine

import "fmt"

// Objects of a hostile file may refer to the same objects many times: a hundred thousand entries to one array of a
// hundred thousand content sets, and each of these to one array of sources. A budget keeps the work in proportion to
// the size of the file.
//
// The total work of a phase does not depend on its order. So the order does not decide whether a phase exceeds the
// budget. If a phase does, all its findings are dropped, because the order decides which were found before.

// OverBudget is the error for parts of an audit that were skipped, or only counted, because they were too much for the
// size of the file.
type OverBudget struct{ what string }

func (e *OverBudget) Error() string { return e.what }

// ErrBudget means that a phase exceeded the budget.
var ErrBudget error = &OverBudget{"some rules were not checked: too much work for a file of this size"}

// Spend implements [rule.Engine].
func (w *Worker) Spend(n int64) bool {
	w.spent += n
	if now := w.Reader.BytesRead(); now != w.read {
		w.spent += now - w.read
		w.read = now
	}
	const some = 64 << 10 // larger steps need less synchronization with other workers
	if w.spent >= some {
		w.Run.Spent.Add(w.spent)
		w.spent = 0
		w.over = w.Run.Spent.Load() > w.Run.Budget || w.Run.File.Err() != nil
	}
	return !w.over
}

// Over implements [rule.Engine].
func (w *Worker) Over() bool { return w.over }

// ReadFree implements [rule.Engine].
func (w *Worker) ReadFree() { w.read = w.Reader.BytesRead() }

// within runs a phase. If the phase exceeds the budget, or the total decoding limit of the file, its findings are
// dropped, and the later phases do not run.
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
		r.found.leave(&OverBudget{fmt.Sprintf("some rules were not checked: decoding the streams of this file "+
			"takes more than %d bytes", r.File.MaxDecoded())})
	}
	r.digests = digests
	for i := range r.sets {
		r.sets[i].Store(sets[i])
	}
	return nil
}

// keep adds the findings of the current phase to those of the run.
func (r *Runner) keep() {
	r.found.merge(&r.phase)
	r.phase = Found{}
}
