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
	// Lost means that something in the source is damaged or unreadable. It may be a capture of any URL, and other captures
	// of the same file may be wrong. So nothing in the source proves a mismatch.
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

// String describes what was skipped, why, and where. What follows after a limit is not counted.
func (k Skip) String() string {
	if k.Capped {
		return fmt.Sprintf("read in part: %s: %s", k.Reason, k.First)
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

// Skip counts an unusable capture.
func (s *Stats) Skip(where, reason string) { s.note(Skip{Reason: reason, Count: 1, First: where}) }

// SkipLost counts unreadable data whose URLs are unknown.
func (s *Stats) SkipLost(where, reason string) {
	s.Lost = true
	s.Skip(where, reason)
}

// SkipCapped counts data that were skipped because of a limit, so their URLs are unknown. reason describes the limit.
func (s *Stats) SkipCapped(where, reason string) {
	s.note(Skip{Reason: reason, Count: 1, First: where, Capped: true})
}

// note adds a count of unusable captures, and keeps the order of Skipped.
func (s *Stats) note(k Skip) {
	s.Lost = s.Lost || k.Capped
	if i := slices.IndexFunc(s.Skipped, func(o Skip) bool { return o.Reason == k.Reason }); i >= 0 {
		s.Skipped[i].Count += k.Count
	} else {
		s.Skipped = append(s.Skipped, k)
	}
	slices.SortFunc(s.Skipped, func(a, b Skip) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Reason, b.Reason))
	})
}

// Add adds the counts of another source.
func (s *Stats) Add(other Stats) {
	s.Files += other.Files
	s.Kept += other.Kept
	s.Bytes += other.Bytes
	s.Records += other.Records
	s.Lost = s.Lost || other.Lost
	for _, k := range other.Skipped {
		s.note(k)
	}
}
