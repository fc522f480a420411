package capture

import (
	"cmp"
	"fmt"
	"slices"
)

// StatsStats says what a source holds.
type Stats struct {
	Files   int    // that were read for the statistics
	Kept    int    // things that Lookup can find
	Bytes   int64  // of the files that have these
	Skipped []Skip // the commonest reason first
	// Unlisted is how many things were found that no index of the source lists. They are looked for when
	// something is missing, and so Stats may say more then.
	Unlisted int

	// Lost says that some file of the source cannot be read at all, which may have captures of any URL.
	Lost bool

	Types []TypeCount // of all records that were understood, those of which Lookup finds nothing included

	Found string // of folders, what is in them: "37 records in 3 WARC files, 1 WACZ file"
}

// TypeCount is how many records of a type there are.
type TypeCount struct {
	Type  string
	Count int
}

// String returns the count and the type.
func (c TypeCount) String() string { return fmt.Sprintf("%d %s", c.Count, c.Type) }

// AddType adds to the count of a type.
func (s *Stats) AddType(name string, count int) {
	for i := range s.Types {
		if s.Types[i].Type == name {
			s.Types[i].Count += count
			return
		}
	}
	s.Types = append(s.Types, TypeCount{name, count})
}

// Skip is things in a source that are of no use, for one reason.
type Skip struct {
	Reason string // such as "a reply to POST"
	Count  int
	First  string // where the first of them is
	Capped bool   // the reason is a cap of this package, so the contents are unknown
}

// Capped returns the first Skip whose reason is a cap; nil if there is none.
func (s Stats) Capped() *Skip {
	for i := range s.Skipped {
		if s.Skipped[i].Capped {
			return &s.Skipped[i]
		}
	}
	return nil
}

// Tally counts what a reader of a source meets.
type Tally struct {
	Stats
	skips map[string]*Skip
}

// Skip counts something that is of no use.
func (t *Tally) Skip(where, reason string) { t.Note(where, reason, 1, false) }

// SkipCapped counts something that a cap, which the reason names, leaves out.
func (t *Tally) SkipCapped(where, reason string) { t.Note(where, reason, 1, true) }

// SkipLost counts a file or folder of which nothing can be read.
func (t *Tally) SkipLost(where, reason string) {
	t.Lost = true
	t.Skip(where, reason)
}

func (t *Tally) Note(where, reason string, count int, capped bool) {
	s := t.skips[reason]
	if s == nil {
		if t.skips == nil {
			t.skips = map[string]*Skip{}
		}
		s = &Skip{Reason: reason, First: where, Capped: capped}
		t.skips[reason] = s
	}
	s.Count += count
}

// Add adds the counts of another source.
func (t *Tally) Add(s Stats) {
	t.Files += s.Files
	t.Kept += s.Kept
	t.Bytes += s.Bytes
	t.Unlisted += s.Unlisted
	t.Lost = t.Lost || s.Lost
	if t.Found != "" && s.Found != "" {
		t.Found += "; "
	}
	t.Found += s.Found
	for _, c := range s.Types {
		t.AddType(c.Type, c.Count)
	}
	for _, k := range s.Skipped {
		t.Note(k.First, k.Reason, k.Count, k.Capped)
	}
}

// Total returns the counts so far.
func (t *Tally) Total() Stats {
	s := t.Stats
	for _, skip := range t.skips {
		s.Skipped = append(s.Skipped, *skip)
	}
	slices.SortFunc(s.Skipped, func(a, b Skip) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Reason, b.Reason))
	})
	return s
}

// FirstSkip says what was skipped first, for an error which says that all was.
func FirstSkip(s Stats) string {
	if len(s.Skipped) == 0 {
		return ""
	}
	return fmt.Sprintf(": %s: %s", s.Skipped[0].First, s.Skipped[0].Reason)
}

// Exclusion is a capture of a URL that is of no use.
type Exclusion struct {
	Where, Reason string // as those of a Skip
	Damaged       bool   // it may have been what was captured
}

// Excluder knows what it has of a URL that is of no use, such as a part of a file.
type Excluder interface{ Excluded(url string) []Exclusion }

// Excluded returns what a source has of a URL that is of no use, if it knows.
func Excluded(src Source, url string) []Exclusion {
	if e, ok := src.(Excluder); ok {
		return e.Excluded(url)
	}
	return nil
}
