package pdffile_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/diff"
	"github.com/webcap-tools/webcap/webcapture/rewrite"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestRewriteRestoresWhatOptimizeBreaks: after pdfcpu optimize and a rewrite the
// database is that of the original, with every key of IDS and every named link.
func TestRewriteRestoresWhatOptimizeBreaks(t *testing.T) {
	dir := t.TempDir()
	made := filepath.Join(dir, "made.pdf")
	d := webcapturetest.Sets(300, webcapturetest.Options{Leaf: 16, IndirectKeys: true, Images: 3, LiteralIDs: true})
	if err := os.WriteFile(made, d.Bytes(webcapturetest.Layout{}), 0o600); err != nil {
		t.Fatal(err)
	}
	paths, _ := filepath.Glob("../../../../shared/corpus/real/*.pdf")
	for _, path := range append(paths, made) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			password := ""
			if strings.Contains(path, "encrypted") {
				password = "1234"
			}
			optimized, repaired := filepath.Join(t.TempDir(), "optimized.pdf"), filepath.Join(t.TempDir(), "repaired.pdf")
			if !optimize(t, path, optimized, password) {
				t.Skip("not optimized")
			}
			p, err := rewrite.Open(optimized, rewrite.Options{Password: password})
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
}

func differences(t *testing.T, a, b, password string) []diff.Change {
	t.Helper()
	res, err := diff.Files(a, b, diff.Options{PasswordA: password, PasswordB: password})
	if err != nil {
		t.Fatal(err)
	}
	return res.Changes
}
