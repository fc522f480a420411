package pdffile_test

import (
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/diff"
)

// TestDiffNamesWhatOptimizeBreaks: after pdfcpu optimize, keys of IDS are changed and destinations are lost, and
// nothing else differs.
func TestDiffNamesWhatOptimizeBreaks(t *testing.T) {
	eachOptimized(t, func(t *testing.T, path, out, password string) {
		broken, total := brokenKeys(t, out, password)
		res, err := diff.Files(t.Context(), path, out, webcapture.Options{Passwords: []string{password}})
		if err != nil {
			t.Fatal(err)
		}
		if !res.Whole() {
			t.Errorf("not compared: %v, %v", res.A.Unread, res.B.Unread)
		}
		var named int
		for _, c := range res.Causes {
			switch c.Kind {
			case diff.KeysTranscoded:
				if c.Count != broken || c.Of != total {
					t.Errorf("%v, want %d of %d", c, broken, total)
				}
				named++
			case diff.LinksBroken:
				if c.Count != res.A.Found-res.B.Found {
					t.Errorf("%v, but %d links lead somewhere before and %d after", c, res.A.Found, res.B.Found)
				}
			default:
				t.Errorf("unexpected: %v", c)
			}
		}
		if want := min(broken, 1); named != want {
			t.Errorf("transcoding is named %d times, want %d", named, want)
		}
		keys := 0
		for _, c := range res.Changes {
			switch {
			case c.Place.Part == diff.TreeKey && c.Kind == diff.Changed && c.Place.Tree == "IDS":
				keys++
			case c.Place.Part == diff.Destination && c.Kind == diff.Lost:
			default:
				t.Errorf("%v %v: %s, %s", c.Kind, c.Place, c.A, c.B)
			}
		}
		if keys != broken {
			t.Errorf("%d keys of IDS changed, want %d", keys, broken)
		}
	})
}
