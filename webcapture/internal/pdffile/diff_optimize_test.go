package pdffile_test

import (
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/diff"
)

// TestDiffNamesWhatOptimizeBreaks: after pdfcpu optimize, keys of IDS are changed and destinations are lost, and
// nothing else differs.
func TestDiffNamesWhatOptimizeBreaks(t *testing.T) {
	eachOptimized(t, func(t *testing.T, path, out, password string) {
		broken, _ := brokenKeys(t, out, password)
		res, err := diff.Files(t.Context(), path, out, webcapture.Options{Passwords: []string{password}})
		if err != nil {
			t.Fatal(err)
		}
		if !res.Whole() {
			t.Errorf("not compared: %v, %v", res.A.Unread, res.B.Unread)
		}
		keys := 0
		for _, c := range res.Changes {
			switch {
			case c.Place.Part == diff.TreeKey && c.Kind == diff.Changed && c.Place.Tree == "IDS":
				keys++
				if !strings.Contains(c.B, ", re-encoded as ") {
					t.Errorf("the change of %v does not say that the key became text: %s", c.Place, c.B)
				}
			default:
				t.Errorf("%v %v: %s, %s", c.Kind, c.Place, c.A, c.B)
			}
		}
		if keys != broken {
			t.Errorf("%d keys of IDS changed, want %d", keys, broken)
		}
	})
}
