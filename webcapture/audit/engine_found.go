package audit

import (
	"cmp"
	"fmt"
	"slices"
)

// A file may break rules a million times, and a million findings are kept if they are in
// proportion to what is stored of it ([webcapture.Budget]). Of more findings than that the
// first of each rule are kept, by their places, and the others are counted. Which these
// are does not depend on who found what, and when: every worker keeps at least those of
// its own that are among the first of all, and whether there are too many is known by
// their number alone.

// found is what was found: by a worker, in a phase, or in a run.
type found struct {
	findings  Findings
	unread    []Unread
	undecoded undecoded

	// What was found but is not in the lists.
	omitted       map[*Rule]int
	omittedUnread int

	last map[*Rule]Finding // findings of the rule that do not come before it are only counted
	grow int               // to so many findings before they are cut again
}

// total returns the number of findings and of parts that could not be read.
func (f *found) total() int {
	n := f.findings.Len() + len(f.unread) + f.omittedUnread
	for _, omitted := range f.omitted {
		n += omitted
	}
	return n
}

// omit counts findings that are not kept.
func (f *found) omit(r *Rule, n int) {
	if n == 0 {
		return
	}
	if f.omitted == nil {
		f.omitted = map[*Rule]int{}
	}
	f.omitted[r] += n
}

// beyond reports whether a finding would be cut off again. A million may have one place:
// then their messages tell, as they do when findings are cut.
func (f *found) beyond(s statement) bool {
	last, ok := f.last[s.rule]
	if !ok {
		return false
	}
	c := s.place.Compare(last.Place)
	return c > 0 || c == 0 && s.message() >= last.Message
}

// merge adds what g has.
func (f *found) merge(g *found) {
	f.findings.merge(g.findings)
	f.unread = append(f.unread, g.unread...)
	f.undecoded.merge(g.undecoded)
	for r, n := range g.omitted {
		f.omit(r, n)
	}
	f.omittedUnread += g.omittedUnread
}

// cut leaves the first findings of each rule, and the first parts that could not be read.
func (f *found) cut() {
	list := f.findings.list
	slices.SortFunc(list, func(a, b packed) int {
		return cmp.Or(cmp.Compare(a.kind().rule.ID, b.kind().rule.ID), a.compare(b))
	})
	kept := list[:0]
	for from := 0; from < len(list); {
		of, to := list[from].kind().rule, from+1
		for to < len(list) && list[to].kind().rule == of {
			to++
		}
		few := min(to, from+maxOfRule)
		kept = append(kept, list[from:few]...)
		if to-from >= maxOfRule {
			if f.last == nil {
				f.last = map[*Rule]Finding{}
			}
			f.last[of] = kept[len(kept)-1].unpack().finding()
		}
		f.omit(of, to-few)
		from = to
	}
	f.findings.repack(kept)
	if n := len(f.unread) - maxOfRule; n > 0 {
		slices.SortFunc(f.unread, Unread.Compare)
		clear(f.unread[maxOfRule:])
		f.unread = f.unread[:maxOfRule]
		f.omittedUnread += n
	}
	f.grow = 2*(f.findings.Len()+len(f.unread)) + maxOfRule
}

// Record is that of [Engine].
func (w *worker) Record(s statement) {
	if w.found.beyond(s) {
		w.found.omit(s.rule, 1)
	} else {
		w.found.findings.add(s)
	}
	w.count()
}

// Omit is that of [Engine].
func (w *worker) Omit(n int) { w.found.omit(w.rule, n) }

// NoteUnread is that of [Engine].
func (w *worker) NoteUnread(u Unread) {
	if w.found.undecoded.take(u.Err) {
		return
	}
	w.found.unread = append(w.found.unread, u)
	w.count()
}

// CountProof is that of [Engine].
func (w *worker) CountProof(p Proof) { w.digests[p]++ }

// Fail is that of [Engine].
func (w *worker) Fail(err error) { w.failed = err }

// count is called for each finding and each part that could not be read. If there are too
// many in all workers together, it cuts those of this one.
func (w *worker) count() {
	const some = 64 // to disturb the other workers less often
	if w.fresh++; w.fresh < some {
		return
	}
	n := w.run.count.Add(w.fresh)
	w.fresh = 0
	if n > w.run.findings && w.found.findings.Len()+len(w.found.unread) >= max(w.found.grow, maxOfRule) {
		w.found.cut()
	}
}

// report gives a report what was found, in the order of places, without repetition.
func (r *run) report(res *result) {
	f := &r.found
	if total := f.total(); int64(total) > r.findings {
		f.cut()
	}
	f.findings.Sort()
	f.findings.compact()
	res.findings = f.findings
	for _, one := range r.opt.Rules {
		if n := f.omitted[one]; n > 0 {
			res.omitted = append(res.omitted, Omitted{Rule: one, Count: n})
		}
	}
	if what := f.counted(); what != "" {
		f.leave(&overBudget{"there is more wrong than is kept of a file of this size: " + what})
	}
	f.unread = append(f.unread, f.undecoded.unread()...)
	slices.SortFunc(f.unread, Unread.Compare)
	res.unread = slices.CompactFunc(f.unread, func(a, b Unread) bool { return a.Compare(b) == 0 })
}

// counted says what is only counted; empty if everything is listed.
func (f *found) counted() string {
	findings := 0
	for _, n := range f.omitted {
		findings += n
	}
	switch {
	case findings == 0 && f.omittedUnread == 0:
		return ""
	case f.omittedUnread == 0:
		return fmt.Sprintf("%d findings are only counted", findings)
	}
	return fmt.Sprintf("%d findings and %d parts that could not be checked are only counted", findings, f.omittedUnread)
}

// errMembers says that rules about the document as a whole were not checked.
var errMembers error = &overBudget{"pages, images and members were not checked: content sets list more members than a file of this size may have"}

// leave notes what was left out of the audit of the file.
func (f *found) leave(err error) {
	f.unread = append(f.unread, Unread{Place: Place{Part: "file"}, Err: err})
}
