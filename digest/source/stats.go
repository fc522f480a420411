package source

import (
	"cmp"
	"fmt"
	"slices"
)

// Stats says what a source holds.
type Stats struct {
	Files   int    // that were read to know what there is
	Kept    int    // things that Lookup can find
	Skipped []Skip // in the order of their reasons
}

// A Skip is things in a source that are of no use, for one reason.
type Skip struct {
	Reason string // such as "a reply to POST"
	Count  int
	First  string // where the first of them is
}

// A tally counts what a reader of a source meets.
type tally struct {
	Stats
	skips map[string]*Skip
}

func (t *tally) skip(where, reason string) {
	s := t.skips[reason]
	if s == nil {
		if t.skips == nil {
			t.skips = map[string]*Skip{}
		}
		s = &Skip{Reason: reason, First: where}
		t.skips[reason] = s
	}
	s.Count++
}

// add adds the counts of another source.
func (t *tally) add(s Stats) {
	t.Files += s.Files
	t.Kept += s.Kept
	for _, k := range s.Skipped {
		t.skip(k.First, k.Reason)
		t.skips[k.Reason].Count += k.Count - 1
	}
}

// stats returns the counts so far.
func (t *tally) stats() Stats {
	s := t.Stats
	for _, skip := range t.skips {
		s.Skipped = append(s.Skipped, *skip)
	}
	slices.SortFunc(s.Skipped, func(a, b Skip) int { return cmp.Compare(a.Reason, b.Reason) })
	return s
}

// firstSkip says what was skipped first, for an error which says that all was.
func firstSkip(s Stats) string {
	if len(s.Skipped) == 0 {
		return ""
	}
	return fmt.Sprintf(": %s: %s", s.Skipped[0].First, s.Skipped[0].Reason)
}
