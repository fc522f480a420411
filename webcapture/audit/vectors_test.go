package audit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// The files that vectors.py makes of the cases break the same rules as those that our runner makes.
func TestVectorsWithPython(t *testing.T) {
	testdata, folder := filepath.Dir(caseDir), t.TempDir()
	if out, code := webcapturetest.Vectors(t, testdata, "audit", folder); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	rows := webcapturetest.Rows(t, filepath.Join(folder, "expected.tsv"))
	if got, want := len(rows), len(caseFiles(t)); got != want {
		t.Errorf("%d files, want %d", got, want)
	}
	for _, row := range rows {
		data, err := os.ReadFile(filepath.Join(folder, row[0]))
		if err != nil {
			t.Fatal(err)
		}
		rep := auditBytes(t, data, caseOptions)
		var got []string
		for _, f := range rep.Findings {
			got = append(got, f.Rule.ID)
		}
		slices.Sort(got)
		if got, want := strings.Join(slices.Compact(got), " "), row[1]; got != want || rep.WithoutXRef {
			t.Errorf("%s breaks %q, want %q; repaired: %t", row[0], got, want, rep.WithoutXRef)
		}
	}
}

func TestVectorsNoticeDamage(t *testing.T) {
	dir := webcapturetest.CopyVectors(t, filepath.Dir(caseDir), "audit", "WC101-array.txtar",
		func(s string) string { return strings.Replace(s, "[WC101]", "[WC102]", 1) })
	out, code := webcapturetest.Vectors(t, dir, "audit", t.TempDir())
	if want := "audit/WC101-array.txtar: ValueError"; code != 2 || !strings.Contains(out, want) {
		t.Errorf("exit code %d, output %s, want 2 and %s", code, out, want)
	}
}
