package audit

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree"
)

// Objects of a hostile file refer to the same others again and again: a hundred
// thousand entries to one array of a hundred thousand sets, each of them to one
// array of sources. A budget keeps the work in proportion to the file.
//
// What the work of a phase amounts to does not depend on the order in which it
// is done. Nor does, therefore, whether it exceeds the budget; and if it does,
// the findings of the phase are dropped as a whole, for which of them were
// found depends on that order.

// An overBudget is what was left out because it is not in proportion to the file.
type overBudget struct{ what string }

func (e *overBudget) Error() string { return e.what }

// errBudget says that a phase went over the budget.
var errBudget error = &overBudget{"values and links were not checked: that is more work than a file of this size may ask for"}

// spend takes n, and what was read since, from the budget. When it returns
// false, the findings of this phase will be dropped, and it may as well end.
func (p *Pass) spend(n int64) bool {
	p.spent += n
	if now := p.Reader.BytesRead(); now != p.read {
		p.spent += now - p.read
		p.read = now
	}
	const some = 64 << 10 // to disturb the other workers less often
	if p.spent >= some {
		p.run.spent.Add(p.spent)
		p.spent = 0
		p.over = p.run.spent.Load() > p.run.budget || p.run.file.Err() != nil
	}
	return !p.over
}

// readFree leaves what was read since the last call of spend out of the budget.
func (p *Pass) readFree() { p.read = p.Reader.BytesRead() }

// within runs a phase. If that goes over the budget, or what the file may decode to is
// used up meanwhile, what it found is dropped, and so are the phases that come after it.
func (r *run) within(phase func() error) error {
	if r.over {
		return nil
	}
	digests := r.digests
	var sets [len(r.sets)]int64
	for i := range r.sets {
		sets[i] = r.sets[i].Load()
	}
	decoded := r.file.OverDecoded()
	err := phase()
	decoded = !decoded && r.file.OverDecoded()
	if err != errBudget && (err != nil || !decoded) {
		r.keep()
		return err
	}
	r.over = true
	r.phase = found{}
	r.count.Store(int64(r.found.total()))
	if err == errBudget {
		r.found.leave(errBudget)
	} else {
		r.found.leave(&overBudget{fmt.Sprintf("values and links were not checked: the streams of this file decode to more than %d bytes", r.file.MaxDecoded())})
	}
	r.digests = digests
	for i := range r.sets {
		r.sets[i].Store(sets[i])
	}
	return nil
}

// keep takes what a phase has found.
func (r *run) keep() {
	r.found.merge(&r.phase)
	r.phase = found{}
}

// urlWork is what it costs to reduce the URLs of a set.
func (s *Set) urlWork() int64 {
	n := int64(0)
	for _, url := range s.sources {
		n += urlCost + 8*int64(len(url))
	}
	return n
}

// shorten cuts the long keys among the arguments of a message.
func shorten(args []any) {
	for i, a := range args {
		if k, ok := a.(nametree.Key); ok {
			args[i] = short(k)
		}
	}
}

// short returns the key as it is shown in messages.
func short(k nametree.Key) string { return k.Shorten(maxShown) }
