package capture

import (
	"reflect"
	"testing"
)

// TestSkipInWords: a limit that was reached once may be about all that follows, so it has no count.
func TestSkipInWords(t *testing.T) {
	for want, k := range map[string]Skip{
		"skipped 1: a missing file, the first: a": {
			Reason: "a missing file", Count: 1, First: "a"},
		"skipped 2: a missing file, the first: a": {
			Reason: "a missing file", Count: 2, First: "a"},
		"read in part: all files after the first 5: a": {Reason: "all files after the first 5",
			Count: 1, First: "a", Capped: true},
		"read in part: a limit: a": {
			Reason: "a limit",
			Count:  2, First: "a", Capped: true},
	} {
		t.Run(want, func(t *testing.T) {
			if got := k.String(); got != want {
				t.Errorf("%q", got)
			}
		})
	}
}

// TestStats: skipped captures are counted by reason, most frequent first; the place is that of the first one.
func TestStats(t *testing.T) {
	var a Stats
	a.Skip("1", "rare")
	a.Skip("2", "usual")
	a.Skip("3", "usual")
	a.Skip("4", "also rare")
	if a.Lost {
		t.Error("captures whose URLs are known are Lost")
	}
	if a.Capped() != nil {
		t.Errorf("capped: %v", a.Capped())
	}
	a.Files, a.Kept, a.Bytes, a.Records = 1, 2, 3, 6

	var b Stats
	b.Add(a)
	b.Add(Stats{Files: 10, Kept: 20, Bytes: 30, Records: 7,
		Skipped: []Skip{{Reason: "rare", Count: 9, First: "5"}, {Reason: "a limit", Count: 2, First: "6", Capped: true}}})
	b.Add(Stats{})
	want := Stats{Files: 11, Kept: 22, Bytes: 33, Lost: true,
		Records: 13,
		Skipped: []Skip{{Reason: "rare", Count: 10, First: "1"}, {Reason: "a limit", Count: 2, First: "6", Capped: true},
			{Reason: "usual", Count: 2, First: "2"}, {Reason: "also rare", Count: 1, First: "4"}}}
	if got := b; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := b.Capped(); got == nil || got.Reason != "a limit" {
		t.Errorf("capped: %v", got)
	}
}
