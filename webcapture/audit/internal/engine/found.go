package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// A file may have a million findings. All are kept if their number is in proportion to the stored size of the file
// ([webcapture.Budget]). Otherwise, only the first of each rule are kept, sorted by place, and the others are counted.
// The result does not depend on the order of work: each worker keeps at least those of its findings that are among the
// first of all workers, and only the total number decides whether there are too many.

// Found holds the findings and unread parts of a worker, a phase, or a run.
type Found struct {
	Findings  rule.Findings
	unread    []rule.Unread
	undecoded rule.Undecoded

	// Counts of findings and unread parts that are not in the lists.
	omitted       map[*rule.Rule]int
	omittedUnread int

	last map[*rule.Rule]rule.Finding // last kept finding of each rule; later ones are only counted
	grow int                         // number of findings at which the lists are cut again
}

// total returns the number of findings and unread parts, listed or only counted.
func (f *Found) total() int {
	n := f.Findings.Len() + len(f.unread) + f.omittedUnread
	for _, omitted := range f.omitted {
		n += omitted
	}
	return n
}

// omit counts n findings of a rule that are not kept.
func (f *Found) omit(r *rule.Rule, n int) {
	if n == 0 {
		return
	}
	if f.omitted == nil {
		f.omitted = map[*rule.Rule]int{}
	}
	f.omitted[r] += n
}

// Beyond reports whether a finding comes after the last kept one of its rule, and would be cut. Findings with the same
// place are compared by message, because a million of them may have one place.
func (f *Found) Beyond(g rule.Finding) bool {
	last, ok := f.last[g.Rule]
	if !ok {
		return false
	}
	c := g.Place.Compare(last.Place)
	return c > 0 || c == 0 && g.Message >= last.Message
}

// merge adds the findings and unread parts of g.
func (f *Found) merge(g *Found) {
	if f.Findings == nil {
		f.Findings = g.Findings
	} else if len(g.Findings) > 0 { // append would reserve unused memory
		f.Findings = slices.Concat(f.Findings, g.Findings)
	}
	f.unread = append(f.unread, g.unread...)
	f.undecoded.Merge(g.undecoded)
	for r, n := range g.omitted {
		f.omit(r, n)
	}
	f.omittedUnread += g.omittedUnread
}

// Cut keeps only the first findings of each rule, and the first unread parts. It counts the others.
func (f *Found) Cut() {
	list := f.Findings
	slices.SortFunc(list, func(a, b rule.Finding) int {
		return cmp.Or(cmp.Compare(a.Rule.ID, b.Rule.ID), a.Compare(b))
	})
	kept := list[:0]
	for from := 0; from < len(list); {
		of, to := list[from].Rule, from+1
		for to < len(list) && list[to].Rule == of {
			to++
		}
		few := min(to, from+MaxOfRule)
		kept = append(kept, list[from:few]...)
		if to-from >= MaxOfRule {
			if f.last == nil {
				f.last = map[*rule.Rule]rule.Finding{}
			}
			f.last[of] = kept[len(kept)-1]
		}
		f.omit(of, to-few)
		from = to
	}
	clear(list[len(kept):])
	f.Findings = kept
	if n := len(f.unread) - MaxOfRule; n > 0 {
		slices.SortFunc(f.unread, rule.Unread.Compare)
		clear(f.unread[MaxOfRule:])
		f.unread = f.unread[:MaxOfRule]
		f.omittedUnread += n
	}
	f.grow = 2*(f.Findings.Len()+len(f.unread)) + MaxOfRule
}

// Record implements [rule.Engine].
func (w *Worker) Record(f rule.Finding) {
	if w.Found.Beyond(f) {
		w.Found.omit(f.Rule, 1)
	} else {
		w.Found.Findings = append(w.Found.Findings, f)
	}
	w.count()
}

// Omit implements [rule.Engine].
func (w *Worker) Omit(n int) { w.Found.omit(w.Rule, n) }

// NoteUnread implements [rule.Engine].
func (w *Worker) NoteUnread(u rule.Unread) {
	if w.Found.undecoded.Take(u.Err) {
		return
	}
	w.Found.unread = append(w.Found.unread, u)
	w.count()
}

// CountProof implements [rule.Engine].
func (w *Worker) CountProof(p rule.Proof) { w.digests[p]++ }

// Fail implements [rule.Engine].
func (w *Worker) Fail(err error) { w.failed = err }

// count counts a new finding or unread part. If all workers together have too many, it cuts the lists of this worker.
func (w *Worker) count() {
	const some = 64 // larger steps need less synchronization with other workers
	if w.fresh++; w.fresh < some {
		return
	}
	n := w.Run.count.Add(w.fresh)
	w.fresh = 0
	if n > w.Run.findings && w.Found.Findings.Len()+len(w.Found.unread) >= max(w.Found.grow, MaxOfRule) {
		w.Found.Cut()
	}
}

// report adds the findings and unread parts to a result, sorted by place, without repetition.
func (r *Runner) report(res *Result) {
	f := &r.found
	if total := f.total(); int64(total) > r.findings {
		f.Cut()
	}
	f.Findings.Sort()
	res.Findings = slices.CompactFunc(f.Findings, func(a, b rule.Finding) bool { return a.Compare(b) == 0 })
	for _, one := range r.opt.Rules {
		if n := f.omitted[one]; n > 0 {
			res.Omitted = append(res.Omitted, rule.Omitted{Rule: one, Count: n})
		}
	}
	if what := f.counted(); what != "" {
		f.leave(&OverBudget{"too many findings for a file of this size: " + what})
	}
	f.unread = append(f.unread, f.undecoded.Unread()...)
	slices.SortFunc(f.unread, rule.Unread.Compare)
	res.Unread = slices.CompactFunc(f.unread, func(a, b rule.Unread) bool { return a.Compare(b) == 0 })
}

// counted describes the findings and unread parts that are only counted; empty if everything is listed.
func (f *Found) counted() string {
	findings := 0
	for _, n := range f.omitted {
		findings += n
	}
	var list []string
	add := func(n int, one, more string) {
		switch {
		case n == 1:
			list = append(list, "1 "+one)
		case n > 1:
			list = append(list, fmt.Sprintf("%d %s", n, more))
		}
	}
	add(findings, "finding", "findings")
	add(f.omittedUnread, "part that could not be checked", "parts that could not be checked")
	switch findings + f.omittedUnread {
	case 0:
		return ""
	case 1:
		return list[0] + " is only counted"
	}
	return strings.Join(list, " and ") + " are only counted"
}

// errMembers means that rules about the whole document were not checked.
var errMembers error = &OverBudget{"pages, images, and members were not checked: content sets list more members than a file of this size can have"}

// leave records an omitted part of the audit.
func (f *Found) leave(err error) {
	f.unread = append(f.unread, rule.Unread{Place: rule.Place{Part: "file"}, Err: err})
}
