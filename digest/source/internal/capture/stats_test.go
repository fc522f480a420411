package capture

import "testing"

// TestSkipInWords: a limit that was reached once may be about all that follows, so it has no count.
func TestSkipInWords(t *testing.T) {
	for want, k := range map[string]Skip{
		"skipped 1: a missing file, the first: a": {Reason: "a missing file", Count: 1, First: "a"},
		"skipped 2: a missing file, the first: a": {Reason: "a missing file", Count: 2, First: "a"},
		"skipped all files after the first 5: a": {Reason: "all files after the first 5",
			Count: 1, First: "a", Capped: true},
		"skipped WACZ files nested more than 4 deep, 2 times, the first: a": {Reason: "WACZ files nested more than 4 deep",
			Count: 2, First: "a", Capped: true},
	} {
		t.Run(want, func(t *testing.T) {
			if got := k.String(); got != want {
				t.Errorf("%q", got)
			}
		})
	}
}
