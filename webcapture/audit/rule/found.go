package rule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A file may have a million findings. All are kept if their number is in proportion to the stored size of the file
// ([MaxFindings]). Otherwise, only the first of each rule are kept, sorted by place, and the others are counted.
// The result does not depend on the order of work: each goroutine keeps at least those of its findings that are among
// the first of all goroutines, and only the total number decides whether there are too many.

// MaxOfRule is the number of findings kept for each rule if there are too many. People rarely look at more, and these
// show what the rest is like.
const MaxOfRule = 1000

// MaxFindings returns the number of findings that are kept with all details, for a file with size bytes. A finding
// takes 400 bytes with its message and fix.
func MaxFindings(size int64) int64 { return 1<<18 + size/192 }

// Found holds the results of a [Pass], of a phase, or of an audit.
type Found struct {
	Findings Findings
	Unread   []Unread
	Sets     [3]int       // number of content sets by subtype
	Digests  [Proofs]int  // number of images by the proof of their digital identifier
	Images   []ImageProof // only if Audit.WantsKeys

	// Counts of findings and unread parts that are not in the lists.
	omitted       map[*Rule]int
	omittedUnread int

	last map[*Rule]Finding // last kept finding of each rule; later ones are only counted
	grow int               // number of findings at which the lists are cut again
}

// Total returns the number of findings and unread parts, listed or only counted.
func (f *Found) Total() int {
	n := len(f.Findings) + len(f.Unread) + f.omittedUnread
	for _, omitted := range f.omitted {
		n += omitted
	}
	return n
}

// add adds a finding, or only counts it.
func (f *Found) add(g Finding) {
	if f.isBeyond(g) {
		f.omit(g.Rule, 1)
		return
	}
	f.Findings = append(f.Findings, g)
}

// omit counts n findings of a rule that are not kept.
func (f *Found) omit(r *Rule, n int) {
	if n == 0 {
		return
	}
	if f.omitted == nil {
		f.omitted = map[*Rule]int{}
	}
	f.omitted[r] += n
}

// isFull reports whether any finding of a rule at a place would be cut, so that its message is not needed.
func (f *Found) isFull(r *Rule, at Place) bool {
	last, ok := f.last[r]
	return ok && at.Compare(last.Place) > 0
}

// isBeyond reports whether a finding comes after the last kept one of its rule, and would be cut. Findings with the
// same place are compared by message, because a million of them may have one place.
func (f *Found) isBeyond(g Finding) bool {
	last, ok := f.last[g.Rule]
	return ok && cmp.Or(g.Place.Compare(last.Place), cmp.Compare(g.Message, last.Message), 1) > 0
}

// Merge adds the results of g.
func (f *Found) Merge(g *Found) {
	if f.Findings == nil {
		f.Findings = g.Findings
	} else if len(g.Findings) > 0 { // append would reserve unused memory
		f.Findings = slices.Concat(f.Findings, g.Findings)
	}
	f.Unread = append(f.Unread, g.Unread...)
	for i, n := range g.Sets {
		f.Sets[i] += n
	}
	for i, n := range g.Digests {
		f.Digests[i] += n
	}
	f.Images = append(f.Images, g.Images...)
	for r, n := range g.omitted {
		f.omit(r, n)
	}
	f.omittedUnread += g.omittedUnread
}

// Cut keeps only the first findings of each rule, and the first unread parts. It counts the others.
func (f *Found) Cut() {
	list := f.Findings
	slices.SortFunc(list, func(a, b Finding) int { return cmp.Or(cmp.Compare(a.Rule.ID, b.Rule.ID), a.Compare(b)) })
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
				f.last = map[*Rule]Finding{}
			}
			f.last[of] = kept[len(kept)-1]
		}
		f.omit(of, to-few)
		from = to
	}
	clear(list[len(kept):])
	f.Findings = kept
	if n := len(f.Unread) - MaxOfRule; n > 0 {
		slices.SortFunc(f.Unread, Unread.Compare)
		clear(f.Unread[MaxOfRule:])
		f.Unread = f.Unread[:MaxOfRule]
		f.omittedUnread += n
	}
	f.grow = 2*(len(f.Findings)+len(f.Unread)) + MaxOfRule
}

// Finish sorts the findings and unread parts by place, and removes repeated ones.
func (f *Found) Finish() {
	f.Findings.Sort()
	f.Findings = slices.CompactFunc(f.Findings, func(a, b Finding) bool { return a.Compare(b) == 0 })
	slices.SortFunc(f.Unread, Unread.Compare)
	f.Unread = slices.CompactFunc(f.Unread, func(a, b Unread) bool { return a.Compare(b) == 0 })
}

// Omitted returns the numbers of findings that are only counted, in the order of rules.
func (f *Found) Omitted(rules []*Rule) (list []Omitted) {
	for _, r := range rules {
		if n := f.omitted[r]; n > 0 {
			list = append(list, Omitted{Rule: r, Count: n})
		}
	}
	return list
}

// Counted describes the findings and unread parts that are only counted; empty if everything is listed.
func (f *Found) Counted() string {
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
