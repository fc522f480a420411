package capture

import (
	"cmp"
	"fmt"
	"slices"
)

// Stats are the statistics of a source.
type Stats struct {
	Files   int    `json:"files"`   // number of files that were read
	Kept    int    `json:"kept"`    // number of captures that Lookup can find
	Bytes   int64  `json:"-"`       // total size of the files with captures
	Skipped []Skip `json:"skipped"` // unusable captures, most frequent reason first
	// Lost means that something in the source is unreadable, and may be a capture of any URL.
	Lost bool `json:"-"`

	// Records is the number of valid records of WARC and ARC files, including records that Lookup cannot find.
	Records int `json:"-"`
}

// Skip counts unusable captures with the same reason.
type Skip struct {
	Reason string `json:"reason"` // such as "a reply to POST"
	Count  int    `json:"count"`
	First  string `json:"first"`            // place of the first one
	Capped bool   `json:"capped,omitempty"` // the reason is a limit of this module, so the contents are unknown
}

// String describes what was skipped, why, and where. The reason of a limit may be about all that follows, which is not
// counted.
func (k Skip) String() string {
	switch {
	case k.Capped && k.Count == 1:
		return fmt.Sprintf("read in part: %s: %s", k.Reason, k.First)
	case k.Capped:
		return fmt.Sprintf("read in part: %s, %d times, the first: %s", k.Reason, k.Count, k.First)
	}
	return fmt.Sprintf("skipped %d: %s, the first: %s", k.Count, k.Reason, k.First)
}

// Capped returns the first Skip whose reason is a limit of this module; nil if there is none.
func (s Stats) Capped() *Skip {
	for i := range s.Skipped {
		if s.Skipped[i].Capped {
			return &s.Skipped[i]
		}
	}
	return nil
}

// Tally counts captures while a source is read.
type Tally struct {
	Stats
	skips map[string]*Skip
}

// Skip counts an unusable capture.
func (t *Tally) Skip(where, reason string) { t.Note(where, reason, 1, false) }

// SkipCapped counts a capture that was skipped because of a limit. reason describes the limit.
func (t *Tally) SkipCapped(where, reason string) { t.Note(where, reason, 1, true) }

// SkipLost counts unreadable data whose URLs are unknown.
func (t *Tally) SkipLost(where, reason string) {
	t.Lost = true
	t.Skip(where, reason)
}

// Note counts unusable captures with the same reason. capped means that they were skipped because of a limit, so their
// URLs are unknown.
func (t *Tally) Note(where, reason string, count int, capped bool) {
	t.Lost = t.Lost || capped
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
	t.Records += s.Records
	t.Lost = t.Lost || s.Lost
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

// FirstSkip describes the first capture that was skipped for the most frequent reason. It is for an error that says
// that all captures were skipped.
func FirstSkip(s Stats) string {
	if len(s.Skipped) == 0 {
		return ""
	}
	return fmt.Sprintf(": %s: %s", s.Skipped[0].First, s.Skipped[0].Reason)
}
