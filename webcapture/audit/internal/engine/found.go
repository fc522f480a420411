package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// A file may break rules a million times, and a million findings are kept if they are in
// proportion to what is stored of it ([webcapture.Budget]). Of more findings than that the
// first of each rule are kept, by their places, and the others are counted. Which these
// are does not depend on who found what, and when: every worker keeps at least those of
// its own that are among the first of all, and whether there are too many is known by
// their number alone.

// Found is what was found: by a worker, in a phase, or in a run.
type Found struct {
	Findings  rule.Findings
	unread    []rule.Unread
	undecoded rule.Undecoded

	// What was found but is not in the lists.
	omitted       map[*rule.Rule]int
	omittedUnread int

	last map[*rule.Rule]rule.Finding // findings of the rule that do not come before it are only counted
	grow int                         // to so many findings before they are cut again
}

// total returns the number of findings and of parts that could not be read.
func (f *Found) total() int {
	n := f.Findings.Len() + len(f.unread) + f.omittedUnread
	for _, omitted := range f.omitted {
		n += omitted
	}
	return n
}

// omit counts findings that are not kept.
func (f *Found) omit(r *rule.Rule, n int) {
	if n == 0 {
		return
	}
	if f.omitted == nil {
		f.omitted = map[*rule.Rule]int{}
	}
	f.omitted[r] += n
}

// Beyond reports whether a finding would be cut off again. A million may have one place:
// then their messages tell, as they do when findings are cut.
func (f *Found) Beyond(g rule.Finding) bool {
	last, ok := f.last[g.Rule]
	if !ok {
		return false
	}
	c := g.Place.Compare(last.Place)
	return c > 0 || c == 0 && g.Message >= last.Message
}

// merge adds what g has.
func (f *Found) merge(g *Found) {
	if f.Findings == nil {
		f.Findings = g.Findings
	} else if len(g.Findings) > 0 { // append would leave room for more
		f.Findings = slices.Concat(f.Findings, g.Findings)
	}
	f.unread = append(f.unread, g.unread...)
	f.undecoded.Merge(g.undecoded)
	for r, n := range g.omitted {
		f.omit(r, n)
	}
	f.omittedUnread += g.omittedUnread
}

// Cut leaves the first findings of each rule, and the first parts that could not be read.
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

// Record is that of [Engine].
func (w *Worker) Record(f rule.Finding) {
	if w.Found.Beyond(f) {
		w.Found.omit(f.Rule, 1)
	} else {
		w.Found.Findings = append(w.Found.Findings, f)
	}
	w.count()
}

// Omit is that of [Engine].
func (w *Worker) Omit(n int) { w.Found.omit(w.Rule, n) }

// NoteUnread is that of [Engine].
func (w *Worker) NoteUnread(u rule.Unread) {
	if w.Found.undecoded.Take(u.Err) {
		return
	}
	w.Found.unread = append(w.Found.unread, u)
	w.count()
}

// CountProof is that of [Engine].
func (w *Worker) CountProof(p rule.Proof) { w.digests[p]++ }

// Fail is that of [Engine].
func (w *Worker) Fail(err error) { w.failed = err }

// count is called for each finding and each part that could not be read. If there are too
// many in all workers together, it cuts those of this one.
func (w *Worker) count() {
	const some = 64 // to disturb the other workers less often
	if w.fresh++; w.fresh < some {
		return
	}
	n := w.Run.count.Add(w.fresh)
	w.fresh = 0
	if n > w.Run.findings && w.Found.Findings.Len()+len(w.Found.unread) >= max(w.Found.grow, MaxOfRule) {
		w.Found.Cut()
	}
}

// report gives a report what was found, in the order of places, without repetition.
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

// errMembers says that rules about the document as a whole were not checked.
var errMembers error = &OverBudget{"pages, images, and members were not checked: content sets list more members than a file of this size can have"}

// leave notes what was left out of the audit of the file.
func (f *Found) leave(err error) {
	f.unread = append(f.unread, rule.Unread{Place: rule.Place{Part: "file"}, Err: err})
}
