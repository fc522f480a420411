package pdffile_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/diff"
	"github.com/webcap-tools/webcap/webcapture/rewrite"
)

// TestRewriteRestoresWhatOptimizeBreaks: after pdfcpu optimize and a rewrite the
// database is that of the original, with every key of IDS and every named link.
func TestRewriteRestoresWhatOptimizeBreaks(t *testing.T) {
	eachOptimized(t, func(t *testing.T, path, optimized, password string) {
		repaired := filepath.Join(t.TempDir(), "repaired.pdf")
		p, err := rewrite.Open(t.Context(), optimized, rewrite.Options{Passwords: []string{password}})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if p.Empty() {
			if damaged := differences(t, path, optimized, password); len(damaged) > 0 {
				t.Errorf("nothing to repair, but %d differences", len(damaged))
			}
			return
		}
		if _, err := p.Install(context.Background(), rewrite.Target{Path: repaired}); err != nil {
			t.Fatal(err)
		}
		if !optimize(t, repaired, filepath.Join(t.TempDir(), "again.pdf"), password) {
			t.Error("pdfcpu does not read the repaired file")
		}
		damaged, restored := differences(t, path, optimized, password), differences(t, path, repaired, password)
		for _, c := range restored {
			t.Errorf("%v %v: %s, %s", c.Kind, c.Place, c.A, c.B)
		}
		t.Logf("%d steps; %d differences before, %d after", len(p.Steps), len(damaged), len(restored))
	})
}

func differences(t *testing.T, a, b, password string) []diff.Change {
	t.Helper()
	res, err := diff.Files(t.Context(), a, b, webcapture.Options{Passwords: []string{password}})
	if err != nil {
		t.Fatal(err)
	}
	return res.Changes
}
